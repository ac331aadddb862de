# SPDX-License-Identifier: MIT
"""A real browser for tests: Chromium, headless. A page that logs an error, throws, or asks the network fails its test.

`browser` lives as long as a module, not the session: Playwright's sync interface keeps an event loop running in this
thread while it is started, and tests elsewhere that start one of their own would be refused.

UNISONO_TEST_SLOWDOWN=6 makes the browser six times slower and delays each answer of the service by a random time, so
that a test which looks before the page has finished fails here, not on somebody's busy machine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from serving import Service, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from web.viewing import Look

CI = os.environ.get("CI", "").lower() == "true"
NAMES = ("chromium", "chromium-browser", "google-chrome")
#: What a page may load without asking anybody.
LOCAL = ("file:", "data:", "blob:", "about:")
#: How many times slower than this machine the browser is.
SLOWDOWN = float(os.environ.get("UNISONO_TEST_SLOWDOWN", "1"))
#: How long to wait for anything, in milliseconds: machines under test are slow, and a fault should not take minutes.
PATIENCE = int(60_000 * max(1, SLOWDOWN / 4))
#: Delays what comes from the service, in the page itself: a route would hold up the test instead. SEED and LONGEST are
#: filled in. Events of one source keep their order.
DELAY = """(() => {
  let seed = SEED;
  const wait = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed / 2 ** 32) ** 2 * LONGEST;
  };
  const send = window.fetch;
  window.fetch = async (path, options) => {
    const answer = await send(path, options);
    if (!String(path).includes("api/")) return answer;
    await new Promise((done) => setTimeout(done, wait()));
    options?.signal?.throwIfAborted();
    return answer;
  };
  const later = (target, types) => {
    const listen = target.prototype.addEventListener;
    target.prototype.addEventListener = function (type, listener, ...rest) {
      if (!types.includes(type)) return listen.call(this, type, listener, ...rest);
      this.delay ??= wait();
      return listen.call(this, type, (event) => setTimeout(() => listener.call(this, event), this.delay), ...rest);
    };
  };
  later(EventSource, ["progress", "estimate", "result", "done", "failed", "cancelled"]);
  later(XMLHttpRequest, ["load"]);
})()"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium from the PATH; without it the test is skipped, and under CI=true it fails."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        message = f"NO BROWSER: none of {', '.join(NAMES)} on the PATH; install chromium to run the browser tests"
        if CI:
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service as it comes, which says nothing but its address."""
    with serving() as running:
        yield running
        assert len(running.said) == 1, "".join(running.said)


@pytest.fixture
def allowed_origins(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Beginnings of addresses that the page may ask for: those of the service, where the test has one."""
    return (request.getfixturevalue("service").url,) if "service" in request.fixturenames else ()


@pytest.fixture
def any_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Makes pages that may do anything, each in a fresh context: `any_page(color_scheme="dark")`."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1440, "height": 900}} | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if SLOWDOWN > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
            page.add_init_script(DELAY.replace("SEED", str(len(contexts))).replace("LONGEST", str(100 * SLOWDOWN)))
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def new_page(any_page: Callable[..., Page], allowed_origins: tuple[str, ...]) -> Iterator[Callable[..., Page]]:
    """Makes pages that must log nothing and ask nobody: `new_page(viewport={"width": 390, "height": 844})`."""
    faults: list[str] = []

    def make(**options: Any) -> Page:
        page = any_page(**options)
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


@pytest.fixture(params=["1440-light", "1440-dark", "390-light", "390-dark"])
def look(
    request: pytest.FixtureRequest,
    new_page: Callable[..., Page],
    axe: Callable[[Page], None],
    screenshot: Callable[[Page, str], Path],
) -> Look:
    """A desk and a telephone, light and dark, one after the other."""
    from web.viewing import Look

    width, theme = request.param.split("-")
    return Look(int(width), theme, new_page, axe, screenshot)
