# SPDX-License-Identifier: MIT
"""What notebooks show of results, corpora and documents. Oracle: the data, read back from well-formed HTML."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

import unisono
from unisono.report.notebook_tables import MOST_DOCUMENTS, MOST_LANES

NAME = "</td><script>alert(1)</script>"


@pytest.fixture
def corpus() -> unisono.Corpus:
    made: dict[str, Any] = {
        f"letter {d}": {
            name: [(10 * k, 10 * k + 5 + (k + i) % 3, "ABC"[(k + i) % 3]) for k in range(4 + d % 3)]
            for i, name in enumerate(("ann", "bob", NAME))
        }
        for d in range(15)
    }
    return unisono.corpus(made)


def test_a_corpus_is_a_table_with_pictures(corpus: unisono.Corpus) -> None:
    tree = html.fromstring(corpus._repr_html_())
    rows = tree.xpath("//tbody/tr")
    assert len(rows) == MOST_DOCUMENTS
    for row, continuum in zip(rows, corpus, strict=False):
        cells = [cell.text_content() for cell in row.xpath("td")]
        assert cells[:3] == [continuum.name, "3", str(continuum.n_units)]
        boxes = row.xpath(".//*[local-name()='rect'][@fill-opacity='.75']")
        assert len(boxes) == continuum.n_units
    assert "and 3 more documents" in tree.text_content()
    assert tree.xpath("//script") == []


def test_a_document_has_a_lane_for_each_annotator(corpus: unisono.Corpus) -> None:
    tree = html.fromstring(corpus[0]._repr_html_())
    rows = tree.xpath("//tbody/tr")
    assert [row.xpath("td")[0].text_content() for row in rows] == list(corpus[0].annotators)
    first = rows[0].xpath(".//*[local-name()='rect'][@fill-opacity='.75']")
    extent = corpus[0].extent
    assert extent is not None
    unit = corpus[0].units_of("ann")[1]
    own = rows[list(corpus[0].annotators).index("ann")].xpath(".//*[local-name()='rect'][@fill-opacity='.75']")
    place = (unit.start - extent.start) / (extent.end - extent.start) * 360
    assert float(own[1].get("x")) == pytest.approx(place, abs=0.06)
    assert len(first) > 0
    assert all(label in tree.text_content() for label in "ABC")
    crowd = unisono.continuum({f"w{i}": [(0, 5, "A")] for i in range(MOST_LANES + 4)})
    assert "and 4 more annotators" in html.fromstring(crowd._repr_html_()).text_content()


def test_a_result_shows_values_on_their_scale(corpus: unisono.Corpus) -> None:
    result = unisono.measure(corpus, ["gamma", "gamma-cat"], seed=1, samples=5)
    shown = result._repr_html_()
    tree = html.fromstring(shown.split("<iframe")[0])
    values = [row.xpath("td")[1].text_content() for row in tree.xpath("//tbody/tr")]
    assert values == [f"{result[name].value:.3f}".replace("-", "−") for name in ("gamma", "gamma-cat")]
    assert len(tree.xpath("//*[local-name()='circle']")) == 2
    assert unisono.continuum({"a": [], "b": []})._repr_html_().startswith("<div>")
