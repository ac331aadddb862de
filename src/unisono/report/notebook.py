# SPDX-License-Identifier: MIT
"""Results and alignments in a notebook: the viewer, in a frame of its own that needs no network.

The frame is sandboxed: its script sees nothing of the notebook, and the notebook's styles do not reach it. Where
scripts do not run, the frame shows the alignment as text; where frames are not shown, the table of a result stands.
What is shown is saved with the notebook, the text of the documents included.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from unisono.model import Alignment
from unisono.report.alignment_table import add_alignment, proof
from unisono.report.assets import bundle, stylesheet
from unisono.report.data import ReportData
from unisono.report.page import document_view
from unisono.report.terminal import Page, plain
from unisono.report.view import view
from unisono.results import Result

#: So many documents go into a cell, the worst ones, and no more units than this: a notebook must stay a small file.
MOST_DOCUMENTS = 20
MOST_UNITS = 20_000
#: Longer alignments are not written out as text.
MOST_ROWS = 200

_SCRIPT = """
const documents = JSON.parse(document.getElementById("documents").textContent);
const host = document.getElementById("viewer");
const categories = [...new Set(documents.flatMap((one) => one.categories))].sort();
document.getElementById("text").remove();
if (documents.length > 1) {
  const choice = document.createElement("select");
  documents.forEach((one, i) => choice.append(new Option(one.name || `document ${i + 1}`, i)));
  const label = document.createElement("label");
  label.append(document.body.dataset.label, " ", choice);
  host.before(label);
  choice.addEventListener("change", () => viewer.show(documents[choice.value]));
}
const viewer = unisonoViewer.mountViewer(host, documents[0], { categories });
"""
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 0.5rem; background: light-dark(#ffffff, #14181e); color: light-dark(#18202b, #e8ecf1); }
body > label { display: block; margin-bottom: 0.5rem; font: 0.9375rem/1.5 system-ui, sans-serif; }
body > label select { max-width: 100%; padding: 0.2rem 0.5rem; font: inherit; }
pre { font-size: 0.8125rem; }
"""


def html(shown: Result | Alignment) -> str:
    """What `_repr_html_` of a result and of an alignment gives.

    A result: its table, then the viewer with its worst documents, where it still has its data (a result read from JSON
    has none). An alignment: the viewer.
    """
    if isinstance(shown, Alignment):
        page = Page()
        if len(shown) <= MOST_ROWS:
            add_alignment(page, shown.continuum.name, shown)
        else:
            page.line(f"{len(shown):,} unitary alignments, {proof(shown)}")
        return _frame([view(shown.continuum, shown, shown.dissimilarity)], str(page), "")
    table = plain(shown)
    documents, label = _documents(shown)
    before = f'<pre style="overflow-x: auto">{escape(table)}</pre>'
    return before + (_frame(documents, "The viewer needs scripts.", label) if documents else "")


def _documents(result: Result) -> tuple[list[dict[str, Any]], str]:
    """The view data of the worst documents, and what to call the choice among them."""
    if result.corpus is None:
        return [], ""
    data = ReportData.of(result, annotators=False)
    shown: list[dict[str, Any]] = []
    units = 0
    for i in data.order[:MOST_DOCUMENTS]:
        units += result.documents[i].n_units
        if shown and units > MOST_UNITS:
            break
        shown.append(document_view(data, i))
    if len(shown) == len(data.order):
        return shown, "Document (worst first)"
    return shown, f"Document (the {len(shown)} worst of {len(data.order):,})"


def _frame(documents: Sequence[dict[str, Any]], text: str, label: str) -> str:
    """A frame with the viewer in it, about as high as what it shows."""
    # Of all characters only "<" can end a script element.
    data = json.dumps(documents, allow_nan=False).replace("<", "\\u003c")
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>unisono</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{stylesheet()}{_STYLE}</style></head>"
        f'<body data-label="{escape(label)}"><pre id="text">{escape(text)}</pre><div id="viewer"></div>'
        f'<script type="application/json" id="documents">{data}</script>'
        f"<script>{bundle()}{_SCRIPT}</script></body></html>"
    )
    annotators = max(len(document["annotators"]) for document in documents)
    has_text = any(document["text"] is not None for document in documents)
    height = min(1000, 470 + 60 * annotators + (260 if has_text else 0) + (40 if len(documents) > 1 else 0))
    return (
        f'<iframe title="unisono viewer" sandbox="allow-scripts" srcdoc="{escape(page)}" '
        f'style="width: 100%; height: {height}px; border: 0; resize: vertical; overflow: auto"></iframe>'
    )
