# SPDX-License-Identifier: MIT
"""From data to result: what the public names of the package call.

`measure` reads if need be, fits the dissimilarity to the corpus, measures document by document and pools.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

from unisono.alignment import too_few_annotators
from unisono.chance import ChanceModel, chance_model
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.expected import Sampling
from unisono.inference.attach import with_intervals
from unisono.measures import MEASURES
from unisono.measures.protocol import Measured, Progress, pooled
from unisono.measures.settings import Settings
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Position, Unit
from unisono.parallel import n_threads
from unisono.presets import preset as preset_of
from unisono.regrouping import as_corpus
from unisono.results import DataSummary, DocumentResult, Result, package_version, signature_line

if TYPE_CHECKING:
    from unisono.dissimilarity import Dissimilarity

#: Seconds for all the alignments of one document when nothing else is asked for: far more than documents take whose
#: best alignments can be proven, few enough that one of hundreds of annotators does not hold up a corpus.
TIME_LIMIT = 60.0

#: Seeds are keys of the random generator: one 64-bit word.
LARGEST_SEED = 2**64 - 1


def continuum(
    units: Mapping[str, Iterable[Sequence[Any] | Unit]],
    *,
    extent: tuple[Position, Position] | Extent | None = None,
    name: str = "",
    text: str | None = None,
) -> Continuum:
    """One continuum from `{annotator: [(start, end, category), ...]}`; an empty list means: seen, nothing marked.

    >>> continuum({"ann": [(0, 5, "PER")], "bob": []})
    <Continuum '': 1 units by 2 annotators>
    """
    return Continuum.of(units, extent=extent, name=name, text=text)


def corpus(documents: Mapping[str, Continuum | Mapping[str, Iterable[Sequence[Any] | Unit]]]) -> Corpus:
    """A corpus from `{document: {annotator: [(start, end, category), ...]}}`.

    >>> corpus({"doc1": {"ann": [(0, 5, "PER")], "bob": []}})
    <Corpus: 1 documents, 1 units, 2 annotators>
    """
    problems = [
        Problem("document-name", "error", name, "a continuum of the same name", repr(item.name), "rename one of them")
        for name, item in documents.items()
        if isinstance(item, Continuum) and item.name != name
    ]
    if problems:
        raise CorpusError(problems)
    return Corpus(
        tuple(
            item if isinstance(item, Continuum) else Continuum.of(item, name=name) for name, item in documents.items()
        )
    )


def measure(
    data: Any,
    measures: str | Sequence[str] = ("gamma",),
    *,
    preset: str = "paper",
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    chance: str | ChanceModel | None = None,
    categories: Sequence[str] | None = None,
    tie_range: bool = False,
    reference: str | None = None,
    step: float | None = None,
    atoms: Literal["position", "word"] = "position",
    predefined: bool | None = None,
    window: float | None = None,
    samples: int | None = None,
    precision: float = 0.02,
    level: float = 0.95,
    threads: int | None = None,
    executor: Executor | None = None,
    time_limit: float | None = TIME_LIMIT,
    memory_limit: int | None = None,
    intervals: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Measure the agreement on a corpus, a continuum, a file or a data frame.

    data: a Corpus or a Continuum; anything else is given to `read` (a path, paths, a data frame).
    preset: whose choices where papers and programs differ: `paper`, `greyc` or `pygamma`; what is given beside it
    (dissimilarity, chance, samples) takes precedence.
    seed: drawn and recorded when left out; the same seed gives the same numbers on any number of threads.
    chance: a chance model or the name of one (`shift`, `corpus`, `statistical`, `positions-kept`).
    categories: those that gamma-k is wanted for; all if left out.
    tie_range: γcat and γk of each document with their range over all tied best alignments.
    reference: the annotator who is right, for measures that compare with one (SER, F1, WindowDiff, ...).
    step, atoms: the atoms a continuum is cut into, for discretised measures; predefined: whether units are given
    items, found from the data if None; window: how far a moved boundary is forgiven, for segmentation measures.
    samples: a fixed number of random continua; otherwise as many as `precision` at `level` asks for (2015, 5.3).
    executor: any of concurrent.futures (processes, or a cluster's); the documents of a corpus go to it in handfuls.
    time_limit (seconds): for all the alignments of a document, None for no limit; memory_limit (bytes): for each
    alignment. Where one was stopped early the value has a `gap` above 0.
    intervals: whether the overall values get bootstrap intervals over documents, or over stretches of one document.

    Documents that cannot be measured have a value of None with a reason; if no document has two annotators, a
    CorpusError says so. The overall value of several documents is 1 - sum(w*observed) / sum(w*expected); for γ, w is
    a document's mean number of units per annotator, for γcat and γk the summed weight of its aligned pairs; the plain
    mean over documents stands beside it.
    """
    names = _measure_names(measures)
    read_corpus = as_corpus(data)
    _check_measurable(read_corpus)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
    elif not 0 <= seed <= LARGEST_SEED:
        raise ParameterError.of("a seed from 0 to 2**64-1", str(seed), code="seed")
    chosen = preset_of(preset)
    if chosen.merges_equal_units:
        read_corpus = _without_equal_units(read_corpus)
    fitted = (CombinedDissimilarity(alpha=chosen.alpha) if dissimilarity is None else dissimilarity).fitted(read_corpus)
    settings = Settings(
        dissimilarity=fitted,
        chance=chosen.chance if chance is None else chance_model(chance) if isinstance(chance, str) else chance,
        sampling=Sampling(samples=chosen.samples if samples is None else samples, precision=precision, level=level),
        seed=seed,
        pairs=chosen.pairs,
        categories=_known_categories(categories, read_corpus, fitted),
        tie_range=tie_range,
        reference=_known_reference(reference, read_corpus),
        step=step,
        atoms=atoms,
        predefined=predefined,
        window=window,
        threads=n_threads(threads),
        executor=executor,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    values = _measured(read_corpus, names, settings, progress)
    parameters = {
        "preset": preset,
        "measures": names,
        **_dissimilarity_parameters(fitted),
        "chance": settings.chance.signature,
        "pairs": settings.pairs,
        "categories": None if categories is None else list(categories),
        "reference": reference,
        "step": step,
        "atoms": atoms,
        "predefined": predefined,
        "window": window,
        "lengths": _lengths(names, read_corpus, step),
        "samples": settings.sampling.samples,
        "precision": precision if settings.sampling.samples is None else None,
        "level": level,
        "extent": _extent_sources(read_corpus),
        "time_limit": time_limit,
        "memory_limit": memory_limit,
    }
    result = Result(
        signature=_signature(names, parameters, settings.sampling, seed),
        parameters=parameters,
        seed=seed,
        data=DataSummary.of(read_corpus),
        measures={name: values[name].overall for name in names},
        documents=tuple(
            DocumentResult(c.name, c.annotators, c.n_units, {name: values[name].documents[i] for name in names})
            for i, c in enumerate(read_corpus)
        ),
        problems=read_corpus.problems,
        corpus=read_corpus,
        dissimilarity=fitted,
        chance_model=settings.chance,
    )
    return with_intervals(result) if intervals else result


def _measure_names(measures: str | Sequence[str]) -> list[str]:
    names = [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
    if names == ["all"]:
        return list(MEASURES)
    unknown = [name for name in names if name not in MEASURES]
    if unknown or not names:
        raise ParameterError.of(
            f"measures among: {', '.join(MEASURES)}", ", ".join(map(repr, unknown)) or "none", code="unknown-measure"
        )
    return names


def _known_categories(
    categories: Sequence[str] | None, corpus: Corpus, dissimilarity: Dissimilarity
) -> tuple[str, ...] | None:
    """The categories asked for, if each of them is there."""
    if categories is None:
        return None
    feature = dissimilarity.feature if isinstance(dissimilarity, CombinedDissimilarity) else CATEGORY
    known = set(corpus.labels(feature))
    unknown = [category for category in categories if category not in known]
    if unknown:
        raise ParameterError(
            [
                Problem(
                    "unknown-category",
                    "error",
                    "",
                    "a category of the corpus",
                    repr(category),
                    f"did you mean {close[0]!r}?"
                    if (close := get_close_matches(category, known, 1))
                    else f"it has: {', '.join(sorted(known)[:20])}",
                )
                for category in unknown
            ]
        )
    return tuple(categories)


def _known_reference(reference: str | None, corpus: Corpus) -> str | None:
    """The reference annotator, if there is one of that name."""
    if reference is not None and reference not in corpus.annotators:
        close = get_close_matches(reference, corpus.annotators, 1)
        raise ParameterError.of(
            "a reference among the annotators",
            repr(reference),
            f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(corpus.annotators[:20])}",
            code="unknown-annotator",
        )
    return reference


def _check_measurable(corpus: Corpus) -> None:
    """A CorpusError that lists every document when not one of them has two annotators."""
    if len(corpus) == 0:
        raise CorpusError.of("at least one document", "none", code="no-documents")
    problems: list[Problem] = []
    for document in corpus:
        if document.n_annotators >= 2:
            return
        problems += too_few_annotators(document).problems
    raise CorpusError(problems)


def _measured(
    corpus: Corpus, names: Sequence[str], settings: Settings, progress: Progress | None
) -> dict[str, Measured]:
    """Every measure on every document and overall; those of one family share their work."""
    families: dict[str, list[str]] = {}
    values: dict[str, Measured] = {}
    for name in names:
        info = MEASURES[name]
        if info.is_family:
            families.setdefault(info.home, []).append(name)
        else:
            values[name] = pooled(info.load(), corpus, settings)
    for members in families.values():
        values |= MEASURES[members[0]].load()(corpus, members, settings, progress)
    return values


def _without_equal_units(corpus: Corpus) -> Corpus:
    """The corpus as pygamma-agreement keeps it: of equal units of one annotator there is one."""
    return Corpus(tuple(document.without_equal_units() for document in corpus), problems=corpus.problems)


def _dissimilarity_parameters(dissimilarity: Dissimilarity) -> dict[str, Any]:
    combined = dissimilarity if isinstance(dissimilarity, CombinedDissimilarity) else None
    return {
        "dissimilarity": dissimilarity.signature,
        "alpha": combined and combined.alpha,
        "beta": combined and combined.beta,
        "delta_empty": dissimilarity.delta_empty,
    }


def _lengths(names: Sequence[str], corpus: Corpus, step: float | None) -> str | None:
    """`continuous` where a measure other than γ meets positions that are not whole, and no step makes them so."""
    if step is not None or all(MEASURES[name].is_family for name in names):
        return None
    return None if all(document.has_integer_positions for document in corpus) else "continuous"


def _extent_sources(corpus: Corpus) -> str:
    """Where the documents' extents come from, every source once: `guessed`, `given+text`."""
    return "+".join(sorted({document.extent.source for document in corpus if document.extent})) or "none"


def _signature(names: Sequence[str], parameters: Mapping[str, Any], sampling: Sampling, seed: int) -> str:
    parts: dict[str, object] = {
        "v": package_version(),
        **({"preset": parameters["preset"]} if parameters["preset"] != "paper" else {}),
        "d": parameters["dissimilarity"],
        "chance": parameters["chance"],
        **({"pairs": parameters["pairs"]} if parameters["pairs"] != "once" else {}),
        "samples": sampling.signature,
        "seed": seed,
        "extent": parameters["extent"],
    }
    parts |= {
        key: parameters[key]
        for key, usual in (
            ("reference", None),
            ("step", None),
            ("atoms", "position"),
            ("predefined", None),
            ("window", None),
            ("lengths", None),
        )
        if parameters[key] != usual
    }
    # A limit can change the number, so it belongs here; with the usual ones the line stays short.
    if parameters["time_limit"] != TIME_LIMIT:
        parts["time-limit"] = parameters["time_limit"] or "none"
    if parameters["memory_limit"] is not None:
        parts["memory-limit"] = parameters["memory_limit"]
    return signature_line(names, parts)
