# SPDX-License-Identifier: MIT
"""Project exports of INCEpTION and WebAnno: which of their files are annotators' work.

An export has `annotation/DOCUMENT/` with an archive for each annotator, `curation/DOCUMENT/` with the curated version,
`source/` with the texts, Java serialisations and logs. The names of archives are arbitrary; the file in an archive is
named after the annotator, or CURATION_USER, or INITIAL_CAS for the version before anybody annotated it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unisono.errors import Problem
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.nouns import quantity

_INITIAL = "INITIAL_CAS"
CURATION = "CURATION_USER"


def chosen_files(files: Sequence[File], settings: Settings, notes: list[Problem]) -> list[File]:
    """All files; from project exports only those of their annotators, with the path document/annotator."""
    roots = {file.parts[:-1] for file in files if _describes_project(file)}
    chosen = []
    n_curated = 0
    for file in files:
        root = next((file.parts[:n] for n in range(len(file.parts)) if file.parts[:n] in roots), None)
        if root is None:
            chosen.append(file)
            continue
        below = file.parts[len(root) :]
        if len(below) < 3 or below[0] not in ("annotation", "curation"):
            continue
        if file.stem == _INITIAL or file.suffix in (".ser", ".xml"):
            continue
        if below[0] == "curation" and not settings.curation:
            n_curated += 1
            continue
        # The arbitrary names of the archives are dropped from the path.
        chosen.append(replace(file, parts=(*root, below[1], file.name)))
    if n_curated:
        verb = "was" if n_curated == 1 else "were"
        notes.append(
            Problem(
                "curation",
                "note",
                files[0].where.partition("!/")[0],
                f"the export has {quantity(n_curated, 'curated document')}, which {verb} left out",
                f"Read the curation as annotator {CURATION} with [[curation]].",
            )
        )
    return chosen


def _describes_project(file: File) -> bool:
    return file.name.startswith("exportedproject") and file.suffix == ".json"
