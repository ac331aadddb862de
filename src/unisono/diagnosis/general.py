# SPDX-License-Identifier: MIT
"""Findings that are not about one annotator: categories, short units, documents, what the disorder is made of."""

from __future__ import annotations

import math

import numpy as np

from unisono.diagnosis.contrasts import FEWEST_DOCUMENTS
from unisono.diagnosis.diagnose import Diagnosis
from unisono.diagnosis.everybody import share_of_disorder, worst_documents
from unisono.diagnosis.finding import Finding, Place, SizeUnit
from unisono.diagnosis.finding_words import amount, between, call, name_of, percent
from unisono.diagnosis.places import places_of
from unisono.diagnosis.probability import share_interval
from unisono.nouns import called
from unisono.results import Interval, MeasureValue, Result, UncertaintyCode


def confusion_findings(diagnosis: Diagnosis) -> list[Finding]:
    """Two categories that are taken for each other."""
    units, costs, confusions = diagnosis.units, diagnosis.costs, diagnosis.confusions
    found = []
    for i in np.flatnonzero(diagnosis.confusion_stands_out).tolist():
        first, second = int(confusions.first[i]), int(confusions.second[i])
        pairs, possible = int(confusions.pairs[i]), int(confusions.possible[i])
        names = [call(diagnosis, label) for label in (first, second)]
        one, other = units.label[costs.u], units.label[costs.v]
        confused = costs.overlaps & (((one == first) & (other == second)) | ((one == second) & (other == first)))
        groups, counts = np.unique(units.group[costs.u[confused]], return_counts=True)
        share = pairs / possible
        # A rare category may be lost in a frequent one that it hardly touches.
        rare = int(np.argmin(confusions.own[i]))
        of_rare = pairs / max(int(confusions.own[i, rare]) + pairs, 1)
        beyond = f", {percent(of_rare)} of those with {names[rare]}" if of_rare >= 2 * share else ""
        found.append(
            Finding(
                "categories-confused",
                {"category": name_of(diagnosis, first), "other_category": name_of(diagnosis, second)},
                f"{call(diagnosis, first, begins=True)} and {names[1]} are taken for each other in {pairs:,} of "
                f"{possible:,} aligned pairs of their units ({percent(share)}{beyond}).",
                share,
                "share",
                _share_interval(diagnosis, first, second),
                "The guideline should separate them: give examples of both, or merge them.",
                places_of(units, groups[np.argsort(-counts, kind="stable")]),
                disorder=float(confusions.disorder[i]),
                p=float(confusions.p[i]),
            )
        )
    return found


def _share_interval(diagnosis: Diagnosis, first: int, second: int) -> tuple[float, float]:
    """The interval of the share of confused pairs, over unitary alignments, or over documents if there are some."""
    units, costs = diagnosis.units, diagnosis.costs
    one, other = units.label[costs.u], units.label[costs.v]
    inside = costs.overlaps & np.isin(one, (first, second)) & np.isin(other, (first, second))
    confused = (one != other)[inside].astype(np.float64)
    group = units.group[costs.u[inside]]
    cluster = units.group_document[group]
    if len(np.unique(cluster)) < FEWEST_DOCUMENTS:
        cluster = group
    _, cluster = np.unique(cluster, return_inverse=True)
    top, bottom = np.bincount(cluster, confused), np.bincount(cluster)
    n, share = len(bottom), float(confused.mean())
    variance = ((top - share * bottom) ** 2).sum() * n / max(n - 1, 1) / bottom.sum() ** 2
    low, high = share_interval(share, len(np.unique(group)), variance)
    return float(low), float(high)


def short_finding(diagnosis: Diagnosis) -> list[Finding]:
    """Short units that are missed more often than others."""
    short = diagnosis.short
    if short is None or not diagnosis.short_stands_out:
        return []
    size, others, interval = short.missed, short.others, (short.low, short.high)
    which = f"Short units (up to {amount(short.length)})"
    if diagnosis.is_pair:  # a unit that one of two missed is marked by the other alone
        size, others, interval = 2 * size, 2 * others, (2 * short.low, min(1.0, 2 * short.high))
        sentence = (
            f"{which} are marked by only one of the two more often than others: {percent(size)} of them "
            f"({between(interval)}), of longer ones {percent(others)}."
        )
    else:
        sentence = (
            f"{which} are missed more often than others: by {percent(size)} ({between(interval)}) of the annotators "
            f"who could mark them, longer ones by {percent(others)}."
        )
    return [
        Finding(
            "short-units-missed",
            {},
            sentence,
            size,
            "share",
            interval,
            "Say in the guideline from which length on a unit counts, and ask everybody to look again for short ones.",
            places_of(diagnosis.units, short.groups),
            disorder=short.disorder / diagnosis.costs.total,
            p=short.p,
        )
    ]


def category_findings(diagnosis: Diagnosis) -> list[Finding]:
    """Categories that are missed, seen by nobody else, split or badly bounded more than the other categories."""
    units, costs, table = diagnosis.units, diagnosis.costs, diagnosis.categories
    found = []
    of_group = np.searchsorted(table.label, units.group_label)
    for habit, (kind, words, step) in _OF_CATEGORY.items():
        part = costs.group_positional if habit == "boundaries" else costs.group_empty
        for i in np.flatnonzero(diagnosis.category_stands_out[habit]).tolist():
            size, others = float(getattr(table, habit)[i]), float(getattr(table, f"{habit}_others")[i])
            groups = np.flatnonzero(of_group == i)
            cost = part[groups]
            shown = groups[np.argsort(-cost, kind="stable")]
            unit: SizeUnit = "share" if habit == "missed" else "disorder"
            amounts = (percent(size), percent(others)) if unit == "share" else (f"{size:.2f}", f"{others:.2f}")
            excess = max(0.0, 1 - others / size) if size > 0 else 0.0
            found.append(
                Finding(
                    kind,
                    {"category": name_of(diagnosis, int(table.label[i]))},
                    words.format(name=call(diagnosis, int(table.label[i])), size=amounts[0], others=amounts[1]),
                    size,
                    unit,
                    None,
                    step.format(name=call(diagnosis, int(table.label[i]))),
                    places_of(units, shown),
                    disorder=excess * float(cost.sum()) / diagnosis.costs.total,
                    p=float(getattr(table, f"p_{habit}")[i]),
                )
            )
    return found


