# SPDX-License-Identifier: MIT
"""`unisono report`: the page of a saved result; and what `measure` keeps with --save and --report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.run import FINE, command, progress_bar, say, usage

if TYPE_CHECKING:
    from unisono import Result


@command
def report(
    *,
    saved: Annotated[str, typer.Argument(metavar="RESULT", help="What unisono measure --save wrote.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The page to write; an older one is replaced.")
    ],
    no_text: Annotated[bool, typer.Option("--no-text", help="Leave the texts out of the page.")] = False,
    anonymise: Annotated[
        bool, typer.Option("--anonymise", help="Letters instead of the annotators' names, by a fixed rule.")
    ] = False,
    anonymise_documents: Annotated[
        bool, typer.Option("--anonymise-documents", help="Numbers instead of the documents' names, too.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="With error equivalents and what if one thing were settled; measures again."),
    ] = False,
    key: Annotated[
        str | None, typer.Option("--key", metavar="FILE", help="Write who is who, as CSV, with --anonymise.")
    ] = None,
) -> int:
    """Write the page of a saved result: one HTML file that needs nothing else.

    Exit codes: 0 fine; 1 the file is no saved result, or the page cannot be written; 2 wrong usage.
    """
    import unisono

    result = unisono.load_result(saved)
    if anonymise or anonymise_documents:
        from unisono.report.anonymous_result import anonymise_result
        from unisono.whole_files import write_whole

        result, names = anonymise_result(result, documents=anonymise_documents)
        if key is not None:
            write_whole(key, names.table())
            say(f"key: {key}")
    elif key is not None:
        usage("--key is for --anonymise. Give both.")
    keep(result, None, output, text=not no_text, explain=explain)
    return FINE


def check_kept(save: str | None, report: str | None, *, no_text: bool) -> None:
    """Check before measuring that the result can be written."""
    if no_text and save is None and report is None:
        usage("--no-text is for --save and --report. Give one of them.")
    if save is not None and save == report:
        usage("--save and --report name the same file. Give them two names.")
    for option, path in (("--save", save), ("--report", report)):
        if path is not None and not Path(path).parent.is_dir():
            usage(f"{option}: the folder of {path!r} does not exist. Create it, or name another file.")
        if path is not None and Path(path).is_dir():
            usage(f"{option}: {path!r} is a folder. Name a file.")


def keep(result: Result, save: str | None, report: str | None, *, text: bool, explain: bool = False) -> None:
    """Write the saved result and the report that were asked for, and print where they are."""
    import unisono

    if save is not None:
        unisono.save(result, save, text=text)
        say(f"saved: {save}")
    if report is not None:
        with progress_bar("explaining") as progress:
            unisono.write_report(result, report, text=text, explain=explain or None, progress=progress)
        say(f"report: {report}")
