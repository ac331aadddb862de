# SPDX-License-Identifier: MIT
"""The report as one HTML file: works from disk, asks the network for nothing, runs no script but its own.

The template escapes all text. Data for the scripts are blocks of JSON in which `<`, `>` and `&` are escaped. Documents
are compressed and only unpacked when they are opened. A content security policy lists the hashes of our own scripts and
style: a script injected through a name or a text would not run.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

from unisono.diagnosis.explanation import Progress, explain_anonymous
from unisono.diagnosis.explanation import explain as explain_result
from unisono.diagnosis.explanation_work import is_quick_to_explain
from unisono.errors import show_settings
from unisono.measures import MEASURES
from unisono.nouns import quantity
from unisono.report import NO_CATEGORY, assets, script_json, sentences, visible, without_numbers
from unisono.report.anonymous_result import anonymise_result
from unisono.report.chart_numbers import overview
from unisono.report.charts import lengths_chart, scale_chart, shares_chart
from unisono.report.data import AnnotatorRow, Confusion, ReportData
from unisono.report.notation import TYPESET, count, percentage, plus_minus, typeset
from unisono.report.ranking import FEW_UNITS, rank_categories
from unisono.report.sensitivity_rows import sensitivity_rows
from unisono.results import TEXT_MEASURE, MeasureValue, Result
from unisono.whole_files import write_whole

if TYPE_CHECKING:
    from jinja2 import Environment

    from unisono.diagnosis.explanation import Explanation

#: Bytes of the documents in a page, compressed and as text: with the rest the page stays below 20 MB.
MOST_BYTES = 15_000_000
#: Bytes of JSON compressed together: small pieces open quickly, large ones compress better.
PIECE = 200_000
#: A label in a table is cut after this many characters; the viewer has it whole.
LONGEST_LABEL = 120
#: With more annotators the matrix of pairs is left out: it would have more cells than a page can hold.
MOST_SHOWN = 100


def write_report(
    result: Result,
    path: str | os.PathLike[str],
    *,
    text: bool = True,
    annotators: bool | None = None,
    anonymise: bool = False,
    explain: bool | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a result as one self-contained HTML page.

    text: whether the texts of the documents are shown; without them the page has positions and categories only.
    annotators: whether to measure every two annotators and all but one for it; by default only if that takes little
    time. anonymise: letters instead of the annotators' names, as `anonymise_result` gives them; numbers are the same.
    explain: whether to add error equivalents and what-if, for which it is measured again; by default only if that takes
    little time; `progress` is called as (steps done, steps in all, the next one) meanwhile. A result without its corpus
    (read from JSON) raises a ParameterError.
    """
    named = result
    if anonymise:
        result, _ = anonymise_result(result, annotators=annotators)
    data = ReportData.of(result, text=text, annotators=annotators)
    if explain is None:
        explain = is_quick_to_explain(data.corpus)
    explanation = None
    if explain:
        if anonymise:
            explanation = explain_anonymous(result, named, progress=progress)
        else:
            explanation = explain_result(result, progress=progress)
    write_page(path, data, explanation)


def write_page(path: str | os.PathLike[str], data: ReportData, explanation: Explanation | None) -> None:
    """Write the page to a file."""
    write_whole(path, page(data, explanation).encode(errors="replace"))


def environment() -> Environment:
    """The templates of pages, with the filters that they use; all text is escaped."""
    import jinja2  # here, because only pages need it

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(_read_template), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    made.filters |= {
        "label": label,
        "number": typeset,
        "main_interval": sentences.main_interval,
        "computation_error": lambda value: plus_minus(sentences.computation_error(value), TYPESET),
        "count": partial(count, notation=TYPESET),
        "safe_json": lambda data: Markup(script_json(data)),
    }
    return made


def page(data: ReportData, explanation: Explanation | None = None) -> str:
    """The page as HTML; with an explanation, its error equivalents and what-if are on the first screen."""
    script = assets.bundle("report.js")
    style = assets.stylesheet("shared.css", "viewer/viewer.css")
    pieces = _Pieces.of(data)
    return (
        environment()
        .get_template("page.html")
        .render(
            policy=assets.policy(script, style),
            script=Markup(script),
            style=Markup(style),
            pieces=pieces.texts,
            documents_data=_documents(data, pieces.place),
            overview=overview(data, explanation),
            **_sections(data, pieces),
        )
    )


