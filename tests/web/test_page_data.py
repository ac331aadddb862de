# SPDX-License-Identifier: MIT
"""Files on the page, in a browser. Oracles: the library on the same files; the files' own names and mistakes.

The tools' own samples are read where they lie and never copied.
"""

from __future__ import annotations

import json
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import unisono
from serving import Service, serving, table
from unisono.web.samples import SAMPLES
from web.viewing import becomes, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

MEASURES = ["gamma", "gamma-cat", "gamma-k"]
HOSTILE = "<img src=x onerror=alert(1)>"
ROWS = "annotator,start,end,category\nann,0,5,X\nann,8,12,Y\nbob,0,6,X\nbob,8,12,X\n"


@pytest.fixture
def tolerant(any_page: Callable[..., Page]) -> Page:
    """A page whose requests may fail: the browser logs each, as it should."""
    return any_page()


def opened(page: Page, url: str, reading: dict[str, Any] | None = None, **settings: Any) -> Page:
    parts = {"settings": json.dumps(settings)} | ({"reading": json.dumps(reading)} if reading else {})
    page.goto(f"{url}#{urlencode(parts)}")
    page.wait_for_selector("#empty-samples button", state="attached")
    return page


def answer_first(page: Page, pattern: str, **answer: Any) -> list[str]:
    """Answers the first request to such a path in the place of the service; its address, once it was made."""
    made: list[str] = []

    def answer_once(route: Route) -> None:
        if made:
            route.continue_()
        else:
            made.append(route.request.url)
            route.fulfill(**answer)

    page.route(pattern, answer_once)
    return made


def give(page: Page, name: str, text: str | bytes, selector: str = "#files") -> None:
    data = text.encode() if isinstance(text, str) else text
    page.set_input_files(selector, {"name": name, "mimeType": "", "buffer": data})


