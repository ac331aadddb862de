# SPDX-License-Identifier: MIT
"""The worked examples of the papers as continua, for the tests and the experiments.

Positions are the paper's if it prints them. If it shows only a drawing, the layout is ours, and a comment says how it
was chosen.
"""

from __future__ import annotations

from unisono.model import Continuum, Unit

Rows = dict[str, list[tuple[int, int, str]]]


def _rows(one: list[tuple[int, int]], other: list[tuple[int, int]], label: str = "A") -> Rows:
    return {"annotator A": [(*unit, label) for unit in one], "annotator B": [(*unit, label) for unit in other]}


# --- Mathet, Widlöcher, Métivier 2015 -------------------------------------------------------------------------------

#: Figure 5: the error profile is the figure's (type, boundary, both, deletion, insertion); the positions are ours.
FIGURE_5: Rows = {
    "reference": [(0, 5, "A"), (10, 15, "A"), (20, 25, "A"), (30, 35, "C"), (40, 45, "B")],
    "hypothesis": [(0, 5, "A"), (10, 15, "B"), (20, 27, "A"), (30, 37, "A"), (50, 55, "B")],
}

#: Figures 7 and 8: A5 lies between B4 and B5 and fits B5 slightly better; A6 and A4 are the wider context. Ours.
A5, B4, B5, A6, A4 = (20, 40, ""), (10, 29, ""), (30, 52, ""), (44, 56, ""), (8, 20, "")
#: What the figures call these units, by start.
FIGURES_7_AND_8 = {unit[0]: name for name, unit in (("A5", A5), ("B4", B4), ("B5", B5), ("A6", A6), ("A4", A4))}
FIGURE_7: Rows = {"annotator A": [A5], "annotator B": [B4, B5]}
FIGURE_8A: Rows = {"annotator A": [A5, A6], "annotator B": [B4, B5]}
FIGURE_8B: Rows = {"annotator A": [A4, A5], "annotator B": [B4, B5]}

#: Figure 9: the text is the paper's; which parts annotators 2 and 3 marked is ours, in keeping with section 4.2.3.
FIGURE_9_TEXT = "Microsoft Corporation (MSFT)"
FIGURE_9: Rows = {
    "annotator 1": [(0, 28, "entity")],
    "annotator 2": [(0, 21, "entity")],
    "annotator 3": [(22, 28, "entity")],
}

#: Figure 10: six units with their positions.
FIGURE_10 = {
    "A1": Unit(4, 14),
    "A2": Unit(20, 30),
    "B1": Unit(4, 14),
    "B2": Unit(20, 25),
    "C1": Unit(14, 24),
    "C2": Unit(40, 44),
}

#: Figure 11: full agreement; a unit missed and others moved; one unit each, all apart. Ours.
FIGURE_11A: Rows = {f"annotator {i}": [(5, 15, "A"), (25, 40, "B"), (50, 60, "C")] for i in "123"}
FIGURE_11B: Rows = {
    "annotator 1": [(5, 15, "A"), (25, 40, "B"), (50, 60, "C")],
    "annotator 2": [(7, 16, "A"), (24, 37, "B"), (49, 60, "C")],
    "annotator 3": [(3, 13, "A"), (52, 63, "C")],
}
FIGURE_11C: Rows = {
    "annotator 1": [(25, 40, "B")],
    "annotator 2": [(5, 15, "A")],
    "annotator 3": [(50, 60, "C")],
}

#: Figure 12: length 44, unit 3 is 12 long, and splits at 15, 24 and 38 fall between units 1, 2, 3 and 4. The rest ours.
FIGURE_12_LENGTH = 44
FIGURE_12: list[tuple[int, int, str]] = [(3, 9, "1"), (16, 21, "2"), (25, 37, "3"), (39, 43, "4")]

#: Figure 14 (Krippendorff 2013): length 76, positions as printed.
FIGURE_14: Rows = {
    "observer 1": [(2, 17, "1"), (22, 37, "1"), (58, 68, "2"), (70, 75, "4")],
    "observer 2": [(2, 17, "1"), (32, 45, "3"), (58, 63, "1"), (70, 75, "4")],
}
FIGURE_14_LENGTH = 76

