# SPDX-License-Identifier: MIT
"""`unisono shuffle`: annotations with errors of known kind and magnitude, and the truth about them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.command_options import Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.run import FINE, command, emit, page, say, usage, usage_errors
from unisono.cli.targets import check_format, check_free, write_corpus
from unisono.settings import Reading, draw_seed

if TYPE_CHECKING:
    from unisono import Corpus
    from unisono.shuffling import Errors, ReferenceModel, Shuffled

_OUTPUT = "Output"
_TYPES = "false-negatives, category, confusion, position, boundaries, habit, merges, splits, false-positives"
_OF_TEXTS = ("text", "segmentation", "label")


@command
def shuffle(
    *,
    error: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE[:KEY=VALUE,...]",
            help=f"What goes wrong: {_TYPES}; may be given again. See docs/shuffling.md.",
            show_default=False,
        ),
    ] = None,
    magnitude: Annotated[
        float, typer.Option(metavar="X", help="How much goes wrong: 0 nothing, 1 all is chance.", show_default=False)
    ],
    sets: Annotated[int, typer.Option(metavar="N", help="How many documents.")] = 40,
    annotators: Annotated[
        str, typer.Option(metavar="N|A,B,...", help="How many annotators in each, or their names.")
    ] = "3",
    unequal: Annotated[
        str | None,
        typer.Option(
            metavar="S|F,F,...",
            help="Annotators of unequal skill: a factor of the magnitude for each, or one spread from which they are "
            "drawn.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Start of the random numbers.")] = None,
    like: Annotated[
        bool, typer.Option("--like", help="PATH holds annotations to fit a model of references to, instead of a model.")
    ] = False,
    common_reference: Annotated[
        bool, typer.Option("--common-reference", help="One reference for all documents, instead of one for each.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("-o", "--out", metavar="PATH", help="Where to write the annotations.", rich_help_panel=_OUTPUT),
    ] = None,
    to: Annotated[
        str | None, option(_OUTPUT, "Format to write, if the ending of the path does not tell.", "NAME")
    ] = None,
    truth: Annotated[str | None, option(_OUTPUT, "Write what was done to each unit to this CSV file.", "FILE")] = None,
    reference: Annotated[str | None, option(_OUTPUT, "Write the references, too, in the same format.", "PATH")] = None,
    save_model: Annotated[
        str | None, option(_OUTPUT, "Write the model of references to this TOML file.", "FILE")
    ] = None,
    overwrite: Annotated[bool, option(_OUTPUT, "Replace files that exist.", name="--overwrite")] = False,
    json: Json = False,
    paths: Paths,
    reading: Reading,
) -> int:
    """Make annotations with known errors, to see how a measure reacts to them: the corpus shuffling tool.

    PATH is a model of reference annotations, a small TOML file; with --like, annotations that a model is fitted to.
    Each document is made on a reference of its own by annotators who err independently. Without -o a table says what
    would be written.
    """
    import unisono
    from unisono.shuffling import shuffled_sets

    errors = _errors(error or [])
    _check_targets({"-o": out, "--truth": truth, "--reference": reference, "--save-model": save_model}, to, overwrite)
    with usage_errors():
        start = draw_seed(seed)
    model = _model(paths, reading, like=like)
    with usage_errors():
        documents = list(
            shuffled_sets(
                model,
                errors,
                magnitude,
                sets=sets,
                annotators=_parse_annotators(annotators),
                seed=start,
                own_reference=not common_reference,
                unequal=_parse_unequal(unequal),
            )
        )
    corpus = unisono.Corpus(tuple(shuffled.continuum for shuffled in documents))
    if out is not None:
        write_corpus(corpus, out, to, overwrite=overwrite)
    if reference is not None:
        first = {shuffled.reference.name: shuffled.reference for shuffled in documents}
        write_corpus(unisono.Corpus(tuple(first.values())), reference, to, overwrite=overwrite)
    if truth is not None:
        _write_truth(documents, truth)
    if save_model is not None:
        model.to_toml(save_model)
        say(f"wrote {save_model}")
    summary = _summary(model, errors, magnitude, documents, corpus, start)
    summary["unequal"] = _parse_unequal(unequal)
    if json:
        from unisono.report import json_text

        emit(json_text(summary))
    elif out is None:
        _show(summary)
    return FINE


def _errors(texts: Sequence[str]) -> list[Errors]:
    """The error types that the options name."""
    from unisono.shuffling import parse_errors

    if not texts:
        usage(f"--error is missing. Name what goes wrong: {_TYPES}.")
    for text in texts:
        if text.partition(":")[0] in _OF_TEXTS:
            usage(f"--error {text}: errors of texts are made in Python, with unisono.shuffling.shuffle_text")
    with usage_errors():
        return [parse_errors(text) for text in texts]


def _check_targets(targets: dict[str, str | None], to: str | None, overwrite: bool) -> None:
    """Check before the work that the results can be written."""
    check_format(to)
    given = [path for path in targets.values() if path is not None]
    for name, path in targets.items():
        if path is not None and given.count(path) > 1:
            usage(f"{name}: {path} is named twice")
        if path is not None:
            check_free(path, overwrite=overwrite, option=name)


def _model(paths: Sequence[str], reading: Reading, *, like: bool) -> ReferenceModel:
    """The model in the file, or the one fitted to the annotations."""
    import unisono

    if like:
        return unisono.shuffling.ReferenceModel.fitted(read(paths, reading))
    if len(paths) != 1 or not paths[0].endswith(".toml"):
        usage("PATH must be one model of references, FILE.toml. With --like, it is annotations to fit a model to.")
    return unisono.shuffling.ReferenceModel.from_toml(Path(paths[0]))


def _parse_annotators(text: str) -> int | list[str]:
    """A number, or names."""
    try:
        return int(text)
    except ValueError:
        return [name.strip() for name in text.split(",")]


def _parse_unequal(text: str | None) -> float | list[float] | None:
    """One number, or several."""
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        usage(f"--unequal {text}: give one number, or one for each annotator, separated by commas")
    return numbers if "," in text else numbers[0]


def _write_truth(documents: Sequence[Shuffled], path: str) -> None:
    """One table for all documents."""
    from unisono.shuffling.truth import COLUMNS
    from unisono.whole_files import replacement

    with replacement(path) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for shuffled in documents:
            writer.writerows(shuffled.truth.rows())
    say(f"wrote {path}: what was done to each unit")


def _summary(
    model: ReferenceModel,
    errors: Sequence[Errors],
    magnitude: float,
    documents: Sequence[Shuffled],
    corpus: Corpus,
    seed: int,
) -> dict[str, Any]:
    """What was made, for people and programs."""
    import unisono
    from unisono.shuffling import describe_errors

    counts: Counter[str] = sum((shuffled.truth.counts() for shuffled in documents), Counter())
    words = ("kept", "moved", "category", "split", "merged", "missed", "added")
    return {
        "schema": 1,
        "unisono": unisono.__version__,
        "seed": seed,
        "magnitude": magnitude,
        "errors": [describe_errors(error) for error in errors],
        "model": model.to_dict(),
        "documents": len(corpus),
        "annotators": list(corpus.annotators),
        "reference_units": sum(len(shuffled.reference) for shuffled in documents),
        "units": corpus.n_units,
        "truth": {word: counts[word] for word in words},
    }


def _show(summary: dict[str, Any]) -> None:
    """A short table."""
    from unisono.report.text_page import add_rows

    sheet = page()
    marked = summary["reference_units"] * len(summary["annotators"])
    rows = [
        ("documents", f"{summary['documents']:,}", ""),
        ("annotators", f"{len(summary['annotators']):,}", "the reference is none of them"),
        ("units of the references", f"{summary['reference_units']:,}", ""),
        ("units of the annotators", f"{summary['units']:,}", f"{marked:,} without errors"),
    ]
    rows += [(word, f"{count:,}", _MEANING[word]) for word, count in summary["truth"].items() if count]
    add_rows(sheet, ["what was made", "", ""], rows)
    sheet.line(f"seed {summary['seed']}, magnitude {summary['magnitude']:g}; nothing was written: name a path with -o")
    emit(str(sheet))


_MEANING = {
    "kept": "as in the reference",
    "moved": "other boundaries",
    "category": "another category",
    "split": "pieces of a unit",
    "merged": "units joined with others",
    "missed": "units not marked",
    "added": "units that are not in the reference",
}
