# SPDX-License-Identifier: MIT
"""Every setting, defined once: its type, default, limits, choices, help text and word in the signature.

The dataclasses of `groups` are the definition. The keywords of `measure`, the options of the command line, the models
of the service, the keys of benchmark files, the signature and the tables in docs/command-line.md derive from them.
To add a setting, add a field to one of the groups, then run `python -m unisono.settings`.
"""

from __future__ import annotations

from unisono.settings.checking import check, check_values, draw_seed, problem_with
from unisono.settings.correcting import Correcting
from unisono.settings.definition import Setting, setting, settings_of
from unisono.settings.groups import (
    EFFORT,
    PRECISION,
    AlignmentLimits,
    Comparing,
    Estimating,
    Limits,
    Measuring,
    SearchLimits,
    Settings,
    Working,
)
from unisono.settings.reading import Reading
from unisono.settings.service_limits import ServiceLimits
from unisono.settings.setting_names import control_name, option_name, parameter_name

__all__ = [
    "EFFORT",
    "PRECISION",
    "AlignmentLimits",
    "Comparing",
    "Correcting",
    "Estimating",
    "Limits",
    "Measuring",
    "Reading",
    "SearchLimits",
    "ServiceLimits",
    "Setting",
    "Settings",
    "Working",
    "check",
    "check_values",
    "control_name",
    "draw_seed",
    "option_name",
    "parameter_name",
    "problem_with",
    "setting",
    "settings_of",
]
