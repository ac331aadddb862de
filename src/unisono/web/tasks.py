# SPDX-License-Identifier: MIT
"""What workers do: read an upload, measure it, align a document, compare annotators, vote on a gold standard, report.

A task is a JSON object; its outcome is another. Large things go to files whose paths the service chose.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np  # noqa: F401 - loaded before the first task

from unisono.alignment import best_alignment
from unisono.api import TIME_LIMIT
from unisono.chance import ChanceModel, chance_model
from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem, UnisonoError
from unisono.io import WRITERS, Inspection, inspect, write
from unisono.io.validation import counted
from unisono.measures.family import OBSERVED_SHARE
from unisono.presets import preset
from unisono.report import json_text
from unisono.report.load import load_result
from unisono.report.page import write_report
from unisono.report.save import save
from unisono.web.estimates import measured
from unisono.web.limits import Limits, too_many_units
from unisono.web.settings import dissimilarity, measure_arguments, reading_arguments
from unisono.web.understanding import understood
from unisono.web.words import result_words

if TYPE_CHECKING:
    from unisono.dissimilarity import Dissimilarity
    from unisono.model import Alignment, Continuum, Corpus

Json = Mapping[str, Any]
Tell = Callable[[dict[str, Any]], None]

#: Corpora kept in memory between tasks, at most, and units of them all.
CORPORA = 4
UNITS = 200_000


#: Settings of a measurement that comparing annotators takes too.
_COMPARED = ("preset", "dissimilarity", "chance", "seed", "precision", "level", "time_limit")


class Workshop:
    """Does tasks; remembers the corpora it read last, since the same data are measured again and again."""

    def __init__(self) -> None:
        #: By upload and reading.
        self._corpora: OrderedDict[tuple[str, str], Corpus] = OrderedDict()

    def forget(self, upload: str | None = None) -> None:
        """Give back the memory of what was read: of an upload, or everything."""
        for key in list(self._corpora):
            if upload in (None, key[0]):
                del self._corpora[key]

    def outcome(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The outcome of a task: whatever is wrong with the data or the settings is part of it."""
        work = {
            "read": self._read,
            "measure": self._measure,
            "alignment": self._alignment,
            "pairwise": self._pairwise,
            "gold": self._gold,
            "report": self._report,
        }[task["task"]]
        try:
            return work(task, tell)
        except InputError as error:
            return {"problems": [problem.to_dict() for problem in error.problems]}
        except UnisonoError as error:
            return {"problems": [Problem(error.slug, "error", "", str(error)).to_dict()]}
        except RecursionError:
            error_ = FormatError.of("data nested less deeply", "too many levels", code="too-deep")
            return {"problems": [problem.to_dict() for problem in error_.problems]}

    def _read(self, task: Json, tell: Tell) -> dict[str, Any]:
        inspection = self._inspection(task)
        return understood(task, inspection, lambda: self._inspection(task, skip_invalid=True))

    def _inspection(self, task: Json, *, skip_invalid: bool | None = None) -> Inspection:
        """What the files hold; a corpus of too many units is refused like one that cannot be read."""
        limits = Limits(**task["limits"])
        files = {name: Path(path) for name, path in task["files"].items()}
        arguments = reading_arguments(task["reading"], files)
        if skip_invalid is not None:
            arguments["skip_invalid"] = skip_invalid
        paths = arguments.pop("paths")
        inspection = inspect(paths, size_limit=limits.unpacked, file_limit=limits.files, **arguments)
        corpus = inspection.corpus
        if corpus is not None and corpus.n_units > limits.units:
            problems = (too_many_units(limits, corpus.n_units), *inspection.problems)
            return Inspection(None, problems, inspection.understood, inspection.contents)
        if corpus is not None and skip_invalid is None:
            self._remember(_key(task), corpus)
        return inspection

    def _remember(self, key: tuple[str, str], corpus: Corpus) -> None:
        self._corpora[key] = corpus
        self._corpora.move_to_end(key)
        while self._corpora and (
            len(self._corpora) > CORPORA or sum(known.n_units for known in self._corpora.values()) > UNITS
        ):
            self._corpora.popitem(last=False)

    def _corpus(self, task: Json) -> Corpus:
        """The corpus of a task, from memory or read again."""
        known = self._corpora.get(_key(task))
        if known is not None:
            return known
        inspection = self._inspection(task)
        if inspection.corpus is None:
            raise InputError([problem for problem in inspection.problems if problem.severity == "error"])
        return inspection.corpus

    def _measure(self, task: Json, tell: Tell) -> dict[str, Any]:
        settings = task["settings"]
        arguments = measure_arguments(settings)  # before reading: what is wrong with the settings is said at once
        corpus = self._corpus(task)
        result, warnings = measured(
            corpus,
            arguments,
            samples=settings["samples"],
            estimates=task["estimates"],
            threads=task["threads"],
            tell=tell,
        )
        folder = Path(task["folder"])
        _write(folder / "result.json", json_text(result.to_dict()) + "\n")
        _write(folder / "words.json", json.dumps(result_words(result, warnings), ensure_ascii=False))
        tell({"event": "result"})
        half = folder / "result.half"
        with suppress(InputError):  # no report of it, then; its path says so
            save(result, half, annotators=False)
            half.replace(folder / "result.unisono")
        return {"problems": [], "warnings": warnings}

    def _report(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The report, or the result to be kept: what was saved, with who agrees with whom."""
        corpus, settings = self._corpus(task), task["settings"]
        kept = replace(
            load_result(task["saved"]),
            details=None,
            dissimilarity=dissimilarity(settings).fitted(corpus),
            chance_model=_chance(settings),
        )
        half = Path(task["to"]).with_suffix(".half")
        (write_report if task["form"] == "page" else save)(kept, half, text=task["text"])
        half.replace(task["to"])
        return {}

    def _document(self, corpus: Corpus, name: str | None) -> Continuum:
        if name is None:
            return corpus[0]
        for continuum in corpus:
            if continuum.name == name:
                return continuum
        raise ParameterError.of(
            "the name of a document", repr(name), f"there are {counted(len(corpus), 'document')}", code="document"
        )

    def _alignment(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The best alignment of a document, or of every one, as it was measured."""
        corpus, settings = self._corpus(task), task["settings"]
        fitted = dissimilarity(settings).fitted(corpus)
        limit = (settings["time_limit"] or TIME_LIMIT) * OBSERVED_SHARE
        merges = preset(settings["preset"]).merges_equal_units

        def aligned(continuum: Continuum) -> Alignment:
            return best_alignment(continuum.without_equal_units() if merges else continuum, fitted, time_limit=limit)

        if task["format"] == "view":
            shown = _view(self._document(corpus, task["document"]), aligned, fitted)
            _write(Path(task["to"]), json.dumps(shown, ensure_ascii=False, allow_nan=False))
            return {}
        if not task["every"]:
            alignments = [aligned(self._document(corpus, task["document"]))]
        else:
            alignments = []
            for continuum in corpus:
                with suppress(CorpusError):  # nothing to align there, as the result says
                    alignments.append(aligned(continuum))
        _write(Path(task["to"]), _shown_alignments(alignments, fitted, task["format"]))
        return {}

    def _gold(self, task: Json, tell: Tell) -> dict[str, Any]:
        from unisono.consensus import gold
        from unisono.report.gold import adjudication_table

        settings = task["settings"]
        made = gold(
            self._corpus(task),
            vote=task["vote"],
            boundaries=task["boundaries"],
            min_annotators=task["min_annotators"],
            dissimilarity=dissimilarity(settings),
            threads=task["threads"],
            time_limit=settings["time_limit"],
        )
        if task["format"] == "json":
            _write(Path(task["to"]), json_text(made.to_dict()) + "\n")
        elif task["format"] == "adjudication":
            _write(Path(task["to"]), adjudication_table(made).text("csv"))
        else:
            _write_archive(Path(task["to"]), made.corpus(), task["format"])
        return {}

    def _pairwise(self, task: Json, tell: Tell) -> dict[str, Any]:
        from unisono.annotators import leave_one_out, pairwise

        arguments = measure_arguments(task["settings"])
        kept = {key: arguments[key] for key in _COMPARED if key in arguments}
        corpus = self._corpus(task)
        options = {**kept, "samples": task["settings"]["samples"], "threads": task["threads"]}
        matrix = pairwise(corpus, task["measure"], **options)
        rows = []
        if len(matrix.annotators) >= 3:
            rows = [
                each.to_dict() for each in leave_one_out(corpus, task["measure"], **{**options, "seed": matrix.seed})
            ]
        _write(Path(task["to"]), json_text({"schema": 1, **matrix.to_dict(), "leave_one_out": rows}) + "\n")
        return {}


def _key(task: Json) -> tuple[str, str]:
    return task["upload"], json.dumps(task["reading"], sort_keys=True)


def _chance(settings: Json) -> ChanceModel:
    name = settings["chance"]
    return preset(settings["preset"]).chance if name is None else chance_model(name)


def _view(continuum: Continuum, aligned: Callable[[Continuum], Alignment], fitted: Dissimilarity) -> dict[str, Any]:
    """A document for the viewer, with its alignment if there can be one."""
    from unisono.report.view import view

    try:
        alignment = aligned(continuum)
    except CorpusError:
        return view(continuum, None, fitted)
    return view(alignment.continuum, alignment, fitted)


def _shown_alignments(alignments: Sequence[Alignment], fitted: Dissimilarity, format: str) -> str:
    """Alignments as the command line exports them."""
    from unisono.report.alignment_table import as_dict, by_unitary_alignment, rows

    documents = {alignment.continuum.name: alignment for alignment in alignments}
    shown = [row for name, alignment in documents.items() for row in rows(name, alignment)]
    if format == "csv":
        return by_unitary_alignment(documents, shown).text("csv")
    return json_text(as_dict(documents, shown, dissimilarity=fitted.signature)) + "\n"


def _write_archive(path: Path, corpus: Corpus, format: str) -> None:
    """The corpus in another format, whose files, often several, go into an archive."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        inside = Path(folder)
        suffixes = WRITERS[format].suffixes
        target = inside / (f"gold{suffixes[0]}" if suffixes and len(corpus) == 1 else "gold")
        write(corpus, target, format=format)
        half = path.with_suffix(".half")
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(inside.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(inside).as_posix())
        half.replace(path)


def _write(path: Path, text: str) -> None:
    """Whole or not at all: a worker may be ended at any time."""
    half = path.with_suffix(".half")
    half.write_text(text, encoding="utf-8")
    half.replace(path)