def label(name: str | None) -> str:
    """A name for a table: control characters escaped, long names cut."""
    if name is None:
        return NO_CATEGORY
    shown = visible(name)
    return shown if len(shown) <= LONGEST_LABEL else shown[:LONGEST_LABEL] + "…"


class Markup(str):
    """A script or style of our own, which the template does not escape."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def _read_template(name: str) -> str:
    return (resources.files("unisono.report") / "templates" / name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The documents' views, compressed, several to a piece; `place[i]` is (piece, number in it) of document i."""

    texts: list[str]
    place: dict[int, tuple[int, int]]

    @classmethod
    def of(cls, data: ReportData) -> _Pieces:
        """The worst documents first, until the page reaches its size limit."""
        pieces = cls([], {})
        waiting: list[str] = []
        size = written = 0
        for i in data.order:
            waiting.append(json.dumps(data.view(i), ensure_ascii=False, separators=(",", ":"), allow_nan=False))
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


def _documents(data: ReportData, place: Mapping[int, tuple[int, int]]) -> dict[str, Any]:
    """The table of documents as columns; the script sorts and shows it."""
    documents = data.result.documents
    columns = []
    for name in data.result.measures:
        values = [document[name].value for document in documents]
        if any(value is not None for value in values) or name == data.main:
            columns.append({"name": name, "symbol": sentences.symbol(name), "values": list(map(_round, values))})
    main = [document[data.main] for document in documents]
    return {
        "names": [label(document.name) or "(no name)" for document in documents],
        # Names that are shown cut or escaped: findings and addresses use the original name.
        "full_names": {str(i): each.name for i, each in enumerate(documents) if each.name != label(each.name)},
        "annotators": [len(document.annotators) for document in documents],
        "units": [document.n_units for document in documents],
        "observed": [_round(value.observed) for value in main],
        "expected": [_round(value.expected) for value in main],
        "contributions": [_round(value.contribution) for value in main],
        "few_units": FEW_UNITS,
        "measures": columns,
        "main": data.main,
        "total": _total(data),
        "reasons": {str(i): visible(value.reason or "") for i, value in enumerate(main) if value.value is None},
        "notes": {str(i): [visible(note) for note in value.notes] for i, value in enumerate(main) if value.notes},
        "order": data.order,
        "places": [list(place.get(i, (-1, -1))) for i in range(len(documents))],
    }


def _total(data: ReportData) -> dict[str, Any]:
    """The last row of the table of documents: all of them together."""
    main = data.result[data.main]
    return {
        "values": {name: _round(value.value) for name, value in data.result.measures.items()},
        "observed": _round(main.observed),
        "expected": _round(main.expected),
        "annotators": data.result.data.annotators,
        "units": data.result.data.units,
    }