_OF_CATEGORY = {
    "missed": (
        "units-missed",
        "Units of {name} are missed more often than those of other categories: by {size} of the annotators, others by "
        "{others}.",
        "Say in the guideline what counts as {name}.",
    ),
    "boundaries": (
        "boundaries-vague",
        "The boundaries of {name} are vaguer than those of other categories: the mean positional dissimilarity is "
        "{size}, elsewhere {others}.",
        "Say in the guideline where a unit of {name} begins and ends.",
    ),
}


def _whole_document(diagnosis: Diagnosis, document: int) -> Place:
    """The stretch of a document that has units."""
    units = diagnosis.units
    inside = units.document == document
    return Place(units.documents[document], float(units.start[inside].min()), float(units.end[inside].max()))


def general_findings(diagnosis: Diagnosis) -> list[Finding]:
    """What most of the disorder is made of."""
    costs, units = diagnosis.costs, diagnosis.units
    has_piece = np.zeros(units.n_groups, dtype=bool)
    has_piece[units.group[diagnosis.pieces]] = True  # a split unit does not raise the question what to mark
    parts = {
        "units-missed": (
            np.where(has_piece, 0.0, costs.group_empty),
            "{share} of the disorder comes from units that only some marked: the question is what to mark, not where "
            "it ends.",
            "Say in the guideline what is to be marked, with examples of what is not.",
        ),
        "boundaries-vague": (
            costs.group_positional,
            "{share} of the disorder comes from boundaries: the question is where units begin and end, more than what "
            "to mark.",
            "Say in the guideline where a unit begins and ends.",
        ),
        "categories-vague": (
            costs.group_categorial,
            "{share} of the disorder comes from categories: the question is what a unit is called, more than what to "
            "mark and where it ends.",
            "Work on the definitions of the categories, the most confused ones first.",
        ),
    }
    found = []
    for kind, (part, words, step) in parts.items():
        share = share_of_disorder(costs, part)
        if share.is_most:
            sentence = words.format(share=f"{100 * share.share:.0f} %")
            places = places_of(units, np.argsort(-part, kind="stable"))
            found.append(
                Finding(kind, {}, sentence, share.share, "disorder", share.interval, step, places, disorder=share.share)
            )
    return found


def reading_rule(result: Result) -> list[Finding]:
    """Mathet 2017, section 6: γ well below γcat means positions, γcat below γ means categories.

    "Well below" is read as: the intervals over documents (over stretches, for one document) do not overlap.
    """
    first, second = result.measures.get("gamma"), result.measures.get("gamma-cat")
    if first is None or second is None or first.value is None or second.value is None:
        return []
    low, high = sorted((first, second), key=lambda value: value.value or 0.0)
    bounds = [value.intervals.get("documents") or value.intervals.get("stretches") for value in (low, high)]
    if bounds[0] is None or bounds[0].high >= _lower_end(high, bounds[1]):
        return []
    gap = (high.value or 0.0) - (low.value or 0.0)
    if low is first:
        sentence = (
            f"γ ({first.value:.2f}) is well below γcat ({second.value:.2f}): finding and placing units is the problem, "
            "not their categories."
        )
        step = "Work on what is to be marked and where units begin and end, before the categories."
    else:
        sentence = (
            f"γcat ({second.value:.2f}) is below γ ({first.value:.2f}): the categories are the problem, more than "
            "finding and placing units."
        )
        step = "Work on the definitions of the categories."
    return [Finding("reading-rule", {}, sentence, gap, "share", None, step)]


def _lower_end(value: MeasureValue, interval: Interval | None) -> float:
    """The lower end of a value's interval; full agreement everywhere has none, because there is no spread."""
    if interval is not None:
        return interval.low
    no_spread = value.uncertainty_reason_code == UncertaintyCode.NO_SPREAD
    return value.value if no_spread and value.value is not None else -math.inf


def document_findings(diagnosis: Diagnosis) -> list[Finding]:
    """Documents with more disorder than a random one of their size."""
    units = diagnosis.units
    named, p = worst_documents(units)
    if not len(named):
        return []
    worst = int(named[0])
    inside = units.group_document == worst
    ratio = float(units.disorder[inside].mean() / units.disorder.mean())
    name = called("Document", units.documents[worst])
    sentence = f"{name} has {ratio:.1f} times the disorder of an average document of its size"
    if len(named) > 1:
        more = len(named) - 1
        sentence += f"; {more:,} other{' stands' if more == 1 else 's stand'} out too"
    share = float(units.disorder[np.isin(units.group_document, named)].sum()) / diagnosis.costs.total
    return [
        Finding(
            "documents-worst",
            {"document": units.documents[worst]},
            f"{sentence}.",
            ratio,
            "disorder",
            None,
            "Look at what is special about it, before the guideline is changed for all.",
            tuple(_whole_document(diagnosis, document) for document in named[:3].tolist()),
            disorder=share,
            p=float(p[0]),
        )
    ]
