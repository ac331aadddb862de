# SPDX-License-Identifier: MIT
"""Figures. Oracles: the shapes on the axes, counted; files read back; a figure looked at when it was made."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import unisono
from unisono.report import figure
from unisono.report.figure import _breaks, _Part, check_figure

pytest.importorskip("matplotlib")

HERE = Path(__file__).parents[3]


def alignment(name: str = "entities") -> unisono.Alignment:
    return unisono.best_alignment(unisono.read(HERE / "examples" / f"{name}.csv")[0])


def test_every_unit_and_every_empty_unit_is_drawn() -> None:
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon, Rectangle

    best = alignment()
    axes = Figure(figsize=(7, 3)).add_subplot()
    unisono.draw_alignment(best, axes)
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    full = [box for box in boxes if box.get_linestyle() in ("-", "solid")]
    assert len(full) == best.continuum.n_units
    assert len(boxes) - len(full) == 3 * len(best) - best.continuum.n_units
    bands = [patch for patch in axes.patches if type(patch) is Polygon]
    assert len(bands) == 2 * len(best)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["ada", "ben", "chloe"]


def test_boxes_of_one_lane_do_not_overlap() -> None:
    """Overlapping units and the empty ones beside them are one below the other."""
    part = _Part.of(alignment(), None, 3.3, None)
    boxes = [box for boxes in part.boxes.values() for box in boxes]
    for one in boxes:
        for other in boxes:
            if one is not other and (one.annotator, one.line) == (other.annotator, other.line):
                assert one.end <= other.start or other.end <= one.start


def test_rows_are_broken_in_gaps() -> None:
    best = alignment("gestures")
    part = _Part.of(best, None, 3.3, 3)
    found = list(best.continuum)
    for place in part.breaks[1:-1]:
        assert not [unit for unit in found if unit.start < place < unit.end]
    assert _breaks(figure.Disagreements.of(best), 0.0, 20.0, 1) == (0.0, 20.0)


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_the_same_file_twice(suffix: str, tmp_path: Path) -> None:
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix}"
    for path in (one, other):
        unisono.draw_alignment(alignment("gestures"), path)
    assert one.read_bytes() == other.read_bytes()


def test_width_is_that_of_a_column(tmp_path: Path) -> None:
    unisono.draw_alignment(alignment("gestures"), tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(3.3 * 72)
    unisono.draw_alignment(alignment("gestures"), tmp_path / "b.pdf", width=7)
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", (tmp_path / "b.pdf").read_bytes())
    assert box is not None
    assert float(box[1]) == pytest.approx(7 * 72)


def test_letters_are_embedded(tmp_path: Path) -> None:
    """Type 42 in PDF, which editors can edit and publishers take; outlines in SVG, which need no font at all."""
    unisono.draw_alignment(alignment("gestures"), tmp_path / "a.pdf")
    assert b"/FontFile2" in (tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in (tmp_path / "a.pdf").read_bytes()
    unisono.draw_alignment(alignment("gestures"), tmp_path / "a.svg")
    assert "<text" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_hostile_names(tmp_path: Path) -> None:
    """Formulas, tags, other scripts, ten thousand letters: drawn as they are, cut, never interpreted."""
    units = [(0, 30, "$\\frac{1}{0}$"), (40, 70, "</svg><script>"), (80, 120, "x" * 10_000), (130, 150)]
    hostile = unisono.continuum({"$\\bad": units, "فاطمة 😀\x1b[31m": units, "研究": units})
    for suffix in (".svg", ".pdf", ".png"):
        unisono.draw_alignment(unisono.best_alignment(hostile), tmp_path / f"a{suffix}", width=7)
    ElementTree.parse(tmp_path / "a.svg")
    assert "<script" not in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_no_two_categories_look_the_same() -> None:
    looks = [figure._look(i) for i in range(64)]
    assert len(set(looks)) == 64


def test_points_only(tmp_path: Path) -> None:
    points = unisono.continuum({"ann": [(5, 5, "A")], "bob": [(5, 5, "A")]})
    best = unisono.best_alignment(points, unisono.CombinedDissimilarity(unisono.dissimilarity.Absolute(3)))
    unisono.draw_alignment(best, tmp_path / "a.png")


def test_names_that_are_digits_of_another_kind() -> None:
    """A superscript is a digit to Python, and no number."""
    names = ["²", "b10", "b9", "٣"]
    part = _Part.of(unisono.best_alignment(unisono.continuum({name: [(0, 5, "A")] for name in names})), None, 3.3, 1)
    assert part.annotators == ("b9", "b10", "²", "٣")


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    with pytest.raises(unisono.ParameterError, match=r"a\.gif', does not say which kind.* end in \.svg, \.pdf, \.png"):
        unisono.draw_alignment(alignment(), tmp_path / "a.gif")
    with pytest.raises(unisono.ParameterError, match=r"the window ends .* before or where it starts"):
        unisono.draw_alignment(alignment(), tmp_path / "a.svg", window=(5, 5))
    with pytest.raises(unisono.ParameterError, match="a figure cannot have 0 rows"):
        unisono.draw_alignment(alignment(), tmp_path / "a.svg", rows=0)
    long = [(i * 10, i * 10 + 9) for i in range(300)]
    with pytest.raises(unisono.ParameterError, match="rows to be readable; a figure has at most 12"):
        unisono.draw_alignment(unisono.best_alignment(unisono.continuum({"a": long, "b": long})), tmp_path / "a.svg")
    with pytest.raises(unisono.FormatError, match="the file cannot be written"):
        unisono.draw_alignment(alignment(), tmp_path / "no" / "a.svg")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(unisono.MissingDependencyError, match=r"pip install 'unisono\[plots\]'"):
        check_figure("a.svg")
