# SPDX-License-Identifier: MIT
"""The page without a server in Chromium, from build/static-page (`make static-page`). Oracle: the library here.

Every test fails if the page asks any host but the one its files come from (conftest.py).
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

import unisono
from unisono.errors import UnisonoWarning, name_settings_by
from unisono.settings import option_name

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("UNISONO_STATIC_PAGE", ROOT / "build" / "static-page"))
EXAMPLES = ROOT / "examples"
CI = os.environ.get("CI", "").lower() == "true"
MEASURES = ["gamma", "gamma-cat", "gamma-k"]
#: Milliseconds for a measurement with all of Python's start, on a machine under load.
PATIENCE = 200_000
#: Differences of the mathematical functions of two machines, far below any digit that is shown.
CLOSE = 1e-9


class _Files(SimpleHTTPRequestHandler):
    """As `python -m http.server`, in silence."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the page, from a plain server of files that knows nothing of it."""
    if not (FOLDER / "index.html").exists():
        message = f"no page at {FOLDER}: make static-page"
        if CI:
            pytest.fail(message)
        pytest.skip(message)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=FOLDER))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def allowed_origins(site: str) -> tuple[str, ...]:
    return (site,)


def open_page(page: Page, site: str, reading: dict[str, Any] | None = None, **settings: Any) -> Page:
    """The page with settings in its address, before Python has loaded."""
    page.set_default_timeout(PATIENCE)
    parts = {"settings": json.dumps(settings)} | ({"reading": json.dumps(reading)} if reading else {})
    page.goto(f"{site}#{urlencode(parts)}")
    page.wait_for_selector("#empty-samples button", state="attached")
    return page


def measured(page: Page) -> dict[str, Any]:
    """The result as it is downloaded, when nothing is under way any more."""
    page.wait_for_selector("html[data-result]")
    page.wait_for_selector("#running.over", state="attached")
    with page.expect_download() as download:
        page.click('[data-download="result.json"]')
    result: dict[str, Any] = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    return result


def compare(there: Any, here: Any, where: str = "") -> None:
    """The same object, numbers to 1e-9."""
    if isinstance(here, dict):
        assert list(there) == list(here), where
        for key, value in here.items():
            compare(there[key], value, f"{where}.{key}")
    elif isinstance(here, list):
        assert len(there) == len(here), where
        for i, value in enumerate(here):
            compare(there[i], value, f"{where}[{i}]")
    elif isinstance(here, float):
        assert math.isclose(there, here, rel_tol=CLOSE, abs_tol=CLOSE), (where, there, here)
    else:
        assert there == here, where


def native(monkeypatch: pytest.MonkeyPatch, files: list[Path], reading: dict[str, Any], **settings: Any) -> Any:
    """The result of the library for the same files, under the same names."""
    monkeypatch.chdir(files[0].parent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnisonoWarning)  # they are in the result, too
        found = unisono.measure(unisono.read(files[0].name, **reading), settings.pop("measures"), **settings)
    before = name_settings_by(option_name)
    result = json.loads(json.dumps(found.to_dict()))
    name_settings_by(before)
    return result


@pytest.mark.parametrize("name", ["entities.csv", "gestures.csv"])
def test_the_examples_have_the_signature_and_the_values_of_the_library(
    page: Page, site: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"measures": MEASURES, "seed": 42}
    open_page(page, site, **settings)
    assert "Nothing leaves this computer" in (page.text_content("#privacy") or "")
    page.set_input_files("#files", EXAMPLES / name)
    there = measured(page)
    here = native(monkeypatch, [EXAMPLES / name], {}, **settings)
    assert there["signature"] == here["signature"]
    compare(there, here)


