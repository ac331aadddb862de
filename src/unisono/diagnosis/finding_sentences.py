# SPDX-License-Identifier: MIT
"""The findings of a diagnosis in words: who does what, how much, beside the others, and what to do next."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from unisono.diagnosis.annotator_cells import HABITS
from unisono.diagnosis.boundary_differences import BoundaryTexts
from unisono.diagnosis.contrasts import FEWEST_DOCUMENTS
from unisono.diagnosis.diagnose import Diagnosis
from unisono.diagnosis.finding import Finding
from unisono.diagnosis.finding_words import amount, between, call, call_annotator, name_of, percent, times
from unisono.diagnosis.gathered_findings import gather_many, gather_small
from unisono.diagnosis.places import places_of
from unisono.diagnosis.probability import INTERVAL_LEVEL
from unisono.model import FloatArray
from unisono.nouns import quantity

#: The finding that each habit of an annotator makes.
KINDS = {
    "misses": "annotator-misses",
    "adds": "annotator-adds",
    "starts": "annotator-boundaries",
    "ends": "annotator-boundaries",
    "splits": "annotator-splits",
    "merges": "annotator-merges",
    "categories": "annotator-categories",
}


def annotator_findings(diagnosis: Diagnosis, texts: BoundaryTexts | None = None) -> list[Finding]:
    """The habits in which annotators stand out; starts and ends of one annotator are one finding."""
    judgement = diagnosis.judgement
    by_labels = {annotator for annotator, _, _ in judgement.labels}
    named = np.flatnonzero(judgement.stands_out.any(axis=1)).tolist()
    found = []
    for annotator in sorted({*named, *by_labels}):
        out = judgement.stands_out[annotator]
        presence = [habit for habit in ("misses", "adds", "splits", "merges") if out[HABITS.index(habit)]]
        found += [_presence(diagnosis, annotator, habit) for habit in presence]
        boundaries = [habit for habit in ("starts", "ends") if out[HABITS.index(habit)]]
        is_second_of_pair = diagnosis.is_pair and annotator == 1  # the same difference seen from the other side
        if boundaries and not (is_second_of_pair and judgement.stands_out[0, HABITS.index(boundaries[0])]):
            found.append(_boundaries(diagnosis, annotator, boundaries, texts))
        if (out[HABITS.index("categories")] or annotator in by_labels) and not (is_second_of_pair and 0 in by_labels):
            found += _categories(diagnosis, annotator)
    return gather_small(gather_many(found, diagnosis.units.n_annotators))


_WORDS = {
    "misses": ("misses {share} of the units that most of the others mark", "the others miss {others}"),
    "adds": ("adds units: {share} of theirs are not marked by most of the others", "of the others' {others}"),
    "splits": ("splits {share} of the units that most of the others mark as one", "the others split {others}"),
    "merges": (
        "makes one unit of what most of the others mark as two in {share} of their units",
        "the others in {others}",
    ),
}
_NEXT = {
    "misses": "Show {name} the places, and ask whether the guideline leaves such units out.",
    "adds": "Ask {name} what these units are, and say in the guideline whether they count.",
    "splits": "Show {name} the places, and say in the guideline when one unit ends and the next begins.",
    "merges": "Show {name} the places, and say in the guideline when one unit ends and the next begins.",
    "categories": "Go through the places with {name}, and add them to the guideline as examples.",
    "boundaries": "Show {name} the places, and say in the guideline what belongs to a unit.",
}
_NEXT_OF_TWO = "Look at the places together, and say in the guideline which is meant."
#: With two annotators nobody is in the majority.
_OF_TWO = {
    "misses": "{subject} marks {fewer} fewer units than {other} ({between}): {theirs:,} units of {other}'s have no "
    "counterpart, and {own:,} of {name}'s",
    "splits": "{subject} has two units where {other} has one in {share} of the units that both mark ({between})",
}


def _presence(diagnosis: Diagnosis, annotator: int, habit: str) -> Finding:
    """Units missed, added, split or merged."""
    units, table, cells = diagnosis.units, diagnosis.tables[habit], diagnosis.cells[habit]
    name, subject = call_annotator(diagnosis, annotator), call_annotator(diagnosis, annotator, begins=True)
    share, others = float(table.value[annotator]), float(table.others[annotator])
    interval = (float(table.low[annotator]), float(table.high[annotator]))
    if diagnosis.is_pair:
        other = call_annotator(diagnosis, 1 - annotator)
        if habit == "misses":
            numbers = np.bincount(units.annotator, minlength=2)
            own, theirs = (int(diagnosis.tables["adds"].count[who]) for who in (annotator, 1 - annotator))
            share, interval = _shortfall(diagnosis, annotator, int(numbers[annotator]), int(numbers[1 - annotator]))
            sentence = _OF_TWO[habit].format(
                subject=subject,
                name=name,
                other=other,
                fewer=percent(share),
                own=own,
                theirs=theirs,
                between=between(interval),
            )
            if not numbers[annotator]:
                sentence = f"{subject} marks no unit, and {other} {quantity(theirs, 'unit')} in the same documents"
        else:
            sentence = _OF_TWO["splits"].format(
                subject=subject, other=other, share=percent(share), between=between(interval)
            )
        sentence += "."
        step = _NEXT_OF_TWO
    else:
        does, beside = _WORDS[habit]
        sentence = f"{subject} {does.format(share=percent(share))} ({between(interval)})"
        if not np.isnan(others):  # where one of three marks nothing, the others have nothing to miss
            sentence += f"; {beside.format(others=percent(others))}"
        sentence += "."
        if not (units.annotator == annotator).any():
            sentence += f" {subject} marks no unit at all."
        step = _NEXT[habit].format(name=name)
    mine = (units.seat_annotator[cells.seat] == annotator) & (cells.value > 0)
    groups = cells.group[mine]
    # The most typical places: those where the others agree most.
    support = units.size[groups] / units.n_seats[groups]
    order = np.lexsort((groups, support if habit == "adds" else -support))
    excess = max(0.0, 1 - others / share) if share > 0 and not np.isnan(others) else 1.0
    cost = float(_costs(diagnosis, habit)[mine].sum())
    return Finding(
        KINDS[habit],
        {"annotator": units.annotators[annotator]},
        sentence,
        share,
        "share",
        None if interval[0] == interval[1] else interval,
        step,
        places_of(units, groups[order]),
        disorder=excess * cost / diagnosis.costs.total,
        p=float(diagnosis.judgement.p[annotator, HABITS.index(habit)]),
    )


def _shortfall(diagnosis: Diagnosis, annotator: int, own: int, others: int) -> tuple[float, tuple[float, float]]:
    """By how much one of two annotators marks fewer units than the other, with its interval over documents."""
    units = diagnosis.units
    document = units.document
    n = len(units.documents)
    mine = np.bincount(document[units.annotator == annotator], minlength=n)
    theirs = np.bincount(document[units.annotator != annotator], minlength=n)
    ratio = own / others
    used = int(((mine > 0) | (theirs > 0)).sum())
    error = np.sqrt(((mine - ratio * theirs) ** 2).sum() * used / max(used - 1, 1)) / others
    if used < FEWEST_DOCUMENTS:  # units are taken as independent
        error = np.sqrt(ratio * (1 + ratio) / others)
    half = NormalDist().inv_cdf((1 + INTERVAL_LEVEL) / 2) * error
    return 1 - ratio, (float(1 - ratio - half), float(min(1.0, 1 - ratio + half)))


def _costs(diagnosis: Diagnosis, habit: str) -> FloatArray:
    """What each cell of a habit costs in disorder: the pairs with an empty unit."""
    units, cells = diagnosis.units, diagnosis.cells[habit]
    size, seats = units.size[cells.group], units.n_seats[cells.group]
    pairs = {"misses": size, "adds": seats - size}.get(habit, seats - 1)
    return pairs * diagnosis.costs.empty[cells.group]


def _boundaries(diagnosis: Diagnosis, annotator: int, habits: list[str], texts: BoundaryTexts | None) -> Finding:
    """Units that are begun or ended early or late."""
    units = diagnosis.units
    shift = {habit: float(diagnosis.tables[habit].value[annotator]) for habit in habits}
    main = max(habits, key=lambda habit: abs(shift[habit]))
    table = diagnosis.tables[main]
    interval = (float(table.low[annotator]), float(table.high[annotator]))
    when = ("earlier", "later") if diagnosis.is_pair else ("early", "late")
    parts = []
    for habit in habits:
        of = diagnosis.tables[habit]
        assert of.positions is not None
        does = "begins" if habit == "starts" else "ends"
        size = tuple(sorted((abs(float(of.low[annotator])), abs(float(of.high[annotator])))))
        parts.append(
            f"{does} units {percent(abs(shift[habit]))} of their length {when[shift[habit] > 0]} ({between(size)}), "
            f"{amount(abs(float(of.positions[annotator])))} on average"
        )
    beside = (
        f"than {call_annotator(diagnosis, 1 - annotator)}" if diagnosis.is_pair else "compared with most of the others"
    )
    sentence = f"{call_annotator(diagnosis, annotator, begins=True)} {' and '.join(parts)}, {beside}."
    if texts is not None:
        sentence += texts.sentence(annotator, main)
    cells = diagnosis.cells[main]
    mine = (units.seat_annotator[cells.seat] == annotator) & (cells.value * shift[main] > 0)
    groups = cells.group[mine]
    order = np.lexsort((groups, np.abs(cells.value[mine] - shift[main])))
    return Finding(
        "annotator-boundaries",
        {"annotator": units.annotators[annotator]},
        sentence,
        shift[main],
        "lengths",
        interval,
        _NEXT_OF_TWO if diagnosis.is_pair else _NEXT["boundaries"].format(name=call_annotator(diagnosis, annotator)),
        places_of(units, groups[order]),
        disorder=_own_excess(diagnosis, annotator, diagnosis.costs.positional),
        p=float(min(diagnosis.judgement.p[annotator, HABITS.index(habit)] for habit in habits)),
    )


def _own_excess(diagnosis: Diagnosis, annotator: int, pairs: FloatArray) -> float:
    """The share of the disorder in an annotator's pairs beyond what the others have among themselves."""
    units, costs = diagnosis.units, diagnosis.costs
    mine = (units.annotator[costs.u] == annotator) | (units.annotator[costs.v] == annotator)
    groups = np.zeros(units.n_groups, dtype=bool)
    groups[units.group[costs.u[mine]]] = True
    rest = groups[units.group[costs.u]] & ~mine
    own = float(pairs[mine].sum())
    usual = float(pairs[rest].mean()) * int(mine.sum()) if rest.any() else 0.0
    return max(0.0, own - usual) / diagnosis.costs.total


