# SPDX-License-Identifier: MIT
"""`unisono annotators`: who agrees with whom, who does not, and how far everybody agrees with a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.estimating import Estimating, check_measures
from unisono.cli.options import Comparing, Json, Limits, Reading, option
from unisono.cli.reading import read
from unisono.cli.run import DATA, FINE, command, emit, page, progress_bar, say, usage

if TYPE_CHECKING:
    from unisono import Corpus
    from unisono.annotators import AnnotatorMatrix, LeftOut, ReferenceResult

_REFERENCE = "Reference"

#: Version of the JSON that `annotators` prints. 1: the first.
SCHEMA = 1


@command
def annotators(
    *,
    measure: Annotated[str, typer.Option("--measure", metavar="NAME", help="What to measure.")] = "gamma",
    json: Json = False,
    reference: Annotated[
        str | None, option(_REFERENCE, "The annotator whom the others are measured against.", "NAME")
    ] = None,
    reference_file: Annotated[
        str | None, option(_REFERENCE, "The reference from a file of its own, one annotator a document.", "FILE")
    ] = None,
    map_labels: Annotated[
        bool,
        option(_REFERENCE, "Map the others' categories onto the reference's as fits best.", name="--map-labels"),
    ] = False,
    estimating: Estimating,
    comparing: Comparing,
    limits: Limits,
    reading: Reading,
) -> int:
    """Measure every two annotators, each against the rest, and everybody but one, so that an outlier shows.

    With --reference or --reference-file, measure each annotator against the reference instead.

    Exit codes: 0 fine; 1 the data cannot be read or measured, or nobody is called so; 2 wrong usage; 130 interrupted.
    """
    if reference is not None and reference_file is not None:
        usage("--reference and --reference-file exclude each other")
    if map_labels and reference is None and reference_file is None:
        usage("--map-labels needs --reference or --reference-file")
    check_measures([measure], measure)
    options = estimating.arguments(comparing, limits)
    corpus = read(reading)
    if reference is not None or reference_file is not None:
        return _against_reference(corpus, reference, reference_file, reading, measure, map_labels, options, json)
    from unisono.annotators import leave_one_out, pairwise

    with progress_bar() as progress:
        matrix = pairwise(corpus, measure, progress=progress, **options)
    left_out: tuple[LeftOut, ...] = ()
    if len(matrix.annotators) >= 3:
        left_out = leave_one_out(corpus, measure, **{**options, "seed": matrix.seed})
    emit(_shown(matrix, left_out, as_json=json))
    if all(value.value is None for value in matrix.values.values()):
        say("unisono: no two annotators could be measured")
        return DATA
    return FINE


def _shown(matrix: AnnotatorMatrix, left_out: tuple[LeftOut, ...], *, as_json: bool) -> str:
    if as_json:
        from unisono.report import json_text

        rows = [each.to_dict() for each in left_out]
        return json_text({"schema": SCHEMA, **matrix.to_dict(), "leave_one_out": rows})
    from unisono.report.annotators import add_matrix

    sheet = page()
    add_matrix(sheet, matrix, left_out)
    return str(sheet)


def _against_reference(
    corpus: Corpus,
    reference: str | None,
    reference_file: str | None,
    reading: Reading,
    measure: str,
    map_labels: bool,
    options: dict[str, Any],
    as_json: bool,
) -> int:
    from dataclasses import replace

    from unisono.annotators import with_reference
    from unisono.regrouping import with_reference_from

    name = reference
    if reference_file is not None:
        name = _free_name(corpus)
        corpus = with_reference_from(corpus, read(replace(reading, paths=[reference_file])), name=name)
    assert name is not None
    result = with_reference(corpus, name, measure, label_mapping="best" if map_labels else None, **options)
    emit(_reference_shown(result, as_json=as_json))
    if result.mean is None:
        say(f"unisono: {result.reason}")
        return DATA
    return FINE


def _free_name(corpus: Corpus) -> str:
    """What the reference from a file is called: `reference`, unless somebody is called so."""
    name = "reference"
    while name in corpus.annotators:
        name += "'"
    return name


def _reference_shown(result: ReferenceResult, *, as_json: bool) -> str:
    if as_json:
        from unisono.report import json_text

        return json_text({"schema": SCHEMA, **result.to_dict()})
    from unisono.report.annotators import add_reference

    sheet = page()
    add_reference(sheet, result)
    return str(sheet)
