# SPDX-License-Identifier: MIT
"""`unisono align`: which units are held to mark the same thing."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.options import Comparing, Json, Limits, Reading
from unisono.cli.reading import read
from unisono.cli.run import FINE, LIMIT, command, emit, page, say, usage
from unisono.errors import CorpusError, Problem
from unisono.report import by_reason

if TYPE_CHECKING:
    from unisono import Alignment, Corpus, Unit

#: Version of the JSON that `align` prints. 1: the first.
SCHEMA = 1


@command
def align(
    *,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    json: Json = False,
    comparing: Comparing,
    limits: Limits,
    reading: Reading,
) -> int:
    """Find the best alignment: which units of the annotators are held to mark the same thing.

    Prints one row for each unitary alignment, with the unit of each annotator or - for none, and the proof that no
    alignment has less disorder.

    Exit codes: 0 fine; 1 the data cannot be read or aligned; 2 wrong usage; 3 a limit was reached; 130 interrupted.
    """
    import unisono

    if as_csv and json:
        usage("--csv and --json exclude each other")
    dissimilarity = comparing.dissimilarity()
    time_limit, memory_limit = limits.checked()
    corpus = read(reading)
    fitted = dissimilarity.fitted(corpus)
    alignments: dict[str, Alignment] = {}
    refused: list[Problem] = []
    for continuum in corpus:
        try:
            alignments[continuum.name] = unisono.best_alignment(
                continuum, fitted, time_limit=time_limit, memory_limit=memory_limit
            )
        except CorpusError as error:
            refused += error.problems
    if not alignments:
        raise CorpusError(refused)
    for line in by_reason((problem.where, f"needs {problem.expected}") for problem in refused):
        say(f"not aligned: {line}")
    emit(_shown(corpus, fitted.signature, alignments, as_csv=as_csv, as_json=json))
    unproven = [name for name, alignment in alignments.items() if alignment.gap > 0]
    if unproven:
        say(f"unisono: a limit stopped the search: NOT PROVEN to be the best: {', '.join(unproven)}")
    return LIMIT if unproven else FINE


def _shown(corpus: Corpus, signature: str, alignments: dict[str, Alignment], *, as_csv: bool, as_json: bool) -> str:
    if as_json:
        from unisono.report import json_text

        return json_text(_as_dict(corpus, signature, alignments))
    if as_csv:
        return _as_csv(alignments)
    from unisono.report.terminal import add_alignment

    sheet = page()
    for name, alignment in alignments.items():
        add_alignment(sheet, name, alignment)
    return str(sheet)


def _as_csv(alignments: dict[str, Alignment]) -> str:
    from unisono.report import visible
    from unisono.report.terminal import unit_text

    annotators = sorted({name for alignment in alignments.values() for name in alignment.continuum.annotators})
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["document", "unitary_alignment", "disorder", *map(visible, annotators)])
    for name, alignment in alignments.items():
        for number, unitary in enumerate(alignment.unitary_alignments, start=1):
            units = dict(zip(alignment.continuum.annotators, unitary.units, strict=True))
            # Nothing at all for an annotator who did not see the document; - for one who left the place empty.
            cells = [visible(unit_text(units[annotator])) if annotator in units else "" for annotator in annotators]
            rows.writerow([visible(name), number, repr(unitary.disorder), *cells])
    return file.getvalue()


def _as_dict(corpus: Corpus, signature: str, alignments: dict[str, Alignment]) -> dict[str, Any]:
    import unisono

    return {
        "schema": SCHEMA,
        "unisono": unisono.__version__,
        "dissimilarity": signature,
        "documents": [
            {
                "name": name,
                "annotators": list(alignment.continuum.annotators),
                "units": alignment.continuum.n_units,
                "disorder": alignment.disorder,
                "lower_bound": alignment.lower_bound,
                "gap": alignment.gap,
                "limit": alignment.limit,
                "unitary_alignments": [
                    {"disorder": unitary.disorder, "units": _units(unitary.units)}
                    for unitary in alignment.unitary_alignments
                ],
            }
            for name, alignment in alignments.items()
        ],
        "problems": [problem.to_dict() for problem in corpus.problems],
    }


def _units(units: Sequence[Unit | None]) -> list[dict[str, Any] | None]:
    return [
        None
        if unit is None
        else {
            "annotator": unit.annotator,
            "start": unit.start,
            "end": unit.end,
            "category": unit.category,
            "features": dict(unit.features),
        }
        for unit in units
    ]
