# SPDX-License-Identifier: MIT
"""The settings of reading: which files, where names are, which units, which columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from unisono.errors import Problem
from unisono.settings.bounds import GIB, LARGEST, LARGEST_SIZE, conflict
from unisono.settings.definition import setting
from unisono.settings.parsing import parse_extent, parse_names, parse_size, show_size
from unisono.settings.table_positions import Positions

_input = partial(setting, panel="Input", in_benchmark=False, is_recorded=False)
_layout = partial(setting, panel="Layout: what is where", in_benchmark=False, is_recorded=False)
_selection = partial(setting, panel="Selection", metavar="NAME", in_benchmark=False, is_recorded=False)
_table = partial(setting, panel="Columns of a table", in_benchmark=False, is_recorded=False)
_versions = partial(setting, panel="Versions of a text", in_benchmark=False, is_recorded=False)


def _column(what: str) -> str | None:
    return _table(None, f"Name or number of the column with {what}.", metavar="COLUMN")  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class Files:
    """Which files are read, and how they are understood."""

    format: str | None = _input(
        None,
        "Format of the files; see unisono formats.",
        metavar="NAME",
        default_help="detected from the files",
        control="Format",
    )
    encoding: str | None = _input(
        None, "Encoding of the text.", metavar="NAME", default_help="detected from the files", control="Encoding"
    )
    documents: str | None = _input(
        None,
        "Table of documents: document, start, end, text.",
        metavar="FILE",
        control="Table of documents (start, end, text)",
    )
    participation: str | None = _input(
        None,
        "Table of who saw what: document, annotator. Annotators who saw a document and marked nothing count.",
        metavar="FILE",
        control="Table of who annotated which document",
    )
    extent: tuple[int | float, int | float] | None = _input(
        None,
        "Where every continuum begins and ends.",
        metavar="START:END",
        parse=parse_extent,
        requirement="START:END such as 0:1500",
        default_help="what the files say, or the first start and the last end",
        control="Extent of every continuum",
    )
    skip_invalid: bool = _input(
        False,
        "Go on without the rows that are invalid; their number is part of the result.",
        control="Go on without invalid rows",
    )
    size_limit: int = _input(
        2 * GIB,
        "Refuse files that are larger, unpacked.",
        metavar="SIZE",
        parse=parse_size,
        show=show_size,
        low=1,
        high=LARGEST_SIZE,
        requirement="a size such as 500M or 2G",
        in_service=False,
    )
    file_limit: int = _input(
        100_000, "Refuse folders and archives of more files.", metavar="N", low=1, high=LARGEST, in_service=False
    )
    nesting_limit: int = _input(
        3, "Refuse archives in archives beyond this depth.", metavar="N", low=1, high=100, in_service=False
    )
    curation: bool = _input(
        False,
        "Read the curated documents of an INCEpTION export too, as annotator CURATION_USER.",
        control="Curated documents too (INCEpTION)",
    )
    predictions: bool = _input(
        False,
        "Read the predictions of models (Label Studio, Argilla, Prodigy) too, as units of annotators named after them.",
        control="Predictions of models too",
    )
    versions: bool = _versions(
        False,
        "Each file is one annotator's version of a text, and its name is the annotator's, as for unisono text.",
        see="text-gamma.md#files",
        control="Each file is an annotator’s version of the text",
    )
    base: str | None = _versions(
        None,
        "The pre-annotation that the annotators started from.",
        metavar="FILE",
        see="text-gamma.md#files",
        in_service=False,
    )
    text_from: str | None = _versions(
        None,
        "CorA-XML: where the words of the text are.",
        choices=("utf", "trans", "simple", "ascii"),
        default_help="the first that every unit has",
    )
    split_symbol: str = _versions(
        "|",
        "CorA-XML, trans: the sign that cuts a token in two.",
        metavar="SIGN",
        may_be_empty=True,
    )
    merge_symbol: str = _versions(
        "#",
        "CorA-XML, trans: the sign that joins two tokens.",
        metavar="SIGN",
        may_be_empty=True,
    )
    sentences: bool = _versions(
        False, "Sentences are units too (CoNLL-U, columns of tokens).", control="Sentences are units too"
    )
    token_columns: tuple[str, ...] | None = _versions(
        None,
        "Columns of a file of tokens without a header: form,pos,...",
        metavar="NAMES",
        parse=parse_names,
        default_help="named by the first line",
    )
    annotator_from: str | None = _layout(
        None,
        "Where annotators' names are: parent (the folder), stem (the file's name), tier, field:NAME or regex:PATTERN.",
        metavar="RULE",
        default_help="detected from the files",
        control="Annotators' names",
    )
    document_from: str | None = _layout(
        None,
        "Where documents' names are: the same rules as for annotators.",
        metavar="RULE",
        default_help="detected from the files",
        control="Documents' names",
    )
    tier_pattern: str | None = _layout(
        None,
        "Splits tier names by groups named annotator, layer, document: (?P<annotator>[^_]+)_(?P<layer>.+).",
        metavar="PATTERN",
        control="Pattern for the parts of tier names",
    )
    layer: tuple[str, ...] = _layout(
        (),
        "Layer or tier to read; * and ? stand for anything.",
        metavar="NAME",
        option="--layer --tier",
        control="Layers or tiers to read",
    )
    per_layer: bool = _layout(
        False,
        "A value for each layer or tier: the layers of a document are read as documents of their own.",
        control="A value for each layer or tier",
    )
    category_from: str | None = _layout(
        None, "Feature that is the category; one:other joins two.", metavar="FEATURE", control="Category"
    )
    category_map: str | Mapping[str, str] | None = _layout(
        None,
        "Table of old and new names of categories; categories with the same new name are merged.",
        metavar="FILE",
        option="--map",
        control="Rename, merge or leave out categories",
    )
    ignore: tuple[str, ...] = _layout(
        (),
        "Leave out units of this category.",
        metavar="CATEGORY",
        control="Rename, merge or leave out categories",
    )
    discontinuous: str = _layout(
        "hull",
        "How units in several pieces are read: as their hull, as pieces, or not at all (skip).",
        choices=("hull", "pieces", "skip"),
        choice_labels={
            "hull": "from first start to last end (hull)",
            "pieces": "each piece a unit",
            "skip": "left out",
        },
        code="layout",
        control="Units in several pieces",
    )
    only_annotators: tuple[str, ...] = _selection(
        (), "Read only this annotator; * and ? stand for anything.", control="Only these annotators"
    )
    exclude_annotators: tuple[str, ...] = _selection(
        (), "Leave out this annotator; * and ? stand for anything.", control="Without these annotators"
    )
    only_documents: tuple[str, ...] = _selection(
        (), "Read only this document; * and ? stand for anything.", control="Only these documents"
    )
    exclude_documents: tuple[str, ...] = _selection(
        (), "Leave out this document; * and ? stand for anything.", control="Without these documents"
    )
    only_categories: tuple[str, ...] = _selection(
        (),
        "Read only units of this category, before [[ignore]] and [[category_map]]; * and ? stand for anything.",
        control="Only these categories",
    )
    anonymise: bool = _selection(
        False,
        "Letters instead of the annotators' names, by a fixed rule.",
        metavar=None,
        see="report.md",
        control="Letters instead of annotators’ names",
    )
    header: bool | None = _table(
        None,
        "Whether the first row names the columns.",
        option="--header/--no-header",
        default_help="detected from the file",
        control="First row of a table",
    )
    decimal: str = _table(
        ".",
        "Decimal sign: a point or a comma.",
        metavar="SIGN",
        choices=(".", ","),
        choice_labels={".": "point", ",": "comma"},
        requirement="a point or a comma",
        control="Decimal sign",
    )
    document_column: str | None = _column("the document")
    annotator_column: str | None = _column("the annotator")
    start_column: str | None = _column("the start")
    end_column: str | None = _column("the end")
    duration_column: str | None = _column("the duration, where there is no end")
    category_column: str | None = _column("the category")

    def conflicts(self) -> Iterator[Problem]:
        if self.extent is not None and self.extent[1] < self.extent[0]:
            start, end = self.extent
            yield conflict(f"[[extent]] ends ({end}) before it starts ({start})", "Are the two swapped?")


@dataclass(frozen=True, kw_only=True)
class Reading(Positions, Files):
    """How files are read; what is left out is worked out from the files."""
