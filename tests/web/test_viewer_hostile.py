# SPDX-License-Identifier: MIT
"""Names that would be markup, or break the page, are text. Oracle: what the browser did with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from unisono.model import Continuum
from web.viewing import ORIGIN, aligned, lane_top, open_viewer, sentence, settle, unfold_table, x_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = [
    "</script><img src=x onerror=\"document.title='run'\">",
    "<b>bold</b>&amp;{{7*7}}${7*7}",
    "עברית مرحبا",
    "\u202emirrored\u2066",
    "👩\u200d👩\u200d👧 🇫🇷",
    "long " * 2000,
    "unbroken" * 1250,
    "__proto__",
    "",
    "two\nlines\ttab",
]


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    return (ORIGIN,)


@pytest.mark.parametrize("width", [1440, 390])
def test_names_and_texts_are_text_and_nothing_else(new_page: Callable[..., Page], width: int, axe: Any) -> None:
    page = new_page(viewport={"width": width, "height": 900})
    text = "".join(f"{name[:60]} - " for name in NAMES)
    units = {
        name: [(20 * i, 20 * i + 15 + (k % 3), other) for i, other in enumerate(NAMES)] for k, name in enumerate(NAMES)
    }
    continuum = Continuum.of(units, text=text.ljust(300), name=NAMES[0])
    open_viewer(page, aligned(continuum))
    page.get_by_role("button", name="Worst").click()
    unfold_table(page)
    settle(page)

    assert page.title() == "viewer"
    assert page.locator("img, b, main script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".u-text").evaluate("(pane) => pane.textContent") == text.ljust(300)
    chips = page.get_by_role("group", name="Categories").locator(".u-chip")
    names = chips.locator(".u-name").evaluate_all("elements => elements.map((e) => e.textContent)")
    assert set(names) == {name if len(name) <= 80 else name[:79] + "…" for name in NAMES}
    assert max(box["width"] for box in (chip.bounding_box() for chip in chips.all()) if box) <= 260
    # The sentence keeps its direction, whatever the names in it do.
    assert sentence(page).count("disorder") == 1
    assert page.locator(".u-sentence bdi").count() > 10
    axe(page)


def test_long_labels_are_cut_in_the_drawing_and_hovering_stays_in_the_page(page: Page) -> None:
    label = "W" * 10_000
    open_viewer(page, aligned(Continuum.of({label: [(0, 10, label)], "b": [(0, 8, label)]})))
    page.locator(".u-canvas").hover(position={"x": x_of(page, 9), "y": lane_top(page, 1) + 8})
    settle(page)
    tip = page.locator(".u-tip").bounding_box()
    plot = page.locator(".u-plot").bounding_box()
    assert tip is not None
    assert plot is not None
    assert tip["x"] + tip["width"] <= plot["x"] + plot["width"] + 1
    assert len(sentence(page)) < 400
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_categories_by_the_hundred_leave_room_for_the_drawing(page: Page) -> None:
    units = [(10 * i, 10 * i + 8, f"category number {i}") for i in range(300)]
    open_viewer(page, aligned(Continuum.of({"ada": units, "ben": units})))
    board = page.locator(".u-board").bounding_box()
    assert board is not None
    assert board["y"] < 450
