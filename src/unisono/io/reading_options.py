# SPDX-License-Identifier: MIT
"""The keyword arguments of `read`, `inspect` and `stream`, and the plan of reading that is made of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict, cast

from unisono.errors import ParameterError
from unisono.io.files.encoding import check_encoding
from unisono.io.files.opening import FILE_LIMIT, NESTING_LIMIT, SIZE_LIMIT, ReadLimits
from unisono.io.formats import FORMATS
from unisono.io.layout.rules import Layout, LayoutOptions
from unisono.io.options import Settings
from unisono.io.selection import Selection, SelectionOptions
from unisono.io.tables.category_map import read_category_map
from unisono.io.tables.column_roles import UNITS, UNITS_OF_ONE, Columns
from unisono.model import CATEGORY, Position
from unisono.settings import Reading, check
from unisono.settings.table_positions import Positions


class PositionOptions(TypedDict, total=False):
    """What columns and positions mean: `unisono.settings.table_positions.Positions` has the same fields."""

    no_category: bool
    one_document: bool
    sheet: str | int | None
    thousands: str | None
    time_unit: str | None
    fps: float | None
    inclusive_ends: bool
    one_based: bool


class FileOptions(TypedDict, total=False):
    """Which files are read and how; `DEFAULTS` says what holds where one is not given."""

    columns: Columns | Mapping[str, str | int | None] | None
    participation: Any
    documents: Any
    extent: tuple[Position, Position] | None
    skip_invalid: bool
    format: str | None
    encoding: str | None
    header: bool | None
    decimal: str
    size_limit: int
    file_limit: int
    nesting_limit: int
    curation: bool
    predictions: bool
    base: Any
    versions: bool
    text_from: str | None
    split_symbol: str
    merge_symbol: str
    sentences: bool
    token_columns: Sequence[str] | None


class ColumnOptions(TypedDict, total=False):
    """Single columns by their roles."""

    annotator_column: str | int | None
    start_column: str | int | None
    end_column: str | int | None
    category_column: str | int | None
    document_column: str | int | None
    duration_column: str | int | None


class ReadingKeywords(FileOptions, LayoutOptions, PositionOptions, SelectionOptions, ColumnOptions, total=False):
    """The keyword arguments of `read`: files, a Layout, single columns, what positions mean, a Selection."""


#: What holds where one of `FileOptions` is not given; Layout, Positions and Selection have defaults of their own.
DEFAULTS: Mapping[str, Any] = {
    **dict.fromkeys(FileOptions.__annotations__),
    **dict.fromkeys(("skip_invalid", "curation", "predictions", "versions", "sentences"), False),
    "decimal": ".",
    "size_limit": SIZE_LIMIT,
    "file_limit": FILE_LIMIT,
    "nesting_limit": NESTING_LIMIT,
    "split_symbol": "|",
    "merge_symbol": "#",
}
_OTHERS = {**LayoutOptions.__annotations__, **PositionOptions.__annotations__, **SelectionOptions.__annotations__}


@dataclass(frozen=True)
class ReadingPlan:
    """How inputs are read: the settings of the formats' readers, the layout, the selection, and further tables."""

    settings: Settings
    layout: Layout
    selection: Selection
    participation: Any
    documents: Any
    base: Any
    extent: tuple[Position, Position] | None
    skip_invalid: bool
    anonymise: bool
    #: The options as they were given, for inputs that do not take some of them.
    given: Mapping[str, Any]

    @property
    def refused_in_memory(self) -> list[str]:
        """Options that make no sense for a corpus in memory, as far as they are given."""
        names = [name for name in self.given if name not in DEFAULTS]
        return self.given_among(("participation", "documents", "extent", "columns", *names))

    def given_among(self, names: Iterable[str]) -> list[str]:
        """Those of the options that were given a value other than none; a value may be a data frame."""
        return [name for name in names if (value := self.given.get(name)) is not None and value is not False
                and not (isinstance(value, tuple) and not value)]  # fmt: skip


