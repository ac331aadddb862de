# SPDX-License-Identifier: MIT
"""What a setting is: a field of a dataclass, with all that Python, command line, service and docs need to offer it."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from unisono.errors import show_settings

#: The key of a field's metadata under which its setting is kept.
_KEY = "setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `settings_of` fills in name, type and default from the field; the field's author gives the rest."""

    help: str  #: one sentence; may mention other settings as [[scale]]
    panel: str = ""  #: the panel of the command line's help
    name: str = ""
    type: Any = None
    default: Any = None
    default_help: str = ""  #: what applies if the setting is not given, where the default itself does not say it
    low: float | None = None  #: the smallest value
    high: float | None = None  #: the largest value
    above: float | None = None  #: a bound that is itself excluded
    below: float | None = None
    choices: tuple[str, ...] | None = None
    #: What the page calls each choice, and its explanation. A choice labelled like the unset option is not repeated.
    choice_labels: Mapping[str, str] = field(default_factory=dict)
    choice_hints: Mapping[str, str] = field(default_factory=dict)
    unset_label: str = "automatic"  #: what the page calls leaving it out, unless the default is one of the choices
    requirement: str = ""  #: what a value must be, in words; worked out from type and bounds if left out
    metavar: str | None = None
    option: str = ""  #: the option, or several separated by blanks, if its name is not the field's
    parse: Callable[[str], Any] | None = None  #: reads a value from the option's text; raises ValueError
    show: Callable[[Any], str] | None = None  #: writes a value as the option's text
    is_common: bool = False  #: whether the option stands in the first panel of the help
    see: str = ""  #: the page of docs/ that says more
    word: str = ""  #: its name in the signature; settings without one are part of another entry, or change no number
    is_recorded: bool = True  #: whether `parameters` holds the value as it was given
    code: str = "parameter"  #: the code of the problem with an invalid value
    control: str = ""  #: what the page calls it
    in_service: bool = True
    in_benchmark: bool = True
    may_be_empty: bool = False  #: whether the empty text is a value
    also: str = ""  #: a further type that Python takes, such as an object instead of its name
    example: Any = None

    @property
    def members(self) -> tuple[Any, ...]:
        """The types that values may have, None left out."""
        is_union = typing.get_origin(self.type) in (types.UnionType, typing.Union)
        members = typing.get_args(self.type) if is_union else (self.type,)
        return tuple(member for member in members if member is not type(None))

    @property
    def is_optional(self) -> bool:
        """Whether None is a value."""
        return type(None) in typing.get_args(self.type)

    @property
    def is_list(self) -> bool:
        """Whether a value is any number of texts."""
        return tuple[str, ...] in self.members

    @property
    def page_options(self) -> tuple[tuple[str, str, str], ...]:
        """The options of the page's menu: value, label and explanation; the value of the first, leaving it out, is ''.

        >>> Setting("", choices=("a", "b"), default="a", choice_labels={"a": "first", "b": "second"}).page_options
        (('', 'first', ''), ('b', 'second', ''))
        """
        choices = self.choices or ()
        unset = self.choice_labels.get(self.default, self.default) if self.default in choices else self.unset_label
        named = [(choice, self.choice_labels.get(choice, choice)) for choice in choices]
        hint = next((self.choice_hints.get(choice, "") for choice, label in named if label == unset), "")
        others = ((choice, label, self.choice_hints.get(choice, "")) for choice, label in named if label != unset)
        return ("", unset, hint), *others

    @property
    def has_table(self) -> bool:
        """Whether a value may be a table: a mapping."""
        return any(typing.get_origin(member) is Mapping for member in self.members)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of its option on the command line, the usual one first."""
        return tuple(self.option.split()) if self.option else (f"--{self.name.replace('_', '-')}",)

    @property
    def expectation(self) -> str:
        """What a value must be, in words.

        >>> Setting("", type=float, above=0.0, high=1e9).expectation
        'a number above 0 and up to 1,000,000,000'
        """
        if self.requirement:
            return self.requirement
        if self.choices is not None:
            return f"one of {', '.join(self.choices)}"
        if bool in self.members:
            return "true or false"
        if int in self.members or float in self.members:
            return f"{'a number' if float in self.members else 'a whole number'}{self._bounds()}"
        if self.is_list:
            return "a list of names"
        if self.metavar == "FILE":
            return "the path of a file, or a table" if self.has_table else "the path of a file"
        return "a text of at least one character"

    def describe(self, name: Callable[[str], str]) -> str:
        """The help text and the default, with other settings called by `name`."""
        if self.default_help:
            return show_settings(f"{self.help} Default: {self.default_help}.", name)
        return show_settings(self.help, name)

    def normalise(self, value: Any) -> Any:
        """The value as the group holds it: lists as tuples, and a single text as a list of one."""
        if self.is_list and isinstance(value, str):
            return (value,)
        return tuple(value) if isinstance(value, list) else value

    def _bounds(self) -> str:
        low, high, above, below = (
            None if bound is None else f"{bound:,.0f}" if bound == int(bound) else f"{bound:g}"
            for bound in (self.low, self.high, self.above, self.below)
        )
        if above is not None and below is not None:
            return f" between {above} and {below}"
        if above is not None:
            return f" above {above} and up to {high}" if high else f" above {above}"
        if low is not None:
            return f" from {low} to {high}" if high else f" of at least {low}"
        return f" up to {high}" if high else ""


def setting(default: Any, help: str, **details: Any) -> Any:
    """A field of a dataclass that is a setting; `details` are the fields of `Setting`."""
    return field(default=default, metadata={_KEY: Setting(help, **details)})


def settings_of(group: Any) -> Mapping[str, Setting]:
    """The settings of a group by name, in the order of its fields."""
    return _collect_settings(group)  # not cached itself, because type checkers do not take type[Any] as hashable


@cache
def _collect_settings(group: Any) -> Mapping[str, Setting]:
    hints = typing.get_type_hints(group)
    return {
        each.name: replace(each.metadata[_KEY], name=each.name, type=hints[each.name], default=each.default)
        for each in dataclasses.fields(group)
        if _KEY in each.metadata
    }
