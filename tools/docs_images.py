# SPDX-License-Identifier: MIT
"""Make the pictures of the documentation anew, from the bundled examples: `python tools/docs_images.py`.

Needs Chromium on the PATH, Playwright (`make setup`) and, for the gallery, its reports (`make docs`). The pictures are
written to docs/images.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import unisono

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
#: The width and height of a laptop's window and of a telephone's.
LAPTOP, TELEPHONE = (1280, 900), (390, 844)


@contextmanager
def service() -> Iterator[str]:
    """The address of a running `unisono serve`."""
    command = [sys.executable, "-m", "unisono", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)))
            yield found[0]
        finally:
            process.terminate()


def entities() -> unisono.Result:
    """The first example with its text, measured as a report measures it."""
    table = unisono.read(EXAMPLES / "entities.csv")[0]
    text = (EXAMPLES / "entities.txt").read_text(encoding="utf-8")
    units = {name: table.units_of(name) for name in table.annotators}
    corpus = unisono.continuum(units, name="entities", text=text)
    return unisono.measure(corpus, ["gamma", "gamma-cat", "gamma-k"], seed=42)


def window(browser: Browser, size: tuple[int, int], theme: Any = "light") -> Page:
    """A window of this size and theme."""
    return browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)


def shoot(page: Page, name: str) -> None:
    """Save what the window shows."""
    page.wait_for_timeout(300)  # fonts and the last frame
    page.screenshot(path=FOLDER / f"{name}.png")


def shoot_reports(browser: Browser, folder: Path) -> None:
    """The report's first screen, and the viewer with the worst disagreement selected."""
    path = folder / "entities.html"
    unisono.write_report(entities(), path)
    for name, size, theme in (
        ("report-entities", LAPTOP, "light"),
        ("report-entities-dark", LAPTOP, "dark"),
        ("report-entities-narrow", TELEPHONE, "light"),
    ):
        page = window(browser, size, theme)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-opened]")
        shoot(page, name)
    page = window(browser, (1180, 1400))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-opened]")
    page.locator(".u-jumps button").first.click()
    page.wait_for_timeout(300)
    page.locator("#viewer").screenshot(path=FOLDER / "viewer.png")


def shoot_page(browser: Browser, url: str) -> None:
    """The page's first screen with the samples."""
    settings = {"seed": 42, "measures": ["gamma", "gamma-cat", "gamma-k"]}
    for name, sample, size in (
        ("page-debates", "debates", LAPTOP),
        ("page-entities", "entities", LAPTOP),
        ("page-entities-narrow", "entities", TELEPHONE),
    ):
        page = window(browser, size)
        page.goto(f"{url}#{urlencode({'settings': json.dumps(settings), 'sample': sample})}")
        page.wait_for_selector("#findings[data-explained]", timeout=300_000)
        shoot(page, name)


def shoot_gallery(browser: Browser) -> None:
    """The first screen of each report of the gallery, at half its size."""
    for path in sorted((ROOT / "build" / "site" / "gallery").glob("*.html")):
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": 760}, device_scale_factor=0.5)
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-opened]")
        shoot(page, f"gallery-{path.stem}")


def main() -> None:
    """Make all pictures."""
    from playwright.sync_api import sync_playwright

    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        sys.exit("docs_images: no Chromium on the PATH; install it, then run this again")
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, service() as url:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        shoot_reports(browser, Path(folder))
        shoot_page(browser, url)
        shoot_gallery(browser)
        browser.close()
    for path in sorted(FOLDER.glob("*.png")):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
