# SPDX-License-Identifier: MIT
"""The options that commands share, in groups, and what they mean: data read, a dissimilarity, limits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from unisono.cli.run import usage, usage_errors

if TYPE_CHECKING:
    from unisono import CombinedDissimilarity, Inspection
    from unisono.dissimilarity import Categorial, Positional
    from unisono.dissimilarity.categorial import FCat
    from unisono.model import Position

_INPUT = "Input"
_LAYOUT = "Layout: what is where"
_COLUMNS = "Columns of a table"
_DISSIMILARITY = "Dissimilarity"
_LIMITS = "Limits"

#: More bytes than any machine has; a size beyond it is a slip of the finger, and too large for the core.
LARGEST_SIZE = 2**60

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


class PositionalKind(StrEnum):
    """How positions are compared."""

    sporadic = "sporadic"
    absolute = "absolute"
    boundary = "boundary"


class CategorialKind(StrEnum):
    """How categories are compared."""

    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"
    levenshtein = "levenshtein"
    jaccard = "jaccard"
    masi = "masi"
    tree = "tree"


class FCatKind(StrEnum):
    """What is made of the distance of two categories."""

    identity = "identity"
    steep = "steep"


class DiscontinuousKind(StrEnum):
    """What becomes of units in several pieces."""

    hull = "hull"
    pieces = "pieces"
    skip = "skip"


def option(
    panel: str, help: str, metavar: str | None = None, *, name: str | None = None, show_default: bool = True
) -> typer.models.OptionInfo:
    """An option in a panel of the help; named after its parameter unless a name is given."""
    names = () if name is None else (name,)
    made: typer.models.OptionInfo = typer.Option(
        *names, metavar=metavar, help=help, rich_help_panel=panel, show_default=show_default
    )
    return made


def _column(what: str) -> typer.models.OptionInfo:
    return option(_COLUMNS, f"Name or number of the column with {what}.", "COLUMN")


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read, and how."""

    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Files, folders or zip archives of annotations, or tables of units; - is standard input.",
            show_default=False,
        ),
    ]
    format: Annotated[
        str | None, option(_INPUT, "Format of the files, if not to be guessed; see unisono formats.", "NAME")
    ] = None
    encoding: Annotated[str | None, option(_INPUT, "Encoding of the text, if not to be guessed.", "NAME")] = None
    documents: Annotated[str | None, option(_INPUT, "Table of documents: document, start, end, text.", "FILE")] = None
    participation: Annotated[str | None, option(_INPUT, "Table of who saw what: document, annotator.", "FILE")] = None
    extent: Annotated[
        str | None, option(_INPUT, "Where every continuum begins and ends; guessed if not given.", "START:END")
    ] = None
    skip_invalid: Annotated[bool, option(_INPUT, "Go on without the rows that are invalid.", name="--skip-invalid")] = (
        False
    )
    size_limit: Annotated[
        str | None, option(_INPUT, "Refuse files that are larger, unpacked; 2G if not given.", "SIZE")
    ] = None
    file_limit: Annotated[
        int | None, option(_INPUT, "Refuse folders and archives of more files; 100,000 if not given.", "N")
    ] = None
    nesting_limit: Annotated[
        int | None, option(_INPUT, "Refuse archives in archives beyond this depth; 3 if not given.", "N")
    ] = None
    curation: Annotated[
        bool, option(_INPUT, "Read the curated documents of an INCEpTION export too.", name="--curation")
    ] = False
    annotator_from: Annotated[
        str | None,
        option(_LAYOUT, "Where annotators' names are: parent, stem, tier, field:NAME or regex:PATTERN.", "RULE"),
    ] = None
    document_from: Annotated[
        str | None, option(_LAYOUT, "Where documents' names are: the same rules as for annotators.", "RULE")
    ] = None
    tier_pattern: Annotated[
        str | None,
        option(_LAYOUT, "Takes tier names apart by groups, e.g. (?P<annotator>[^_]+)_(?P<layer>.+).", "PATTERN"),
    ] = None
    layer: Annotated[
        list[str] | None,
        typer.Option(
            "--layer",
            "--tier",
            metavar="NAME",
            help="Layer or tier to read, * and ? for anything; may be given again.",
            rich_help_panel=_LAYOUT,
        ),
    ] = None
    category_from: Annotated[
        str | None, option(_LAYOUT, "Feature that is the category; one:other joins two.", "FEATURE")
    ] = None
    category_map: Annotated[
        str | None, option(_LAYOUT, "Table of old and new names of categories.", "FILE", name="--map")
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CATEGORY", help="Leave out units of this category; may be given again.", rich_help_panel=_LAYOUT
        ),
    ] = None
    discontinuous: Annotated[DiscontinuousKind, option(_LAYOUT, "What becomes of units in several pieces.")] = (
        DiscontinuousKind.hull
    )
    header: Annotated[
        bool | None,
        option(
            _COLUMNS,
            "Whether the first row names the columns, if not to be guessed.",
            name="--header/--no-header",
            show_default=False,
        ),
    ] = None
    decimal: Annotated[str, option(_COLUMNS, "Decimal sign: a point or a comma.", "SIGN")] = "."
    document_column: Annotated[str | None, _column("the document")] = None
    annotator_column: Annotated[str | None, _column("the annotator")] = None
    start_column: Annotated[str | None, _column("the start")] = None
    end_column: Annotated[str | None, _column("the end")] = None
    duration_column: Annotated[str | None, _column("the duration, where there is no end")] = None
    category_column: Annotated[str | None, _column("the category")] = None

    @property
    def largest(self) -> int:
        """The size limit in bytes."""
        from unisono.io import SIZE_LIMIT

        return SIZE_LIMIT if self.size_limit is None else parsed_size(self.size_limit, "--size-limit")

    def _limits(self) -> dict[str, int]:
        """The limits that were given."""
        given = {"file_limit": self.file_limit, "nesting_limit": self.nesting_limit}
        return {name: limit for name, limit in given.items() if limit is not None}

    def inspection(self, *, skip_invalid: bool | None = None) -> Inspection:
        """What the files hold, and everything that is wrong with them."""
        import unisono

        try:
            return unisono.inspect(
                self.paths,
                columns=unisono.Columns(
                    document=self.document_column,
                    annotator=self.annotator_column,
                    start=self.start_column,
                    end=self.end_column,
                    duration=self.duration_column,
                    category=self.category_column,
                ),
                participation=self.participation,
                documents=self.documents,
                extent=None if self.extent is None else parsed_extent(self.extent),
                skip_invalid=self.skip_invalid if skip_invalid is None else skip_invalid,
                format=self.format,
                encoding=self.encoding,
                header=self.header,
                decimal=self.decimal,
                size_limit=self.largest,
                **self._limits(),
                curation=self.curation,
                annotator_from=self.annotator_from,
                document_from=self.document_from,
                tier_pattern=self.tier_pattern,
                layer=self.layer or (),
                category_from=self.category_from,
                category_map=self.category_map or {},
                ignore=self.ignore or (),
                discontinuous=self.discontinuous.value,
            )
        except unisono.ParameterError as error:
            # A problem with a place lies between the option and a file; without one, in the option alone.
            if any(problem.where for problem in error.problems):
                raise
            usage(str(error))


