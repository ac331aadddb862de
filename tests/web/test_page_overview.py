# SPDX-License-Identifier: MIT
"""The page's first screen, charts, links, decisions and comparison. Oracles: the service's JSON; the planted faults."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import unisono
from serving import Service
from unisono.report.version_table import version_tables
from unisono.web.samples import SAMPLES
from web.viewing import Look, explained, saved_table, settled, show_case

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


@pytest.fixture(scope="module")
def debates(tmp_path_factory: pytest.TempPathFactory) -> unisono.Corpus:
    folder = tmp_path_factory.mktemp("debates")
    for name, content in SAMPLES["debates"].files().items():
        (folder / name).write_bytes(content)
    return unisono.read(folder / "debates.csv", documents=folder / "documents.csv")


def opened(page: Page, service: Service, sample: str = "debates") -> str:
    """The page with a sample, measured and drawn; the id of the job."""
    settings = json.dumps({"seed": 1, "measures": ["gamma", "gamma-cat", "gamma-k"]})
    page.goto(f"{service.url}#settings={settings}&sample={sample}")
    settled(page)
    return str(page.evaluate("document.documentElement.dataset.settled"))


def test_ten_seconds(page: Page, service: Service) -> None:
    """The first screen names the planted faults, first of all; an example is one click away."""
    opened(page, service)
    explained(page)
    findings = page.locator("#findings > ol").first.locator("li")
    expect(findings.nth(0)).to_have_text(re.compile("^emil misses"))
    expect(findings.nth(1)).to_have_text(re.compile("^Claim and Evidence are taken for each other"))
    box = findings.nth(1).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 900
    findings.nth(0).locator("a").click()
    page.wait_for_function("() => document.querySelector('.u-compare')?.textContent.includes('nothing: emil')")
    expect(page.locator("#cases")).to_contain_text("this is 1")
    expect(page.locator(".u-sentence")).to_be_visible()


def test_explained_it_says_what_errors_would_give_the_value(page: Page, service: Service) -> None:
    job = opened(page, service)
    explained(page)
    found = service.client.get(f"/jobs/{job}/explanation", timeout=60).json()
    words = page.inner_text("#findings .equivalents")
    for row in found["equivalents"]:
        if row["quantity"] is not None:
            assert row["sentence"].removeprefix("as if ").split(" (")[0] in words
    page.locator("#findings summary", has_text="What if").click()
    shown = sorted((row["gain"] for row in found["what_if"] if row["gain"] is not None), reverse=True)
    gains = [("+" if gain > 0 else "") + f"{gain:.3f}".replace("-", "−") for gain in shown]
    expect(page.locator("#findings table tbody td:last-child")).to_have_text(gains)


def test_large_data_are_explained_at_a_click(page: Page, service: Service) -> None:
    """What is not computed unasked is offered in the place where it will stand."""

    def make_slow(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"is_quick_to_explain": False})

    page.route("**/overview", make_slow)
    opened(page, service, "entities")
    offer = page.locator("#findings .unexplained")
    expect(offer).to_contain_text("Which errors would give this value")
    expect(page.locator("#findings .equivalents")).to_have_count(0)
    offer.get_by_role("button").click()
    explained(page)
    expect(page.locator("#findings .equivalents")).to_be_visible()
    expect(offer).to_have_count(0)


def test_the_table_of_documents_keeps_its_order(page: Page, service: Service) -> None:
    """Its last row is all documents; sorted and filtered it stays so, after another measurement and after a reload."""
    job = opened(page, service)
    result = service.client.get(f"/jobs/{job}/result").json()
    total = page.locator("#documents tfoot tr.total")
    expect(total.locator("th")).to_have_text("all 12 documents")
    expect(total.locator("td").first).to_have_text(f"{result['measures']['gamma']['value']:.3f}")
    expect(total.locator("td").last).to_have_text(f"{result['data']['units']:,}")
    page.locator("#document-filter").fill("debate-0")
    page.locator("#documents thead button").get_by_text("units", exact=True).click()
    names = page.locator("#documents tbody th")
    expect(names).to_have_count(9)
    order = names.all_inner_texts()
    page.fill("#precision", "5")
    settled(page, "precision=0.05")
    expect(names).to_have_text(order)
    page.reload()
    settled(page)
    expect(names).to_have_text(order)
    expect(page.locator("#document-filter")).to_have_value("debate-0")


def test_charts_have_the_numbers_of_the_service(page: Page, service: Service, tmp_path: Path) -> None:
    job = opened(page, service)
    numbers = service.client.get(f"/jobs/{job}/overview", timeout=60).json()
    _, *rows = saved_table(page, "annotators", tmp_path)
    rest = {row["annotator"]: row for row in numbers["annotators"]["rows"]}
    assert {row[0]: float(row[1]) for row in rows} == {name: row["value"] for name, row in rest.items()}
    _, *rows = saved_table(page, "categories", tmp_path)
    assert {row[0]: float(row[1]) for row in rows} == {row["category"]: row["value"] for row in numbers["categories"]}
    _, *rows = saved_table(page, "confusions", tmp_path)
    assert [list(map(int, row[1:-1])) for row in rows] == numbers["confusion"]["pairs"]
    _, *rows = saved_table(page, "chance", tmp_path)
    assert [int(row[2]) for row in rows] == numbers["chance"]["counts"]
    _, *rows = saved_table(page, "documents", tmp_path)
    result = service.client.get(f"/jobs/{job}/result").json()
    assert sum(int(row[2]) for row in rows) == len(result["documents"])


def test_a_cell_opens_its_cases_in_all_documents(page: Page, service: Service, debates: unisono.Corpus) -> None:
    opened(page, service)
    page.locator("[data-chart=confusions] [aria-label^='Claim with Evidence']").click()
    show_case(page)
    expected = documents = 0
    for continuum in debates:
        both = [
            unitary
            for unitary in unisono.best_alignment(continuum)
            if {"Claim", "Evidence"} <= {unit.category for unit in unitary.units if unit is not None}
        ]
        expected += len(both)
        documents += bool(both)
    expect(page.locator("#cases")).to_contain_text(f"{expected} unitary alignments in {documents} documents")


def test_a_cell_of_the_grid_opens_its_document(page: Page, service: Service) -> None:
    job = opened(page, service)
    grid = service.client.get(f"/jobs/{job}/overview", timeout=60).json()["grid"]
    page.locator("#grid-fold summary").click()
    name, who = grid["names"][0], grid["annotators"][1]
    page.locator(f"[data-chart='documents-by-annotators'] [aria-label^='{name}, {who}']").click()
    show_case(page)
    expect(page.locator("#cases")).to_contain_text(f"{who} differs from most of the others in {name}")
    expect(page.locator("#cases")).to_contain_text("in 1 document;")
    expect(page.locator("#viewer")).to_have_attribute("data-document", name)


def test_links_lead_to_what_is_shown(page: Page, service: Service) -> None:
    page.goto(service.url)
    page.wait_for_selector("#empty-samples button")
    links = page.locator("nav a:visible")
    expect(links).to_have_text(["Data", "Settings", "Results"])
    opened(page, service, "entities")
    expect(page.locator("nav a[href='#annotators']")).to_be_visible()  # the last link to come
    hashes = [link.get_attribute("href") for link in links.all()]
    assert "#documents" not in hashes  # there is one
    assert "#annotators" in hashes
    for each in hashes:
        expect(page.locator(str(each))).to_be_visible()


def test_versions_of_a_text_side_by_side(page: Page, service: Service, tmp_path: Path) -> None:
    """text-γ on the page: its value and the table of what differs. Oracle: the report's table."""
    paths = []
    for name, text in {
        "ann.tsv": "form\tpos\nso\tADV\nla\tX\nda\tV\n",
        "bob.tsv": "form\tpos\nsoo\tADV\nla\tY\nda\tV\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        paths.append(tmp_path / name)
    settings = {"seed": 3, "samples": 20, "measures": ["text-gamma"]}
    page.goto(
        f"{service.url}#{urlencode({'settings': json.dumps(settings), 'reading': json.dumps({'versions': True})})}"
    )
    page.wait_for_selector("#empty-samples button")
    page.set_input_files("#files", paths)
    settled(page)
    result = unisono.measure(paths, "text-gamma", seed=3, samples=20)
    value = result["text-gamma"].value
    assert value is not None
    assert page.inner_text("#headline-value") == f"{value:.3f}".replace("-", "−")
    (table,) = version_tables(result, [0])
    rows = page.locator("#versions tbody tr")
    assert [[cell.inner_text() for cell in row.locator("td").all()] for row in rows.all()] == [
        list(row) for row in table["rows"]
    ]
    assert len(table["rows"]) > 1
    expect(page.locator("#versions")).to_contain_text("versions side by side")


def test_sensitivity_is_shown_and_goes_with_the_data(page: Page, service: Service) -> None:
    settings = json.dumps({"seed": 1, "samples": 30, "measures": ["gamma"], "sensitivity": True})
    page.goto(f"{service.url}#settings={settings}&sample=entities")
    settled(page)
    job = page.evaluate("document.documentElement.dataset.settled")
    expected = service.client.get(f"/jobs/{job}/words").json()["sensitivity"]["rows"]
    assert len(expected) > 5
    shown = page.locator("#sensitivity tbody tr td:nth-child(2)")
    expect(shown).to_have_text([row["value"] for row in expected])
    page.get_by_role("button", name="Delete these data").click()
    expect(page.locator("#sensitivity")).to_be_hidden()


def test_a_reload_keeps_data_result_and_place(page: Page, service: Service) -> None:
    asked: list[str] = []
    opened(page, service)
    page.locator("#documents").get_by_role("button", name="debate-05", exact=True).click()
    page.wait_for_function("() => document.getElementById('viewer').dataset.document === 'debate-05'")
    page.locator(".u-jumps button").first.click()
    words = page.locator(".u-sentence").inner_text()
    signature = page.inner_text("#signature")
    page.on("request", lambda request: request.method == "POST" and asked.append(request.url))
    page.reload()
    settled(page)
    page.wait_for_function("() => document.getElementById('viewer').dataset.document === 'debate-05'")
    expect(page.locator(".u-sentence")).to_have_text(words)
    expect(page.locator("#signature")).to_have_text(signature)
    assert not asked  # nothing was sent or measured again


def test_back_and_forward(page: Page, service: Service) -> None:
    opened(page, service)
    table = page.locator("#documents")
    for name in ("debate-03", "debate-08"):
        table.get_by_role("button", name=name, exact=True).click()
        page.wait_for_function(f"() => document.getElementById('viewer').dataset.document === '{name}'")
    page.go_back()
    page.wait_for_function("() => document.getElementById('viewer').dataset.document === 'debate-03'")
    page.go_forward()
    page.wait_for_function("() => document.getElementById('viewer').dataset.document === 'debate-08'")


def test_the_scale_shows_nothing_before_a_first_estimate(page: Page, service: Service) -> None:
    held: list[Route] = []
    page.goto(service.url)
    page.wait_for_selector("#empty-samples button")
    expect(page.locator("#headline")).to_be_hidden()
    page.route("**/measure", lambda route: held.append(route))
    page.click("#empty-samples [data-sample=gestures]")
    page.wait_for_selector("#outcome:not([hidden])")
    expect(page.locator("#headline")).to_be_hidden()
    page.click("#cancel")
    expect(page.locator("#running-text")).to_have_text("Cancelled")
    expect(page.locator("#headline")).to_be_hidden()
    for route in held:
        route.abort("aborted")


def test_decisions_are_kept_by_the_service(
    page: Page, service: Service, debates: unisono.Corpus, tmp_path: Path
) -> None:
    opened(page, service)
    page.locator(".u-bar button", has_text="Adjudicate").click()
    status = page.locator(".adjudication-status")
    total = unisono.gold(debates).n_to_look_at
    expect(status).to_have_text(f"0 of {total} decided.")
    page.locator(".u-stage").focus()
    question = page.locator(".adjudication-unit:not(:has(.made))")
    for i, key in enumerate("x1k", start=1):
        expect(question).to_contain_text("By vote")  # the next question may be in another document
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.keyboard.press(key)
        expect(status).to_have_text(f"{i} of {total} decided.")
    with page.expect_download() as download:
        page.locator(".adjudication button", has_text="Save decisions").click()
    download.value.save_as(tmp_path / "decisions.json")
    page.reload()
    settled(page)
    page.locator(".u-bar button", has_text="Adjudicate").click()
    expect(status).to_have_text(f"3 of {total} decided.")
    gold = unisono.gold(debates, decisions=tmp_path / "decisions.json")
    assert gold.decided is not None
    assert (gold.decided.decided, gold.decided.unmet) == (3, ())


def test_compare_two(page: Page, service: Service, debates: unisono.Corpus, tmp_path: Path) -> None:
    """The second side: the same without the annotator who misses most. Oracle: unisono.compare."""
    opened(page, service)
    page.click("#compare-with")
    rows = SAMPLES["debates"].files()["debates.csv"].decode().splitlines(keepends=True)
    path = tmp_path / "later.csv"
    path.write_text("".join(row for row in rows if ",emil," not in row), encoding="utf-8")
    page.set_input_files("#files", path)
    expect(page.locator("#comparing .cards")).to_be_visible()
    settled(page)
    expect(page.locator("#difference .value")).to_have_text(re.compile(r"^\+0\.0"))
    values = page.locator("#comparing .card .value").all_inner_texts()
    assert float(values[2]) > float(values[0])
    expect(page.locator("#difference")).to_contain_text("The second side agrees better")
    changes = saved_table(page, "changes-annotators", tmp_path)
    assert {row[0] for row in changes[1:]} == {"dora", "emil", "fay", "gus", "ines"}
    assert next(row for row in changes if row[0] == "emil")[2] == ""
    page.locator("#comparing button", has_text="Stop comparing").click()
    expect(page.locator("#comparing")).to_be_hidden()


def test_looks(look: Look, service: Service) -> None:
    page = look.page()
    opened(page, service)
    look.check(page, "page-debates", unfolded="main details")


def test_letters_for_names(page: Page, service: Service) -> None:
    opened(page, service, "entities")
    page.locator("#reading > summary").click()
    page.locator("#reading summary", has_text="More").click()
    page.locator("[data-key=anonymise]").check()
    expect(page.locator("#understood")).to_contain_text("A, B, C")  # what was shown is no longer settled
    settled(page)
    shown = page.inner_text("main")
    assert not any(name in shown for name in ("ada", "ben", "chloe"))
