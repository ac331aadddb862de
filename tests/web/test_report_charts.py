# SPDX-License-Identifier: MIT
"""Charts, cases, links and adjudication of the report in a browser. Oracle: the result it was made from."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import expect

import unisono
from unisono.nouns import called
from unisono.report.chart_numbers import overview, stretches_of
from unisono.report.data import ReportData
from web.viewing import Look, becomes, open_report, saved_table, settle, show_case

if TYPE_CHECKING:
    from playwright.sync_api import Page

FAMILY = ["gamma", "gamma-cat", "gamma-k"]


@pytest.fixture(scope="module")
def result() -> unisono.Result:
    """Twelve documents by four annotators, three categories, some units missed."""
    random = np.random.default_rng(11)
    made: dict[str, Any] = {}
    for d in range(12):
        made[f"letter {d}"] = {
            name: [
                (int(20 * k + random.integers(0, 3 + d // 3)), int(20 * k + 14 + random.integers(0, 5)), "ABC"[label])
                for k in range(8)
                if random.random() < (0.6 if name == "dan" else 0.9)
                for label in [k % 3 if random.random() < 0.8 else int(random.integers(3))]
            ]
            for name in ("ann", "bob", "cem", "dan")
        }
    return unisono.measure(unisono.corpus(made), FAMILY, seed=1, samples=20)


@pytest.fixture(scope="module")
def data(result: unisono.Result) -> ReportData:
    return ReportData.of(result)


@pytest.fixture(scope="module")
def report(result: unisono.Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("charts") / "report.html"
    unisono.write_report(result, path, explain=False)
    return path


def chart(page: Page, name: str) -> Any:
    return page.locator(f"[data-chart='{name}']")


def labels_of(page: Page, name: str) -> list[str]:
    return [mark.get_attribute("aria-label") for mark in chart(page, name).locator(".mark").all()]


def shown(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def test_numbers_of_the_charts_are_those_of_the_result(
    page: Page, report: Path, data: ReportData, tmp_path: Path
) -> None:
    open_report(page, report)
    page.locator("#grid-fold summary").click()
    numbers = overview(data)
    _, *rows = saved_table(page, "documents", tmp_path)
    values = [document["gamma"].value for document in data.result.documents]
    for low, high, count in rows:
        inside = [
            v for v in values if v is not None and (low == "" or v >= float(low)) and (v < float(high) or high == "1")
        ]
        assert len(inside) == int(count)
    assert sum(int(row[2]) for row in rows) == len(values)
    expect(chart(page, "documents")).to_contain_text(f"overall {shown(numbers['value'])}")

    _, *rows = saved_table(page, "categories", tmp_path)
    gamma_k = {row["category"]: row for row in numbers["categories"]}
    assert [float(row[1]) for row in rows] == sorted(float(row[1]) for row in rows)
    for name, value, low, high, units in rows:
        expected = gamma_k[name]
        assert float(value) == pytest.approx(expected["value"], abs=1e-12)
        assert [float(low), float(high)] == pytest.approx(expected["interval"], abs=1e-12)
        assert int(units) == expected["units"]
    for label in labels_of(page, "categories"):
        name = label.split(":")[0]
        assert f"γk {shown(gamma_k[name]['value'])}" in label

    head, *rows = saved_table(page, "confusions", tmp_path)
    confusion = numbers["confusion"]
    assert head[1:] == [*confusion["categories"], "nothing"]
    assert [list(map(int, row[1:-1])) for row in rows] == confusion["pairs"]
    assert [int(row[-1]) for row in rows] == confusion["missing"]

    _, *rows = saved_table(page, "annotators", tmp_path)
    tables = data.details.annotators
    assert tables is not None
    rest = {row["annotator"]: row for row in tables["against_rest"]}
    assert [float(row[1]) for row in rows] == sorted(row["value"] for row in rest.values())
    for name, value, low, high, others, *_ in rows:
        assert float(value) == pytest.approx(rest[name]["value"])
        assert float(others) == pytest.approx(rest[name]["others"])
        assert [float(low), float(high)] == pytest.approx([rest[name]["interval"][key] for key in ("low", "high")])

    head, *rows = saved_table(page, "pairs", tmp_path)
    pairs = {tuple(sorted(pair["annotators"])): pair["value"] for pair in tables["pairs"]}
    for row in rows:
        for name, cell in zip(head[1:], row[1:], strict=True):
            assert cell == "" if name == row[0] else float(cell) == pytest.approx(pairs[tuple(sorted((name, row[0])))])

    _, *rows = saved_table(page, "along", tmp_path)
    assert [[float(cell) if cell else None for cell in row[2:]] for row in rows] == [
        [row["unitary_alignments"], row["disorder"]] for row in numbers["along"]
    ]
    _, *rows = saved_table(page, "documents-by-annotators", tmp_path)
    cells = [[cell and cell[0] / cell[1] for cell in row] for row in numbers["grid"]["cells"]]
    assert [[float(cell) if cell else None for cell in row[1:]] for row in rows] == cells

    _, *rows = saved_table(page, "chance", tmp_path)
    assert [[float(row[0]), float(row[1])] for row in rows] == [
        [low, high] for low, high in itertools.pairwise(numbers["chance"]["edges"])
    ]
    assert [int(row[2]) for row in rows] == numbers["chance"]["counts"]
    expect(chart(page, "chance")).to_contain_text(f"observed {shown(numbers['chance']['observed'])}")
    drawn = "9,999 random corpora, one random continuum for each of 12 documents"
    expect(chart(page, "chance")).to_contain_text(drawn)


def groups_with(data: ReportData, holds: Callable[[list[Any]], bool]) -> dict[int, set[int]]:
    """The unitary alignments for which `holds(units)` is true, by document."""
    found: dict[int, set[int]] = {}
    for number, alignment in enumerate(data.alignments):
        assert alignment is not None
        chosen = {i for i, unitary in enumerate(alignment) if holds(list(unitary.units))}
        if chosen:
            found[number] = chosen
    return found


def test_names_that_are_numbers_are_told_with_what_they_name(page: Page, tmp_path: Path) -> None:
    """Oracle: unisono.nouns.called, which the findings use."""
    units = [(10 * i, 10 * i + 6, "12"[i % 2]) for i in range(6)]
    other = [(start, end + 2, "1") for start, end, _ in units]
    three = unisono.corpus({"d": {"1": units, "2": units, "3": other}})
    unisono.write_report(unisono.measure(three, seed=1, samples=5), tmp_path / "report.html", explain=False)
    for case, words in (
        ({"annotator": "3"}, called("Annotator", "3") + " differs from most of the others"),
        ({"annotators": ["1", "3"]}, "Annotator 1 and annotator 3 differ"),
        ({"categories": ["1", "2"]}, "Category 1 and category 2 aligned with each other"),
        ({"category": "2"}, "Disagreements on category 2"),
    ):
        page.goto("about:blank")
        open_report(page, tmp_path / "report.html", f"#{urlencode({'case': json.dumps(case)})}")
        expect(page.locator("#cases strong")).to_have_text(words)


def walk(page: Page) -> dict[int, set[int]]:
    """The cases that the bar walks through, by document, and what the viewer shows at each."""
    seen: dict[int, set[int]] = {}
    for number in itertools.count(1):
        show_case(page, number)
        document, place = page.evaluate("[document.documentElement.dataset.opened, location.hash]")
        seen.setdefault(int(document), set()).add(int(re.search(r"unit=(\d+)", place)[1]) - 1)  # type: ignore[index]
        following = page.locator("#cases button", has_text="Next case")
        if following.is_disabled():
            break
        following.click()
    return seen


def test_a_cell_opens_exactly_its_cases(page: Page, report: Path, data: ReportData) -> None:
    open_report(page, report)

    def categories(units: list[Any]) -> list[str]:
        return [unit.category for unit in units if unit is not None]

    chart(page, "confusions").locator("[aria-label^='A with B:']").first.click()
    expected = groups_with(data, lambda units: {"A", "B"} <= set(categories(units)))
    assert walk(page) == expected
    count = sum(map(len, expected.values()))
    expect(page.locator("#cases")).to_contain_text(f"{count} unitary alignments in {len(expected)} documents")
    # In the viewer, only the cases of the document are shown.
    document = int(page.evaluate("document.documentElement.dataset.opened"))
    page.locator(".u-details summary").click()
    expect(page.locator(".u-table tbody tr")).to_have_count(len(expected[document]))  # the table is filled when opened
    page.locator("#cases button", has_text="Show everything").click()
    expect(page.locator("#cases")).to_be_hidden()

    chart(page, "confusions").locator("[aria-label^='C, the other annotator nothing']").click()
    expected = groups_with(data, lambda units: "C" in categories(units) and None in units)
    assert walk(page) == expected
    page.locator("#cases button", has_text="Show everything").click()

    chart(page, "pairs").locator("[aria-label^='ann and dan:'], [aria-label^='dan and ann:']").first.click()
    expected = groups_with(
        data,
        lambda units: (
            (units[0] is None) != (units[3] is None)
            or (
                units[0] is not None
                and (units[0].start, units[0].end, units[0].category)
                != (units[3].start, units[3].end, units[3].category)
            )
        ),
    )
    assert walk(page) == expected


def stands_out(units: list[Any], who: int) -> bool:
    """Whether an annotator differs from most others: in marking something, in the category, in both boundaries."""
    own, others = units[who], [unit for i, unit in enumerate(units) if i != who and unit is not None]
    half = (len(units) - 1) / 2
    if own is None:
        return len(others) >= half
    if len(others) < half or not others:
        return True
    counts = Counter(unit.category for unit in others)
    if counts[own.category] < max(counts.values()):
        return True
    return all((unit.start, unit.end) != (own.start, own.end) for unit in others)


def test_dots_bars_and_grid_open_exactly_their_cases(page: Page, report: Path, data: ReportData) -> None:
    """Oracle: the definitions in docs/charts.md, applied to the alignments of the result."""
    open_report(page, report)
    page.locator("#grid-fold summary").click()

    def cases_behind(name: str, label: str) -> dict[int, set[int]]:
        mark = chart(page, name).locator(f".mark.opens[aria-label^={json.dumps(label)}]").first
        mark.scroll_into_view_if_needed()
        mark.click()
        found = walk(page)
        page.locator("#cases button", has_text="Show everything").click()
        return found

    disorders = {i: alignment.disorders for i, alignment in enumerate(data.alignments) if alignment is not None}

    def disagreements(found: dict[int, set[int]]) -> dict[int, set[int]]:
        kept = {i: {group for group in groups if disorders[i][group] > 1e-14} for i, groups in found.items()}
        return {i: groups for i, groups in kept.items() if groups}

    with_b = groups_with(data, lambda units: any(unit is not None and unit.category == "B" for unit in units))
    assert cases_behind("categories", "B:") == disagreements(with_b)
    cem = groups_with(data, lambda units: stands_out(units, 2))
    assert cases_behind("annotators", "cem:") == cem
    worst = data.order[0]
    name = data.corpus[worst].name
    assert cases_behind("documents-by-annotators", f"{name}, cem:") == {worst: cem[worst]}
    stretch = max(range(20), key=lambda k: overview(data)["along"][k]["unitary_alignments"])
    along: dict[int, set[int]] = {}
    for i, alignment in enumerate(data.alignments):
        assert alignment is not None
        chosen = set(np.flatnonzero((stretches_of(alignment) == stretch) & (disorders[i] > 1e-14)).tolist())
        if chosen:
            along[i] = chosen
    assert cases_behind("along", f"{5 * stretch} % to {5 * stretch + 5} %") == along


def test_a_bar_opens_exactly_its_documents(page: Page, report: Path, data: ReportData) -> None:
    open_report(page, report)
    values = {i: document["gamma"].value for i, document in enumerate(data.result.documents)}
    for place in range(chart(page, "documents").locator(".mark.opens").count()):
        mark = chart(page, "documents").locator(".mark.opens").nth(place)
        low, high = map(float, re.findall(r"−?[\d.]+", mark.get_attribute("aria-label") or "")[:2])
        mark.click()
        seen = set()
        for number in itertools.count(1):
            show_case(page, number)
            seen.add(int(page.evaluate("document.documentElement.dataset.opened")))
            following = page.locator("#cases button", has_text="Next case")
            if following.is_disabled():
                break
            following.click()
        assert seen == {i for i, value in values.items() if value is not None and low <= value < high}
        page.locator("#cases button", has_text="Show everything").click()


def test_every_mark_opens_something(page: Page, report: Path) -> None:
    open_report(page, report)
    page.locator("#grid-fold summary").click()
    for name in ("documents", "along", "categories", "annotators", "documents-by-annotators"):
        mark = chart(page, name).locator(".mark.opens").nth(1)
        mark.scroll_into_view_if_needed()
        mark.click()
        show_case(page)
        page.locator("#cases button", has_text="Show everything").click()


def test_charts_by_keyboard(page: Page, report: Path) -> None:
    open_report(page, report)
    marks = chart(page, "annotators").locator(".mark")
    marks.first.focus()
    page.keyboard.press("ArrowDown")
    second = marks.nth(1).get_attribute("aria-label") or ""
    expect(page.locator(":focus")).to_have_attribute("aria-label", second)
    page.keyboard.press("Enter")
    expect(page.locator("#cases")).to_have_text(re.compile("^" + re.escape(second.split(":")[0])))


def test_a_matrix_by_keyboard(page: Page, report: Path, data: ReportData) -> None:
    """Up and down stay in the column, left and right in the row, whatever cells are missing on the way."""
    pairs = overview(data)["pairs"]
    assert pairs is not None
    names = pairs["annotators"]
    open_report(page, report)
    marks = chart(page, "pairs").locator(".mark")
    marks.first.focus()  # the first row, the second column: the diagonal has no marks
    focused = page.locator(":focus")
    for key, row, column in (
        ("ArrowDown", 2, 1),  # the second row has none there
        ("ArrowDown", 3, 1),
        ("ArrowDown", 3, 1),  # the last one
        ("ArrowRight", 3, 2),
        ("ArrowRight", 3, 2),
        ("ArrowUp", 1, 2),
        ("ArrowLeft", 1, 0),
    ):
        page.keyboard.press(key)
        words = re.escape(f"{names[row]} and {names[column]}: ")
        expect(focused).to_have_attribute("aria-label", re.compile(f"^{words}"))


def test_a_saved_drawing_stands_alone(page: Page, report: Path, tmp_path: Path) -> None:
    open_report(page, report)
    names = [each.get_attribute("data-chart") for each in page.locator(".chart-frame").all()]
    assert len(names) == 8
    for name in names:
        page.locator("#grid-fold").evaluate("fold => (fold.open = true)")
        with page.expect_download() as download:
            chart(page, name).locator("button", has_text="SVG").click()
        assert download.value.suggested_filename == f"{name}.svg"
        download.value.save_as(tmp_path / "chart.svg")
        root = ElementTree.fromstring((tmp_path / "chart.svg").read_text(encoding="utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        everything = ElementTree.tostring(root, encoding="unicode")
        assert "var(" not in everything
        assert " class=" not in everything
        assert "rgb(" in everything
        assert everything.count("<ns0:title>") > 3 or everything.count("title>") > 6
        page.goto((tmp_path / "chart.svg").as_uri())  # a browser shows it
        page.goto(report.as_uri())
        page.wait_for_selector("html[data-opened]")


def test_words_in_the_place_of_a_value_are_legible_in_a_saved_drawing(page: Page, tmp_path: Path) -> None:
    """They have an outline in the colour of the paper, which must lie under the letters."""
    units = [(20 * i, 20 * i + 10, "AB"[i % 2]) for i in range(8)]
    documents = {name: {"ann": [*units, (200, 210, "alone")], "bob": units} for name in ("d1", "d2")}
    result = unisono.measure(unisono.corpus(documents), ["gamma", "gamma-k"], seed=1, samples=5)
    unisono.write_report(result, tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html")
    expect(chart(page, "categories").locator("text.absent")).to_have_count(1)
    with page.expect_download() as download:
        chart(page, "categories").locator("button", has_text="SVG").click()
    download.value.save_as(tmp_path / "chart.svg")
    texts = ElementTree.parse(tmp_path / "chart.svg").iter("{http://www.w3.org/2000/svg}text")
    outlined = [text.get("paint-order") for text in texts if text.get("stroke") != "none"]
    assert outlined == ["stroke"]


def test_tables_are_saved_and_copied(
    new_page: Callable[..., Page], report: Path, result: unisono.Result, tmp_path: Path
) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_report(page, report)
    tools = page.locator("#documents .table-tools")
    with page.expect_download() as download:
        tools.locator("button", has_text="CSV").click()
    download.value.save_as(tmp_path / "documents.csv")
    rows = list(csv.DictReader((tmp_path / "documents.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["document"]: float(row["γ"]) for row in rows} == pytest.approx(
        {document.name: document["gamma"].value for document in result.documents}, rel=1e-5
    )
    tools.locator("button", has_text="Copy").click()
    becomes(page, lambda: page.evaluate("navigator.clipboard.readText()").split("\n")[0], "\t".join(rows[0]))


# -- links -----------------------------------------------------------------------------------------------------------


def test_an_address_opens_the_same_place_elsewhere(new_page: Callable[..., Page], report: Path) -> None:
    page = new_page()
    open_report(page, report)
    page.locator("#document-table").get_by_role("button", name="letter 7", exact=True).click()
    page.wait_for_function("() => location.hash.includes('letter+7')")
    page.locator(".u-jumps button").first.click()
    page.locator(".u-chip", has_text="bob").click()
    page.locator(".u-kind").select_option("position")
    page.locator(".u-order").select_option("agreement")
    words = page.locator(".u-sentence").inner_text()
    pressed = page.locator(".u-chip[aria-pressed=false]").all_inner_texts()
    address = page.evaluate("location.href")
    other = new_page()
    other.goto(address)
    other.wait_for_selector("html[data-opened]")
    expect(other.locator("#opened-name")).to_have_text("letter 7")
    expect(other.locator(".u-chip[aria-pressed=false]")).to_have_text(pressed, use_inner_text=True)
    expect(other.locator(".u-kind")).to_have_value("position")
    expect(other.locator(".u-order")).to_have_value("agreement")
    expect(other.locator(".u-sentence")).to_have_text(words)
    other.reload()
    other.wait_for_selector("html[data-opened]")
    expect(other.locator(".u-sentence")).to_have_text(words)


def test_back_and_forward(page: Page, report: Path) -> None:
    open_report(page, report)
    names = ["letter 3", "letter 5"]
    for name in names:
        page.locator("#document-table").get_by_role("button", name=name, exact=True).click()
        page.wait_for_url(re.compile(name.replace(" ", r"\+")))
        expect(page.locator("#opened-name")).to_have_text(name)
    page.locator("nav a", has_text="Annotators").click()
    page.wait_for_url(re.compile("section=annotators"))
    page.go_back()
    page.go_back()
    expect(page.locator("#opened-name")).to_have_text("letter 3")
    page.go_forward()
    expect(page.locator("#opened-name")).to_have_text("letter 5")


def test_a_broken_address_opens_the_report(page: Page, report: Path) -> None:
    for fragment in (
        "#document=nobody",
        "#case={broken",
        "#unit=x&document=letter+2",
        "#case=%7B%22category%22%3A%22Z%22%7D",
        "#100%",
        *(
            f"#{urlencode({'case': json.dumps(case)})}"
            for case in (5, "A", [], {}, {"categories": 5}, {"annotators": ["ann"]}, {"places": [5]}, {"along": "x"},
                         {"values": [0, "x"], "symbol": "γ"}, {"annotator": 5})
        ),
        *(f"#{urlencode({'document': 'letter 2', name: '5'})}" for name in ("without", "withoutCategories", "kind")),
    ):  # fmt: skip
        page.goto("about:blank")
        page.goto(report.as_uri() + fragment)
        page.wait_for_selector("#viewer canvas, #cases[data-case]")


def test_what_stands_out_is_one_click_from_an_example(page: Page, report: Path, data: ReportData) -> None:
    """The findings, or where to look first: each link opens a unitary alignment or a document."""
    open_report(page, report)
    numbers = overview(data)
    findings, pointers = numbers["findings"], numbers["pointers"]
    page.locator("#findings details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    sentences = [each["sentence"] for each in (*findings, *pointers)]
    expect(page.locator("#findings li .finding")).to_have_text(sentences, use_inner_text=True)
    assert any("dan" in sentence for sentence in sentences)
    links = page.locator("#findings a")
    for number in range(links.count()):
        links.nth(number).click()
        page.wait_for_function(
            "() => { const bar = document.querySelector('#cases');"
            " return bar.hidden ? location.hash.includes('document=') : bar.dataset.case === '1'; }"
        )
        expect(page.locator(".u-sentence")).to_be_visible()


# -- adjudication ----------------------------------------------------------------------------------------------------


def test_adjudication(
    new_page: Callable[..., Page], report: Path, result: unisono.Result, tmp_path: Path, axe: Callable[[Page], None]
) -> None:
    """Keys, undo, count, what is kept over a reload; `gold --decisions` does what was decided."""
    page = new_page()
    open_report(page, report)
    standard = unisono.gold(result)
    total = standard.n_to_look_at
    status = page.locator(".adjudication-status")
    page.locator("button", has_text="Adjudicate").click()
    page.locator(".u-stage").focus()
    open_question = page.locator(".adjudication-unit:not(:has(.made))")

    def decided(count: int) -> None:
        """So many are; the next question, which may be in another document, is there."""
        expect(status).to_have_text(f"{count} of {total} decided.")
        expect(open_question).to_contain_text("By vote")

    decided(0)
    for count, key in enumerate(("x", "k", "1"), start=1):
        page.keyboard.press(key)
        decided(count)
    page.keyboard.press("z")
    decided(2)
    page.keyboard.press("2")
    decided(3)
    page.keyboard.press("b")
    page.locator(".adjudication-editor input[name=end]").fill("100000")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.locator(".adjudication-editor")).to_be_visible()  # outside the document: refused
    low = float(page.locator(".adjudication-editor input[name=start]").input_value())
    page.locator(".adjudication-editor input[name=end]").fill(str(int(low) + 2))
    page.keyboard.press("Enter")
    decided(4)
    page.locator(".adjudication button", has_text="G category").click()
    page.locator(".adjudication-editor select").select_option("B")
    page.locator(".adjudication-editor button", has_text="Use").click()
    decided(5)
    axe(page)
    page.reload()
    page.wait_for_selector("html[data-opened]")
    page.locator("button", has_text="Adjudicate").click()
    expect(status).to_have_text(f"5 of {total} decided.")
    paths = []
    for words, name in (("Save decisions (JSON)", "decisions.json"), ("CSV", "decisions.csv")):
        with page.expect_download() as download:
            page.locator(".adjudication button", has_text=words).click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        paths.append(tmp_path / name)
    made = json.loads(paths[0].read_text(encoding="utf-8"))
    assert made["data"] == result.data.sha256
    assert [entry["decision"] for entry in made["decisions"][:2]] == ["drop", "keep"]
    from_json, from_table = (unisono.gold(result, decisions=path) for path in paths)
    assert from_json.decided is not None
    assert (from_json.decided.decided, from_json.decided.to_look_at, from_json.decided.unmet) == (5, total, ())
    assert [unit.to_dict() for unit in from_json.units] == [unit.to_dict() for unit in from_table.units]
    entry = made["decisions"][0]
    assert (entry["unit"]["start"], entry["unit"]["end"]) not in {
        (unit.start, unit.end) for unit in from_json.units if unit.document == entry["document"] and unit.decision
    }
    wanted = [e["result"] for e in made["decisions"] if e["decision"] == "replace"]
    assert wanted
    decided = [(u.start, u.end, u.category) for u in from_json.units if u.decision == "replace"]
    assert sorted(decided) == sorted((w["start"], w["end"], w["category"]) for w in wanted)


def test_what_was_decided_again_comes_back(page: Page, report: Path) -> None:
    """Undo gives the decision before, not none."""
    open_report(page, report)
    page.locator("button", has_text="Adjudicate").click()
    page.locator(".u-stage").focus()
    page.keyboard.press("x")
    page.wait_for_function("() => Object.values(localStorage)[0]?.includes('drop')")
    unit = page.evaluate("JSON.parse(Object.values(localStorage)[0]).decisions[0].unit")
    page.reload()
    page.wait_for_selector("html[data-opened]")
    page.locator("button", has_text="Adjudicate").click()
    page.locator(".u-stage").focus()
    while not page.locator(".adjudication-unit .made").count():
        page.keyboard.press("ArrowDown")
    expect(page.locator(".adjudication-unit .made")).to_have_text("Decided: neither.")
    page.keyboard.press("k")
    page.wait_for_function("() => Object.values(localStorage)[0].includes('keep')")
    page.locator(".u-stage").focus()
    page.keyboard.press("z")
    page.wait_for_function("() => !Object.values(localStorage)[0].includes('keep')")
    (kept,) = page.evaluate("JSON.parse(Object.values(localStorage)[0]).decisions")
    assert (kept["decision"], kept["unit"]) == ("drop", unit)


def test_equal_units_are_decided_in_any_order(page: Page, tmp_path: Path) -> None:
    """Each keeps its own decision, here and in the gold standard that is made with the file."""
    units = [(20 * i, 20 * i + 10, "A") for i in range(4)]
    theirs = {"ann": [*units, *[(100, 110, "B")] * 3], "bob": units, "cem": units}
    corpus = unisono.corpus({"letter": unisono.continuum(theirs, name="letter", extent=(0, 120))})
    result = unisono.measure(corpus, seed=1, samples=10)
    unisono.write_report(result, tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html", f"#{urlencode({'document': 'letter', 'unit': 7})}")
    page.locator("button", has_text="Adjudicate").click()
    asked = page.locator(".adjudication-unit")
    page.locator(".u-stage").focus()
    page.keyboard.press("k")
    expect(page.locator(".adjudication-status")).to_have_text("1 of 3 decided.")
    page.keyboard.press("x")
    expect(page.locator(".adjudication-status")).to_have_text("2 of 3 decided.")
    expect(asked.locator(".made")).to_have_count(0)  # the third question is open
    with page.expect_download() as download:
        page.locator(".adjudication button", has_text="Save decisions (JSON)").click()
    download.value.save_as(tmp_path / "decisions.json")
    made = json.loads((tmp_path / "decisions.json").read_text(encoding="utf-8"))["decisions"]
    assert made[0]["unitary_alignment"] == 7
    (document,) = unisono.gold(result, decisions=tmp_path / "decisions.json").documents
    assert document.decided == {6: "keep", made[1]["unitary_alignment"] - 1: "drop"}
    # A second decision on the first unit, as a file by hand may have it: the first one counts, as for `unisono gold`.
    page.evaluate(
        """() => {
          const [[key, text]] = Object.entries(localStorage);
          const file = JSON.parse(text);
          file.decisions.push({ ...file.decisions[0], decision: "drop" });
          localStorage.setItem(key, JSON.stringify(file));
        }"""
    )
    for entry, words in zip(made, ("kept as voted", "neither"), strict=True):
        page.goto("about:blank")
        place = urlencode({"document": "letter", "unit": entry["unitary_alignment"]})
        open_report(page, tmp_path / "report.html", f"#{place}")
        page.locator("button", has_text="Adjudicate").click()
        expect(asked.locator(".made")).to_have_text(f"Decided: {words}.")


def test_typing_decides_nothing(page: Page, report: Path) -> None:
    """Letters and digits in a field are text, though each is a key that decides elsewhere."""
    open_report(page, report)
    page.locator("button", has_text="Adjudicate").click()
    name = page.locator(".adjudication input[aria-label='Your name']")
    name.press_sequentially("Jack Bax 1")
    expect(name).to_have_value("Jack Bax 1")
    page.locator(".adjudication button", has_text="B edit boundaries").click()
    start = page.locator(".adjudication-editor input[name=start]")
    start.fill("")
    start.press_sequentially("12")
    expect(start).to_have_value("12")
    page.locator(".u-kind").focus()
    page.keyboard.press("x")
    expect(page.locator(".adjudication-status")).to_have_text(re.compile("^0 of"))


def test_a_browser_that_keeps_nothing_says_so(new_page: Callable[..., Page], report: Path) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });")
    open_report(page, report)
    page.locator("button", has_text="Adjudicate").click()
    page.locator(".u-stage").focus()
    page.keyboard.press("x")
    page.get_by_text("This browser keeps nothing for this page").wait_for()


def test_looks(look: Look, report: Path) -> None:
    page = look.page()
    open_report(page, report)
    look.check(page, "charts", unfolded="details")
