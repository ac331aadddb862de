# SPDX-License-Identifier: MIT
"""CorA-XML: a folder for each annotator; each unit is a `<mod>` with its category as `pos` and its features as tags.

CorA annotates every word: words that no unit covers are written as `<mod>` without tags, and come back as units without
a category. Tokens are separated by one blank, so that other white space is written as one blank. The diplomatic layer
repeats the words of each token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from unisono.io.files.xmltree import Element, load_etree
from unisono.io.formats.cora import NO_LABEL, REMARKS
from unisono.io.writers import Losses, documents_with_text, file_names, needs_whole_positions
from unisono.io.writers.xml_text import write_xml, xml_text
from unisono.model import Continuum, Corpus, Unit
from unisono.nouns import quantity

_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
#: Children of a `<mod>` that are no features, and `pos`, which is the category.
_TAKEN = {*REMARKS, "suggestions", "cora-flag", "pos"}


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write a file for every annotator and every document that has a text and that they saw."""
    needs_whole_positions(corpus, "CorA-XML", str(path))
    documents = documents_with_text(corpus, losses)
    folders = file_names(corpus.annotators, losses)
    files = file_names(tuple(continuum.name for continuum in documents), losses)
    n_untagged = n_blanks = 0
    for continuum in documents:
        n_blanks += sum(gap != " " for gap in re.findall(r"\s+", continuum.text or ""))
        for annotator in continuum.annotators:
            tokens = _tokens(continuum, annotator, losses)
            n_untagged += sum(word.unit is None for token in tokens for word in token)
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            write_xml(_text(continuum.name, tokens, losses), folder / f"{files[continuum.name]}.xml")
    if n_untagged:
        losses.note(
            f"{quantity(n_untagged, 'word')} outside the units {'is' if n_untagged == 1 else 'are'} written without "
            f"tags, to be read as units without a category"
        )
    if n_blanks:
        losses.note(
            f"white space other than a single blank (in {quantity(n_blanks, 'place')}) is written as one blank, which "
            f"moves the positions after it"
        )


@dataclass(frozen=True, slots=True)
class _Word:
    """A part of a token: the text of a unit, or of what lies between units."""

    text: str
    unit: Unit | None


def _tokens(continuum: Continuum, annotator: str, losses: Losses) -> list[list[_Word]]:
    """The text cut at the borders of units, and at white space outside them, where one token ends."""
    text = continuum.text or ""
    tokens: list[list[_Word]] = [[]]
    at = 0

    def add_between(end: int) -> None:
        """The words from `at` to `end`, which belong to no unit."""
        for piece in re.findall(r"\s+|\S+", text[at:end]):
            if piece.isspace():
                tokens.append([])
            else:
                tokens[-1].append(_Word(piece, None))

    for unit in sorted(continuum.units_of(annotator), key=lambda u: (u.start, u.end)):
        start, end = int(unit.start), int(unit.end)
        if start < at or not text[start:end].strip() or end > len(text):
            losses.add("unit(s) on no word or overlapping another one")
            continue
        add_between(start)
        tokens[-1].append(_Word(text[start:end], unit))
        at = end
    add_between(len(text))
    return [token for token in tokens if token]


def _text(name: str, tokens: list[list[_Word]], losses: Losses) -> Element:
    etree = load_etree()

    root = etree.Element("text", id="1")
    etree.SubElement(root, "cora-header", name=xml_text(name, losses), sigle="")
    etree.SubElement(root, "header")
    layout = etree.SubElement(root, "layoutinfo")
    etree.SubElement(layout, "page", id="p1", no="1", range="c1")
    etree.SubElement(layout, "column", id="c1", range="l1")
    etree.SubElement(layout, "line", id="l1", name="1", range=f"t1_d1..t{len(tokens)}_d1")
    etree.SubElement(root, "shifttags")
    for number, words in enumerate(tokens, start=1):
        whole = xml_text("".join(word.text for word in words), losses)
        token = etree.SubElement(root, "token", id=f"t{number}", trans=whole)
        etree.SubElement(token, "dipl", id=f"t{number}_d1", trans=whole, utf=whole)
        for place, word in enumerate(words, start=1):
            content = xml_text(word.text, losses)
            mod = etree.SubElement(
                token, "mod", id=f"t{number}_m{place}", trans=content, utf=content, ascii=content, checked="n"
            )
            if word.unit is not None:
                _add_tags(mod, word.unit, losses)
    return root


def _add_tags(mod: Element, unit: Unit, losses: Losses) -> None:
    etree = load_etree()

    if unit.category is not None:
        if unit.category in NO_LABEL:
            losses.add(f"use(s) of the category {unit.category!r} (which stands for none in CorA)")
        else:
            if unit.category != unit.category.strip():
                losses.add("set(s) of blanks around a category")
            etree.SubElement(mod, "pos", tag=xml_text(unit.category, losses))
    for name, value in unit.features.items():
        if value is None:
            continue
        if not _NAME.fullmatch(name) or name in _TAKEN or value in NO_LABEL:
            losses.add(f"value(s) of {name}")
            continue
        etree.SubElement(mod, name, tag=xml_text(value, losses))
