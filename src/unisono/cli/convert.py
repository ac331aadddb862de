# SPDX-License-Identifier: MIT
"""`unisono convert`: from any format that is read to any that is written."""

from __future__ import annotations

from typing import Annotated

import typer

from unisono.cli.command_options import EscapeFormulas, Paths
from unisono.cli.read_corpus import read
from unisono.cli.run import FINE, command, usage
from unisono.cli.targets import check_format, check_free, write_corpus
from unisono.settings import Reading


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
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    escape_formulas: EscapeFormulas = False,
    paths: Paths,
    reading: Reading,
) -> int:
    """Write annotations in another format: the last PATH is written, those before it are read.

    Formats of several files (brat, webanno-tsv, rttm, conll, glozz, cora, pygamma) are written into a new folder.
    What a format cannot hold is listed on standard error.
    """
    if len(paths) < 2:
        usage("convert needs at least two paths: what to read, and what to write")
    *sources, target = paths
    check_format(to)
    check_free(target, overwrite=overwrite)
    corpus = read(sources, reading)
    write_corpus(corpus, target, to, scale=scale, overwrite=overwrite, escape_formulas=escape_formulas)
    return FINE
