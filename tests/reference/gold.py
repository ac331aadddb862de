# SPDX-License-Identifier: MIT
"""The slow twin of the gold standard: every rule of docs/gold.md, unitary alignment by unitary alignment, in fractions.

It takes the alignment as given and never looks at columns, so that it shares nothing with unisono.analysis.gold but the
rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

from unisono.model import Alignment, Position, Unit


@dataclass(frozen=True)
class Consensus:
    start: Position
    end: Position
    category: str | None
    support: int
    kept: bool
    look: tuple[str, ...]


def consensus(
    alignment: Alignment,
    *,
    weights: dict[str, int] | None = None,
    boundaries: str = "median",
    min_annotators: int | None = None,
    overlap: Fraction = Fraction(1, 2),
    same_category: bool = False,
) -> list[Consensus]:
    """What becomes of each unitary alignment; weights are whole numbers here."""
    annotators = alignment.continuum.annotators
    votes_of = dict.fromkeys(annotators, 1) if weights is None else weights
    everybody = sum(votes_of[name] for name in annotators)
    popularity = Counter(unit.category for unit in alignment.continuum)
    made = []
    for unitary in alignment.unitary_alignments:
        units = [unit for unit in unitary.units if unit is not None]
        votes = [votes_of[str(unit.annotator)] for unit in units]
        start, end, _ = stretch(units, votes, boundaries)
        near = [is_near(unit, start, end, overlap) for unit in units]
        if not any(near):
            first = min(zip(units, votes, strict=True), key=lambda each: (-each[1], each[0].start, each[0].end))[0]
            near = [is_near(unit, first.start, first.end, overlap) for unit in units]
        votes = [vote if is_one else 0 for vote, is_one in zip(votes, near, strict=True)]
        category, leading, tied = winner([unit.category for unit in units], votes, popularity)
        weak = not tied and 2 * leading <= sum(votes)
        counts = [yes and (not same_category or u.category == category) for u, yes in zip(units, near, strict=True)]
        votes = [vote if is_one else 0 for vote, is_one in zip(votes, counts, strict=True)]
        start, end, split = stretch(units, votes, boundaries)
        backed = 2 * sum(votes) > everybody
        kept = backed if min_annotators is None else sum(counts) >= min_annotators
        look = {"support": not backed, "tie": tied, "category": weak, "apart": not all(near), "boundary-tie": split}
        reasons = tuple(name for name, is_so in look.items() if is_so) if kept else ("dropped",)
        made.append(Consensus(start, end, category, sum(counts), kept, reasons))
    same = Counter((one.start, one.end, one.category) for one in made if one.kept)
    return [
        replace(one, look=(*one.look, "twice")) if one.kept and same[one.start, one.end, one.category] > 1 else one
        for one in made
    ]


def winner(labels: list[str | None], votes: list[int], popularity: Counter[str | None]) -> tuple[str | None, int, bool]:
    """Most votes, then most units in the corpus, then the alphabet; no category comes last."""
    counts: Counter[str | None] = Counter()
    for label, vote in zip(labels, votes, strict=True):
        counts[label] += vote
    best = min(
        counts,
        key=lambda label: (-counts[label], 0 if label is None else -popularity[label], label is None, label or ""),
    )
    return best, counts[best], sum(count == counts[best] for count in counts.values()) > 1


def medians(positions: list[Position], votes: list[int]) -> tuple[Position, Position]:
    """Lower and upper weighted median; the extremes where nobody has a vote."""
    order = sorted(zip(positions, votes, strict=True))
    total = sum(votes)
    low = high = None
    so_far = 0
    for position, vote in order:
        so_far += vote
        if low is None and 2 * so_far >= total:
            low = position
        if high is None and 2 * so_far > total:
            high = position
    assert low is not None
    return low, order[-1][0] if high is None else high


def stretch(units: list[Unit], votes: list[int], rule: str) -> tuple[Position, Position, bool]:
    starts, ends = [unit.start for unit in units], [unit.end for unit in units]
    low_start, high_start = medians(starts, votes)
    low_end, high_end = medians(ends, votes)
    if isinstance(units[0].start, int):
        median: tuple[Position, Position] = low_start, high_end
    else:
        median = low_start + (high_start - low_start) / 2, low_end + (high_end - low_end) / 2
    if rule == "median":
        return *median, False
    start, start_tied = mode(starts, votes, Fraction(low_start) + Fraction(high_start), latest=False)
    end, end_tied = mode(ends, votes, Fraction(low_end) + Fraction(high_end), latest=True)
    if end < start:
        return *median, True
    return start, end, start_tied or end_tied


def mode(positions: list[Position], votes: list[int], twice_median: Fraction, *, latest: bool) -> tuple[Position, bool]:
    counts: Counter[Position] = Counter()
    for position, vote in zip(positions, votes, strict=True):
        counts[position] += vote
    best = min(
        counts,
        key=lambda p: (-counts[p], abs(2 * Fraction(p) - twice_median), -p if latest else p),
    )
    return best, sum(count == counts[best] for count in counts.values()) > 1


def is_near(unit: Unit, start: Position, end: Position, overlap: Fraction) -> bool:
    """Whether intersection over union is large enough, and not nothing; units without length are always near."""
    union = max(Fraction(unit.end), Fraction(end)) - min(Fraction(unit.start), Fraction(start))
    shared = min(Fraction(unit.end), Fraction(end)) - max(Fraction(unit.start), Fraction(start))
    return unit.start == unit.end or (shared > 0 and shared >= overlap * union)
