# SPDX-License-Identifier: MIT
"""The page in a browser, on sample data. Oracles: the library and the command line on the same files; axe-core."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import unisono
from serving import Service, serving
from unisono.cli import main
from unisono.report.assets import FOLDER
from unisono.web.samples import SAMPLES
from web.viewing import copied, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEASURES = ["gamma", "gamma-cat", "gamma-k"]
NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def entities(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's files, as anybody could have them."""
    folder = tmp_path_factory.mktemp("entities")
    for name, data in SAMPLES["entities"].files().items():
        (folder / name).write_bytes(data)
    return folder


def opened(page: Page, service: Service, sample: str | None = None, **settings: Any) -> Page:
    """The page with settings in its address; with the name of a sample, that is measured."""
    parts = {"settings": json.dumps(settings)} | ({"sample": sample} if sample else {})
    page.goto(f"{service.url}#{urlencode(parts)}")
    page.wait_for_selector("#empty-samples button", state="attached")
    return settled(page) if sample else page


def with_pairs(page: Page) -> None:
    """Unfolds the tables of annotators."""
    expect(page.locator("#pairs .matrix")).to_be_attached()
    page.locator("#pairs-tables").evaluate("fold => (fold.open = true)")


def signature(page: Page) -> str:
    return page.text_content("#signature") or ""


def shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def saved(page: Page, selector: str, folder: Path) -> Path:
    """The file that a button saves; a report is explained on the way."""
    with page.expect_download(timeout=60_000) as download:
        page.click(selector)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def measured(entities: Path, **options: Any) -> unisono.Result:
    corpus = unisono.read(entities / "entities.csv", documents=entities / "documents.csv")
    return unisono.measure(corpus, MEASURES, **options)


# -- the way of a newcomer -------------------------------------------------------------------------------------------


def test_a_newcomer_sees_a_result_at_a_click(page: Page, service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    page.goto(service.url)
    page.wait_for_selector("#empty-samples button")
    expect(page.locator("#empty li")).to_have_count(3)
    page.evaluate(
        """() => {
          const note = (name) => (window[name] ??= performance.now());
          addEventListener("click", () => note("clicked"), { capture: true, once: true });
          new MutationObserver(() => document.getElementById("headline-value").textContent && note("first"))
            .observe(document.getElementById("headline"), { subtree: true, childList: true, characterData: true });
          new MutationObserver(() => note("final"))
            .observe(document.documentElement, { attributeFilter: ["data-result"] });
        }"""
    )
    page.click("#empty-samples [data-sample=entities]")
    settled(page)
    first, final = page.evaluate("() => [first - clicked, final - clicked]")
    with capsys.disabled():
        print(f"\n  sample data: first number {first:.0f} ms after the click, result {final:.0f} ms")
    assert 0 < first <= final
    expect(page.locator("#empty")).to_be_hidden()
    expect(page.locator("#headline")).to_contain_text("agree better than chance")
    expect(page.locator("#headline")).to_contain_text("Precision reached: within 2 %")
    expect(page.locator("#caution")).to_contain_text("No threshold")
    expect(page.locator("#viewer .u-canvas")).to_be_visible()
    expect(page.locator("#viewer")).to_contain_text("University of Caen")
    expect(page.locator("#spoken")).to_have_text(re.compile(r"^Result: γ 0\."))


def test_the_same_number_and_signature_everywhere(page: Page, service: Service, entities: Path, tmp_path: Path) -> None:
    opened(page, service, "entities", seed=42)
    result = measured(entities, seed=42)
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)
    taken = json.loads(saved(page, "[data-download='result.json']", tmp_path).read_text(encoding="utf-8"))
    printed = io.StringIO()
    options = ["--documents", "documents.csv", "--measure", ",".join(MEASURES), "--seed", "42", "--json"]
    with contextlib.chdir(entities), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        assert main(["measure", "entities.csv", *options]) == 0
    assert taken == json.loads(printed.getvalue())
    for name in MEASURES:
        assert page.text_content(f"#measured tr[data-measure={name}] td.strong") == shown(result[name].value)
    rows = {
        row.inner_text().split("\t")[0]: row.inner_text() for row in page.locator("#category-values tbody tr").all()
    }
    per_category = result["gamma-k"].per_category
    assert per_category is not None
    assert rows.keys() == {category for category in per_category if category}
    for category, value in per_category.items():
        assert shown(value.value) in rows[category or ""]


