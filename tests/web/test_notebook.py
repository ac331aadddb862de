# SPDX-License-Identifier: MIT
"""Results and alignments as a notebook shows them. Oracle: what a page with the cell's output in it shows."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import unisono

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

HOSTILE = "</script></iframe>\"'><img src=x onerror=alert(1)>"


def corpus() -> unisono.Corpus:
    return unisono.corpus(
        {
            "alike": {"ada": [(0, 5, "A"), (8, 12, "B")], "ben": [(0, 5, "A"), (8, 12, "B")]},
            HOSTILE: {"ada": [(0, 5, HOSTILE)], "ben": [(0, 6, "A"), (8, 9, "A")]},
        }
    )


def shown(page: Page, folder: Path, output: str) -> FrameLocator:
    """The output in a page, as a notebook has it; the frame with the viewer."""
    path = folder / "cell.html"
    path.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>cell</title>{output}</html>', "utf-8")
    page.goto(path.as_uri())
    return page.frame_locator("iframe")


def test_an_alignment_is_the_viewer_with_the_parts_of_its_disorders(page: Page, tmp_path: Path) -> None:
    alignment = unisono.best_alignment(corpus()[HOSTILE])
    frame = shown(page, tmp_path, alignment._repr_html_())
    summary = re.compile("^2 annotators · 3 units · 2 unitary alignments")
    expect(frame.locator(".u-summary")).to_have_text(summary)
    expect(frame.locator(".u-worst li").first).to_have_text(re.compile(r"= position 0\.008 \+ category 1\.000\.$"))
    assert frame.locator("#text").count() == 0
    assert frame.locator("img").count() == 0


def test_a_result_is_its_table_and_its_worst_documents(page: Page, tmp_path: Path) -> None:
    result = unisono.measure(corpus(), seed=1, samples=30)
    frame = shown(page, tmp_path, result._repr_html_())
    assert page.locator("tbody td").nth(1).inner_text() == f"{result['gamma'].value:.3f}".replace("-", "−")
    assert (page.locator("details pre").text_content() or "").strip() == str(result).strip()
    expect(frame.locator("body > label option")).to_have_text([HOSTILE, "alike"])
    frame.locator("body > label select").select_option(label="alike")
    expect(frame.locator(".u-summary")).to_contain_text("disorder 0.000")


def test_a_loaded_result_still_knows_its_parts(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "result.unisono"
    unisono.save(unisono.measure(corpus(), seed=1, samples=30), path)
    frame = shown(page, tmp_path, unisono.load_result(path)._repr_html_())
    expect(frame.locator(".u-worst li").first).to_have_text(re.compile(r"= position 0\.008 \+ category 1\.000\.$"))


def test_without_scripts_the_alignment_is_there_as_text(new_page: Callable[..., Page], tmp_path: Path) -> None:
    output = unisono.best_alignment(corpus()["alike"])._repr_html_()
    framed = re.search(r'srcdoc="([^"]*)"', output)
    assert framed is not None
    path = tmp_path / "frame.html"
    path.write_text(html.unescape(framed.group(1)), "utf-8")
    page = new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    expect(page.locator("body")).to_contain_text("proven to be the best alignment")


def test_a_result_from_json_is_its_table_alone() -> None:
    result = unisono.Result.from_dict(unisono.measure(corpus(), seed=1, samples=30).to_dict())
    shown = result._repr_html_()
    assert f"<pre>{html.escape(str(result))}</pre>" in shown
    assert "<table" in shown
    assert "<iframe" not in shown


def test_a_large_corpus_gives_a_small_cell() -> None:
    units = [(10 * i, 10 * i + 5, "A") for i in range(100)]
    documents = {f"document {i:03}": {"ada": units, "ben": units[:-1]} for i in range(60)}
    output = unisono.measure(unisono.corpus(documents), seed=1, samples=2)._repr_html_()
    assert "the 20 worst of 60" in output
    assert len(output) < 1_000_000


def test_a_long_alignment_is_not_written_out() -> None:
    units = [(10 * i, 10 * i + 5, "A") for i in range(300)]
    output = unisono.best_alignment(unisono.continuum({"ada": units, "ben": units}))._repr_html_()
    assert "300 unitary alignments, disorder 0" in output


@pytest.mark.parametrize("measure", ["percentage", "f1-exact"])
def test_measures_without_an_alignment_show_the_units(page: Page, tmp_path: Path, measure: str) -> None:
    same = {"ada": [(0, 5, "A"), (8, 12, "B")], "ben": [(0, 5, "A"), (8, 12, "C")]}
    result = unisono.measure(unisono.corpus({"one": same}), [measure], seed=1)
    frame = shown(page, tmp_path, result._repr_html_())
    expect(frame.locator(".u-summary")).to_have_text("2 annotators · 4 units")
