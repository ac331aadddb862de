# SPDX-License-Identifier: MIT
"""The shuffling experiments of the papers: our curves from the benchmark, and the quantities that the papers state.

A statement names a `measure` (and a `curve` if there are several) and a quantity:

- `at = 0.8`: the mean at that magnitude;
- `over = [0.6, 0.9]` with `take = "highest"` or `"lowest"`: the extreme of the means there;
- `take = "crossing"`: the magnitude from which the mean is below 0 (between two: on the line that joins them);
- `take = "means strictly decreasing"`: whether every mean is below the one before it;
- `take = "strictly decreasing"`, `"reaches 0"`, `"never below 0"`, `"starts at 1"`: the benchmark's verdict;
- `take = "linearity"`: R² of the means against the magnitude;
- `take = "share without value"`: of the sets at the magnitudes of `over`;
- `minus = "cu-alpha"` (or `minus_curve`): the difference from another curve, set by set, before any of the above;
  `take = "largest difference"`: the difference that is farthest from 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from unisono.experiments.benchmark import benchmark
from unisono.experiments.experiment import Conditions, Experiment, Outcome, quantity_of, select_experiments
from unisono.experiments.grid import BenchmarkSpec
from unisono.experiments.responses import BenchmarkResult, Response
from unisono.experiments.statements import Found
from unisono.experiments.verdicts import QUESTIONS, ROUNDING, band, verdicts
from unisono.model import FloatArray
from unisono.whole_files import write_whole

#: The quick version: fewer sets, and only these magnitudes and those that statements are about.
QUICK_SETS = 10
QUICK_SAMPLES = 10
QUICK_MAGNITUDES = (0.0, 0.25, 0.5, 0.75, 1.0)


def spec_of(experiment: Experiment, conditions: Conditions) -> BenchmarkSpec:
    """The benchmark of an experiment, full or quick; `from` gathers the first curves of others of its paper."""
    title = f"{experiment.where.partition(',')[0]}: {experiment.title}"
    if "from" in experiment.grid:
        others = [
            spec_of(select_experiments([f"{experiment.paper}/{name}"])[0], conditions)
            for name in experiment.grid["from"]
        ]
        common = sorted(set.intersection(*(set(other.magnitudes) for other in others)))
        gathered = replace(others[0], title=title, curves=tuple(other.curves[0] for other in others))
        return gathered.limited(magnitudes=common)
    grid = {key: value for key, value in experiment.grid.items() if key != "panels"}
    if conditions.quick:
        grid["samples"] = QUICK_SAMPLES
    spec = BenchmarkSpec.from_dict({"title": title, "seed": conditions.seed, **grid})
    if not conditions.quick:
        return spec
    stated = [m for item in experiment.asked for m in (item.get("at"), *item.get("over", ())) if m is not None]
    wanted = {*QUICK_MAGNITUDES, *map(float, stated)} & set(spec.magnitudes)
    return spec.limited(magnitudes=sorted(wanted), sets=QUICK_SETS)


def curves(experiment: Experiment, conditions: Conditions) -> Outcome:
    """Run the benchmark of an experiment and compute the quantities of its statements."""
    result = benchmark(
        spec_of(experiment, conditions),
        out=conditions.cells,
        threads=conditions.jobs,
        executor=conditions.executor,
        progress=conditions.progress,
    )
    return Outcome(
        {quantity_of(item): stated_quantity(result, item) for item in experiment.asked},
        summary(result),
        partial(_draw, result=result, panels=experiment.grid.get("panels", "each")),
    )


def summary(result: BenchmarkResult) -> list[dict[str, object]]:
    """The curves as rows: mean, standard error and number of sets with a value, for every measure and magnitude."""
    several = len(result.spec.curves) > 1
    return [
        {
            **({"curve": response.curve} if several else {}),
            "measure": response.measure,
            "magnitude": point.magnitude,
            "mean": point.mean,
            "standard error": point.error,
            "n": point.n,
        }
        for response in result.responses
        for point in response.points
    ]


def _draw(stem: Path, *, result: BenchmarkResult, panels: Any) -> Sequence[Path]:
    from unisono.experiments.plots import picture

    if panels == "measures":
        result, panels = _group_by_measure(result), "each"
    paths = [stem.with_name(f"{stem.name}.{kind}") for kind in ("svg", "png")]
    for path in paths:
        write_whole(path, picture(result, path.suffix[1:], panels=panels))
    return paths


def _group_by_measure(result: BenchmarkResult) -> BenchmarkResult:
    """The same curves with a panel for each measure and a line for each kind of error."""
    order = list(dict.fromkeys(response.measure for response in result.responses))
    turned = [
        replace(response, curve=response.symbol, measure=response.curve, symbol=response.curve)
        for response in sorted(result.responses, key=lambda response: order.index(response.measure))
    ]
    return replace(result, responses=tuple(turned))


def stated_quantity(result: BenchmarkResult, item: Mapping[str, Any]) -> Found:
    """The quantity of a statement, on our curves."""
    response = _response(result, item["measure"], item.get("curve"))
    values = response.values
    if "minus" in item or "minus_curve" in item:
        other = _response(result, item.get("minus", item["measure"]), item.get("minus_curve", item.get("curve")))
        values = values - other.values
    magnitudes = np.array(response.magnitudes)
    take = item.get("take", "mean")
    if "at" in item:
        magnitudes, values = _select_magnitudes(magnitudes, values, item["at"], item["at"])
    elif "over" in item:
        magnitudes, values = _select_magnitudes(magnitudes, values, *item["over"])
    return _evaluate(take, magnitudes, values)


def _response(result: BenchmarkResult, measure: str, curve: str | None) -> Response:
    return result[measure] if curve is None else result[curve, measure]


def _select_magnitudes(
    magnitudes: FloatArray, values: FloatArray, first: float, last: float
) -> tuple[FloatArray, FloatArray]:
    there = (magnitudes >= first - 1e-9) & (magnitudes <= last + 1e-9)
    if not there.any():
        raise LookupError(f"no magnitude from {first:g} to {last:g} was measured")
    return magnitudes[there], values[there]


def _evaluate(take: str, magnitudes: FloatArray, values: FloatArray) -> Found:
    """One number, or an answer, from the values at some magnitudes."""
    if take == "share without value":
        return Found(float(np.mean(np.isnan(values))))
    questions = {words: name for name, words in QUESTIONS.items()}
    if take in questions:
        answer = getattr(verdicts(magnitudes.tolist(), values), questions[take]).answer
        return Found({"yes": True, "no": False}.get(answer))
    bands = [(m, b) for m, row in zip(magnitudes.tolist(), values, strict=True) if (b := band(row)) is not None]
    if not bands:
        return Found(None)
    means = [b.mean for _, b in bands]
    match take:
        case "means strictly decreasing":
            return Found(bool(np.all(np.diff(means) < -ROUNDING)))
        case "mean" | "highest":
            chosen = max(range(len(means)), key=means.__getitem__)
        case "lowest":
            chosen = min(range(len(means)), key=means.__getitem__)
        case "largest difference":
            chosen = max(range(len(means)), key=lambda i: abs(means[i]))
        case "crossing":
            return _crossing([m for m, _ in bands], means, [b.error for _, b in bands])
        case "linearity":
            return Found(float(np.corrcoef([m for m, _ in bands], means)[0, 1] ** 2))
        case _:
            raise ValueError(f"{take!r} is not a quantity of a curve")
    return Found(means[chosen], bands[chosen][1].error)


def _crossing(magnitudes: Sequence[float], means: Sequence[float], errors: Sequence[float]) -> Found:
    """The magnitude from which the curve is below 0, with its standard error; None if it never is.

    >>> _crossing([0.0, 0.5, 1.0], [1.0, 0.2, -0.2], [0.0, 0.0, 0.04])
    Found(value=0.75, error=0.05)
    """
    below = next((i for i, mean in enumerate(means) if mean < 0), None)
    if below is None:
        return Found(None)
    if below == 0:
        return Found(magnitudes[0])
    step = magnitudes[below] - magnitudes[below - 1]
    slope = (means[below - 1] - means[below]) / step
    error = max(errors[below - 1], errors[below]) / slope
    value = magnitudes[below - 1] + means[below - 1] / slope
    return Found(round(value, 12), round(error, 12)) if math.isfinite(error) else Found(value)
