# SPDX-License-Identifier: MIT
"""Results, corpora and documents as small tables with pictures, for notebooks: plain HTML with styles of its own.

A notebook shows HTML without our stylesheet and without scripts: everything is written out, and colours are those that
can be read on light and on dark ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from unisono.model import Continuum, Corpus
from unisono.nouns import quantity
from unisono.report import sentences, visible
from unisono.report.notation import TYPESET, bounds, count, typeset
from unisono.report.plotting import OKABE_ITO
from unisono.results import Interval, Result

#: Rows of a table of documents, lanes of a picture, and units that are drawn.
MOST_DOCUMENTS = 12
MOST_LANES = 8
MOST_UNITS = 2_000
#: Pixels: the width of a picture, and the height of a lane in the picture of a corpus and in that of a document.
WIDTH, THIN, HIGH = 360, 4, 14
COLOURS = tuple(colour for name, colour in OKABE_ITO.items() if name != "black")
GREY = "#888888"
_CELL = "padding: .2em .8em .2em 0; text-align: left; vertical-align: middle"
_NUMBER = "padding: .2em .8em .2em 0; text-align: right; vertical-align: middle; font-variant-numeric: tabular-nums"


def result_table(result: Result) -> str:
    """Every measure with its value on its scale, its uncertainty, and what it says."""
    rows = []
    for name, value in result.measures.items():
        interval = sentences.main_interval(value)
        said = visible(value.reason or "") if value.value is None else sentences.meaning(name, value)
        rows.append([
            f"<b>{escape(sentences.symbol(name))}</b>",
            f"<b>{typeset(value.value)}</b>",
            "" if interval is None else f"{bounds(interval, TYPESET)}",
            "" if value.value is None or not sentences.is_corrected(name) else _scale(value.value, interval),
            escape(said),
        ])  # fmt: skip
    data = result.data
    head = ", ".join([
        quantity(data.documents, "document"), quantity(data.annotators, "annotator"), quantity(data.units, "unit"),
    ])  # fmt: skip
    return _table(["", "value", "interval", "chance to full agreement", ""], rows, head, numbers=(1,))


def corpus_table(corpus: Corpus) -> str:
    """The documents with their annotators and units, and where the units are."""
    colours = _colours(corpus)
    rows = [
        [
            escape(visible(continuum.name) or "(no name)"),
            count(continuum.n_annotators),
            count(continuum.n_units),
            _lanes(continuum, THIN, colours),
        ]
        for continuum in corpus[:MOST_DOCUMENTS]
    ]
    head = ", ".join([
        quantity(len(corpus), "document"), quantity(len(corpus.annotators), "annotator"),
        quantity(corpus.n_units, "unit"),
    ])  # fmt: skip
    more = len(corpus) - len(rows)
    foot = f"and {quantity(more, 'more document')}" if more else ""
    return _table(["document", "annotators", "units", ""], rows, head, numbers=(1, 2), foot=foot)


def continuum_table(continuum: Continuum) -> str:
    """The annotators with their units, as lanes; what the colours mean."""
    extent = continuum.extent
    parts = [visible(continuum.name) or "document", quantity(continuum.n_units, "unit")]
    if extent is not None:
        parts.append(f"{extent.start} to {extent.end}")
    rows = []
    colours = _colours([continuum])
    for code, name in enumerate(continuum.annotators[:MOST_LANES]):
        n_units = int(continuum.counts[code])
        rows.append([escape(visible(name)), count(n_units), _lanes(continuum, HIGH, colours, only=code)])
    more = continuum.n_annotators - len(rows)
    foot = f"and {quantity(more, 'more annotator')}" if more else ""
    keys = "".join(
        f'<span style="display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; background: {colour}">'
        f"</span>{escape(visible(label))}"
        for label, colour in colours.items()
        if colour != GREY
    )
    return _table(["annotator", "units", ""], rows, ", ".join(parts), numbers=(1,), foot=f"{foot}{keys}")


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], title: str, *, numbers: Sequence[int], foot: str = ""
) -> str:
    """A table of cells that are HTML already."""

    def line(tag: str, cells: Sequence[str]) -> str:
        styled = (f'<{tag} style="{_NUMBER if i in numbers else _CELL}">{cell}</{tag}>' for i, cell in enumerate(cells))
        return f"<tr>{''.join(styled)}</tr>"

    body = "".join(line("td", row) for row in rows)
    below = f'<p style="margin: .2em 0">{foot}</p>' if foot else ""
    return (
        f'<div><p style="margin: .2em 0">{escape(title)}</p><table style="border-collapse: collapse">'
        f"<thead>{line('th', heads)}</thead><tbody>{body}</tbody></table>{below}</div>"
    )


def _scale(value: float, interval: Interval | None) -> str:
    """A value between chance and full agreement; what is below chance is at the left end."""

    def at(x: float) -> float:
        return round(4 + 152 * min(1.0, max(0.0, x)), 1)

    parts = [f'<line x1="4" x2="156" y1="8" y2="8" stroke="{GREY}" stroke-width="1"/>']
    if interval is not None:
        first, last = at(interval.low), at(interval.high)
        parts.append(
            f'<line x1="{first}" x2="{last}" y1="8" y2="8" stroke="{OKABE_ITO["sky blue"]}" stroke-width="6"/>'
        )
    parts.append(f'<circle cx="{at(value)}" cy="8" r="4.5" fill="{OKABE_ITO["blue"]}"/>')
    return _picture(160, 16, f"{typeset(value)} between chance (0) and full agreement (1)", parts)


def _lanes(continuum: Continuum, height: int, colours: Mapping[str, str], only: int | None = None) -> str:
    """A lane for each annotator, or for one, with a box for each unit."""
    extent = continuum.extent
    if extent is None or not extent.end > extent.start:
        return ""
    codes = range(min(MOST_LANES, continuum.n_annotators)) if only is None else [only]
    scale = WIDTH / float(extent.end - extent.start)
    parts = []
    for lane, code in enumerate(codes):
        y = lane * (height + 1)
        parts.append(f'<rect x="0" y="{y}" width="{WIDTH}" height="{height}" fill="{GREY}" fill-opacity=".12"/>')
        for unit in np.flatnonzero(continuum.annotator_codes == code)[:MOST_UNITS].tolist():
            start = (float(continuum.starts[unit]) - float(extent.start)) * scale
            width = max(1.0, float(continuum.ends[unit] - continuum.starts[unit]) * scale)
            colour = colours.get(continuum[unit].category or "", GREY)
            parts.append(
                f'<rect x="{start:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="{colour}" '
                'fill-opacity=".75"/>'
            )
    words = f"where the units of {visible(continuum.name) or 'the document'} are"
    return _picture(WIDTH, len(codes) * (height + 1), words, parts)


def _colours(continua: Iterable[Continuum]) -> dict[str, str]:
    """The colours of the most frequent categories; the others are grey."""
    times: Counter[str] = Counter()
    for continuum in continua:
        codes, counts = np.unique(continuum.category_codes, return_counts=True)
        for code, n in zip(codes.tolist(), counts.tolist(), strict=True):
            if code >= 0:
                times[continuum.categories[code]] += n
    labels = sorted(times, key=lambda label: (-times[label], label))
    return {label: COLOURS[i] if i < len(COLOURS) else GREY for i, label in enumerate(labels)}


def _picture(width: int, height: int, words: str, parts: Sequence[str]) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(words)}">{"".join(parts)}</svg>'
    )
