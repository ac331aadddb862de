# SPDX-License-Identifier: MIT
"""How an upload was understood, as the service describes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unisono.diagnosis.advice import advise
from unisono.diagnosis.properties import properties_of
from unisono.errors import InputError, MissingDependencyError
from unisono.io import Columns, Inspection, NamedFiles
from unisono.io.files.opening import ReadLimits
from unisono.io.files.search import find_files
from unisono.io.formats import recognise
from unisono.io.formats.sniff import Head
from unisono.io.options import Settings
from unisono.io.tables.unit_table import read_table
from unisono.results import DataSummary, outline

#: How many problems are listed; further rows mostly have the same ones.
PROBLEMS = 1_000

#: Bytes of a table that are looked at for its columns.
_HEAD = 65_536

_TABLES = ("csv", "tsv", "jsonl")


def describe_upload(
    task: Mapping[str, Any], inspection: Inspection, without_invalid: Callable[[], Inspection]
) -> dict[str, Any]:
    """The service's description of an upload; `without_invalid` reads it again without its invalid rows."""
    corpus, problems = inspection.corpus, inspection.problems
    is_readable = corpus is not None
    if corpus is None and not task["reading"]["skip_invalid"]:
        rest = without_invalid()
        corpus = rest.corpus
        problems = (*problems, *(p for p in rest.problems if p not in problems and p.code != "skipped-rows"))
    rank = {"error": 0, "warning": 1, "note": 2}
    shown = sorted(problems, key=lambda problem: rank[problem.severity])[:PROBLEMS]
    contents = inspection.contents
    found = None if corpus is None else properties_of(corpus)
    return {
        "readable": is_readable,
        "skippable": corpus is not None,
        "understood": inspection.understood,
        "contents": {
            "kinds": dict(contents.kinds),
            "layers": dict(contents.layers),
            "read_layers": list(contents.read_layers),
            "features": list(contents.features),
            "fields": list(contents.fields),
            "columns": _columns(task),
            "sources": dict(contents.sources),
        },
        "data": None if corpus is None else DataSummary.of(corpus).to_dict(),
        "annotators": [] if corpus is None else list(corpus.annotators),
        "categories": [] if corpus is None else list(corpus.labels()),
        "documents": []
        if corpus is None
        else [outline(continuum) | {"has_text": continuum.text is not None} for continuum in corpus],
        "properties": [] if found is None else list(found.lines),
        "advice": [] if found is None else [advice.to_dict() for advice in advise(found)],
        "problems": [problem.to_dict() for problem in shown],
        "n_problems": len(problems),
    }


def _columns(task: Mapping[str, Any]) -> list[str]:
    """The columns of the first table among the files, by a look at its beginning; none where there is no table."""
    reading = task["reading"]
    beside = {reading["documents"], reading["participation"]}
    files = {name: Path(path) for name, path in task["files"].items() if name not in beside}
    settings = Settings(encoding=reading["encoding"], columns=Columns(), header=reading["header"])
    try:
        for file in find_files(NamedFiles(files), ReadLimits(files=100)):
            head = file.head()
            format = recognise(Head(file.name, file.suffix, head))
            if (format is not None and format.name not in _TABLES) or (format is None and not file.is_named):
                continue
            whole = head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1]
            return list(read_table(file.with_content(whole), settings).names)
    except (InputError, MissingDependencyError):
        return []  # the inspection lists the problem
    return []
