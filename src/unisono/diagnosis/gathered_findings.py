# SPDX-License-Identifier: MIT
"""Gathers many findings about annotators into few: only a short list is read."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.diagnosis.finding import MOST_PLACES, Finding
from unisono.diagnosis.finding_words import percent
from unisono.nouns import called

#: If more annotators than this have a finding of the same kind, they share one.
MOST_NAMED = 5
#: What many annotators do, and what the percentages after their names are of.
_OF_MANY = {
    "annotator-misses": ("miss units that most of the others mark, more often than the others do", ""),
    "annotator-adds": ("mark units that most of the others do not, more often than the others do", ""),
    "annotator-boundaries": ("begin or end units early or late, compared with most of the others", " of the length"),
    "annotator-splits": ("split units that most of the others mark as one, more often than the others do", ""),
    "annotator-merges": ("make one unit of what most of the others mark as two, more often than the others do", ""),
    "annotator-categories": ("use some categories differently from most of the others", ""),
}
#: At most this many findings about annotators; if there are more, the second number stay and the rest become one.
MOST_FINDINGS, FEWEST_FINDINGS = 7, 5
#: What an annotator does differently, in a list of small differences.
_DIFFERENCES = {
    "annotator-misses": "misses units",
    "annotator-adds": "adds units",
    "annotator-boundaries": "boundaries",
    "annotator-splits": "splits",
    "annotator-merges": "merges",
    "annotator-categories": "categories",
}


def gather_many(findings: Sequence[Finding], n_annotators: int) -> list[Finding]:
    """The findings, those of one kind as one if there are many: a reader cannot speak to hundreds of annotators."""
    gathered: list[Finding] = []
    for kind in dict.fromkeys(finding.kind for finding in findings):
        alike = sorted(
            (finding for finding in findings if finding.kind == kind), key=lambda finding: -(finding.disorder or 0.0)
        )
        if len(alike) <= MOST_NAMED:
            gathered += alike
            continue
        words, of_what = _OF_MANY[kind]
        names = ", ".join(
            f"{called('annotator', str(each.subject['annotator']))} ({percent(abs(each.size))}{of_what})"
            for each in alike[:MOST_NAMED]
        )
        more = len(alike) - MOST_NAMED
        gathered.append(
            Finding(
                kind,
                {},
                f"{len(alike):,} of {n_annotators:,} annotators {words}: {names} and {more:,} more.",
                len(alike) / n_annotators,
                "share",
                None,
                "Look at the task and its instructions first, since these are many; the table of annotators has them.",
                tuple(place for finding in alike[:MOST_PLACES] for place in finding.places[:1]),
                disorder=sum(finding.disorder or 0.0 for finding in alike),
                p=max(finding.p or 0.0 for finding in alike),
            )
        )
    return gathered


def gather_small(findings: Sequence[Finding]) -> list[Finding]:
    """Where there are many findings about annotators, those that cause the least disorder as one."""
    ordered = sorted(findings, key=lambda finding: -(finding.disorder or 0.0))
    if len(ordered) <= MOST_FINDINGS:
        return list(findings)
    kept, small = ordered[:FEWEST_FINDINGS], ordered[FEWEST_FINDINGS:]
    of_annotator: dict[str, list[str]] = {}
    for finding in small:
        who = (
            called("annotator", str(finding.subject["annotator"]))
            if "annotator" in finding.subject
            else "many annotators"
        )
        of_annotator.setdefault(who, []).append(_DIFFERENCES[finding.kind])
    names = "; ".join(f"{who} ({', '.join(dict.fromkeys(what))})" for who, what in of_annotator.items())
    disorder = sum(finding.disorder or 0.0 for finding in small)
    gathered = Finding(
        "annotators-differ",
        {},
        f"{len(small)} smaller differences of annotators are {percent(disorder)} of the disorder together: {names}.",
        disorder,
        "disorder",
        None,
        "Settle the larger differences first; the table of annotators has these.",
        tuple(place for finding in small[:MOST_PLACES] for place in finding.places[:1]),
        disorder=small[0].disorder,  # so that it comes after those kept
        p=max(finding.p or 0.0 for finding in small),
    )
    return [*kept, gathered]
