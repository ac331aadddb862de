# SPDX-License-Identifier: MIT
"""The viewer in Chromium, under the strict policy of the web page. Oracle: the units of a small text, by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from unisono.alignment import best_alignment
from unisono.dissimilarity import FunctionDissimilarity
from unisono.model import Continuum, Extent
from unisono.report.assets import bundle, stylesheet
from unisono.report.notation import TYPESET, difference
from unisono.report.view import view
from web.viewing import (
    ORIGIN,
    aligned,
    becomes,
    colour_at,
    lane_top,
    open_viewer,
    point_at,
    sentence,
    settle,
    unfold_table,
    window_of,
    x_of,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The emoji is one code point and two UTF-16 units: what comes after it shows whether offsets are counted right.
TEXT = "😀 Marie Duval left the University of Caen in 1998.\nShe went to Grenoble."
PAGES = [
    {"color_scheme": "light", "viewport": {"width": 1440, "height": 900}},
    {"color_scheme": "dark", "viewport": {"width": 1440, "height": 900}},
    {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
    {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
]
IDS = ["wide-light", "wide-dark", "narrow-light", "narrow-dark"]


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    return (ORIGIN,)


def mark(words: str, category: str) -> tuple[int, int, str]:
    return TEXT.index(words), TEXT.index(words) + len(words), category


def letter() -> Continuum:
    """Four unitary alignments: a person all agree on, an organisation (ben's is wider), a place in it that chi names
    otherwise, a city that chi alone marked."""
    return Continuum.of(
        {
            "ada": [
                mark("Marie Duval", "Person"),
                mark("University of Caen", "Organisation"),
                mark("Caen", "Location"),
            ],
            "ben": [mark("Marie Duval", "Person"), mark("the University of Caen", "Organisation")],
            "chi": [mark("Marie Duval", "Person"), mark("Caen", "Region"), mark("Grenoble", "Location")],
        },
        text=TEXT,
        name="letter",
    )


@pytest.fixture
def viewer(page: Page) -> Page:
    open_viewer(page, aligned(letter()))
    return page


def rows(page: Page) -> list[str]:
    """The units of each row of the table, which is opened for it."""
    unfold_table(page)
    return page.locator(".u-table tbody .u-marks").all_inner_texts()


CITY = "ada nothing, ben nothing, chi 63–71 Location"
PERSON = "ada 2–13 Person, ben 2–13 Person, chi 2–13 Person"
WIDER = "ada 23–41 Organisation, ben 19–41 Organisation, chi nothing"
CAEN = "ada 37–41 Location, ben nothing, chi 37–41 Region"


# ---- what is drawn


def test_it_says_what_it_shows(viewer: Page) -> None:
    summary = viewer.locator(".u-summary").inner_text()
    assert summary.startswith("3 annotators · 8 units · 4 unitary alignments · disorder ")
    assert summary.endswith("proven best")
    assert viewer.locator(".u-names .u-lane .u-name").all_inner_texts() == ["ada", "ben", "chi"]


def test_units_are_where_they_belong_in_the_colour_of_their_category(viewer: Page) -> None:
    """The most frequent category has the first colour; equally frequent ones are in the order of their names."""
    blue, vermilion, green = (0, 114, 178), (213, 94, 0), (0, 158, 115)  # Person, Location, Organisation
    first = lane_top(viewer, 0)
    # The left edge of a unit is in its full colour.
    assert colour_at(viewer, x_of(viewer, 2) + 1.5, first + 8) == blue
    assert colour_at(viewer, x_of(viewer, 23) + 1.5, first + 8) == green
    assert colour_at(viewer, x_of(viewer, 37) + 1.5, first + 22 + 8) == vermilion  # nested: on the track below
    assert vermilion not in {colour_at(viewer, x_of(viewer, 37) + 1.5, first + 8)}
    assert colour_at(viewer, x_of(viewer, 63) + 1.5, lane_top(viewer, 2) + 8) == vermilion


def test_colours_can_be_those_of_the_corpus(page: Page) -> None:
    open_viewer(page, aligned(letter()), categories=["Zebra", "Person", "Organisation", "Location"])
    assert colour_at(page, x_of(page, 2) + 1.5, lane_top(page, 0) + 8) == (
        213,
        94,
        0,
    )  # the second colour, not the third


def test_the_worst_disagreements_stand_first(viewer: Page) -> None:
    entries = viewer.locator(".u-worst li").all_inner_texts()
    assert entries == [
        "ada marks 37–41 Location, ben nothing, chi 37–41 Region: disorder 1.000 = category 0.333 + missing 0.667.",
        "ada marks nothing, ben nothing, chi 63–71 Location: disorder 1.000 = missing 1.000.",
        "ada marks 23–41 Organisation, ben 19–41 Organisation, chi nothing: "
        "disorder 0.670 = position 0.003 + missing 0.667.",
    ]
    viewer.locator(".u-worst button").nth(1).click()
    assert sentence(viewer) == entries[1]


def test_without_units_it_says_so(page: Page) -> None:
    open_viewer(page, view(Continuum.of({"ada": [], "ben": []})))
    assert sentence(page) == "There are no units in this document."


def test_where_all_agree_no_disagreement_is_listed(page: Page) -> None:
    open_viewer(page, aligned(Continuum.of({"ada": [(3, 3, "A")], "ben": [(3, 3, "A")]})))
    assert sentence(page) == "Point at a unit to see who marked what."
    assert page.locator(".u-worst li").count() == 0
    page.get_by_role("button", name="Next").click()  # nowhere to go
    assert page.evaluate("selected") == []
    point_at(page, 3, 0)
    assert sentence(page) == "ada marks 3 A, ben 3 A: disorder 0.000 (full agreement)."


def test_without_an_alignment_units_are_shown_and_named(page: Page) -> None:
    open_viewer(page, view(letter()))
    assert page.get_by_role("button", name="Worst").is_hidden()
    assert page.locator(".u-details").is_hidden()
    point_at(page, 5, 0)
    assert sentence(page) == "ada marks 2–13 Person."


# ---- pointing and choosing


def test_pointing_at_a_unit_explains_its_unitary_alignment(viewer: Page) -> None:
    point_at(viewer, 30, 0)
    # d_pos(ada, ben) = (4 / 40)² = 0.01 over three pairs; two pairs with the empty unit.
    assert sentence(viewer) == (
        "ada marks 23–41 Organisation, ben 19–41 Organisation, chi nothing: "
        "disorder 0.670 = position 0.003 + missing 0.667."
    )
    assert viewer.locator(".u-tip").inner_text() == "ada 23–41 Organisation"
    assert "“the University of Caen”" in viewer.locator(".u-compare").inner_text()
    viewer.mouse.move(5, 5)
    assert sentence(viewer).startswith("Point at a unit")


def test_pointing_at_an_empty_unit_or_a_bar_of_disorder_explains_too(viewer: Page) -> None:
    point_at(viewer, 67, 1, below=22 + 8)  # the rail below ben's only track
    assert sentence(viewer).startswith("ada marks nothing, ben nothing, chi 63–71 Location")
    viewer.locator(".u-canvas").hover(position={"x": x_of(viewer, 67), "y": 50})
    assert viewer.locator(".u-tip").inner_text() == "disorder 1.000"


def test_a_click_selects_and_tells_the_page(viewer: Page) -> None:
    viewer.locator(".u-canvas").click(position={"x": x_of(viewer, 39), "y": lane_top(viewer, 2) + 8})
    detail = viewer.evaluate("selected.at(-1)")
    assert (detail["from"], detail["to"]) == (37, 41)
    assert detail["disorder"] == pytest.approx(1.0)  # a third of a category, two thirds of an empty unit
    assert viewer.locator("[role=status][aria-live]").inner_text().startswith("ada marks 37–41 Location, ben nothing")
    viewer.mouse.move(5, 5)
    assert "disorder 1.000 = category 0.333 + missing 0.667" in sentence(viewer)  # stays when the pointer leaves
    viewer.locator(".u-canvas").click(position={"x": x_of(viewer, 55), "y": lane_top(viewer, 0) + 8})
    assert viewer.evaluate("selected.at(-1)") == {"group": -1}


def test_a_users_own_dissimilarity_is_told_without_parts(page: Page) -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(1, 4, "A")]})
    own = FunctionDissimilarity(lambda u, v: abs(u.start - v.start) / 10)
    open_viewer(page, view(continuum, best_alignment(continuum, own), own))
    point_at(page, 2, 0)
    assert sentence(page) == "ann marks 0–5 A, bob 1–4 A: disorder 0.100 = difference 0.100."


# ---- zoom, pan, jumps


def test_zooming_keeps_the_place_under_the_pointer(viewer: Page) -> None:
    whole = window_of(viewer)
    assert whole == (0, len(TEXT))
    at = x_of(viewer, 30)
    viewer.locator(".u-canvas").hover(position={"x": at, "y": 100})
    viewer.keyboard.down("Control")
    viewer.mouse.wheel(0, -400)
    viewer.wait_for_function("length => viewer.window()[1] - viewer.window()[0] < 0.6 * length", arg=len(TEXT))
    viewer.keyboard.up("Control")
    low, high = window_of(viewer)
    assert x_of(viewer, 30) == pytest.approx(at, abs=0.5)
    viewer.mouse.wheel(0, -400)  # without the key the page scrolls, and the window stays
    assert window_of(viewer) == (low, high)


def test_buttons_zoom(viewer: Page) -> None:
    viewer.get_by_role("button", name="Zoom in").click()
    low, high = window_of(viewer)
    assert high - low == pytest.approx(len(TEXT) / 1.6)
    viewer.get_by_role("button", name="Zoom out").click()
    assert window_of(viewer) == (0, len(TEXT))
    for _ in range(20):
        viewer.get_by_role("button", name="Zoom in").click()
    low, high = window_of(viewer)
    assert high - low == pytest.approx(8)  # not nearer than eight characters
    viewer.get_by_role("button", name="Whole").click()
    assert window_of(viewer) == (0, len(TEXT))


def drag(page: Page, selector: str, x: float, y: float, by: float) -> None:
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + x + by / 2, box["y"] + y)
    page.mouse.move(box["x"] + x + by, box["y"] + y)
    page.mouse.up()


def test_dragging_pans_and_stops_at_the_ends(viewer: Page) -> None:
    viewer.evaluate("viewer.look(20, 40)")
    drag(viewer, ".u-canvas", x_of(viewer, 30), 120, x_of(viewer, 25) - x_of(viewer, 30))
    becomes(viewer, lambda: window_of(viewer), pytest.approx((25, 45), abs=0.1))
    assert viewer.evaluate("selected") == []  # a drag is not a click
    drag(viewer, ".u-canvas", 200, 120, 3000)
    becomes(viewer, lambda: window_of(viewer), pytest.approx((0, 20)))


def test_the_strip_moves_and_resizes_the_window(viewer: Page) -> None:
    viewer.evaluate("viewer.look(0, 20)")
    settle(viewer)
    box = viewer.locator(".u-overview").bounding_box()
    assert box is not None
    scale = (box["width"] - 20) / len(TEXT)
    drag(viewer, ".u-overview", 10 + 10 * scale, 20, 30 * scale)  # by its middle
    becomes(viewer, lambda: window_of(viewer), pytest.approx((30, 50), abs=0.5))
    drag(viewer, ".u-overview", 10 + 50 * scale, 20, 10 * scale)  # by its right edge
    becomes(viewer, lambda: window_of(viewer), pytest.approx((30, 60), abs=0.5))
    viewer.locator(".u-overview").click(position={"x": 10 + 16 * scale, "y": 20})  # beside it: there
    becomes(viewer, lambda: window_of(viewer), pytest.approx((1, 31), abs=0.5))


def test_jumps(viewer: Page) -> None:
    worst = viewer.get_by_role("button", name="Worst")
    worst.click()
    first = viewer.evaluate("selected.at(-1).disorder")
    worst.click()
    worst.click()
    assert viewer.evaluate("selected.map((s) => s.disorder)") == sorted(
        viewer.evaluate("selected.map((s) => s.disorder)"), reverse=True
    )
    assert first == 1.0
    viewer.keyboard.press("Escape")
    viewer.evaluate("viewer.select(-1)")
    viewer.get_by_role("button", name="Whole").click()
    places = []
    for _ in range(4):
        viewer.get_by_role("button", name="Next").click()
        places.append(viewer.evaluate("selected.at(-1).from"))
    assert places == [19, 37, 63, 19]  # along the continuum, agreement left out, and round again
    viewer.get_by_role("button", name="Previous").click()
    assert viewer.evaluate("selected.at(-1).from") == 63


def test_a_jump_shows_its_goal(page: Page) -> None:
    units = [(10 * i, 10 * i + 5, "A") for i in range(1000)]
    other = [*units[:700], (7000, 7005, "B"), *units[701:]]
    open_viewer(page, aligned(Continuum.of({"ada": units, "ben": other})))
    page.get_by_role("button", name="Worst").click()
    low, high = window_of(page)
    assert low < 7000 < 7005 < high
    assert high - low <= 100


# ---- keyboard


def test_the_keyboard_does_it_all(viewer: Page) -> None:
    stage = viewer.locator(".u-stage")
    stage.focus()
    assert "Arrow keys" in viewer.evaluate(
        "document.getElementById(document.querySelector('.u-stage').getAttribute('aria-describedby')).textContent"
    )
    viewer.keyboard.press("w")
    assert "disorder 1.000" in sentence(viewer)
    viewer.keyboard.press("Enter")
    low, high = window_of(viewer)
    assert high - low < 20
    viewer.keyboard.press("0")
    assert window_of(viewer) == (0, len(TEXT))
    viewer.keyboard.press("+")
    viewer.keyboard.press("Home")
    low, high = window_of(viewer)
    assert low == 0
    viewer.keyboard.press("ArrowRight")
    assert window_of(viewer)[0] == pytest.approx(0.15 * (high - low))
    viewer.keyboard.press("ArrowLeft")
    viewer.keyboard.press("End")
    assert window_of(viewer)[1] == len(TEXT)
    viewer.keyboard.press("-")
    viewer.keyboard.press("Escape")
    assert sentence(viewer).startswith("Point at a unit")
    viewer.keyboard.press("n")
    assert viewer.evaluate("selected.at(-1).from") == 19
    viewer.keyboard.press("p")
    assert viewer.evaluate("selected.at(-1).from") == 63
    viewer.keyboard.press("ArrowDown")  # every unitary alignment, agreement too
    assert viewer.evaluate("selected.at(-1).from") == 2
    viewer.keyboard.press("ArrowUp")
    assert viewer.evaluate("selected.at(-1).from") == 63


def test_the_table_is_walked_through_with_the_tabulator(viewer: Page) -> None:
    viewer.locator(".u-details summary").focus()
    viewer.keyboard.press("Enter")
    assert rows(viewer)[-1] == PERSON  # the worst first
    viewer.get_by_role("button", name="Where").focus()
    viewer.keyboard.press("Enter")
    assert rows(viewer) == [PERSON, WIDER, CAEN, CITY]
    assert viewer.locator("[aria-sort]").get_attribute("aria-sort") == "ascending"
    viewer.keyboard.press("Enter")
    assert rows(viewer) == [CITY, CAEN, WIDER, PERSON]
    viewer.locator(".u-table tbody button").nth(0).focus()  # the focus explains, as the pointer does
    assert sentence(viewer).startswith("ada marks nothing, ben nothing, chi 63–71 Location")
    viewer.keyboard.press("Tab")
    viewer.keyboard.press("Enter")
    assert viewer.locator("[aria-current=true] .u-marks").inner_text() == CAEN
    assert sentence(viewer).startswith("ada marks 37–41 Location, ben nothing")


def test_the_table_comes_in_pages(page: Page) -> None:
    units = [(10 * i, 10 * i + 5) for i in range(120)]
    open_viewer(page, aligned(Continuum.of({"ada": units, "ben": units})))
    assert len(rows(page)) == 50
    page.get_by_role("button", name="Later rows").click()
    page.get_by_role("button", name="Later rows").click()
    assert page.locator(".u-rows").inner_text() == "Rows 101 to 120 of 120"
    assert page.get_by_role("button", name="Later rows").is_disabled()


# ---- filters


def test_filter_by_kind(viewer: Page) -> None:
    unfold_table(viewer)
    options = viewer.locator(".u-kind option").all_inner_texts()
    assert options == [
        "everything (4)",
        "disagreements (3)",
        "position differs (1)",
        "category differs (1)",
        "unit missing (3)",
        "full agreement (1)",
    ]
    for kind, expected in {
        "position": {WIDER},
        "category": {CAEN},
        "missing": {WIDER, CAEN, CITY},
        "agreement": {PERSON},
        "disagreement": {WIDER, CAEN, CITY},
        "all": {WIDER, CAEN, CITY, PERSON},
    }.items():
        viewer.get_by_label("Show").select_option(kind)
        assert set(rows(viewer)) == expected


def test_filter_by_category_keeps_what_was_confused_with_it(viewer: Page) -> None:
    chip = viewer.get_by_role("group", name="Categories").get_by_role("button", name="Location")
    chip.dblclick()  # this one alone
    assert set(rows(viewer)) == {CAEN, CITY}
    viewer.get_by_role("button", name="Show all").click()
    chip.focus()
    viewer.keyboard.press("Shift+Enter")
    assert set(rows(viewer)) == {CAEN, CITY}
    chip.click()
    assert rows(viewer) == []
    assert viewer.locator(".u-rows").inner_text() == "No unitary alignment matches the filter."
    viewer.get_by_role("button", name="Show all").click()
    assert len(rows(viewer)) == 4
    assert viewer.get_by_role("button", name="Show all").is_hidden()


def test_filter_by_annotator_takes_the_lane_away(viewer: Page) -> None:
    chip = viewer.get_by_role("group", name="Annotators").get_by_role("button", name="chi")
    assert chip.get_attribute("aria-pressed") == "true"
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    assert viewer.locator(".u-names .u-lane .u-name").all_inner_texts() == ["ada", "ben"]
    assert set(rows(viewer)) == {PERSON, WIDER, CAEN}  # what chi alone marked is not shown
    expect(viewer.locator(".u-mark").first).to_be_attached()
    expect(viewer.locator(".u-mark", has_text="Grenoble")).to_have_count(0)


def test_what_is_filtered_away_is_no_longer_selected(viewer: Page) -> None:
    viewer.evaluate("viewer.select(0)")
    viewer.get_by_label("Show").select_option("disagreement")
    assert viewer.evaluate("selected.at(-1)") == {"group": -1}


# ---- the text


def test_units_are_on_the_text_counted_in_code_points(viewer: Page) -> None:
    assert viewer.locator(".u-text").inner_text() == TEXT
    marks = ["Marie Duval", "the ", "University of ", "Caen", "Grenoble"]
    expect(viewer.locator(".u-mark")).to_have_text(marks)


def test_each_annotator_has_a_line_and_nested_units_have_their_own(viewer: Page) -> None:
    expect(viewer.locator(".u-mark")).to_have_count(5)
    images = viewer.locator(".u-mark").evaluate_all("marks => marks.map((mark) => mark.style.backgroundImage)")
    counts = [image.count("linear-gradient") for image in images]
    assert counts == [3, 1, 2, 4, 1]  # on Caen: ada's two, ben's, chi's
    on_caen = viewer.locator(".u-mark").nth(3).evaluate("(mark) => mark.style.backgroundPosition")
    assert len(set(re.findall(r"[\d.]+px\)", on_caen))) == 4  # none hides another


def test_the_text_explains_and_selects_the_innermost_unit(viewer: Page) -> None:
    viewer.locator(".u-mark", has_text="University of").hover()
    assert sentence(viewer).startswith("ada marks 23–41 Organisation")
    viewer.locator(".u-mark").nth(3).click()
    assert sentence(viewer).startswith("ada marks 37–41 Location")
    expect(viewer.locator(".u-mark.u-selected")).to_have_text(["Caen"])


def test_a_unit_of_no_length_is_a_stroke(page: Page) -> None:
    units = {"ada": [(0, 2, "A"), (4, 4, "B"), (9, 9, "B")], "ben": [(4, 4, "B")]}
    open_viewer(page, aligned(Continuum.of(units, text="some text")))
    expect(page.locator(".u-point")).to_have_count(3)
    expect(page.locator(".u-text")).to_have_text("some text")


def test_a_long_text_is_dressed_where_it_is_in_sight(page: Page) -> None:
    words = "lorem ipsum dolor sit amet " * 8000
    units = [(27 * i, 27 * i + 5, "A") for i in range(0, 8000, 4)]
    open_viewer(page, aligned(Continuum.of({"ada": units, "ben": units[:-1]}, text=words)))
    expect(page.locator(".u-mark").first).to_be_attached()
    assert page.locator(".u-mark").count() < len(units) / 3
    page.get_by_role("button", name="Worst").click()  # the last unit, which ben did not mark
    settle(page)
    marked = page.locator(".u-mark.u-selected")
    expect(marked).to_have_text(["lorem"])
    assert marked.evaluate("""(mark) => { const box = mark.getBoundingClientRect();
        const frame = mark.closest(".u-text").getBoundingClientRect();
        return frame.top <= box.top && box.bottom <= frame.bottom }""")


# ---- time


def test_time_is_shown_as_minutes_and_seconds(page: Page) -> None:
    units = {"1": [(61.25, 125.5, "A")], "2": [(61.25, 125.501, "A")]}
    open_viewer(page, aligned(Continuum.of(units, extent=Extent(0, 130, unit="s"))))
    point_at(page, 90, 0)
    assert sentence(page).startswith(
        "annotator 1 marks 1:01.25–2:05.50 A, annotator 2 1:01.25–2:05.501 A: disorder <0.001 = position <0.001."
    )


# ---- the page around it


@pytest.mark.parametrize("options", PAGES, ids=IDS)
def test_accessible_and_within_the_page_in_both_themes_and_widths(
    new_page: Callable[..., Page], axe: Callable[[Page], None], options: dict[str, Any]
) -> None:
    page = new_page(**options)
    open_viewer(page, aligned(letter()))
    axe(page)
    page.get_by_role("button", name="Worst").click()
    page.get_by_role("group", name="Annotators").get_by_role("button", name="ben").click()
    rows(page)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]


def test_the_theme_follows_an_attribute_too(new_page: Callable[..., Page]) -> None:
    page = new_page(color_scheme="light")
    open_viewer(page, aligned(letter()))

    def grounds() -> tuple[str, tuple[int, int, int]]:
        settle(page)
        style = "getComputedStyle(document.querySelector('.unisono-viewer')).backgroundColor"
        return page.evaluate(style), colour_at(page, x_of(page, 55), lane_top(page, 0) + 8)

    light = ("rgb(255, 255, 255)", (244, 246, 248))
    dark = ("rgb(20, 24, 30)", (28, 34, 42))
    becomes(page, grounds, light)
    page.emulate_media(color_scheme="dark")
    becomes(page, grounds, dark)
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    becomes(page, grounds, light)
    page.emulate_media(color_scheme="light")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    becomes(page, grounds, dark)


def test_names_stand_above_the_lanes_of_a_narrow_page(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_viewer(page, aligned(letter()))
    canvas = page.locator(".u-canvas").bounding_box()
    assert canvas is not None
    assert canvas["width"] > 330
    # Below ada's name is her lane.
    page.locator(".u-canvas").tap(position={"x": x_of(page, 30), "y": lane_top(page, 0) + 19 + 8})
    assert sentence(page).startswith("ada marks 23–41 Organisation")


def test_two_fingers_zoom(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_viewer(page, aligned(letter()))
    page.locator(".u-canvas").scroll_into_view_if_needed()
    box = page.locator(".u-canvas").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    middle, y = box["x"] + box["width"] / 2, box["y"] + 80

    def touch(kind: str, *spreads: float) -> None:
        points = [{"x": middle + s, "y": y, "id": i} for s in spreads for i in (int(s > 0),)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", -30)
    touch("touchStart", -30, 30)
    for spread in (45, 60, 75, 90):
        touch("touchMove", -spread, spread)
    touch("touchEnd")

    def width() -> float:
        low, high = window_of(page)
        return high - low

    becomes(page, width, pytest.approx(len(TEXT) / 3, rel=0.15))  # three times as far apart
    low, high = window_of(page)
    assert (low + high) / 2 == pytest.approx(len(TEXT) / 2, rel=0.1)


def test_another_document_in_the_same_place(viewer: Page) -> None:
    viewer.evaluate("viewer.select(1)")
    other = aligned(Continuum.of({"dan": [(0, 5, "A")], "eve": [(0, 5, "A")]}, name="other"))
    viewer.evaluate("(data) => viewer.show(data)", other)
    assert viewer.locator(".u-names .u-lane .u-name").all_inner_texts() == ["dan", "eve"]
    assert viewer.locator(".u-textbox").is_hidden()
    assert window_of(viewer) == (0, 5)
    assert rows(viewer) == ["dan 0–5 A, eve 0–5 A"]


def test_several_viewers_on_one_page_and_their_end(viewer: Page) -> None:
    viewer.evaluate("""() => { const host = document.createElement("div"); document.querySelector("main").append(host);
        window.second = mountViewer(host, window.data) }""")
    second = viewer.locator(".unisono-viewer").nth(1)
    second.get_by_role("button", name="Zoom in").click()
    settle(viewer)
    assert viewer.evaluate("viewer.window()") == [0, len(TEXT)]
    assert viewer.evaluate("second.window()[1]") < len(TEXT)
    ids = viewer.locator("[id^=unisono-keys]").evaluate_all("elements => elements.map((e) => e.id)")
    assert len(set(ids)) == 2
    viewer.evaluate("second.destroy()")
    assert viewer.locator(".unisono-viewer").count() == 1
    viewer.evaluate("viewer.destroy()")
    assert viewer.locator("#one").inner_html() == ""


def test_words_can_be_replaced(page: Page) -> None:
    open_viewer(page, aligned(letter()), texts={"worst": "Das Schlimmste", "marks": "markiert"})
    page.get_by_role("button", name="Das Schlimmste").click()
    assert sentence(page).startswith("ada markiert ")


def test_view_data_of_another_schema_are_refused(viewer: Page) -> None:
    message = viewer.evaluate("""() => { try { viewer.show({...window.data, schema: 2}); return "" }
        catch (error) { return error.message } }""")
    assert message == "the view data have schema 2; this viewer reads schema 1"


def test_the_bundle_works_from_a_file(page: Page, tmp_path: Path) -> None:
    data = json.dumps(aligned(letter())).replace("<", "\\u003c")
    path = tmp_path / "page.html"
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>v</title>'
        f"<style>{stylesheet('viewer/viewer.css')}</style>"
        f'<div id="v"></div><script>{bundle("viewer/viewer.js", "unisonoViewer")}</script>'
        f'<script>unisonoViewer.mountViewer(document.getElementById("v"), {data});</script></html>',
        encoding="utf-8",
    )
    page.goto(path.as_uri())
    expect(page.locator(".u-summary")).to_have_text(re.compile("^3 annotators · 8 units"))
    expect(page.locator(".u-mark")).to_have_count(5)


# ---- the modules themselves


def test_labels_are_cut_only_where_there_is_no_room(viewer: Page) -> None:
    """Also where a character takes two units of UTF-16, as an emoji does."""
    script = """async ([label, room]) => {
        const { Labels } = await import("/viewer/lanes.js");
        const context = document.createElement("canvas").getContext("2d");
        return new Labels().fit(context, label, room);
    }"""
    for label in ("joy", "\N{GRINNING FACE} joy"):
        assert viewer.evaluate(script, [label, 300]) == label
        assert viewer.evaluate(script, [label * 50, 60]).endswith("…")


def test_what_a_comparison_says_of_its_difference(viewer: Page) -> None:
    script = """async (given) => {
        const { showComparison } = await import("/charts/comparison.js");
        const host = document.createElement("section");
        const side = { value: 0.5, interval: null, shares: null, documents: 1, annotators: 3, units: 9 };
        const rest = { categories: [], annotators: [], documents: [], annotators_measured: true };
        showComparison(host, { symbol: "γ", names: ["a", "b"], sides: [side, side], difference: 0.1, reason: null,
                               ...rest, ...given });
        return host.querySelector("#difference").textContent;
    }"""
    for interval, p, words in (
        ([0.05, 0.15], 0.01, "The second side agrees better."),
        ([-0.15, -0.05], 0.01, "The second side agrees less."),
        ([-0.05, 0.15], 0.4, "The interval includes 0: the two sides may agree equally well."),
        (None, 0.01, "There is no interval.p = 0.010"),
        (None, None, "There is no interval: whether the two sides differ is unknown."),
    ):
        assert words in viewer.evaluate(script, {"interval": interval, "p": p})


def test_differences_have_the_sign_that_python_gives_them(viewer: Page) -> None:
    """Oracle: unisono.report.notation.difference."""
    script = """async (values) => {
        const { differenceText } = await import("/numbers.js");
        return values.map((value) => differenceText(value));
    }"""
    values = [0.0123, -0.5, 0.0004, -0.0004, 0, 0.0005001, 12.5, None]
    assert viewer.evaluate(script, values) == [difference(value, TYPESET) for value in values]