def drop(page: Page, *paths: Path) -> None:
    """A real drop of files or folders, as from a file manager."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 400, "data": data})
    session.detach()


def signature(page: Page) -> str:
    return page.text_content("#signature") or ""


def shown(value: float | None) -> str:
    assert value is not None
    return f"{value:.3f}".replace("-", "−")


# -- what tools write ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_a_brat_folder(page: Page, service: Service, shared: Path, way: str) -> None:
    folder = shared / "samples" / "brat" / "example-project"
    opened(page, service.url, seed=42, precision=0.05)
    if way == "chosen":
        page.set_input_files("#folder", folder)
    else:
        drop(page, folder)
    settled(page)
    corpus = unisono.read(folder)
    result = unisono.measure(corpus, MEASURES, seed=42, precision=0.05)
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)
    for name in corpus.annotators:
        expect(page.locator("#understood")).to_contain_text(name)
    rows = page.locator("#documents tbody tr")
    values = sorted(shown(document["gamma"].value) for document in result.documents)
    assert sorted(row.inner_text().split("\t")[1] for row in rows.all()) == values
    # Another document, by the list, by the table, by its rank.
    name = page.locator("#document option").last.get_attribute("value") or ""
    page.select_option("#document", name)
    page.wait_for_selector(f"#viewer[data-document='{name}']")
    rows.first.locator("button").click()
    worst = rows.first.get_attribute("data-document")
    page.wait_for_selector(f"#viewer[data-document='{worst}']")
    page.click("#better")
    page.wait_for_selector(f"#viewer[data-document='{rows.nth(1).get_attribute('data-document')}']")


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_an_inception_zip(page: Page, service: Service, shared: Path, way: str) -> None:
    (archive,) = (shared / "samples" / "inception_project_export").glob("*.zip")
    opened(page, service.url, seed=42, measures=["gamma"], precision=0.05)
    if way == "chosen":
        page.set_input_files("#files", archive)
    else:
        drop(page, archive)
    settled(page)
    result = unisono.measure(unisono.read(archive), "gamma", seed=42, precision=0.05)
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)
    if way == "dropped":
        return
    # Another layer, chosen on the page, is the layer that the library is told.
    page.click("#reading > summary")
    expect(page.locator("#layers input[value=POS]")).to_be_checked()
    page.uncheck("#layers input[value=POS]")
    page.check("#layers input[value=Token]")
    page.wait_for_selector("#understood >> text=layer Token")
    other = unisono.measure(unisono.read(archive, layer=["Token"]), "gamma", seed=42, precision=0.05)
    page.wait_for_selector(f"#headline-value >> text={shown(other['gamma'].value)}")


def test_large_data_refine_before_ones_eyes(page: Page, service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """3 annotators x 1,000 units: the estimate comes soon, the interval shrinks, the precision is reached."""
    opened(page, service.url, seed=1, precision=0.001, measures=["gamma"])
    page.evaluate(
        """() => {
          window.seen = [];
          const value = document.getElementById("headline");
          new MutationObserver(() => { window.read ??= performance.now(); })
            .observe(document.getElementById("understood"), { childList: true });
          new MutationObserver(() => {
            const words = value.querySelector(".plain li:last-child")?.textContent;
            if (words && words !== seen.at(-1)?.words) seen.push({ words, at: performance.now() });
          }).observe(value, { subtree: true, childList: true, characterData: true });
        }"""
    )
    give(page, "large.csv", table(1_000))
    settled(page)
    seen, read = page.evaluate("() => [seen, read]")
    final = page.evaluate("() => performance.now()") - read
    with capsys.disabled():
        first = seen[0]["at"] - read
        print(f"\n  3 x 1,000 units: first estimate {first:.0f} ms after they were read, result {final:.0f} ms")
    assert all(
        each["words"].endswith(": other random samples may change the value by about this much") for each in seen
    )
    widths = [float(re.findall(r"±([\d.]+)", each["words"])[0]) for each in seen]
    assert len(widths) >= 3
    assert widths[-1] < widths[0] / 2
    expect(page.locator("#headline")).to_contain_text("Precision reached: within 0.1 %")


# -- what is wrong with files ----------------------------------------------------------------------------------------


def test_a_broken_file_is_told_with_its_place_and_corrected_there(page: Page, service: Service) -> None:
    opened(page, service.url, seed=42)
    give(page, "broken.csv", ROWS + "bob,31,30,Y\nann,one,40,X\n")
    page.wait_for_selector("#problems .problem")
    texts = page.locator("#problems > ul .problem").all_inner_texts()
    assert any("broken.csv:6" in text and "ends (30) before it starts (31)" in text for text in texts)
    assert any("broken.csv:7" in text and "'one'" in text for text in texts)
    expect(page.locator("#blocked")).to_contain_text("cannot be measured yet: 2 problems")
    expect(page.locator("#reading-form")).to_be_visible()
    page.click("text=Go on without these rows")
    settled(page)
    expect(page.locator("[data-key=skip_invalid]")).to_be_checked()
    expect(page.locator("#blocked")).to_be_hidden()


def test_columns_are_named_on_the_page(page: Page, service: Service, tmp_path: Path) -> None:
    rows = ROWS.replace("annotator,start,end,category", "p1,p2,p3,p4")
    (tmp_path / "odd.csv").write_text(rows, encoding="utf-8")
    opened(page, service.url, seed=42)
    give(page, "odd.csv", rows)
    page.wait_for_selector("#problems .problem")
    for role, column in {"annotator": "p1", "start": "p2", "end": "p3", "category": "p4"}.items():
        page.select_option(f"#columns [data-role={role}]", column)
    settled(page)
    columns = unisono.Columns(annotator="p1", start="p2", end="p3", category="p4")
    result = unisono.measure(unisono.read(tmp_path / "odd.csv", columns=columns), MEASURES, seed=42)
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)


def test_a_remedy_is_a_button(page: Page, service: Service, tmp_path: Path) -> None:
    """A setting in a remedy is named as its control is labelled, and leads there."""
    opened(page, service.url, seed=42)
    give(page, "letters.csv", ROWS)
    settled(page)
    page.click("#problems summary")
    page.click("#problems button.link >> text=Extent of every continuum")
    expect(page.locator("#extent-start")).to_be_focused()
    page.fill("#extent-start", "0")
    expect(page.locator("#extent-hint")).to_contain_text("Give both ends")
    page.fill("#extent-end", "40")
    settled(page, "extent:given")
    expect(page.locator("#headline")).to_contain_text("was not reached")  # four units are few
    expect(page.locator("#warnings")).to_contain_text("precision of 0.02 was not reached")
    (tmp_path / "letters.csv").write_text(ROWS, encoding="utf-8")
    with pytest.warns(unisono.errors.PrecisionWarning):
        result = unisono.measure(unisono.read(tmp_path / "letters.csv", extent=(0, 40)), MEASURES, seed=42)
    assert signature(page) == result.signature
    assert page.text_content("#headline-value") == shown(result["gamma"].value)
    page.click("#reading-reset")
    settled(page, "extent:guessed")


@pytest.mark.parametrize("mention", ["“Extent of every continuum”", "[[extent]]", "`extent`", "extent="])
def test_a_setting_is_named_by_its_control(page: Page, service: Service, mention: str) -> None:
    """However the service writes a setting, the page shows the label of its control, and leads to it."""

    def mention_it(route: Route) -> None:
        answer = route.fetch()
        upload = answer.json()
        problem = {"code": "x", "severity": "warning", "where": "", "message": "something is odd", "remedy": remedy}
        route.fulfill(response=answer, json=upload | {"problems": [problem]})

    remedy = f"Give {mention} and no_such_setting=, or [[no_such_setting]], or “no label”."
    page.route("**/api/v1/uploads", mention_it)
    opened(page, service.url, seed=42)
    give(page, "letters.csv", ROWS)
    settled(page)
    label = mention if "“" in mention else "Extent of every continuum"
    words = f"Give {label} and no_such_setting=, or [[no_such_setting]], or “no label”."
    expect(page.locator("#problems .remedy")).to_have_text(words, use_inner_text=True)
    beginning = re.compile("^warning Something is odd\\.")
    expect(page.locator("#problems .problem")).to_have_text(beginning, use_inner_text=True)
    page.click(f"#problems button.link >> text={label}")
    expect(page.locator("#extent-start")).to_be_focused()


def test_categories_are_renamed_and_left_out(page: Page, service: Service) -> None:
    opened(page, service.url, seed=42)
    give(page, "letters.csv", ROWS.replace("ann,8,12,Y", "ann,8,12,Yes") + "ann,20,22,noise\n")
    settled(page)
    page.click("#reading > summary")
    page.click("#labels summary")
    page.fill("[aria-label='New name of Yes']", "X")
    page.check("[aria-label='Leave out noise']")
    page.wait_for_selector("#understood dd >> text=1: X")
    expect(page.locator("[aria-label='New name of Yes']")).to_have_value("X")
    expect(page.locator("[aria-label='Leave out noise']")).to_be_checked()


def test_how_files_are_read_is_part_of_the_link(page: Page, service: Service, new_page: Callable[..., Page]) -> None:
    rows = ROWS.replace("annotator,start,end,category", "p1,p2,p3,p4")
    columns = {"annotator": "p1", "start": "p2", "end": "p3", "category": "p4"}
    opened(page, service.url, {"columns": columns}, seed=42)
    give(page, "odd.csv", rows)
    settled(page)
    another = new_page()
    another.goto(page.url)
    another.wait_for_selector("#empty-samples button")
    give(another, "odd.csv", rows)
    settled(another)
    assert signature(another) == signature(page)


def test_a_link_holds_only_what_was_chosen(page: Page, service: Service) -> None:
    opened(page, service.url, seed=1)
    give(page, "letters.csv", ROWS)
    settled(page)
    assert "reading" not in page.url


def test_a_corrected_file_is_read_in_the_same_way(page: Page, service: Service) -> None:
    rows = ROWS.replace("annotator,start,end,category", "p1,p2,p3,p4")
    opened(page, service.url, {"columns": {"annotator": "p1", "start": "p2", "end": "p3", "category": "p4"}}, seed=42)
    give(page, "odd.csv", rows + "bob,31,30,Y\n")
    page.wait_for_selector("#problems >> text=odd.csv:6")
    give(page, "odd.csv", rows + "bob,30,31,Y\n")
    settled(page)
    expect(page.locator("#columns [data-role=start]")).to_have_value("p2")
    give(page, "other.csv", ROWS)
    page.wait_for_selector("#understood >> text=other.csv")
    expect(page.locator("#columns [data-role=start]")).to_have_value("")


def test_a_reading_that_cannot_be_is_refused_once(tolerant: Page, service: Service) -> None:
    opened(tolerant, service.url, {"decimal": ";"}, seed=42)
    give(tolerant, "letters.csv", ROWS)
    tolerant.wait_for_selector("#notices >> text=reading.decimal")
    tolerant.click("#notices >> text=Try again")
    settled(tolerant)


def test_names_of_others_are_text(page: Page, service: Service) -> None:
    """Names of files, annotators, categories and documents that would do harm as markup are shown as they are."""
    opened(page, service.url, seed=42)
    long = "x" * 10_000
    rows = ["document,annotator,start,end,category"]
    for document in (HOSTILE, "</script><script>alert(2)</script>", "\u202egnp.exe", long):
        for annotator in (HOSTILE, "שלום", long):
            rows += [f'"{document}","{annotator}",{i},{i + 3},"{HOSTILE if i % 2 else long}"' for i in range(0, 20, 5)]
    give(page, f"{HOSTILE.replace('/', '')}.csv", "\n".join(rows))
    settled(page)
    page.locator("#pairs-tables").evaluate("fold => (fold.open = true)")
    expect(page.locator("#viewer .u-canvas")).to_be_visible()
    for place in ("#understood", "#documents", "#category-values", "#pairs"):
        expect(page.locator(place)).to_contain_text(HOSTILE)
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1440
    page.select_option("#categorial", "matrix")
    page.wait_for_selector("#matrix table")
    settled(page, "matrix")
    assert page.locator("img").count() == 0


# -- on the way ------------------------------------------------------------------------------------------------------


def test_cancelling(page: Page, service: Service) -> None:
    opened(page, service.url, seed=1, precision=0.001, measures=["gamma"])
    give(page, "large.csv", table(1_500))
    page.wait_for_selector("#headline.estimate")
    page.click("#cancel")
    page.wait_for_selector("#running-text >> text=Cancelled; the values shown are an estimate")
    service.wait(lambda health: health["running"] == 0)
    expect(page.locator("[data-download='report.html']")).to_be_disabled()
    page.fill("#precision", "10")
    settled(page, "precision=0.1")
    expect(page.locator("[data-download='report.html']")).to_be_enabled()


def test_a_changed_setting_ends_what_runs(page: Page, service: Service) -> None:
    jobs: list[str] = []
    page.on("request", lambda request: jobs.extend(re.findall(r"/jobs/([^/]+)/events", request.url)))
    opened(page, service.url, seed=1, precision=0.001, measures=["gamma"])
    give(page, "large.csv", table(1_500))
    page.wait_for_selector("#headline.estimate")
    # Both at once: typed one after the other, a slow browser may be given the time to begin a job between them.
    page.evaluate(
        """values => {
          for (const [id, value] of Object.entries(values)) {
            document.getElementById(id).value = value;
            document.getElementById(id).dispatchEvent(new Event("input", {bubbles: true}));
          }
        }""",
        {"precision": "20", "beta": "2"},
    )
    settled(page, "beta=2")
    assert len(jobs) == 2
    service.wait(lambda _: service.client.get(f"/jobs/{jobs[0]}").status_code == 404)


def test_sending_shows_how_far_it_is_and_can_be_stopped(tolerant: Page, service: Service) -> None:
    opened(tolerant, service.url, seed=1)
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 100_000}
    tolerant.context.new_cdp_session(tolerant).send("Network.emulateNetworkConditions", slow)
    give(tolerant, "large.csv", "#" * 1_000_000)
    tolerant.wait_for_selector("#sending-text >> text=Sending 1 file, 977 KiB")
    tolerant.wait_for_selector("#sending-bar[value]:not([value='0'])")
    tolerant.click("#sending-stop")
    tolerant.wait_for_selector("#sending", state="hidden")
    expect(tolerant.locator("#notices .notice")).to_have_count(0)
    expect(tolerant.locator("#empty")).to_be_visible()


def test_deleting_the_data(page: Page, service: Service) -> None:
    ids: list[str] = []
    page.on("response", lambda response: response.status == 201 and ids.append(response.json()["id"]))
    opened(page, service.url, seed=1)
    give(page, "letters.csv", ROWS)
    settled(page)
    page.click("text=Delete these data")
    page.wait_for_selector("#empty")
    expect(page.locator("#outcome")).to_be_hidden()
    service.wait(lambda _: service.client.get(f"/uploads/{ids[0]}").status_code == 404)


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_data_that_are_gone_are_not_shown_by_a_late_answer(tolerant: Page, service: Service, how: str) -> None:
    """They are being read in another way meanwhile: that request is given up."""
    opened(tolerant, service.url, seed=1)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    held: list[Route] = []
    given_up: list[str] = []
    tolerant.route("**/reading", lambda route: held.append(route))
    tolerant.on("requestfailed", lambda request: request.url.endswith("/reading") and given_up.append(request.url))
    parts = {"reading": json.dumps({"anonymise": True}), "settings": json.dumps({"seed": 1})}
    tolerant.evaluate("link => (location.hash = link)", urlencode(parts))
    becomes(tolerant, lambda: len(held), 1)
    if how == "deleted":
        tolerant.click("text=Delete these data")
        expect(tolerant.locator("#empty")).to_be_visible()
    else:
        give(tolerant, "other.csv", ROWS)
        expect(tolerant.locator("#understood")).to_contain_text("other")
    becomes(tolerant, lambda: len(given_up), 1)
    expect(tolerant.locator("#understood[aria-busy]")).to_have_count(0)
    expect(tolerant.locator("#notices .notice")).to_have_count(0)


def test_data_go_when_the_visitor_goes(page: Page, service: Service) -> None:
    """The page asks for it when it is left, after a pause in which a reload would take the data up again."""
    ids: list[str] = []
    page.on("response", lambda response: response.status == 201 and ids.append(response.json()["id"]))
    # The browser's tools do not report a request that outlives its page, so the page itself keeps a note of it.
    page.add_init_script(
        """const send = window.fetch;
        window.fetch = (path, options) => {
          if (options?.method === "DELETE" && path.includes("/uploads/")) localStorage.setItem("asked", path);
          return send(path, options);
        };"""
    )
    opened(page, service.url, seed=1)
    give(page, "letters.csv", ROWS)
    settled(page)
    # To a page of the same origin: leaving it for another one, the browser would end it after half a second.
    page.goto(f"{service.url}?elsewhere")
    asked = page.evaluate("localStorage.getItem('asked')")
    assert asked.partition("/uploads/")[2] == f"{ids[0]}?after=60"
    kept, gone = (
        service.client.post("/uploads", files={"files": ("a.csv", ROWS.encode())}).json()["id"] for _ in range(2)
    )
    assert service.client.delete(f"/uploads/{kept}", params={"after": 4}).status_code == 204
    assert service.client.get(f"/uploads/{kept}").status_code == 200  # a use within the pause keeps it
    assert service.client.delete(f"/uploads/{gone}", params={"after": 4}).status_code == 204
    time.sleep(5)  # asking for it would be a use
    assert service.client.get(f"/uploads/{kept}").status_code == 200
    assert service.client.get(f"/uploads/{gone}").status_code == 404


# -- when the service cannot -----------------------------------------------------------------------------------------


def test_lost_data_are_sent_again(tolerant: Page, service: Service) -> None:
    ids: list[str] = []
    tolerant.on("response", lambda response: response.status == 201 and ids.append(response.json()["id"]))
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    assert service.client.delete(f"/uploads/{ids[0]}").status_code == 204
    tolerant.fill("#alpha", "2")
    tolerant.click("#notices >> text=Send them again")
    settled(tolerant, "alpha=2")
    expect(tolerant.locator("#notices .notice")).to_have_count(0)


def test_a_busy_service_is_asked_again(tolerant: Page, service: Service) -> None:
    problem = {"code": "busy", "severity": "error", "where": "", "expected": "at most 1 job waiting", "found": "more"}
    answer_first(tolerant, "**/api/v1/measure", status=429, headers={"retry-after": "1"}, json={"problems": [problem]})
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    tolerant.wait_for_selector("#running-text >> text=The service is busy")
    settled(tolerant)


def test_a_measurement_that_cannot_be_says_why(page: Page, service: Service) -> None:
    opened(page, service.url, seed=42, measures=["u-alpha"])
    give(page, "overlaps.csv", ROWS + "ann,3,9,X\n")
    settled(page)
    expect(page.locator("#results")).to_contain_text(re.compile("overlap", re.IGNORECASE))
    page.click("#measures summary")
    page.check("#measures input[value=gamma]")
    expect(page.locator("#headline-value")).not_to_be_empty()


def test_too_much_and_then_nobody(tolerant: Page, tmp_path: Path) -> None:
    with serving("--upload-limit", "2K", "--files-limit", "3") as service:
        opened(tolerant, service.url, seed=42)
        give(tolerant, "large.csv", table(1_000))
        tolerant.wait_for_selector("#notices >> text=the service takes at most 2 KiB")
        names = [{"name": f"{i}.csv", "mimeType": "", "buffer": ROWS.encode()} for i in range(4)]
        tolerant.set_input_files("#files", names)
        tolerant.wait_for_selector("#notices >> text=the service takes at most 3 files")
        packed = tmp_path / "many.zip"
        with zipfile.ZipFile(packed, "w") as archive:
            for i in range(4):
                archive.writestr(f"{i}.csv", ROWS)
        tolerant.set_input_files("#files", packed)
        tolerant.wait_for_selector("#problems >> text=files")
        give(tolerant, "letters.csv", ROWS)
        settled(tolerant)
        service.process.kill()
        service.process.wait()
        tolerant.fill("#alpha", "2")
        tolerant.wait_for_selector("#notices >> text=Is unisono serve still running?")
        expect(tolerant.locator("#notices button", has_text="Try again")).to_be_visible()


def test_a_lost_job_is_begun_again(tolerant: Page, service: Service) -> None:
    """The events end with "no such job", as after a restart; the data are still there."""
    problem = {"code": "not-found", "severity": "error", "where": "", "expected": "the id of an existing job"}
    lost: list[str] = []

    def lose_once(route: Route) -> None:
        if lost and lost[0] not in route.request.url:
            route.continue_()
        else:
            lost.extend(re.findall(r"/jobs/([^/]+)", route.request.url)[: not lost])
            route.fulfill(status=404, json={"problems": [problem]})

    tolerant.route(re.compile(r"/jobs/[^/]+(/events)?$"), lose_once)
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    assert len(lost) == 1
    expect(tolerant.locator("html[data-settled]")).not_to_have_attribute("data-settled", lost[0])


def test_a_stream_of_events_that_is_refused_is_opened_again(tolerant: Page, service: Service) -> None:
    """A browser gives up a stream that is answered with an error; the job itself goes on."""
    refused = answer_first(tolerant, "**/events", status=503, json={"problems": []})
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    assert refused
    expect(tolerant.locator("#running-text")).to_contain_text("Done in")


def test_events_that_come_again_are_told_once(tolerant: Page, service: Service) -> None:
    """A stream that the browser has given up is opened anew, and begins with the first event."""
    streams: list[str] = []

    def break_off(route: Route) -> None:
        """The first stream ends after the result, the second is refused."""
        streams.append(route.request.url)
        if len(streams) == 1:
            events = route.fetch().text().partition("event: done")[0]
            route.fulfill(content_type="text/event-stream", body=f"retry: 10\n\n{events}")
        elif len(streams) == 2:
            route.fulfill(status=503, json={"problems": []})
        else:
            route.continue_()

    asked: list[str] = []
    tolerant.on("request", lambda request: request.url.endswith("/words") and asked.append(request.url))
    tolerant.route("**/events", break_off)
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    assert len(streams) == 3
    assert len(asked) == 1


def test_a_sample_that_cannot_be_had_leaves_other_data_as_they_are(tolerant: Page, service: Service) -> None:
    opened(tolerant, service.url, seed=1)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    read: list[str] = []
    tolerant.on("request", lambda request: request.url.endswith("/reading") and read.append(request.url))
    tolerant.route("**/samples/entities", lambda route: route.abort())
    reading = {**SAMPLES["entities"].reading, "anonymise": True}
    parts = {"sample": "entities", "reading": json.dumps(reading), "settings": json.dumps({"seed": 2})}
    tolerant.evaluate("link => (location.hash = link)", urlencode(parts))
    settled(tolerant, "seed:2")
    expect(tolerant.locator("#notices")).to_contain_text("The service does not answer")
    assert read == []
    # At the second try it is there, and is read as the link says.
    tolerant.unroute("**/samples/entities")
    tolerant.locator("#notices button", has_text="Try again").click()
    expect(tolerant.locator("#understood")).to_contain_text("A, B, C")
    settled(tolerant)


def test_files_given_before_the_page_is_ready_wait_for_it(page: Page, service: Service) -> None:
    held: list[Route] = []
    page.route("**/limits", lambda route: held.append(route))
    page.goto(f"{service.url}#{urlencode({'settings': json.dumps({'seed': 7})})}")
    becomes(page, lambda: len(held), 1)
    give(page, "letters.csv", ROWS)
    held[0].continue_()
    settled(page, "seed:7")


def test_settings_given_before_the_page_is_ready_wait_for_it(page: Page, service: Service) -> None:
    held: list[Route] = []
    page.route("**/limits", lambda route: held.append(route))
    page.goto(service.url)
    becomes(page, lambda: len(held), 1)
    session = json.dumps({"kind": "unisono settings", "schema": 1, "settings": {"seed": 9}}).encode()
    page.set_input_files("#restore-settings", {"name": "s.json", "mimeType": "application/json", "buffer": session})
    give(page, "letters.csv", ROWS)
    held[0].continue_()
    settled(page, "seed:9")
    expect(page.locator("#notices .notice")).to_have_count(0)


def test_a_case_of_documents_where_there_is_one_document(page: Page, service: Service) -> None:
    parts = {"settings": json.dumps({"seed": 1}), "case": json.dumps({"values": [0, 1], "symbol": "γ"})}
    page.goto(f"{service.url}#{urlencode(parts)}")
    give(page, "letters.csv", ROWS)
    settled(page)
    expect(page.locator("#cases")).to_contain_text("there is no such case in the documents that can be opened.")


def test_worse_and_better_go_by_the_values_however_the_table_is_sorted(page: Page, service: Service) -> None:
    rows = ["document,annotator,start,end,category"]
    for name, shift in (("a", 3), ("b", 0), ("c", 6), ("d", 1)):
        for k in range(5):
            rows += [f"{name},ann,{20 * k},{20 * k + 10},X", f"{name},bob,{20 * k + shift},{20 * k + 10 + shift},X"]
    opened(page, service.url, seed=1)
    give(page, "letters.csv", "\n".join(rows) + "\n")
    settled(page)
    table = page.locator("#documents")
    ranked = [row.get_attribute("data-document") for row in table.locator("tbody tr").all()]
    assert ranked == ["c", "a", "d", "b"]
    page.locator("#documents thead button", has_text="document").click()
    expect(table.locator("tbody tr").first).to_have_attribute("data-document", "a")
    page.reload()
    settled(page)
    viewer = page.locator("#viewer")
    expect(viewer).to_have_attribute("data-document", "c")  # the worst, though another one is first in the table
    for button, name in (("#better", "a"), ("#better", "d"), ("#worse", "a")):
        page.click(button)
        expect(viewer).to_have_attribute("data-document", name)


def test_a_download_of_a_measurement_that_was_replaced(tolerant: Page, service: Service) -> None:
    """It ends quietly: that the former job is gone does not mean that the data are."""
    opened(tolerant, service.url, seed=42)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    button = tolerant.locator("[data-download='report.html']")
    answer_first(tolerant, "**/report", status=202, headers={"retry-after": "3600"}, json={"status": "running"})
    with tolerant.expect_response("**/report"):
        button.click()
    tolerant.fill("#alpha", "2")
    expect(button).not_to_have_attribute("aria-busy", "true")  # though its time to ask again is far away
    settled(tolerant, "alpha=2")
    expect(tolerant.locator("#notices .notice")).to_have_count(0)
    with tolerant.expect_download():
        tolerant.click("[data-download='report.html']")


def test_what_is_cancelled_before_its_first_estimate_is_not_shown_as_new(page: Page, service: Service) -> None:
    opened(page, service.url, seed=1)
    give(page, "letters.csv", ROWS)
    settled(page)
    held: list[Route] = []
    page.route("**/measure", lambda route: held.append(route))
    page.fill("#alpha", "2")
    page.wait_for_selector("#outcome.stale")
    page.click("#cancel")
    expect(page.locator("#running-text")).to_have_text("Cancelled; the values shown are those of the former settings")
    expect(page.locator("#outcome")).to_have_class("stale")
    for route in held:
        route.abort("aborted")


def test_data_that_are_compared_are_deleted_too(page: Page, service: Service) -> None:
    """By the button, though they are the first side; and the first side, when the visitor goes."""
    ids: list[str] = []
    page.on("response", lambda response: response.status == 201 and ids.append(response.json()["id"]))
    opened(page, service.url, seed=1)
    give(page, "letters.csv", ROWS)
    settled(page)
    page.click("#compare-with")
    page.click("text=Delete these data")
    page.wait_for_selector("#empty")
    service.wait(lambda _: service.client.get(f"/uploads/{ids[0]}").status_code == 404)
    give(page, "letters.csv", ROWS)
    settled(page)
    page.click("#compare-with")
    give(page, "others.csv", ROWS.replace("8,12", "8,13"))
    expect(page.locator("#comparing .cards")).to_be_visible()
    settled(page)
    asked: list[str] = []
    page.on("request", lambda request: request.method == "DELETE" and asked.append(request.url))
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    becomes(page, lambda: [any(f"/uploads/{upload}?" in url for url in asked) for upload in ids[1:3]], [True, True])


def test_a_sample_that_is_read_differently_is_part_of_the_link(
    page: Page, service: Service, new_page: Callable[..., Page]
) -> None:
    page.goto(f"{service.url}#sample=entities")
    settled(page)
    page.locator("#reading > summary").click()
    page.locator("#reading summary", has_text="More").click()
    page.locator("[data-key=anonymise]").check()
    expect(page.locator("#understood")).to_contain_text("A, B, C")
    settled(page)
    other = new_page()
    other.goto(page.url)
    expect(other.locator("#understood")).to_contain_text("A, B, C")
    settled(other)


def test_cases_that_cannot_be_had_are_asked_for_again(tolerant: Page, service: Service) -> None:
    problem = {"code": "busy", "severity": "error", "where": "", "message": "nobody has time", "expected": ""}
    answer_first(tolerant, "**/alignment?every=true", status=503, json={"problems": [problem]})
    opened(tolerant, service.url, seed=42, measures=MEASURES)
    give(tolerant, "letters.csv", ROWS)
    settled(tolerant)
    cell = tolerant.locator("[data-chart=confusions] .mark.opens").first
    cell.click()
    expect(tolerant.locator("#cases")).to_contain_text("nobody has time")
    expect(tolerant.locator("#cases button", has_text="Next case")).to_be_disabled()
    cell.click()
    expect(tolerant.locator("#cases[data-case='1']")).to_be_visible()
    # With other settings the unitary alignments are others: the walk ends.
    tolerant.fill("#alpha", "2")
    settled(tolerant, "alpha=2")
    expect(tolerant.locator("#cases")).to_be_hidden()
    assert "case=" not in tolerant.url
