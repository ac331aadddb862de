# SPDX-License-Identifier: MIT
"""What a setting is called by its users: a parameter in Python, an option in a terminal, a control on the page."""

from __future__ import annotations

from unisono.settings.definition import Setting, settings_of
from unisono.settings.groups import Settings
from unisono.settings.reading import Reading
from unisono.settings.service_limits import ServiceLimits


def _all_settings() -> dict[str, Setting]:
    return {**settings_of(ServiceLimits), **settings_of(Reading), **settings_of(Settings)}


def parameter_name(name: str) -> str:
    """The keyword of a Python function, as errors._setting_name has it by default."""
    return f"{name}="


def option_name(name: str) -> str:
    """The option of the command line.

    >>> option_name("category_map"), option_name("predefined"), option_name("fail_under")
    ('--map', '--predefined', '--fail-under')
    """
    setting = _all_settings().get(name, Setting("", name=name))
    return setting.options[0].partition("/")[0]


def control_name(name: str) -> str:
    """The control on the page, by its label; limits of the service are options of `unisono serve`.

    >>> control_name("extent"), control_name("alpha"), control_name("upload")
    ('“Extent of every continuum”', '“alpha”', '--upload-limit')
    """
    if name in settings_of(ServiceLimits):
        return option_name(name)
    known = _all_settings().get(name)
    return f"“{known.control if known and known.control else name}”"
