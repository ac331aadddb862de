# SPDX-License-Identifier: MIT
"""The CPU time of this build of the solver as a share of another build's, both in one run, side by side.

    .venv/bin/python bench/old_and_new.py OTHER/.venv/bin/python [alignments | segments] [documents]

alignments: the four largest documents of d2t_iaa, the observed continuum and the first six random ones (seed 1): at
most 0.4 of the other's time, all of them proven. segments: γ at the default precision of 50 documents of five
annotators with long segments (`kinds.long_segments`): at most a third of the other's time, and no document stopped.
A build with a default time limit stops a document after 60 seconds, which favours it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import unisono
from kinds import long_segments, shuffled
from measuring import SHARED
from shared_documents import documents
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Continuum

#: What is measured, and the share of the other's time that it may take.
SHARES = {"alignments": 0.4, "segments": 1 / 3}


def continua_to_align() -> list[dict[str, Any]]:
    """The four largest documents of d2t_iaa, each with six random continua.

    Builds draw other random continua from the same seed, so this build draws them for both.
    """
    folder = SHARED / "corpora" / "llm_span_annotation"
    every = documents(folder / "d2t_iaa.csv.gz", folder / "d2t_iaa_participation.csv.gz")
    return [
        {
            "name": f"{document.name} {i}",
            "units": {
                annotator: [(unit.start, unit.end, unit.category) for unit in continuum.units_of(annotator)]
                for annotator in continuum.annotators
            },
        }
        for document in sorted(every, key=len)[-4:]
        for i, continuum in enumerate([document, *(shuffled(document, seed=1, sample=i) for i in range(6))])
    ]


def alignments(continua: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One alignment after the other: its name, disorder, whether it is proven, CPU seconds."""
    for each in continua:
        continuum = Continuum.of(each["units"], name=each["name"])
        began = time.process_time()
        found = unisono.best_alignment(continuum, CombinedDissimilarity())
        seconds = time.process_time() - began
        yield {"name": each["name"], "value": found.disorder, "is_whole": found.is_proven, "seconds": seconds}


def segments(count: int) -> Iterator[dict[str, Any]]:
    """One document after the other: its name, γ, whether it was stopped before its precision, CPU seconds."""
    for number in range(count):
        continuum = long_segments(number)
        began = time.process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = unisono.measure(continuum, "gamma", chance=Shift(), seed=1, threads=1, intervals=False)["gamma"]
        seconds = time.process_time() - began
        yield {"name": continuum.name, "value": value.value, "is_whole": not caught, "seconds": seconds}


def answer(what: str) -> None:
    """Print what this build finds for the task on standard input, one JSON object a line."""
    task = json.load(sys.stdin)
    for found in alignments(task) if what == "alignments" else segments(task):
        print(json.dumps(found), flush=True)


def compare(python: str, what: str, count: int) -> bool:
    """Run both builds; whether the bar is met."""
    task = json.dumps(continua_to_align() if what == "alignments" else count)
    runs = [
        subprocess.Popen([which, __file__, "--answer", what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for which in (python, sys.executable)
    ]
    for run in runs:
        assert run.stdin is not None
        run.stdin.write(task)
        run.stdin.close()
    seconds, whole, n_answers = [0.0, 0.0], [0, 0], 0
    for lines in zip(*(run.stdout for run in runs if run.stdout is not None), strict=True):
        found = [json.loads(line) for line in lines]
        n_answers += 1
        for i, of_build in enumerate(found):
            seconds[i] += of_build["seconds"]
            whole[i] += of_build["is_whole"]
        if what == "alignments" and abs(found[0]["value"] - found[1]["value"]) > 1e-9:
            sys.exit(f"{found[0]['name']}: the builds find {found[0]['value']} and {found[1]['value']}")
        values = ", ".join(f"{each['value']:.6f} in {each['seconds']:.2f} s" for each in found)
        print(f"{found[0]['name']}: {values}; share so far {seconds[1] / seconds[0]:.3f}", flush=True)
    codes = [run.wait() for run in runs]
    is_met = n_answers > 0 and not any(codes) and whole[1] == n_answers and seconds[1] <= SHARES[what] * seconds[0]
    print(
        f"{what}: {n_answers}, whole {whole[0]} and {whole[1]}; CPU {seconds[0]:.1f} and {seconds[1]:.1f} s, "
        f"share {seconds[1] / max(seconds[0], 1e-9):.3f}, at most {SHARES[what]:.3f}: {'met' if is_met else 'NOT met'}"
    )
    return is_met


if __name__ == "__main__":
    given = sys.argv[1:]
    if not given:
        sys.exit("Name the Python of the other build: bench/old_and_new.py OTHER/.venv/bin/python [part] [documents]")
    if given[0] == "--answer":
        answer(given[1])
    else:
        wanted = given[1:2] or list(SHARES)
        count = int(given[2]) if len(given) > 2 else 50
        is_met = [compare(given[0], what, count) for what in wanted]
        sys.exit(0 if all(is_met) else 1)
