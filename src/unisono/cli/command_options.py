# SPDX-License-Identifier: MIT
"""Options of the command line: those that derive from settings, and the few that only commands have."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from typing import Annotated, Any

import typer

from unisono.cli.run import usage
from unisono.errors import show_settings
from unisono.settings import Setting, option_name, problem_with, settings_of

EscapeFormulas = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        help="CSV, TSV: put ' before texts that a spreadsheet would take for formulas; else they stay as they are.",
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Files, folders or zip archives of annotations, or tables of units; - is standard input.",
        show_default=False,
    ),
]


def option(
    panel: str | None, help: str, metavar: str | None = None, *, name: str | None = None, show_default: bool = True
) -> typer.models.OptionInfo:
    """An option in a panel of the help; named after its parameter unless a name is given."""
    names = () if name is None else (name,)
    info: typer.models.OptionInfo = typer.Option(
        *names, metavar=metavar, help=help, rich_help_panel=panel, show_default=show_default
    )
    return info


def group_parameters(group: type) -> list[inspect.Parameter]:
    """The parameters of a command from which typer makes the options of a group; a field is a setting or annotated."""
    settings = settings_of(group)
    hints = typing.get_type_hints(group, include_extras=True)
    return [
        _setting_parameter(settings[field.name])
        if field.name in settings
        else inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in dataclasses.fields(group)
    ]


def _setting_parameter(setting: Setting) -> inspect.Parameter:
    kind, default = _option_type(setting)
    info = typer.Option(
        *setting.options,
        metavar=setting.metavar or ("NAME" if setting.choices else None),
        help=_help(setting),
        rich_help_panel=None if setting.is_common else setting.panel,
        show_default=_shown_default(setting),
    )
    return inspect.Parameter(
        setting.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


def _option_type(setting: Setting) -> tuple[Any, Any]:
    """The type and the default that typer sees; None where the text is still to be parsed."""
    if setting.parse is not None or any(member is str for member in setting.members):
        return str | None, None if setting.parse is not None else setting.default
    if setting.is_list:
        return list[str] | None, None
    return setting.type, setting.default


def _help(setting: Setting) -> str:
    choices = f" One of: {', '.join(setting.choices)}." if setting.choices else ""
    again = " May be given again." if setting.is_list and setting.parse is None else ""
    return show_settings(setting.help, option_name) + choices + again


def _shown_default(setting: Setting) -> bool | str:
    if setting.default_help:
        return show_settings(setting.default_help, option_name)
    if setting.show is not None and setting.default is not None:
        return setting.show(setting.default)
    return setting.default not in (None, (), False)


def group_from_options(group: type, values: dict[str, Any]) -> Any:
    """A group of settings from the values of its options; text that cannot be parsed is wrong usage."""
    settings = settings_of(group)
    return group(
        **{name: _value(settings[name], value) if name in settings else value for name, value in values.items()}
    )


def _value(setting: Setting, value: Any) -> Any:
    if value is None and (setting.parse is not None or setting.is_list):
        return setting.default
    if setting.parse is None or value is None:
        return setting.normalise(value)
    try:
        parsed = setting.parse(value)
        if parsed is None and setting.is_optional:
            return None
    except ValueError:
        parsed = None
    if parsed is None or problem_with(setting, parsed) is not None:
        usage(str(problem_with(setting, value)))  # the unparsed text is never a valid value, so there is a problem
    return parsed
