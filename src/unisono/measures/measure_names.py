# SPDX-License-Identifier: MIT
"""The names of measures as people give them: both spellings, several at once, `all`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from unisono.errors import ParameterError, Problem
from unisono.measures import MEASURES


def measure_names(given: str | Sequence[str]) -> list[str]:
    """The measures that are meant, each once; a ParameterError that names the closest one for each unknown name.

    Names are taken with hyphens or underscores, one by one or separated by commas; `all` alone means every measure.

    >>> measure_names(["gamma", "gamma_cat,gamma-k"])
    ['gamma', 'gamma-cat', 'gamma-k']
    >>> measure_names("gama")
    Traceback (most recent call last):
    unisono.errors.ParameterError: there is no measure 'gama'. Did you mean 'gamma'?
    """
    texts = [given] if isinstance(given, str) else list(given)
    names = list(dict.fromkeys(part.strip() for text in texts for part in str(text).split(",") if part.strip()))
    if names == ["all"]:
        return list(MEASURES)
    if not names:
        raise ParameterError(_problem("no measure is named"))
    spelled = {name: name.replace("_", "-") for name in names}
    unknown = [name for name in names if spelled[name] not in MEASURES]
    if unknown:
        raise ParameterError([_problem(f"there is no measure {name!r}", spelled[name]) for name in unknown])
    return list(dict.fromkeys(spelled.values()))


def measure_name(given: str) -> str:
    """The one measure that is meant, in either spelling.

    >>> measure_name("gamma_k")
    'gamma-k'
    """
    names = measure_names(given)
    if len(names) > 1:
        raise ParameterError(_problem(f"{given!r} names {len(names)} measures", remedy="Give one."))
    return names[0]


def _problem(message: str, name: str = "", *, remedy: str = "") -> Problem:
    close = get_close_matches(name, MEASURES, 1) if name else []
    suggestion = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(MEASURES)}."
    return Problem("unknown-measure", "error", "", message, remedy or suggestion)