#: Figure 15: lengths and gaps are not printed; these give the values of the figure, and others would.
FIGURE_15: Rows = {
    "observer 1": [(5, 6, "1"), (14, 20, "9"), (28, 42, "7")],
    "observer 2": [(5, 6, "2"), (14, 20, "8"), (28, 42, "6")],
}
FIGURE_15_LENGTH = 47

#: Figure 16, and Figure 1 of 2017: 1, 4, 2 by both, not quite at the same places. Ours; a fifth of the length differs,
#: as section 2.1 of 2017 says.
FIGURE_16: Rows = {
    "annotator A": [(0, 14, "1"), (14, 26, "4"), (26, 40, "2")],
    "annotator B": [(0, 10, "1"), (10, 30, "4"), (30, 40, "2")],
}

#: Figures 17 to 19: units against silence, and against a split unit; lengths as printed.
_WHOLE, _HALVES = [(0, 20)], [(0, 10), (10, 20)]
_QUARTERS = [(0, 5), (5, 10), (10, 15), (15, 20)]
FIGURE_17: dict[str, Rows] = {"a": _rows([(0, 10)], []), "b": _rows([(0, 1), (5, 6)], [])}
FIGURE_18: dict[str, Rows] = {"a": _rows(_WHOLE, []), "b": _rows(_HALVES, []), "c": _rows(_QUARTERS, [])}
FIGURE_19: dict[str, Rows] = {"a": _rows(_WHOLE, _WHOLE), "b": _rows(_WHOLE, _HALVES), "c": _rows(_WHOLE, _QUARTERS)}

#: Figure 20: lengths 7 and 10, 21 and 30.
FIGURE_20: dict[str, Rows] = {"A": _rows([(0, 7)], [(0, 10)]), "B": _rows([(0, 21)], [(0, 30)], "B")}

#: Figure 21: lengths of 100, moved by 20 in (a). The gaps are ours; those of (b) were chosen to meet the printed value.
FIGURE_21_LENGTH = 720
FIGURE_21A: Rows = {
    "annotator A": [(x, x + 100, "1") for x in (0, 200, 400, 600)],
    "annotator B": [(x, x + 100, "2") for x in (20, 220, 420, 620)],
}
FIGURE_21B: Rows = {
    f"annotator {a}": [(x, x + 100, k) for x in (0, 180, 400, 580)] for a, k in (("A", "1"), ("B", "2"))
}

#: Figure 22: a unit inside another, by both annotators at the same places. Ours.
FIGURE_22: Rows = {f"annotator {a}": [(0, 40, "long"), (12, 24, "short")] for a in "AB"}

# --- Mathet 2017 ----------------------------------------------------------------------------------------------------

#: Figure 2: at word level, four words and one; the same category, and different ones.
FIGURE_2_2017: Rows = {
    "annotator A": [(0, 4, "Person"), (10, 11, "Person")],
    "annotator B": [(0, 4, "Person"), (10, 11, "Location")],
}

#: Figures 3, 4, 6, 10 and 16: laid out again from the figures printed around them; C's end and the length are free.
FIGURE_3: Rows = {
    "annotator 1": [(1, 10, "A"), (13, 17, "B")],
    "annotator 2": [(1, 10, "B"), (14, 18, "B")],
    "annotator 3": [(2, 12, "A"), (16, 24, "C")],
}
FIGURE_3_LENGTH = 26

#: Figure 7: lengths so different that A and B are never aligned. Ours.
FIGURE_7_2017: Rows = {f"annotator {a}": [(0, 30, "A"), (30, 31, "B")] for a in "12"}

#: Krippendorff 2011, page 9: 4 annotators, 12 items, 7 missing values. Figure 9 of 2017 puts item i at [i, i + 1).
TABLE_2011: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def table_2011() -> Continuum:
    """Krippendorff's table as units, as Figure 9 of 2017 shows it."""
    rows = {
        f"annotator {a}": [(i, i + 1, str(value)) for i, value in enumerate(row) if value is not None]
        for a, row in zip("ABCD", TABLE_2011, strict=True)
    }
    return Continuum.of(rows, extent=(0, 12), name="Krippendorff 2011")


def lay_out(rows: Rows, length: int | None = None, name: str = "") -> Continuum:
    """An example as a continuum; a unit with an empty category has none."""
    units = {a: [(s, e, c) if c else (s, e) for s, e, c in row] for a, row in rows.items()}
    return Continuum.of(units, extent=None if length is None else (0, length), name=name)
