# SPDX-License-Identifier: MIT
"""The command line: `main(argv) -> int`. One file for each command; they call only the public API."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from unisono.cli.align import align
from unisono.cli.annotators import annotators
from unisono.cli.benchmark import benchmark
from unisono.cli.compare import compare
from unisono.cli.convert import convert
from unisono.cli.explain import explain
from unisono.cli.gold import gold
from unisono.cli.listing import formats, measures, messages
from unisono.cli.measure import measure
from unisono.cli.report import report
from unisono.cli.reproduce import reproduce
from unisono.cli.run import DATA, INTERRUPTED, STREAM_ERRORS, abandon, say
from unisono.cli.serve import serve
from unisono.cli.shuffle import shuffle
from unisono.cli.text import text
from unisono.cli.validate import validate
from unisono.errors import name_settings_by
from unisono.settings import option_name

app = typer.Typer(
    name="unisono",
    help="How far do annotators agree when they mark units on a continuum? γ, exact, with the alignment behind it.",
    epilog="Start with: unisono measure annotations.csv (columns: annotator, start, end, category; document if many).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        import unisono

        typer.echo(f"unisono {unisono.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version.")
    ] = False,
) -> None:
    pass


for _command in (
    measure,
    explain,
    align,
    text,
    annotators,
    compare,
    gold,
    validate,
    convert,
    report,
    serve,
    shuffle,
    benchmark,
    reproduce,
    measures,
    formats,
    messages,
):
    app.command()(_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    before = name_settings_by(option_name)
    try:
        app(args=sys.argv[1:] if argv is None else list(argv), prog_name="unisono")
    except SystemExit as done:
        if done.code == INTERRUPTED:  # typer itself turns an interrupt into this code and says nothing
            say("unisono: interrupted")
        return done.code if isinstance(done.code, int) else int(bool(done.code))
    except KeyboardInterrupt:
        say("unisono: interrupted")
        return INTERRUPTED
    except OSError as error:  # what typer prints itself: help, wrong usage
        if error.errno not in STREAM_ERRORS:
            raise
        abandon(sys.stdout)
        say(f"unisono: standard output cannot be written ({error.strerror})")
        return DATA
    finally:
        name_settings_by(before)
    return 0


def entry() -> NoReturn:
    """The `unisono` command, once this package is loaded; `unisono.__main__` takes care of signals before that, too."""
    from unisono.__main__ import entry as begin

    begin()
