# SPDX-License-Identifier: MIT
"""Whether the guaranteed range of γ holds the value of a run without limits on the same samples.

    python bench/guaranteed_range.py d2t_iaa.csv.gz d2t_iaa_participation.csv.gz [EFFORT ...]

For each document of the corpus: γ without limits, and for each effort γ, its range, and whether the range holds the
value without limits. A value without a range is proven and must be the same.
"""

from __future__ import annotations

import argparse
import time

import unisono
from unisono import Corpus, MeasureValue
from unisono.settings import EFFORT

SAMPLES = 30


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("units")
    arguments.add_argument("participation")
    arguments.add_argument("efforts", nargs="*", type=float, default=[EFFORT])
    given = arguments.parse_args()
    corpus = unisono.read(given.units, participation=given.participation)
    print("document | annotators | units | effort | γ | low | high | width | holds | seconds", flush=True)
    failures = wide = 0
    for continuum in corpus:
        exact: MeasureValue | None = None
        for effort in (None, *given.efforts):
            began = time.perf_counter()
            value = unisono.measure(
                Corpus((continuum,)), "gamma", seed=1, samples=SAMPLES, effort=effort, threads=1, intervals=False
            )["gamma"]
            seconds = time.perf_counter() - began
            assert value.value is not None
            exact = exact or value
            assert exact.value is not None
            low, high = value.range or (value.value, value.value)
            holds = low - 1e-9 <= exact.value <= high + 1e-9
            failures += not holds
            wide += high - low >= 0.2
            cells = [continuum.name, continuum.n_annotators, continuum.n_units, effort or "none"]
            cells += [f"{number:.4f}" for number in (value.value, low, high, high - low)]
            print(*cells, "yes" if holds else "NO", f"{seconds:.1f}", sep=" | ", flush=True)
    print(f"ranges that do not hold the value: {failures}; ranges of 0.2 or more: {wide}")


if __name__ == "__main__":
    main()
