# SPDX-License-Identifier: MIT
"""The viewer with many annotators and categories. Oracles: the data that were drawn; a clock, printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from web.viewing import ORIGIN, colour_at, lane_top, open_viewer, sentence, settle, x_of

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    return (ORIGIN,)


def crowd(n_annotators: int, n_units: int, n_categories: int = 4) -> dict[str, Any]:
    """Annotators human-0, human-1, ... who mark about so many units together, as a view with a made-up alignment."""
    random = np.random.default_rng(4)
    n_groups = max(1, n_units // n_annotators)
    rows = []
    for annotator in range(n_annotators):
        for group in range(n_groups):
            if random.random() < 0.85:
                start = 40 * group + int(random.integers(0, 6))
                rows.append((annotator, group, start, start + 20 + int(random.integers(0, 8))))
    used = sorted({group for _, group, _, _ in rows})
    sizes = [sum(row[1] == group for row in rows) for group in used]
    return {
        "schema": 1,
        "name": "crowd",
        "axis": "positions",
        "extent": [0, 40 * n_groups],
        "text": None,
        "annotators": [f"human-{i}" for i in range(n_annotators)],
        "categories": [f"category {i:02}" for i in range(n_categories)],
        "units": {
            "annotator": [row[0] for row in rows],
            "category": [min(n_categories - 1, int(random.geometric(0.4)) - 1) for _ in rows],
            "start": [row[2] for row in rows],
            "end": [row[3] for row in rows],
        },
        "alignment": {
            "disorder": 1.0, "gap": 0.0, "delta_empty": 1.0, "group": [used.index(row[1]) for row in rows],
            "disorders": [1 - size / n_annotators + 0.01 for size in sizes],
            "positional": None, "categorial": None, "empty": None,
        },
    }  # fmt: skip


def names_of(page: Page) -> list[str]:
    return list(page.locator(".u-lane .u-name").all_inner_texts())


def test_compact_from_seven_on(page: Page) -> None:
    open_viewer(page, crowd(6, 60))
    assert page.locator(".u-compact").count() == 0
    page.goto("about:blank")
    open_viewer(page, crowd(7, 70))
    assert page.locator(".u-compact").count() == 1
    pitch = lane_top(page, 1) - lane_top(page, 0)
    assert pitch < 20
    page.get_by_role("button", name="Compact").click()
    assert page.locator(".u-compact").count() == 0
    assert lane_top(page, 1) - lane_top(page, 0) > 2 * pitch
    page.locator(".u-stage").focus()
    page.keyboard.press("c")
    assert page.locator(".u-compact").count() == 1


def test_names_in_natural_order_or_by_agreement(page: Page) -> None:
    data = crowd(12, 120)
    for i, annotator in enumerate(data["units"]["annotator"]):
        data["units"]["category"][i] = 3 if annotator == 5 else 0  # human-5 never gives the others' category
    open_viewer(page, data)
    assert names_of(page) == [f"human-{i}" for i in range(12)]
    page.locator(".u-order").select_option("agreement")
    assert names_of(page)[-1] == "human-5"
    assert set(names_of(page)) == {f"human-{i}" for i in range(12)}


def test_long_lists_of_chips_fold_with_a_count(page: Page) -> None:
    open_viewer(page, crowd(35, 250, n_categories=20))
    row = page.locator(".u-chiprow").first
    assert row.locator(".u-chip:not(.u-more):visible").count() == 8
    more = row.locator(".u-more")
    assert more.inner_text() == "27 more"
    more.click()
    assert row.locator(".u-chip:not(.u-more):visible").count() == 35
    assert more.inner_text() == "fewer"


def test_eight_colours_the_rest_grey_until_looked_at(page: Page) -> None:
    data = crowd(3, 120, n_categories=20)
    n = len(data["units"]["category"])
    # Category i has the more units the smaller i is; the last ones have few.
    weights = np.repeat(np.arange(20), np.maximum(1, (np.linspace(1.9, 0.1, 20) * n / 20).astype(int)))
    data["units"]["category"] = sorted([*weights.tolist(), *[0] * n][:n])
    open_viewer(page, data)
    swatches = page.locator(".u-chiprow").nth(1).locator(".u-swatch")
    colours = swatches.evaluate_all("all => all.map((each) => getComputedStyle(each).backgroundColor)")
    assert len(set(colours[:8])) == 8
    assert len(set(colours[8:])) == 1
    page.locator(".u-more").click()
    last = page.locator(".u-chiprow").nth(1).locator(".u-chip:not(.u-more)").last
    grey = last.locator(".u-swatch").evaluate("node => getComputedStyle(node).backgroundColor")
    last.click(modifiers=["Shift"])
    shown = last.locator(".u-swatch").evaluate("node => getComputedStyle(node).backgroundColor")
    assert grey == colours[-1] != shown


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_more_disorder_stands_out_more_in_both_themes(new_page: Callable[..., Page], theme: str) -> None:
    """The contrast of the steps with the ground grows from step to step."""
    page = new_page(color_scheme=theme)
    open_viewer(page, crowd(3, 30))
    contrasts = page.evaluate(
        """() => {
          const style = getComputedStyle(document.querySelector(".unisono-viewer"));
          const dark = matchMedia("(prefers-color-scheme: dark)").matches;
          const read = (name) => style.getPropertyValue(`--u-${name}`).match(/#[0-9a-f]{6}/g)[dark ? 1 : 0];
          const light = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const ground = light(read("ground"));
          return [0, 1, 2, 3, 4].map((i) => {
            const own = light(read(`disorder-${i}`));
            return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
          });
        }"""
    )
    assert contrasts == sorted(contrasts)
    assert contrasts[-1] > 7


def test_the_explanation_stays_in_sight(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    """35 annotators at 1440 x 900: from the click on Worst to the explanation, without scrolling."""
    open_viewer(page, crowd(35, 250))
    page.set_viewport_size({"width": 1440, "height": 900})
    taken = page.evaluate(
        """() => new Promise((done) => {
          const begin = performance.now();
          document.querySelector(".u-jumps button").click();
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
        })"""
    )
    box = page.locator(".u-sentence").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 900
    assert "disorder" in sentence(page)
    with capsys.disabled():
        print(f"\n  35 x 250: from the click to the explanation {taken:.0f} ms")


def test_units_that_do_not_overlap_are_marked(page: Page) -> None:
    data = crowd(3, 30)
    groups = data["alignment"]["group"]
    whole = next(group for group in groups if groups.count(group) == 3)
    lonely = groups.index(whole)
    data["units"]["start"][lonely] += 30  # beyond the others of its group
    data["units"]["end"][lonely] += 30
    open_viewer(page, data)
    page.evaluate(f"viewer.select({whole})")
    settle(page)
    rows = page.locator(".u-row:not(.u-absent)").all_inner_texts()
    assert ["does not overlap the others" in row for row in rows].count(True) == 1
    assert "Some of these units do not overlap" in sentence(page)


@pytest.mark.parametrize(("n_annotators", "n_units"), [(35, 250), (12, 500)])
def test_panning_is_fluent(page: Page, n_annotators: int, n_units: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The median time of a frame while panning: printed, not judged, since machines differ. Every frame is drawn."""
    open_viewer(page, crowd(n_annotators, n_units))
    page.locator(".u-stage").focus()
    for _ in range(4):
        page.keyboard.press("+")
    median = page.evaluate(
        """() => new Promise((done) => {
          const stage = document.querySelector(".u-stage");
          const times = [];
          let last = 0;
          const step = (now) => {
            if (last) times.push(now - last);
            last = now;
            stage.dispatchEvent(new WheelEvent("wheel", { deltaX: 12, bubbles: true, cancelable: true }));
            if (times.length < 60) requestAnimationFrame(step);
            else done(times.sort((a, b) => a - b)[30]);
          };
          requestAnimationFrame(step);
        })"""
    )
    with capsys.disabled():
        print(f"\n  {n_annotators} x {n_units}: median frame while panning {median:.1f} ms")


def test_what_is_selected_and_filtered_can_be_restored(page: Page) -> None:
    open_viewer(page, crowd(8, 80))
    page.locator(".u-jumps button").first.click()
    page.locator(".u-chip", has_text="human-3").click()
    page.locator(".u-order").select_option("agreement")
    page.get_by_role("button", name="Compact").click()
    before = page.evaluate("viewer.state()")
    assert before["without"] == ["human-3"]
    assert before["compact"] is False
    page.evaluate("viewer.show(data)")
    page.evaluate("viewer.restore({})")
    assert page.evaluate("viewer.state()") == {}
    page.evaluate("state => viewer.restore(state)", before)
    assert page.evaluate("viewer.state()") == before


def test_the_compact_mode_draws_units_where_they_are(page: Page) -> None:
    data = crowd(9, 90)
    open_viewer(page, data)
    units = data["units"]
    ground = colour_at(page, x_of(page, units["start"][0] - 3), lane_top(page, 0) + 4)
    assert colour_at(page, x_of(page, (units["start"][0] + units["end"][0]) / 2), lane_top(page, 0) + 4) != ground
