# SPDX-License-Identifier: MIT
"""Figures and page of a benchmark. Oracle: the values they show; a real browser; names that try to be markup."""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from conftest import CI
from unisono.experiments import plots
from unisono.experiments.benchmark import write_benchmark
from unisono.experiments.interactive import page
from unisono.experiments.responses import BenchmarkResult

EVIL = "</script><img src=x onerror=alert(1)>"


def made(**changes: Any) -> BenchmarkResult:
    return unisono.benchmark(
        {
            "title": f"Both {EVIL}",
            "measures": ["gamma", "ser"],
            "errors": "false-negatives",
            "reference": {"units": 6, "length": [5, 9], "gap": [0, 3]},
            "magnitudes": [0, 0.5, 1],
            "sets": 3,
            "samples": 5,
            "curves": [{"name": "missed"}, {"name": EVIL, "errors": "position"}],
        }
        | changes,
        threads=1,
    )


@pytest.fixture(scope="module")
def result() -> BenchmarkResult:
    return made()


def test_a_panel_for_each_curve_and_the_means_as_lines(result: BenchmarkResult) -> None:
    figure = plots.figure(result)
    assert [axes.get_title() for axes in figure.axes] == ["missed", EVIL]
    lines = [line for line in figure.axes[1].get_lines() if line.get_marker() not in ("None", None, "")]
    for line, measure in zip(lines, ("gamma", "ser"), strict=True):
        means = [point.mean for point in result[EVIL, measure].points]
        assert line.get_ydata() == pytest.approx(means)
        assert list(line.get_xdata()) == [0, 0.5, 1]
    assert [text.get_text() for text in figure.axes[1].texts] == ["γ", "1-SER"]
    (one,) = plots.figure(result, panels="one").axes
    assert [text.get_text() for text in one.texts] == ["γ, missed", "1-SER, missed", f"γ, {EVIL}", f"1-SER, {EVIL}"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_picture_for_the_same_result(result: BenchmarkResult, kind: str) -> None:
    first = plots.picture(result, kind)
    assert first == plots.picture(result, kind)
    if kind == "svg":
        ElementTree.fromstring(first)  # well-formed whatever the names
    else:
        assert first.startswith(b"\x89PNG")


def test_many_measures_have_a_legend() -> None:
    names = ["gamma", "ser", "f1-exact", "f1-partial", "f1-type", "f1-iou", "gamma-cat", "cu-alpha", "u-alpha"]
    figure = plots.figure(made(measures=names, curves=[{"name": "one"}]))
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert len(legend.get_texts()) == len(names)


def test_without_the_extra(result: BenchmarkResult, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(unisono.MissingDependencyError, match=r"pip install 'unisono\[plots\]'"):
        write_benchmark(result, tmp_path, plots=["png"])
    assert not list(tmp_path.iterdir())
    with pytest.raises(unisono.ParameterError, match="Choose plots= among png, svg, html"):
        write_benchmark(result, tmp_path, plots=["gif"])


@given(st.lists(st.floats(0, 1), max_size=8), st.sampled_from([0.0, 0.05, 0.2]))
def test_names_keep_apart_and_in_order(wanted: list[float], apart: float) -> None:
    heights = plots.spread(wanted, apart)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    gaps = [heights[j] - heights[i] for i, j in itertools.pairwise(order)]
    assert all(gap >= apart - 1e-9 for gap in gaps)
    near = sorted(wanted)
    if all(b - a >= apart for a, b in itertools.pairwise(near)):
        assert heights == pytest.approx(wanted)
    assert sum(heights) == pytest.approx(sum(wanted))


def test_names_are_text_in_the_page(result: BenchmarkResult) -> None:
    html = page(result)
    assert "<img" not in html
    assert html.count("</script>") == 2
    assert not re.search("https?:", html.replace("http://www.w3.org/2000/svg", ""))  # nothing is fetched
    assert html == page(result)


def test_the_page_in_a_browser(result: BenchmarkResult, tmp_path: Path) -> None:
    """Pointing shows the values, a box hides a measure, the keyboard works, nothing is asked of the network."""
    if shutil.which("chromium") is None:
        (pytest.fail if CI else pytest.skip)("no chromium")
    from playwright.sync_api import sync_playwright

    path = tmp_path / "page.html"
    path.write_text(page(result), encoding="utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            view = browser.new_page(viewport={"width": 1200, "height": 900})
            asked: list[str] = []
            wrong: list[str] = []
            view.on("request", lambda request: asked.append(request.url))
            view.on("pageerror", lambda error: wrong.append(str(error)))
            view.on("dialog", lambda dialog: wrong.append(dialog.message))
            view.goto(path.as_uri())
            assert asked == [path.as_uri()]
            assert view.locator("figcaption > span").all_text_contents() == ["missed", EVIL]
            with view.expect_download() as download:
                view.locator("figure button", has_text="SVG").first.click()
            download.value.save_as(tmp_path / "curve.svg")
            assert "var(" not in (tmp_path / "curve.svg").read_text(encoding="utf-8")
            ElementTree.parse(tmp_path / "curve.svg")
            chart = view.locator("#charts svg").nth(1)
            assert chart.locator("polyline").count() == 2
            box = chart.bounding_box()
            assert box is not None
            view.mouse.move(box["x"] + box["width"] * 0.47, box["y"] + box["height"] / 2)
            tip = view.locator(".tip").nth(1)
            mean = result[EVIL, "gamma"].at(0.5).mean
            assert mean is not None
            assert "magnitude 0.5" in tip.inner_text()
            assert f"{mean:.3f}" in tip.inner_text()
            place = tip.bounding_box()
            assert place is not None
            assert box["y"] <= place["y"] <= box["y"] + box["height"]  # beside the line, not below the chart
            view.get_by_label("1-SER").uncheck()
            assert chart.locator("polyline").count() == 1
            chart.focus()
            for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
                view.keyboard.press(key)
            assert "magnitude 1" in tip.inner_text()
            assert "1-SER" not in tip.inner_text()
            view.keyboard.press("Escape")
            assert not tip.is_visible()
            assert wrong == []
            for scheme in ("light", "dark"):
                view.emulate_media(color_scheme=scheme)
                assert _violations(view) == []
        finally:
            browser.close()


def test_a_measure_without_values_says_why(tmp_path: Path) -> None:
    """One chart is as large as one of two; the reason stands below it, as on the terminal."""
    if shutil.which("chromium") is None:
        (pytest.fail if CI else pytest.skip)("no chromium")
    from playwright.sync_api import sync_playwright

    path = tmp_path / "page.html"
    path.write_text(page(made(measures=["gamma", "gamma-k:Z"], curves=[{"name": "one"}])), encoding="utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            view = browser.new_page(viewport={"width": 1920, "height": 1080})
            view.goto(path.as_uri())
            gamma, gamma_k = view.locator(".undefined li").all_inner_texts()
            assert gamma == "γ: sets without a value: 3 at 1 (nobody marked any unit)"  # all were missed
            assert gamma_k.startswith("γk of Z: sets without a value: 3 at 0")
            assert "no unit of that category" in gamma_k
            box = view.locator("#charts svg").bounding_box()
            assert box is not None
            assert 400 < box["width"] <= 704
            assert box["height"] < 500
        finally:
            browser.close()


def _violations(view: Any) -> list[str]:
    """What axe finds of accessibility."""
    from axe_playwright_python.sync_playwright import Axe

    return [f"{item['id']}: {item['nodes'][0]['html']}" for item in Axe().run(view).response["violations"]]
