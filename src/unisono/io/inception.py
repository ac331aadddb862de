# SPDX-License-Identifier: MIT
"""Project exports of INCEpTION and WebAnno: which of their files are annotators' work.

An export has `annotation/DOCUMENT/` with an archive for each annotator, `curation/DOCUMENT/` with the curated one,
`source/` with the texts, Java's own serialisations, logs. Archives are named by chance; the file in them is named
after the annotator, or CURATION_USER, or INITIAL_CAS for what everybody began with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unisono.errors import Problem
from unisono.io.files import File
from unisono.io.settings import Settings

_INITIAL = "INITIAL_CAS"
CURATION = "CURATION_USER"


def chosen_files(files: Sequence[File], settings: Settings, notes: list[Problem]) -> list[File]:
    """All files; of a project export those of its annotators, laid out as document/annotator."""
    root = next((file.parts[:-1] for file in files if _describes_project(file)), None)
    if root is None:
        return list(files)
    chosen = []
    n_curated = 0
    for file in files:
        below = file.parts[len(root) :]
        if file.parts[: len(root)] != root or len(below) < 3 or below[0] not in ("annotation", "curation"):
            continue
        if file.stem == _INITIAL or file.suffix in (".ser", ".xml"):
            continue
        if below[0] == "curation" and not settings.curation:
            n_curated += 1
            continue
        # The archives in between are named by chance, and would part what belongs together.
        chosen.append(replace(file, parts=(*root, below[1], file.name)))
    if n_curated:
        notes.append(
            Problem(
                "curation",
                "note",
                files[0].where.partition("!/")[0],
                "the work of annotators",
                f"{n_curated} curated documents too",
                f"left out; read them as annotator {CURATION} with --curation",
            )
        )
    return chosen


def _describes_project(file: File) -> bool:
    return file.name.startswith("exportedproject") and file.suffix == ".json"
