# SPDX-License-Identifier: MIT
"""The slow twin of the gold standard: every rule of docs/gold.md, unitary alignment by unitary alignment, in fractions.

It takes the alignment as given and never looks at columns, so that it shares nothing with unisono.consensus but the
rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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
    popularity: Counter[str | None] | None = None,
) -> list[Consensus]:
    """What becomes of each unitary alignment; weights are whole numbers here."""
    annotators = alignment.continuum.annotators
    votes_of = dict.fromkeys(annotators, 1) if weights is None else weights
    everybody = sum(votes_of[name] for name in annotators)
    if popularity is None:
        popularity = Counter(unit.category for unit in alignment.continuum)
    rows = []
    for unitary in alignment.unitary_alignments:
        units = [unit for unit in unitary.units if unit is not None]
        votes = [votes_of[str(unit.annotator)] for unit in units]
        start, end, split = stretch(units, votes, boundaries)
        category, leading, tied = winner([unit.category for unit in units], votes, popularity)
        backed = 2 * sum(votes) > everybody
        kept = backed if min_annotators is None else len(units) >= min_annotators
        rows.append((units, votes, start, end, split, category, leading, tied, backed, kept))
    kept_ones = Counter((start, end, category) for _, _, start, end, _, category, _, _, _, kept in rows if kept)
    made = []
    for units, votes, start, end, split, category, leading, tied, backed, kept in rows:
        look = {
            "support": not backed,
            "tie": tied,
            "category": not tied and 2 * leading <= sum(votes) and sum(votes) > 0,
            "boundaries": any(is_far(unit, start, end) for unit in units),
            "boundary-tie": split,
            "twice": kept_ones[start, end, category] > 1,
        }
        reasons = tuple(name for name, is_so in look.items() if is_so) if kept else ("dropped",)
        made.append(Consensus(start, end, category, len(units), kept, reasons))
    return made


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


def is_far(unit: Unit, start: Position, end: Position) -> bool:
    """Whether intersection over union is below one half; the same point is not far."""
    union = max(Fraction(unit.end), Fraction(end)) - min(Fraction(unit.start), Fraction(start))
    shared = min(Fraction(unit.end), Fraction(end)) - max(Fraction(unit.start), Fraction(start))
    return union > 0 and 2 * shared < union
