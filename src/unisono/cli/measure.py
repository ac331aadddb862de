# SPDX-License-Identifier: MIT
"""`unisono measure`: how far the annotators agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.read_corpus import stream as read_stream
from unisono.cli.report import check_kept, keep
from unisono.cli.run import DATA, FINE, LIMIT, command, emit, page, progress_bar, say, say_problems, usage, usage_errors
from unisono.cli.text import TextFormat, TextOutput, emit_text_result, read_as_text
from unisono.cli.working import Cluster, check_place, dissimilarity_of, executor_of, keywords
from unisono.nouns import quantity
from unisono.settings import Comparing, Correcting, Estimating, Limits, Measuring, Reading, Working

if TYPE_CHECKING:
    from unisono import Result
    from unisono.report.text_page import Page

_SHOWING = "Output"

#: What a report of units with categories shows.
_OF_A_REPORT = ["gamma", "gamma-cat", "gamma-k"]


@command
def measure(
    *,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME,...",
            help="What to measure, or all; unisono measures lists the names. May be given again.",
            show_default="gamma; for a report of units with categories, gamma-cat and gamma-k too",
        ),
    ] = None,
    estimating: Estimating,
    comparing: Comparing,
    json: Json = False,
    report: Annotated[
        str | None, option(None, "Write a page to look at, one file that needs nothing else: page.html.", "FILE")
    ] = None,
    save: Annotated[
        str | None, option(_SHOWING, "Keep everything in a file, for unisono report: result.unisono.", "FILE")
    ] = None,
    document_results: Annotated[
        str | None,
        option(_SHOWING, "Write the results of the documents as they come, one a line in JSON.", "FILE"),
    ] = None,
    no_text: Annotated[
        bool, option(_SHOWING, "Leave the texts out of the report and the saved file.", name="--no-text")
    ] = False,
    all_documents: Annotated[
        bool, option(_SHOWING, "List every document in the table, not only the first 20.", name="--all-documents")
    ] = False,
    no_findings: Annotated[bool, option(_SHOWING, "Do not end with what stands out.", name="--no-findings")] = False,
    fail_under: Annotated[
        float | None, option(_SHOWING, "Exit with 3 if a value is below X or undefined.", "X")
    ] = None,
    measuring: Measuring,
    correcting: Correcting,
    output: TextOutput,
    text_format: Annotated[
        TextFormat | None, typer.Option(help="As for unisono text; --format takes any format.", hidden=True)
    ] = None,
    document: Annotated[str | None, typer.Option(metavar="NAME", help="As --only-documents.", hidden=True)] = None,
    limits: Limits,
    working: Working,
    cluster: Cluster = None,
    stream: Annotated[
        bool,
        option(
            "Work",
            "Measure while reading, for tables larger than memory, grouped by document. Changes no number.",
            name="--stream",
        ),
    ] = False,
    paths: Paths,
    reading: Reading,
) -> int:
    """Measure how far annotators agree on the units they marked.

    Prints each measure for the whole and for each document: 1 when all agree, 0 at chance level, below 0 worse than
    chance.

    Exit codes: 0 fine; 1 the data cannot be read or measured; 2 wrong usage; 3 a limit was reached or --fail-under
    was not met; 130 interrupted.
    """
    import unisono
    from unisono.measures.measure_names import measure_names

    with usage_errors():
        names = measure_names(measures or ["gamma"])
    output.check(as_json=json)
    if names != ["text-gamma"] and output != TextOutput():
        usage("--csv, --alignment and --whole are for --measure text-gamma alone")
    reading = read_as_text(reading, text_format, document)
    check_kept(save, report, no_text=no_text)
    check_place(working.threads, cluster)
    if comparing.category_distances is None:
        dissimilarity_of(comparing)  # invalid options are refused before any file is read
    how = keywords(estimating, comparing, measuring, correcting, limits, working)
    if cluster is not None:
        how["threads"] = 1  # the cluster runs one piece of work on each of its threads
    if stream:
        if save or report:
            usage(f"{'--save' if save else '--report'} needs the corpus in memory. Leave out --stream.")
        with executor_of(1, cluster) as executor, progress_bar() as progress:
            result = unisono.measure(
                read_stream(paths, reading),
                names,
                executor=executor,
                document_results=document_results,
                progress=progress,
                **how,
            )
        say_problems(result.problems)
        if json:
            from unisono.report import json_text

            emit(json_text(result.to_dict()))
        else:
            _show(result, all_documents=all_documents, findings=False)
        return _verdict(result, fail_under, reasons_are_shown=not json and _shows_reasons(result))
    corpus = read(paths, reading, for_texts=names == ["text-gamma"])
    if output.as_csv and len(corpus) > 1:
        usage(f"--csv prints one alignment, and there are {len(corpus)} documents. Choose one with --only-documents.")
    if not measures and (save or report) and corpus.labels():
        names = _OF_A_REPORT
    with executor_of(1, cluster) as executor, progress_bar() as progress:
        # What is kept or reported has the tables of annotators, if they take little time.
        annotators = None if save or report else False
        result = unisono.measure(
            corpus,
            names,
            executor=executor,
            annotators=annotators,
            keep_samples=save is not None,
            document_results=document_results,
            progress=progress,
            **how,
        )
    if later := [problem for problem in result.problems if problem not in corpus.problems]:
        say_problems(later)
    reference = measuring.reference
    if reference is not None and set(result.measures) & {"gamma", "gamma-cat", "gamma-k", "soft-gamma"}:
        say(f"γ takes no reference; unisono annotators --reference {reference} measures everybody against that one.")
    if len(corpus) > 1 and estimating.chance is None and "gamma" in names:
        say("Chance was estimated for each document on its own; for a corpus the paper recommends --chance corpus.")
    if names == ["text-gamma"]:
        emit_text_result(result, output, as_json=json, all_documents=all_documents)
    elif json:
        from unisono.report import json_text

        emit(json_text(result.to_dict()))
    else:
        _show(result, all_documents=all_documents, findings=not no_findings)
    keep(result, save, report, text=not no_text)
    is_table = not json and names != ["text-gamma"]
    return _verdict(result, fail_under, reasons_are_shown=is_table and _shows_reasons(result))


def _show(result: Result, *, all_documents: bool, findings: bool) -> None:
    """Print the result as tables, with what stands out."""
    from unisono.report.terminal import add_result

    sheet = page()
    add_result(sheet, result, all_documents=all_documents)
    if findings:
        _add_findings(sheet, result)
    emit(str(sheet))


def _shows_reasons(result: Result) -> bool:
    """Whether the table of a result has the reasons of undefined measures."""
    from unisono.report.terminal import FULL_MEASURES

    return len(result.measures) > FULL_MEASURES


def _add_findings(sheet: Page, result: Result) -> None:
    """What stands out in the alignment behind the values, where there is one."""
    from unisono.diagnosis.diagnose import diagnose
    from unisono.diagnosis.explanation import findings_of
    from unisono.report.explanation_text import OF_A_MEASUREMENT, add_findings

    diagnosis = diagnose(result)
    if diagnosis is None:
        return
    sheet.add()
    sheet.line("What stands out", "bold")
    sheet.add()
    findings = findings_of(diagnosis, result)
    add_findings(sheet, findings, most=OF_A_MEASUREMENT)
    more = len(findings) - OF_A_MEASUREMENT
    further = f": {quantity(more, 'more finding')}" if more > 0 else ""
    sheet.paragraph(f"unisono explain says more{further}.", "dim")


def _verdict(result: Result, fail_under: float | None, *, reasons_are_shown: bool) -> int:
    """The exit code of a result; what was asked for and not reached goes to stderr, each reason once."""
    from unisono.report.notation import PLAIN
    from unisono.report.sentences import not_proven

    code = FINE
    values = []
    for name, value in result.measures.items():
        if value.value is None and value.per_category:  # given per category
            values += [(f"{name} of {k or 'units without a category'}", v) for k, v in value.per_category.items()]
        else:
            values.append((name, value))
    undefined: dict[str, list[str]] = {}
    for name, value in values:
        if value.value is None:
            undefined.setdefault(value.reason or "", []).append(name)
    if undefined and fail_under is not None:
        code = LIMIT
    for reason, names in undefined.items():
        # The table has the reasons of measures, not those of single categories.
        unsaid = [name for name in names if not (reasons_are_shown and name in result.measures)]
        if unsaid:
            say(f"unisono: {', '.join(unsaid)} {'is' if len(unsaid) == 1 else 'are'} undefined: {reason}")
    for name, value in values:
        if fail_under is not None and value.value is not None and value.value < fail_under:
            say(f"unisono: {name} is {value.value:.6g}, below --fail-under {fail_under:g}")
            code = LIMIT
        if not value.is_near_enough:
            say(f"unisono: {name} is not proven: {not_proven(name, value, PLAIN)}")
            code = LIMIT
        if value.is_precise is False and result.parameters.get("time_limit") is not None:
            say(f"unisono: the time limit ended the sampling of {name} before there were enough random continua")
            code = LIMIT
    if code == FINE and all(value.value is None for _, value in values):
        return DATA
    return code