def test_pairs_of_annotators_are_those_of_the_library(page: Page, service: Service, entities: Path) -> None:
    opened(page, service, "entities", seed=42)
    with_pairs(page)
    corpus = unisono.read(entities / "entities.csv", documents=entities / "documents.csv")
    found = unisono.pairwise(corpus, "gamma", seed=42)
    cells = page.locator("#pairs .matrix td.pair").all_inner_texts()
    assert sorted(cells) == sorted(2 * [f"{pair['value']:.2f}" for pair in found.to_dict()["pairs"]])
    assert found.outlier is not None
    expect(page.locator("#pairs")).to_contain_text(f"{found.outlier} agrees with the others least")


# -- settings --------------------------------------------------------------------------------------------------------


def test_another_alpha_gives_another_gamma(page: Page, service: Service, entities: Path) -> None:
    opened(page, service, "entities", seed=42)
    before = page.text_content("#headline-value")
    page.fill("#alpha", "3")
    settled(page, "alpha=3")
    expect(page.locator("[data-for=alpha]")).to_have_value("3")
    result = measured(entities, seed=42, dissimilarity=unisono.CombinedDissimilarity(alpha=3))
    assert page.text_content("#headline-value") == shown(result["gamma"].value) != before
    assert signature(page) == result.signature


def test_a_preset_brings_its_alpha(page: Page, service: Service) -> None:
    opened(page, service, "entities", seed=42)
    page.select_option("#preset", "greyc")
    settled(page, "half-mean")
    expect(page.locator("#alpha")).to_have_value("3")
    assert "alpha=3" in signature(page)
    assert "chance:shift(half-mean)" in signature(page)


def test_distances_are_edited_as_a_matrix(page: Page, service: Service, entities: Path) -> None:
    opened(page, service, "entities", seed=42)
    expect(page.locator("#matrix")).to_be_hidden()
    page.select_option("#categorial", "matrix")
    page.fill("[aria-label='Distance of Organisation and Location']", "0.5")
    settled(page, "matrix")
    names = ["Date", "Location", "Organisation", "Person"]
    table = {a: {b: 0.5 if {a, b} == {"Organisation", "Location"} else 1 for b in names[i + 1 :]} for i, a in
             enumerate(names[:-1])}  # fmt: skip
    result = measured(
        entities, seed=42, dissimilarity=unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Matrix(table))
    )
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)


def test_what_cannot_be_is_said_at_its_place(page: Page, service: Service) -> None:
    opened(page, service, "entities", seed=42)
    page.fill("#precision", "0")
    expect(page.locator("#settings .fault")).to_be_visible()
    expect(page.locator("#precision")).to_have_attribute("aria-invalid", "true")
    page.fill("#precision", "5")
    expect(page.locator("#settings .fault")).to_have_count(0)
    settled(page, "precision=0.05")


def test_a_measure_more(page: Page, service: Service) -> None:
    opened(page, service, "entities", seed=42, measures=["gamma"])
    expect(page.locator("#category-values")).to_contain_text("was not measured")
    page.click("#category-values button")
    settled(page, "gamma-k")
    expect(page.locator("#category-values table")).to_be_visible()
    page.click("#measures summary")
    page.fill("#measure-filter", "window-diff")
    page.check("#measures input[value=window-diff]")
    expect(page.locator("#measured tr[data-measure=window-diff]")).to_be_visible()
    expect(page.locator("#measures input[value=gamma-k]")).to_be_checked()


# -- sessions --------------------------------------------------------------------------------------------------------


def test_the_address_restores_the_session(page: Page, service: Service, new_page: Callable[..., Page]) -> None:
    opened(page, service, "entities", seed=42)
    page.fill("#beta", "0.5")
    page.select_option("#sampling", "samples")
    page.fill("#samples-count", "60")
    page.click("#advanced > summary")
    page.check("[data-key=tie_range]")
    settled(page, "samples:60")
    another = new_page()
    another.goto(page.url)
    settled(another)
    assert signature(another) == signature(page)
    assert "beta=0.5" in signature(another)
    expect(another.locator("#samples-count")).to_have_value("60")
    expect(another.locator("[data-key=tie_range]")).to_be_checked()


