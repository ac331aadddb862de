# SPDX-License-Identifier: MIT
"""Texts that derive from the settings: tables of options for docs/, and the typed keywords of `measure`."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono import settings as groups
from unisono.errors import show_settings
from unisono.settings.definition import Setting, settings_of
from unisono.settings.setting_names import option_name

_MARK = re.compile(r"(<!-- settings: ([A-Za-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options_table(*names: str) -> str:
    """The options of the groups of these names as a table in Markdown."""
    settings = [each for name in names for each in settings_of(getattr(groups, name)).values()]
    rows = [f"| {_option(each)} | {_meaning(each)} | {_default(each)} |" for each in settings]
    return "\n".join(["| option | meaning | default |", "|---|---|---|", *rows, ""])


def fill_tables(text: str) -> str:
    """The page with every table between `<!-- settings: GROUP ... -->` and `<!-- end -->` made anew."""
    return _MARK.sub(lambda mark: f"{mark[1]}\n{options_table(*mark[2].split())}\n{mark[3]}", text)


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _option(setting: Setting) -> str:
    value = "" if bool in setting.members else f" {setting.metavar or 'NAME'}"
    names = [name for option in setting.options for name in option.split("/")]
    return ", ".join(f"`{name}{value}`" for name in names)


def _meaning(setting: Setting) -> str:
    text = show_settings(setting.help, lambda name: f"`{option_name(name)}`")
    if setting.choices is not None:
        text += f" One of: {', '.join(f'`{choice}`' for choice in setting.choices)}."
    if setting.is_list and setting.parse is None:
        text += " May be given again."
    if setting.see:
        text += f" [More]({setting.see})."
    return _escape(text)


def _default(setting: Setting) -> str:
    if setting.default_help:
        return _escape(show_settings(setting.default_help, lambda name: f"`{option_name(name)}`"))
    if setting.default in (None, (), False):
        return ""
    return show_default(setting)


def show_default(setting: Setting) -> str:
    """The default as the option's text.

    >>> show_default(settings_of(groups.Limits)["effort"])
    '20,000'
    """
    if setting.show is not None:
        return setting.show(setting.default)
    if isinstance(setting.default, int | float):
        return f"{setting.default:,.10g}"
    return str(setting.default)


def keywords_source() -> str:
    """The module `unisono.keywords`: the keywords of `measure` for type checkers and editors."""
    lines = [f"    {name}: {_annotation(each)}" for name, each in settings_of(groups.Settings).items()]
    return _KEYWORDS + "\n".join(lines) + "\n"


_KEYWORDS = '''\
# SPDX-License-Identifier: MIT
"""The keywords of `measure`, for type checkers. Made by `python -m unisono.settings`; do not edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from unisono.chance import ChanceModel


class Keywords(TypedDict, total=False):
    """Every setting of a measurement."""

'''


def _annotation(setting: Setting) -> str:
    members = [_member(setting, member) for member in setting.members]
    more = [setting.also] if setting.also else []
    return " | ".join([*members, *more, *(["None"] if setting.is_optional else [])])


def _member(setting: Setting, member: Any) -> str:
    if member is str and setting.metavar == "FILE":
        return "str | os.PathLike[str]"
    if member == tuple[str, ...]:
        return "str | Sequence[str]"
    if member == tuple[int | float, int | float]:
        return "tuple[float, float]"
    if typing.get_origin(member) is Mapping:
        key, value = typing.get_args(member)
        return f"Mapping[{key.__name__}, {_member(setting, value)}]"
    return str(member.__name__)


def write_all(root: Path) -> None:
    """Bring the typed keywords and the tables of docs/ up to date with the settings."""
    (root / "src" / "unisono" / "keywords.py").write_text(keywords_source(), encoding="utf-8")
    for page in sorted((root / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (filled := fill_tables(text)) != text:
            page.write_text(filled, encoding="utf-8")
