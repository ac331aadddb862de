# SPDX-License-Identifier: MIT
"""The page as a file. Oracle: its outline, written down here; lxml; the hashes of its policy; the view data in it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import unisono
from unisono.report import page as pages
from unisono.report.data import ReportData
from unisono.report.page import page
from unisono.report.view import view

ROOT = Path(__file__).parents[3]
FAMILY = ["gamma", "gamma-cat", "gamma-k"]

OUTLINE = [
    "h1 entities",
    "h2 How far they agree",
    "h3 γ gamma",
    "h3 γcat gamma-cat",
    "h3 What the disorder is made of",
    "h2 Where they differ",
    "h2 Categories",
    "h3 Categories as a table",
    "h3 Confusions as a table",
    "h2 Annotators",
    "h3 Every two annotators",
    "h3 Every two annotators as a table",
    "h3 Each against the rest as a table",
    "h3 All but one annotator",
    "h3 Units of each annotator",
    "h2 Compared with chance",
    "h2 Every measure",
    "h2 Notes",
    "h3 Problems of the data",
    "h2 Publish",
    "h3 Sentence for the methods section",
    "h4 Markdown",
    "h4 LaTeX",
    "h3 What to cite",
    "h4 BibTeX",
    "h2 Settings",
    "h3 Signature",
]


@pytest.fixture(scope="module")
def data() -> ReportData:
    return ReportData.of(unisono.measure(unisono.read(ROOT / "examples" / "entities.csv"), FAMILY, seed=42))


@pytest.fixture(scope="module")
def text(data: ReportData) -> str:
    return page(data)


def views(text: str) -> list[dict[str, Any]]:
    """Every document in the page, in the order of its pieces."""
    packed = re.findall(r'<script type="text/plain" id="piece-\d+">([^<]+)</script>', text)
    return [each for piece in packed for each in json.loads(gzip.decompress(base64.b64decode(piece)))]


def data_of(text: str, name: str) -> dict[str, Any]:
    """The JSON in the page: documents-data or overview-data."""
    (found,) = html.fromstring(text).xpath(f"//script[@type='application/json'][@id='{name}']/text()")
    known: dict[str, Any] = json.loads(found)
    return known


def documents(text: str) -> dict[str, Any]:
    return data_of(text, "documents-data")


def test_the_outline(text: str) -> None:
    tree = html.fromstring(text)
    found = [
        f"{element.tag} {' '.join(element.text_content().split())}" for element in tree.iter("h1", "h2", "h3", "h4")
    ]
    assert found == OUTLINE


def test_links_and_names_of_elements(text: str) -> None:
    tree = html.fromstring(text)
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    for link in tree.xpath("//a/@href"):
        assert link.removeprefix("#") in ids
    for region in tree.xpath("//@aria-labelledby"):
        assert region in ids
    for button in tree.xpath("//@data-copy"):
        assert button in ids


def test_nothing_from_elsewhere(text: str) -> None:
    tree = html.fromstring(text)
    assert tree.xpath("//@src") == []
    assert [link for link in tree.xpath("//@href") if not link.startswith("#")] == ["data:,"]
    assert tree.xpath("//@style") == []
    assert [name for element in tree.iter() for name in element.attrib if name.startswith("on")] == []


def test_the_policy_names_script_and_style_by_their_hashes(text: str) -> None:
    policy = html.fromstring(text).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    for tag, opening in (("script", '<script type="module">'), ("style", "<style>")):
        inside = text.split(opening)[1].split(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")


def test_it_holds_the_view_of_every_document(data: ReportData, text: str) -> None:
    alignment = data.alignments[0]
    assert alignment is not None
    expected = view(alignment.continuum, alignment, data.result.dissimilarity)
    (shown,) = views(text)
    voted = shown.pop("gold")
    assert shown == json.loads(json.dumps(expected))
    to_look_at = unisono.gold(data.result).adjudication()
    assert sorted(voted["group"]) == sorted(unit.number - 1 for unit in to_look_at)


def test_every_chart_has_words_and_a_table(text: str) -> None:
    tree = html.fromstring(text)
    charts = tree.xpath("//*[local-name()='svg']")
    assert len(charts) == 4  # two scales, the shares, lengths; the browser draws the others
    for chart in charts:
        assert chart.get("role") == "img"
        assert len(chart.get("aria-label")) > 40
    assert tree.xpath("//section[@id='chance']//div[@id='chance-chart']")
    chance = data_of(text, "overview-data")["chance"]
    assert sum(chance["counts"]) == chance["n"] > 0


def test_a_page_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst documents are kept, and the page says how many."""
    corpus = unisono.corpus(
        {f"d{i}": {"a": [(0, 5, "A"), (8, 12, "B")], "b": [(0, 5 + i, "A"), (9, 12, "A")]} for i in range(9)}
    )
    data = ReportData.of(unisono.measure(corpus, seed=1, samples=5))
    monkeypatch.setattr(pages, "PIECE", 1)
    monkeypatch.setattr(pages, "MOST_BYTES", 1000)
    text = page(data)
    kept = [each["name"] for each in views(text)]
    assert kept == [data.result.documents[i].name for i in data.order[: len(kept)]]
    assert 0 < len(kept) < 9
    assert f"the {len(kept)} worst of 9 documents can be opened" in " ".join(text.split())
    places = documents(text)["places"]
    assert sorted(places).count([-1, -1]) == 9 - len(kept)


