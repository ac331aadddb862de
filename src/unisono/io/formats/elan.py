# SPDX-License-Identifier: MIT
"""ELAN annotation documents (.eaf), formats 2.x and 3.0; positions in milliseconds.

A tier is an annotator unless the layout says otherwise. Tiers that depend on another tier are read only if asked for
by name or pattern. The annotations of a tier of symbolic associations become features of the units they refer to, named
after the tier's linguistic type, or after the tier if several tiers below one have the same type. Parts of a symbolic
subdivision, and annotations whose time slots have no time, divide the available time evenly, as ELAN draws them.

The file is read with lxml, not with pympi-ling: that library expands entities and fails on slots without times.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, parse_document
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_WHAT = "ELAN"
#: The elements around an annotation.
_PATH = ["ANNOTATION_DOCUMENT", "TIER", "ANNOTATION"]
#: Time units that mean milliseconds; old files may also count frames.
_UNITS = ("milliseconds", "")


@dataclass(slots=True)
class _Annotation:
    name: str
    value: str
    where: str
    first: str = ""
    last: str = ""
    parent: str = ""
    previous: str = ""
    start: Any = None
    end: Any = None


@dataclass(frozen=True, slots=True)
class _Tier:
    name: str
    parent: str
    kind: str
    stereotype: str
    fields: Mapping[str, str]
    where: str
    annotations: Sequence[_Annotation]


def read(file: File, settings: Settings) -> Record:
    """The units on all tiers of a document."""
    root = parse_document(file.data(), file.where, _WHAT, "ANNOTATION_DOCUMENT")
    header = root.find("HEADER")
    units = "" if header is None else header.get("TIME_UNITS", "")
    builder = RecordBuilder(file, "ELAN", time_unit="ms" if units in _UNITS else None)
    if units not in _UNITS:
        builder.note(
            "time-units",
            f"the times are in {short(units)}, not in milliseconds; they are read unchanged",
            "Save the file with a current version of ELAN to get milliseconds.",
            severity="warning",
        )
    for element, place in _misplaced_annotations(root):
        builder.fault(
            "misplaced",
            line(element, file.where),
            f"the annotation {element.get('ANNOTATION_ID', '')} stands at {place}, where ELAN does not read it",
            "Move it into an ANNOTATION of its TIER, or save the file with ELAN.",
        )
    slots = _slots(root)
    tiers = _tiers(root, file.where)
    by_name: dict[str, _Annotation] = {}
    for tier in tiers:
        for annotation in tier.annotations:
            by_name.setdefault(annotation.name, annotation)
    for tier in tiers:
        _place_aligned(tier.annotations, slots)
    for tier in _sort_parents_first(tiers):
        _place_referring(tier.annotations, by_name)
    features = _associations(tiers)
    media = _media(header)
    for tier in tiers:
        if tier.name == "default" and not tier.annotations and len(tiers) > 1:
            continue  # every new ELAN file has a tier of this name; an empty one was not used
        sheet = builder.sheet(
            layer=tier.name,
            fields={**tier.fields, **media},
            where=tier.where,
            is_dependent=bool(tier.parent),
        )
        for annotation in tier.annotations:
            if annotation.start is None or annotation.end is None:
                builder.fault(
                    "missing-position",
                    annotation.where,
                    f"the annotation {annotation.name} has no times"
                    if annotation.name
                    else "an annotation has no times",
                    "Align it in ELAN.",
                )
                continue
            builder.unit(
                sheet,
                annotation.start,
                annotation.end,
                {"value": annotation.value, **features.get(annotation.name, {})},
                annotation.where,
            )
    return builder.record(category="value", called={"category": "the annotations' values"}, annotator_from="tier")


def _misplaced_annotations(root: Element) -> Iterator[tuple[Element, str]]:
    """The annotations that are not in an ANNOTATION in a TIER of the document, and where they stand instead."""
    for element in root.iter("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
        names = [ancestor.tag for ancestor in element.iterancestors()][::-1]
        if names != _PATH:
            yield element, "/".join(map(str, names))


def _slots(root: Element) -> dict[str, Any]:
    """The time of each slot; None if it has no time."""
    times: dict[str, Any] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        value = slot.get("TIME_VALUE")
        try:
            # A time that is no number stays text; the unit that uses it is reported.
            times[slot.get("TIME_SLOT_ID", "")] = None if value is None else int(value) if len(value) < 20 else value
        except ValueError:
            times[slot.get("TIME_SLOT_ID", "")] = value
    return times


def _tiers(root: Element, where: str) -> list[_Tier]:
    constraints = {
        kind.get("LINGUISTIC_TYPE_ID", ""): kind.get("CONSTRAINTS", "") for kind in root.iterfind("LINGUISTIC_TYPE")
    }
    tiers = []
    for element in root.iterfind("TIER"):
        kind = element.get("LINGUISTIC_TYPE_REF", "")
        fields = {"linguistic_type": kind} if kind else {}
        fields |= {name.lower(): element.get(name) for name in ("PARTICIPANT", "ANNOTATOR") if element.get(name)}
        tiers.append(
            _Tier(
                element.get("TIER_ID", ""),
                element.get("PARENT_REF", ""),
                kind,
                constraints.get(kind, ""),
                fields,
                line(element, where),
                [
                    _annotation(child, where)
                    for item in element.iterfind("ANNOTATION")
                    for child in item.iterchildren("*")
                ],
            )
        )
    return tiers


def _annotation(element: Element, where: str) -> _Annotation:
    return _Annotation(
        name=element.get("ANNOTATION_ID", ""),
        value=(element.findtext("ANNOTATION_VALUE") or "").strip(),
        where=line(element, where),
        first=element.get("TIME_SLOT_REF1", ""),
        last=element.get("TIME_SLOT_REF2", ""),
        parent=element.get("ANNOTATION_REF", ""),
        previous=element.get("PREVIOUS_ANNOTATION", ""),
    )


def _place_aligned(annotations: Sequence[_Annotation], slots: Mapping[str, Any]) -> None:
    """Set the times of annotations with time slots; slots without a time are spaced evenly between the others."""
    times = dict(slots)
    after = {a.first: a for a in annotations if a.first}
    for annotation in annotations:
        if not annotation.first or times.get(annotation.first) is None or times.get(annotation.last) is not None:
            continue
        chain, last = {annotation.last: None}, annotation.last  # the slots in order
        while times.get(last) is None and last in after and after[last].last not in chain:
            last = after[last].last
            chain[last] = None
        begin, stop = times[annotation.first], times.get(last)
        if isinstance(begin, int) and isinstance(stop, int):
            for i, slot in enumerate([*chain][:-1], start=1):
                times[slot] = begin + (stop - begin) * i // len(chain)
    for annotation in annotations:
        if annotation.first or annotation.last:
            annotation.start, annotation.end = times.get(annotation.first), times.get(annotation.last)


def _sort_parents_first(tiers: Sequence[_Tier]) -> list[_Tier]:
    """The tiers, each after its parent."""
    by_parent: dict[str, list[_Tier]] = defaultdict(list)
    for tier in tiers:
        by_parent[tier.parent].append(tier)
    names = {tier.name for tier in tiers}
    waiting = [tier for tier in tiers if not tier.parent or tier.parent not in names]
    ordered: list[_Tier] = []
    seen: set[int] = set()
    while waiting:
        tier = waiting.pop()
        if id(tier) not in seen:
            seen.add(id(tier))
            ordered.append(tier)
            waiting += by_parent[tier.name]
    return ordered


def _place_referring(annotations: Sequence[_Annotation], by_name: Mapping[str, _Annotation]) -> None:
    """Set the times of annotations that refer to a parent: its time, divided evenly among its children on the tier."""
    children: dict[str, list[_Annotation]] = defaultdict(list)
    for annotation in annotations:
        if annotation.parent:
            children[annotation.parent].append(annotation)
    for name, group in children.items():
        parent = by_name.get(name)
        if parent is None or not isinstance(parent.start, int) or not isinstance(parent.end, int):
            continue
        ordered = _sort_siblings(group)
        length = parent.end - parent.start
        for i, annotation in enumerate(ordered):
            annotation.start = parent.start + length * i // len(ordered)
            annotation.end = parent.start + length * (i + 1) // len(ordered)


def _sort_siblings(group: Sequence[_Annotation]) -> list[_Annotation]:
    """Siblings in the order given by PREVIOUS_ANNOTATION, or in the order of the file if that is incomplete."""
    after = {annotation.previous: annotation for annotation in group if annotation.previous}
    ordered = [annotation for annotation in group if not annotation.previous]
    if len(ordered) != 1 or len(after) != len(group) - 1:
        return list(group)
    while (follower := after.get(ordered[-1].name)) is not None and len(ordered) < len(group):
        ordered.append(follower)
    return ordered if len(ordered) == len(group) else list(group)


def _associations(tiers: Sequence[_Tier]) -> dict[str, dict[str, str]]:
    """The features that tiers of symbolic associations give to units, by the units' names."""
    features: dict[str, dict[str, str]] = defaultdict(dict)
    associated = [tier for tier in tiers if tier.stereotype == "Symbolic_Association"]
    n_alike = Counter((tier.parent, tier.kind) for tier in associated)
    for tier in associated:
        # Several tiers of one type below the same tier are told apart by their own names.
        name = tier.kind if tier.kind and n_alike[tier.parent, tier.kind] == 1 else tier.name
        for annotation in tier.annotations:
            if annotation.value:
                features[annotation.parent]["value_" if name == "value" else name] = annotation.value
    return features


def _media(header: Element | None) -> dict[str, str]:
    """The first media file's name, for `--document-from field:media`."""
    for media in () if header is None else header.iterfind("MEDIA_DESCRIPTOR"):
        address = (media.get("RELATIVE_MEDIA_URL") or media.get("MEDIA_URL", "")).replace("\\", "/")
        if name := address.rpartition("/")[2]:
            return {"media": name.rpartition(".")[0] or name}
    return {}
