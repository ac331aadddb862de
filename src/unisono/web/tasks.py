# SPDX-License-Identifier: MIT
"""The tasks of workers: read an upload, measure it, align documents, compare annotators, make a gold standard, report.

A task is a JSON object, and so is its outcome. Large outputs are written to files whose paths the service chose.
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
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np  # noqa: F401 - loaded before the first task

from unisono.alignment import best_alignment
from unisono.api import plan_measurement
from unisono.diagnosis.alignment_columns import alignment_of
from unisono.diagnosis.explanation import Explanation, explain
from unisono.diagnosis.explanation_work import is_quick_to_explain
from unisono.errors import CorpusError, InputError, ParameterError, Problem, UnisonoError, name_settings_by
from unisono.io import WRITERS, Inspection, inspect, write
from unisono.measures.measure_names import measure_name
from unisono.nouns import quantity
from unisono.presets import preset
from unisono.report import json_text
from unisono.report.chart_numbers import overview
from unisono.report.data import ReportData
from unisono.report.details import details_of, main_measure
from unisono.report.load import load_result
from unisono.report.page import write_page
from unisono.report.save import save
from unisono.settings import option_name
from unisono.web.arguments import dissimilarity, measure_arguments, reading_arguments
from unisono.web.estimates import measure_with_estimates
from unisono.web.limits import Limits, too_many_units
from unisono.web.result_texts import result_words
from unisono.web.understanding import describe_upload
from unisono.whole_files import replacement, write_whole

if TYPE_CHECKING:
    from unisono.dissimilarity import Dissimilarity
    from unisono.model import Alignment, Continuum, Corpus
    from unisono.results import Result

Json = Mapping[str, Any]
Tell = Callable[[dict[str, Any]], None]

#: Corpora kept in memory between tasks, results, explanations and alignments likewise; the units of each kind in total.
CORPORA = 4
ALIGNMENTS = 50
UNITS = 200_000


Item = TypeVar("Item")


class Recent(Generic[Item]):
    """What was used last: at most so many items, and so many units in all of them together."""

    def __init__(self, most: int = CORPORA) -> None:
        self._most = most
        #: By upload and whatever else tells them apart, with their numbers of units.
        self._items: OrderedDict[tuple[str, str], tuple[Item, int]] = OrderedDict()

    def get(self, key: tuple[str, str]) -> Item | None:
        if key not in self._items:
            return None
        self._items.move_to_end(key)
        return self._items[key][0]

    def put(self, key: tuple[str, str], item: Item, n_units: int) -> None:
        self._items[key] = item, n_units
        self._items.move_to_end(key)
        while self._items and (len(self._items) > self._most or sum(n for _, n in self._items.values()) > UNITS):
            self._items.popitem(last=False)

    def forget(self, upload: str | None) -> None:
        """Drop the items of an upload, or all."""
        for key in list(self._items):
            if upload in (None, key[0]):
                del self._items[key]


class Workshop:
    """Does tasks; keeps what it used last in memory, since the same data are often asked about again."""

    def __init__(self) -> None:
        self._corpora: Recent[Corpus] = Recent()
        self._results: Recent[Result] = Recent()
        self._explanations: Recent[Explanation] = Recent()
        #: Alignments of documents for which no result has one.
        self._alignments: Recent[Alignment] = Recent(ALIGNMENTS)

    def forget(self, upload: str | None = None) -> None:
        """Drop the data of an upload, or all data, from memory."""
        for recent in (self._corpora, self._results, self._explanations, self._alignments):
            recent.forget(upload)

    def outcome(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The outcome of a task; problems with the data or the settings are part of it."""
        work = {
            "read": self._read,
            "measure": self._measure,
            "alignment": self._alignment,
            "pairwise": self._pairwise,
            "gold": self._gold,
            "report": self._report,
            "overview": self._overview,
            "comparison": self._comparison,
            "explanation": self._explanation,
        }[task["task"]]
        try:
            return work(task, tell)
        except InputError as error:
            return {"problems": [problem.to_dict() for problem in error.problems]}
        except UnisonoError as error:
            return {"problems": [Problem(error.slug, "error", "", str(error)).to_dict()]}
        except RecursionError:
            message, remedy = "the data are nested too deeply", "Is this the right file?"
            return {"problems": [Problem("too-deep", "error", "", message, remedy).to_dict()]}

    def _read(self, task: Json, tell: Tell) -> dict[str, Any]:
        inspection = self._inspection(task)
        return describe_upload(task, inspection, lambda: self._inspection(task, skip_invalid=True))

    def _inspection(self, task: Json, *, skip_invalid: bool | None = None) -> Inspection:
        """The content of the files; a corpus with too many units is refused like one that cannot be read."""
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
            self._corpora.put(_key(task), corpus, corpus.n_units)
        return inspection

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
        arguments = measure_arguments(settings)  # before reading, so that wrong settings are reported at once
        corpus = self._corpus(task)
        done = measure_with_estimates(
            corpus,
            arguments,
            samples=settings["samples"],
            estimates=task["estimates"],
            threads=task["threads"],
            tell=tell,
        )
        folder = Path(task["folder"])
        before = name_settings_by(option_name)  # the object that `unisono measure --json` prints, to the byte
        _write(folder / "result.json", json_text(done.result.to_dict()) + "\n")
        name_settings_by(before)
        words = result_words(done.result, is_precise=done.is_precise)
        _write(folder / "words.json", json.dumps(words, ensure_ascii=False))
        tell({"event": "result"})
        saved = folder / "result.unisono"
        try:
            save(done.result, saved, annotators=False)
        except InputError as error:  # the result stays without a file: requests for its report are refused
            if error.problems[0].code == "unwritable":
                raise
        else:
            self._results.put((task["upload"], str(saved)), done.result, corpus.n_units)
        return {"problems": [], "warnings": done.warnings}

    def _saved_result(self, task: Json) -> Result | None:
        """The saved result of the job, as if it had just been measured; None if there is none, or not yet."""
        key = task["upload"], task["saved"]
        known = self._results.get(key)
        if known is not None or not Path(task["saved"]).exists():
            return known
        result = load_result(task["saved"])
        _, plan = plan_measurement(result.corpus, list(result.measures), None, None, _settings(task))
        result = replace(result, plan=plan, dissimilarity=plan.resolved.dissimilarity)
        self._results.put(key, result, result.data.units)
        return result

    def _needed_result(self, task: Json) -> Result:
        """The saved result of the job; a ParameterError if there is none."""
        result = self._saved_result(task)
        if result is None:
            raise ParameterError.of("the job has no result", "Measure again.", code="not-ready")
        return result

    def _report(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The report, or the saved result: what was measured, with the tables of annotators."""
        result, kept = self._result_with_annotators(task)
        if task["form"] == "page":
            data = ReportData.of(result, text=task["text"])
            write_page(task["to"], data, self._find_explanation(task, result, at_once=is_quick_to_explain(data.corpus)))
        else:
            save(result, task["to"], text=task["text"])
        return {"kept": kept}

    def _find_explanation(self, task: Json, result: Result, *, at_once: bool) -> Explanation | None:
        """The explanation of a result, which measures again: the one computed before, or, `at_once`, a new one."""
        key = task["upload"], task["saved"]
        known = self._explanations.get(key)
        if known is None and at_once:
            known = explain(result)
            self._explanations.put(key, known, result.data.units)
        return known

    def _overview(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The numbers behind the charts, with the tables of annotators where they take little time."""
        result, kept = self._result_with_annotators(task)
        _write(Path(task["to"]), json.dumps(overview(ReportData.of(result)), ensure_ascii=False, allow_nan=False))
        return {"kept": kept}

    def _explanation(self, task: Json, tell: Tell) -> dict[str, Any]:
        """What the value means: findings with their gains, error equivalents, what-if; it measures again."""
        result = self._needed_result(task)
        explanation = self._find_explanation(task, result, at_once=True)
        assert explanation is not None
        _write(Path(task["to"]), json_text(explanation.to_dict()) + "\n")
        return {}

    def _comparison(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The result of the job beside that of another one: documents are paired if both have the same."""
        from unisono.analysis.compare import compare
        from unisono.report.comparison_page import comparison_overview

        second, first = self._needed_result(task), load_result(task["with"])
        measure = main_measure(second)
        if measure not in first.measures:
            raise ParameterError.of(
                f"the other result has no {measure}", "Measure both with the same measures.", code="not-ready"
            )
        names = [{document.name for document in result.documents} for result in (first, second)]
        design: Any = "paired" if names[0] == names[1] and len(names[0]) > 1 else "unpaired"
        compared = compare(second, first, design=design, measure=measure)
        shown = comparison_overview(first, second, compared, tuple(task["names"]))
        _write(Path(task["to"]), json.dumps(shown, ensure_ascii=False, allow_nan=False))
        return {}

    def _result_with_annotators(self, task: Json) -> tuple[Result, int]:
        """The result with the tables of annotators, kept with the job or measured now, and the bytes kept."""
        result = self._needed_result(task)
        kept = 0
        measure = main_measure(result)
        tables = _kept_tables(task, measure)
        if tables is None:
            measured = details_of(result).annotators  # they stay with the result, too
            kept = 0 if measured is None else _keep_tables(task, measure, measured)
        else:
            details = replace(details_of(result, annotators=False), annotators=tables, annotators_reason=None)
            result = replace(result, details=details)
        return result, kept

    def _document(self, corpus: Corpus, name: str | None) -> Continuum:
        if name is None:
            return corpus[0]
        for continuum in corpus:
            if continuum.name == name:
                return continuum
        raise ParameterError.of(
            f"there is no document called {name!r} among {quantity(len(corpus), 'document')}",
            "Give the name of a document of the data.",
            code="document",
        )

    def _alignment(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The best alignment of one document or of all: that of the result, or else made with its settings."""
        result = self._saved_result(task)
        corpus = self._corpus(task) if result is None or result.corpus is None else result.corpus
        fitted = dissimilarity(task["settings"]).fitted(corpus)
        stored = {} if result is None else {each.name: alignment_of(each) for each in result.documents}

        def align(continuum: Continuum) -> Alignment:
            return stored.get(continuum.name) or self._align(task, continuum, fitted)

        if task["format"] == "view" and task["every"]:
            data = ReportData.of(self._needed_result(task) if result is None else result, annotators=False)
            views = [data.view(i) for i in data.order]
            _write(Path(task["to"]), json.dumps(views, ensure_ascii=False, allow_nan=False))
            return {}
        if task["format"] == "view":
            continuum = self._document(corpus, task["document"])
            if result is not None and stored[continuum.name] is not None:
                shown = ReportData.of(result, annotators=False).view(list(stored).index(continuum.name))
            else:
                shown = _view(continuum, align, fitted)
            _write(Path(task["to"]), json.dumps(shown, ensure_ascii=False, allow_nan=False))
            return {}
        if not task["every"]:
            alignments = [align(self._document(corpus, task["document"]))]
        else:
            alignments = []
            for continuum in corpus:
                with suppress(CorpusError):  # too few annotators or no units, as the result says
                    alignments.append(align(continuum))
        _write(Path(task["to"]), _alignments_text(alignments, fitted, task["format"]))
        return {}

    def _align(self, task: Json, continuum: Continuum, fitted: Dissimilarity) -> Alignment:
        """The best alignment of a document for which the result has none: of a job in progress, or without γ."""
        settings = task["settings"]
        key = task["upload"], json.dumps([task["reading"], settings, continuum.name], sort_keys=True)
        known = self._alignments.get(key)
        if known is None:
            merges = preset(settings["preset"]).merges_equal_units
            continuum = continuum.without_equal_units() if merges else continuum
            known = best_alignment(continuum, fitted, effort=settings["effort"], time_limit=settings["time_limit"])
            self._alignments.put(key, known, continuum.n_units)
        return known

    def _gold(self, task: Json, tell: Tell) -> dict[str, Any]:
        from unisono.analysis.gold import gold
        from unisono.report.gold_table import adjudication_table

        settings = task["settings"]
        # A preset that merges equal units measures other documents than those that people vote on.
        merges = preset(settings["preset"]).merges_equal_units
        standard = gold(
            (None if merges else self._saved_result(task)) or self._corpus(task),
            vote=task["vote"],
            boundaries=task["boundaries"],
            min_annotators=task["min_annotators"],
            dissimilarity=dissimilarity(settings),
            threads=task["threads"],
            effort=settings["effort"],
            time_limit=settings["time_limit"],
        )
        if task["format"] == "json":
            _write(Path(task["to"]), json_text(standard.to_dict()) + "\n")
        elif task["format"] == "adjudication":
            _write(Path(task["to"]), adjudication_table(standard).text("csv"))
        else:
            _write_archive(Path(task["to"]), standard.corpus(), task["format"])
        return {}

    def _pairwise(self, task: Json, tell: Tell) -> dict[str, Any]:
        """The tables of annotators; those that are kept with the job are not measured again."""
        from unisono.analysis.annotators import annotator_tables, leave_one_out

        measure = measure_name(task["measure"])
        tables, kept = _kept_tables(task, measure), 0
        if tables is None or tables["leave_one_out_reason"] is not None:
            result = self._saved_result(task)
            data: Any = self._corpus(task) if result is None else result
            settings = _settings(task) if result is None else {}
            if tables is None:
                matrix, left_out = annotator_tables(data, measure, **settings)
                tables = matrix.to_dict()
            else:  # made for a report, which leaves out what takes long
                left_out = leave_one_out(data, measure, **settings)
            tables |= {"leave_one_out": [each.to_dict() for each in left_out], "leave_one_out_reason": None}
            kept = _keep_tables(task, measure, tables)
        shown = {key: value for key, value in tables.items() if key != "leave_one_out_reason"}
        _write(Path(task["to"]), json_text({"schema": 1, **shown}) + "\n")
        return {"kept": kept}


def _key(task: Json) -> tuple[str, str]:
    return task["upload"], json.dumps(task["reading"], sort_keys=True)


def _settings(task: Json) -> dict[str, Any]:
    """The settings of the job's measurement, as keywords."""
    settings = measure_arguments(task["settings"])
    del settings["measures"]
    return {**settings, "samples": task["settings"]["samples"], "threads": task["threads"]}


def _tables_file(task: Json, measure: str) -> Path:
    """Where the tables of annotators are kept with the job."""
    return Path(task["saved"]).with_name(f"annotators-{measure}.json")


def _kept_tables(task: Json, measure: str) -> dict[str, Any] | None:
    path = _tables_file(task, measure)
    if not path.exists():
        return None
    tables: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tables


def _keep_tables(task: Json, measure: str, tables: Mapping[str, Any]) -> int:
    """Keep the tables of annotators with the job; the number of bytes."""
    path = _tables_file(task, measure)
    _write(path, json.dumps(tables, allow_nan=False))
    return path.stat().st_size


def _view(continuum: Continuum, align: Callable[[Continuum], Alignment], fitted: Dissimilarity) -> dict[str, Any]:
    """A document for the viewer, with its alignment if there can be one."""
    from unisono.report.view import view

    try:
        alignment = align(continuum)
    except CorpusError:
        return view(continuum, None, fitted)
    return view(alignment.continuum, alignment, fitted)


def _alignments_text(alignments: Sequence[Alignment], fitted: Dissimilarity, format: str) -> str:
    """Alignments in the formats of the command line."""
    from unisono.report.alignment_table import as_dict, by_unitary_alignment, rows

    documents = {alignment.continuum.name: alignment for alignment in alignments}
    shown = [row for name, alignment in documents.items() for row in rows(name, alignment)]
    if format == "csv":
        return by_unitary_alignment(documents, shown).text("csv")
    return json_text(as_dict(documents, shown, dissimilarity=fitted.signature)) + "\n"


def _write_archive(path: Path, corpus: Corpus, format: str) -> None:
    """The corpus in another format; its files go into a zip archive."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        inside = Path(folder)
        suffixes = WRITERS[format].suffixes
        target = inside / (f"gold{suffixes[0]}" if suffixes and len(corpus) == 1 else "gold")
        write(corpus, target, format=format)
        with replacement(path, durable=False) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(inside.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(inside).as_posix())


def _write(path: Path, text: str) -> None:
    """Write a file whole: a worker may be killed at any time."""
    write_whole(path, text, durable=False)