def test_a_corpus_nobody_can_measure_and_measures_without_chance() -> None:
    empty = unisono.measure(unisono.corpus({"d": {"a": [], "b": []}}), FAMILY, seed=1)
    assert "γ has no value here: nobody marked any unit." in page(ReportData.of(empty))
    corpus = unisono.corpus({f"d{i}": {"a": [(0, 5, "A")], "b": [(0, 5, "B")]} for i in range(3)})
    text = page(ReportData.of(unisono.measure(corpus, "all", seed=1, samples=5)))
    assert html.fromstring(text).xpath("count(//section[@id='measures']//tbody/tr)") == len(unisono.MEASURES)
    other = page(ReportData.of(unisono.measure(corpus, ["f1-exact", "alpha"], seed=1)))
    assert "chance is not taken into account" in other


def test_a_dissimilarity_that_cannot_be_taken_apart() -> None:
    own = unisono.dissimilarity.FunctionDissimilarity(
        lambda u, v: float(abs(u.start - v.start)), delta_empty=1.0, name="starts"
    )
    corpus = unisono.corpus({"d": {"a": [(0, 5)], "b": [(1, 5)]}})
    text = page(ReportData.of(unisono.measure(corpus, dissimilarity=own, seed=1, samples=5)))
    assert "What the disorder is made of" not in text
    assert views(text)[0]["alignment"]["positional"] is None


def test_lone_surrogates_in_a_text() -> None:
    """A text no encoding can write is no reason to have no report."""
    corpus = unisono.Corpus(
        (unisono.continuum({"a": [(0, 2, "\ud800")], "b": [(0, 1, "B")]}, name="d", text="a\ud800b"),)
    )
    text = page(ReportData.of(unisono.measure(corpus, FAMILY, seed=1, samples=5)))
    assert text.encode("utf-8")


def test_many_annotators_have_no_matrix(data: ReportData, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of thousands of annotators would not fit in memory. Oracle: the page with its matrix."""
    assert 'class="matrix pairs' in text
    monkeypatch.setattr(pages, "MOST_SHOWN", 2)
    without = page(data)
    assert 'class="matrix pairs' not in without
    assert "3 annotators have too many pairs for a page" in without
    assert [
        f"{e.tag} {' '.join(e.text_content().split())}" for e in html.fromstring(without).iter("h1", "h2", "h3", "h4")
    ] == OUTLINE
