# SPDX-License-Identifier: MIT
"""Runs pygamma-agreement on small continua, in that library's own environment: what the γ family's tests compare with.

Never imported by unisono or its tests: test_pygamma_family.py starts this file with the Python of `.venv-pygamma`.
Standard input: [{"units": {name: [[start, end, category], ...]}, "alpha", "delta_empty", "seed", "samples"}, ...].
Standard output: {"version", "answers": [...]}, one answer for each.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from importlib.metadata import version

cases = json.load(sys.stdin)
output = os.dup(1)
os.dup2(2, 1)  # the integer solvers print on standard output

import numpy as np  # noqa: E402
from pyannote.core import Segment  # noqa: E402
from pygamma_agreement import (  # noqa: E402
    CombinedCategoricalDissimilarity,
    Continuum,
    ShuffleContinuumSampler,
    StatisticalContinuumSampler,
)

logging.disable(logging.WARNING)

SAMPLERS = {
    "statistical": StatisticalContinuumSampler,
    "shuffle": lambda: ShuffleContinuumSampler("int_pivot"),
    "shuffle-float": lambda: ShuffleContinuumSampler("float_pivot"),
}


def continuum_of(units: dict[str, list]) -> Continuum:
    continuum = Continuum()
    for name, rows in units.items():
        continuum.add_annotator(name)
        for start, end, category in rows:
            continuum.add(name, Segment(float(start), float(end)), category)
    return continuum


def content(unit) -> list:
    return [float(unit.segment.start), float(unit.segment.end), unit.annotation]


def units_of(continuum: Continuum) -> dict[str, list]:
    return {name: [content(unit) for unit in continuum.iter_annotator(name)] for name in continuum.annotators}


def judged(alignment, dissimilarity, categories: list[str]) -> dict:
    """An alignment, its disorder, and the disorders of its categories."""
    return {
        "disorder": float(alignment.disorder),
        "rows": [[unit and content(unit) for _, unit in row.n_tuple] for row in alignment],
        "gamma_cat": float(alignment.gamma_k_disorder(dissimilarity, None)),
        "gamma_k": {k: float(alignment.gamma_k_disorder(dissimilarity, k)) for k in categories},
    }


def answered(case: dict) -> dict:
    continuum = continuum_of(case["units"])
    dissimilarity = CombinedCategoricalDissimilarity(alpha=case["alpha"], delta_empty=case["delta_empty"])
    categories = [*continuum.categories, "absent"]
    answer = {
        "best": judged(continuum.get_best_alignment(dissimilarity), dissimilarity, categories),
        "soft": judged(continuum.get_best_soft_alignment(dissimilarity), dissimilarity, categories),
        "drawn": {},
    }
    for name, make in SAMPLERS.items():
        sampler = make()
        sampler.init_sampling(continuum)
        np.random.seed(case["seed"])
        answer["drawn"][name] = [units_of(sampler.sample_from_continuum) for _ in range(case["samples"])]
    for name, soft in (("gamma", False), ("soft_gamma", True)):
        np.random.seed(case["seed"])
        result = continuum.compute_gamma(dissimilarity, n_samples=case["samples"], soft=soft)
        answer[name] = {
            "gamma": float(result.gamma),
            "gamma_cat": float(result.gamma_cat),
            "expected": [float(alignment.disorder) for alignment in result.chance_alignments],
            "expected_cat": [float(a.gamma_k_disorder(dissimilarity, None)) for a in result.chance_alignments],
        }
    return answer


answers = [answered(case) for case in cases]
with os.fdopen(output, "w") as stream:
    json.dump({"version": version("pygamma-agreement"), "answers": answers}, stream)
