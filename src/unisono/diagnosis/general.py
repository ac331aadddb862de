# SPDX-License-Identifier: MIT
"""Findings that are not about one annotator: categories, short units, documents, what the disorder is made of."""

from __future__ import annotations

import numpy as np

from unisono.diagnosis.diagnose import Diagnosis
from unisono.diagnosis.everybody import share_of_disorder, worst_documents
from unisono.diagnosis.findings import Finding, Place, SizeUnit
from unisono.diagnosis.places import places_of
from unisono.diagnosis.wording import amount, between, call, name_of, percent
from unisono.results import Result


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
        found.append(
            Finding(
                "categories-confused",
                {"category": name_of(diagnosis, first), "other_category": name_of(diagnosis, second)},
                f"{names[0]} and {names[1]} are taken for each other in {pairs:,} of {possible:,} aligned pairs of "
                f"units that have one of them ({percent(share)}).",
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
    if len(np.unique(cluster)) < 5:
        cluster = group
    _, cluster = np.unique(cluster, return_inverse=True)
    top, bottom = np.bincount(cluster, confused), np.bincount(cluster)
    n, share = len(bottom), float(confused.mean())
    error = float(np.sqrt(((top - share * bottom) ** 2).sum() * n / max(n - 1, 1)) / bottom.sum())
    return max(0.0, share - 1.96 * error), min(1.0, share + 1.96 * error)


def short_finding(diagnosis: Diagnosis) -> list[Finding]:
    """Short units that are missed more often than others."""
    short = diagnosis.short
    if short is None or not diagnosis.short_stands_out:
        return []
    what = "are marked by only one of the two" if diagnosis.is_pair else "are missed"
    return [
        Finding(
            "short-units-missed",
            {},
            f"Short units (up to {amount(short.length)}) {what} more often than others: by {percent(short.missed)} "
            f"({between((short.low, short.high))}) of the annotators who could mark them, longer ones by "
            f"{percent(short.others)}.",
            short.missed,
            "share",
            (short.low, short.high),
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
    costs = diagnosis.costs
    parts = {
        "units-missed": (
            costs.group_empty,
            "{share} of the disorder are units that only some marked: the question is what to mark, not where it ends.",
            "Say in the guideline what is to be marked, with examples of what is not.",
        ),
        "boundaries-vague": (
            costs.group_positional,
            "{share} of the disorder are boundaries: everybody marks the same things, and not from and to the same "
            "places.",
            "Say in the guideline where a unit begins and ends.",
        ),
        "categories-vague": (
            costs.group_categorial,
            "{share} of the disorder are categories: everybody marks the same things, and gives them other names.",
            "Work on the definitions of the categories, the most confused ones first.",
        ),
    }
    found = []
    for kind, (part, words, step) in parts.items():
        share = share_of_disorder(costs, part)
        if share.is_most:
            sentence = words.format(share=f"{100 * share.share:.0f} %")
            found.append(
                Finding(kind, {}, sentence, share.share, "disorder", share.interval, step, disorder=share.share)
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
    if bounds[0] is None or bounds[1] is None or bounds[0].high >= bounds[1].low:
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


def document_findings(diagnosis: Diagnosis) -> list[Finding]:
    """Documents with more disorder than a random one of their size."""
    units = diagnosis.units
    named, p = worst_documents(units)
    if not len(named):
        return []
    worst = int(named[0])
    inside = units.group_document == worst
    ratio = float(units.disorder[inside].mean() / units.disorder.mean())
    sentence = f"{units.documents[worst]} has {ratio:.1f} times the disorder of an average document of its size"
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
