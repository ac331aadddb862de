# SPDX-License-Identifier: MIT
"""Against pygamma-agreement in exact mode, side by side: the same continua, equal disorders, CPU time of both.

pygamma-agreement lives in an environment of its own, made on demand, and aligns the very random continua that our γ
draws, so that all disorders can be compared, not only the observed one. It needs minutes: each of its runs is kept in
`results/` under the hash of what it was given, and used again unless `--fresh` is given. It enumerates all tuples and
gives them to an integer solver: GLPK as installed, CBC with its `cbc` extra. The bars are set against the former.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

import unisono
from kinds import Kind, shuffled
from measuring import HERE, NO_BAR, RESULTS, Options, Table, child, timed, verdict
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.sampling import Sampling

ENVIRONMENT = HERE.parent / ".venv-pygamma"
REQUIREMENTS = ("pygamma-agreement[cbc]==0.5.9",)
SAMPLES = 30
SEED = 2015
#: pygamma-agreement computes with 32-bit floats.
TOLERANCE = 1e-5
PEAK_MB = 200.0


@dataclass(frozen=True)
class Case:
    """One comparison, and how many times faster we must be."""

    kind: Kind
    task: Literal["gamma", "alignment"]
    at_least: float | None
    solver: Literal["glpk", "cbc"] = "glpk"
    is_slow: bool = False

    @property
    def name(self) -> str:
        task = f"γ, {SAMPLES} samples" if self.task == "gamma" else "one best alignment"
        solver = " (peer with CBC)" if self.solver == "cbc" else ""
        return f"{task}, {self.kind.annotators}x{self.kind.units} gap {self.kind.gap:g}{solver}"


def _cases(gap: float, solver: Literal["glpk", "cbc"], *, with_bars: bool) -> list[Case]:
    given: list[tuple[int, int, Literal["gamma", "alignment"], float, bool]] = [
        (3, 100, "gamma", 200.0, False),
        (4, 50, "gamma", 1000.0, True),
        (2, 1000, "gamma", 1500.0, True),
        (2, 5000, "alignment", 3000.0, True),
        (5, 50, "alignment", 5000.0, True),
    ]
    return [
        Case(Kind(p, q, gap, is_for_peers=True), task, bar if with_bars else None, solver, is_slow)
        for p, q, task, bar, is_slow in given
    ]


CASES = [
    *_cases(1.0, "glpk", with_bars=True),
    *_cases(0.0, "glpk", with_bars=True),
    # With three annotators or more the enumeration takes the time, whatever solver comes after it.
    *(case for case in _cases(1.0, "cbc", with_bars=False) if case.kind.annotators == 2),
]


def run(options: Options) -> Table:
    columns = ("case", "pygamma s", "ours ms", "times faster", "at least", "disorders", "peak MB", "verdict")
    table = Table("peers", "Against pygamma-agreement 0.5.9, exact mode, CPU time of the computation alone", columns)
    for case in CASES:
        if options.is_quick and case.is_slow:
            continue
        _add(table, case, options)
    # No verdict on it: a busy machine costs CPU time on either side, and pygamma's own threads are part of its load.
    loads = [row["theirs"]["load"] for row in table.rows if "load" in row["theirs"]]
    ours = [row["load"] for row in table.rows]
    if loads:
        text = f"{min(loads):.1f}-{max(loads):.1f}; at the end of ours {min(ours):.1f}-{max(ours):.1f}"
        table.notes.append(f"load average of the machine at the end of pygamma's runs {text}")
    table.notes.append("one warm-up call on both sides, imports and reading excluded; ours on one thread, the median")
    table.notes.append("disorders: the largest relative difference over all alignments (observed and random)")
    table.notes.append("peak MB: of the whole process, ours / pygamma's")
    table.notes.append("pygamma-agreement runs on GLPK as pip installs it; with CBC: with its extra of that name")
    return table


def _add(table: Table, case: Case, options: Options) -> None:
    continuum = case.kind[0]
    samples = [shuffled(continuum, seed=SEED, sample=i) for i in range(SAMPLES)] if case.task == "gamma" else []
    theirs, is_cached = _pygamma(case, continuum, samples, options)
    ours = _unisono(case, continuum)
    ratio = 1e3 * theirs["cpu_seconds"] / ours["ms"]
    difference = _difference(ours, theirs)
    is_equal = difference <= TOLERANCE
    fits = ours["peak_mb"] is None or ours["peak_mb"] <= PEAK_MB
    peak = "" if ours["peak_mb"] is None else f"{ours['peak_mb']:.0f} / {theirs['peak_mb']:,.0f}"
    is_met = is_equal and fits and ours["is_proven"] and (case.at_least is None or ratio >= case.at_least)
    table.add(
        case=case.name,
        **{
            "pygamma s": f"{theirs['cpu_seconds']:.1f}{' (cached)' if is_cached else ''}",
            "ours ms": f"{ours['ms']:.3f}",
            "times faster": f"{ratio:,.0f}",
            "at least": NO_BAR if case.at_least is None else f"{case.at_least:,.0f}",
            "disorders": f"equal ({difference:.0e})" if is_equal else f"DIFFER by {difference:.1e}",
            "peak MB": peak,
            "verdict": NO_BAR if case.at_least is None and is_met else verdict(is_met),
        },
        load=os.getloadavg()[0],
        ratio=ratio,
        ours=ours,
        theirs=theirs,
    )


def _unisono(case: Case, continuum: Continuum) -> dict[str, Any]:
    dissimilarity = CombinedDissimilarity(alpha=1.0, beta=1.0, delta_empty=1.0)
    if case.task == "gamma":
        call = partial(
            gamma,
            continuum,
            dissimilarity=dissimilarity,
            chance=Shift(),
            sampling=Sampling(samples=SAMPLES),
            seed=SEED,
            threads=1,
        )
        run = timed(call, for_seconds=1.0)
        value = run.result
        chance = np.asarray(value.chance_disorders).tolist()
        answer = {"observed": value.observed, "chance": chance, "gamma": value.value, "is_proven": not value.gap}
        return answer | {"ms": run.ms, "peak_mb": None}
    run = timed(partial(unisono.best_alignment, continuum, dissimilarity, time_limit=60), for_seconds=1.0)
    alignment = run.result
    kind = case.kind
    request = {"annotators": kind.annotators, "units": kind.units, "gap": kind.gap, "is_for_peers": True}
    alone = child("child.py", json.dumps(request))
    return {
        "observed": alignment.disorder,
        "is_proven": alignment.is_proven and alignment.gap == 0.0,
        "ms": run.ms,
        "peak_mb": alone["peak_mb"],
    }


def _difference(ours: dict[str, Any], theirs: dict[str, Any]) -> float:
    """The largest relative difference between the disorders of the two libraries."""
    mine = np.array([ours["observed"], *ours.get("chance", [])])
    other = np.array([theirs["observed"], *theirs.get("chance", [])])
    return float("inf") if mine.shape != other.shape else float(np.max(np.abs(mine - other) / mine))


def _pygamma(
    case: Case, continuum: Continuum, samples: list[Continuum], options: Options
) -> tuple[dict[str, Any], bool]:
    instance = {
        "annotators": _plain_units(continuum),
        "samples": [_plain_units(sample) for sample in samples],
        "task": case.task,
        "solver": case.solver,
    }
    text = json.dumps(instance, sort_keys=True)
    key = hashlib.sha256((text + "".join(REQUIREMENTS)).encode()).hexdigest()[:16]
    file = RESULTS / f"pygamma-{key}.json"
    if file.exists() and not options.is_fresh:
        return json.loads(file.read_text()), True
    options.say(f"  pygamma-agreement: {case.name} ...")
    answer = child("pygamma_worker.py", stdin=text, python=str(_python(options)))
    RESULTS.mkdir(exist_ok=True)
    file.write_text(json.dumps({"case": case.name, **answer}))
    return answer, False


def _python(options: Options) -> Path:
    """The Python of pygamma-agreement's environment, made when it is not there."""
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / ".ready"
    if not ready.exists():
        options.say(f"  making {ENVIRONMENT.name} for pygamma-agreement ...")
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
        ready.touch()
    return python


def _plain_units(continuum: Continuum) -> dict[str, list[list[Any]]]:
    units: dict[str, list[list[Any]]] = {annotator: [] for annotator in continuum.annotators}
    for unit in continuum:
        units[str(unit.annotator)].append([unit.start, unit.end, unit.category])
    return units
