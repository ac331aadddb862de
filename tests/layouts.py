# SPDX-License-Identifier: MIT
"""Inputs in which files, folders, tiers or columns are the annotators, in every combination that people use.

Each case is made from a truth, `{document: {annotator: {tier: units}}}`, so that what was read can be compared with it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

Units = list[tuple[int, int, str]]
Truth = Mapping[str, Mapping[str, Mapping[str, Units]]]

ANNOTATORS = (
    ("ann", "bob"),
    ("annotator1", "annotator2"),
    ("A", "B"),
    ("1", "2"),
    ("coder_a", "coder_b"),
    ("JS", "MK", "PL"),
)
DOCUMENTS = (
    ("talk",),
    ("doc1", "doc2"),
    ("talk", "speech"),
    ("s01", "s02", "s03"),
    ("interview_7",),
    ("berlin", "paris"),
)
LAYERS = (("",), ("Alice", "Carol"), ("words", "phones"), ("S1", "S2"))
FILES = (
    "{d}_{a}", "{a}_{d}", "{d}.{a}", "{a}-{d}", "{d} ({a})", "x_{d}_{a}_v2", "{d}__{a}", "{a}/{d}", "{d}/{a}",
    "{a}/{d}_{a}", "{a}/{a}_{d}", "{a}/sub/{d}", "{d}/{d}_{a}", "{a}",
)  # fmt: skip
TIERS = ("{a}", "{l}_{a}", "{a}_{l}", "{l}@{a}", "{a} - {l}")
TIERED_FILES = ("{d}", "{d}/{d}", "{d}/audio", "rec_{d}")


@dataclass(frozen=True)
class Case:
    """One input: its files by name and the truth that it was made from."""

    name: str
    files: Mapping[str, str]
    truth: Truth

    def write(self, folder: Path) -> Path:
        for name, content in self.files.items():
            path = folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return folder / "data"


def make_truth(
    documents: tuple[str, ...], annotators: tuple[str, ...], layers: tuple[str, ...], *, noise: int, seed: int
) -> Truth:
    """Units of every annotator: those of the document's layer, moved by up to `noise`, a tenth of them missing."""
    random_numbers = random.Random(seed)
    truth: dict[str, dict[str, dict[str, Units]]] = {}
    for document in documents:
        originals = {}
        for layer in layers:
            first = random_numbers.randrange(10, 50)
            starts = [s + random_numbers.randrange(9) for s in sorted(random_numbers.sample(range(first, 850, 45), 10))]
            originals[layer] = [(s, s + random_numbers.randrange(12, 30), random_numbers.choice("xyz")) for s in starts]
        truth[document] = {
            annotator: {
                layer: [
                    (s + random_numbers.randint(-noise, noise), e + random_numbers.randint(-noise, noise), c)
                    for s, e, c in units
                    if not noise or random_numbers.random() > 0.1
                ]
                for layer, units in originals.items()
            }
            for annotator in annotators
        }
    return truth


def textgrid(tiers: Mapping[str, Units], end: int = 1200) -> str:
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", str(end), "<exists>", str(len(tiers))]
    for name, units in tiers.items():
        intervals: list[tuple[int, int, str]] = []
        last = 0
        for start, stop, label in units:
            intervals += [(last, start, "")] * (start > last) + [(start, stop, label)]
            last = stop
        intervals += [(last, end, "")]
        lines += ['"IntervalTier"', f'"{name}"', "0", str(end), str(len(intervals))]
        lines += [str(cell) for s, e, label in intervals for cell in (s, e, f'"{label}"')]
    return "\n".join(lines) + "\n"


def eaf(tiers: Mapping[str, Units], end: int = 1200) -> str:
    slots, bodies, n = [], [], 0
    for name, units in tiers.items():
        annotations = []
        for start, stop, label in units:
            n += 2
            slots += [(n - 1, start), (n, stop)]
            annotations.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{n}" TIME_SLOT_REF1="ts{n - 1}" '
                f'TIME_SLOT_REF2="ts{n}"><ANNOTATION_VALUE>{label}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>'
            )
        bodies.append(f'<TIER LINGUISTIC_TYPE_REF="t" TIER_ID={quoteattr(name)}>{"".join(annotations)}</TIER>')
    order = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{i}" TIME_VALUE="{time}"/>' for i, time in slots)
    return (
        '<?xml version="1.0" encoding="UTF-8"?><ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00Z" FORMAT="3.0" '
        f'VERSION="3.0"><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER>{order}</TIME_ORDER>{"".join(bodies)}'
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="t" TIME_ALIGNABLE="true"/></ANNOTATION_DOCUMENT>'
    )


