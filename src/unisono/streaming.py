# SPDX-License-Identifier: MIT
"""Corpora measured while they are read: only what pooling, intervals and p-values need is kept of each document.

The numbers are those of the corpus in memory, to the last bit. Results of single documents can be written as they come.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import IO, Any

from unisono.data_summary import FINGERPRINT, DataSummary, canonical_bytes
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.errors import ParameterError, PrecisionWarning, Problem
from unisono.intervals.attach import with_documents_interval
from unisono.io.stream import CorpusStream, ReadAgain
from unisono.measures import MEASURES
from unisono.measures.cautions import DegenerateCounts, MeasuredCounts, little_measured, undivided_categories
from unisono.measures.computation import Computation, Measured, Progress
from unisono.measures.contributions import with_contributions
from unisono.measures.description import DataFacts, extent_sources
from unisono.measures.family import warn_of_precision
from unisono.measures.idle_annotators import idle_note
from unisono.measures.pooling import Pool
from unisono.measures.random_corpora import RandomCorpora
from unisono.measures.resolved import Resolved
from unisono.model import CATEGORY, Continuum, Corpus
from unisono.results import TEXT_MEASURE, Caution, DocumentResult, MeasureValue
from unisono.whole_files import replacement


def check_streamable(names: Sequence[str]) -> None:
    """Refuse measures that need the whole corpus at once."""
    whole = [name for name in names if not MEASURES[name].is_family or name == TEXT_MEASURE]
    if whole:
        can = ", ".join(name for name in MEASURES if MEASURES[name].is_family and name != TEXT_MEASURE)
        raise ParameterError.of(
            f"{whole[0]} needs the whole corpus in memory and cannot be measured in a stream",
            f"Measure {can} in a stream, or read the corpus into memory.",
            code="stream",
        )


def labels_of_stream(stream: CorpusStream, feature: str) -> list[str]:
    """All labels of a feature: a pass over the whole stream, for distances whose scale depends on them."""
    labels: list[str] = _apply_to_parts(
        stream, lambda parts: sorted({label for part in parts for label in part.labels(feature)})
    )
    return labels


def _apply_to_parts(stream: CorpusStream, use: Callable[[Iterator[Corpus]], Any]) -> Any:
    """The result of `use` on the parts of a stream; `use` is called again whenever reading has to start over."""
    while True:
        try:
            return use(stream.parts())
        except ReadAgain:
            continue


def fit_to_stream(dissimilarity: Dissimilarity, stream: CorpusStream, names: Sequence[str]) -> Dissimilarity:
    """The dissimilarity fitted to all labels of a stream, which takes a pass over it where the scale needs them."""
    if not isinstance(dissimilarity, CombinedDissimilarity) or not dissimilarity.categorial.needs_fit:
        return dissimilarity
    if dissimilarity.beta == 0 and all(name in ("gamma", "soft-gamma") for name in names):
        return dissimilarity  # no category is compared
    labels = labels_of_stream(stream, dissimilarity.feature)
    return replace(dissimilarity, categorial=dissimilarity.categorial.fitted(labels))


def measure_parts(
    stream: CorpusStream,
    names: Sequence[str],
    computation: Computation,
    *,
    prepare: Callable[[Corpus], Corpus],
    results: DocumentResults | None = None,
    progress: Progress | None = None,
) -> StreamTotals:
    """The totals of all documents of a stream, to be closed; `prepare` changes the units as a preset wants them."""

    def use(parts: Iterator[Corpus]) -> StreamTotals:
        with ExitStack() as stack:
            totals = stack.enter_context(closing(StreamTotals(names, computation.resolved)))
            add(parts, totals)
            stack.pop_all()  # the caller closes them
        return totals

    def add(parts: Iterator[Corpus], totals: StreamTotals) -> None:
        if results is not None:
            results.restart()
        for part in parts:
            corpus = prepare(part)
            done = totals.n_documents

            def show(n: int, total: int, name: str, done: int = done) -> None:
                if progress is not None:
                    progress(done + n, done + total, name)

            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PrecisionWarning)  # there is one about all documents at the end
                values = computation.compute(corpus, names, show)
            totals.add(corpus, values)
            if results is not None:
                results.write(
                    DocumentResult(c.name, c.annotators, c.n_units, {name: values[name].documents[i] for name in names})
                    for i, c in enumerate(corpus)
                )

    totals: StreamTotals = _apply_to_parts(stream, use)
    warn_of_precision(totals.n_imprecise, totals.n_documents, computation.resolved)
    return totals


class StreamTotals:
    """What is kept of documents that were measured: numbers for pooling, counts, the fingerprint."""

    def __init__(self, names: Sequence[str], settings: Resolved):
        self.names = list(names)
        self._settings = settings
        self._pools = {name: Pool() for name in names}
        self._corpora = {name: RandomCorpora(settings.seed, threads=settings.threads) for name in names}
        self._counts = {name: MeasuredCounts() for name in names}
        self._degenerate = DegenerateCounts(settings)
        self._fingerprint = SpooledFingerprint()
        self._units: Counter[str] = Counter()
        self._extents: set[str] = set()
        self._categories: set[str] = set()
        self.n_documents = self.n_units = self.n_imprecise = self.n_large = 0
        #: The last document.
        self.last: Continuum | None = None

    def add(self, corpus: Corpus, values: Mapping[str, Measured]) -> None:
        """Add the documents of a part, with their values."""
        for name in self.names:
            documents = values[name].documents
            self._pools[name].add(documents)
            self._corpora[name].add(documents)
            for continuum, value in zip(corpus, documents, strict=True):
                self._counts[name].add(continuum.annotators, value)
        of_documents = zip(*(values[name].documents for name in self.names), strict=True)
        self.n_imprecise += sum(any(value.is_precise is False for value in each) for each in of_documents)
        if "gamma" in values:
            for continuum, value in zip(corpus, values["gamma"].documents, strict=True):
                self._degenerate.add(continuum, value)
        for continuum in corpus:
            self._fingerprint.add(continuum)
            self._units.update(dict(zip(continuum.annotators, continuum.counts.tolist(), strict=True)))
            self._categories.update(continuum.features[CATEGORY].compact().labels)
            if continuum.extent is not None:
                self._extents.add(continuum.extent.source)
            self.n_units += continuum.n_units
            self.n_large += continuum.n_annotators >= 2
            self.last = continuum
        self.n_documents += len(corpus)

    def close(self) -> None:
        """Delete the temporary file of the fingerprint."""
        self._fingerprint.close()

    @property
    def labels(self) -> list[str]:
        """All categories."""
        return sorted(self._categories)

    def overall(self, name: str, *, intervals: bool) -> MeasureValue:
        """The value of the corpus, with its random corpora and its interval over documents."""
        level = self._settings.level
        value = with_contributions(Measured((), self._pools[name].overall(level))).overall
        fields = self._corpora[name].fields()
        if fields and value.value is not None:
            value = value.with_fields(**fields)
        return with_documents_interval(value, self._pools[name], level) if intervals else value

    def facts(self, selection: Mapping[str, tuple[str, ...]]) -> DataFacts:
        """What the signature says of the data."""
        summary = DataSummary(
            self._fingerprint.hexdigest(), self.n_documents, len(self._units), self.n_units, len(self._categories)
        )
        return DataFacts(summary, extent_sources(self._extents), selection)

    def cautions(self) -> tuple[Caution, ...]:
        """What a reader must know before the values, except what would take a second look at the documents."""
        few = little_measured(self.n_documents, len(self._units), self._counts)
        undivided = undivided_categories(self.labels, self.names, self._settings)
        return (*few, *undivided, *(self._degenerate.cautions() if "gamma" in self.names else ()))

    def idle_annotators(self) -> tuple[Problem, ...]:
        """A note about annotators without any unit; what γ is without them would take another measurement."""
        idle = sorted(name for name, n_units in self._units.items() if not n_units)
        if not idle or len(self._units) - len(idle) < 2:
            return ()
        return (idle_note(idle),)


class SpooledFingerprint:
    """The fingerprint of documents in any order: their bytes are kept in a temporary file until the order is known."""

    #: Bytes that are kept in memory before a file is made.
    IN_MEMORY = 2**20

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(self.IN_MEMORY)  # noqa: SIM115 - `close`
        self._names: list[str] = []
        #: Where each document begins, and the end of the last one.
        self._places = array("q", [0])

    def add(self, continuum: Continuum) -> None:
        data = canonical_bytes(continuum)
        self._names.append(continuum.name)
        self._places.append(self._places[-1] + len(data))
        self._file.write(data)

    def close(self) -> None:
        self._file.close()

    def hexdigest(self) -> str:
        """As `data_summary.fingerprint` gives it."""
        digest = hashlib.sha256(FINGERPRINT)
        for i in sorted(range(len(self._names)), key=self._names.__getitem__):
            self._file.seek(self._places[i])
            digest.update(self._file.read(self._places[i + 1] - self._places[i]))
        self._file.seek(self._places[-1])
        return digest.hexdigest()


class DocumentResults:
    """A file of results, one document a line in JSON, as they come."""

    def __init__(self, file: IO[str]):
        self._file = file

    def restart(self) -> None:
        """Forget what was written."""
        self._file.seek(0)
        self._file.truncate()

    def write(self, documents: Iterator[DocumentResult]) -> None:
        """Add documents. Their contributions, which depend on the rest of the corpus, are null."""
        for document in documents:
            values = {name: value.with_fields(contribution=None) for name, value in document.measures.items()}
            line = DocumentResult(document.name, document.annotators, document.n_units, values).to_dict()
            self._file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def document_results(path: str | os.PathLike[str] | None) -> Iterator[DocumentResults | None]:
    """The file of documents' results; it replaces an older one when it is complete, and only then."""
    if path is None:
        yield None
        return
    with replacement(path) as draft, draft.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        yield DocumentResults(file)
