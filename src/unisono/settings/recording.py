# SPDX-License-Identifier: MIT
"""What a result records of its settings: entries of `parameters`, words of the signature."""

from __future__ import annotations

from typing import Any

from unisono.settings.definition import settings_of


def recorded_values(group: type, values: Any) -> dict[str, Any]:
    """The settings of a group that `parameters` holds as they were given; `values` is an object that has them."""
    return {
        name: list(value) if isinstance(value := _normalise_number(getattr(values, name)), tuple) else value
        for name, setting in settings_of(group).items()
        if setting.is_recorded
    }


def signature_words(group: type, values: Any) -> dict[str, object]:
    """The words of the signature for those settings of a group that differ from their default.

    >>> from unisono.settings import Limits, Settings
    >>> signature_words(Limits, Settings(effort=None, memory_limit=1024))
    {'memory-limit': 1024, 'effort': 'none'}
    >>> signature_words(Limits, Settings(time_limit=9.0)), signature_words(Limits, Settings(time_limit=0.5))
    ({'time-limit': 9}, {'time-limit': 0.5})
    """
    return {
        setting.word: "none" if (value := _normalise_number(getattr(values, name))) is None else value
        for name, setting in settings_of(group).items()
        if setting.word and getattr(values, name) != setting.default
    }


def _normalise_number(value: Any) -> Any:
    """A value as results hold it: 9.0 becomes 9, whether an option, a keyword or JSON gave it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
