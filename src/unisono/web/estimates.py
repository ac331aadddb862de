# SPDX-License-Identifier: MIT
"""A measurement with early estimates: values from few samples first, then the result.

Sample i of a document does not depend on how many are drawn, so an estimate equals the result of a run with that many
samples. Samples and observed alignments are kept, so none is drawn or aligned twice.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unisono.alignment.kept_alignments import keep_alignments
from unisono.api import measure
from unisono.errors import PrecisionWarning
from unisono.intervals.attach import with_intervals
from unisono.report import without_numbers
from unisono.results import Result
from unisono.sampling import required_samples
from unisono.sampling.kept_samples import share_samples
from unisono.web.result_texts import measure_words

if TYPE_CHECKING:
    from unisono.model import Corpus

Tell = Callable[[dict[str, Any]], None]

#: Samples of the first estimate, and the largest factor from one estimate to the next.
FIRST = 10
GROWTH = 3

#: Approximate seconds between two estimates.
PACE = 1.0

#: The least number of samples of a result with a precision (2015, section 5.3).
LEAST = 30

#: Seconds between two reports of progress.
_PAUSE = 0.1


@dataclass(frozen=True)
class Measurement:
    """A result with the warnings that were issued while it was measured, and whether its precision was reached."""

    result: Result
    warnings: list[str]
    is_precise: bool


def measure_with_estimates(
    corpus: Corpus,
    arguments: Mapping[str, Any],
    *,
    samples: int | None,
    estimates: bool,
    threads: int,
    tell: Tell,
) -> Measurement:
    """Measure a corpus; progress and estimates are reported with `tell` on the way."""
    watch = Watch(tell)
    with share_samples(), keep_alignments(), warnings.catch_warnings(record=True) as caught:
        if estimates:
            _estimate(corpus, arguments, samples, threads, watch)
        watch.stage = "measuring"
        warnings.simplefilter("always")
        result = measure(corpus, **arguments, samples=samples, threads=threads, progress=watch.progress)
    kinds = {without_numbers(str(warning.message)): str(warning.message) for warning in caught}
    is_precise = not any(issubclass(warning.category, PrecisionWarning) for warning in caught)
    return Measurement(result, list(kinds.values()), is_precise)


class Watch:
    """Reports how far the work is and how long it will take."""

    def __init__(self, tell: Tell):
        self.tell = tell
        self.stage = "estimating"
        self.began = time.monotonic()
        #: When the result is expected, by the last estimate.
        self.due: float | None = None
        self._last_report = 0.0

    def progress(self, done: int, documents: int, document: str) -> None:
        now = time.monotonic()
        if now - self._last_report < _PAUSE and done < documents:
            return
        self._last_report = now
        self.tell(
            {
                "event": "progress",
                "stage": self.stage,
                "done": done,
                "documents": documents,
                "document": document,
                "elapsed": round(now - self.began, 3),
                "time_left": None if self.due is None else round(max(0.0, self.due - now), 3),
            }
        )


def _estimate(corpus: Corpus, arguments: Mapping[str, Any], samples: int | None, threads: int, watch: Watch) -> None:
    """Report estimates from more and more samples, about one a second, until the next one would be the result."""
    n, before = FIRST, 0
    while samples is None or n < samples:
        started = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimate = measure(
                corpus,
                **{**arguments, "precision": None, "sensitivity": False},
                samples=n,
                threads=threads,
                intervals=False,
                progress=watch.progress,
            )
        # The interval over documents from the first estimate on; measures without samples have theirs in the result.
        estimate = with_intervals(estimate)
        if all(value.n_samples is None for value in estimate.measures.values()):
            return  # no measure here needs samples
        rate = (n - before) / max(1e-6, time.monotonic() - started)
        most, mean = _required_samples(estimate, arguments, samples)
        watch.due = time.monotonic() + max(0.0, mean - n) / rate
        watch.tell(
            {
                "event": "estimate",
                "samples": n,
                "required": most,
                "seed": estimate.seed,
                "measures": {name: value.to_dict() for name, value in estimate.measures.items()},
                "words": measure_words(estimate.measures),
            }
        )
        watch.progress(len(corpus), len(corpus), "")
        n, before = min(GROWTH * n, max(round(n + rate * PACE), n + n // 4)), n
        if n >= mean:
            return


def _required_samples(estimate: Result, arguments: Mapping[str, Any], samples: int | None) -> tuple[int, float]:
    """Samples that the result will need by this estimate: the most for any document, and the mean."""
    if samples is not None:
        return samples, samples
    precision, level = arguments["precision"], arguments["level"]
    needs = []
    for document in estimate.documents:
        need = float(LEAST)
        for value in document.measures.values():
            if value.n_samples and value.chance_sd is not None and value.expected is not None:
                n = value.n_samples
                sd = value.chance_sd * ((n - 1) / n) ** 0.5
                need = max(need, required_samples(value.expected, sd, n, precision=precision, level=level))
        needs.append(min(need, 10_000.0))
    return round(max(needs)), sum(needs) / len(needs)