def plan_reading(keywords: ReadingKeywords) -> ReadingPlan:
    """The plan of reading with these keyword arguments; ParameterError where one is invalid."""
    given: dict[str, Any] = {**DEFAULTS, **keywords}
    check_encoding(given["encoding"])
    limits = ReadLimits(given["size_limit"], given["file_limit"], given["nesting_limit"])
    options = {name: value for name, value in keywords.items() if name not in DEFAULTS}
    roles, layout_options, positions, selection = _split_options(given["columns"], options)
    _check_options(given["format"], given["decimal"], given["extent"], roles, positions)
    names = read_category_map(layout_options.get("category_map"), limits, given["encoding"])
    layout = Layout(**cast("Any", {**layout_options, "category_map": names}))
    rules = [rule for role in ("annotator", "document") if (rule := layout.rule(role)) is not None]
    asked = [] if positions.no_category or layout.category_from is not None else [CATEGORY]
    asked += [] if positions.one_document or layout.document_from is not None else ["document"]
    of_readers = ("format", "encoding", "curation", "predictions", "versions", "text_from", "split_symbol",
                  "merge_symbol", "sentences", "header", "decimal")  # fmt: skip
    settings = Settings(
        **{name: given[name] for name in of_readers},
        limits=limits,
        token_columns=as_tuple(given["token_columns"]),
        columns=roles,
        schema=UNITS if layout.annotator_from is None else UNITS_OF_ONE,
        positions=positions,
        asked_roles=tuple(asked),
        named_fields=frozenset(rule.argument for rule in rules if rule.kind == "field"),
    )
    return ReadingPlan(
        settings,
        layout,
        selection,
        **{name: given[name] for name in ("participation", "documents", "base", "extent", "skip_invalid")},
        anonymise=bool(options.get("anonymise")),
        given=dict(keywords),
    )


def as_tuple(names: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Several names as a tuple; a single one is a tuple of one."""
    return names if names is None else (names,) if isinstance(names, str) else tuple(names)


def show_keywords(function: Callable[..., Any], returned: type) -> None:
    """Give a function of paths and `ReadingKeywords` the signature that names each of them."""
    first = next(iter(inspect.signature(function).parameters.values()))
    types = {**FileOptions.__annotations__, **ColumnOptions.__annotations__, **_OTHERS}
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS.get(name), annotation=annotation)
        for name, annotation in types.items()
    ]
    function.__signature__ = inspect.Signature([first, *named], return_annotation=returned)  # type: ignore[attr-defined]


def _split_options(
    columns: Columns | Mapping[str, str | int | None] | None, options: Mapping[str, Any]
) -> tuple[Columns, LayoutOptions, Positions, Selection]:
    """The columns by role, the options of the layout, what positions mean, and the selection."""
    names = {f"{item.name}_column": item.name for item in fields(Columns)}
    selected = SelectionOptions.__annotations__
    known = {*names, *LayoutOptions.__annotations__, *PositionOptions.__annotations__, *selected}
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise TypeError(f"read() got an unexpected keyword argument {unknown!r}")
    single = {names[name]: column for name, column in options.items() if name in names and column is not None}
    meaning = {name: value for name, value in options.items() if name in PositionOptions.__annotations__}
    if isinstance(meaning.get("sheet"), int):
        meaning["sheet"] = str(meaning["sheet"])
    layout = {name: value for name, value in options.items() if name not in {*names, *meaning, *selected}}
    roles = replace(Columns.of(columns), **cast("Any", single))
    if meaning.get("no_category"):
        roles = replace(roles, category=roles.category or "")
    if meaning.get("one_document"):
        roles = replace(roles, document=roles.document or "")
    return roles, cast("LayoutOptions", layout), Positions(**cast("Any", meaning)), Selection.of(options)


def _check_options(
    format: str | None,
    decimal: str,
    extent: tuple[Position, Position] | None,
    columns: Columns,
    positions: Positions,
) -> None:
    if format is not None and format not in FORMATS:
        raise ParameterError.of(
            f"there is no format named {format!r}", "`unisono formats` lists them.", code="unknown-format"
        )
    given = {f"{role}_column": str(column) for role, column in columns.given() if column != ""}
    check(Reading(extent=extent, decimal=decimal, **vars(positions), **cast("Any", given)))
