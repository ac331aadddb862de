# SPDX-License-Identifier: MIT
"""Whether two builds of the solver confirm each other, and whether what the new one proves holds.

    .venv/bin/python bench/confirmation.py OTHER/.venv/bin/python [count] [first]

Continua of 2 to 35 annotators are aligned by both. No bound of one may exceed the disorder that the other found; where
both are proven, the disorders are equal. Where all unitary alignments can be listed, the duals of the new build are
checked against each of them, by independent code. A search has the default effort, so that load changes nothing; a
build that does not know `effort` has ten seconds.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations
from math import comb

import numpy as np

import unisono
from kinds import Kind
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Continuum

SECONDS = 10.0
EFFORT = 20_000.0  # the default of `measure`
TOLERANCE = 1e-9
#: Unitary alignments that are listed, at most.
MOST = 200_000


def continuum(number: int) -> Continuum:
    """Number i is the same in every build: few units of many annotators, more of few; with gaps and without.

    Half of them are shifted annotator by annotator, around the end, by code of our own: builds may draw differently.
    """
    rng = np.random.default_rng([2015, number])
    annotators = int(rng.integers(2, 36))
    units = 1 + int(rng.integers(0, 1 + 90 // annotators))
    alike = Kind(annotators, units, float(rng.choice((0.0, 0.3, 1.0))), seed=number)[0]
    if rng.random() < 0.5:
        return alike
    end = float(max(alike.ends, default=1.0))
    by = (end * rng.random(annotators)).tolist()
    marked: dict[str, list[tuple[float, float, str]]] = {name: [] for name in alike.annotators}
    for unit, code in zip(alike, alike.annotator_codes.tolist(), strict=True):
        start = (unit.start + by[code]) % end
        marked[alike.annotators[code]].append((start, start + unit.end - unit.start, str(unit.category)))
    return Continuum.of(marked, name=f"number {number}")


def align(first: int, count: int) -> None:
    """Print what this build finds, one JSON object a line."""
    knows_effort = "effort" in inspect.signature(unisono.best_alignment).parameters
    limits = {"effort": EFFORT} if knows_effort else {"time_limit": SECONDS}
    for number in range(first, first + count):
        units = continuum(number)
        began = time.process_time()
        found = unisono.best_alignment(units, CombinedDissimilarity(), **limits)
        answer = {
            "annotators": units.n_annotators,
            "units": len(units),
            "disorder": found.disorder,
            "bound": found.lower_bound,
            "is_proven": found.is_proven,
            "duals": np.asarray(found.duals).tolist(),
            "seconds": time.process_time() - began,
        }
        print(json.dumps(answer), flush=True)


def largest_violation(units: Continuum, duals: list[float]) -> float | None:
    """By how much the duals of a unitary alignment exceed its disorder, at most; None where there are too many."""
    own = [np.flatnonzero(units.annotator_codes == a) for a in range(units.n_annotators)]
    sizes = [len(rows) + 1 for rows in own]
    if np.prod(np.array(sizes, dtype=float)) > MOST:
        return None
    starts, ends = np.asarray(units.starts, dtype=float), np.asarray(units.ends, dtype=float)
    labels = np.array([str(unit.category) for unit in units])
    excess = np.zeros(sizes)
    for a, b in combinations(range(len(own)), 2):
        i, j = own[a][:, None], own[b][None, :]
        apart = np.abs(starts[i] - starts[j]) + np.abs(ends[i] - ends[j])
        pair = np.ones((sizes[a], sizes[b]))  # an empty unit costs 1
        pair[1:, 1:] = (apart / (ends[i] - starts[i] + ends[j] - starts[j])) ** 2 + (labels[i] != labels[j])
        excess -= np.reshape(pair, [sizes[c] if c in (a, b) else 1 for c in range(len(own))])
    excess /= comb(len(own), 2)
    for a, rows in enumerate(own):
        of_units = np.concatenate(([0.0], np.array(duals)[rows]))
        excess += np.reshape(of_units, [sizes[c] if c == a else 1 for c in range(len(own))])
    return float(excess.ravel()[1:].max())  # the first is empty throughout


def compare(python: str, count: int, first: int) -> int:
    """Run both builds side by side; the number of contradictions."""
    numbers = [str(first), str(count)]
    runs = [
        subprocess.Popen([which, __file__, "--align", *numbers], stdout=subprocess.PIPE, text=True)
        for which in (python, sys.executable)
    ]
    outputs = [run.stdout for run in runs if run.stdout is not None]
    counts: Counter[str] = Counter()
    seconds = [0.0, 0.0]
    for number, lines in enumerate(zip(*outputs, strict=True), first):
        old, new = map(json.loads, lines)
        slack = TOLERANCE * max(1.0, old["disorder"])
        contradictions = [old["bound"] > new["disorder"] + slack, new["bound"] > old["disorder"] + slack]
        if old["is_proven"] and new["is_proven"]:
            contradictions.append(abs(old["disorder"] - new["disorder"]) > slack)
        violation = largest_violation(continuum(number), new["duals"])
        contradictions.append(violation is not None and violation > slack)
        if any(contradictions):
            found = [(each["disorder"], each["bound"]) for each in (old, new)]
            print(f"number {number}: {contradictions}, disorders and bounds {found}, violation {violation}")
        counts["continua"] += 1
        counts["contradictions"] += any(contradictions)
        counts["proven by both"] += old["is_proven"] and new["is_proven"]
        counts["proven by the other alone"] += old["is_proven"] and not new["is_proven"]
        if old["is_proven"] and not new["is_proven"]:
            left = 1 - new["bound"] / new["disorder"]
            print(f"number {number}: proven by the other alone, in {old['seconds']:.1f} s; gap {left:.1e}", flush=True)
        counts["proven by this one alone"] += new["is_proven"] and not old["is_proven"]
        counts["duals held against every unitary alignment"] += violation is not None
        seconds = [sum(pair) for pair in zip(seconds, (old["seconds"], new["seconds"]), strict=True)]
        if counts["continua"] % 500 == 0 or counts["continua"] == count:
            print(f"{dict(counts)}; CPU {seconds[0]:.1f} s, this build {seconds[1]:.1f} s", flush=True)
    ended = [run.wait() for run in runs]
    if any(ended):
        print(f"a build ended with exit codes {ended}")
    return counts["contradictions"] + sum(map(bool, ended))


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--align"]:
        align(int(given[1]), int(given[2]))
    else:
        count, first = [*map(int, given[1:]), *(10_000, 0)[len(given) - 1 :]]
        sys.exit(min(1, compare(given[0], count, first)))
