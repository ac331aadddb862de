# SPDX-License-Identifier: MIT
"""Texts that derive from the settings: tables of options for docs/, menus of the page, the keywords of `measure`."""

from __future__ import annotations

import html
import re
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono import settings as groups
from unisono.errors import show_settings
from unisono.settings.definition import Setting, settings_of
from unisono.settings.setting_names import option_name

#: A menu of the page: its tag, the name of its setting, and options of the page's own.
_SELECT = re.compile(r'(<select [^>]*data-key="(\w+)"[^>]*>)(.*?)</select>', re.DOTALL)
_OWN_OPTION = re.compile(r"<option [^>]*data-own.*?</option>")

_MARK = re.compile(r"(<!-- settings: ([A-Za-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def options_table(*names: str) -> str:
    """The options of the groups of these names as a table in Markdown."""
    settings = [each for name in names for each in settings_of(getattr(groups, name)).values()]
    rows = [f"| {_option(each)} | {_meaning(each)} | {_default(each)} |" for each in settings]
    return "\n".join(["| option | meaning | default |", "|---|---|---|", *rows, ""])


def fill_tables(text: str) -> str:
    """The page with every table between `<!-- settings: GROUP ... -->` and `<!-- end -->` made anew."""
    return _MARK.sub(lambda mark: f"{mark[1]}\n{options_table(*mark[2].split())}\n{mark[3]}", text)


def fill_menus(page: str) -> str:
    """The page with the options of every menu of choices made anew; those marked `data-own` stay, after the first."""
    return _SELECT.sub(_menu, page)


def _menu(select: re.Match[str]) -> str:
    setting = _settings_of_page().get(select[2])
    if setting is None or setting.choices is None or setting.name == "preset":  # the service explains the presets
        return select[0]
    options = [_menu_option(*option) for option in setting.page_options]
    options[1:1] = _OWN_OPTION.findall(select[3])
    if any(hint for _, _, hint in setting.page_options):  # long: one on each line
        return "\n        ".join([select[1], *options]) + "\n      </select>"
    return f"{select[1]}{''.join(options)}</select>"


def _menu_option(value: str, label: str, hint: str) -> str:
    about = f' data-hint="{html.escape(hint)}"' if hint else ""
    return f'<option value="{html.escape(value)}"{about}>{html.escape(label)}</option>'


def _settings_of_page() -> Mapping[str, Setting]:
    return {**settings_of(groups.Reading), **settings_of(groups.Settings)}


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
    """Bring the typed keywords, the tables of docs/ and the menus of the page up to date with the settings."""
    (root / "src" / "unisono" / "keywords.py").write_text(keywords_source(), encoding="utf-8")
    for document in sorted((root / "docs").glob("*.md")):
        text = document.read_text(encoding="utf-8")
        if (filled := fill_tables(text)) != text:
            document.write_text(filled, encoding="utf-8")
    page = root / "src" / "unisono" / "frontend" / "index.html"
    page.write_text(fill_menus(page.read_text(encoding="utf-8")), encoding="utf-8")
