# SPDX-License-Identifier: MIT
"""Runs pygamma-agreement on one instance, in that library's own environment, and prints a JSON object.

Not part of unisono and never imported by it: `peers.py` starts this file with the Python of `.venv-pygamma`.
Standard input: {"annotators": {name: [[start, end, category], ...]}, "samples": [the same, ...], "task": "gamma" |
"alignment", "solver": "cbc" | "glpk"}. The samples are the random continua to align, drawn by unisono: both
libraries then do the same work, and every one of the disorders can be compared.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import sys
import time

instance = json.load(sys.stdin)
output = os.dup(1)
os.dup2(2, 1)  # the integer solvers print on standard output
if instance["solver"] == "glpk":
    sys.modules["cylp"] = None  # what pygamma-agreement sees when its "cbc" extra is not installed

import numpy as np  # noqa: E402
from pyannote.core import Segment  # noqa: E402
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum  # noqa: E402
from pygamma_agreement.sampler import AbstractContinuumSampler  # noqa: E402

logging.disable(logging.WARNING)


def continuum_of(annotators: dict[str, list[list]]) -> Continuum:
    continuum = Continuum()
    for name, units in annotators.items():
        continuum.add_annotator(name)
        for start, end, category in units:
            continuum.add(name, Segment(float(start), float(end)), category)
    return continuum


class Replayed(AbstractContinuumSampler):
    """Hands out given continua one after the other."""

    def __init__(self, continua: list[Continuum]):
        super().__init__()
        self._waiting = iter(continua)

    @property
    def sample_from_continuum(self) -> Continuum:
        return next(self._waiting)


def warm_up(dissimilarity: CombinedCategoricalDissimilarity) -> None:
    """numba compiles at the first call, for the number of annotators too."""
    small = {name: units[:3] for name, units in instance["annotators"].items()}
    continuum = continuum_of(small)
    if instance["task"] == "gamma":
        continuum.compute_gamma(dissimilarity, n_samples=2, sampler=Replayed([continuum_of(small)] * 2))
    else:
        continuum.get_best_alignment(dissimilarity)


continuum = continuum_of(instance["annotators"])
samples = [continuum_of(sample) for sample in instance["samples"]]
dissimilarity = CombinedCategoricalDissimilarity(alpha=1.0, beta=1.0, delta_empty=1.0)
warm_up(dissimilarity)

base_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
wall, cpu = time.perf_counter(), time.process_time()
if instance["task"] == "gamma":
    result = continuum.compute_gamma(
        dissimilarity, n_samples=len(samples), precision_level=None, sampler=Replayed(samples), fast=False
    )
    answer = {
        "gamma": float(result.gamma),
        "observed": float(result.observed_disorder),
        "chance": [float(alignment.disorder) for alignment in result.chance_alignments],
    }
else:
    answer = {"observed": float(continuum.get_best_alignment(dissimilarity).disorder)}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall

answer |= {
    "cpu_seconds": cpu,
    "wall_seconds": wall,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "before_mb": base_kb / 1024,
    "load": os.getloadavg()[0],
    "units": int(np.sum([len(list(continuum.iter_annotator(name))) for name in continuum.annotators])),
}
with os.fdopen(output, "w") as stream:
    json.dump(answer, stream)