def _categories(diagnosis: Diagnosis, annotator: int) -> list[Finding]:
    """Another category than most of the others'."""
    units, table, judgement = diagnosis.units, diagnosis.tables["categories"], diagnosis.judgement
    name = call_annotator(diagnosis, annotator, begins=True)
    who, theirs, instead, counts = diagnosis.by_annotator
    own = np.flatnonzero(who == annotator)
    if not len(own):
        return []
    # Without more differences than the others have: the confusion with a category that is used more, or less, often.
    more = {label for each, label, side in judgement.labels if each == annotator and side > 0}
    less = {label for each, label, side in judgement.labels if each == annotator and side < 0}
    stand_out = [i for i in own.tolist() if instead[i] in more or theirs[i] in less]
    is_general = bool(judgement.stands_out[annotator, HABITS.index("categories")])
    first = own.tolist()[0] if is_general or not stand_out else stand_out[0]
    category, other = (call(diagnosis, int(label[first])) for label in (theirs, instead))
    share, others = float(table.value[annotator]), float(table.others[annotator])
    interval = (float(table.low[annotator]), float(table.high[annotator]))
    count = int(counts[first])
    if diagnosis.is_pair:
        partner = call_annotator(diagnosis, 1 - annotator)
        reverse = own[(theirs[own] == instead[first]) & (instead[own] == theirs[first])]
        back = int(counts[reverse].sum())
        share = float(count / table.total[annotator])
        sentence = f"{name} says {other} where {partner} says {category} ({times(count)}); the reverse {times(back)}."
    elif is_general:
        sentence = (
            f"{name} gives another category than most of the others to {percent(share)} of the units "
            f"({between(interval)}), the others to {percent(others)}; most often {other} for "
            f"{category} ({times(count)})."
        )
    else:
        share = float(count / table.total[annotator])
        sentence = (
            f"{name} has a preference of their own: {other} where most of the others say {category} ({times(count)})."
        )
    cells = diagnosis.cells["categories"]
    mine = (units.seat_annotator[cells.seat] == annotator) & (cells.value > 0)
    groups = cells.group[mine]
    unit = units.find_unit(groups, cells.seat[mine])
    fits = (units.label[unit] == instead[first]) & (units.group_label[groups] == theirs[first])
    order = np.lexsort((groups, -units.size[groups], ~fits))
    subject = {
        "annotator": units.annotators[annotator],
        "category": name_of(diagnosis, int(theirs[first])),
        "other_category": name_of(diagnosis, int(instead[first])),
    }
    return [
        Finding(
            "annotator-categories",
            subject,
            sentence,
            share,
            "share",
            interval if is_general else None,
            _NEXT_OF_TWO
            if diagnosis.is_pair
            else _NEXT["categories"].format(name=call_annotator(diagnosis, annotator)),
            places_of(units, groups[order]),
            disorder=_own_excess(diagnosis, annotator, diagnosis.costs.categorial),
            p=min(
                float(judgement.p[annotator, HABITS.index("categories")]),
                *(p for (who, _, _), p in zip(judgement.labels, judgement.label_p, strict=True) if who == annotator),
                1.0,
            ),
        )
    ]
