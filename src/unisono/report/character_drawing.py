# SPDX-License-Identifier: MIT
"""An alignment drawn in characters: a lane for each annotator, a box for each unit with the number of its unitary
alignment, dots where an annotator marked nothing, and below the lanes a mark for each disagreement, by its disorder.

A long continuum is broken into rows; if there are too many, only those with the worst disagreements are drawn. Names
are cut by terminal cells, not by characters: some characters take two cells.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from unisono.alignment.disagreements import Disagreements, by_disorder
from unisono.model import Position
from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.alignment_table import add_proof
from unisono.report.notation import number

if TYPE_CHECKING:
    from unisono.model import Alignment
    from unisono.report.text_page import Page

#: The width of a drawing where nothing limits it.
USUAL_WIDTH = 100
#: Cells of a unit of median length: room for its number and the beginning of its category.
CELLS_OF_A_UNIT = 9
#: Rows drawn at most.
MOST_ROWS = 12
#: How many unitary alignments are marked as the worst.
WORST = 3
#: With more annotators than this, no extra lines are drawn for empty units: they would hide the units.
SEVERAL = 4
#: Names of annotators are cut to this width.
NAME_WIDTH = 16


@dataclass(frozen=True)
class Signs:
    """The characters of a drawing. Everything can be told apart without colour."""

    left: str
    right: str
    line: str
    narrow: str
    empty: str
    cut: str
    #: For no, little, more and the worst disorder.
    marks: str


UNICODE = Signs("├", "┤", "─", "┃", "·", "…", " ░▒█")
ASCII = Signs("[", "]", "=", "|", ".", "~", " -+#")

#: By how bad it is: none, little, more, among the worst.
STYLES = ("", "cyan", "yellow", "bold red")


def signs_for(encoding: str | None) -> Signs:
    """The characters that an encoding can represent.

    >>> signs_for("utf-8") is UNICODE, signs_for("ascii") is ASCII
    (True, True)
    """
    try:
        "├┤─┃·…░▒█".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def add_drawing(
    page: Page,
    name: str,
    alignment: Alignment,
    *,
    window: tuple[Position, Position] | None = None,
    signs: Signs = UNICODE,
) -> None:
    """The drawing of an alignment, of a window of it if given, and the proof below it."""
    if name:
        page.line(visible(name), "bold")
    drawing = _Drawing.of(alignment, page.width if page.width < 10_000 else USUAL_WIDTH, window, signs)
    for line in drawing.lines():
        page.add(line)
    add_proof(page, alignment)


@dataclass(frozen=True)
class _Drawing:
    disagreements: Disagreements
    signs: Signs
    #: Cells for the names, and for the lanes.
    margin: int
    width: int
    start: float
    #: What one cell stands for.
    step: float
    n_rows: int
    #: 0 to 3 for each unitary alignment: how bad it is.
    grades: np.ndarray[tuple[int], np.dtype[np.int64]]

    @classmethod
    def of(cls, alignment: Alignment, width: int, window: tuple[Position, Position] | None, signs: Signs) -> _Drawing:
        continuum = alignment.continuum
        extent = continuum.extent
        assert extent is not None  # an alignment has units
        start, end = window or (extent.start, extent.end)
        disagreements = Disagreements.of(alignment)
        names = [cell_len(visible(annotator)) for annotator in continuum.annotators]
        margin = min(max(names), NAME_WIDTH, max(4, width // 4)) + 1
        room = max(8, width - margin)
        lengths = (continuum.ends - continuum.starts).astype(float)
        usual = float(np.median(lengths[lengths > 0])) if (lengths > 0).any() else 0.0
        length = float(end - start) or 1.0
        step = min(length / room, usual / CELLS_OF_A_UNIT if usual else math.inf) if window is None else length / room
        # No finer than the positions themselves.
        step = max(step, 0.5) if continuum.has_integer_positions and window is None else step
        # The step is adjusted so that the last row is as full as the others.
        n_rows = max(1, round(length / (step * room)))
        return cls(
            disagreements,
            signs,
            margin,
            room,
            float(start),
            length / (n_rows * room),
            n_rows,
            _grades(alignment, (disagreements.end >= start) & (disagreements.start <= end)),
        )

    def lines(self) -> Iterator[Text]:
        chosen, n_left_out = self._rows()
        for row in chosen:
            yield from self._row(row)
            yield Text()
        yield self._key()
        if n_left_out:
            yield Text(
                f"{quantity(n_left_out, 'row')} with less disorder not drawn (--window START:END shows any place)",
                "dim",
            )

    def _rows(self) -> tuple[list[int], int]:
        """The rows that have units; of too many, those with the most disorder; and how many those leave out."""
        first, last = self._cells(self.disagreements.start), self._cells(self.disagreements.end)
        top = self.n_rows * self.width - 1
        inside = (last >= 0) & (first <= top)
        low, high = np.clip(first, 0, top) // self.width, np.clip(last, 0, top) // self.width
        worst: dict[int, float] = {}
        for a, b, disorder in zip(
            low[inside].tolist(),
            high[inside].tolist(),
            self.disagreements.alignment.disorders[inside].tolist(),
            strict=True,
        ):
            for row in range(a, b + 1):
                worst[row] = max(worst.get(row, 0.0), disorder)
        kept = sorted(sorted(worst), key=lambda row: -round(worst[row], 9))[:MOST_ROWS]
        return sorted(kept), len(worst) - len(kept)

    def _cells(
        self, positions: np.ndarray[tuple[int], np.dtype[np.generic]]
    ) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        # The small addend makes positions on a border fall on it in spite of rounding.
        cells = np.floor((positions.astype(float) - self.start) / self.step + 1e-9)
        return cells.astype(np.int64)

    def _row(self, row: int) -> Iterator[Text]:
        continuum = self.disagreements.alignment.continuum
        low = row * self.width
        high = low + self.width
        yield self._ruler(low)
        first = self._cells(continuum.starts)
        last = np.maximum(self._cells(continuum.ends) - 1, first)  # a point takes one cell
        here = np.flatnonzero((first < high) & (last >= low))
        codes = continuum.annotator_codes[here]
        hull_first = self._cells(self.disagreements.start)
        hull_last = np.maximum(self._cells(self.disagreements.end) - 1, hull_first)
        groups = np.flatnonzero((hull_first < high) & (hull_last >= low))
        for code, annotator in enumerate(continuum.annotators):
            own = here[codes == code]
            lanes = [_Lane(self.width, self.signs)]
            for unit in own.tolist():
                box = int(first[unit]) - low, int(last[unit]) - low
                lane = next((lane for lane in lanes if lane.is_free(*box)), None)
                if lane is None:
                    lanes.append(lane := _Lane(self.width, self.signs))
                group = int(self.disagreements.alignment.group[unit])
                label = visible(self.disagreements.labels[unit] or "")
                lane.box(*box, str(group + 1), label, STYLES[self.grades[group]])
            marked = set(self.disagreements.alignment.group[continuum.annotator_codes == code].tolist())
            for group in groups.tolist():
                if group not in marked:
                    hull = int(hull_first[group]) - low, int(hull_last[group]) - low
                    lane = next((lane for lane in lanes if lane.is_free(*hull)), None)
                    if lane is None and continuum.n_annotators > SEVERAL:
                        continue
                    if lane is None:
                        lanes.append(lane := _Lane(self.width, self.signs))
                    lane.dots(*hull, str(group + 1))
            for i, lane in enumerate(lanes):
                name = "" if i else set_cell_size(self._cut(visible(annotator)), self.margin)
                yield Text(name or " " * self.margin) + lane.text()
        yield self._marks(groups.tolist(), hull_first, hull_last, low)

    def _cut(self, name: str) -> str:
        room = self.margin - 1
        return name if cell_len(name) <= room else set_cell_size(name, room - 1) + self.signs.cut

    def _ruler(self, low: int) -> Text:
        """Positions at regular cells, without decimals where a cell is 1 or longer."""
        line = [" "] * self.width
        gap = 10 if self.width >= 30 else self.width
        end = -1
        for cell in range(0, self.width, gap):
            position = self.start + (low + cell) * self.step
            shown = f"{position:.0f}" if self.step >= 1 else f"{position:.{max(0, math.ceil(-math.log10(self.step)))}f}"
            if cell > end and cell + len(shown) <= self.width:
                line[cell : cell + len(shown)] = shown
                end = cell + len(shown)
        return Text(" " * self.margin + "".join(line), "dim")

    def _marks(self, groups: list[int], first: np.ndarray, last: np.ndarray, low: int) -> Text:
        """Below the lanes: the grade of each unitary alignment; where they overlap, the worst grade."""
        grade = np.zeros(self.width, dtype=np.int64)
        for group in groups:
            cells = slice(max(0, int(first[group]) - low), min(self.width, int(last[group]) + 1 - low))
            grade[cells] = np.maximum(grade[cells], self.grades[group])
        grades = grade.tolist()
        marks = _style_runs([self.signs.marks[each] for each in grades], [STYLES[each] for each in grades])
        return Text(" " * self.margin) + marks

    def _key(self) -> Text:
        """The legend of the marks, and which unitary alignments are the worst."""
        alignment = self.disagreements.alignment
        little, more, worst = (self.signs.marks[grade] for grade in (1, 2, 3))
        shown = by_disorder(alignment, np.flatnonzero(self.grades == 3)).tolist()
        text = Text()
        if not shown:
            return text.append("no disorder anywhere", "dim")
        text.append(f"{worst} worst: ", "bold")
        text.append(", ".join(f"{i + 1} ({number(float(alignment.disorders[i]))})" for i in shown))
        for sign, meaning in ((more, "above the mean"), (little, "below it")):
            text.append(f"  {sign} {meaning}", "dim")
        text.append(f"  {self.signs.empty} nothing marked", "dim")
        return text


class _Lane:
    """One line of cells with boxes in it."""

    def __init__(self, width: int, signs: Signs):
        self.signs = signs
        self.cells: list[str] = [" "] * width
        self.styles: list[str] = [""] * width
        self.taken = np.zeros(width, dtype=bool)

    def is_free(self, first: int, last: int) -> bool:
        return not self.taken[max(0, first) : last + 1].any()

    def box(self, first: int, last: int, number: str, label: str, style: str) -> None:
        """A box from cell to cell, open where it continues in another row; its number, then as much label as fits."""
        width = len(self.cells)
        low, high = max(0, first), min(width - 1, last)
        n = high - low + 1
        left = self.signs.left if first >= 0 else self.signs.line
        right = self.signs.right if last < width else self.signs.line
        if n == 1:
            inside = self.signs.narrow
        elif n - 2 < len(number):
            inside = left + self.signs.line * (n - 2) + right
        else:
            room = n - 2
            full = f"{number} {label}" if label and room >= len(number) + 3 else number
            if cell_len(full) > room:
                full = set_cell_size(full, room - 1) + self.signs.cut
            inside = left + full + self.signs.line * (room - cell_len(full)) + right
        # The second cell of a wide character holds an empty string.
        at = low
        for char in inside:
            wide = cell_len(char)
            if wide == 0:
                self.cells[at - 1] += char
                continue
            self.cells[at] = char
            for more in range(1, wide):
                self.cells[at + more] = ""
            at += wide
        self.styles[low : high + 1] = [style] * n
        self.taken[low : high + 1] = True

    def dots(self, first: int, last: int, number: str) -> None:
        """The empty unit: dots, with its number where there is room."""
        low, high = max(0, first), min(len(self.cells) - 1, last)
        n = high - low + 1
        inside = f"{self.signs.empty}{number}" if n >= len(number) + 2 else ""
        self.cells[low : high + 1] = inside + self.signs.empty * (n - len(inside))
        self.styles[low : high + 1] = ["dim"] * n
        self.taken[low : high + 1] = True

    def text(self) -> Text:
        return _style_runs(self.cells, self.styles)


def _style_runs(cells: Iterable[str], styles: Iterable[str]) -> Text:
    """The cells as one text, with one span for each run of equal style."""
    text = Text()
    for style, run in itertools.groupby(zip(cells, styles, strict=True), key=lambda cell: cell[1]):
        text.append("".join(cell for cell, _ in run), style)
    return text


def _grades(
    alignment: Alignment, inside: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """0 without disorder, 1 below the mean of the positive disorders inside the window, 2 from it up, 3 the worst."""
    disorders = np.round(alignment.disorders, 9)
    grades = np.zeros(len(disorders), dtype=np.int64)
    bad = (disorders > 0) & inside
    if bad.any():
        grades[bad] = np.where(disorders[bad] >= disorders[bad].mean(), 2, 1)
        grades[by_disorder(alignment, np.flatnonzero(grades == 2))[:WORST]] = 3
    return grades
