# SPDX-License-Identifier: MIT
"""brat: a folder for each annotator, `.ann` beside `.txt`; features as attributes, pieces as discontinuous units."""

from __future__ import annotations

import re
from pathlib import Path

from unisono.io.record import PIECES
from unisono.io.writers import NO_WORD, Losses, needs_whole_positions
from unisono.io.writers.annotator_folders import write_texts
from unisono.model import Continuum, Corpus, Unit

_WORD = re.compile(r"[^\s:;]+")
_PIECES = re.compile(r"\d+-\d+(?: \d+-\d+)+")


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write a file for every annotator and every document they saw, even if they marked nothing."""
    needs_whole_positions(corpus, "brat", str(path))
    for continuum, annotator, stem in write_texts(corpus, path, losses, tool="brat", suffix=".txt"):
        lines = _lines(continuum, annotator, losses)
        Path(f"{stem}.ann").write_text("".join(lines), encoding="utf-8", newline="")


def _lines(continuum: Continuum, annotator: str, losses: Losses) -> list[str]:
    lines = []
    n_units = n_attributes = 0
    for unit in continuum.units_of(annotator):
        if unit.start < 0:
            losses.add("unit(s) before position 0")
            continue
        if unit.category is None or not _WORD.fullmatch(unit.category):
            losses.add(NO_WORD)
            continue
        n_units += 1
        bounds = _bounds(unit)
        covered = "" if continuum.text is None else "\t" + _covered_text(continuum.text, bounds)
        lines.append(f"T{n_units}\t{unit.category} {';'.join(f'{s} {e}' for s, e in bounds)}{covered}\n")
        for feature, value in unit.features.items():
            if value is None or feature == PIECES:
                continue
            if not _WORD.fullmatch(feature) or "\n" in value or "\r" in value or feature in ("type", "id"):
                losses.add(f"value(s) of {feature}")
                continue
            n_attributes += 1
            lines.append(f"A{n_attributes}\t{feature} T{n_units}" + ("\n" if value == "true" else f" {value}\n"))
    return lines


def _bounds(unit: Unit) -> list[tuple[int, int]]:
    """The pieces of a discontinuous unit, if they still extend from its start to its end; else start and end."""
    hull = int(unit.start), int(unit.end)
    pieces = unit.features.get(PIECES)
    if pieces and _PIECES.fullmatch(pieces):
        bounds = [(int(start), int(end)) for start, _, end in (piece.partition("-") for piece in pieces.split(" "))]
        is_hull = (min(start for start, _ in bounds), max(end for _, end in bounds)) == hull
        if is_hull and all(start <= end for start, end in bounds):
            return bounds
    return [hull]


def _covered_text(text: str, bounds: list[tuple[int, int]]) -> str:
    return " ".join(" ".join(text[s:e].splitlines()) for s, e in bounds).replace("\t", " ")
