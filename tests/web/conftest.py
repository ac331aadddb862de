# SPDX-License-Identifier: MIT
"""A real browser for tests: Chromium, headless. A page that logs an error, throws, or asks the network fails its test.

`browser` lives as long as a module, not the session: Playwright's sync interface keeps an event loop running in this
thread while it is started, and tests elsewhere that start one of their own would be refused.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CI = os.environ.get("CI", "").lower() == "true"
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: What a page may load without asking anybody.
LOCAL = ("file:", "data:", "blob:", "about:")
#: How long to wait for anything, in milliseconds: machines under test are slow, and a fault should not take minutes.
PATIENCE = 10_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium from the PATH; without it the test is skipped, and under CI=true it fails."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        message = f"NO BROWSER: none of {', '.join(NAMES)} on the PATH; install chromium to run the browser tests"
        if CI:
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    """Beginnings of addresses that the page may ask for; a test module with a server of its own says which."""
    return ()


@pytest.fixture
def new_page(browser: Browser, allowed_origins: tuple[str, ...]) -> Iterator[Callable[..., Page]]:
    """Makes pages, each in a fresh context: `new_page(color_scheme="dark", viewport={"width": 390, "height": 844})`."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def make(**options: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1440, "height": 900}} | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: _is_fault(message.type) and faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((*LOCAL, *allowed_origins)) or faults.append(f"network: {request.url}")
            ),
        )
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults, "the page did what it must not:\n" + "\n".join(faults)


def _is_fault(kind: str) -> bool:
    return kind in {"error", "warning"}


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page in a fresh context, 1440 pixels wide, light."""
    return new_page()


@pytest.fixture
def screenshot() -> Callable[[Page, str], Path]:
    """Saves a picture of the whole page as `NAME.png` in UNISONO_SCREENSHOTS, by default tests/actual/screenshots."""
    default = Path(__file__).resolve().parents[1] / "actual" / "screenshots"
    folder = Path(os.environ.get("UNISONO_SCREENSHOTS", default))

    def save(page: Page, name: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        page.screenshot(path=path, full_page=True)
        return path

    return save


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """Fails where axe-core finds a serious or critical fault of accessibility."""
    from axe_playwright_python.sync_playwright import Axe

    def check(page: Page) -> None:
        violations = Axe().run(page).response["violations"]
        found = [
            f"{violation['id']} ({violation['impact']}): {node['target']} {node['failureSummary']}"
            for violation in violations
            if violation["impact"] in {"serious", "critical"}
            for node in violation["nodes"]
        ]
        assert not found, "\n".join(found)

    return check
