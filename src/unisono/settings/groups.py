# SPDX-License-Identifier: MIT
"""The settings of measuring, in groups. A field is a setting; it is written here and nowhere else.

reading.py has those of reading, correcting.py those of text-γ, service_limits.py those of `unisono serve`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from unisono.errors import Problem
from unisono.settings.bounds import LARGEST, LARGEST_SIZE, conflict
from unisono.settings.correcting import Correcting
from unisono.settings.definition import setting
from unisono.settings.parsing import parse_limit, parse_names, parse_size, show_size

#: Seeds are keys of the random generator: one 64-bit word.
LARGEST_SEED = 2**64 - 1

#: How far the mean of the samples may be from the expected disorder, relative to it (2015, section 5.3).
PRECISION = 0.02
#: Millions of elementary steps of the search for an alignment. Documents whose best alignment can be proven take far
#: less; one of hundreds of annotators does not hold up a corpus.
EFFORT = 20_000

_comparing = partial(setting, panel="Dissimilarity", is_recorded=False)
_chance = partial(setting, panel="Chance", is_recorded=False)
_other = partial(setting, panel="Measures other than γ")
_limit = partial(setting, panel="Limits", code="limit")


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
        choice_labels={
            "sporadic": "by length and overlap (sporadic)",
            "absolute": "distance of the ends (absolute)",
            "boundary": "boundaries moved or not (boundary)",
        },
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
        choice_labels={
            "nominal": "same or different",
            "ordinal": "ordered",
            "interval": "as numbers",
            "levenshtein": "by their letters (Levenshtein)",
            "jaccard": "sets of labels (Jaccard)",
            "masi": "sets of labels (MASI)",
            "tree": "paths in a tree",
        },
        choice_hints={
            "nominal": "Two categories are either the same or different.",
            "ordinal": "By their ranks in the order.",
            "interval": "Categories are numbers; their difference counts.",
            "levenshtein": "By the number of letters that differ.",
            "jaccard": "Categories are sets of labels: how much two sets share.",
            "masi": "Sets of labels; subsets count as closer.",
            "tree": "Categories are paths in a tree, such as place/city.",
        },
        unset_label="same or different",
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
        choice_labels={"identity": "identity"},
        control="Function of the distance of categories",
    )

    def conflicts(self) -> Iterator[Problem]:
        if self.alpha == self.beta == 0:
            yield conflict("[[alpha]] and [[beta]] are both 0, so all units are alike", "Give one a weight above 0.")
        if self.positional == "sporadic" and self.scale is not None:
            yield conflict(
                "[[scale]] is for [[positional]] absolute or boundary; sporadic has a scale of its own",
                "Leave it out, or choose one of those two.",
                "scale",
            )
        if self.positional in ("absolute", "boundary") and self.scale is None:
            yield conflict(
                f"[[positional]] {self.positional} needs a length that counts as one",
                "Give it with [[scale]].",
                "scale",
            )
        if self.category_distances is not None:
            for name in ("categorial", "category_order", "category_separator"):
                if getattr(self, name) is not None:
                    yield conflict(f"[[{name}]] and [[category_distances]] exclude each other")
            return
        if self.category_order is not None and self.categorial != "ordinal":
            yield conflict(
                "[[category_order]] is for [[categorial]] ordinal",
                "Leave it out, or compare categories by their order.",
            )
        if self.category_separator is not None and self.categorial not in ("jaccard", "masi", "tree"):
            yield conflict(
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
        choice_hints={
            "shift": "Units of real annotators, shifted around the continuum.",
            "corpus": "Annotations of different documents, put side by side. Recommended by the paper for several "
            "documents annotated for one purpose.",
            "statistical": "New units with the statistics of the real ones, as in pygamma-agreement.",
            "positions-kept": "The units stay, their labels are shuffled: for units that were given to the annotators.",
        },
        unset_label="chosen by the preset",
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
    plain_sampling: bool = _chance(
        False,
        "All random continua weigh the same, as in the paper. Otherwise the annotators drawn are taken into account "
        "where that saves samples. Every preset but paper samples plainly.",
        word="plain-sampling",
        see="fewer-samples.md",
        code="sampling",
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
        default_help="drawn at random, and shown",
        is_common=True,
        code="seed",
        control="Seed",
        in_benchmark=False,
    )

    def conflicts(self) -> Iterator[Problem]:
        if self.precision is not None and self.samples is not None:
            yield conflict(
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
        panel="Output",
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
        choice_labels={"position": "positions", "word": "words"},
        word="atoms",
        see="discretised.md",
        control="Atoms of a text",
    )
    predefined: bool | None = _other(
        None,
        "Whether the units are given items.",
        option="--predefined/--not-predefined",
        default_help="detected from the data",
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
        "Millions of elementary steps of the search for the alignment of a document; a fiftieth of it for that of "
        "each random continuum, a tenth with γcat or γk; none to prove everything.",
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
