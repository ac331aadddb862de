# SPDX-License-Identifier: MIT
"""ELAN: a tier for each annotator, features as tiers of symbolic associations below it; one document, milliseconds.

Annotations of a tier may not overlap in ELAN, so an annotator with overlapping units gets tiers `name`, `name#2`, ...
"""

from __future__ import annotations

from pathlib import Path

from unisono.io.files.xmltree import Element, load_etree
from unisono.io.writers import Losses, lanes, needs_one_document, needs_whole_positions
from unisono.io.writers.xml_text import write_xml, xml_text
from unisono.model import CATEGORY, Continuum, Corpus

_UNITS = "units"
#: The tier pattern that reads the several tiers of an annotator as one.
PATTERN = r"(?P<annotator>.+?)(?:#[0-9]+)?"


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write all units and features."""
    etree = load_etree()

    continuum = needs_one_document(corpus, "ELAN", str(path))
    needs_whole_positions(
        corpus, "ELAN", str(path), "ELAN counts milliseconds: multiply seconds by 1000 with [[scale]]."
    )
    if continuum.n_units and continuum.starts.min() < 0:
        losses.add("unit(s) before zero", int((continuum.starts < 0).sum()))
    root = etree.Element(
        "ANNOTATION_DOCUMENT", AUTHOR="", DATE="1970-01-01T00:00:00+00:00", FORMAT="3.0", VERSION="3.0"
    )
    etree.SubElement(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    order = etree.SubElement(root, "TIME_ORDER")
    slots: dict[int, str] = {}
    for time in sorted({int(t) for t in (*continuum.starts.tolist(), *continuum.ends.tolist()) if t >= 0}):
        slots[time] = f"ts{len(slots) + 1}"
        etree.SubElement(order, "TIME_SLOT", TIME_SLOT_ID=slots[time], TIME_VALUE=str(time))
    features = sorted(set(continuum.features) - {CATEGORY})
    counter = [0]
    taken: set[str] = set()
    for annotator in continuum.annotators:
        _add_tiers(root, continuum, annotator, features, slots, counter, taken, losses)
    etree.SubElement(root, "LINGUISTIC_TYPE", LINGUISTIC_TYPE_ID=_UNITS, TIME_ALIGNABLE="true")
    for name in features:
        etree.SubElement(
            root,
            "LINGUISTIC_TYPE",
            CONSTRAINTS="Symbolic_Association",
            LINGUISTIC_TYPE_ID=xml_text(_type(name), losses),
            TIME_ALIGNABLE="false",
        )
    etree.SubElement(
        root, "CONSTRAINT", DESCRIPTION="1-1 association with a parent annotation", STEREOTYPE="Symbolic_Association"
    )
    write_xml(root, path)


def _type(feature: str) -> str:
    return f"{feature}_" if feature == _UNITS else feature


def _free_name(name: str, taken: set[str], losses: Losses) -> str:
    """The name of a tier, changed if another tier has it."""
    free = name
    while free in taken:
        free += "_"
    taken.add(free)
    if free != name:
        losses.note(f"two tiers would be named {name!r}; one of them is written as {free}")
    return free


def _add_tiers(
    root: Element,
    continuum: Continuum,
    annotator: str,
    features: list[str],
    slots: dict[int, str],
    counter: list[int],
    taken: set[str],
    losses: Losses,
) -> None:
    import numpy as np

    etree = load_etree()

    units = [unit for unit in continuum.units_of(annotator) if unit.start >= 0]
    lane = lanes(np.array([u.start for u in units]), np.array([u.end for u in units]))
    n_lanes = max(lane, default=0) + 1
    if n_lanes > 1:
        losses.note(
            f"units of {annotator} overlap, so they are written on {n_lanes} tiers",
            f"Read the tiers as one with [[tier_pattern]] '{PATTERN}'.",
        )
    for number in range(n_lanes):
        name = _free_name(xml_text(annotator if number == 0 else f"{annotator}#{number + 1}", losses), taken, losses)
        tier = etree.SubElement(
            root,
            "TIER",
            TIER_ID=name,
            LINGUISTIC_TYPE_REF=_UNITS,
            ANNOTATOR=xml_text(annotator, losses),
        )
        below: dict[str, list[tuple[str, str]]] = {}
        for unit, own in zip(units, lane, strict=True):
            if own != number:
                continue
            counter[0] += 1
            key = f"a{counter[0]}"
            element = etree.SubElement(
                etree.SubElement(tier, "ANNOTATION"),
                "ALIGNABLE_ANNOTATION",
                ANNOTATION_ID=key,
                TIME_SLOT_REF1=slots[int(unit.start)],
                TIME_SLOT_REF2=slots[int(unit.end)],
            )
            etree.SubElement(element, "ANNOTATION_VALUE").text = xml_text(unit.category or "", losses)
            for feature in features:
                if (value := unit.features.get(feature)) is not None:
                    below.setdefault(feature, []).append((key, value))
        for feature, values in below.items():
            child = etree.SubElement(
                root,
                "TIER",
                TIER_ID=_free_name(xml_text(f"{feature}@{name}", losses), taken, losses),
                LINGUISTIC_TYPE_REF=xml_text(_type(feature), losses),
                PARENT_REF=name,
            )
            for key, value in values:
                counter[0] += 1
                element = etree.SubElement(
                    etree.SubElement(child, "ANNOTATION"),
                    "REF_ANNOTATION",
                    ANNOTATION_ID=f"a{counter[0]}",
                    ANNOTATION_REF=key,
                )
                etree.SubElement(element, "ANNOTATION_VALUE").text = xml_text(value, losses)
