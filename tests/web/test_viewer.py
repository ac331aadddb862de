# SPDX-License-Identifier: MIT
"""The viewer in Chromium, under the strict policy of the web page. Oracle: what the view data say, by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import unisono
from unisono.report.assets import folder
from unisono.report.view import view

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ORIGIN = "http://viewer.test/"
#: The page's own policy: no inline script, no inline style, nothing from elsewhere.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>viewer</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="viewer/viewer.css"><script type="module" src="main.js"></script></head>
<body><main><h1>Document</h1><div id="one"></div></main></body></html>"""
MAIN = """import { mountViewer } from "./viewer/viewer.js";
const data = await (await fetch("data.json")).json();
const host = document.getElementById("one");
window.selected = [];
host.addEventListener("unisono-select", (event) => window.selected.push(event.detail));
const begin = performance.now();
window.viewer = mountViewer(host, data);
window.mountTime = performance.now() - begin;
document.body.dataset.ready = "yes";"""


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    return (ORIGIN,)


def open_viewer(page: Page, data: dict[str, Any]) -> None:
    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        files = {"": (HTML, "text/html"), "main.js": (MAIN, "text/javascript")}
        files["data.json"] = (json.dumps(data), "application/json")
        if path.startswith("viewer/"):
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            body = folder().joinpath(path.removeprefix("viewer/")).read_text(encoding="utf-8")
        else:
            body, kind = files.get(path, ("", "text/plain"))
        headers = {"content-type": f"{kind}; charset=utf-8", "content-security-policy": POLICY}
        route.fulfill(status=200, body=body, headers=headers)

    page.route(f"{ORIGIN}**", answer)
    page.goto(ORIGIN)
    page.wait_for_selector("body[data-ready]")


def test_draws(page: Page, screenshot: Callable[..., Any]) -> None:
    c = unisono.read("examples/entities.csv")[0]
    d = unisono.CombinedDissimilarity()
    open_viewer(page, view(c, unisono.best_alignment(c, d), d))
    screenshot(page, "draft")
