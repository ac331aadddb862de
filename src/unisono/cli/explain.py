# SPDX-License-Identifier: MIT
"""`unisono explain`: what the number means, and what to do next."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import Json, Paths
from unisono.cli.read_corpus import read
from unisono.cli.run import DATA, FINE, command, emit, page, progress_bar, say
from unisono.cli.working import keywords
from unisono.settings import Comparing, Correcting, Estimating, Limits, Reading, Working

if TYPE_CHECKING:
    from unisono import Corpus, Result


@command
def explain(
    *,
    json: Json = False,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Only what the alignment says: nothing is measured again, no what-if."),
    ] = False,
    estimating: Estimating,
    comparing: Comparing,
    correcting: Correcting,
    limits: Limits,
    working: Working,
    paths: Paths,
    reading: Reading,
) -> int:
    """Explain the agreement: what stands out, who differs and how, which categories are confused, what to do next.

    PATH is data, or a result saved with measure --save.

    Exit codes: 0 fine; 1 the data cannot be read or measured; 2 wrong usage; 130 interrupted.
    """
    from unisono.diagnosis.explanation import explain as explain_result
    from unisono.diagnosis.explanation import measure_to_explain

    data = _read(paths, reading)
    with progress_bar() as progress:
        if isinstance(data, tuple):
            result = data[0]
        else:
            how = keywords(estimating, comparing, correcting, limits, working)
            result = measure_to_explain(data, progress=progress, **how)
        explanation = explain_result(result, progress=progress, what_if=not quick)
    if json:
        from unisono.report import json_text

        emit(json_text(explanation.to_dict()))
    else:
        from unisono.report.explanation_text import add_explanation

        sheet = page()
        add_explanation(sheet, explanation)
        emit(str(sheet))
    if explanation.value.value is None:
        say(f"unisono: {explanation.measure} is undefined: {explanation.value.reason}")
        return DATA
    return FINE


def _read(paths: Sequence[str], reading: Reading) -> tuple[Result] | Corpus:
    """A saved result, wrapped in a tuple to tell it from data, or data."""
    if len(paths) == 1 and _is_saved(Path(paths[0])):
        import unisono

        say(f"read: {paths[0]}, a saved result")
        return (unisono.load_result(paths[0]),)
    return read(paths, reading)


def _is_saved(path: Path) -> bool:
    """Whether a file is what `measure --save` wrote."""
    if path.suffix == ".unisono":
        return True
    if not path.is_file():
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return {"manifest.json", "result.json", "hidden.json"} <= set(archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False  # it is then read as data, which reports what is wrong
