# SPDX-License-Identifier: MIT
"""The report as one HTML file: works from disk, asks the network for nothing, runs no script but its own.

Text goes through the template's escaping; data for the scripts stand in blocks of JSON that no character can leave;
documents wait in compressed pieces until somebody opens them. A content security policy names the scripts and the
style by their hashes: whatever else a name or a text might smuggle in would not run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from unisono.dissimilarity import CombinedDissimilarity, Nominal
from unisono.measures import MEASURES
from unisono.model import CATEGORY
from unisono.report import alike, assets, counted, visible, words
from unisono.report.charts import bins, histogram, lengths_chart, scale_chart, shares_chart
from unisono.report.data import Confusion, ReportData
from unisono.report.view import view
from unisono.results import MeasureValue, Result

#: Bytes of the documents in a page, compressed and as text: with the rest the page stays below 20 MB.
MOST_BYTES = 15_000_000
#: Bytes of JSON that are compressed together: small pieces open quickly, large ones are packed better.
PIECE = 200_000
#: A label in a table is cut after this many characters; the viewer has it whole.
LONGEST_LABEL = 120
#: Annotators in the matrix of pairs.
MOST_SHOWN = 500


def write_report(
    result: Result, path: str | os.PathLike[str], *, text: bool = True, annotators: bool | None = None
) -> None:
    """Write a result as one self-contained HTML page.

    text: whether the texts of the documents are shown; without them the page has positions and categories only.
    annotators: whether every two annotators and everybody but one are measured for it, by default if that takes
    little time. A result without its corpus (read from JSON) is a ParameterError that says how to get one.
    """
    Path(path).write_text(
        page(ReportData.of(result, text=text, annotators=annotators)), encoding="utf-8", errors="replace"
    )


def page(data: ReportData) -> str:
    """The page as HTML."""
    import jinja2  # here, because only pages need it

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_own), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    environment.filters |= {
        "label": label,
        "number": words.number,
        "widest": words.widest,
        "count": _count,
        "safe_json": _safe_json,
    }
    script = _own("page.js").replace("/*VIEWER*/", assets.bundle())
    style = _own("page.css") + "\n" + assets.stylesheet()
    pieces = _Pieces.of(data)
    return environment.get_template("page.html").render(
        policy=_policy(script, style),
        script=_Markup(script),
        style=_Markup(style),
        pieces=pieces.texts,
        documents_data=_documents(data, pieces.place),
        **_sections(data, pieces),
    )


def label(name: str | None) -> str:
    """A name for a table: control characters written out, cut where it would break the page."""
    if name is None:
        return "(no category)"
    shown = visible(name)
    return shown if len(shown) <= LONGEST_LABEL else shown[:LONGEST_LABEL] + "…"


class _Markup(str):
    """Our own script or style: goes into the page as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def _own(name: str) -> str:
    return (resources.files("unisono.report") / "templates" / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    def digest(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _safe_json(data: Any) -> _Markup:
    """JSON that can stand in a script element: no character of it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return _Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The documents' views, compressed, several to a piece; `place[i]` is (piece, number in it) of document i."""

    texts: list[str]
    place: dict[int, tuple[int, int]]

    @classmethod
    def of(cls, data: ReportData) -> _Pieces:
        """The worst documents first, until the page is full."""
        pieces = cls([], {})
        waiting: list[str] = []
        size = written = 0
        for i in data.order:
            waiting.append(
                json.dumps(document_view(data, i), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            )
            pieces.place[i] = len(pieces.texts), len(waiting) - 1
            size += len(waiting[-1])
            if size >= PIECE:
                written += pieces._close(waiting)
                waiting, size = [], 0
                if written > MOST_BYTES:
                    break
        if waiting:
            pieces._close(waiting)
        return pieces

    def _close(self, waiting: list[str]) -> int:
        joined = f"[{','.join(waiting)}]".encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        packed = base64.b64encode(gzip.compress(joined.encode(), 6, mtime=0)).decode()
        self.texts.append(packed)
        return len(packed)


def document_view(data: ReportData, i: int) -> dict[str, Any]:
    """One document for the viewer; the parts of its disorders are those of the details, wherever they come from."""
    alignment, parts = data.alignments[i], data.details.parts[i]
    continuum = data.corpus[i] if alignment is None else alignment.continuum
    shown = view(continuum, alignment, None, text=data.has_text)
    feature = data.details.feature
    if feature != CATEGORY:
        # The viewer shows the labels that a dissimilarity compares; a loaded result has none, but knows the feature.
        labels = view(continuum, None, CombinedDissimilarity(categorial=Nominal(feature=feature)), text=False)
        shown["categories"], shown["units"] = labels["categories"], labels["units"]
    if alignment is not None:
        shown["alignment"]["delta_empty"] = data.result.parameters.get("delta_empty")
        for name in ("positional", "categorial", "empty"):
            column = None if parts is None else getattr(parts, name)
            shown["alignment"][name] = None if column is None else column.tolist()
    return shown


def _documents(data: ReportData, place: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    """The table of documents, as columns: the script sorts and shows it, whatever its length."""
    documents = data.result.documents
    columns = []
    for name in data.result.measures:
        values = [document[name].value for document in documents]
        if any(value is not None for value in values) or name == data.main:
            columns.append({"name": name, "symbol": words.symbol(name), "values": list(map(_rounded, values))})
    main = [document[data.main] for document in documents]
    return {
        "names": [label(document.name) or "(no name)" for document in documents],
        "annotators": [len(document.annotators) for document in documents],
        "units": [document.n_units for document in documents],
        "observed": [_rounded(value.observed) for value in main],
        "expected": [_rounded(value.expected) for value in main],
        "measures": columns,
        "main": data.main,
        "reasons": {str(i): visible(value.reason or "") for i, value in enumerate(main) if value.value is None},
        "notes": {str(i): [visible(note) for note in value.notes] for i, value in enumerate(main) if value.notes},
        "order": data.order,
        "places": [list(place.get(i, (-1, -1))) for i in range(len(documents))],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def _sections(data: ReportData, pieces: _Pieces) -> dict[str, Any]:
    """What the template needs, in the order of the page."""
    result = data.result
    chance = data.chance
    shown_chance = None
    if chance is not None:
        counts, edges = bins(chance)
        rows = list(zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True))
        below = int((chance.disorders <= chance.observed).sum())
        shown_chance = {"svg": _Markup(histogram(chance)), "rows": rows, "n": len(chance.disorders), "below": below,
                        "documents": chance.documents}  # fmt: skip
    with_text = sum(continuum.text is not None for continuum in data.corpus)
    return {
        "version": result.version,
        "title": _title(data),
        "summary": [
            counted(result.data.documents, "document"),
            counted(result.data.annotators, "annotator"),
            counted(result.data.units, "unit"),
        ],
        "headlines": [_headline(name, value) for name, value in result.measures.items() if _is_headline(result, name)],
        "shares": _shares(data.shares),
        "no_threshold": words.NO_THRESHOLD,
        "several": len(result.documents) > 1,
        "n_documents": len(result.documents),
        "n_drawn": len(pieces.place),
        "text_left_out": with_text if not data.has_text else 0,
        "main_symbol": words.symbol(data.main),
        "measures": [_measure_row(name, value) for name, value in result.measures.items()],
        "categories": data.categories,
        "has_categories": any(row.label is not None for row in data.categories),
        "gamma_k": "gamma-k" in result.measures,
        "confusion": _confusion(data.confusion),
        "annotators": data.annotators,
        "lengths": _Markup(lengths_chart(data.annotators[:60])),
        "tables": _annotator_tables(data),
        "tables_reason": data.details.annotators_reason,
        "chance": shown_chance,
        "problems": [{"severity": p.severity, "code": p.code, "text": visible(str(p))} for p in result.problems[:200]],
        "n_problems": len(result.problems),
        "notes": _notes(result),
        "methods": words.methods(result),
        "bibtex": words.bibliography(result),
        "signature": visible(result.signature),
        "sha256": result.data.sha256,
        "parameters": [
            (key, visible(", ".join(map(str, value)) if isinstance(value, list) else str(value)))
            for key, value in result.parameters.items()
            if value is not None
        ],
        "seed": result.seed,
    }


def _shares(shares: tuple[float, float, float] | None) -> dict[str, Any] | None:
    """What the disorder is made of, drawn and in words."""
    if shares is None:
        return None
    names = ("position", "category", "missing")
    said = (
        "units that mark the same thing begin or end elsewhere",
        "units that mark the same thing have other categories",
        "units that somebody did not mark",
    )
    rows = [
        {"name": name, "share": words.percentage(share), "said": text}
        for name, share, text in zip(names, shares, said, strict=True)
    ]
    return {"svg": _Markup(shares_chart(shares, names)), "rows": rows}


def _title(data: ReportData) -> str:
    names = [continuum.name for continuum in data.corpus]
    return label(names[0]) if len(names) == 1 and names[0] else "Agreement of the annotators"


def _is_headline(result: Result, name: str) -> bool:
    """The γ family, or the first three measures where it was not asked for."""
    family = [each for each in result.measures if each in ("gamma", "gamma-cat", "soft-gamma")]
    return name in (family or list(result.measures)[:3])


def _headline(name: str, value: MeasureValue) -> dict[str, Any]:
    return {
        "name": name,
        "symbol": words.symbol(name),
        "value": words.number(value.value, 2 if value.value is not None else 3),
        "scale": "" if name in words.WITHOUT_CHANCE else _Markup(scale_chart(words.symbol(name), value)),
        "meaning": words.meaning(name, value),
        "certainty": words.certainty(value),
        "documents": value.documents_measured,
        "mean": value.mean_over_documents,
        "proven": value.is_proven,
        "gap": value.gap or 0.0,
        "explanation": MEASURES[name].explanation if name in MEASURES else "",
    }


def _measure_row(name: str, value: MeasureValue) -> dict[str, Any]:
    lowest = None
    if value.per_category:
        defined = {category: each.value for category, each in value.per_category.items() if each.value is not None}
        if defined:
            worst = min(defined, key=lambda category: defined[category])
            lowest = f"lowest: {label(worst)} {words.number(defined[worst])}"
    return {
        "name": name,
        "symbol": words.symbol(name),
        "value": value,
        "intervals": words.certainty(value),
        "remark": "; ".join(filter(None, [visible(value.reason or ""), lowest or ""])),
        "explanation": MEASURES[name].explanation if name in MEASURES else "",
    }


def _confusion(found: Confusion | None) -> dict[str, Any] | None:
    if found is None:
        return None
    names = [label(each) for each in found.labels]
    if found.n_rare:
        names.append(f"({counted(found.n_rare, 'rarer category', 'rarer categories')})")
    in_pairs = found.pairs.sum(axis=1)
    rows = []
    for i, name in enumerate(names):
        total = int(in_pairs[i]) or 1
        cells = [
            {"count": int(n), "level": _level(int(n) / total), "same": i == j} for j, n in enumerate(found.pairs[i])
        ]
        missing = int(found.missing[i])
        rows.append(
            {
                "name": name,
                "cells": cells,
                "missing": missing,
                "missing_level": _level(missing / (int(in_pairs[i]) + missing or 1)),
            }
        )
    worst = [
        {"first": names[i], "second": names[j], "count": n, "share": words.percentage(n / max(1, found.total))}
        for i, j, n in found.worst()
        if j < len(found.labels)
    ]
    return {"names": names, "rows": rows, "worst": worst, "total": found.total, "missing": int(found.missing.sum())}


def _level(share: float) -> int:
    """Which of ten shades a cell gets: 0 for nothing."""
    return 0 if share <= 0 else 1 + min(8, int(share * 9))


def _annotator_tables(data: ReportData) -> dict[str, Any] | None:
    """The matrix of pairs, each against the rest, everybody but one."""
    found = data.details.annotators
    if found is None:
        return None
    names = found["annotators"]
    place = {name: i for i, name in enumerate(names)}
    matrix: list[list[dict[str, Any] | None]] = [[None] * len(names) for _ in names]
    values = [pair["value"] for pair in found["pairs"] if pair["value"] is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    for pair in found["pairs"]:
        i, j = place[pair["annotators"][0]], place[pair["annotators"][1]]
        value = pair["value"]
        share = 0.5 if value is None or high == low else (value - low) / (high - low)
        cell = {
            "value": value,
            "level": 0 if value is None else 1 + round(8 * share),
            "documents": pair["documents_measured"],
            "reason": pair["reason"],
        }
        matrix[i][j] = matrix[j][i] = cell
    rest, left = (
        sorted(found[table], key=lambda row: (row[by] is None, -(row[by] or 0.0), row["annotator"]))
        for table, by in (("against_rest", "gap"), ("leave_one_out", "gain"))
    )
    outlier = next((row for row in rest if row["annotator"] == found["outlier"]), None)
    return {
        "symbol": words.symbol(found["measure"]),
        "names": names,
        "matrix": matrix,
        "rest": rest,
        "left_out": left,
        "left_out_reason": found["leave_one_out_reason"],
        "outlier": outlier,
        "is_shown": len(names) >= 2,
    }


def _notes(result: Result) -> list[dict[str, Any]]:
    """What the measures noticed; notes that differ only by their numbers once, with how many documents they concern."""
    found = []
    for name, overall in result.measures.items():
        kinds: dict[str, tuple[str, set[str]]] = {}
        for where, value in [("", overall), *((document.name, document[name]) for document in result.documents)]:
            for note in value.notes:
                kinds.setdefault(alike(note), (note, set()))[1].add(where)
        for note, names in kinds.values():
            documents = sorted(names - {""})
            found.append({
                "symbol": words.symbol(name),
                "text": visible(note),
                "documents": [label(each) for each in documents[:5]] if len(result.documents) > 1 else [],
                "more": max(0, len(documents) - 5) if len(result.documents) > 1 else 0,
            })  # fmt: skip
    return found
