# SPDX-License-Identifier: MIT
"""How a result was measured, so that changed or simulated data can be measured alike; also for a loaded result."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from unisono.api import Plan, plan_measurement
from unisono.errors import UnisonoError
from unisono.measures.text_gamma import TextSettings
from unisono.model import Corpus
from unisono.results import TEXT_MEASURE, ReasonCode, Result
from unisono.settings.parsing import parse_probability

#: Measures that can be explained, the preferred one first, with the letters that sentences call them by.
EXPLAINED = {"gamma": "γ", "gamma-cat": "γcat", TEXT_MEASURE: "text-γ"}

#: Settings that a result records under their own names.
_RECORDED = ("preset", "alpha", "beta", "delta_empty", "level", "effort", "time_limit", "memory_limit")

#: A probability of random edits, as the signature of a result writes it.
_PROBABILITY = re.compile(r"(p_\w+)=(map\([^)]*\)|[^,)]+)")

NOT_REPEATABLE = "the result was loaded, and how it was measured cannot be rebuilt from what it records"


def explained_measure(result: Result) -> str | None:
    """The measure of a result that is explained; None where it has none of them."""
    return next((name for name in EXPLAINED if name in result.measures), None)


def plan_of(result: Result) -> Plan | None:
    """How the result was measured; None where neither its plan nor what it records says it.

    A loaded result has no plan; one is rebuilt from its parameters, and used only if dissimilarity and chance model
    have the signatures that the result records. With text-γ among other measures, only theirs are recorded: None.
    """
    if result.plan is not None:
        plan: Plan = result.plan
        return plan
    recorded = result.parameters
    if result.corpus is None or "dissimilarity" not in recorded:
        return None
    if list(result.measures) == [TEXT_MEASURE]:
        return _plan_of_texts(result, result.corpus)
    if TEXT_MEASURE in result.measures:
        return None
    settings: dict[str, Any] = {name: recorded[name] for name in _RECORDED if recorded.get(name) is not None}
    settings |= _parse_dissimilarity(str(recorded["dissimilarity"])) | {
        "seed": result.seed,
        "samples": recorded.get("samples"),
        "effort": recorded.get("effort"),
    }
    if recorded.get("precision") is not None:
        settings["precision"] = recorded["precision"]
    # A preset may have a variant of a chance model, which its name alone does not choose.
    for chance in ({}, {"chance": str(recorded.get("chance", "")).partition("(")[0]}):
        try:
            _, plan = plan_measurement(result.corpus, list(result.measures), None, None, settings | chance)
        except (UnisonoError, ValueError):
            continue
        resolved = plan.resolved
        if (resolved.dissimilarity.signature, resolved.chance.signature, resolved.pairs) == (
            recorded["dissimilarity"],
            recorded.get("chance"),
            recorded.get("pairs"),
        ):
            return plan
    return None


def _parse_dissimilarity(signature: str) -> dict[str, Any]:
    """The settings that a signature of a dissimilarity was made from, as far as settings can describe it.

    >>> _parse_dissimilarity('absolute(scale=30)+ordinal(order=["A","B"]),alpha=1,beta=1,delta_empty=1')
    {'positional': 'absolute', 'categorial': 'ordinal', 'scale': 30.0, 'category_order': ('A', 'B')}
    """
    positional, _, rest = signature.partition("+")
    categorial = rest.rpartition(",alpha=")[0]
    settings: dict[str, Any] = {"positional": positional.partition("(")[0], "categorial": categorial.partition("(")[0]}
    for name, pattern, convert in _OF_SIGNATURE:
        found = re.search(pattern, f"{positional}+{categorial}")
        if found:
            settings[name] = convert(found[1])
    return settings


_OF_SIGNATURE: tuple[tuple[str, str, Callable[[str], Any]], ...] = (
    ("scale", r"^\w+\((?:scale|window)=([^,)]+)\)", float),
    ("category_order", r"order=(\[.*\])", lambda text: tuple(json.loads(text))),
    ("f_cat", r"f_cat=(\w+)", str),
)


def _plan_of_texts(result: Result, corpus: Corpus) -> Plan | None:
    """How text-γ was measured, from the signatures that a result records."""
    recorded = result.parameters
    settings: dict[str, Any] = {
        name: recorded[name]
        for name in ("level", "time_limit", "memory_limit", "gap_t", "gap_b", "count_gaps", "delta_empty", "precision")
        if recorded.get(name) is not None
    }
    text, *features = str(recorded["dissimilarity"]).split(",")
    settings |= {"text_distance": text.removeprefix("text:"), "seed": result.seed, "samples": recorded.get("samples")}
    # All features that annotators decide on, unless a document was refused because it lacks one that was asked for.
    if any(document[TEXT_MEASURE].reason_code == ReasonCode.NO_FEATURE for document in result.documents):
        settings["feature"] = tuple(part.partition(":")[0] for part in features[:-1])
    try:
        settings |= {
            name: None if value == "estimated" else parse_probability(value.removeprefix("map(").removesuffix(")"))
            for name, value in _PROBABILITY.findall(str(recorded.get("chance")))
        }
        _, plan = plan_measurement(corpus, [TEXT_MEASURE], None, None, settings)
    except (UnisonoError, ValueError):  # probabilities, or objects of the user's, that settings do not describe
        return None
    rebuilt = TextSettings.of(plan.resolved).parameters(corpus)
    is_same = all(rebuilt[name] == recorded.get(name) for name in ("dissimilarity", "chance", "gaps", "count_gaps"))
    return plan if is_same else None
