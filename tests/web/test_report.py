# SPDX-License-Identifier: MIT
"""The report in a real browser. Oracle: the result it was made from; axe-core; a page that asks the network nothing."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

import unisono
from unisono.report import notation
from unisono.report import sentences as words
from web.viewing import Look, copied, open_report, show_case

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
FAMILY = ["gamma", "gamma-cat", "gamma-k"]
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<b>bold</b> & \"quoted\" 'too'",
    "\N{GRINNING FACE}\u200d\N{FIRE}",
    "שלום עולם",
    "\u202egnirts\u202c",
    "x" * 10_000,
    "{{ 7 * 7 }}{% raw %}",
    "--><!-- <!--<script>",
    "\x1b[31m\x00\n\u2028",
]


@pytest.fixture(scope="module")
def entities() -> unisono.Result:
    """The bundled example with its text."""
    text = (ROOT / "examples" / "entities.txt").read_text(encoding="utf-8")
    table = unisono.read(ROOT / "examples" / "entities.csv")[0]
    units = {name: table.units_of(name) for name in table.annotators}
    return unisono.measure(unisono.continuum(units, name="entities", text=text), FAMILY, seed=42)


@pytest.fixture(scope="module")
def corpus() -> unisono.Result:
    """Forty documents, three annotators, some documents nobody can measure."""
    random = np.random.default_rng(5)
    made: dict[str, Any] = {}
    for d in range(40):
        starts = np.arange(6) * 20
        made[f"letter {d}"] = {
            name: [
                (
                    int(s + random.integers(0, 3 + d // 4)),
                    int(s + 14 + random.integers(0, 6)),
                    "ABC"[random.integers(3)],
                )
                for s in starts
                if random.random() < 0.85
            ]
            for name in ("ann", "bob", "cem")
        }
    made["empty"] = {"ann": [], "bob": []}
    return unisono.measure(unisono.corpus(made), FAMILY, seed=1, samples=30)


@pytest.fixture(scope="module")
def entities_page(entities: unisono.Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "entities.html"
    unisono.write_report(entities, path)
    return path


@pytest.fixture(scope="module")
def corpus_page(corpus: unisono.Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "corpus.html"
    unisono.write_report(corpus, path)
    return path


def test_the_headline(page: Page, entities_page: Path, entities: unisono.Result) -> None:
    open_report(page, entities_page)
    values = [notation.typeset(entities[name].value, 2) for name in ("gamma", "gamma-cat")]
    expect(page.locator(".card .value")).to_have_text(values)
    expect(page.get_by_text("No threshold for a good value holds everywhere")).to_be_visible()
    expect(page.locator("#viewer .u-canvas")).to_be_visible()
    expect(page.locator("#viewer")).to_contain_text("Marie Duval")


def test_the_first_screen_says_how_sure_and_how_good(
    page: Page, entities_page: Path, corpus_page: Path, entities: unisono.Result, corpus: unisono.Result
) -> None:
    """Beside the value its interval, below it what errors would give it: small data are explained unasked."""
    open_report(page, entities_page)
    said = page.locator("#findings .equivalents")
    for row in unisono.explain(entities).equivalents:
        if row.quantity is not None:
            expect(said).to_contain_text(row.sentence.removeprefix("as if ").split(" (")[0])
    expect(page.locator(".card").first).to_contain_text("uncertainty unknown")
    error = page.locator(".card").first.get_by_text("computation error ±")
    expect(error).to_be_visible()  # runs with other samples are told apart by it, so it is not behind a fold
    open_report(page, corpus_page)
    interval = words.main_interval(corpus["gamma"])
    assert interval is not None
    beside = page.locator(".card .interval").first
    expect(beside).to_have_text(f"{interval.low:.3f} to {interval.high:.3f} over documents".replace("-", "−"))
    box = page.locator("#findings").bounding_box()
    assert box is not None
    assert box["y"] < 700


def test_no_document_table_for_one_document(page: Page, entities_page: Path) -> None:
    open_report(page, entities_page)
    assert page.locator("#documents").count() == 0
    expect(page.locator("#next")).to_be_hidden()


def test_documents_sort(page: Page, corpus_page: Path, corpus: unisono.Result) -> None:
    open_report(page, corpus_page)
    costs = {
        document.name: (
            document["gamma"].value is None,
            document.n_units < 5,
            -(document["gamma"].contribution or 0.0),
        )
        for document in corpus.documents
    }
    worst = sorted(costs, key=lambda name: costs[name])
    names = page.locator("#document-table tbody th")
    expect(names).to_have_text(worst[:15])
    page.locator("#document-table .more").click()
    expect(names).to_have_text(worst)
    heads = page.locator("#document-table thead th")
    values = {document.name: document["gamma"].value for document in corpus.documents}
    heads.get_by_text("γ", exact=True).click()
    lowest = sorted(values, key=lambda name: (values[name] is None, values[name] or 0.0))
    expect(names).to_have_text(lowest)
    heads.get_by_text("γ", exact=True).click()
    best = sorted(values, key=lambda name: (values[name] is None, -(values[name] or 0.0)))
    expect(names).to_have_text(best)
    expect(heads.nth(1)).to_have_attribute("aria-sort", "descending")
    heads.get_by_text("document").click()
    for place, name in enumerate(["letter 0", "letter 1", "letter 2"], start=1):
        expect(names.nth(place)).to_have_text(name)


def test_find_a_document(page: Page, corpus_page: Path) -> None:
    open_report(page, corpus_page)
    page.locator("#filter").fill("LETTER 3")
    expect(page.locator("#filtered")).to_have_text("11 documents")
    expect(page.locator("#document-table tbody tr")).to_have_count(11)
    page.locator("#filter").fill("nothing of the kind")
    expect(page.locator("#document-table tbody tr")).to_have_count(0)


def test_the_last_row_is_all_documents(page: Page, corpus_page: Path, corpus: unisono.Result, tmp_path: Path) -> None:
    """Oracle: the result. It stays when documents are looked for, and is no data in what is saved."""
    open_report(page, corpus_page)
    total = page.locator("#document-table tfoot tr.total")
    gamma = corpus["gamma"]
    words = [
        f"all {len(corpus.documents)} documents",
        *(
            notation.typeset(value)
            for value in (gamma.value, corpus["gamma-cat"].value, gamma.observed, gamma.expected)
        ),
        "",
        "3",
        str(corpus.data.units),
    ]
    expect(total.locator("th, td")).to_have_text(words)
    page.locator("#filter").fill("LETTER 3")
    expect(page.locator("#document-table tbody tr")).to_have_count(11)
    expect(total.locator("th, td")).to_have_text(words)
    page.locator("#annotators summary", has_text="Units of each annotator").click()
    units = page.locator("#annotators tfoot tr.total td").nth(1)
    expect(units).to_have_text(str(corpus.data.units))
    with page.expect_download() as download:
        page.locator("#annotators details", has_text="Units of each annotator").get_by_role(
            "button", name="CSV"
        ).click()
    download.value.save_as(tmp_path / "units.csv")
    assert len((tmp_path / "units.csv").read_text(encoding="utf-8").splitlines()) == 1 + 3


def test_filter_and_order_are_remembered(new_page: Callable[..., Page], corpus_page: Path) -> None:
    """Over a reload of the tab, not in another; a browser that keeps nothing shows the table all the same."""
    page = new_page()
    open_report(page, corpus_page)
    page.locator("#filter").fill("letter 3")
    page.locator("#document-table thead button").get_by_text("units").click()
    page.locator("#document-table thead button").get_by_text("units").click()
    names = page.locator("#document-table tbody th")
    shown = names.all_inner_texts()
    page.reload()
    expect(page.locator("#filter")).to_have_value("letter 3")
    expect(page.locator("#filtered")).to_have_text("11 documents")
    expect(names).to_have_text(shown)
    expect(page.locator("#document-table thead th[aria-sort=descending]")).to_have_text("units")
    other = new_page()
    other.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('refused'); } });")
    open_report(other, corpus_page)
    expect(other.locator("#filter")).to_have_value("")
    other.locator("#filter").fill("letter 3")
    expect(other.locator("#document-table tbody tr")).to_have_count(11)


def test_what_is_not_explained_says_how_to_get_it(page: Page, corpus: unisono.Result, tmp_path: Path) -> None:
    """On the first screen, in the place of the error equivalents; nothing of it where they are there."""
    for explain, count in ((False, 1), (True, 0)):
        unisono.write_report(corpus, tmp_path / "report.html", explain=explain)
        open_report(page, tmp_path / "report.html")
        expect(page.locator("#findings .unexplained")).to_have_count(count)
        expect(page.locator("#findings .equivalents")).to_have_count(1 - count)
        page.goto("about:blank")
    unisono.write_report(corpus, tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html")
    expect(page.locator("#findings .unexplained")).to_contain_text("unisono report result.unisono --explain")
    box = page.locator("#findings .unexplained").bounding_box()
    assert box is not None
    assert box["y"] < 900


def test_open_documents(page: Page, corpus_page: Path, corpus: unisono.Result) -> None:
    open_report(page, corpus_page)
    values = {document.name: document["gamma"].value for document in corpus.documents}
    worst = sorted(values, key=lambda name: (values[name] is None, values[name] or 0.0))
    opened = page.locator("#opened-name")
    expect(opened).to_have_text(worst[0])
    expect(page.locator("#previous")).to_be_disabled()
    page.locator("#next").click()
    expect(opened).to_have_text(worst[1])
    page.locator("#document-table").get_by_role("button", name=worst[7], exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-opened", str(list(values).index(worst[7])))
    expect(opened).to_have_text(worst[7])
    document = corpus.documents[list(values).index(worst[7])]
    expect(page.locator("#viewer")).to_contain_text(f"{document.n_units} units")
    expect(page.locator("tr.opened th")).to_have_text(worst[7])
    page.locator("#document-table .more").click()
    page.locator("#document-table").get_by_role("button", name="empty", exact=True).click()
    expect(page.locator("#opened-note")).to_contain_text("nobody marked any unit")
    expect(page.locator("#next")).to_be_disabled()


def test_keyboard(page: Page, corpus_page: Path) -> None:
    open_report(page, corpus_page)
    second = page.locator("#document-table tbody tr").nth(1).locator("button")
    second.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#opened-name")).to_have_text(second.inner_text())
    page.locator("#document-table thead button").nth(0).focus()
    page.keyboard.press("Space")
    expect(page.locator("#document-table thead th").nth(0)).to_have_attribute("aria-sort", "ascending")


def test_static_tables_sort(page: Page, corpus_page: Path) -> None:
    open_report(page, corpus_page)
    page.locator("#categories summary", has_text="Categories as a table").click()
    table = page.locator("#categories table.sortable")
    place = table.locator("thead th").all_inner_texts().index("units")

    def sort_by_units(direction: str) -> list[int]:
        table.locator("thead button").get_by_text("units").click()
        expect(table.locator("thead th").nth(place)).to_have_attribute("aria-sort", direction)
        return [int(row.locator("th, td").nth(place).inner_text()) for row in table.locator("tbody tr").all()]

    column = sort_by_units("ascending")
    assert len(set(column)) > 1
    assert column == sorted(column)
    assert sort_by_units("descending") == column[::-1]


def test_static_tables_sort_by_every_column(page: Page, tmp_path: Path) -> None:
    """Oracle: the numbers of the result. A category without a value, intervals and errors are in the table."""
    units = [(20 * i, 20 * i + 10, "ABAB"[i % 4]) for i in range(12)]
    moved = [(start + i % 3, end, "B" if i == 5 else label) for i, (start, end, label) in enumerate(units)]
    documents = {f"d{k}": {"ann": [*units, (300, 310, "alone")], "bob": moved} for k in range(6)}
    result = unisono.measure(unisono.corpus(documents), FAMILY, seed=1, samples=10)
    unisono.write_report(result, tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html")
    page.locator("#categories summary", has_text="Categories as a table").click()
    table = page.locator("#categories table.sortable")
    heads = table.locator("thead th")
    values = {name: each.value for name, each in (result["gamma-k"].per_category or {}).items()}
    assert values["alone"] is None
    for place in range(heads.count()):
        heads.nth(place).locator("button").click()
        expect(heads.nth(place)).to_have_attribute("aria-sort", "ascending")
        names = table.locator("tbody th").all_inner_texts()
        assert set(names) == set(values)
        if 0 < place < 4:  # γk, its interval, its computation error: what has none comes last
            assert names[-1] == "alone"
        if place == 1:
            assert names[:-1] == sorted(names[:-1], key=lambda name: values[name] or 0.0)


def test_names_that_look_like_numbers_are_saved_as_they_are(page: Page, tmp_path: Path) -> None:
    units = [(20 * i, 20 * i + 10, "1,5") for i in range(3)]
    one = unisono.corpus({"d": {"ann": units, "bob": units}})
    unisono.write_report(unisono.measure(one, seed=1, samples=5), tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html")
    page.locator("details").evaluate_all("all => all.forEach((each) => (each.open = true))")
    with page.expect_download() as download:
        page.locator("#categories .table-tools button", has_text="CSV").first.click()
    download.value.save_as(tmp_path / "categories.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "categories.csv").read_text(encoding="utf-8"))))
    assert rows[1][0] == "1,5"


def test_documents_of_long_names_open(page: Page, tmp_path: Path) -> None:
    """By an address, and by a finding; two names that begin alike are two."""
    units = [(20 * i, 20 * i + 10, "A") for i in range(8)]
    names = [f"{'letter ' * 20}{k}" for k in range(3)]
    documents = {name: {"ann": units, "bob": [(s + 4 * k, e, c) for s, e, c in units]} for k, name in enumerate(names)}
    result = unisono.measure(unisono.corpus(documents), seed=1, samples=10)
    unisono.write_report(result, tmp_path / "report.html", explain=False)
    for k, name in enumerate(names):
        page.goto("about:blank")
        open_report(page, tmp_path / "report.html", f"#{urlencode({'document': name})}")
        expect(page.locator("html")).to_have_attribute("data-opened", str(k))
    place = page.locator("#findings a", has_text="Show").first
    place.click()
    show_case(page)


def test_more_rows_by_keyboard(page: Page, tmp_path: Path) -> None:
    """The focus stays in the table when the button that was pressed is gone."""
    units = [(20 * i, 20 * i + 10, "A") for i in range(3)]
    many = unisono.corpus({f"d{k}": {"ann": units, "bob": units[: 1 + k % 3]} for k in range(20)})
    unisono.write_report(unisono.measure(many, seed=1, samples=5), tmp_path / "report.html", explain=False)
    open_report(page, tmp_path / "report.html")
    page.locator("#document-table button.more").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#document-table tbody tr")).to_have_count(20)
    expect(page.locator("#document-table :focus")).to_have_count(1)


def test_copy(new_page: Callable[..., Page], entities_page: Path, entities: unisono.Result) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_report(page, entities_page)
    page.locator("#publish summary").click()
    for button, expected in (
        ("methods-markdown", words.methods(entities).markdown),
        ("methods-latex", words.methods(entities).latex),
        ("bibtex", words.bibliography(entities)),
        ("signature", entities.signature),
    ):
        page.locator(f"[data-copy={button}]").click()
        copied(page, expected)


def test_looks(look: Look, entities_page: Path, corpus_page: Path) -> None:
    for path in (entities_page, corpus_page):
        page = look.page()
        open_report(page, path)
        look.check(page, f"report-{path.stem}")


def test_everything_without_the_script(new_page: Callable[..., Page], entities_page: Path) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(entities_page.as_uri())
    expect(page.get_by_text("How far they agree")).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()


def test_hostile_names(new_page: Callable[..., Page], tmp_path: Path, axe: Callable[[Page], None]) -> None:
    """They appear as text, run nothing (the fixture fails on any dialog or error) and break no layout."""
    made = {
        name: unisono.continuum(
            {
                other: [(0, 5, other), (7, 9 + i, HOSTILE[(i + j) % len(HOSTILE)])]
                for j, other in enumerate(HOSTILE[:4])
            },
            name=name,
            text=(name * 30)[:600].ljust(40),
        )
        for i, name in enumerate(HOSTILE)
    }
    problems = tuple(unisono.Problem("skipped-rows", "warning", name, name, name, name) for name in HOSTILE)
    result = unisono.measure(unisono.Corpus(tuple(made.values()), problems), FAMILY, seed=1, samples=5)
    path = tmp_path / "hostile.html"
    unisono.write_report(result, path)
    for width in (1440, 390):
        page = new_page(viewport={"width": width, "height": 844})
        open_report(page, path)
        for _ in range(len(HOSTILE) - 1):
            before = page.evaluate("document.documentElement.dataset.opened")
            page.locator("#next").click()
            expect(page.locator("html")).not_to_have_attribute("data-opened", before)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("img, b").count() == 0
        expect(page.locator("#document-table").get_by_text(HOSTILE[0], exact=True)).to_be_visible()
        page.locator("#annotators details").evaluate_all("all => all.forEach((each) => (each.open = true))")
        expect(page.locator("#annotators table").get_by_text(HOSTILE[0], exact=True).first).to_be_visible()
        expect(page.get_by_text("{{ 7 * 7 }}{% raw %}", exact=True).first).to_be_visible()
        expect(page.get_by_text("\\u202egnirts\\u202c", exact=True).first).to_be_visible()
        axe(page)


def test_the_policy_stops_what_is_not_ours(any_page: Callable[..., Page], entities_page: Path, tmp_path: Path) -> None:
    """A script put into the file does not run: the policy names ours by their hashes."""
    text = entities_page.read_text(encoding="utf-8")
    path = tmp_path / "smuggled.html"
    path.write_text(text.replace("</main>", "<script>document.title='run'</script></main>"), encoding="utf-8")
    page = any_page()
    open_report(page, path)
    assert page.title() != "run"


def test_without_text(page: Page, entities: unisono.Result, tmp_path: Path) -> None:
    path = tmp_path / "no-text.html"
    unisono.write_report(entities, path, text=False)
    open_report(page, path)
    assert "Marie Duval" not in page.content()
    assert "Marie Duval" not in page.locator("#viewer").inner_text()
    expect(page.get_by_text("The texts were left out of this report.")).to_be_visible()


def test_a_thousand_documents(page: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Opens within two seconds, which is printed; below 20 MB."""
    random = np.random.default_rng(1)
    words_of = np.array(["lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do"])
    made = []
    for d in range(1000):
        text = " ".join(words_of[random.integers(0, 10, 300)].tolist())
        units = {
            name: sorted((int(s), int(s) + int(random.integers(3, 20)), "ABCDE"[random.integers(5)])
                         for s in random.integers(0, len(text) - 20, 20))
            for name in ("ann", "bob", "cem")
        }  # fmt: skip
        made.append(unisono.continuum(units, name=f"document {d}", text=text))
    result = unisono.measure(unisono.Corpus(tuple(made)), seed=1, samples=2)
    path = tmp_path / "thousand.html"
    before = time.perf_counter()
    unisono.write_report(result, path, annotators=False)
    written = time.perf_counter() - before
    before = time.perf_counter()
    open_report(page, path)
    opened = time.perf_counter() - before
    size = path.stat().st_size / 1e6
    with capsys.disabled():
        print(f"\n1,000 documents, 60,000 units: written in {written:.1f} s, {size:.1f} MB, opened in {opened:.2f} s")
    assert size < 20


def test_cautions_and_sensitivity_are_shown(page: Page, tmp_path: Path) -> None:
    """Oracle: the result itself; units that were joined and do not overlap are said to be so."""
    apart = {"ann": [(5222, 5502, "X"), (7000, 7100, "X")], "bob": [(6352, 6500, "X"), (7050, 7100, "Y")]}
    others = {f"d{i}": {"ann": [(0, 5, "X")]} for i in range(3)}
    data = unisono.corpus({"apart": apart, **others})
    result = unisono.measure(data, seed=1, samples=30, alpha=0.05, sensitivity=True)
    unisono.write_report(result, tmp_path / "page.html")
    open_report(page, tmp_path / "page.html")
    expect(page.locator("#values .warning").nth(0)).to_contain_text("rests on 1 of 4 documents")
    rows = page.locator("#sensitivity tbody tr")
    expect(rows).to_have_count(len(result.sensitivity or ()))
    expect(rows.nth(0).locator("th")).to_have_text("as measured")
    worst = page.locator(".u-worst li")
    expect(worst).to_have_count(2)
    assert ["do not overlap" in text for text in worst.all_inner_texts()] == [False, True]
