# SPDX-License-Identifier: MIT
"""Results and alignments in a notebook: the viewer, in an iframe of its own that needs no network.

The frame is sandboxed: its script cannot read the notebook, and the notebook's styles do not apply to it. Without
scripts, the frame shows the alignment as text; without frames, the table of a result is still shown. The output is
saved with the notebook, including the text of the documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from unisono.model import Alignment, Continuum, Corpus
from unisono.report import script_json
from unisono.report.alignment_table import add_alignment, proof
from unisono.report.assets import bundle, policy, stylesheet
from unisono.report.data import ReportData
from unisono.report.notebook_tables import continuum_table, corpus_table, result_table
from unisono.report.terminal import plain
from unisono.report.text_page import Page
from unisono.report.view import view
from unisono.results import Result

#: Documents in a cell (the worst ones) and their units at most, so that a notebook stays a small file.
MOST_DOCUMENTS = 20
MOST_UNITS = 20_000
#: Longer alignments are not written out as text.
MOST_ROWS = 200


def html(shown: Result | Alignment | Corpus | Continuum) -> str:
    """The HTML of a result, an alignment, a corpus or a document for a notebook (`_repr_html_`).

    A result: its table, then the viewer with its worst documents if it still has its data (a result read from JSON has
    none). An alignment: the viewer. A corpus and a document: a table with a picture of where the units are.
    """
    if isinstance(shown, Corpus):
        return corpus_table(shown)
    if isinstance(shown, Continuum):
        return continuum_table(shown)
    if isinstance(shown, Alignment):
        page = Page()
        if len(shown) <= MOST_ROWS:
            add_alignment(page, shown.continuum.name, shown)
        else:
            page.line(f"{len(shown):,} unitary alignments, {proof(shown)}")
        return _frame([view(shown.continuum, shown, shown.dissimilarity)], str(page), "")
    documents, label = _documents(shown)
    table = f"<details><summary>As text</summary><pre>{escape(plain(shown))}</pre></details>"
    return result_table(shown) + table + (_frame(documents, "The viewer needs scripts.", label) if documents else "")


def _documents(result: Result) -> tuple[list[dict[str, Any]], str]:
    """The view data of the worst documents, and the label of the menu that chooses among them."""
    if result.corpus is None:
        return [], ""
    data = ReportData.of(result, annotators=False)
    shown: list[dict[str, Any]] = []
    units = 0
    for i in data.order[:MOST_DOCUMENTS]:
        units += result.documents[i].n_units
        if shown and units > MOST_UNITS:
            break
        shown.append(data.view(i))
    if len(shown) == len(data.order):
        return shown, "Document (worst first)"
    return shown, f"Document (the {len(shown)} worst of {len(data.order):,})"


def _frame(documents: Sequence[dict[str, Any]], text: str, label: str) -> str:
    """A frame with the viewer, about as high as its content."""
    script, style = bundle("notebook.js"), stylesheet("viewer/viewer.css", "notebook.css")
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>unisono</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script, style)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head>"
        f'<body data-label="{escape(label)}"><pre id="text">{escape(text)}</pre><div id="viewer"></div>'
        f'<script type="application/json" id="documents">{script_json(documents)}</script>'
        f"<script>{script}</script></body></html>"
    )
    annotators = max(len(document["annotators"]) for document in documents)
    has_text = any(document["text"] is not None for document in documents)
    height = min(1000, 470 + 60 * annotators + (260 if has_text else 0) + (40 if len(documents) > 1 else 0))
    return (
        f'<iframe title="unisono viewer" sandbox="allow-scripts" srcdoc="{escape(page)}" '
        f'style="width: 100%; height: {height}px; border: 0; resize: vertical; overflow: auto"></iframe>'
    )
