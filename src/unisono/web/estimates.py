# SPDX-License-Identifier: MIT
"""A measurement that tells early what it will find: estimates from few samples first, then the result.

Sample i of a document is the same however many are drawn, so that an estimate is what the result would be had it been
stopped there; and since samples are kept, none is drawn twice.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from unisono.api import TIME_LIMIT, measure
from unisono.expected import required_samples
from unisono.expected.memory import kept_samples
from unisono.report import alike
from unisono.results import Result
from unisono.web.words import measure_words

if TYPE_CHECKING:
    from unisono.model import Corpus

Tell = Callable[[dict[str, Any]], None]

#: Samples behind the first estimate, and how many times more are at most behind each further one.
FIRST = 10
GROWTH = 3

#: Seconds between two estimates, about.
PACE = 1.0

#: Samples that every result with a precision has at least (2015, section 5.3).
LEAST = 30

#: Seconds between two words about progress.
_PAUSE = 0.1


def measured(
    corpus: Corpus,
    arguments: Mapping[str, Any],
    *,
    samples: int | None,
    estimates: bool,
    threads: int,
    tell: Tell,
) -> tuple[Result, list[str]]:
    """The result, and what was warned of; progress and estimates are told on the way."""
    watch = Watch(tell)
    with kept_samples(), warnings.catch_warnings(record=True) as caught:
        if estimates:
            _estimate(corpus, arguments, samples, threads, watch)
        watch.stage = "measuring"
        warnings.simplefilter("always")
        result = measure(corpus, **arguments, samples=samples, threads=threads, progress=watch.progress)
    kinds = {alike(str(warning.message)): str(warning.message) for warning in caught}
    return result, list(kinds.values())


class Watch:
    """Tells how far the work is and how long it will take."""

    def __init__(self, tell: Tell):
        self.tell = tell
        self.stage = "estimating"
        self.began = time.monotonic()
        #: When the result is expected, by the last estimate.
        self.due: float | None = None
        self._told = 0.0

    def progress(self, done: int, documents: int, document: str) -> None:
        now = time.monotonic()
        if now - self._told < _PAUSE and done < documents:
            return
        self._told = now
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
    """Estimates from more and more samples, about one a second, until only the result is left to make."""
    n, before = FIRST, 0
    while samples is None or n < samples:
        started = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = measure(
                corpus,
                **{**arguments, "time_limit": _time_limit(arguments, n, samples)},
                samples=n,
                threads=threads,
                intervals=False,
                progress=watch.progress,
            )
        if all(value.n_samples is None for value in found.measures.values()):
            return  # nothing here is estimated
        rate = (n - before) / max(1e-6, time.monotonic() - started)
        most, mean = _required(found, arguments, samples)
        watch.due = time.monotonic() + max(0.0, mean - n) / rate
        watch.tell(
            {
                "event": "estimate",
                "samples": n,
                "required": most,
                "seed": found.seed,
                "measures": {name: value.to_dict() for name, value in found.measures.items()},
                "words": measure_words(found.measures),
            }
        )
        watch.progress(len(corpus), len(corpus), "")
        n, before = min(GROWTH * n, max(round(n + rate * PACE), n + n // 4)), n
        if n >= mean:
            return


def _time_limit(arguments: Mapping[str, Any], n: int, samples: int | None) -> float:
    """The limit that leaves each of n samples as much time as those of the result will have."""
    return float(arguments.get("time_limit", TIME_LIMIT)) * n / (LEAST if samples is None else samples)


def _required(found: Result, arguments: Mapping[str, Any], samples: int | None) -> tuple[int, float]:
    """Samples that the result will need, by this estimate: of the document that needs most, and on average."""
    if samples is not None:
        return samples, samples
    precision, level = arguments["precision"], arguments["level"]
    needs = []
    for document in found.documents:
        need = float(LEAST)
        for value in document.measures.values():
            if value.n_samples and value.chance_sd is not None and value.expected is not None:
                n = value.n_samples
                sd = value.chance_sd * ((n - 1) / n) ** 0.5
                need = max(need, required_samples(value.expected, sd, n, precision=precision, level=level))
        needs.append(min(need, 10_000.0))
    return round(max(needs)), sum(needs) / len(needs)
