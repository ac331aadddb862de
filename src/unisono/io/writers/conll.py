# SPDX-License-Identifier: MIT
"""CoNLL columns: a folder for each annotator, a file for each document; a token and its BIO tag on each line."""

from __future__ import annotations

from pathlib import Path

from unisono.io.writers import NO_WORD, Losses, documents_with_text, file_names, needs_whole_positions
from unisono.io.writers.token_lines import Sentence, sentences
from unisono.model import Continuum, Corpus


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the units on whole tokens of one line that overlap no other unit and have a category of one word."""
    needs_whole_positions(corpus, "CoNLL columns", str(path))
    written = documents_with_text(corpus, losses)
    losses.add_features(written)
    folders = file_names(corpus.annotators, losses)
    names = file_names(tuple(continuum.name for continuum in written), losses)
    for continuum in written:
        lines = sentences(continuum.text or "")
        for annotator in continuum.annotators:
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            text = _tagged_lines(continuum, annotator, lines, losses)
            (folder / f"{names[continuum.name]}.conll").write_text(text, encoding="utf-8", newline="")


def _tagged_lines(continuum: Continuum, annotator: str, lines: list[Sentence], losses: Losses) -> str:
    text = continuum.text or ""
    tokens = [(i, token) for i, line in enumerate(lines) for token in line.tokens]
    begins = {token[0]: n for n, (_, token) in enumerate(tokens)}
    ends = {token[1]: n for n, (_, token) in enumerate(tokens)}
    tags = ["O"] * len(tokens)
    for unit in continuum.units_of(annotator):
        first, last = begins.get(int(unit.start)), ends.get(int(unit.end))
        if unit.category is None or len(unit.category.split()) != 1:
            losses.add(NO_WORD)
        elif first is None or last is None or last < first or tokens[first][0] != tokens[last][0]:
            losses.add("unit(s) that are not whole tokens of one line")
        elif any(tag != "O" for tag in tags[first : last + 1]):
            losses.add("unit(s) that overlap another")
        else:
            tags[first : last + 1] = [f"B-{unit.category}", *[f"I-{unit.category}"] * (last - first)]
    out = []
    for n, (sentence, (start, end)) in enumerate(tokens):
        if n and tokens[n - 1][0] != sentence:
            out.append("")
        out.append(f"{text[start:end]}\t{tags[n]}")
    return "\n".join(out) + "\n"
