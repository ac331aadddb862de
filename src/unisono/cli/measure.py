# SPDX-License-Identifier: MIT
"""`unisono measure`: how far the annotators agree."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.estimating import Estimating, check_measures
from unisono.cli.options import Comparing, Json, Limits, Reading, option
from unisono.cli.reading import read
from unisono.cli.report import check_kept, keep
from unisono.cli.run import DATA, FINE, LIMIT, command, emit, page, progress_bar, say
from unisono.cli.working import Cluster, check, on_cluster

if TYPE_CHECKING:
    from unisono import Result

_OTHER = "Measures other than γ"
_KEEP = "To keep and to show"

#: What a report wants to know of units with categories.
_OF_A_REPORT = ["gamma", "gamma-cat", "gamma-k"]


class AtomKind(StrEnum):
    """What a continuum is cut into."""

    position = "position"
    word = "word"


@command
def measure(
    *,
    measures: Annotated[
        str | None,
        typer.Option(
            "--measure",
            metavar="NAME,...",
            help="What to measure, or all; unisono measures lists the names. gamma if not given; for a report, of "
            "units with categories, gamma-cat and gamma-k too.",
        ),
    ] = None,
    categories: Annotated[
        list[str] | None,
        typer.Option("--category", metavar="NAME", help="Only this category in gamma-k; may be given several times."),
    ] = None,
    tie_range: Annotated[
        bool, typer.Option("--tie-range", help="The range of gamma-cat and gamma-k over all tied best alignments.")
    ] = False,
    reference: Annotated[
        str | None, option(_OTHER, "The annotator who is right, for measures that compare with one.", "ANNOTATOR")
    ] = None,
    step: Annotated[
        float | None, option(_OTHER, "Length of an atom, where positions are not whole numbers.", "X")
    ] = None,
    atoms: Annotated[AtomKind, option(_OTHER, "What a text is cut into: positions or words.")] = AtomKind.position,
    predefined: Annotated[
        bool | None,
        option(
            _OTHER,
            "Whether the units are given items, if not to be found from the data.",
            name="--predefined/--not-predefined",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        float | None, option(_OTHER, "How far a moved boundary is forgiven, for segmentation measures.", "X")
    ] = None,
    json: Json = False,
    all_documents: Annotated[
        bool, typer.Option("--all-documents", help="List every document in the table, not only the first 20.")
    ] = False,
    save: Annotated[
        str | None, option(_KEEP, "Keep everything in a file, for unisono report: result.unisono.", "FILE")
    ] = None,
    report: Annotated[
        str | None, option(_KEEP, "Write a page to look at, one file that needs nothing else: page.html.", "FILE")
    ] = None,
    no_text: Annotated[bool, option(_KEEP, "Leave the texts out of what is kept.", name="--no-text")] = False,
    fail_under: Annotated[
        float | None, typer.Option(metavar="X", help="Exit with 3 if a value is below X or undefined.")
    ] = None,
    cluster: Cluster = None,
    estimating: Estimating,
    comparing: Comparing,
    limits: Limits,
    reading: Reading,
) -> int:
    """Measure how far annotators agree on the units they marked.

    Prints each measure for the whole and for each document: 1 when all agree, 0 at chance level, below 0 worse than
    chance.

    Exit codes: 0 fine; 1 the data cannot be read or measured; 2 wrong usage; 3 a limit was reached or --fail-under
    was not met; 130 interrupted.
    """
    import unisono

    names = [name.strip() for name in (measures or "gamma").split(",") if name.strip()]
    check_measures(names, measures or "")
    check_kept(save, report, no_text=no_text)
    check(estimating.jobs, cluster)
    how = estimating.arguments(comparing, limits)
    corpus = read(reading)
    if measures is None and (save or report) and corpus.labels():
        names = _OF_A_REPORT
    if cluster is not None:
        how["threads"] = 1  # as many pieces of work at a time as the cluster has threads
    with on_cluster(cluster) as executor, progress_bar() as progress:
        result = unisono.measure(
            corpus,
            names,
            categories=categories,
            tie_range=tie_range,
            reference=reference,
            step=step,
            atoms=atoms.value,
            predefined=predefined,
            window=window,
            executor=executor,
            progress=progress,
            **how,
        )
    if reference is not None and set(result.measures) & {"gamma", "gamma-cat", "gamma-k", "soft-gamma"}:
        say(f"γ knows no reference: unisono annotators --reference {reference} measures everybody against them.")
    if len(corpus) > 1 and estimating.chance is None and "gamma" in names:
        say("Chance was estimated for each document on its own; for a corpus the paper recommends --chance corpus.")
    if json:
        from unisono.report import json_text

        emit(json_text(result.to_dict()))
    else:
        from unisono.report.terminal import add_result

        sheet = page()
        add_result(sheet, result, all_documents=all_documents)
        emit(str(sheet))
    keep(result, save, report, text=not no_text)
    return _verdict(result, fail_under)


def _verdict(result: Result, fail_under: float | None) -> int:
    """The exit code of a result: what was asked for and not reached is said on stderr."""
    code = FINE
    values = []
    for name, value in result.measures.items():
        if value.value is None and value.per_category:  # given per category
            values += [(f"{name} of {k or 'units without a category'}", v) for k, v in value.per_category.items()]
        else:
            values.append((name, value))
    for name, value in values:
        if value.value is None:
            say(f"unisono: {name} is undefined: {value.reason}")
            code = code if fail_under is None else LIMIT
        elif fail_under is not None and value.value < fail_under:
            say(f"unisono: {name} is {value.value:.6g}, below --fail-under {fail_under:g}")
            code = LIMIT
        if not value.is_proven:
            say(f"unisono: a limit stopped the search: {name} rests on an alignment that is NOT PROVEN to be the best")
            code = LIMIT
    if code == FINE and all(value.value is None for _, value in values):
        return DATA
    return code
