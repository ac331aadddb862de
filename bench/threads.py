# SPDX-License-Identifier: MIT
"""Two threads against one, wall clock, on a γ that takes more than two seconds; and the same bits from both."""

from __future__ import annotations

import hashlib
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from kinds import Kind
from measuring import Options, Table, verdict
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.measures.gamma import gamma
from unisono.results import MeasureValue
from unisono.sampling import Sampling

AT_LEAST = 1.7
SECONDS = 4.0
ROUNDS = 3
BUSY = "machine busy"
CASES = (Kind(8, 100, 1.0), Kind(3, 2000, 0.0), Kind(2, 5000, 1.0))


def run(options: Options) -> Table:
    title = "γ on one thread and on two, wall clock"
    table = Table("threads", title, ("case", "samples", "1 thread", "2 threads", "times faster", "control"))
    table.columns += ("at least", "verdict")
    for kind in CASES[:1] if options.is_quick else CASES:
        measure = partial(gamma, kind[0], dissimilarity=CombinedDissimilarity(), chance=Shift(), seed=kind.seed)
        # As many samples as make one thread work for some four seconds here.
        pilot, _ = _time_call(partial(measure, sampling=Sampling(samples=20), threads=1))
        samples = max(20, math.ceil(20 * SECONDS / pilot))
        run = partial(measure, sampling=Sampling(samples=samples))
        # In turn, and the best of each: another process on the machine must not decide.
        rounds = [(_time_call(partial(run, threads=1)), _time_call(partial(run, threads=2))) for _ in range(ROUNDS)]
        one, two = (min(timed[which][0] for timed in rounds) for which in (0, 1))
        control = _control()
        same = _same_bits([timed[which][1] for timed in rounds for which in (0, 1)])
        table.add(
            case=f"γ {kind.name}" + ("" if same else ", BITS DIFFER"),
            samples=samples,
            **{"1 thread": f"{one:.2f} s", "2 threads": f"{two:.2f} s", "times faster": f"{one / two:.2f}"},
            **{"control": f"{control:.2f}", "at least": AT_LEAST},
            verdict=_verdict(same, one / two, control),
            values=[one, two],
            same_bits=same,
        )
    table.notes.append("control: what two threads that only hash gain at that moment; too little: no verdict")
    table.notes.append(f"load average of the machine after this part: {os.getloadavg()[0]:.2f}")
    return table


def _verdict(same: bool, ratio: float, control: float) -> str:
    if same and ratio < AT_LEAST and control < 1.1 * AT_LEAST:
        return BUSY
    return verdict(same and ratio >= AT_LEAST)


def _control() -> float:
    """Hashing, which shares nothing and holds no lock, on one thread and on two: the most that anything could gain."""

    def hashing(_: int) -> None:
        hashlib.pbkdf2_hmac("sha256", b"unisono", b"bench", 400_000)

    def seconds(threads: int) -> float:
        with ThreadPoolExecutor(threads) as pool:
            before = time.perf_counter()
            list(pool.map(hashing, range(8)))
            return time.perf_counter() - before

    return min(seconds(1) for _ in range(2)) / min(seconds(2) for _ in range(2))


def _time_call(function: partial[MeasureValue]) -> tuple[float, MeasureValue]:
    before = time.perf_counter()
    value = function()
    return time.perf_counter() - before, value


def _same_bits(values: list[MeasureValue]) -> bool:
    first = values[0]
    return all(
        value.value == first.value and np.array_equal(value.chance_disorders, first.chance_disorders)
        for value in values[1:]
    )
