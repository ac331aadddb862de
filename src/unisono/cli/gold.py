# SPDX-License-Identifier: MIT
"""`unisono gold`: a consensus of the annotators, and what a person should look at."""

from __future__ import annotations

import csv
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import EscapeFormulas, Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.run import command, emit, page, say, say_problems, search_code, usage, usage_errors
from unisono.cli.targets import check_format, check_free, write_corpus
from unisono.cli.working import dissimilarity_of
from unisono.errors import ParameterError, Problem
from unisono.nouns import quantity
from unisono.report import by_reason
from unisono.settings import AlignmentLimits, Comparing, Reading

if TYPE_CHECKING:
    from unisono import Gold

_VOTE = "The vote"


class VoteKind(StrEnum):
    """Whose vote counts how much."""

    majority = "majority"
    weighted = "weighted"


class BoundaryKind(StrEnum):
    """How boundaries are found."""

    median = "median"
    majority = "majority"


@command
def gold(
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="OUT", help="Write the gold standard there.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="NAME", help="Format to write, if the ending of OUT does not tell.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    beside: Annotated[
        bool, typer.Option("--beside", help="Write what the annotators marked, too, beside the gold standard.")
    ] = False,
    gold_name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the gold standard is called among annotators.")
    ] = "gold",
    adjudication: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write what a person should look at: .csv, .tsv, .json or .parquet."),
    ] = None,
    decisions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Decisions of a person, which beat the vote: JSON as the report saves it, or CSV."
        ),
    ] = None,
    vote: Annotated[
        VoteKind | None, option(_VOTE, "One vote each, or weighted; majority if not given and no --weights are.")
    ] = None,
    weights: Annotated[
        str | None,
        option(_VOTE, "Table of weights: annotator, weight; by agreement with the rest if not given.", "FILE"),
    ] = None,
    boundaries: Annotated[
        BoundaryKind, option(_VOTE, "Boundaries: the medians, or those with the most votes.")
    ] = BoundaryKind.median,
    min_annotators: Annotated[
        int | None, option(_VOTE, "How many must have marked a unit; more than half if not given.", "K")
    ] = None,
    overlap: Annotated[
        float, option(_VOTE, "Share of the union that a unit must have in common with the gold unit to count.", "X")
    ] = 0.5,
    same_category: Annotated[
        bool, option(_VOTE, "Only units of the chosen category count for a gold unit.", name="--same-category")
    ] = False,
    escape_formulas: EscapeFormulas = False,
    json: Json = False,
    comparing: Comparing,
    limits: AlignmentLimits,
    paths: Paths,
    reading: Reading,
) -> int:
    """Make a gold standard from the best alignment, and say which of its units a person should look at.

    Every unitary alignment that more than half of the annotators marked becomes a gold unit. Without -o, all are
    listed, those that were dropped in brackets; with -o, those to look at, the greatest disorder first.

    Exit codes: 0 fine; 1 the data cannot be read or aligned; 2 wrong usage; 3 a limit was reached; 130 interrupted.
    """
    import unisono

    check_format(to)
    if output is not None:
        check_free(output, overwrite=overwrite)
    elif to is not None:
        usage("--to needs -o OUT: where to write")
    if adjudication is not None:
        from unisono.report.tabular import format_of

        with usage_errors():
            format_of(adjudication)
    if escape_formulas and adjudication is None:
        usage("--escape-formulas is for --adjudication")
    if weights is not None and vote is VoteKind.majority:
        usage("--weights is for --vote weighted")
    if min_annotators is not None and min_annotators < 1:
        usage(f"{min_annotators} is not a valid value of --min-annotators. Give a whole number of at least 1.")
    if not 0 <= overlap <= 1:
        usage(f"{overlap:g} is not a valid value of --overlap. Give a number from 0 to 1.")
    dissimilarity = dissimilarity_of(comparing)
    given = None if weights is None else read_weights(weights)
    standard = unisono.gold(
        read(paths, reading),
        vote=None if vote is None else vote.value,
        boundaries=boundaries.value,
        min_annotators=min_annotators,
        weights=given,
        overlap=overlap,
        same_category=same_category,
        dissimilarity=dissimilarity,
        effort=limits.effort,
        time_limit=limits.time_limit,
        memory_limit=limits.memory_limit,
        decisions=decisions,
    )
    say_problems([problem for problem in standard.problems if problem.code == "decisions-data"])
    alone = [problem for problem in standard.problems if problem.code == "too-few-annotators"]
    for line in by_reason((problem.where, f"needs {problem.expected}") for problem in alone):
        say(f"no consensus: {line}")
    if output is not None:
        with usage_errors():
            corpus = standard.corpus(gold_name, beside=beside)
        contents = f"{quantity(standard.n_units, 'gold unit')} in {quantity(len(corpus), 'document')}"
        write_corpus(corpus, output, to, contents=contents, overwrite=overwrite)
    if adjudication is not None:
        from unisono.report.gold_table import adjudication_table

        adjudication_table(standard).write(adjudication, escape_formulas=escape_formulas)
        say(f"wrote {adjudication}: {quantity(standard.n_to_look_at, 'unit')} to look at")
    _show(standard, as_json=json, only_look=output is not None)
    return search_code([each.name for each in standard.documents if each.alignment and each.alignment.gap > 0])


def _show(standard: Gold, *, as_json: bool, only_look: bool) -> None:
    if as_json:
        from unisono.report import json_text

        emit(json_text(standard.to_dict()))
        return
    from unisono.report.gold_table import add_gold

    sheet = page()
    add_gold(sheet, standard, only_look=only_look)
    emit(str(sheet))


def read_weights(path: str) -> dict[str, float]:
    """The weights in a table with the columns annotator and weight; every line that cannot be used is named."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ParameterError.of(
            f"the table of weights cannot be read: {error.strerror}",
            "Check the path.",
            where=path,
            code="annotator-weights",
        ) from None
    except UnicodeDecodeError:
        raise ParameterError.of(
            "the table of weights is not in UTF-8",
            "Save it as UTF-8.",
            where=path,
            code="annotator-weights",
        ) from None
    table: dict[str, float] = {}
    problems = []
    delimiter = "\t" if lines and "\t" in lines[0] else ";" if lines and ";" in lines[0] else ","
    for number, row in enumerate(csv.reader(lines, delimiter=delimiter), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and cells == ["annotator", "weight"]):
            continue
        try:
            name, weight = cells
            value = float(weight)
        except ValueError:
            problems.append(
                _weight_problem(
                    f"{path}:{number}",
                    f"{delimiter.join(cells)!r} is not an annotator and a weight",
                    "Write both, as in ann,0.8.",
                )
            )
            continue
        if name in table:
            message = f"{name!r} has a weight already"
            problems.append(_weight_problem(f"{path}:{number}", message, "Give one weight for each annotator."))
        table[name] = value
    if problems:
        raise ParameterError(problems)
    if not table:
        raise ParameterError(_weight_problem(path, "the table of weights has no row", "Give annotator and weight."))
    return table


def _weight_problem(where: str, message: str, remedy: str) -> Problem:
    return Problem("annotator-weights", "error", where, message, remedy)
