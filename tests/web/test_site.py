# SPDX-License-Identifier: MIT
"""The documentation site, opened from its folder in a browser. Oracle: the pages' own titles; no request to a host."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built anew; a warning of the build is an error."""
    if importlib.util.find_spec("material") is None:
        message = "NO SITE: mkdocs-material is not installed; `make setup` installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_search_works_from_the_folder(site: Path, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("f")
    page.keyboard.type("unitary alignment", delay=20)
    expect(page.locator(".md-search-result__item").nth(3)).to_be_attached()


def test_formulas_api_and_gallery(site: Path, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto((site / "choosing.html").as_uri())
    assert page.locator("math mfrac").count() >= 3
    page.goto((site / "api.html").as_uri())
    assert page.get_by_text("best_alignment", exact=True).count() > 0
    assert page.locator("code", has_text=">>>").count() > 10
    page.goto((site / "gallery.html").as_uri())
    reports = page.locator("article a[href*='gallery/']:not(:has(img))")
    expect(reports).to_have_count(4)
    reports.nth(2).click()
    page.wait_for_selector("h1")
    expect(page.locator("body")).to_contain_text("γ")
