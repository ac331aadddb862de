# SPDX-License-Identifier: MIT
"""From data to result: what the public names of the package call.

`measure` reads if need be, fits the dissimilarity to the corpus, measures document by document and pools.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Unpack, cast

from unisono.alignment import too_few_annotators
from unisono.alignment.kept_alignments import keep_alignments
from unisono.chance import ChanceModel, chance_model
from unisono.chance.chance_model import SingleDocumentModel
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.intervals.attach import with_intervals
from unisono.io.inputs import make_corpus
from unisono.io.read import as_corpus
from unisono.io.stream import CorpusStream
from unisono.measures import MEASURES
from unisono.measures.cautions import cautions_of
from unisono.measures.computation import Measured, Progress, pool_documents
from unisono.measures.contributions import with_contributions
from unisono.measures.description import Description, describe_data, describe_measurement
from unisono.measures.idle_annotators import with_idle_annotators
from unisono.measures.measure_names import measure_names
from unisono.measures.resolved import Resolved
from unisono.measures.sensitivity import gamma_variations
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Position, Unit
from unisono.model.units import unknown_annotators
from unisono.parallel import n_threads
from unisono.presets import Preset
from unisono.presets import preset as preset_of
from unisono.results import TEXT_MEASURE, DocumentResult, Result
from unisono.sampling import Sampling
from unisono.settings import (
    PRECISION,
    Comparing,
    Correcting,
    Measuring,
    Settings,
    check,
    draw_seed,
    parameter_name,
    settings_of,
)
from unisono.streaming import check_streamable, fit_to_stream, measure_parts
from unisono.streaming import document_results as open_results

if TYPE_CHECKING:
    from unisono.dissimilarity import Dissimilarity
    from unisono.keywords import Keywords


def continuum(
    units: Mapping[str, Iterable[Sequence[Any] | Unit]],
    *,
    extent: tuple[Position, Position] | Extent | None = None,
    name: str = "",
    text: str | None = None,
) -> Continuum:
    """One continuum from `{annotator: [(start, end, category), ...]}`; an empty list means: seen, nothing marked.

    >>> continuum({"ann": [(0, 5, "PER")], "bob": []})
    <Continuum '': 1 unit by 2 annotators>
    """
    return Continuum.of(units, extent=extent, name=name, text=text)


def corpus(documents: Mapping[str, Continuum | Mapping[str, Iterable[Sequence[Any] | Unit]]]) -> Corpus:
    """A corpus from `{document: {annotator: [(start, end, category), ...]}}`.

    >>> corpus({"doc1": {"ann": [(0, 5, "PER")], "bob": []}})
    <Corpus: 1 document, 1 unit, 2 annotators>
    """
    return make_corpus(documents)


@dataclass(frozen=True)
class Plan:
    """How a corpus and parts of it are measured: the settings as given, and what they were resolved to."""

    given: Settings
    resolved: Resolved

    def compute(self, corpus: Corpus, names: Sequence[str], progress: Progress | None = None) -> Mapping[str, Measured]:
        """Every measure on every document and overall; those of one family share their work."""
        families: dict[str, list[str]] = {}
        for name in names:
            if MEASURES[name].is_family:
                families.setdefault(MEASURES[name].home, []).append(name)
        values: dict[str, Measured] = {}
        # Families first: other measures may start from the alignments that these make.
        for members in families.values():
            values |= MEASURES[members[0]].load()(corpus, members, self.resolved, progress)
        for name in names:
            if name not in values:
                values[name] = pool_documents(MEASURES[name].load(), corpus, self.resolved)
        return values

    def signature(self, corpus: Corpus, names: Sequence[str]) -> str:
        """The signature of measuring this corpus."""
        return self.describe(corpus, names).signature

    def describe(self, corpus: Corpus, names: Sequence[str]) -> Description:
        """What a result records of measuring this corpus: parameters, the data in short, and the signature."""
        return describe_measurement(corpus, names, self.given, self.resolved)


def measure(
    data: Any,
    measures: str | Sequence[str] = ("gamma",),
    *,
    dissimilarity: Dissimilarity | None = None,
    executor: Executor | None = None,
    intervals: bool = True,
    annotators: bool | None = False,
    keep_samples: bool = True,
    document_results: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    **settings: Unpack[Keywords],
) -> Result:
    """Measure the agreement on a corpus, a continuum, a file or a data frame.

    data: a Corpus or a Continuum; a stream (`unisono.stream`), whose documents are measured while they are read;
    anything else is given to `read` (a path, paths, a data frame).
    measures: names such as "gamma" or ["gamma", "gamma-cat"]; "all" for every one.
    dissimilarity: an object, instead of the settings that describe one (alpha, positional, categorial, ...).
    executor: any of concurrent.futures (processes, or a cluster's); the documents of a corpus go to it in batches.
    intervals: whether the overall values get their uncertainty over documents, or over stretches of one document,
    and the result its cautions.
    annotators: whether the result also gets what reports and saved files show of the annotators: every two of them,
    each against the rest, everybody but one. None: if that takes little time.
    keep_samples: whether each document of a corpus keeps the disorders of its random continua; without them a corpus of
    thousands of documents takes a fraction of the memory, and no value, p-value or chart changes.
    document_results: a file to write the results of single documents to, as JSON, one per line; the result of a stream
    does not hold them itself. An older file is replaced only once all documents are measured.
    progress: called as progress(done, documents, name of the document).

    Documents that cannot be measured have a value of None with a reason; if no document has two annotators, a
    CorpusError says so. The overall value of several documents is 1 - sum(w*observed) / sum(w*expected); for γ, w is
    a document's mean number of units per annotator, for γcat and γk the summed weight of its aligned pairs; the plain
    mean over documents stands beside it. Where a limit stopped a search early, the value has a `gap` above 0.

    The settings:
    """
    names = measure_names(measures)
    given, chance = _given_settings(settings, dissimilarity)
    is_text = names == [TEXT_MEASURE]
    text_objects, dissimilarity, chance = _split_text_objects(names, dissimilarity, chance)
    if isinstance(data, CorpusStream):
        return _measure_stream(
            data, names, given, chance, dissimilarity, executor, document_results, progress, intervals=intervals
        )
    read_corpus = as_corpus(data, for_texts=is_text)
    _check_measurable(read_corpus)
    read_corpus, plan = _make_plan(read_corpus, given, chance, dissimilarity, executor, text_objects)
    plan = replace(plan, resolved=replace(plan.resolved, keeps_samples=keep_samples))
    resolved = plan.resolved
    _check_categories(resolved.categories, read_corpus, resolved.dissimilarity)
    _check_reference(resolved.reference, read_corpus)
    with keep_alignments(), open_results(document_results) as results:
        computed = plan.compute(read_corpus, names, progress)
        values = computed if is_text else {name: with_contributions(computed[name]) for name in names}
        description = plan.describe(read_corpus, names)
        of_text = description.text_settings if is_text else None
        result = Result(
            signature=description.signature,
            parameters=description.parameters,
            seed=resolved.seed,
            data=description.data,
            measures={name: values[name].overall for name in names},
            documents=tuple(
                DocumentResult(c.name, c.annotators, c.n_units, {name: values[name].documents[i] for name in names})
                for i, c in enumerate(read_corpus)
            ),
            # That texts differ is a problem for measures that compare positions.
            problems=tuple(
                problem
                for problem in with_idle_annotators(read_corpus, names, values, plan.resolved)
                if not is_text or problem.code != "differing-texts"
            ),
            cautions=cautions_of(read_corpus, values, resolved) if intervals and not is_text else (),
            sensitivity=gamma_variations(read_corpus, resolved) if given.sensitivity and not is_text else None,
            corpus=read_corpus,
            dissimilarity=resolved.dissimilarity if of_text is None else of_text.dissimilarity,
            chance_model=resolved.chance if of_text is None else of_text.chance,
            plan=plan,
        )
        if results is not None:
            results.write(iter(result.documents))
        if intervals:
            result = with_intervals(result, resolved)
        if annotators is not False:
            # An exception to the layers: the tables are made by a layer above, which is imported by name.
            result = importlib.import_module("unisono.report.details").with_details(result, annotators=annotators)
    # An executor may be closed after this call; whatever is measured later is measured here.
    return (
        result if executor is None else replace(result, plan=replace(plan, resolved=replace(resolved, executor=None)))
    )


def _measure_stream(
    stream: CorpusStream,
    names: Sequence[str],
    given: Settings,
    chance: ChanceModel | None,
    dissimilarity: Dissimilarity | None,
    executor: Executor | None,
    path: str | os.PathLike[str] | None,
    progress: Progress | None,
    *,
    intervals: bool,
) -> Result:
    """The result of a stream: the same as that of the corpus in memory, but without its documents."""
    check_streamable(names)
    chosen = preset_of(given.preset)
    model = chance or _chance_of(given, chosen)
    if not isinstance(model, SingleDocumentModel):
        raise ParameterError.of(
            f"the chance model {model.signature} draws from the whole corpus, which is not in memory in a stream",
            "Choose another with [[chance]], or read the corpus into memory.",
            code="stream",
        )
    if given.sensitivity:
        raise ParameterError.of(
            "[[sensitivity]] measures the corpus again and cannot be used in a stream",
            "Leave it out, or read the corpus into memory.",
            code="stream",
        )
    fitted = fit_to_stream(dissimilarity or chosen.make_dissimilarity(given), stream, names)
    _, plan = _make_plan(Corpus(()), given, model, fitted, executor, {})
    with ExitStack() as stack:
        results = stack.enter_context(open_results(path))
        prepare = _without_equal_units if chosen.merges_equal_units else lambda corpus: corpus
        totals = measure_parts(stream, names, plan, prepare=prepare, results=results, progress=progress)
        stack.enter_context(closing(totals))
        if totals.last is not None and totals.n_documents == 1:  # one document gets its interval from its stretches
            only = Corpus((totals.last,), stream.problems, stream.selection)
            left_out = settings_of(Comparing) if dissimilarity is not None else {}
            values = {name: getattr(given, name) for name in settings_of(Settings) if name not in left_out}
            again = cast("Keywords", {**values, "seed": plan.resolved.seed, "chance": chance or given.chance})
            return measure(only, names, dissimilarity=dissimilarity, intervals=intervals, **again)
        if not totals.n_large:
            raise CorpusError.of("no document has two annotators", "Is the column of the annotators right?")
        if given.categories is not None:
            _check_labels(given.categories, totals.labels)
        description = describe_data(totals.facts(stream.selection), names, given, plan.resolved)
        others = tuple(problem for problem in stream.problems if problem.code != "idle-annotators")
        return Result(
            signature=description.signature,
            parameters=description.parameters,
            seed=plan.resolved.seed,
            data=description.data,
            measures={name: totals.overall(name, intervals=intervals) for name in names},
            documents=(),
            problems=(*others, *totals.idle_annotators()),
            cautions=totals.cautions() if intervals else (),
            dissimilarity=plan.resolved.dissimilarity,
            chance_model=model,
        )


def plan_measurement(
    data: Any,
    names: Sequence[str],
    dissimilarity: Dissimilarity | None,
    executor: Executor | None,
    settings: Mapping[str, Any],
) -> tuple[Corpus, Plan]:
    """The corpus, and how it and parts of it are measured with these settings: one seed, one fitted dissimilarity.

    names: the measures; text-γ alone reads files of tokens as versions of a text, and takes objects of its own.
    """
    given, chance = _given_settings(cast("Keywords", settings), dissimilarity)
    text_objects, dissimilarity, chance = _split_text_objects(names, dissimilarity, chance)
    corpus = as_corpus(data, for_texts=list(names) == [TEXT_MEASURE])
    return _make_plan(corpus, given, chance, dissimilarity, executor, text_objects)


def _make_plan(
    corpus: Corpus,
    given: Settings,
    chance: ChanceModel | None,
    dissimilarity: Dissimilarity | None,
    executor: Executor | None,
    text_objects: Mapping[str, Any],
) -> tuple[Corpus, Plan]:
    """The corpus as the preset takes it, and the settings resolved for it."""
    chosen = preset_of(given.preset)
    if chosen.merges_equal_units:
        corpus = _without_equal_units(corpus)
    if dissimilarity is None:
        dissimilarity = chosen.make_dissimilarity(given)
    resolved = Resolved(
        dissimilarity=dissimilarity.fitted(corpus),
        chance=chance or _chance_of(given, chosen),
        sampling=Sampling(
            samples=chosen.samples if given.samples is None else given.samples,
            precision=PRECISION if given.precision is None else given.precision,
            level=given.level,
            plain=given.plain_sampling or chosen.has_plain_sampling,
        ),
        seed=draw_seed(given.seed),
        pairs=chosen.pairs,
        threads=n_threads(given.threads),
        executor=executor,
        effort=given.effort,
        time_limit=given.time_limit,
        memory_limit=given.memory_limit,
        **{name: getattr(given, name) for group in (Measuring, Correcting) for name in settings_of(group)},
        **text_objects,
    )
    return corpus, Plan(given, resolved)


def _show_keywords() -> None:
    """Give `measure` the signature and the docstring that name every setting."""
    signature = inspect.signature(measure)
    *own, _ = signature.parameters.values()
    known = settings_of(Settings)
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=each.default,
            annotation=f"{each.type} | {each.also}" if each.also else each.type,
        )
        for name, each in known.items()
    ]
    measure.__signature__ = signature.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
    lines = (f"    {name}: {each.describe(parameter_name)}" for name, each in known.items())
    measure.__doc__ = f"{(measure.__doc__ or '').rstrip()}\n" + "\n".join(lines) + "\n    "


_show_keywords()


def _given_settings(settings: Keywords, dissimilarity: Dissimilarity | None) -> tuple[Settings, ChanceModel | None]:
    """The settings, checked; a chance model given as an object apart from them."""
    values: dict[str, Any] = dict(settings)
    known = settings_of(Settings)
    for name in values:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f". Did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"measure() got an unexpected keyword argument {name!r}{hint}")
    if dissimilarity is not None:
        parts = [f"[[{name}]]" for name in settings_of(Comparing) if name in values]
        if parts:
            raise ParameterError.of(
                f"{', '.join(parts)} and [[dissimilarity]] exclude each other: the object has its own weights",
                "Give one or the other.",
            )
    model = values.get("chance")
    if model is not None and not isinstance(model, str):
        values["chance"] = None
    given = Settings(**{name: known[name].normalise(value) for name, value in values.items()})
    check(given)
    return given, None if model is None or isinstance(model, str) else model


def split_dissimilarity(
    dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]
) -> tuple[Dissimilarity | None, dict[str, Any]]:
    """The dissimilarity, made of settings if they describe one, and the other settings.

    For callers that fit one dissimilarity to all their data before they measure parts of them.
    """
    values = dict(settings)
    given, _ = _given_settings(cast("Keywords", values), dissimilarity)
    described = [name for name in settings_of(Comparing) if values.pop(name, None) is not None]
    if described:
        dissimilarity = preset_of(given.preset).make_dissimilarity(given)
    return dissimilarity, values


def _chance_of(given: Settings, chosen: Preset) -> ChanceModel:
    return chosen.chance if given.chance is None else chance_model(given.chance)


def _check_categories(categories: Sequence[str] | None, corpus: Corpus, dissimilarity: Dissimilarity) -> None:
    """Refuse categories that no unit of the corpus has."""
    if categories is None:
        return
    feature = dissimilarity.feature if isinstance(dissimilarity, CombinedDissimilarity) else CATEGORY
    _check_labels(categories, corpus.labels(feature))


def _check_labels(categories: Sequence[str], known: Sequence[str]) -> None:
    problems = [
        Problem(
            "unknown-category",
            "error",
            "",
            f"no unit of the corpus has the category {category!r}",
            _suggestion(category, known),
        )
        for category in categories
        if category not in known
    ]
    if problems:
        raise ParameterError(problems)


def _check_reference(reference: str | None, corpus: Corpus) -> None:
    """Refuse a reference that is no annotator of the corpus."""
    if reference is not None and reference not in corpus.annotators:
        raise unknown_annotators([reference], corpus.annotators)


def _suggestion(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(sorted(known)[:20])}."


def _check_measurable(corpus: Corpus) -> None:
    """A CorpusError that lists every document when not one of them has two annotators."""
    if len(corpus) == 0:
        raise CorpusError.of("the corpus has no documents", "Is this the right file?", code="no-documents")
    problems: list[Problem] = []
    for document in corpus:
        if document.n_annotators >= 2:
            return
        problems += too_few_annotators(document).problems
    raise CorpusError(problems)


def _without_equal_units(corpus: Corpus) -> Corpus:
    """The corpus as pygamma-agreement keeps it: several equal units of an annotator are merged into one."""
    continua = tuple(document.without_equal_units() for document in corpus)
    return Corpus(continua, corpus.problems, corpus.selection)


def _split_text_objects(
    names: Sequence[str], dissimilarity: Any, chance: Any
) -> tuple[dict[str, Any], Dissimilarity | None, ChanceModel | None]:
    """Objects that only text-γ takes, apart from the dissimilarity and the chance model of other measures."""
    if TEXT_MEASURE not in names:
        return {}, dissimilarity, chance
    from unisono.text.edits import RandomEdits
    from unisono.text.text_dissimilarity import TextDissimilarity

    objects: dict[str, Any] = {}
    if isinstance(dissimilarity, TextDissimilarity):
        objects["text_dissimilarity"], dissimilarity = dissimilarity, None
    if isinstance(chance, RandomEdits):
        objects["random_edits"], chance = chance, None
    if objects and len(names) > 1:
        raise ParameterError.of(
            "an object that describes text-γ is given, and other measures are asked for too",
            "Measure text-gamma alone, or describe it by [[text_distance]], [[feature]] and [[p_text]].",
        )
    return objects, dissimilarity, chance
