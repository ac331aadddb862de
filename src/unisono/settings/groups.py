# SPDX-License-Identifier: MIT
"""The settings, in groups. A field is a setting; its author writes it here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from unisono.errors import Problem
from unisono.settings.correcting import Correcting
from unisono.settings.definition import setting
from unisono.settings.positions import Positions
from unisono.settings.texts import parse_extent, parse_limit, parse_names, parse_size, show_size

#: The largest weight, length or distance that is not a slip.
LARGEST = 1e9
#: More bytes than any machine has; sizes beyond it do not fit the core's numbers.
LARGEST_SIZE = 2**60
#: Seeds are keys of the random generator: one 64-bit word.
LARGEST_SEED = 2**64 - 1

#: How far the mean of the samples may be from the expected disorder, relative to it (2015, section 5.3).
PRECISION = 0.02
#: Millions of elementary steps of the search for an alignment. Documents whose best alignment can be proven take far
#: less; one of hundreds of annotators does not hold up a corpus.
EFFORT = 20_000

GIB = 2**30

_input = partial(setting, panel="Input", in_benchmark=False, is_recorded=False)
_layout = partial(setting, panel="Layout: what is where", in_benchmark=False, is_recorded=False)
_selection = partial(setting, panel="Selection", metavar="NAME", in_benchmark=False, is_recorded=False)
_table = partial(setting, panel="Columns of a table", in_benchmark=False, is_recorded=False)
_versions = partial(setting, panel="Versions of a text", in_benchmark=False, is_recorded=False)
_comparing = partial(setting, panel="Dissimilarity", is_recorded=False)
_chance = partial(setting, panel="Chance", is_recorded=False)
_other = partial(setting, panel="Measures other than γ")
_limit = partial(setting, panel="Limits", code="limit")


def _column(what: str) -> str | None:
    return _table(None, f"Name or number of the column with {what}.", metavar="COLUMN")  # type: ignore[no-any-return]


def _conflict(message: str, remedy: str = "Leave one of them out.", code: str = "parameter") -> Problem:
    return Problem(code, "error", "", message, remedy)


@dataclass(frozen=True, kw_only=True)
class Files:
    """Which files are read, and how they are understood."""

    format: str | None = _input(
        None,
        "Format of the files; see unisono formats.",
        metavar="NAME",
        default_help="told by the files",
        control="Format",
    )
    encoding: str | None = _input(
        None, "Encoding of the text.", metavar="NAME", default_help="told by the files", control="Encoding"
    )
    documents: str | None = _input(
        None,
        "Table of documents: document, start, end, text.",
        metavar="FILE",
        control="Table of documents (start, end, text)",
    )
    participation: str | None = _input(
        None,
        "Table of who saw what: document, annotator. Somebody who saw a document and marked nothing counts.",
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
        default_help="told by the files",
        control="Annotators' names",
    )
    document_from: str | None = _layout(
        None,
        "Where documents' names are: the same rules as for annotators.",
        metavar="RULE",
        default_help="told by the files",
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
        default_help="told by the file",
        control="First row of a table",
    )
    decimal: str = _table(
        ".",
        "Decimal sign: a point or a comma.",
        metavar="SIGN",
        choices=(".", ","),
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
            yield _conflict(f"[[extent]] ends ({end}) before it starts ({start})", "Are the two swapped?")


@dataclass(frozen=True, kw_only=True)
class Reading(Positions, Files):
    """How files are read; what is left out is worked out from the files."""


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """How two units are compared: the dissimilarity."""

    alpha: float | None = _comparing(
        None,
        "Weight of the positions.",
        metavar="X",
        low=0,
        high=LARGEST,
        default_help="1, or what [[preset]] says",
        is_common=True,
    )
    beta: float = _comparing(1.0, "Weight of the categories.", metavar="X", low=0, high=LARGEST)
    delta_empty: float = _comparing(
        1.0, "Dissimilarity of a unit to the empty unit.", metavar="X", above=0, high=LARGEST
    )
    positional: str = _comparing(
        "sporadic",
        "How positions are compared; sporadic is the paper's, absolute (also for points) and boundary (for "
        "segmentations) need [[scale]].",
        choices=("sporadic", "absolute", "boundary"),
        see="dissimilarities.md",
        control="How positions are compared",
    )
    scale: float | None = _comparing(
        None,
        "Length that counts as one: the scale of absolute, the window of boundary.",
        metavar="X",
        above=0,
        high=LARGEST,
        control="Length that counts as 1",
    )
    categorial: str | None = _comparing(
        None,
        "How categories are compared.",
        choices=("nominal", "ordinal", "interval", "levenshtein", "jaccard", "masi", "tree"),
        default_help="nominal: equal or not",
        is_common=True,
        see="dissimilarities.md",
        control="How categories are compared",
    )
    category_distances: str | Mapping[str, Mapping[str, float]] | None = _comparing(
        None,
        "The distance of every two categories, from 0 to 1, instead of [[categorial]].",
        metavar="FILE",
        see="dissimilarities.md",
        control="Distances of categories",
        example={"Person": {"Location": 1, "Organisation": 0.5}, "Location": {"Organisation": 0.5}},
    )
    category_order: tuple[str, ...] | None = _comparing(
        None,
        "The categories from lowest to highest, for ordinal.",
        metavar="A,B,...",
        parse=parse_names,
        default_help="sorted",
        control="Categories from lowest to highest, one per line",
    )
    category_separator: str | None = _comparing(
        None,
        "What separates the parts of a category, for jaccard, masi and tree.",
        metavar="TEXT",
        default_help="| for jaccard and masi, / for tree",
        control="Separator within a category",
    )
    f_cat: str = _comparing(
        "identity",
        "Function of the distance of two categories: steep keeps distant categories apart (2015, footnote 2).",
        choices=("identity", "steep"),
        control="Function of the distance of categories",
    )

    def conflicts(self) -> Iterator[Problem]:
        if self.alpha == self.beta == 0:
            yield _conflict("[[alpha]] and [[beta]] are both 0, so all units are alike", "Give one a weight above 0.")
        if self.positional == "sporadic" and self.scale is not None:
            yield _conflict(
                "[[scale]] is for [[positional]] absolute or boundary; sporadic has a scale of its own",
                "Leave it out, or choose one of those two.",
                "scale",
            )
        if self.positional in ("absolute", "boundary") and self.scale is None:
            yield _conflict(
                f"[[positional]] {self.positional} needs a length that counts as one",
                "Give it with [[scale]].",
                "scale",
            )
        if self.category_distances is not None:
            for name in ("categorial", "category_order", "category_separator"):
                if getattr(self, name) is not None:
                    yield _conflict(f"[[{name}]] and [[category_distances]] exclude each other")
            return
        if self.category_order is not None and self.categorial != "ordinal":
            yield _conflict(
                "[[category_order]] is for [[categorial]] ordinal",
                "Leave it out, or compare categories by their order.",
            )
        if self.category_separator is not None and self.categorial not in ("jaccard", "masi", "tree"):
            yield _conflict(
                "[[category_separator]] is for [[categorial]] jaccard, masi or tree",
                "Leave it out, or choose one of them.",
            )


@dataclass(frozen=True, kw_only=True)
class Estimating:
    """How the expected disorder is estimated."""

    preset: str = _chance(
        "paper",
        "Whose choices where papers and programs differ: the papers', those behind the figures published in 2017 "
        "(greyc-2017: an experimental variant, slow), or pygamma-agreement's.",
        choices=("paper", "greyc", "greyc-2017", "pygamma"),
        is_common=True,
        see="gamma-cat.md#presets",
        code="preset",
        control="Preset",
    )
    chance: str | None = _chance(
        None,
        "How random continua are made.",
        choices=("shift", "corpus", "statistical", "positions-kept"),
        default_help="shift, or what [[preset]] says",
        is_common=True,
        see="chance-models.md",
        code="chance",
        also="ChanceModel",
        control="Chance model",
    )
    precision: float | None = _chance(
        None,
        "Relative precision of the expected disorder: as many random continua are drawn as it asks for.",
        metavar="X",
        above=0,
        below=1,
        default_help=f"{PRECISION:g}",
        is_common=True,
        code="sampling",
        control="Samples",
    )
    samples: int | None = _chance(
        None,
        "A fixed number of random continua, instead of [[precision]].",
        metavar="N",
        low=2,
        high=10_000_000,
        is_common=True,
        code="sampling",
        control="Samples",
    )
    level: float = _chance(
        0.95,
        "Confidence level of precision and intervals.",
        metavar="X",
        above=0,
        below=1,
        code="sampling",
        control="Confidence level, in percent",
    )
    seed: int | None = _chance(
        None,
        "Start of the random numbers; the same seed gives the same values.",
        metavar="N",
        low=0,
        high=LARGEST_SEED,
        requirement="a whole number from 0 to 2**64-1",
        default_help="drawn, and shown",
        is_common=True,
        code="seed",
        control="Seed",
        in_benchmark=False,
    )

    def conflicts(self) -> Iterator[Problem]:
        if self.precision is not None and self.samples is not None:
            yield _conflict(
                "[[precision]] and [[samples]] exclude each other: the number of samples is given, or worked out",
                code="sampling",
            )


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """What single measures need."""

    categories: tuple[str, ...] | None = setting(
        None,
        "Only this category in gamma-k.",
        panel="Measures of categories",
        metavar="NAME",
        option="--category",
        default_help="all",
        in_benchmark=False,
        control="Only these categories in γk, one per line",
    )
    tie_range: bool = setting(
        False,
        "The range of gamma-cat and gamma-k over all tied best alignments.",
        panel="Measures of categories",
        see="gamma-cat.md",
        in_benchmark=False,
        is_recorded=False,
        control="Range of γcat and γk over all tied best alignments",
    )
    sensitivity: bool = setting(
        False,
        "Also γ under other choices: weights, extent, chance model, without annotators who marked nothing.",
        panel="To keep and to show",
        see="sensitivity.md",
        in_benchmark=False,
        is_recorded=False,
        control="How much do the choices matter? γ under other choices",
    )
    reference: str | None = _other(
        None,
        "The annotator who is right, for measures that compare with one (SER, F1, WindowDiff, ...).",
        metavar="ANNOTATOR",
        default_help="none: every pair, both ways",
        word="reference",
        in_benchmark=False,
        control="Reference annotator, for measures that need one",
    )
    step: float | None = _other(
        None,
        "Length of an atom, where positions are not whole numbers.",
        metavar="X",
        above=0,
        high=LARGEST,
        word="step",
        see="discretised.md",
        control="Length of an atom",
    )
    atoms: str = _other(
        "position",
        "What a text is cut into, for discretised measures.",
        choices=("position", "word"),
        word="atoms",
        see="discretised.md",
        control="Atoms of a text",
    )
    predefined: bool | None = _other(
        None,
        "Whether the units are given items.",
        option="--predefined/--not-predefined",
        default_help="told by the data",
        word="predefined",
        see="kappa.md",
        control="Units were given to the annotators (predefined)",
    )
    window: float | None = _other(
        None,
        "How far a moved boundary is forgiven, for segmentation measures.",
        metavar="X",
        above=0,
        high=LARGEST,
        default_help="by the measure",
        word="window",
        see="segmentation.md",
        control="Tolerance for a moved boundary",
    )


_effort = partial(
    _limit,
    metavar="N",
    parse=parse_limit,
    show=lambda effort: f"{effort:,.10g}",
    above=0,
    high=LARGEST,
    requirement="a number above 0, or none",
    word="effort",
    see="alignment.md#limits",
    control="Millions of steps for the alignment of a document",
)


@dataclass(frozen=True, kw_only=True)
class SearchLimits:
    """How long and how large a search may grow before it is stopped."""

    time_limit: float | None = _limit(
        None,
        "Seconds for all the alignments of a document; the work is stopped there, on a slower machine earlier.",
        metavar="SECONDS",
        above=0,
        high=LARGEST,
        word="time-limit",
        see="alignment.md#limits",
        control="Time limit for the alignments of a document, in seconds",
    )
    memory_limit: int | None = _limit(
        None,
        "Memory for each search of an alignment, such as 500M or 2G; the search is stopped there.",
        metavar="SIZE",
        parse=parse_size,
        show=show_size,
        low=1,
        high=LARGEST_SIZE,
        requirement="a size such as 500M or 2G",
        word="memory-limit",
        see="alignment.md#limits",
        in_service=False,
        in_benchmark=False,
    )


@dataclass(frozen=True, kw_only=True)
class AlignmentLimits(SearchLimits):
    """The limits of commands that align without measuring: none unless it is given."""

    effort: float | None = _effort(None, "Millions of elementary steps of the search for an alignment.")


@dataclass(frozen=True, kw_only=True)
class Limits(SearchLimits):
    """The limits of a measurement."""

    effort: float | None = _effort(
        EFFORT,
        "Millions of elementary steps of the search for the alignment of a document, and a tenth of it for that of "
        "each random continuum; none for no limit.",
    )


@dataclass(frozen=True, kw_only=True)
class Working:
    """Where the work is done; it changes no number."""

    threads: int | None = setting(
        None,
        "Threads. Changes no number.",
        panel="Work",
        metavar="N",
        option="--jobs",
        low=1,
        high=LARGEST,
        default_help="all processors",
        code="threads",
        is_recorded=False,
        in_service=False,
        in_benchmark=False,
    )


@dataclass(frozen=True, kw_only=True)
class Settings(Working, Limits, Correcting, Measuring, Estimating, Comparing):
    """Every setting of a measurement but the data and the names of the measures."""
