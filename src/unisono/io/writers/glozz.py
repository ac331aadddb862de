# SPDX-License-Identifier: MIT
"""Glozz: a folder for each annotator, annotations in `.aa` beside the text in `.ac`; features as features.

As Glozz does when it imports a text, each line of the text is written as a unit of type `paragraph`, which the reader
does not take for an annotator's work. Positions count UTF-16 units. The features `author` and `lastModifier`, which
the reader takes from the metadata of a unit, go back there; a unit without an author gets its annotator as author.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unisono.io.files.xmltree import Element, load_etree
from unisono.io.formats.offsets import utf16_converter
from unisono.io.writers import Losses, needs_whole_positions
from unisono.io.writers.annotator_folders import write_texts
from unisono.io.writers.xml_text import write_xml, xml_text
from unisono.model import Continuum, Corpus, Unit

_PARAGRAPH = "paragraph"
_METADATA = ("author", "lastModifier")
#: The reader's name for a feature called `type`, which is the name of the category.
_TYPE_FEATURE = "type_feature"


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write a file for every annotator and every document they saw, even if they marked nothing."""
    needs_whole_positions(corpus, "Glozz", str(path))
    if any(not unit.features.get("author") for continuum in corpus for unit in continuum):
        losses.note("units without the feature author are written with their annotator as author, which Glozz stores")
    for continuum, annotator, stem in write_texts(corpus, path, losses, tool="Glozz", suffix=".ac"):
        write_xml(_annotations(continuum, annotator, losses), Path(f"{stem}.aa"))


def text_checksum(text: str) -> str:
    """What Glozz stores to recognise the text: its length, and the product of its characters' codes modulo 99999999.

    Equal to what the sample files store; those are ASCII, so that for other texts only the length is certain.

    >>> text_checksum("Anna")
    '4-76290500'
    """
    product = 1
    for byte in text.encode("utf-8", "surrogatepass"):
        product = product * (byte or 1) % 99_999_999
    return f"{utf16_converter(text)(len(text))}-{product}"


def _annotations(continuum: Continuum, annotator: str, losses: Losses) -> Element:
    etree = load_etree()

    text = continuum.text or ""
    root = etree.Element("annotations")
    metadata = etree.SubElement(root, "metadata")
    if continuum.text is not None:
        metadata.set("corpusHashcode", text_checksum(text))
    position = utf16_converter(text)
    for number, (start, end) in enumerate(_lines(text), start=1):
        _add_unit(root, annotator, -number, {}, _PARAGRAPH, (position(start), position(end)), losses)
    for number, unit in enumerate(continuum.units_of(annotator), start=1):
        if unit.category == _PARAGRAPH:
            losses.add(f"unit(s) of category {_PARAGRAPH} (what Glozz calls a line of the text)")
            continue
        if unit.start < 0:
            losses.add("unit(s) before position 0")
            continue
        if unit.category != (unit.category and unit.category.strip()):
            losses.add("set(s) of blanks around a category")
        bounds = position(int(unit.start)), position(int(unit.end))
        _add_unit(root, annotator, number, _features(unit, losses), unit.category or "", bounds, losses)
    return root


def _lines(text: str) -> list[tuple[int, int]]:
    """Start and end of every line with something on it, without its line break."""
    bounds = []
    start = 0
    for line in text.splitlines(keepends=True):
        content = line.rstrip("\r\n")
        if content.strip():
            bounds.append((start, start + len(content)))
        start += len(line)
    return bounds


def _features(unit: Unit, losses: Losses) -> dict[str, str]:
    """The features that come back when the file is read: no empty ones, no blanks around a value."""
    kept = {}
    for name, value in unit.features.items():
        if value is None:
            continue
        if value != value.strip() or not value or not name or name == "type":
            losses.add(f"value(s) of {name}")
            continue
        kept["type" if name == _TYPE_FEATURE else name] = value
    return kept


def _add_unit(
    root: Element,
    annotator: str,
    number: int,
    features: dict[str, str],
    category: str,
    bounds: Sequence[int],
    losses: Losses,
) -> None:
    etree = load_etree()

    element = etree.SubElement(root, "unit", id=xml_text(f"{annotator}_{number}", losses))
    metadata = etree.SubElement(element, "metadata")
    for tag, value in (
        ("author", features.get("author", annotator)),
        ("creation-date", str(number)),
        ("lastModifier", features.get("lastModifier", "" if number > 0 else "n/a")),
        ("lastModificationDate", "0"),
    ):
        etree.SubElement(metadata, tag).text = xml_text(value, losses)
    characterisation = etree.SubElement(element, "characterisation")
    etree.SubElement(characterisation, "type").text = xml_text(category, losses)
    feature_set = etree.SubElement(characterisation, "featureSet")
    for name, value in features.items():
        if name not in _METADATA:
            etree.SubElement(feature_set, "feature", name=xml_text(name, losses)).text = xml_text(value, losses)
    positioning = etree.SubElement(element, "positioning")
    for tag, index in zip(("start", "end"), bounds, strict=True):
        etree.SubElement(etree.SubElement(positioning, tag), "singlePosition", index=str(index))
