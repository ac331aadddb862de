# SPDX-License-Identifier: MIT
"""The habits of annotators, unit by unit, written to be read beside docs/explain.md.

A document is a list of unitary alignments; a unitary alignment is a dictionary from annotators to units (start, end,
category); annotators who saw the document and have no unit in it are not in the dictionary.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from statistics import median

Unit = tuple[float, float, str | None]
Group = Mapping[str, Unit]


def overlap(u: Unit, v: Unit) -> float:
    return min(u[1], v[1]) - max(u[0], v[0])


def is_inside(part: Unit, whole: Unit) -> bool:
    """At least half of the part lies inside the whole."""
    return part[1] > part[0] and 2 * overlap(part, whole) >= part[1] - part[0]


def pieces(groups: Sequence[Group]) -> list[tuple[int, str, int, str]]:
    """Every (group of the whole, its annotator, group of the extra piece, the annotator of the pieces)."""
    found = []
    for g, group in enumerate(groups):
        for h, other in enumerate(groups):
            if g == h:
                continue
            for whole_by, pieces_by in permutations(sorted({*group, *other}), 2):
                if whole_by not in group or pieces_by not in group or pieces_by not in other or whole_by in other:
                    continue
                whole, part, extra = group[whole_by], group[pieces_by], other[pieces_by]
                if (
                    part[2] == extra[2]
                    and overlap(part, extra) <= 0
                    and is_inside(part, whole)
                    and is_inside(extra, whole)
                ):
                    found.append((g, whole_by, h, pieces_by))
    return found


def habits(groups: Sequence[Group], annotators: Sequence[str]) -> dict[str, dict[tuple[int, str], float]]:
    """What each annotator did in each unitary alignment, for every habit: {habit: {(group, annotator): value}}."""
    n = len(annotators)
    cases = pieces(groups)
    extra, part, merged, whole = set(), set(), set(), set()
    for (h, who, g), count in Counter((h, who, g) for g, _, h, who in cases).items():
        if 2 * (len(groups[h]) - 1) < n - 1 and 2 * count > len(groups[g]) - 1:
            extra.add((h, who))
            part.add((g, who))
    for (h, who, g), count in Counter((h, whole_by, g) for g, whole_by, h, _ in cases).items():
        if 2 * len(groups[h]) > n - 1 and 2 * count > len(groups[h]):
            merged.add((h, who))
            whole.add((g, who))
    result: dict[str, dict[tuple[int, str], float]] = defaultdict(dict)
    for g, group in enumerate(groups):
        for who in annotators:
            others = len(group) - (who in group)
            expected, unexpected = 2 * others > n - 1, 2 * others < n - 1
            result["misses"][g, who] = float(expected and who not in group and (g, who) not in merged)
            result["adds"][g, who] = float(unexpected and who in group and (g, who) not in extra)
        if len(group) < 2:
            continue
        for who, unit in group.items():
            result["splits"][g, who] = float((g, who) in part)
            result["merges"][g, who] = float((g, who) in whole)
            if (g, who) not in extra:
                labels = Counter(other[2] for name, other in group.items() if name != who)
                own = labels[unit[2]]
                result["categories"][g, who] = float(
                    own < max((c for l, c in labels.items() if l != unit[2]), default=0)
                )
        usual = {who: unit for who, unit in group.items() if (g, who) not in part and (g, who) not in whole}
        if len(usual) < 2:
            continue
        for who, unit in usual.items():
            rest = [other for name, other in usual.items() if name != who]
            length = max(median(end - start for start, end, _ in rest), 1e-12)
            for habit, side in (("starts", 0), ("ends", 1)):
                shift = (unit[side] - median(other[side] for other in rest)) / length
                result[habit][g, who] = max(-1.0, min(1.0, shift))
    return result


def excess(cells: Mapping[tuple[int, str], float]) -> dict[str, tuple[float, float]]:
    """What each annotator did beyond the mean of the place, summed; and its variance if all are exchangeable."""
    places: dict[int, dict[str, float]] = defaultdict(dict)
    for (g, who), value in cells.items():
        places[g][who] = value
    found: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for values in places.values():
        mean = math.fsum(values.values()) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values.values()) / len(values)
        for who, value in values.items():
            total, spread = found[who]
            found[who] = total + value - mean, spread + variance
    return dict(found)
