# SPDX-License-Identifier: MIT
"""text-γ on the command line: its options, and the run that `measure --measure text-gamma` and `text` share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.options import Json, Limits, option
from unisono.cli.run import DATA, FINE, LIMIT, command, emit, page, say, usage, usage_errors

if TYPE_CHECKING:
    from unisono.text import RandomEdits, ReadingOptions, TextDissimilarity
    from unisono.text.edits import Probability

_TEXT = "Versions of a text (text-gamma)"
_ESTIMATED = "a probability; MEAN,STRENGTH: a prior (MAP); estimated if not given."


class TextDistanceKind(StrEnum):
    """How texts are compared."""

    nominal = "nominal"
    levenshtein = "levenshtein"


class TextFormat(StrEnum):
    """Formats with one version of a text in a file; units: any other format with texts, see `unisono formats`."""

    cora = "cora"
    conllu = "conllu"
    tsv = "tsv"
    json = "json"
    units = "units"


@dataclass(frozen=True, slots=True)
class TextOptions:
    """What only text-γ asks for."""

    base: Annotated[str | None, option(_TEXT, "The pre-annotation that the annotators started from.", "FILE")] = None
    p_text: Annotated[str | None, option(_TEXT, f"Edits of the text, per unit: {_ESTIMATED}", "P")] = None
    p_seg: Annotated[str | None, option(_TEXT, f"Changes of segmentation, per unit: {_ESTIMATED}", "P")] = None
    p_label: Annotated[str | None, option(_TEXT, f"Labels of the base replaced: {_ESTIMATED}", "P")] = None
    p_further: Annotated[float, option(_TEXT, "One more edit of an edited unit, and so on.", "P")] = 0.0
    gap_t: Annotated[float, option(_TEXT, "Cost of a gap at a character.", "X")] = 1.0
    gap_b: Annotated[float, option(_TEXT, "Cost of a gap at a boundary.", "X")] = 1.0
    count_gaps: Annotated[
        bool, option(_TEXT, "Stretches without any unit count as units of their own.", name="--count-gaps")
    ] = False
    text_distance: Annotated[TextDistanceKind, option(_TEXT, "How texts are compared.")] = TextDistanceKind.nominal
    feature: Annotated[
        list[str] | None, option(_TEXT, "A feature that counts; all if not given. May be repeated.", "NAME")
    ] = None
    text_format: Annotated[TextFormat | None, option(_TEXT, "Format of the files, if not told by their names.")] = None
    sentences: Annotated[bool, option(_TEXT, "Sentences of CoNLL-U are units too.", name="--sentences")] = False
    token_columns: Annotated[
        str | None, option(_TEXT, "Columns of a TSV file without a header: form,pos,...", "NAMES")
    ] = None
    document: Annotated[str | None, option(_TEXT, "Of files of units: which document.", "NAME")] = None
    annotator_from: Annotated[
        str | None, option(_TEXT, "Of files of units: where annotators' names are, as for measure.", "RULE")
    ] = None
    category_from: Annotated[
        str | None, option(_TEXT, "Of files of units: the feature that is the category.", "FEATURE")
    ] = None
    layer: Annotated[
        str | None, option(_TEXT, "CorA-XML: mod (if not given) or dipl; of files of units: which layer.", "NAME")
    ] = None
    text_from: Annotated[str | None, option(_TEXT, "CorA-XML: utf, trans, simple or ascii.", "NAME")] = None
    split_symbol: Annotated[str, option(_TEXT, "CorA-XML, trans: cuts a token in two.", "SIGN")] = "|"
    merge_symbol: Annotated[str, option(_TEXT, "CorA-XML, trans: joins two tokens.", "SIGN")] = "#"

    def reading(self) -> ReadingOptions:
        from unisono.text import ReadingOptions

        return ReadingOptions(
            format=None if self.text_format is None else self.text_format.value,
            features=self.feature or None,
            sentences=self.sentences,
            columns=self.token_columns.split(",") if self.token_columns else None,
            document=self.document,
            layout={"annotator_from": self.annotator_from, "category_from": self.category_from},
            layer=self.layer,
            text_from=self.text_from,
            split_symbol=self.split_symbol,
            merge_symbol=self.merge_symbol,
        )

    def chance(self) -> RandomEdits:
        from unisono.text import RandomEdits

        with usage_errors():
            return RandomEdits(
                _probability("--p-text", self.p_text),
                _probability("--p-seg", self.p_seg),
                _probability("--p-label", self.p_label),
                self.p_further,
            )

    def dissimilarity(self) -> TextDissimilarity:
        from unisono.text import TextDissimilarity

        with usage_errors():
            return TextDissimilarity(self.text_distance.value, tuple(self.feature) if self.feature else None)


def _probability(name: str, text: str | None) -> Probability:
    """`0.25`, or `0.25,100` for a prior, or nothing: estimated."""
    from unisono.text import Prior

    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        usage(f"{name}: expected a number, or MEAN,STRENGTH; found {text!r}")
    return numbers[0] if len(numbers) == 1 else Prior(*numbers)


def run_text(
    paths: list[str],
    options: TextOptions,
    *,
    as_json: bool = False,
    as_csv: bool = False,
    alignment: bool = False,
    whole: bool = False,
    seed: int | None = None,
    samples: int | None = None,
    precision: float = 0.02,
    level: float = 0.95,
    jobs: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    fail_under: float | None = None,
) -> int:
    """Measure text-γ of files and print it; the exit code."""
    from unisono.report.text import add_text_result
    from unisono.report.text import as_csv as alignment_csv
    from unisono.text.columns import MEMORY_LIMIT
    from unisono.texts import MEASURE, measure_text

    chance, dissimilarity = options.chance(), options.dissimilarity()
    result = measure_text(
        paths,
        base=options.base,
        reading=options.reading(),
        dissimilarity=dissimilarity,
        chance=chance,
        gap_t=options.gap_t,
        gap_b=options.gap_b,
        count_gaps=options.count_gaps,
        seed=seed,
        samples=samples,
        precision=precision,
        level=level,
        threads=jobs,
        time_limit=time_limit,
        memory_limit=memory_limit or MEMORY_LIMIT,
    )
    if as_json:
        from unisono.report import json_text
        from unisono.report.text import as_dict

        data = result.to_dict()
        if alignment and result.alignment is not None:
            data["alignment"] = as_dict(result.alignment)
        emit(json_text(data))
    elif as_csv:
        emit(alignment_csv(result.alignment) if result.alignment is not None else "")
    else:
        sheet = page()
        add_text_result(sheet, result, alignment=alignment, differences_only=not whole)
        emit(str(sheet))
    value = result[MEASURE]
    if value.value is None:
        say(f"unisono: {MEASURE} is undefined: {value.reason}")
        return DATA if fail_under is None else LIMIT
    if fail_under is not None and value.value < fail_under:
        say(f"unisono: {MEASURE} is {value.value:.6g}, below --fail-under {fail_under:g}")
        return LIMIT
    return FINE


@command
def text(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="One file per annotator; one JSON file; or a folder of units.", show_default=False
        ),
    ],
    json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the alignment as CSV.")] = False,
    alignment: Annotated[bool, typer.Option("--alignment", help="Show what differs, side by side.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="With --alignment: show what does not differ too.")] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Start of the random numbers.")] = None,
    samples: Annotated[int | None, typer.Option(metavar="N", help="A fixed number of random samples.")] = None,
    precision: Annotated[float, typer.Option(metavar="X", help="Relative precision of the expected disorder.")] = 0.02,
    level: Annotated[float, typer.Option(metavar="X", help="Confidence level of precision and interval.")] = 0.95,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Threads. Changes no number.")] = None,
    fail_under: Annotated[float | None, typer.Option(metavar="X", help="Exit with 3 below X or undefined.")] = None,
    options: TextOptions,
    limits: Limits,
) -> int:
    """Measure how far annotators agree who also corrected the text: text-γ.

    Prints text-γ, how many units differ in text, segmentation and each feature, and, with --alignment, which ones.

    Exit codes: 0 fine; 1 the data cannot be read or measured; 2 wrong usage; 3 a limit was reached or --fail-under
    was not met; 130 interrupted.
    """
    if as_csv and json:
        usage("--csv and --json exclude each other")
    time_limit, memory_limit = limits.checked()
    return run_text(
        paths,
        options,
        as_json=json,
        as_csv=as_csv,
        alignment=alignment,
        whole=whole,
        seed=seed,
        samples=samples,
        precision=precision,
        level=level,
        jobs=jobs,
        time_limit=time_limit,
        memory_limit=memory_limit,
        fail_under=fail_under,
    )
