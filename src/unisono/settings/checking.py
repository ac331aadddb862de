# SPDX-License-Identifier: MIT
"""The one check of settings: the same problem whether Python, an option or a request gave the value."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

from unisono.errors import ParameterError, Problem
from unisono.settings.definition import Setting, settings_of


def check(group: Any) -> None:
    """Raise a ParameterError with every problem of a group: invalid values, or values that exclude each other."""
    settings = settings_of(type(group)).items()
    problems = [problem for name, setting in settings if (problem := problem_with(setting, getattr(group, name)))]
    if not problems:
        rules = [vars(base)["conflicts"] for base in reversed(type(group).__mro__) if "conflicts" in vars(base)]
        problems = [problem for rule in rules for problem in rule(group)]
    if problems:
        raise ParameterError(problems)


def check_values(group: type, values: Mapping[str, Any]) -> None:
    """Raise a ParameterError with every problem of single values of a group."""
    settings = settings_of(group)
    problems = [problem for name, value in values.items() if (problem := problem_with(settings[name], value))]
    if problems:
        raise ParameterError(problems)


def problem_with(setting: Setting, value: Any, *, where: str = "") -> Problem | None:
    """What is wrong with a value of a setting, or None.

    >>> from unisono.settings import Comparing
    >>> print(problem_with(settings_of(Comparing)["alpha"], -1))
    -1 is not a valid value of alpha=. Give a number from 0 to 1,000,000,000.
    """
    if value is setting.default or (value is None and setting.is_optional):
        return None
    if value is not None and any(_fits(setting, member, value) for member in setting.members):
        return None
    shown = f"{value:.10g}" if isinstance(value, float) else repr(value)
    shown = shown if len(shown) <= 100 else f"{shown[:100]}..."
    return Problem(
        setting.code,
        "error",
        where,
        f"{shown} is not a valid value of [[{setting.name}]]",
        _remedy(setting, value),
        expected=setting.expectation,
        found=shown,
    )


def _remedy(setting: Setting, value: Any) -> str:
    if setting.choices is None or setting.requirement:
        return f"Give {setting.expectation}."
    close = get_close_matches(str(value), setting.choices, 1)
    choose = f"Choose one of: {', '.join(setting.choices)}."
    return f"Did you mean {close[0]!r}? {choose}" if close else choose


def _fits(setting: Setting, member: Any, value: Any) -> bool:
    """Whether the value is of this type and within the bounds or among the choices."""
    if member in (int, float):
        kind = Integral if member is int else Real
        return isinstance(value, kind) and not isinstance(value, bool) and _is_within(setting, value)
    if member is bool:
        return isinstance(value, bool)
    if member is str:
        if setting.choices is not None:
            return isinstance(value, str) and value in setting.choices
        if isinstance(value, os.PathLike):
            return setting.metavar == "FILE"
        return isinstance(value, str) and (bool(value) or setting.may_be_empty)
    if member == tuple[str, ...]:
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and all(isinstance(item, str) and item for item in value)
        )
    if member == tuple[int | float, int | float]:
        return (
            isinstance(value, Sequence)
            and len(value) == 2
            and all(isinstance(item, Real) and not isinstance(item, bool) and math.isfinite(item) for item in value)
        )
    return isinstance(value, Mapping)


def _is_within(setting: Setting, value: Any) -> bool:
    return (
        (isinstance(value, Integral) or math.isfinite(value))
        and (setting.low is None or value >= setting.low)
        and (setting.high is None or value <= setting.high)
        and (setting.above is None or value > setting.above)
        and (setting.below is None or value < setting.below)
    )


def draw_seed(seed: int | None) -> int:
    """The seed, checked; for None a new one: 32 bits from the system's source of randomness."""
    if seed is None:
        return int.from_bytes(os.urandom(4), "big")
    from unisono.settings.groups import Estimating

    check_values(Estimating, {"seed": seed})
    return int(seed)