@dataclass(frozen=True, slots=True)
class Comparing:
    """How two units are compared."""

    alpha: Annotated[
        float | None, option(_DISSIMILARITY, "Weight of the positions; 1 if not given, or what --preset says.", "X")
    ] = None
    beta: Annotated[float, option(_DISSIMILARITY, "Weight of the categories.", "X")] = 1.0
    delta_empty: Annotated[float, option(_DISSIMILARITY, "Dissimilarity of a unit to the empty unit.", "X")] = 1.0
    positional: Annotated[
        PositionalKind,
        option(
            _DISSIMILARITY, "How positions are compared: sporadic is the paper's; absolute and boundary need --scale."
        ),
    ] = PositionalKind.sporadic
    scale: Annotated[
        float | None, option(_DISSIMILARITY, "Length that counts as one: scale of absolute, window of boundary.", "X")
    ] = None
    categorial: Annotated[
        CategorialKind | None, option(_DISSIMILARITY, "How categories are compared; nominal (equal or not) by default.")
    ] = None
    category_distances: Annotated[
        str | None, option(_DISSIMILARITY, "CSV with the distance of every two categories.", "FILE")
    ] = None
    category_order: Annotated[
        str | None, option(_DISSIMILARITY, "The categories from lowest to highest, for ordinal.", "A,B,...")
    ] = None
    category_separator: Annotated[
        str | None,
        option(_DISSIMILARITY, "What parts a category: | for jaccard and masi, / for tree by default.", "TEXT"),
    ] = None
    f_cat: Annotated[
        FCatKind,
        option(_DISSIMILARITY, "What is made of a distance of categories: steep keeps far ones apart.", name="--f-cat"),
    ] = FCatKind.identity

    def dissimilarity(self, *, usual_alpha: float = 1.0) -> CombinedDissimilarity:
        """The dissimilarity that the options describe."""
        import unisono

        with usage_errors():
            positional = self._positional()
            if self.category_distances is None:
                return self._combined(positional, self._categorial(), usual_alpha)
        for name, value in (
            ("--categorial", self.categorial),
            ("--category-order", self.category_order),
            ("--category-separator", self.category_separator),
        ):
            if value is not None:
                usage(f"{name} and --category-distances exclude each other")
        matrix = unisono.read_matrix(self.category_distances, f_cat=self._f_cat)  # a bad file is bad data
        with usage_errors():
            return self._combined(positional, matrix, usual_alpha)

    def _combined(self, positional: Positional, categorial: Categorial, usual_alpha: float) -> CombinedDissimilarity:
        import unisono

        alpha = usual_alpha if self.alpha is None else self.alpha
        return unisono.CombinedDissimilarity(
            positional, categorial, alpha=alpha, beta=self.beta, delta_empty=self.delta_empty
        )

    def _positional(self) -> Positional:
        import unisono

        if self.positional is PositionalKind.sporadic:
            if self.scale is not None:
                usage("--scale is for --positional absolute or boundary; sporadic brings its own")
            return unisono.Sporadic()
        if self.scale is None:
            usage(f"--positional {self.positional.value} needs --scale: the length that counts as one")
        if self.positional is PositionalKind.absolute:
            return unisono.Absolute(self.scale)
        return unisono.Boundary(self.scale)

    def _categorial(self) -> Categorial:
        import unisono

        kind, f_cat = self.categorial or CategorialKind.nominal, self._f_cat
        parted = kind in (CategorialKind.jaccard, CategorialKind.masi, CategorialKind.tree)
        if self.category_order is not None and kind is not CategorialKind.ordinal:
            usage("--category-order is for --categorial ordinal")
        if self.category_separator is not None and not parted:
            usage("--category-separator is for --categorial jaccard, masi or tree")
        if kind is CategorialKind.ordinal:
            order = self.category_order
            return unisono.Ordinal(None if order is None else [x.strip() for x in order.split(",")], f_cat=f_cat)
        if kind is CategorialKind.interval:
            return unisono.Interval(f_cat=f_cat)
        if kind is CategorialKind.levenshtein:
            return unisono.Levenshtein(f_cat=f_cat)
        if kind is CategorialKind.tree:
            return unisono.Tree(self.category_separator or "/", f_cat=f_cat)
        if kind is CategorialKind.nominal:
            return unisono.Nominal(f_cat=f_cat)
        sets: Literal["jaccard", "masi"] = "masi" if kind is CategorialKind.masi else "jaccard"
        return unisono.SetValued(sets, self.category_separator or "|", f_cat=f_cat)

    @property
    def _f_cat(self) -> FCat:
        return "steep" if self.f_cat is FCatKind.steep else "identity"


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large a search may grow before it is stopped."""

    time_limit: Annotated[
        float | None,
        option(
            _LIMITS,
            "Stop searching for alignments after this time: one alignment, or all of a document that is measured.",
            "SECONDS",
        ),
    ] = None
    memory_limit: Annotated[
        str | None, option(_LIMITS, "Stop searching beyond this memory, e.g. 500M or 2G.", "SIZE")
    ] = None

    def checked(self) -> tuple[float | None, int | None]:
        """Seconds and bytes."""
        if self.time_limit is not None and not self.time_limit > 0:
            usage(f"--time-limit: expected seconds above 0, found {self.time_limit:g}")
        memory = self.memory_limit
        return self.time_limit, None if memory is None else parsed_size(memory, "--memory-limit")


def parsed_size(text: str, name: str) -> int:
    """Bytes from a number with or without a letter for its power of 1024; `name` is the option it was given to.

    >>> [parsed_size(text, "--size-limit") for text in ("2G", "1.5 KiB", "300")]
    [2147483648, 1536, 300]
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    size = int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " ")) if match else 0
    if not 1 <= size <= LARGEST_SIZE:
        usage(f"{name}: expected a size such as 500M or 2G, found {text!r}")
    return size


def parsed_extent(text: str, name: str = "--extent") -> tuple[Position, Position]:
    """Start and end from `START:END`; integers stay integers; `name` is the option they were given to.

    >>> parsed_extent("0:120"), parsed_extent("-1.5:3")
    ((0, 120), (-1.5, 3))
    """
    try:
        start, end = (_position(part) for part in text.split(":"))
    except ValueError:
        usage(f"{name}: expected START:END such as 0:1500, found {text!r}")
    if end < start:
        usage(f"{name}: expected an end that is not before the start, found {text!r}")
    return start, end


def _position(text: str) -> Position:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return int(text) if re.fullmatch(r"\s*[+-]?\d+\s*", text) else number
