# SPDX-License-Identifier: MIT
"""Who differs, and how: the habits of each annotator beside those of the others in the same documents.

An annotator who stands out is left out when the others are compared, so that nobody is said to begin late because
somebody else begins early.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices, sums
from unisono.diagnosis.annotator_cells import HABITS, SHARES, Cells, cells_of, label_counts
from unisono.diagnosis.contrasts import FEWEST_DOCUMENTS, LEAST_EFFECT, contrast
from unisono.diagnosis.probability import INTERVAL_LEVEL, share_interval
from unisono.diagnosis.significance import benjamini_hochberg
from unisono.model import FloatArray
from unisono.sampling.student import student_quantile

#: The false discovery rate; if nobody differs, the probability that anything is reported, over all comparisons.
LEVEL = 0.01
#: Annotators who stand out are left out, and the others compared again, at most this often.
_MOST_ROUNDS = 12
#: With two annotators the same difference is seen from both sides; these habits are left out.
_ONE_SIDE = ("adds", "merges")


@dataclass(frozen=True)
class Tests:
    """The p-value of every annotator and habit: how likely so large a difference is if annotators are alike.

    of_labels: the same for the use of each category in the places where the annotators differ in category; `subject`
    has the annotator and the category of each.
    """

    p: NDArray[np.float64]
    #: What the annotator did beyond the others, summed over places, and on average in a place where they differ.
    excess: NDArray[np.float64]
    effect: NDArray[np.float64]
    subject: NDArray[np.int64]
    of_labels: FloatArray
    label_excess: FloatArray
    label_effect: FloatArray


def compare_annotators(units: AlignedUnits, cells: Mapping[str, Cells]) -> Tests:
    """Compare every annotator with the others in the same places."""
    n = units.n_annotators
    p, excess, effect = np.ones((n, len(HABITS))), np.zeros((n, len(HABITS))), np.zeros((n, len(HABITS)))
    for column, habit in enumerate(HABITS):
        of = cells[habit]
        found = contrast(
            of.group,
            units.seat_annotator[of.seat],
            units.group_document[of.group],
            of.value,
            n_subjects=n,
            is_binary=habit in SHARES,
        )
        excess[:, column], effect[:, column] = found.excess, found.effect
        if habit in SHARES:  # to miss, add, split or merge less than the others is no fault
            p[:, column] = found.p_more
        else:
            p[:, column] = np.minimum(1.0, 2 * np.minimum(found.p_more, found.p_less))
    return Tests(p, excess, effect, *_compare_labels(units, cells["categories"]))


def _compare_labels(units: AlignedUnits, cells: Cells) -> tuple[NDArray[np.int64], FloatArray, FloatArray, FloatArray]:
    """Does somebody use a category more, or less, than the others for the same units? cells: those of categories.

    The annotator and the category of each comparison, its p-value, its excess and its effect.
    """
    width = len(units.labels) + 1
    member = units.find_unit(cells.group, cells.seat)
    size = np.bincount(cells.group, minlength=units.n_groups)
    first = np.cumsum(size) - size
    keys = np.unique(cells.group * width + units.label[member] + 1)
    group, label = keys // width, keys % width - 1
    is_mixed = np.bincount(group, minlength=units.n_groups)[group] > 1
    group, label = group[is_mixed], label[is_mixed]
    if not len(group):
        return np.empty((0, 2), np.int64), np.empty(0), np.empty(0), np.empty(0)
    # A place is a group and one of its categories; everybody in the group could have used it.
    members = size[group]
    place = repeat(np.arange(len(group)), members)
    number = np.arange(len(place)) - repeat(np.cumsum(members) - members, members)
    unit = member[first[group[place]] + number]
    subjects, subject = np.unique(units.annotator[unit] * width + label[place] + 1, return_inverse=True)
    found = contrast(
        place,
        subject,
        units.document[unit],
        (units.label[unit] == label[place]).astype(np.float64),
        n_subjects=len(subjects),
        is_binary=True,
    )
    p = np.minimum(1.0, 2 * np.minimum(found.p_more, found.p_less))
    return np.stack((subjects // width, subjects % width - 1), axis=1), p, found.excess, found.effect


@dataclass(frozen=True)
class Judgement:
    """Which annotators stand out in which habits, after the correction for looking at many; and beside which others."""

    p: NDArray[np.float64]
    stands_out: NDArray[np.bool_]
    #: Categories that an annotator uses more, or less, than the others for the same units: (annotator, label, sign).
    labels: tuple[tuple[int, int, int], ...] = ()
    #: The p-value of each of these.
    label_p: tuple[float, ...] = ()


def judge(units: AlignedUnits, cells: Mapping[str, Cells], tables: Mapping[str, HabitTable]) -> Judgement:
    """Find who stands out.

    Annotators stand out if they differ from the others more than chance allows and, in the tables, by LEAST_EFFECT or
    more. Next to one who differs, the others seem to differ too. So in each round those who differ most in the places
    that they share are taken out, and the rest is compared again without them.
    """
    n = units.n_annotators
    is_pair = n == 2
    out = np.zeros(n, dtype=bool)
    p = np.ones((n, len(HABITS)))
    is_large = np.stack([tables[habit].differs(is_share=habit in SHARES) for habit in HABITS], axis=1)
    labels: dict[tuple[int, int], LabelUse] = {}
    n_labels = 0
    rest, of_rest = units, cells
    for number in range(_MOST_ROUNDS):
        tests = compare_annotators(rest, of_rest)
        if is_pair:
            tests.p[:, [HABITS.index(habit) for habit in _ONE_SIDE]] = 1.0
        n_labels = max(n_labels, len(tests.of_labels))
        p[~out] = tests.p[~out]
        kept = {key: use for key, use in labels.items() if out[key[0]]}
        labels = kept | {key: use for key, use in _label_uses(tests, tables["categories"]) if not out[key[0]]}
        stands_out, is_named = _discover(p, is_large, labels, n_labels)
        strength = np.where(stands_out, np.abs(tests.effect), 0.0).max(axis=1)
        for key in is_named:
            strength[key[0]] = max(strength[key[0]], abs(labels[key].effect))
        strength[out] = 0.0
        if not strength.any() or is_pair or number == _MOST_ROUNDS - 1:
            break
        out |= _choose_most_outstanding(rest, strength)
        rest = units.without(out)
        of_rest = cells_of(rest)
        left = np.bincount(rest.seat_annotator, minlength=n) > 0
        p[~out & ~left] = 1.0  # with nobody left to be compared with, nothing can be said
    return Judgement(
        p,
        stands_out,
        tuple((*key, 1 if labels[key].effect > 0 else -1) for key in is_named),
        tuple(labels[key].p for key in is_named),
    )


@dataclass(frozen=True)
class LabelUse:
    """How an annotator uses a category where the others give the same units another one, or the reverse."""

    p: float
    effect: float
    #: Whether it concerns enough of the annotator's units.
    is_large: bool


def _label_uses(tests: Tests, categories: HabitTable) -> list[tuple[tuple[int, int], LabelUse]]:
    """By annotator and label."""
    who = tests.subject[:, 0]
    is_large = np.abs(tests.label_excess) >= LEAST_EFFECT * np.maximum(categories.total[who], 1.0)
    rows = zip(
        tests.subject.tolist(), tests.of_labels.tolist(), tests.label_effect.tolist(), is_large.tolist(), strict=True
    )
    return [((annotator, label), LabelUse(p, effect, large)) for (annotator, label), p, effect, large in rows]


def _discover(
    p: NDArray[np.float64], is_large: Flags, labels: Mapping[tuple[int, int], LabelUse], n_labels: int
) -> tuple[Flags, list[tuple[int, int]]]:
    """Which habits, and which uses of a category, stand out after the correction for all that were compared."""
    of_labels = np.array([use.p for use in labels.values()])
    padding = np.ones(max(0, n_labels - len(of_labels)))
    passed = benjamini_hochberg(np.concatenate((p.reshape(-1), of_labels, padding)), LEVEL)
    named = [
        key
        for (key, use), is_there in zip(labels.items(), passed[p.size :].tolist(), strict=False)
        if is_there and use.is_large
    ]
    return passed[: p.size].reshape(p.shape) & is_large, named


def _choose_most_outstanding(units: AlignedUnits, strength: FloatArray) -> Flags:
    """Those who stand out most in at least half of the documents that they saw; strength: 0 for all who do not.

    Strengths are effects in a place: of three, the one who begins early is twice as far from the mean as the two
    others. In standard deviations those with many documents would be the strongest, however little they differ.
    """
    mine = strength[units.seat_annotator]
    most = np.zeros(len(units.documents))
    np.maximum.at(most, units.seat_document, mine)
    wins = sums(
        units.seat_annotator, ((mine > 0) & (mine >= most[units.seat_document])).astype(np.float64), len(strength)
    )
    seen = np.bincount(units.seat_annotator, minlength=len(strength))
    picked: Flags = (strength > 0) & (2 * wins >= seen) & (seen > 0)
    return picked if picked.any() else strength >= strength.max()


@dataclass(frozen=True)
class HabitTable:
    """One habit of all annotators: a share or a mean shift, its interval, and that of the others."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    #: The same for all other annotators together, in the same documents; in all documents, if it is undefined there.
    others: FloatArray
    count: FloatArray
    total: FloatArray
    #: Of boundaries: the mean shift in positions.
    positions: FloatArray | None = None

    @classmethod
    def of(cls, units: AlignedUnits, cells: Cells, *, is_share: bool) -> HabitTable:
        n, counted = units.n_annotators, cells.counts
        seat, value = cells.seat[counted], cells.value[counted]
        n_seats = len(units.seat_annotator)
        top, bottom = sums(seat, value, n_seats), sums(seat, None, n_seats)
        who, document = units.seat_annotator, units.seat_document
        count, total = sums(who, top, n), sums(who, bottom, n)
        mean = _ratio(count, total)
        # The others in the same documents.
        all_top, all_bottom = (sums(document, column, len(units.documents)) for column in (top, bottom))
        others = _ratio(sums(who, all_top[document] - top, n), sums(who, all_bottom[document] - bottom, n))
        # With three annotators of whom one marks nothing, the two others cannot miss anything: take all documents then.
        everywhere = _ratio(count.sum() - count, total.sum() - total)
        others = np.where(np.isnan(others), everywhere, others)
        documents = np.bincount(who[bottom > 0], minlength=n)
        residual = top - np.nan_to_num(mean)[who] * bottom
        clustered = np.bincount(who, residual**2, n) * documents / np.maximum(documents - 1, 1)
        single = np.bincount(who[seat], (value - np.nan_to_num(mean)[who[seat]]) ** 2, n)
        enough = documents >= FEWEST_DOCUMENTS
        variance = np.where(enough, np.maximum(clustered, single), single) / np.maximum(total, 1) ** 2
        if is_share:
            low, high = share_interval(mean, total, variance)
        else:
            low, high = _mean_interval(mean, total, variance, np.where(enough, documents, total) - 1)
        positions = None
        if cells.positions is not None:
            positions = _ratio(sums(who[seat], cells.positions[counted], n), total)
        return cls(mean, low, high, others, count, total, positions)

    def differs(self, *, is_share: bool) -> Flags:
        """Whether a share is well above that of the others, or whether a shift is large and its interval excludes 0."""
        if is_share:
            return np.nan_to_num(self.value, nan=0.0) - np.nan_to_num(self.others, nan=0.0) >= LEAST_EFFECT
        is_large = np.abs(np.nan_to_num(self.value, nan=0.0)) >= LEAST_EFFECT
        return is_large & (np.nan_to_num(self.low * self.high, nan=-1.0) > 0)


