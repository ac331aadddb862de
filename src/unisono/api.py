# SPDX-License-Identifier: MIT
"""From data to result: what the public names of the package call.

`measure` reads if need be, fits the dissimilarity to the corpus, measures document by document and pools.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from unisono import io
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.expected import Sampling
from unisono.measures import MEASURES
from unisono.model import Continuum, Corpus, Extent, Position, Unit
from unisono.parallel import n_threads
from unisono.results import DataSummary, DocumentResult, Interval, MeasureValue, Result, package_version, signature_line
from unisono.student import student_quantile

if TYPE_CHECKING:
    from unisono.dissimilarity import Dissimilarity

#: Called as (documents done, documents in all, name of the document at hand).
Progress = Callable[[int, int, str], None]

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
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    chance: ChanceModel | None = None,
    samples: int | None = None,
    precision: float = 0.02,
    level: float = 0.95,
    threads: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Measure the agreement on a corpus, a continuum, a file or a data frame.

    data: a Corpus or a Continuum; anything else is given to `read` (a path, paths, a data frame).
    seed: drawn and recorded when left out; the same seed gives the same numbers on any number of threads.
    samples: a fixed number of random continua; otherwise as many as `precision` at `level` asks for (2015, 5.3).
    time_limit (seconds), memory_limit (bytes): for each alignment; one that was stopped early has a `gap` above 0.

    Documents that cannot be measured have a value of None with a reason; if no document has two annotators, a
    CorpusError says so. The overall value of several documents is 1 - sum(x*observed) / sum(x*expected), x being
    a document's mean number of units per annotator; the plain mean over documents stands beside it.
    """
    names = _measure_names(measures)
    read_corpus = _corpus(data)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
    elif not 0 <= seed <= LARGEST_SEED:
        raise ParameterError.of("a seed from 0 to 2**64-1", str(seed), code="seed")
    fitted = (CombinedDissimilarity() if dissimilarity is None else dissimilarity).fitted(read_corpus)
    chance_model = Shift() if chance is None else chance
    sampling = Sampling(samples=samples, precision=precision, level=level)
    functions = {
        name: partial(
            MEASURES[name].load(),
            dissimilarity=fitted,
            chance=chance_model,
            sampling=sampling,
            seed=seed,
            threads=n_threads(threads),
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        for name in names
    }
    documents = _measured(read_corpus, functions, progress)

    parameters = {
        "preset": "paper",
        "measures": names,
        **_dissimilarity_parameters(fitted),
        "chance": chance_model.signature,
        "samples": samples,
        "precision": precision if samples is None else None,
        "level": level,
        "extent": _extent_sources(read_corpus),
        "time_limit": time_limit,
        "memory_limit": memory_limit,
    }
    weights = [document.mean_units for document in read_corpus]
    return Result(
        signature=_signature(names, parameters, sampling, seed),
        parameters=parameters,
        seed=seed,
        data=DataSummary.of(read_corpus),
        measures={name: _overall([d[name] for d in documents], weights, level) for name in names},
        documents=documents,
        problems=read_corpus.problems,
    )


def _measure_names(measures: str | Sequence[str]) -> list[str]:
    names = [measures] if isinstance(measures, str) else list(dict.fromkeys(measures))
    unknown = [name for name in names if name not in MEASURES]
    if unknown or not names:
        raise ParameterError.of(
            f"measures among: {', '.join(MEASURES)}", ", ".join(map(repr, unknown)) or "none", code="unknown-measure"
        )
    return names


def _corpus(data: Any) -> Corpus:
    if isinstance(data, Corpus):
        return data
    if isinstance(data, Continuum):
        return Corpus((data,))
    return io.read(data)


def _measured(
    corpus: Corpus, functions: Mapping[str, Callable[[Continuum], MeasureValue]], progress: Progress | None
) -> tuple[DocumentResult, ...]:
    """Every measure on every document; a CorpusError when not one of them could be taken."""
    documents: list[DocumentResult] = []
    refusals: list[Problem] = []
    refused = 0
    for done, document in enumerate(corpus):
        if progress is not None:
            progress(done, len(corpus), document.name)
        values: dict[str, MeasureValue] = {}
        for name, function in functions.items():
            try:
                values[name] = function(document)
            except CorpusError as error:
                refusals += error.problems
                values[name] = MeasureValue(None, reason=_reason(error))
                refused += 1
        documents.append(DocumentResult(document.name, document.annotators, document.n_units, values))
    if progress is not None:
        progress(len(corpus), len(corpus), "")
    if refused == len(documents) * len(functions):
        # Two measures may refuse a document for the same reason.
        problems = list(dict.fromkeys(refusals))
        raise CorpusError(problems or [Problem("no-documents", "error", "", "at least one document", "none")])
    return tuple(documents)


def _reason(error: CorpusError) -> str:
    """The problems of one document in one phrase: what is missing. What there is stands in the document's result."""
    return "; ".join(f"needs {problem.expected}" for problem in error.problems)


def _overall(values: Sequence[MeasureValue], weights: Sequence[float], level: float) -> MeasureValue:
    """The value of the whole: disorders weighted by the documents' mean number of units per annotator.

    Weighted so, the disorders are sums over all unitary alignments of the corpus, as if the documents lay end to
    end in one long continuum, none of whose unitary alignments crosses a border.
    """
    if len(values) == 1:
        value = values[0]
        return replace(value, mean_over_documents=value.value, documents_measured=int(value.value is not None))
    measured = [(value, weight) for value, weight in zip(values, weights, strict=True) if value.value is not None]
    if not measured:
        reasons = sorted({value.reason or "" for value in values})
        return MeasureValue(None, reason=f"no document could be measured: {'; '.join(reasons)}", documents_measured=0)
    observed = [weight * (value.observed or 0.0) for value, weight in measured]
    expected = [weight * (value.expected or 0.0) for value, weight in measured]
    gaps = [value.gap or 0.0 for value, _ in measured]
    all_observed, all_expected = math.fsum(observed), math.fsum(expected)
    all_weights = math.fsum(weight for _, weight in measured)
    interval = _chance_interval(measured, all_observed, all_expected, level)
    return MeasureValue(
        # No disorder expected and none observed: full agreement, as for one document.
        value=1.0 - all_observed / all_expected if all_expected > 0 else 1.0,
        observed=all_observed / all_weights,
        expected=all_expected / all_weights,
        n_samples=sum(value.n_samples or 0 for value, _ in measured),
        intervals={} if interval is None else {"chance": interval},
        # A document's gap bounds both its disorders, and so do their weighted means those of the whole.
        gap=max(
            math.fsum(gap * disorder for gap, disorder in zip(gaps, disorders, strict=True)) / (total or 1.0)
            for disorders, total in ((observed, all_observed), (expected, all_expected))
        ),
        n_unitary_alignments=sum(value.n_unitary_alignments or 0 for value, _ in measured),
        mean_over_documents=math.fsum(value.value or 0.0 for value, _ in measured) / len(measured),
        documents_measured=len(measured),
    )


def _chance_interval(
    measured: Sequence[tuple[MeasureValue, float]], observed: float, expected: float, level: float
) -> Interval | None:
    """What the finite number of random continua leaves open; the documents' samples are independent.

    Student's interval for a sum of means of unequal variances, with Welch and Satterthwaite's degrees of freedom.
    """
    variances = []
    degrees = []
    for value, weight in measured:
        disorders = value.chance_disorders
        if disorders is None or len(disorders) < 2:
            return None
        variances.append(weight**2 * float(disorders.var(ddof=1)) / len(disorders))
        degrees.append(len(disorders) - 1)
    variance = math.fsum(variances)
    margin = 0.0
    if variance > 0:
        df = variance**2 / math.fsum(v**2 / n for v, n in zip(variances, degrees, strict=True))
        margin = student_quantile((1 + level) / 2, max(1, int(df))) * math.sqrt(variance)
    if expected <= margin:
        return None
    return Interval("chance", level, 1 - observed / (expected - margin), 1 - observed / (expected + margin))


def _dissimilarity_parameters(dissimilarity: Dissimilarity) -> dict[str, Any]:
    combined = dissimilarity if isinstance(dissimilarity, CombinedDissimilarity) else None
    return {
        "dissimilarity": dissimilarity.signature,
        "alpha": combined and combined.alpha,
        "beta": combined and combined.beta,
        "delta_empty": dissimilarity.delta_empty,
    }


def _extent_sources(corpus: Corpus) -> str:
    """Where the documents' extents come from, every source once: `guessed`, `given+text`."""
    return "+".join(sorted({document.extent.source for document in corpus if document.extent})) or "none"


def _signature(names: Sequence[str], parameters: Mapping[str, Any], sampling: Sampling, seed: int) -> str:
    parts: dict[str, object] = {
        "v": package_version(),
        "d": parameters["dissimilarity"],
        "chance": parameters["chance"],
        "samples": sampling.signature,
        "seed": seed,
        "extent": parameters["extent"],
    }
    # A limit can change the number, so it belongs here; without limits the line stays short.
    limits = {"time-limit": parameters["time_limit"], "memory-limit": parameters["memory_limit"]}
    return signature_line(names, parts | {key: limit for key, limit in limits.items() if limit is not None})
