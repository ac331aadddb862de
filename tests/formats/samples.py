# SPDX-License-Identifier: MIT
"""What becomes of every sample: `python tests/formats/samples.py [--markdown] [FOLDER]` prints a table. No tests here.

Each file is read on its own, and each folder of a format as a whole where its files belong together. Where the refusal
asks for a layer, the file is read once more with the one it proposes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from unisono.errors import MissingDependencyError
from unisono.io import inspect


def rows(samples: Path) -> Iterator[tuple[str, str, str, str, str, str]]:
    """File, format found, documents, annotators, units, categories; or the reason for refusal."""
    for path in sorted(path for path in samples.rglob("*") if path.is_file() and path.name != "SOURCES.tsv"):
        yield from asked(path, str(path.relative_to(samples)))
    for folder in sorted(path for path in samples.iterdir() if path.is_dir()):
        yield from asked(folder, f"{folder.name}/")


def asked(path: Path, name: str) -> Iterator[tuple[str, str, str, str, str, str]]:
    """The row of a path, and one with the layer that its refusal proposes."""
    found = row(path, name)
    yield found
    if "which-layer" in found[-1]:
        problem = next(problem for problem in inspect(path).problems if problem.code == "which-layer")
        if "--layer " in problem.remedy:
            layer = problem.remedy.rpartition("--layer ")[2]
            yield row(path, f"{name} --layer {layer}", layer=layer)


def row(path: Path, name: str, **options: Any) -> tuple[str, str, str, str, str, str]:
    try:
        found = inspect(path, **options)
    except MissingDependencyError as error:
        return name, "-", "", "", "", str(error)
    kind = found.understood.partition(";")[0].rpartition(", ")[2] if found.understood != "nothing understood" else "-"
    if found.corpus is None:
        problem = next(problem for problem in found.problems if problem.severity == "error")
        return name, kind, "", "", "", f"refused: {problem.code}: {problem.found[:90]}"
    corpus = found.corpus
    return name, kind, str(len(corpus)), str(len(corpus.annotators)), str(corpus.n_units), str(len(corpus.labels()))


def main(arguments: Sequence[str]) -> None:
    default = Path(os.environ.get("UNISONO_SHARED", "../shared")) / "samples"
    folders = [Path(argument) for argument in arguments if argument != "--markdown"]
    table = list(rows(folders[0] if folders else default))
    head = ("file", "format", "documents", "annotators", "units", "categories, or why not")
    if "--markdown" in arguments:
        for line in (head, ("---",) * len(head), *table):
            print("|", " | ".join(cell.replace("|", "\\|") for cell in line), "|")
        return
    widths = [max(len(line[i]) for line in (head, *table)) for i in range(5)]
    for line in (head, *table):
        print("  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[5]]))


if __name__ == "__main__":
    main(sys.argv[1:])
