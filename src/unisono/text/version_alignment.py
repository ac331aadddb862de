# SPDX-License-Identifier: MIT
"""Which units of different versions of a text correspond, and how much disorder that leaves.

Two annotators: the least disorder over all optimal sequence alignments (Barteld et al. 2016, sections 4 and 5). Any
number: for each pair of annotators that alignment says which units correspond; among the partitions into sets of
pairwise corresponding units, the one of least disorder, as in γ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from unisono._core import text_align
from unisono.alignment import core_limits
from unisono.model import AlignmentBase, FloatArray, IntArray
from unisono.model.versions import TextUnit, TextVersions, check_measurable
from unisono.nouns import quantity
from unisono.text.core_text import MEMORY_LIMIT, CoreText, GapCosts, core_text, too_different
from unisono.text.text_dissimilarity import TextDissimilarity

if TYPE_CHECKING:
    from unisono.text.edits import Rates

#: Version of the JSON of an alignment of texts. 1: the first.
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class TextUnitaryAlignment:
    """Corresponding units, at most one of each annotator; None for an annotator who has none.

    differences: what sets them apart: "segmentation" (somebody has no such unit), "text", names of features.
    """

    units: tuple[TextUnit | None, ...]
    texts: tuple[str | None, ...]
    disorder: float
    differences: tuple[str, ...]


class TextAlignment(AlignmentBase[TextUnitaryAlignment]):
    """A partition of the units of all versions into unitary alignments, with its disorder.

    `disorder` is the sum of the `disorders` of the unitary alignments over the mean number of units per annotator
    (section 5). `group[i]` is the unitary alignment of unit i, units counted annotator by annotator.
    """

    def __init__(
        self, core: CoreText, group: IntArray, disorders: FloatArray, total: float, bound: float, limit: str | None
    ):
        self.versions = core.versions
        self.core = core
        self.group = group
        self.disorders = disorders
        self.disorder = total / (len(group) / core.versions.n_annotators)
        self.lower_bound = bound / (len(group) / core.versions.n_annotators)
        self.limit = limit
        #: The probabilities that random versions were drawn with, where text-γ was measured.
        self.rates: Rates | None = None

    @cached_property
    def unitary_alignments(self) -> tuple[TextUnitaryAlignment, ...]:
        """The unitary alignments in the order of the text."""
        n = self.versions.n_annotators
        names = self.core.dissimilarity.names
        tables = [self.versions.labels(name) for name in names]
        units: list[list[TextUnit | None]] = [[None] * n for _ in range(len(self))]
        texts: list[list[str | None]] = [[None] * n for _ in range(len(self))]
        at = 0
        for annotator, (version, core) in enumerate(zip(self.versions.versions, self.core.full, strict=True)):
            _, starts, ends, types, labels = core.columns()
            rows = labels.reshape(len(starts), len(names)).tolist()
            for start, end, code, row in zip(starts.tolist(), ends.tolist(), types.tolist(), rows, strict=True):
                features = {
                    name: None if label < 0 else table[label]
                    for name, label, table in zip(names, row, tables, strict=True)
                }
                group = int(self.group[at])
                units[group][annotator] = TextUnit(start, end, self.core.types[code], features)
                texts[group][annotator] = version.text[start:end]
                at += 1
        unitary = [
            TextUnitaryAlignment(tuple(row), tuple(words), disorder, _differences(row, words, names))
            for row, words, disorder in zip(units, texts, self.disorders.tolist(), strict=True)
        ]
        return tuple(unitary[i] for i in _order_along_text(units))

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Numbers of unitary alignments: all, equal, and those that differ in segmentation, text or each feature."""
        kinds = Counter(kind for unitary in self.unitary_alignments for kind in unitary.differences)
        names = ("segmentation", "text", *self.core.dissimilarity.names)
        equal = sum(not unitary.differences for unitary in self.unitary_alignments)
        return {"all": len(self), "equal": equal, **{name: kinds[name] for name in names}}

    def to_dict(self) -> dict[str, Any]:
        """The alignment for JSON."""
        return {
            "schema": SCHEMA,
            "name": self.versions.name,
            "annotators": list(self.versions.annotators),
            "disorder": self.disorder,
            "differences": dict(self.counts),
            "unitary_alignments": [
                {
                    "disorder": unitary.disorder,
                    "differences": list(unitary.differences),
                    "units": [
                        None
                        if unit is None
                        else {
                            "start": unit.start,
                            "end": unit.end,
                            "type": unit.type,
                            "text": text,
                            "features": dict(unit.features),
                        }
                        for unit, text in zip(unitary.units, unitary.texts, strict=True)
                    ],
                }
                for unitary in self.unitary_alignments
            ],
        }

    def __repr__(self) -> str:
        return f"<TextAlignment: {quantity(len(self), 'unitary alignment')}, disorder {self.disorder:.6g}>"


