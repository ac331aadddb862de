# SPDX-License-Identifier: MIT
"""How a result was measured, so that changed or simulated data can be measured alike; also for a loaded result."""

from __future__ import annotations

from typing import Any

from unisono.api import Plan, plan_measurement
from unisono.errors import UnisonoError
from unisono.results import TEXT_MEASURE, Result

#: Measures that can be explained, the preferred one first, with the letters that sentences call them by.
EXPLAINED = {"gamma": "γ", "gamma-cat": "γcat", TEXT_MEASURE: "text-γ"}

#: Settings that a result records under their own names.
_RECORDED = ("preset", "alpha", "beta", "delta_empty", "level", "effort", "time_limit", "memory_limit")

NOT_REPEATABLE = "the result was loaded, and how it was measured cannot be rebuilt from what it records"


def explained_measure(result: Result) -> str | None:
    """The measure of a result that is explained; None where it has none of them."""
    return next((name for name in EXPLAINED if name in result.measures), None)


def plan_of(result: Result) -> Plan | None:
    """How the result was measured; None where neither its plan nor what it records says it.

    A loaded result has no plan; one is rebuilt from its parameters, and used only if dissimilarity and chance model
    have the signatures that the result records.
    """
    if result.plan is not None:
        plan: Plan = result.plan
        return plan
    recorded = result.parameters
    if result.corpus is None or "dissimilarity" not in recorded or TEXT_MEASURE in result.measures:
        return None
    positional, _, rest = str(recorded["dissimilarity"]).partition("+")
    settings: dict[str, Any] = {name: recorded[name] for name in _RECORDED if recorded.get(name) is not None}
    settings |= {
        "categorial": rest.partition(",")[0],
        "chance": str(recorded.get("chance", "")).partition("(")[0],
        "seed": result.seed,
        "samples": recorded.get("samples"),
        "effort": recorded.get("effort"),
    }
    if recorded.get("precision") is not None:
        settings["precision"] = recorded["precision"]
    if positional != "sporadic":
        return None
    try:
        _, plan = plan_measurement(result.corpus, list(result.measures), None, None, settings)
    except UnisonoError:
        return None
    resolved = plan.resolved
    is_same = (resolved.dissimilarity.signature, resolved.chance.signature, resolved.pairs) == (
        recorded["dissimilarity"],
        recorded.get("chance"),
        recorded.get("pairs"),
    )
    return plan if is_same else None