@pytest.mark.parametrize(
    ("units", "participation"),
    [
        ("salami/functions.csv.gz", "salami/participation.csv.gz"),
        ("llm_span_annotation/propaganda.csv.gz", "llm_span_annotation/propaganda_participation.csv.gz"),
        ("conll_mturk_ner/units.csv.gz", "conll_mturk_ner/participation.csv.gz"),
    ],
)
def test_corpora_have_the_signature_and_the_values_of_the_library(
    page: Page, site: str, shared: Path, units: str, participation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [shared / "corpora" / units, shared / "corpora" / participation]
    reading = {"participation": files[1].name}
    settings = {"measures": ["gamma"], "seed": 42}
    open_page(page, site, reading=reading, **settings)
    page.evaluate(
        """() => {
            globalThis.stages = new Set();
            const text = document.getElementById("running-text");
            new MutationObserver(() => stages.add(text.textContent)).observe(text, {childList: true, subtree: true});
        }"""
    )
    page.set_input_files("#files", files)
    there = measured(page)
    here = native(monkeypatch, files, reading, **settings)
    assert there["signature"] == here["signature"]
    compare(there["measures"], here["measures"])
    compare(there["documents"], here["documents"])
    assert page.evaluate("stages.size") > 3  # progress was shown while it was measured


def test_all_parts_of_a_result_are_there(page: Page, site: str) -> None:
    """Viewer, findings, charts, annotators, every download: what the page asks its back end for."""
    open_page(page, site, measures=MEASURES, seed=42)
    page.click("#empty-samples [data-sample]")
    measured(page)
    page.wait_for_selector("html[data-overview]")
    page.wait_for_selector("#pairs .matrix", state="attached")
    page.wait_for_selector("#viewer svg, #viewer canvas, #viewer [role]", state="attached")
    begins = {
        "report.html": b"<!doctype html>", "alignment.csv": b"document", "gold.json": b"{",
        "adjudication.csv": b"document", "result.unisono": b"PK",
    }  # fmt: skip
    for name, begin in begins.items():
        with page.expect_download() as download:
            page.click(f'[data-download="{name}"]')
        assert Path(download.value.path()).read_bytes().startswith(begin), name


@pytest.mark.parametrize("shares_memory", [True, False])
def test_a_measurement_can_be_cancelled(new_page: Callable[..., Page], site: str, *, shares_memory: bool) -> None:
    """By an interrupt; without shared memory by ending the worker. The data stay, and are measured again."""
    page = new_page()
    if not shares_memory:  # as in a browser without service workers, or on a page without HTTPS
        page.add_init_script("Object.defineProperty(navigator, 'serviceWorker', {value: undefined})")
    open_page(page, site, measures=["gamma"], seed=42, samples=100_000)
    assert page.evaluate("crossOriginIsolated") is shares_memory
    page.set_input_files("#files", EXAMPLES / "entities.csv")
    page.wait_for_selector("#running:not(.over)")
    page.wait_for_selector("html[data-estimate], #headline:not([hidden])", state="attached")
    began = time.monotonic()
    page.click("#cancel")
    page.wait_for_selector("#again:not([hidden])")
    page.locator("#sampling").evaluate("select => select.closest('details')?.setAttribute('open', '')")
    page.fill("#samples-count", "30")
    page.locator("#samples-count").blur()
    there = measured(page)
    assert there["measures"]["gamma"]["n_samples"] == 30
    assert time.monotonic() - began < PATIENCE / 1000


def test_xml_is_refused_with_a_reason(page: Page, site: str, tmp_path: Path) -> None:
    file = tmp_path / "a.eaf"
    file.write_text('<?xml version="1.0"?><ANNOTATION_DOCUMENT/>')
    open_page(page, site)
    page.set_input_files("#files", file)
    page.wait_for_selector("text=lxml")


def test_neither_page_nor_worker_may_ask_another_host(page: Page, site: str) -> None:
    """The browser itself forbids it: the policy stands in the page and in the headers of every file."""
    open_page(page, site)
    assert "connect-src 'self'" in page.get_attribute('meta[http-equiv="content-security-policy"]', "content")
    read = "async (name) => (await fetch(name)).headers.get('content-security-policy')"
    for name in ("worker.js", "pyodide/pyodide.mjs", "page.js"):
        policy = page.evaluate(read, name)
        assert "connect-src 'self'" in policy
        assert "default-src 'none'" in policy