def csv(units: Units) -> str:
    return "start,end,category\n" + "".join(f"{s},{e},{c}\n" for s, e, c in units)


def brat(units: Units) -> str:
    return "".join(f"T{i}\t{c} {s} {e}\tx\n" for i, (s, e, c) in enumerate(units, start=1))


TIERED = {"TextGrid": textgrid, "eaf": eaf}
FLAT = {"csv": csv, "ann": brat}


def cases_of_files(noise: int) -> Iterator[Case]:
    """A file for each annotator and document; with tiers, these are speakers or layers."""
    for n, (pattern, annotators, documents) in enumerate(itertools.product(FILES, ANNOTATORS, DOCUMENTS)):
        if "{d}" not in pattern and len(documents) > 1:
            continue
        for format, layers in [*itertools.product(TIERED, LAYERS), ("csv", ("",)), ("ann", ("",))]:
            truth = make_truth(documents, annotators, layers, noise=noise, seed=n)
            files = {}
            for d, a in itertools.product(documents, annotators):
                tiers = {layer or "tier": units for layer, units in truth[d][a].items()}
                name = f"{pattern.format(d=d, a=a)}.{format}"
                files[name] = TIERED[format](tiers) if format in TIERED else FLAT[format](truth[d][a][""])
            yield Case(f"files {format} {pattern} {annotators} {documents} {layers} noise {noise}", files, truth)


def cases_of_tiers(noise: int) -> Iterator[Case]:
    """A tier for each annotator, or for each annotator and layer."""
    combinations = itertools.product(TIERED_FILES, TIERS, ANNOTATORS, DOCUMENTS, TIERED)
    for n, (pattern, tier, annotators, documents, format) in enumerate(combinations):
        for layers in (("",),) if "{l}" not in tier else (("words",), ("words", "phones")):
            truth = make_truth(documents, annotators, layers, noise=noise, seed=n)
            files = {
                f"{pattern.format(d=d)}.{format}": TIERED[format](
                    {tier.format(a=a, l=layer): units for a in annotators for layer, units in truth[d][a].items()}
                )
                for d in documents
            }
            yield Case(f"tiers {format} {pattern} {tier} {annotators} {documents} {layers} noise {noise}", files, truth)


def cases_of_columns(noise: int) -> Iterator[Case]:
    """A table for each annotator with a column for documents, and tables with a column for annotators."""
    for n, (annotators, documents) in enumerate(itertools.product(ANNOTATORS, DOCUMENTS)):
        truth = make_truth(documents, annotators, ("",), noise=noise, seed=n)
        rows = {(d, a): [f"{s},{e},{c}" for s, e, c in truth[d][a][""]] for d in documents for a in annotators}
        files = {
            f"{a}.csv": "document,start,end,category\n" + "".join(f"{d},{r}\n" for d in documents for r in rows[d, a])
            for a in annotators
        }
        yield Case(f"column document {annotators} {documents} noise {noise}", files, truth)
        for pattern in ("{d}_{a}", "{a}_{d}", "{a}/{d}", "{d}/{a}"):
            files = {
                f"{pattern.format(a=a, d=d)}.csv": "annotator,start,end,category\n"
                + "".join(f"{a},{r}\n" for r in rows[d, a])
                for d in documents
                for a in annotators
            }
            yield Case(f"column annotator {pattern} {annotators} {documents} noise {noise}", files, truth)
        files = {
            f"{d}.csv": "annotator,start,end,category\n" + "".join(f"{a},{r}\n" for a in annotators for r in rows[d, a])
            for d in documents
        }
        yield Case(f"column annotator {annotators} {documents} noise {noise}", files, truth)


def cases_of_one(noise: int) -> Iterator[Case]:
    """The work of one annotator, with a tier for each speaker or layer: there is no agreement to measure."""
    for n, (documents, layers, format) in enumerate(itertools.product(DOCUMENTS, LAYERS[1:], TIERED)):
        truth = make_truth(documents, ("ann",), layers, noise=noise, seed=n)
        files = {f"{d}.{format}": TIERED[format](truth[d]["ann"]) for d in documents}
        yield Case(f"one {format} {documents} {layers} noise {noise}", files, truth)


def all_cases() -> list[Case]:
    return [
        case
        for noise in (0, 4)
        for make in (cases_of_files, cases_of_tiers, cases_of_columns, cases_of_one)
        for case in make(noise)
    ]