def _ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, top / bottom, np.nan)


def _mean_interval(
    mean: FloatArray, total: FloatArray, variance: FloatArray, df: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Student's interval of a mean shift; undefined for fewer than two units."""
    whole = np.maximum(df, 1).astype(np.int64)
    quantiles = {n: student_quantile((1 + INTERVAL_LEVEL) / 2, n) for n in np.unique(whole).tolist()}
    half = np.array([quantiles[n] for n in whole.tolist()]) * np.sqrt(variance)
    half = np.where(total >= 2, half, np.nan)
    return mean - half, mean + half


def habit_tables(units: AlignedUnits, cells: Mapping[str, Cells]) -> dict[str, HabitTable]:
    """The table of every habit."""
    return {habit: HabitTable.of(units, cells[habit], is_share=habit in SHARES) for habit in HABITS}


def confusions_by_annotator(units: AlignedUnits) -> tuple[Indices, Indices, Indices, Indices]:
    """Which category annotators use for which: annotator, what most others say, what they say, how often.

    Only units that differ from the most frequent category of the others; the most frequent confusions come first.
    """
    shared = np.flatnonzero(units.size[units.group] >= 2)
    own, most, theirs = label_counts(units, shared)
    differs = own - 1 < most
    which, theirs = shared[differs], theirs[differs]
    width = len(units.labels) + 1
    keys = (units.annotator[which] * width + theirs + 1) * width + units.label[which] + 1
    found, counts = np.unique(keys, return_counts=True)
    order = np.lexsort((found, -counts))
    found, counts = found[order], counts[order]
    return found // (width * width), found // width % width - 1, found % width - 1, counts


def habits_as_dict(table: HabitTable, annotator: int, p: float, stands_out: bool) -> dict[str, Any]:
    """One habit of one annotator, as JSON has it."""

    def number(value: float) -> float | None:
        return None if np.isnan(value) else float(value)

    return {
        "value": number(table.value[annotator]),
        "low": number(table.low[annotator]),
        "high": number(table.high[annotator]),
        "others": number(table.others[annotator]),
        "units": int(table.total[annotator]),
        "p": float(p),
        "stands_out": bool(stands_out),
        **({} if table.positions is None else {"positions": number(table.positions[annotator])}),
    }