def best_text_alignment(
    versions: TextVersions,
    dissimilarity: TextDissimilarity | None = None,
    *,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    count_gaps: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
) -> TextAlignment:
    """The alignment of least disorder among those that optimal sequence alignments induce.

    gap_t, gap_b: costs of a gap at a character and at a boundary. count_gaps: stretches without any unit are units of
    the type "gap", so that changes there count (section 8). Units of one type are aligned only with each other.

    Ties: two versions are aligned in the order of their contents, whoever made them; among sequence alignments of equal
    cost and disorder, read from the end, matches come before symbols that only the first has, those before symbols that
    only the second has, and units opened together before others. A time or memory limit that stops a sequence
    alignment leaves nothing to return: SolverLimitError.

    >>> from unisono.text import Version
    >>> texts = TextVersions.of({"ann": Version.marked("{so} {so} {so}"), "bob": Version.marked("{so} {so}")})
    >>> best_text_alignment(texts).disorder
    0.4
    """
    check_measurable(versions)
    core = core_text(versions, dissimilarity, GapCosts(gap_t, gap_b), count_gaps=count_gaps)
    return align_versions(core, time_limit=time_limit, memory_limit=memory_limit)


def align_versions(core: CoreText, *, time_limit: float | None, memory_limit: int | None) -> TextAlignment:
    """The best alignment of versions in the form that the core takes."""
    stopped, group, disorders, total, bound, limit = text_align(
        list(core.full), core.kernel, *core.gaps.whole, core_limits(time_limit, memory_limit)
    )
    if stopped:
        raise too_different(core.versions.name, limit)
    return TextAlignment(core, group, disorders, total, bound, limit or None)


def observed_disorder(
    versions: TextVersions,
    dissimilarity: TextDissimilarity | None = None,
    *,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    count_gaps: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
) -> float:
    """The observed disorder of text-γ: that of the best alignment.

    Definition: Barteld et al. 2016, section 5, for two annotators; `best_text_alignment` says how it is for more.
    Undefined: no units, fewer than two annotators (CorpusError).

    >>> from unisono.text import Version
    >>> texts = TextVersions.of({"ann": Version.marked("{aba}"), "bob": Version.marked("{a}{ab}")})
    >>> round(observed_disorder(texts), 4)
    1.3333
    """
    alignment = best_text_alignment(
        versions,
        dissimilarity,
        gap_t=gap_t,
        gap_b=gap_b,
        count_gaps=count_gaps,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return alignment.disorder


def _differences(
    units: Sequence[TextUnit | None], texts: Sequence[str | None], names: Sequence[str]
) -> tuple[str, ...]:
    there = [unit for unit in units if unit is not None]
    differences = []
    if len(there) < len(units):
        differences.append("segmentation")
    if len({text for text in texts if text is not None}) > 1:
        differences.append("text")
    differences += [name for name in names if len({unit.features.get(name) for unit in there}) > 1]
    return tuple(differences)


def _order_along_text(units: Sequence[Sequence[TextUnit | None]]) -> list[int]:
    """The order along the text: the first annotator's units, each preceded by the others' units before it."""
    order: list[int] = []
    for annotator in range(len(units[0]) if units else 0):
        mine = [(unit.start, -unit.end, row) for row, us in enumerate(units) if (unit := us[annotator]) is not None]
        place = {row: i for i, row in enumerate(order)}
        ranked = [(i, 0, row) for row, i in place.items()]
        before = len(order)
        for number, (_, _, row) in enumerate(sorted(mine, reverse=True), start=1):
            if row in place:
                before = min(before, place[row])
            else:
                ranked.append((before, -number, row))
        order = [row for _, _, row in sorted(ranked)]
    return order