def _sum(counts: Iterable[int | None]) -> int | None:
    """The sum; None where a count is unknown."""
    known = list(counts)
    return None if None in known else sum(filter(None, known))


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def _sections(data: ReportData, pieces: _Pieces) -> dict[str, Any]:
    """The values that the template shows, in the order of the page."""
    result = data.result
    with_text = sum(continuum.text is not None for continuum in data.corpus)
    return {
        "version": result.version,
        "title": _title(data),
        "summary": [
            quantity(result.data.documents, "document"),
            quantity(result.data.annotators, "annotator"),
            quantity(result.data.units, "unit"),
            *(["no categories: positions only"] if result.has_only_positions else []),
        ],
        "headlines": [_headline(name, value) for name, value in result.measures.items() if _is_headline(result, name)],
        "shares": _shares(data.shares),
        "versions_only": list(result.measures) == [TEXT_MEASURE],
        "no_threshold": sentences.NO_THRESHOLD,
        "cautions": [visible(show_settings(caution.sentence)) for caution in result.cautions],
        "sensitivity": sensitivity_rows(result),
        "sensitivity_meaning": sentences.SENSITIVITY,
        "several": len(result.documents) > 1,
        "n_documents": len(result.documents),
        "n_drawn": len(pieces.place),
        "text_left_out": with_text if not data.has_text else 0,
        "main_symbol": sentences.symbol(data.main),
        "measures": [_measure_row(name, value) for name, value in result.measures.items()],
        "categories": data.categories,
        "has_categories": any(row.label is not None for row in data.categories),
        "gamma_k": "gamma-k" in result.measures,
        "interval_header": sentences.interval_header(row.value for row in data.categories if row.value),
        "confusion": _confusion(data.confusion),
        "annotators": _by_contribution(data),
        "alone": _sum(row.alone for row in data.annotators),
        "lengths": Markup(lengths_chart(data.annotators[:60])),
        "tables": _annotator_tables(data),
        "tables_reason": data.details.annotators_reason,
        "chance": data.chance is not None,
        "problems": [{"severity": p.severity, "code": p.code, "text": visible(str(p))} for p in result.problems[:200]],
        "n_problems": len(result.problems),
        "notes": _notes(result),
        "methods": sentences.methods(result),
        "bibtex": sentences.bibliography(result),
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
    """The shares of the disorder: the chart and its rows."""
    if shares is None:
        return None
    explanations = {
        "position": "aligned units begin or end at different positions",
        "category": "aligned units have different categories",
        "missing": "an annotator did not mark the unit",
    }
    names = tuple(explanations)
    rows = [
        {"name": name, "share": percentage(share), "said": explanations[name]}
        for name, share in zip(names, shares, strict=True)
    ]
    return {"svg": Markup(shares_chart(shares, names)), "rows": rows}


def _title(data: ReportData) -> str:
    names = [continuum.name for continuum in data.corpus]
    return label(names[0]) if len(names) == 1 and names[0] else "Agreement of the annotators"


def _is_headline(result: Result, name: str) -> bool:
    """Whether a measure is among the headlines: the γ family, or else the first three measures."""
    family = [each for each in result.measures if each in ("gamma", "gamma-cat", "soft-gamma")]
    return name in (family or list(result.measures)[:3])


def _headline(name: str, value: MeasureValue) -> dict[str, Any]:
    return {
        "name": name,
        "symbol": sentences.symbol(name),
        "value": typeset(value.value, 2 if value.value is not None else 3),
        "scale": Markup(scale_chart(sentences.symbol(name), value)) if sentences.is_corrected(name) else "",
        "meaning": sentences.meaning(name, value),
        "interval": _interval_words(value),
        "certainty": sentences.certainty(value),
        "documents": value.documents_measured,
        "mean": value.mean_over_documents,
        "proven": value.is_proven,
        "open": "" if value.is_proven else sentences.not_proven(name, value),
        "alarming": sentences.is_alarming(value),
        "explanation": MEASURES[name].explanation if name in MEASURES else "",
    }


def _interval_words(value: MeasureValue) -> str:
    """The main interval as it stands beside the value; empty if there is none."""
    interval = sentences.main_interval(value)
    if value.value is None or interval is None:
        return ""
    return f"{typeset(interval.low)} to {typeset(interval.high)} {sentences.OVER[interval.kind]}"


def _measure_row(name: str, value: MeasureValue) -> dict[str, Any]:
    lowest = None
    if value.per_category:
        defined = {category: each.value for category, each in value.per_category.items() if each.value is not None}
        if defined:
            worst = rank_categories(value.per_category, {})[0]
            lowest = f"worst: {label(worst)} {typeset(defined[worst])}"
    return {
        "name": name,
        "symbol": sentences.symbol(name),
        "value": value,
        "intervals": sentences.certainty_parts(value),
        "remark": "; ".join(filter(None, [visible(value.reason or ""), lowest or ""])),
        "explanation": MEASURES[name].explanation if name in MEASURES else "",
    }


def _confusion(confusion: Confusion | None) -> dict[str, Any] | None:
    if confusion is None:
        return None
    names = [label(each) for each in confusion.labels]
    if confusion.n_rare:
        names.append(f"({quantity(confusion.n_rare, 'rarer category', 'rarer categories')})")
    in_pairs = confusion.pairs.sum(axis=1)
    rows = []
    for i, name in enumerate(names):
        total = int(in_pairs[i]) or 1
        cells = [
            {"count": int(n), "level": _level(int(n) / total), "same": i == j} for j, n in enumerate(confusion.pairs[i])
        ]
        missing = int(confusion.missing[i])
        rows.append(
            {
                "name": name,
                "cells": cells,
                "missing": missing,
                "missing_level": _level(missing / (int(in_pairs[i]) + missing or 1)),
            }
        )
    worst = [
        {"first": names[i], "second": names[j], "count": n, "share": percentage(n / max(1, confusion.total))}
        for i, j, n in confusion.worst()
        if j < len(confusion.labels)
    ]
    total, missing = confusion.total, int(confusion.missing.sum())
    return {"names": names, "rows": rows, "worst": worst, "total": total, "missing": missing}


def _level(share: float) -> int:
    """Which of ten shades a cell gets; 0 for an empty cell."""
    return 0 if share <= 0 else 1 + min(8, int(share * 9))


def _by_contribution(data: ReportData) -> list[AnnotatorRow]:
    """The annotators, those who contribute most to the disorder first, where that is known."""
    rest = () if data.details.annotators is None else data.details.annotators["against_rest"]
    cost = {row["annotator"]: -(row.get("contribution") or 0.0) for row in rest}
    return sorted(data.annotators, key=lambda row: (cost.get(row.name, 0.0), row.name))


def _annotator_tables(data: ReportData) -> dict[str, Any] | None:
    """The matrix of pairs, each against the rest, all but one."""
    tables = data.details.annotators
    if tables is None:
        return None
    names = tables["annotators"]
    rest, left = (
        sorted(tables[table], key=lambda row: (row.get(by) is None, -(row.get(by) or 0.0), row["annotator"]))
        for table, by in (("against_rest", "contribution"), ("leave_one_out", "gain"))
    )
    outlier = next((row for row in rest if row["annotator"] == tables["outlier"]), None)
    return {
        "symbol": sentences.symbol(tables["measure"]),
        "names": names,
        "matrix": _matrix(names, tables["pairs"]) if len(names) <= MOST_SHOWN else None,
        "rest": rest,
        "left_out": left,
        "left_out_reason": tables["leave_one_out_reason"],
        "outlier": outlier,
        "is_shown": len(names) >= 2,
    }


def _matrix(names: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> list[list[dict[str, Any] | None]]:
    """The values of every two annotators as a square, each with one of nine shades; None where there is no value."""
    place = {name: i for i, name in enumerate(names)}
    matrix: list[list[dict[str, Any] | None]] = [[None] * len(names) for _ in names]
    values = [pair["value"] for pair in pairs if pair["value"] is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    for pair in pairs:
        i, j = place[pair["annotators"][0]], place[pair["annotators"][1]]
        value = pair["value"]
        share = 0.5 if value is None or high == low else (value - low) / (high - low)
        matrix[i][j] = matrix[j][i] = {"value": value, "level": 0 if value is None else 1 + round(8 * share)}
    return matrix


def _notes(result: Result) -> list[dict[str, Any]]:
    """The notes of the measures; those that differ only in their numbers are shown once, with their documents."""
    shown = []
    for name, overall in result.measures.items():
        kinds: dict[str, tuple[str, set[str]]] = {}
        for where, value in [("", overall), *((document.name, document[name]) for document in result.documents)]:
            for note in value.notes:
                kinds.setdefault(without_numbers(note), (note, set()))[1].add(where)
        for note, names in kinds.values():
            documents = sorted(names - {""})
            shown.append({
                "symbol": sentences.symbol(name),
                "text": visible(note),
                "documents": [label(each) for each in documents[:5]] if len(result.documents) > 1 else [],
                "more": max(0, len(documents) - 5) if len(result.documents) > 1 else 0,
            })  # fmt: skip
    return shown