def test_a_file_restores_the_session(
    page: Page, service: Service, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    opened(page, service, "gestures", seed=7, delta_empty=0.8)
    path = saved(page, "#save-settings", tmp_path)
    another = new_page()
    another.goto(service.url)
    another.wait_for_selector("#empty-samples button")
    another.set_input_files("#restore-settings", path)
    settled(another)
    assert signature(another) == signature(page)
    another.set_input_files("#restore-settings", {"name": "no.json", "mimeType": "", "buffer": b"[]"})
    another.wait_for_selector("#notices >> text=not a settings file saved by this page")


def test_settings_that_nobody_knows_are_told(page: Page, service: Service) -> None:
    page.goto(f"{service.url}#{urlencode({'settings': json.dumps({'seed': 3, 'alhpa': 2})})}")
    page.wait_for_selector("#notices >> text=alhpa")
    expect(page.locator("#seed")).to_have_value("3")
    page.goto(f"{service.url}#{urlencode({'settings': '{'})}")
    page.wait_for_selector("#notices >> text=the settings in the address")


# -- taken home ------------------------------------------------------------------------------------------------------


def test_the_report_opens_from_disk(
    page: Page, service: Service, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    opened(page, service, "entities", seed=42)
    path = saved(page, "[data-download='report.html']", tmp_path)
    report = new_page()
    report.goto(path.as_uri())
    expect(report.locator("#viewer .u-canvas")).to_be_visible()
    expect(report.locator("#signature")).to_have_text(signature(page))
    expect(report.locator("#measures")).to_contain_text(page.text_content("#headline-value") or "no value")


def test_everything_else_can_be_taken(page: Page, service: Service, entities: Path, tmp_path: Path) -> None:
    opened(page, service, "entities", seed=42)
    rows = saved(page, "[data-download='alignment.csv']", tmp_path).read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + (measured(entities, seed=42)["gamma"].n_unitary_alignments or 0)
    gold = json.loads(saved(page, "[data-download='gold.json']", tmp_path).read_text(encoding="utf-8"))
    assert gold["documents"]
    assert (
        saved(page, "[data-download='adjudication.csv']", tmp_path).read_text(encoding="utf-8").startswith("document")
    )
    kept = unisono.load_result(saved(page, "[data-download='result.unisono']", tmp_path))
    assert kept.signature == signature(page)
    page.select_option("#gold-format", "csv")
    assert saved(page, "#downloads .together button", tmp_path).read_bytes()[:2] == b"PK"
    expect(page.locator("#methods")).to_contain_text("seed 42")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-copy=signature]")
    copied(page, signature(page))
    expect(page.locator("#spoken")).to_have_text("Copied")


# -- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(new_page: Callable[..., Page], service: Service, axe: Callable[[Page], None], scheme: str) -> None:
    page = new_page(color_scheme=scheme, reduced_motion="reduce")
    opened(page, service)
    axe(page)
    opened(page, service, "entities", seed=42)
    with_pairs(page)
    for fold in (
        "#reading > summary",
        "#reading details >> nth=1 >> summary",
        "#advanced > summary",
        "#measures summary",
    ):
        page.click(fold)
    page.select_option("#categorial", "matrix")
    settled(page, "matrix")
    with_pairs(page)
    axe(page)


def test_by_keyboard_alone(page: Page, service: Service) -> None:
    opened(page, service)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the results")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("data-sample", "entities")
    page.keyboard.press("Enter")
    settled(page)
    page.wait_for_url(re.compile("#settings="))
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button")]
             .filter((each) => each.checkVisibility() && !each.labels?.length && !each.ariaLabel && !each.textContent)
             .map((each) => each.outerHTML)"""
    )
    assert unnamed == []


def test_narrow_screens(new_page: Callable[..., Page], service: Service) -> None:
    page = new_page(viewport=NARROW)
    opened(page, service, "entities", seed=42)
    with_pairs(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]
    assert not page.evaluate("() => document.getElementById('settings-fold').open")
    page.click("#settings-fold > summary")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= NARROW["width"]


def test_with_a_token(any_page: Callable[..., Page]) -> None:
    """The address that is printed opens the page; the token leaves the address, the settings stay in it."""
    with serving("--token", "open-sesame", token="open-sesame") as service:
        page = any_page()
        page.goto(f"{service.url}?token=open-sesame#{urlencode({'settings': json.dumps({'seed': 5})})}")
        page.click("#empty-samples [data-sample=gestures]")
        settled(page, "seed:5")
        page.wait_for_url(lambda url: "sesame" not in url)
        assert page.evaluate("() => document.cookie") == ""


def test_the_page_is_strict(page: Page, service: Service) -> None:
    """Nothing in the page's files needs what its policy forbids."""
    markup = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)|<style|https?:", markup)
    answer = service.client.get(service.url)
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    ids = re.findall(r'\sid="([^"]+)"', markup)
    assert len(ids) == len(set(ids))
