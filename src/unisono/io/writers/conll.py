# SPDX-License-Identifier: MIT
"""CoNLL columns: a folder for each annotator, a file for each document; a token and its BIO tag on each line."""

from __future__ import annotations

from pathlib import Path

from unisono.errors import FormatError
from unisono.io.writers import Losses, file_names, needs_whole_positions
from unisono.io.writers.tokens import Sentence, sentences
from unisono.model import CATEGORY, Continuum, Corpus


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Units on whole tokens of one line that overlap no other, with a category of one word."""
    needs_whole_positions(corpus, "CoNLL columns", str(path))
    written = [continuum for continuum in corpus if continuum.text is not None]
    losses.add("documents without text", len(corpus) - len(written))
    if not written:
        raise FormatError.of(
            "documents with texts", "none", "give them with --documents", where=str(path), code="needs-text"
        )
    features = sorted({name for continuum in written for name in continuum.features} - {CATEGORY})
    losses.add(f"features ({', '.join(features)})", len(features))
    folders = file_names(corpus.annotators, losses)
    names = file_names(tuple(continuum.name for continuum in written), losses)
    for continuum in written:
        lines = sentences(continuum.text or "")
        for annotator in continuum.annotators:
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            text = _file(continuum, annotator, lines, losses)
            (folder / f"{names[continuum.name]}.conll").write_text(text, encoding="utf-8", newline="")


def _file(continuum: Continuum, annotator: str, lines: list[Sentence], losses: Losses) -> str:
    text = continuum.text or ""
    tokens = [(i, token) for i, line in enumerate(lines) for token in line.tokens]
    begins = {token[0]: n for n, (_, token) in enumerate(tokens)}
    ends = {token[1]: n for n, (_, token) in enumerate(tokens)}
    tags = ["O"] * len(tokens)
    for unit in continuum.units_of(annotator):
        first, last = begins.get(int(unit.start)), ends.get(int(unit.end))
        if unit.category is None or len(unit.category.split()) != 1:
            losses.add("units without a category, or with one that has blanks")
        elif first is None or last is None or last < first or tokens[first][0] != tokens[last][0]:
            losses.add("units that are no whole tokens of one line")
        elif any(tag != "O" for tag in tags[first : last + 1]):
            losses.add("units that overlap another")
        else:
            tags[first : last + 1] = [f"B-{unit.category}", *[f"I-{unit.category}"] * (last - first)]
    out = []
    for n, (sentence, (start, end)) in enumerate(tokens):
        if n and tokens[n - 1][0] != sentence:
            out.append("")
        out.append(f"{text[start:end]}\t{tags[n]}")
    return "\n".join(out) + "\n"
