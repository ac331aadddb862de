# SPDX-License-Identifier: MIT
"""`unisono validate`: can these files be read, and what is worth knowing about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.command_options import Json, Paths
from unisono.cli.read_corpus import inspect_paths
from unisono.cli.run import DATA, FINE, command, emit, say, say_problems, see_messages, usage, usage_errors
from unisono.errors import SHOWN_PROBLEMS
from unisono.nouns import quantity
from unisono.report import some, visible
from unisono.settings import Reading

if TYPE_CHECKING:
    from unisono import Corpus, Inspection, Problem

#: Version of the JSON that `validate` prints. 1: the first.
SCHEMA = 1


@command
def validate(
    *,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if there are errors or warnings; notes do not count.")
    ] = False,
    labels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The categories there should be; others are findings."),
    ] = None,
    fix: Annotated[
        str | None,
        typer.Option(
            metavar="OUT",
            help="Write the annotations with every safe remedy applied, and beside it a list of the changes: "
            "for fixed.csv, fixed.changes.csv.",
        ),
    ] = None,
    json: Json = False,
    paths: Paths,
    reading: Reading,
) -> int:
    """Say what files hold and what is wrong with them, without measuring.

    What --fix corrects: duplicate units, tiny overlaps, variant spellings of a category, wrongly decoded labels.

    Exit codes: 0 the files can be read, whatever was found in them; 1 they cannot, or --strict found errors or
    warnings; 2 wrong usage.
    """
    inspection = _inspect_twice(paths, reading)
    if labels is not None:
        inspection = _add_unknown_labels(inspection, [label.strip() for label in labels.split(",")])
    findings = [problem for problem in inspection.problems if problem.severity != "note"]
    if json:
        from unisono.report import json_text

        emit(json_text(_as_dict(inspection)))
    else:
        emit(_as_text(inspection))
    if fix is not None and inspection.corpus is not None:
        _write_fixed(inspection.corpus, fix)
    return DATA if inspection.corpus is None or (strict and findings) else FINE


def _add_unknown_labels(inspection: Inspection, known: list[str]) -> Inspection:
    """The findings with one about categories that should not be there."""
    if inspection.corpus is None:
        return inspection
    from unisono.errors import Problem

    strangers = [label for label in inspection.corpus.labels() if label not in known]
    if not strangers:
        return inspection
    are = "is" if len(strangers) == 1 else "are"
    problem = Problem(
        "unknown-labels",
        "warning",
        "",
        f"{quantity(len(strangers), 'category', 'categories')} ({some(strangers)}) {are} not among {some(known)}",
        "Rename them with [[category_map]], or leave them out with [[ignore]].",
    )
    return replace(inspection, problems=(*inspection.problems, problem))


def _write_fixed(corpus: Corpus, path: str) -> None:
    """Write the corrected annotations and the list of what was changed."""
    from unisono.io import write
    from unisono.io.checks.fixes import fix_corpus, write_changes

    target = Path(path)
    listed = target.with_name(f"{target.name.partition('.')[0]}.changes.csv")
    for file in (target, listed):
        if file.is_file():
            usage(f"--fix: {file} exists already. Name another path.")
    again, changes = fix_corpus(corpus)
    with usage_errors():
        problems = write(again, path, overwrite=False)
    write_changes(changes, listed)
    if problems:
        say_problems(problems)
    say(f"wrote {path}, with {quantity(len(changes), 'change')}; they are listed in {listed}")


def _inspect_twice(paths: Sequence[str], reading: Reading) -> Inspection:
    """What the files hold; if only some rows are invalid, what the other rows hold and what is wrong with those."""
    from unisono.io.files.search import keep_stdin

    with keep_stdin():
        inspection = inspect_paths(paths, reading)
        if inspection.corpus is not None or reading.skip_invalid:
            return inspection
        rest = inspect_paths(paths, reading, skip_invalid=True)
    if rest.corpus is None:
        return inspection
    others = (problem for problem in rest.problems if problem.code != "skipped-rows")  # each row is named already
    return replace(rest, problems=(*inspection.problems, *others))


def _as_text(inspection: Inspection) -> str:
    lines = inspection.understood.splitlines()
    if inspection.corpus is not None:
        lines += _contents(inspection.corpus)
        lines += _task(inspection.corpus)
    lines += [f"{problem.severity}: {problem}" for problem in _worst_problems(inspection)]
    if len(inspection.problems) > SHOWN_PROBLEMS:
        lines.append(f"... and {len(inspection.problems) - SHOWN_PROBLEMS} more (--json has them all)")
    lines.append(_verdict(inspection))
    return "\n".join(visible(line) for line in lines)


def _worst_problems(inspection: Inspection) -> list[Problem]:
    """The problems a person sees: the first of them, the worst first."""
    rank = {"error": 0, "warning": 1, "note": 2}
    return sorted(inspection.problems, key=lambda problem: rank[problem.severity])[:SHOWN_PROBLEMS]


def _contents(corpus: Corpus) -> list[str]:
    """What is in the corpus, one fact per line."""
    categories = corpus.labels()
    annotators = corpus.annotators
    lines = [f"documents:  {len(corpus):,}", f"annotators: {len(annotators):,} ({some(annotators)})"]
    empty = sum(int((continuum.counts == 0).sum()) for continuum in corpus)
    lines.append(f"units:      {corpus.n_units:,}")
    if empty:
        times = "once" if empty == 1 else f"{empty:,} times"
        lines.append(f"            {times} an annotator saw a document and marked nothing")
    lines.append(f"categories: {len(categories):,}" + (f" ({some(categories)})" if categories else ""))
    sources = sorted({continuum.extent.source for continuum in corpus if continuum.extent})
    if sources:
        lines.append(f"extents:    {', '.join(sources)}")
    return lines


def _task(corpus: Corpus) -> list[str]:
    """The kind of task that the data come from, and what suits it, one fact per line."""
    from unisono.diagnosis.advice import advise
    from unisono.diagnosis.properties import properties_of

    found = properties_of(corpus)
    titles = [("task:       ", found.lines), ("advice:     ", tuple(advice.line for advice in advise(found)))]
    return [
        f"{title if first else ' ' * len(title)}{line}"
        for title, lines in titles
        for first, line in zip((True, *[False] * len(lines)), lines, strict=False)
    ]


def _verdict(inspection: Inspection) -> str:
    counts = Counter(problem.severity for problem in inspection.problems)
    summary = ", ".join(
        quantity(counts[severity], severity) for severity in ("error", "warning", "note") if counts[severity]
    )
    codes = dict.fromkeys(problem.code for problem in _worst_problems(inspection) if problem.severity != "note")
    see = f". {see_messages(codes)}" if codes else ""
    readable = "can be read" if inspection.corpus is not None else "cannot be read"
    if counts["error"] and inspection.corpus is not None:
        readable += ", but for the invalid rows"
    return f"{readable}: {summary or 'no problems'}{see}"


def _as_dict(inspection: Inspection) -> dict[str, Any]:
    corpus = inspection.corpus
    import unisono
    from unisono.data_summary import DataSummary, outline
    from unisono.diagnosis.advice import advise
    from unisono.diagnosis.properties import properties_of

    found = None if corpus is None else properties_of(corpus)
    return {
        "schema": SCHEMA,
        "unisono": unisono.__version__,
        "readable": corpus is not None,
        "understood": inspection.understood,
        "data": None if corpus is None else DataSummary.of(corpus).to_dict(),
        "documents": [] if corpus is None else [outline(continuum) for continuum in corpus],
        "categories": [] if corpus is None else list(corpus.labels()),
        "properties": None if found is None else found.to_dict(),
        "advice": [] if found is None else [advice.to_dict() for advice in advise(found)],
        "problems": [problem.to_dict() for problem in inspection.problems],
    }
