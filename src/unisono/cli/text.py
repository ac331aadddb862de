# SPDX-License-Identifier: MIT
"""`unisono text`: text-γ of one text of which each annotator has a version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import Json, option
from unisono.cli.run import DATA, FINE, LIMIT, command, emit, page, say, usage, usage_errors
from unisono.cli.working import keywords
from unisono.settings import PRECISION, Correcting, Reading, SearchLimits, check_values

if TYPE_CHECKING:
    from unisono import Result
    from unisono.text import ReadingOptions

_FILES = "Files"
_SHOWING = "The alignment of the versions"


class TextFormat(StrEnum):
    """Formats with one version of a text in a file; units: any other format with texts, see `unisono formats`."""

    cora = "cora"
    conllu = "conllu"
    tsv = "tsv"
    json = "json"
    units = "units"


@dataclass(frozen=True, slots=True)
class TextFiles:
    """How the files of versions are read: settings of Reading that hold for texts, under the same names."""

    base: Annotated[str | None, option(_FILES, "The pre-annotation that the annotators started from.", "FILE")] = None
    text_format: Annotated[TextFormat | None, option(_FILES, "Format of the files, if their names do not tell it.")] = (
        None
    )
    sentences: Annotated[bool, option(_FILES, "Sentences are units too.", name="--sentences")] = False
    token_columns: Annotated[
        str | None, option(_FILES, "Columns of a TSV file without a header: form,pos,...", "NAMES")
    ] = None
    document: Annotated[str | None, option(_FILES, "Of files of units: which document.", "NAME")] = None
    annotator_from: Annotated[
        str | None, option(_FILES, "Of files of units: where annotators' names are, as for measure.", "RULE")
    ] = None
    category_from: Annotated[
        str | None, option(_FILES, "Of files of units: the feature that is the category.", "FEATURE")
    ] = None
    layer: Annotated[
        str | None, option(_FILES, "CorA-XML: mod (if not given) or dipl; of files of units: which layer.", "NAME")
    ] = None
    text_from: Annotated[str | None, option(_FILES, "CorA-XML: utf, trans, simple or ascii.", "NAME")] = None
    split_symbol: Annotated[str, option(_FILES, "CorA-XML, trans: cuts a token in two.", "SIGN")] = "|"
    merge_symbol: Annotated[str, option(_FILES, "CorA-XML, trans: joins two tokens.", "SIGN")] = "#"

    def options(self) -> ReadingOptions:
        from unisono.text import ReadingOptions

        with usage_errors():
            check_values(Reading, {"text_from": self.text_from})
        return ReadingOptions(
            format=None if self.text_format is None else self.text_format.value,
            sentences=self.sentences,
            columns=self.token_columns.split(",") if self.token_columns else None,
            document=self.document,
            layout={"annotator_from": self.annotator_from, "category_from": self.category_from},
            layer=self.layer,
            text_from=self.text_from,
            split_symbol=self.split_symbol,
            merge_symbol=self.merge_symbol,
        )


def read_as_text(reading: Reading, format: TextFormat | None, document: str | None) -> Reading:
    """The settings of reading with the options of `unisono text` that `measure` also takes."""
    from unisono.text.version_reading import NAMES

    if format is not None:
        is_units = format is TextFormat.units
        name = reading.format if is_units else NAMES.get(format.value, format.value)
        reading = replace(reading, format=name, versions=not is_units)
    return reading if document is None else replace(reading, only_documents=(document,))


@dataclass(frozen=True, slots=True)
class TextOutput:
    """What is shown of the alignment of the versions; `measure` has the same options for text-gamma."""

    as_csv: Annotated[bool, option(_SHOWING, "Print the alignment of the versions as CSV.", name="--csv")] = False
    alignment: Annotated[bool, option(_SHOWING, "Show what differs, side by side.", name="--alignment")] = False
    whole: Annotated[bool, option(_SHOWING, "With --alignment: show what does not differ, too.", name="--whole")] = (
        False
    )
    escape_formulas: Annotated[
        bool,
        option(
            _SHOWING, "With --csv: put ' before texts that a spreadsheet takes for formulas.", name="--escape-formulas"
        ),
    ] = False

    def check(self, *, as_json: bool) -> None:
        """Refuse options that exclude each other."""
        if self.as_csv and as_json:
            usage("--csv and --json exclude each other")
        if self.escape_formulas and not self.as_csv:
            usage("--escape-formulas is for --csv")


def emit_text_result(result: Result, output: TextOutput, *, as_json: bool, all_documents: bool = False) -> None:
    """Print the result of text-γ and as much of the alignments as is asked for."""
    from unisono.report import json_text
    from unisono.report.version_table import add_text_result, as_dict
    from unisono.report.version_table import as_csv as alignment_csv
    from unisono.results import TEXT_MEASURE

    aligned = [document[TEXT_MEASURE].text_alignment for document in result.documents]
    if as_json:
        data = result.to_dict()
        # The alignment of the only document stands beside its values; those of several with each document.
        places = [data] if len(aligned) == 1 else data["documents"]
        for place, alignment in zip(places, aligned, strict=True):
            if output.alignment and alignment is not None:
                place["alignment"] = as_dict(alignment)
        emit(json_text(data))
    elif output.as_csv:
        (alignment,) = aligned
        emit("" if alignment is None else alignment_csv(alignment, escape_formulas=output.escape_formulas))
    else:
        sheet = page()
        add_text_result(
            sheet,
            result,
            alignment=output.alignment,
            differences_only=not output.whole,
            all_documents=all_documents,
        )
        emit(str(sheet))


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
    output: TextOutput,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Start of the random numbers.")] = None,
    samples: Annotated[int | None, typer.Option(metavar="N", help="A fixed number of random samples.")] = None,
    precision: Annotated[
        float, typer.Option(metavar="X", help="Relative precision of the expected disorder.")
    ] = PRECISION,
    level: Annotated[float, typer.Option(metavar="X", help="Confidence level of precision and interval.")] = 0.95,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Threads. Changes no number.")] = None,
    fail_under: Annotated[float | None, typer.Option(metavar="X", help="Exit with 3 below X or undefined.")] = None,
    correcting: Correcting,
    files: TextFiles,
    limits: SearchLimits,
) -> int:
    """Measure how far annotators agree who also corrected the text: text-γ.

    Prints text-γ, how many units differ in text, segmentation and each feature, and, with --alignment, which ones.
    `unisono measure --measure text-gamma` does the same for any number of documents.

    Exit codes: 0 fine; 1 the data cannot be read or measured; 2 wrong usage; 3 a limit was reached or --fail-under
    was not met; 130 interrupted.
    """
    import unisono
    from unisono.measures.text_gamma import MEASURE
    from unisono.text.version_reading import read_document, versions_with_features

    output.check(as_json=json)
    how = {**keywords(correcting), "seed": seed, "samples": samples, "level": level, "threads": jobs}
    document = read_document(paths, base=files.base, options=files.options())
    versions_with_features(document, None)  # raises for files without a text, before measuring
    result = unisono.measure(
        document,
        MEASURE,
        precision=None if samples is not None else precision,
        time_limit=limits.time_limit,
        memory_limit=limits.memory_limit,
        **how,
    )
    emit_text_result(result, output, as_json=json)
    value = result[MEASURE]
    if value.value is None:
        say(f"unisono: {MEASURE} is undefined: {value.reason}")
        return DATA if fail_under is None else LIMIT
    if fail_under is not None and value.value < fail_under:
        say(f"unisono: {MEASURE} is {value.value:.6g}, below --fail-under {fail_under:g}")
        return LIMIT
    return FINE
