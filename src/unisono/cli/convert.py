# SPDX-License-Identifier: MIT
"""`unisono convert`: from any format that is read to any that is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import Reading
from unisono.cli.reading import read
from unisono.cli.run import FINE, command, say, say_problems, usage, usage_errors


@command
def convert(
    *,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="Format to write, if the ending of the last path does not tell."),
    ] = None,
    scale: Annotated[
        float, typer.Option(metavar="X", help="Multiply every position: 1000 makes milliseconds of seconds.")
    ] = 1.0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over a file that is there.")] = False,
    reading: Reading,
) -> int:
    """Write annotations in another format: the last PATH is written, those before it are read.

    Formats of several files (brat, webanno-tsv, rttm, conll, pygamma) are written into a new folder. What a format
    cannot hold is said.
    """
    if len(reading.paths) < 2:
        usage("convert needs two paths at least: what to read, and what to write")
    from unisono.io import WRITERS, write

    *sources, target = reading.paths
    if to is not None and to not in WRITERS:
        usage(f"--to: expected one of {', '.join(WRITERS)}; found {to!r}")
    if Path(target).is_file() and not overwrite:
        usage(f"{target} is there already; name another path, or say --overwrite")
    corpus = read(replace(reading, paths=sources))
    with usage_errors():
        problems = write(corpus, target, format=to, scale=scale)
    if problems:
        say_problems(problems)
    say(f"wrote {target}: {len(corpus):,} documents, {corpus.n_units:,} units")
    return FINE
