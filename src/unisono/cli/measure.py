# SPDX-License-Identifier: MIT
"""`unisono measure`: how far the annotators agree."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.options import Comparing, Json, Limits, Reading, option
from unisono.cli.reading import read
from unisono.cli.run import DATA, FINE, LIMIT, command, emit, page, progress_bar, say, usage

if TYPE_CHECKING:
    from unisono import Result

_CHANCE = "Chance"
_OTHER = "Measures other than γ"


class ChanceKind(StrEnum):
    """Where the expected disorder comes from."""

    shift = "shift"
    corpus = "corpus"
    statistical = "statistical"
    positions_kept = "positions-kept"


class AtomKind(StrEnum):
    """What a continuum is cut into."""

    position = "position"
    word = "word"


class PresetKind(StrEnum):
    """Whose choices where papers and programs differ."""

    paper = "paper"
    greyc = "greyc"
    pygamma = "pygamma"


@command
def measure(
    *,
    measures: Annotated[
        str,
        typer.Option(
            "--measure", metavar="NAME,...", help="What to measure, or all; unisono measures lists the names."
        ),
    ] = "gamma",
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
    fail_under: Annotated[
        float | None, typer.Option(metavar="X", help="Exit with 3 if a value is below X or undefined.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads; all processors if not given. Changes no number."),
    ] = None,
    preset: Annotated[
        PresetKind, option(_CHANCE, "Whose numbers: the papers', those published in 2017, or pygamma-agreement's.")
    ] = PresetKind.paper,
    chance: Annotated[
        ChanceKind | None, option(_CHANCE, "How random continua are made; shift if not given, or what --preset says.")
    ] = None,
    seed: Annotated[
        int | None, option(_CHANCE, "Start of the random numbers; drawn, and shown, if not given.", "N")
    ] = None,
    precision: Annotated[
        float | None, option(_CHANCE, "Relative precision of the expected disorder; 0.02 if not given.", "X")
    ] = None,
    level: Annotated[float, option(_CHANCE, "Confidence level of precision and interval.", "X")] = 0.95,
    samples: Annotated[
        int | None, option(_CHANCE, "A fixed number of random continua, instead of --precision.", "N")
    ] = None,
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
    from unisono.api import TIME_LIMIT
    from unisono.presets import PRESETS

    names = [name.strip() for name in measures.split(",") if name.strip()]
    _check(names, measures, precision, level, samples, seed, jobs)
    dissimilarity = comparing.dissimilarity(usual_alpha=PRESETS[preset.value].alpha)
    time_limit, memory_limit = limits.checked()
    corpus = read(reading)
    with progress_bar() as progress:
        result = unisono.measure(
            corpus,
            names,
            preset=preset.value,
            categories=categories,
            tie_range=tie_range,
            reference=reference,
            step=step,
            atoms=atoms.value,
            predefined=predefined,
            window=window,
            seed=seed,
            dissimilarity=dissimilarity,
            chance=None if chance is None else chance.value,
            samples=samples,
            precision=0.02 if precision is None else precision,
            level=level,
            threads=jobs,
            time_limit=TIME_LIMIT if time_limit is None else time_limit,
            memory_limit=memory_limit,
            progress=progress,
        )
    if reference is not None and set(result.measures) & {"gamma", "gamma-cat", "gamma-k", "soft-gamma"}:
        say(f"γ knows no reference: unisono annotators --reference {reference} measures everybody against them.")
    if len(corpus) > 1 and chance is None and "gamma" in names:
        say("Chance was estimated for each document on its own; for a corpus the paper recommends --chance corpus.")
    if json:
        from unisono.report import json_text

        emit(json_text(result.to_dict()))
    else:
        from unisono.report.terminal import add_result

        sheet = page()
        add_result(sheet, result, all_documents=all_documents)
        emit(str(sheet))
    return _verdict(result, fail_under)


def _check(
    names: list[str],
    measures: str,
    precision: float | None,
    level: float,
    samples: int | None,
    seed: int | None,
    jobs: int | None,
) -> None:
    """Refuse values that make no sense before any file is read."""
    import unisono

    if not names or (names != ["all"] and not set(names) <= set(unisono.MEASURES)):
        usage(f"--measure: expected names among {', '.join(unisono.MEASURES)}; found {measures!r}")
    if precision is not None and samples is not None:
        usage("--precision and --samples exclude each other: a number of samples is asked for, or worked out")
    for name, value in (("--precision", precision), ("--level", level)):
        if value is not None and not 0 < value < 1:
            usage(f"{name}: expected a number between 0 and 1, found {value:g}")
    if samples is not None and samples < 2:
        usage(f"--samples: expected at least 2, found {samples}")
    if jobs is not None and jobs < 1:
        usage(f"--jobs: expected at least 1, found {jobs}")
    if seed is not None and not 0 <= seed < 2**64:
        usage(f"--seed: expected a number from 0 to 2**64-1, found {seed}")


def _verdict(result: Result, fail_under: float | None) -> int:
    """The exit code of a result: what was asked for and not reached is said on stderr."""
    code = FINE
    values = [
        (f"{name} of {category or 'units without a category'}", of_category) if value.per_category else (name, value)
        for name, value in result.measures.items()
        for category, of_category in (value.per_category or {None: value}).items()
    ]
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
