# SPDX-License-Identifier: MIT
"""`unisono compare`: is one agreement better than another?"""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.command_options import Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.report import check_kept
from unisono.cli.run import DATA, FINE, command, emit, page, say, usage
from unisono.cli.working import dissimilarity_of, keywords, measure_of
from unisono.settings import Comparing, Correcting, Estimating, Limits, Reading, Working

if TYPE_CHECKING:
    from unisono import Corpus, Result
    from unisono.analysis.compare import Design

_DESIGN = "Design"

#: Keywords of a comparison that a measurement does not have.
_OF_A_COMPARISON = ("design", "measure", "category", "permutations")


@command
def compare(
    *,
    measure: Annotated[str, typer.Option("--measure", metavar="NAME", help="What to compare.")] = "gamma",
    category: Annotated[
        str | None, typer.Option(metavar="NAME", help="The category, for measures that are given per category.")
    ] = None,
    json: Json = False,
    report: Annotated[
        str | None,
        typer.Option("--report", metavar="FILE", help="Write both sides beside each other as one HTML page."),
    ] = None,
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
    correcting: Correcting,
    limits: Limits,
    working: Working,
    paths: Paths,
    reading: Reading,
) -> int:
    """Compare the agreement of two corpora, A and B: PATH PATH, each data or a result saved with measure --json.

    Prints the difference of the two values, its interval over documents, and p of a permutation test. Without an
    option, documents are exchanged between the sides.

    Exit codes: 0 fine; 1 the data cannot be read or compared; 2 wrong usage; 130 interrupted.
    """
    import unisono
    from unisono.analysis.annotators import groups as two_groups
    from unisono.analysis.compare import compare as compare_sides

    design: Design = "annotators" if annotators or groups is not None else "paired" if paired else "unpaired"
    if paired and annotators:
        usage("--paired and --annotators exclude each other")
    names = None if groups is None else _parse_groups(groups, paired=paired)
    if names is None and len(paths) != 2:
        usage(f"compare takes two paths, A and B; {len(paths)} were given")
    if permutations is not None and permutations < 19:
        usage(f"{permutations} is not a valid value of --permutations. Give a whole number of at least 19.")
    check_kept(None, report, no_text=False)
    measure = measure_of(measure)
    for_texts = measure == "text-gamma"
    how = {
        **keywords(estimating, correcting, limits, working),
        "dissimilarity": dissimilarity_of(comparing, estimating),
    }
    a: Any
    b: Any
    if names is None:
        a, b = (_read_side(path, reading, for_texts=for_texts) for path in paths)
        _hint(a, b, design)
    else:
        a, b = two_groups(read(paths, reading, for_texts=for_texts), *names)
    if report is not None and any(isinstance(side, unisono.Result) and side.corpus is None for side in (a, b)):
        usage("--report needs the data of both sides; a result of measure --json has its values only.")
    how |= {"design": design, "measure": measure, "category": category, "permutations": permutations}
    comparison = compare_sides(a, b, **how)
    if report is not None:
        _write_report(a, b, how, report, paths if names is None else names)
    if json:
        from unisono.report import json_text

        emit(json_text(comparison.to_dict()))
    else:
        from unisono.report.comparison_table import add_comparison

        sheet = page()
        sides = (paths[0], paths[1]) if names is None else (", ".join(names[0]), ", ".join(names[1]))
        add_comparison(sheet, comparison, sides)
        emit(str(sheet))
    if comparison.difference is None:
        say(f"unisono: the difference is undefined: {comparison.reason}")
        return DATA
    return FINE


def _write_report(a: Any, b: Any, how: dict[str, Any], path: str, names: Any) -> None:
    """The page of both sides; the second is compared with the first, so that a gain is positive."""
    import unisono
    from unisono.analysis.compare import compare as compare_sides
    from unisono.report.comparison_page import comparison_overview, write_comparison

    family = [how["measure"], *(["gamma-k"] if how["measure"] == "gamma" else [])]
    measuring = {name: value for name, value in how.items() if name not in _OF_A_COMPARISON}
    sides = [
        side if isinstance(side, unisono.Result) else unisono.measure(side, family, **measuring) for side in (a, b)
    ]
    # Groups of annotators are aligned again; otherwise the difference is that of the values on the page.
    first, second = (a, b) if how["design"] == "annotators" else sides
    reverse = compare_sides(second, first, **how)
    titles = tuple(", ".join(name) if isinstance(name, list) else str(name) for name in names)
    shown = comparison_overview(sides[0], sides[1], reverse, (titles[0], titles[1]))
    write_comparison(shown, path)
    say(f"report: {path}")


def _parse_groups(groups: str, *, paired: bool) -> tuple[list[str], list[str]]:
    """The two groups of annotators that --groups names."""
    if paired:
        usage("--paired and --groups exclude each other")
    parts = [[name.strip() for name in part.split(",") if name.strip()] for part in groups.split(":")]
    if len(parts) != 2 or not all(len(part) >= 2 for part in parts):
        usage(
            f"{groups!r} is not a valid value of --groups. Give two groups of at least two annotators, such as "
            "ann,bob:cem,dee."
        )
    return parts[0], parts[1]


def _read_side(name: str, reading: Reading, *, for_texts: bool) -> Result | Corpus:
    """One side: a result that `measure --json` printed, or data to measure."""
    path = Path(name)
    if path.suffix == ".json" and path.is_file() and path.stat().st_size <= reading.size_limit:
        try:
            data = json_module.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            data = None
        if isinstance(data, dict) and {"schema", "signature", "measures"} <= set(data):
            import unisono

            say(f"read: {path}, a result of measure")
            return unisono.Result.from_dict(data)
    return read([name], reading, for_texts=for_texts)


def _hint(a: Result | Corpus, b: Result | Corpus, design: Design) -> None:
    """Mention that the sides could be paired, which makes the test more powerful."""
    if design != "unpaired":
        return
    first, second = ({d.name for d in (side if not hasattr(side, "documents") else side.documents)} for side in (a, b))
    if first == second and len(first) > 1:
        say("Both sides have the same documents: --paired compares them document by document.")
