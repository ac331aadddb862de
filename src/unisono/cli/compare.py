# SPDX-License-Identifier: MIT
"""`unisono compare`: is one agreement better than another?"""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.estimating import Estimating, check_measures
from unisono.cli.options import Comparing, Json, Limits, Reading, option
from unisono.cli.reading import read
from unisono.cli.run import DATA, FINE, command, emit, page, say, usage

if TYPE_CHECKING:
    from unisono import Corpus, Result
    from unisono.comparison import Design

_DESIGN = "Design"


@command
def compare(
    *,
    measure: Annotated[str, typer.Option("--measure", metavar="NAME", help="What to compare.")] = "gamma",
    category: Annotated[
        str | None, typer.Option(metavar="NAME", help="The category, for measures that are given per category.")
    ] = None,
    json: Json = False,
    paired: Annotated[
        bool, option(_DESIGN, "The same documents on both sides: swapped within documents.", name="--paired")
    ] = False,
    annotators: Annotated[
        bool,
        option(_DESIGN, "Other annotators of the same documents: permuted within documents.", name="--annotators"),
    ] = False,
    groups: Annotated[
        str | None, option(_DESIGN, "Two groups of annotators of one corpus, instead of A and B.", "A,B,...:C,D,...")
    ] = None,
    permutations: Annotated[
        int | None, option(_DESIGN, "How many, if not all; 9,999 if not given, 999 for annotators.", "N")
    ] = None,
    estimating: Estimating,
    comparing: Comparing,
    limits: Limits,
    reading: Reading,
) -> int:
    """Compare the agreement of two corpora, A and B: PATH PATH, each data or a result saved with measure --json.

    Prints the difference of the two values, its interval over documents, and p of a permutation test. Without an
    option, documents are exchanged between the sides.

    Exit codes: 0 fine; 1 the data cannot be read or compared; 2 wrong usage; 130 interrupted.
    """
    from unisono.annotators import groups as two_groups
    from unisono.comparison import compare as compared

    design: Design = "annotators" if annotators or groups is not None else "paired" if paired else "unpaired"
    if paired and annotators:
        usage("--paired and --annotators exclude each other")
    names = _groups(groups, paired=paired)
    if names is None and len(reading.paths) != 2:
        usage(f"expected two paths, A and B; found {len(reading.paths)}")
    if permutations is not None and permutations < 19:
        usage(f"--permutations: expected at least 19, found {permutations}")
    check_measures([measure], measure)
    how = estimating.arguments(comparing, limits)
    a: Any
    b: Any
    if names is None:
        a, b = (_side(replace(reading, paths=[path])) for path in reading.paths)
        _hint(a, b, design)
    else:
        a, b = two_groups(read(reading), *names)
    found = compared(
        a,
        b,
        design=design,
        measure=measure,
        category=category,
        permutations=permutations,
        **how,
    )
    if json:
        from unisono.report import json_text

        emit(json_text(found.to_dict()))
    else:
        from unisono.report.compare import add_comparison

        sheet = page()
        sides = (reading.paths[0], reading.paths[1]) if names is None else (", ".join(names[0]), ", ".join(names[1]))
        add_comparison(sheet, found, sides)
        emit(str(sheet))
    if found.difference is None:
        say(f"unisono: the difference is undefined: {found.reason}")
        return DATA
    return FINE


def _groups(groups: str | None, *, paired: bool) -> tuple[list[str], list[str]] | None:
    if groups is None:
        return None
    if paired:
        usage("--paired and --groups exclude each other")
    parts = [[name.strip() for name in part.split(",") if name.strip()] for part in groups.split(":")]
    if len(parts) != 2 or not all(len(part) >= 2 for part in parts):
        usage(f"--groups: expected two groups of at least two annotators, such as ann,bob:cem,dee; found {groups!r}")
    return parts[0], parts[1]


def _side(reading: Reading) -> Result | Corpus:
    """One side: a result that `measure --json` printed, or data to measure."""
    path = Path(reading.paths[0])
    if path.suffix == ".json" and path.is_file() and path.stat().st_size <= reading.largest:
        try:
            data = json_module.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            data = None
        if isinstance(data, dict) and {"schema", "signature", "measures"} <= set(data):
            import unisono

            say(f"read: {path}, a result of measure")
            return unisono.Result.from_dict(data)
    return read(reading)


def _hint(a: Result | Corpus, b: Result | Corpus, design: Design) -> None:
    """Say that the sides could be paired: the test is sharper then."""
    if design != "unpaired":
        return
    first, second = ({d.name for d in (side if not hasattr(side, "documents") else side.documents)} for side in (a, b))
    if first == second and len(first) > 1:
        say("Both sides have the same documents: --paired compares them document by document.")
