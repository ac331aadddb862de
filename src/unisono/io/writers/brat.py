# SPDX-License-Identifier: MIT
"""brat: a folder for each annotator, `.ann` beside `.txt`; features as attributes, pieces as discontinuous units."""

from __future__ import annotations

import re
from pathlib import Path

from unisono.io.record import PIECES
from unisono.io.writers import Losses, file_names, needs_whole_positions
from unisono.model import Continuum, Corpus, Unit

_WORD = re.compile(r"[^\s:;]+")
_PIECES = re.compile(r"\d+-\d+(?: \d+-\d+)+")


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Every annotator's work on every document they saw, empty files included."""
    needs_whole_positions(corpus, "brat", str(path))
    folders = file_names(corpus.annotators, losses)
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    losses.add("documents without text", sum(continuum.text is None for continuum in corpus))
    for continuum in corpus:
        for annotator in continuum.annotators:
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            name = documents[continuum.name]
            if continuum.text is not None:
                (folder / f"{name}.txt").write_text(continuum.text, encoding="utf-8", newline="")
            lines = _lines(continuum, annotator, losses)
            (folder / f"{name}.ann").write_text("".join(lines), encoding="utf-8", newline="")


def _lines(continuum: Continuum, annotator: str, losses: Losses) -> list[str]:
    lines = []
    n_units = n_attributes = 0
    for unit in continuum.units_of(annotator):
        if unit.category is None or not _WORD.fullmatch(unit.category) or unit.start < 0:
            losses.add("units without a category, or with one that has blanks")
            continue
        n_units += 1
        bounds = _bounds(unit)
        covered = "" if continuum.text is None else "\t" + _covered(continuum.text, bounds)
        lines.append(f"T{n_units}\t{unit.category} {';'.join(f'{s} {e}' for s, e in bounds)}{covered}\n")
        for feature, value in unit.features.items():
            if value is None or feature == PIECES:
                continue
            if not _WORD.fullmatch(feature) or "\n" in value or "\r" in value or feature in ("type", "id"):
                losses.add(f"values of {feature}")
                continue
            n_attributes += 1
            lines.append(f"A{n_attributes}\t{feature} T{n_units}" + ("\n" if value == "true" else f" {value}\n"))
    return lines


def _bounds(unit: Unit) -> list[tuple[int, int]]:
    """The pieces of a discontinuous unit, if its feature still fits its hull."""
    hull = int(unit.start), int(unit.end)
    pieces = unit.features.get(PIECES)
    if pieces and _PIECES.fullmatch(pieces):
        found = [tuple(map(int, piece.split("-"))) for piece in pieces.split(" ")]
        if (min(p[0] for p in found), max(p[1] for p in found)) == hull and all(p[0] <= p[1] for p in found):
            return [(p[0], p[1]) for p in found]
    return [hull]


def _covered(text: str, bounds: list[tuple[int, int]]) -> str:
    return " ".join(" ".join(text[s:e].splitlines()) for s, e in bounds).replace("\t", " ")
