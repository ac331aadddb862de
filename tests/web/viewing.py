# SPDX-License-Identifier: MIT
"""A viewer on a page of its own, served under the strict policy of the web page; where things are on it; charts."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from unisono.alignment import best_alignment
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Continuum
from unisono.report.assets import FOLDER
from unisono.report.view import view

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ORIGIN = "http://viewer.test/"
#: No inline script, no inline style, nothing from elsewhere.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>viewer</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="viewer/viewer.css">
<script type="module" src="main.js"></script></head>
<body><main><h1>Document</h1><div id="one"></div></main></body></html>"""
MAIN = """import { mountViewer } from "./viewer/viewer.js";
window.mountViewer = mountViewer;
window.data = await (await fetch("data.json")).json();
const host = document.getElementById("one");
window.selected = [];
host.addEventListener("unisono-select", (event) => window.selected.push(event.detail));
const begin = performance.now();
window.viewer = mountViewer(host, window.data, OPTIONS);
window.mountTime = performance.now() - begin;
document.body.dataset.ready = "yes";"""


def aligned(continuum: Continuum, **options: Any) -> dict[str, Any]:
    """The view data of a continuum with its best alignment."""
    dissimilarity = CombinedDissimilarity()
    return view(continuum, best_alignment(continuum, dissimilarity), dissimilarity, **options)


def open_viewer(page: Page, data: dict[str, Any], **options: Any) -> None:
    """Puts the viewer on the page; `window.viewer` is its handle, `window.selected` what it said was selected."""
    files = {
        "": (HTML, "text/html"),
        "main.js": (MAIN.replace("OPTIONS", json.dumps(options)), "text/javascript"),
        "data.json": (json.dumps(data), "application/json"),
    }

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path in files:
            body, kind = files[path]
        else:
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            body = (FOLDER / path).read_text(encoding="utf-8")
        headers = {"content-type": f"{kind}; charset=utf-8", "content-security-policy": POLICY}
        route.fulfill(status=200, body=body, headers=headers)

    page.route(f"{ORIGIN}**", answer)
    page.goto(ORIGIN)
    page.wait_for_selector("body[data-ready]")


def becomes(page: Page, read: Callable[[], Any], expected: Any) -> None:
    """Waits until what is read is as expected: for values that no locator shows."""
    until = time.monotonic() + 60
    while (found := read()) != expected and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert found == expected


def open_report(page: Page, path: Path, fragment: str = "") -> None:
    """Opens a report; its first document is drawn."""
    page.goto(path.as_uri() + fragment)
    expect(page.locator("html[data-opened]")).to_be_attached()


def show_case(page: Page, number: int = 1) -> None:
    """Waits until the viewer shows the case of this number among those that were chosen."""
    expect(page.locator(f"#cases[data-case='{number}']")).to_be_visible()


def copied(page: Page, expected: str) -> None:
    """Waits until the clipboard holds a text."""
    page.wait_for_function("text => navigator.clipboard.readText().then((held) => held === text)", arg=expected)


def settled(page: Page, part: str = "") -> Page:
    """The page of the service when everything is shown of the result whose signature has that part, but the
    explanation: values, viewer, charts, tables of annotators."""
    wanted = f"*='{part}'" if part else ""  # an empty text would match nothing
    expect(page.locator(f"html[data-result{wanted}][data-settled]")).to_be_attached()
    return page


def explained(page: Page) -> Page:
    """The page of the service when its findings are explained, for which many alignments are measured again."""
    expect(page.locator("#findings[data-explained]:not([aria-busy])")).to_be_attached(timeout=300_000)
    return page


def saved_table(page: Page, chart: str, folder: Path) -> list[list[str]]:
    """The numbers that a chart saves as CSV: the heads, then the rows."""
    with page.expect_download() as download:
        page.locator(f"[data-chart='{chart}'] button", has_text="CSV").click()
    download.value.save_as(folder / "chart.csv")
    return list(csv.reader(io.StringIO((folder / "chart.csv").read_text(encoding="utf-8"))))


def window_of(page: Page) -> tuple[float, float]:
    """The stretch of the continuum in sight."""
    settle(page)
    low, high = page.evaluate("viewer.window()")
    return low, high


def settle(page: Page) -> None:
    """Waits until everything asked for is drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def unfold_table(page: Page) -> None:
    """Opens the table of unitary alignments and waits until it is filled, which happens after it was opened."""
    page.evaluate(
        """() => new Promise((done) => {
          const fold = document.querySelector(".u-details");
          if (fold.open) done();
          fold.addEventListener("toggle", () => done(), { once: true });
          fold.open = true;
        })"""
    )
    expect(page.locator(".u-rows").first).not_to_be_empty()  # a key opened it: the rows come a moment later


def x_of(page: Page, position: float) -> float:
    """Where a position is drawn, in pixels from the left of the canvas: ten pixels of margin on both sides."""
    low, high = window_of(page)
    width = page.evaluate("document.querySelector('.u-canvas').getBoundingClientRect().width")
    return 10 + (position - low) / (high - low) * (width - 20)


def lane_top(page: Page, annotator: int) -> float:
    """Where the lane of an annotator begins, in pixels from the top of the canvas (names beside the lanes)."""
    return float(page.evaluate(f"parseFloat(document.querySelectorAll('.u-lane')[{annotator}].style.top)"))


def colour_at(page: Page, x: float, y: float) -> tuple[int, int, int]:
    """The colour of a pixel of the lanes."""
    r, g, b, _ = page.evaluate(
        """([x, y]) => { const copy = new OffscreenCanvas(1, 1).getContext("2d");
            const [left, top] = [x, y].map((at) => Math.floor(at * devicePixelRatio));
            copy.drawImage(document.querySelector(".u-canvas"), left, top, 1, 1, 0, 0, 1, 1);
            return Array.from(copy.getImageData(0, 0, 1, 1).data) }""",
        [x, y],
    )
    return r, g, b


def point_at(page: Page, position: float, annotator: int, below: float = 8) -> None:
    """Moves the pointer to a position of the lane of an annotator."""
    page.locator(".u-canvas").hover(position={"x": x_of(page, position), "y": lane_top(page, annotator) + below})
    settle(page)


def sentence(page: Page) -> str:
    """What the viewer says of what is pointed at or selected."""
    settle(page)
    return page.locator(".u-sentence").inner_text()


@dataclass(frozen=True)
class Look:
    """A width and a theme in which pages are looked at."""

    width: int
    theme: str
    new_page: Callable[..., Page]
    axe: Callable[[Page], None]
    screenshot: Callable[[Page, str], Path]

    def page(self) -> Page:
        return self.new_page(color_scheme=self.theme, viewport={"width": self.width, "height": 900})

    def check(self, page: Page, name: str, *, unfolded: str | None = None) -> None:
        """No fault of accessibility, nothing wider than the page, in the colours of the theme; and a picture.

        unfolded: which folds are opened first.
        """
        if unfolded is not None:
            page.locator(unfolded).evaluate_all("all => all.forEach((each) => (each.open = true))")
        settle(page)
        self.axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= self.width
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", background)[:3])) < 384) == (self.theme == "dark")
        self.screenshot(page, f"{name}-{self.width}-{self.theme}")
