# SPDX-License-Identifier: MIT
"""Requests to the worker of the page without a server. Oracle: a small worker that answers, and ends when told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import unisono

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

FOLDER = Path(unisono.__file__).parent / "frontend"
ORIGIN = "http://static.test/"
#: Answers each request with its path; /end is an error that nobody catches, and what waits is never answered.
WORKER = """addEventListener("message", ({ data: { id, path } }) => {
  if (path === "/end") throw new Error("out of memory");
  if (id === undefined || path.includes("wait")) return;
  postMessage({ id, status: 200, headers: [["content-type", "application/json"]] });
  postMessage({ id, piece: new TextEncoder().encode(JSON.stringify(path)) });
  postMessage({ id, end: true });
});"""
#: Files of the page that are others here.
FILES = {
    "": ("text/html", "<!doctype html><html lang='en'><title>page</title><main id='results'></main></html>"),
    "answers.json": ("application/json", "{}"),
    "worker.js": ("text/javascript", WORKER),
    "page/isolate.js": ("text/javascript", "export const isolate = async () => true;"),
    "page/transport.js": ("text/javascript", (FOLDER / "static" / "transport.js").read_text(encoding="utf-8")),
}


@pytest.fixture
def transport(any_page: Callable[..., Page]) -> Page:
    """A page with the modules in their places; the error of the worker comes to its console, as it should."""
    page = any_page()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        kind, body = FILES.get(path) or ("text/javascript", (FOLDER / path).read_text(encoding="utf-8"))
        route.fulfill(content_type=f"{kind}; charset=utf-8", body=body)

    page.route(f"{ORIGIN}**", answer)
    page.goto(ORIGIN)
    return page


def test_requests_to_a_worker_that_has_ended_are_refused(transport: Page) -> None:
    """Those that wait, and those that come later: with the words that the page shows."""
    script = """async () => {
        const { get } = await import("/page/api.js");
        const outcome = (path) => get(path).catch(({ message, problems }) => `${message}. ${problems[0].remedy}`);
        const answered = await outcome("/health");
        const waiting = outcome("/wait");
        return [answered, await outcome("/end"), await waiting, await outcome("/health")];
    }"""
    answered, *refused = transport.evaluate(script)
    assert answered == "/health"
    assert len(set(refused)) == 1
    assert refused[0].startswith("Python in this page has ended. Reload the page")
    assert "out of memory" in transport.locator("#starting").inner_text()


def test_a_job_of_a_worker_that_has_ended_is_lost(transport: Page) -> None:
    """Nothing waits for it: Python does not come back by itself."""
    script = """async () => {
        const { followJob, get } = await import("/page/api.js");
        const { promise, resolve } = Promise.withResolvers();
        followJob("wait", () => {}, (error, isLost) => resolve([error.message, isLost]));
        get("/end").catch(() => {});
        return promise;
    }"""
    assert transport.evaluate(script) == ["Python in this page has ended", True]
