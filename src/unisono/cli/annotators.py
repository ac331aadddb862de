# SPDX-License-Identifier: MIT
"""`unisono annotators`: who agrees with whom, who does not, and how far everybody agrees with a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.command_options import Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.run import DATA, FINE, command, emit, page, progress_bar, say, usage
from unisono.cli.working import dissimilarity_of, keywords, measure_of
from unisono.settings import Comparing, Correcting, Estimating, Limits, Reading, Working

if TYPE_CHECKING:
    from unisono import Corpus
    from unisono.analysis.annotators import AnnotatorMatrix, LeftOut, ReferenceResult

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
    correcting: Correcting,
    limits: Limits,
    working: Working,
    paths: Paths,
    reading: Reading,
) -> int:
    """Measure every two annotators, each against the rest, and everybody but one, so that an outlier shows.

    With --reference or --reference-file, measure each annotator against the reference instead.

    Exit codes: 0 fine; 1 the data cannot be read or measured, or no annotator has that name; 2 wrong usage;
    130 interrupted.
    """
    if reference is not None and reference_file is not None:
        usage("--reference and --reference-file exclude each other")
    if map_labels and reference is None and reference_file is None:
        usage("--map-labels needs --reference or --reference-file")
    measure = measure_of(measure)
    options = {
        **keywords(estimating, correcting, limits, working),
        "dissimilarity": dissimilarity_of(comparing, estimating),
    }
    for_texts = measure == "text-gamma"
    corpus = read(paths, reading, for_texts=for_texts)
    if reference_file is not None:
        reference = _free_name(corpus)
        corpus = corpus.with_reference(read([reference_file], reading, for_texts=for_texts), name=reference)
    if reference is not None:
        return _measure_against(corpus, reference, measure, map_labels, options, as_json=json)
    from unisono.analysis.annotators import annotator_tables

    with progress_bar() as progress:
        matrix, left_out = annotator_tables(corpus, measure, progress=progress, **options)
    emit(_matrix_text(matrix, left_out, as_json=json))
    if all(value.value is None for value in matrix.values.values()):
        say("unisono: no two annotators could be measured")
        return DATA
    return FINE


def _matrix_text(matrix: AnnotatorMatrix, left_out: tuple[LeftOut, ...], *, as_json: bool) -> str:
    if as_json:
        from unisono.report import json_text

        rows = [each.to_dict() for each in left_out]
        return json_text({"schema": SCHEMA, **matrix.to_dict(), "leave_one_out": rows})
    from unisono.report.annotator_tables import add_matrix

    sheet = page()
    add_matrix(sheet, matrix, left_out)
    return str(sheet)


def _measure_against(
    corpus: Corpus, reference: str, measure: str, map_labels: bool, options: dict[str, Any], *, as_json: bool
) -> int:
    """Measure every annotator against the reference, and print the table."""
    from unisono.analysis.annotators import with_reference

    result = with_reference(corpus, reference, measure, label_mapping="best" if map_labels else None, **options)
    emit(_reference_text(result, as_json=as_json))
    if result.mean is None:
        say(f"unisono: {result.reason}")
        return DATA
    return FINE


def _free_name(corpus: Corpus) -> str:
    """The name of a reference from a file: `reference`, with a prime for each annotator who has that name."""
    name = "reference"
    while name in corpus.annotators:
        name += "'"
    return name


def _reference_text(result: ReferenceResult, *, as_json: bool) -> str:
    if as_json:
        from unisono.report import json_text

        return json_text({"schema": SCHEMA, **result.to_dict()})
    from unisono.report.annotator_tables import add_reference

    sheet = page()
    add_reference(sheet, result)
    return str(sheet)
