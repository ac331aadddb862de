# SPDX-License-Identifier: MIT
# ruff: noqa: E501 - tables of names are read across
"""Inputs as people have them: names of people, dates and projects, odd folders, copies, hidden files, missing work.

Each input is drawn from a seed, with the truth that it was made from: `{document: {annotator: units}}`. The files are
written by the plain functions below, not by the package. Nothing here was used to tune the reading of layouts.
"""

from __future__ import annotations

import io
import itertools
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

Units = list[tuple[int, int, str]]
Truth = dict[str, dict[str, Units]]

ANNOTATORS = (
    ("anna", "bob"), ("Anna", "Björn", "Chloé"), ("maria", "jose"), ("Müller", "Schmidt"), ("AB", "CD"),
    ("A1", "A2"), ("ann1", "ann2"), ("annotator_1", "annotator_2"), ("coderA", "coderB"), ("rater1", "rater2", "rater3"),
    ("R1", "R2"), ("Annotateur1", "Annotateur2"), ("user01", "user07"), ("1023", "2044"), ("A", "B", "C"),
    ("human", "gpt"), ("student1", "student2"), ("jk", "lm"), ("kodierer-1", "kodierer-2"), ("Li Wei", "Chen Jie"),
    ("expert", "novice"), ("anna.k", "bob.m"), ("Иван", "Ольга"), ("sara", "sarah"), ("lea_m", "tom_b"),
)  # fmt: skip
DOCUMENTS = (
    ("talk",), ("2024-01-15", "2024-02-03"), ("PRJ-001", "PRJ-002"), ("interview_anna", "interview_karl"),
    ("berlin", "paris", "rome"), ("chapter1", "chapter2"), ("001", "002", "003"), ("NYT19990101", "WSJ0042"),
    ("S01_T2", "S02_T2"), ("Emma", "Paul"), ("monday", "tuesday"), ("session1",), ("P07",), ("wiki_Berlin", "wiki_Oslo"),
    ("letter to mom", "postcard"), ("doc1", "doc2", "doc3", "doc4"), ("entretien_3", "entretien_4"), ("news", "mail"),
    ("2024_anna_visit", "2024_bob_visit"), ("a", "b"), ("EN2001a", "EN2001b"), ("left", "right"), ("Interview-A", "Interview-B"),
)  # fmt: skip
FILES = (
    "{d}_{a}", "{a}_{d}", "{d}-{a}", "{a}-{d}", "{d}.{a}", "{d} {a}", "{d}_{a}_final", "final_v2_{d}_{a}", "{d}_annotated_by_{a}",
    "{a}/{d}", "{d}/{a}", "{a}/annotations/{d}", "annotations/{a}/{d}", "round1/{a}/{d}", "{d}/{a}/annotations",
    "{a}/{a}_{d}", "{d}/{d}_{a}", "{d}/{d}-{a}", "{a}/2024/{d}", "data/{d}_{a}_v1", "{d}__{a}", "{a}/{d}_checked",
)  # fmt: skip
ONE_EACH = (
    "{a}",
    "annotations_{a}",
    "{a}_final",
    "units-{a}",
    "2024-05-01_{a}",
    "final_v2_{a}",
    "{a}/export",
    "{a}/annotations",
)
SPEAKERS = (
    ("Alice", "Carol"), ("SPK1", "SPK2"), ("CHI", "MOT"), ("teacher", "pupil"), ("A", "B"), ("JD", "MP"),
    ("transcript@Alice", "transcript@Carol"), ("W1", "W2"), ("interviewer", "Karl"),
)  # fmt: skip
LEVELS = (("words", "phones"), ("Wort", "Silbe"), ("gesture", "speech"), ("emotion", "topic"), ("mots", "gloses"))
#: What a single tier of a file is called, where it is not the annotator.
TIERS = ("tier1", "default", "labels", "annotation", "Mary", "units")


@dataclass(frozen=True)
class Input:
    """Files by name, and the truth that they were made from; `name` says how they were made."""

    name: str
    files: Mapping[str, bytes]
    truth: Truth
    #: How they are handed over: a folder, a zip archive, or the single files.
    handed: str = "folder"

    def write(self, folder: Path) -> list[Path]:
        """Write the files into a folder; the paths to read."""
        if self.handed == "zip":
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for name, content in self.files.items():
                    archive.writestr(name, content)
            (folder / "export.zip").write_bytes(packed.getvalue())
            return [folder / "export.zip"]
        for name, content in self.files.items():
            path = folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if self.handed == "files":
            return [folder / "data" / name for name in self.files]
        return [folder / "data"]


# Units


def _units(draw: random.Random, style: str) -> Units:
    """The units that are there to be found in a document."""
    labels = draw.choice((("PER", "LOC", "ORG"), ("x", "y"), ("Nomen", "Verb", "Adj", "Adv"), ("q", "a", "b")))
    if style == "dense":
        bounds = sorted(draw.sample(range(1, 1200, 3), draw.randrange(8, 25)))
        return [(s, e, draw.choice(labels)) for s, e in itertools.pairwise(bounds)]
    n = draw.randrange(2, 6) if style == "few" else draw.randrange(8, 30)
    bounds = sorted(draw.sample(range(1200), 2 * n))
    return [(s, min(e, s + 40), draw.choice(labels)) for s, e in zip(bounds[::2], bounds[1::2], strict=True)]


def _annotate(draw: random.Random, units: Units, noise: int, missed: float) -> Units:
    """An annotator's version of the units: bounds moved, some missed, some categories changed; none overlap."""
    labels = sorted({label for _, _, label in units})
    found: Units = []
    for start, end, label in units:
        if draw.random() < missed:
            continue
        start, end = start + draw.randint(-noise, noise), end + draw.randint(-noise, noise)
        start = max(start, found[-1][1] if found else 0)
        if draw.random() < missed:
            label = draw.choice(labels)
        if end > start:
            found.append((start, end, label))
    return found or units[:1]


def _truth(draw: random.Random, documents: Sequence[str], annotators: Sequence[str], style: str) -> Truth:
    noise, missed = draw.choice(((0, 0.0), (2, 0.05), (4, 0.15), (9, 0.3)))
    truth: Truth = {}
    for document in documents:
        units = _units(draw, style)
        truth[document] = {name: _annotate(draw, units, noise, missed) for name in annotators}
    return truth


# Files


def textgrid(tiers: Mapping[str, Units], end: int = 1300) -> bytes:
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0",
        f"xmax = {end}",
        "tiers? <exists>",
    ]
    lines += [f"size = {len(tiers)}", "item []:"]
    for number, (name, units) in enumerate(tiers.items(), start=1):
        intervals: list[tuple[int, int, str]] = []
        last = 0
        for start, stop, label in units:
            if start > last:
                intervals.append((last, start, ""))
            intervals.append((start, stop, label))
            last = stop
        intervals.append((last, end, ""))
        lines += [
            f"    item [{number}]:",
            '        class = "IntervalTier"',
            f'        name = "{name}"',
            "        xmin = 0",
        ]
        lines += [f"        xmax = {end}", f"        intervals: size = {len(intervals)}"]
        for i, (start, stop, label) in enumerate(intervals, start=1):
            lines += [f"        intervals [{i}]:", f"            xmin = {start}", f"            xmax = {stop}"]
            lines += [f'            text = "{label}"']
    return ("\n".join(lines) + "\n").encode()


def eaf(tiers: Mapping[str, Units], media: str = "", annotator: str = "") -> bytes:
    slots, body, n = [], [], 0
    for name, units in tiers.items():
        annotations = []
        for start, stop, label in units:
            slots += [start, stop]
            n += 1
            annotations.append(
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{n}" TIME_SLOT_REF1="ts{len(slots) - 1}" '
                f'TIME_SLOT_REF2="ts{len(slots)}"><ANNOTATION_VALUE>{escape(label)}</ANNOTATION_VALUE>'
                "</ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        by = f" ANNOTATOR={quoteattr(annotator)}" if annotator else ""
        body.append(f'<TIER LINGUISTIC_TYPE_REF="t" TIER_ID={quoteattr(name)}{by}>{"".join(annotations)}</TIER>')
    order = "".join(f'<TIME_SLOT TIME_SLOT_ID="ts{i}" TIME_VALUE="{t}"/>' for i, t in enumerate(slots, start=1))
    linked = f'<MEDIA_DESCRIPTOR MEDIA_URL="file:///D:/{media}" MIME_TYPE="audio/x-wav"/>' if media else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00Z" '
        f'FORMAT="3.0" VERSION="3.0"><HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">{linked}</HEADER>'
        f"<TIME_ORDER>{order}</TIME_ORDER>{''.join(body)}"
        '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="t" TIME_ALIGNABLE="true"/></ANNOTATION_DOCUMENT>'
    ).encode()


def csv(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, header: bool = True, separator: str = ","
) -> bytes:
    lines = [separator.join(columns)] * header + [separator.join(map(str, row)) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def brat(units: Units) -> bytes:
    return "".join(f"T{i}\t{c} {s} {e}\t{'x' * (e - s)}\n" for i, (s, e, c) in enumerate(units, start=1)).encode()


def _text(draw: random.Random) -> bytes:
    """A text of 1300 letters x, with some other words at its end, so that documents have different texts."""
    return b"x" * 1300 + b" " + bytes(draw.choices(b"abcdef ", k=40))


def _clutter(draw: random.Random, files: dict[str, bytes]) -> str:
    """Files that systems and people leave behind."""
    kind = draw.choice(("", "", "hidden", "readme", "conf"))
    if kind == "hidden":
        files |= {".DS_Store": b"\0\0\0\1Bud1", "Thumbs.db": b"\xd0\xcf\x11", "__MACOSX/._x": b"\0\5\26\7"}
        first = next(iter(files))
        folder, _, name = first.rpartition("/")
        files[f"{folder}/._{name}" if folder else f"._{name}"] = b"\0\5\26\7"
    elif kind == "readme":
        files["README.md"] = b"# Our annotations\n\nAnnotated in May.\n"
    elif kind == "conf":
        files |= {"annotation.conf": b"[entities]\nPER\n", "visual.conf": b"[labels]\nPER | Person\n"}
    return kind


# Situations


def _one_file(
    draw: random.Random, format: str, units: Units, tier: str, document: str, annotator: str
) -> dict[str, bytes]:
    """The files of one annotator and one document, by their endings."""
    if format == "TextGrid":
        return {".TextGrid": textgrid({tier: units})}
    if format == "eaf":
        return {".eaf": eaf({tier: units})}
    if format == "ann":
        return {".ann": brat(units)}
    rows = units if format != "csv-label-first" else [(c, s, e) for s, e, c in units]
    names = ("start", "end", "label") if format != "csv-label-first" else ("label", "start", "end")
    return {".csv": csv(names, rows, header=format != "csv-bare", separator=";" if format == "csv-semicolon" else ",")}


FLAT = ("csv", "csv-bare", "csv-label-first", "csv-semicolon", "ann", "TextGrid", "eaf")


def files_of_annotators(draw: random.Random) -> Input:
    """A file for each annotator and document, with one tier where the format has tiers; some may be missing."""
    annotators, documents = draw.choice(ANNOTATORS), draw.choice(DOCUMENTS)
    pattern, format, style = draw.choice(FILES), draw.choice(FLAT), draw.choice(("usual", "usual", "few", "dense"))
    if len(documents) == 1 and draw.random() < 0.5:
        pattern = draw.choice(ONE_EACH)
    truth = _truth(draw, documents, annotators, style)
    is_sparse = draw.random() < 0.3 and len(documents) > 1
    if is_sparse:
        for annotated in list(truth.values())[1:]:
            for name in annotators[1:]:
                if draw.random() < 0.6:
                    annotated.pop(name)
    tier = draw.choice(TIERS)
    files: dict[str, bytes] = {}
    with_texts = format == "ann" and draw.random() < 0.6
    texts = {d: _text(draw) for d in documents}
    for d, annotated in truth.items():
        for a, units in annotated.items():
            stem = pattern.format(a=a, d=d)
            own_tier = a if tier == "Mary" and draw.random() < 0.5 else tier
            for ending, content in _one_file(draw, format, units, own_tier, d, a).items():
                files[stem + ending] = content
            if with_texts:
                files[stem + ".txt"] = texts[d]
    clutter = _clutter(draw, files)
    handed = draw.choice(("folder", "folder", "zip"))
    name = f"files {format} {pattern} {annotators} {documents} {style} sparse={is_sparse} texts={with_texts} {clutter} {handed}"
    return Input(name, files, truth, handed)


def files_with_tiers(draw: random.Random) -> Input:
    """A file for each annotator and document whose tiers are speakers, or levels of which one is asked for."""
    annotators, documents = draw.choice(ANNOTATORS), draw.choice(DOCUMENTS)
    pattern, format = draw.choice(FILES), draw.choice(("TextGrid", "eaf"))
    if len(documents) == 1 and draw.random() < 0.5:
        pattern = draw.choice(ONE_EACH)
    tiers = draw.choice((*SPEAKERS, *LEVELS))
    style = draw.choice(("usual", "few", "dense"))
    by_tier = {tier: _truth(draw, documents, annotators, style) for tier in tiers}
    linked = draw.random() < 0.3
    named = draw.random() < 0.2
    files = {}
    truth: Truth = {}
    for d in documents:
        truth[d] = {}
        for a in annotators:
            own = {tier: by_tier[tier][d][a] for tier in tiers}
            truth[d][a] = sorted(unit for units in own.values() for unit in units)
            content = (
                textgrid(own)
                if format == "TextGrid"
                else eaf(own, media=f"{d}.wav" if linked else "", annotator=a if named else "")
            )
            files[f"{pattern.format(a=a, d=d)}.{format}"] = content
    clutter = _clutter(draw, files)
    handed = draw.choice(("folder", "zip"))
    name = f"tiered files {format} {pattern} {annotators} {documents} {tiers} {style} media={linked} {clutter} {handed}"
    return Input(name, files, truth, handed)


def tiers_of_annotators(draw: random.Random) -> Input:
    """A file for each document with a tier for each annotator."""
    annotators, documents = draw.choice(ANNOTATORS), draw.choice(DOCUMENTS)
    format = draw.choice(("TextGrid", "eaf"))
    pattern = draw.choice(("{d}", "{d}/{d}", "rec_{d}", "{d}_final", "{d}/annotation", "2024/{d}"))
    tier = draw.choice(("{a}", "{a}", "words_{a}", "{a}_words", "words@{a}", "{a} (words)"))
    style = draw.choice(("usual", "few", "dense"))
    truth = _truth(draw, documents, annotators, style)
    files = {}
    for d in documents:
        own = {tier.format(a=a): truth[d][a] for a in annotators}
        files[f"{pattern.format(d=d)}.{format}"] = textgrid(own) if format == "TextGrid" else eaf(own)
    clutter = _clutter(draw, files)
    name = f"tiers {format} {pattern} {tier} {annotators} {documents} {style} {clutter}"
    return Input(name, files, truth, draw.choice(("folder", "zip")))


def one_annotator(draw: random.Random) -> Input:
    """The work of a single annotator: files are documents, tiers speakers or levels; there is nothing to compare."""
    documents = draw.choice([names for names in DOCUMENTS if len(names) > 1])
    format = draw.choice(FLAT)
    pattern = draw.choice(("{d}", "anna_{d}", "{d}_final", "{d}/annotation", "{d}/{d}", "part1/{d}", "{d}_words"))
    style = draw.choice(("usual", "few", "dense"))
    tiers = draw.choice((("words",), *SPEAKERS, *LEVELS)) if format in ("TextGrid", "eaf") else ("",)
    truth: Truth = {}
    files = {}
    for d in documents:
        own = {tier: _units(draw, style) for tier in tiers}
        truth[d] = {"anna": sorted(unit for units in own.values() for unit in units)}
        if format in ("TextGrid", "eaf"):
            files[f"{pattern.format(d=d)}.{format}"] = textgrid(own) if format == "TextGrid" else eaf(own)
        else:
            for ending, content in _one_file(draw, format, own[""], "", d, "anna").items():
                files[pattern.format(d=d) + ending] = content
    name = f"one annotator {format} {pattern} {documents} {tiers} {style}"
    return Input(name, files, truth, draw.choice(("folder", "zip", "files")))


def one_annotator_in_folders(draw: random.Random) -> Input:
    """The work of a single annotator, with documents of the same names in folders that are not annotators."""
    folders = draw.choice((("train", "test"), ("2023", "2024"), ("news", "mail"), ("berlin", "paris"), ("week1", "week2"),
                           ("session1", "session2"), ("P01", "P02"), ("Emma", "Paul"), ("english", "german")))  # fmt: skip
    stems = draw.choice((("001", "002"), ("doc1", "doc2"), ("annotation",), ("a", "b"), ("intro", "main")))
    format = draw.choice(FLAT)
    truth: Truth = {}
    files = {}
    with_texts = format == "ann" and draw.random() < 0.5
    for folder in folders:
        for stem in stems:
            units = _units(draw, draw.choice(("usual", "few", "dense")))
            truth[f"{folder}/{stem}"] = {"anna": units}
            for ending, content in _one_file(draw, format, units, "words", stem, "anna").items():
                files[f"{folder}/{stem}{ending}"] = content
            if with_texts:
                files[f"{folder}/{stem}.txt"] = _text(draw)
    name = f"one annotator in folders {format} {folders} {stems} texts={with_texts}"
    return Input(name, files, truth, draw.choice(("folder", "zip")))


def each_their_own(draw: random.Random) -> Input:
    """Every annotator has documents of their own: there is nothing to compare."""
    annotators, documents = draw.choice([names for names in ANNOTATORS if len(names) == 2]), draw.choice(DOCUMENTS)
    documents = (*documents, *draw.choice([names for names in DOCUMENTS if len(names) > 1 and names != documents]))[:4]
    format, pattern = draw.choice(FLAT), draw.choice(FILES)
    truth: Truth = {}
    files = {}
    for i, d in enumerate(documents):
        a = annotators[i % 2]
        units = _units(draw, "usual")
        truth[d] = {a: units}
        for ending, content in _one_file(draw, format, units, "words", d, a).items():
            files[pattern.format(a=a, d=d) + ending] = content
    return Input(f"each their own {format} {pattern} {annotators} {documents}", files, truth)


def copies(draw: random.Random) -> Input:
    """Versions and copies of one annotator's file: agreement of an annotator with themselves is none."""
    words = draw.choice((("old", "new"), ("draft", "final"), ("v1", "v2"), ("backup", "current"), ("copy", "orig"), ("1", "2"),
                         ("before", "after"), ("pre", "post"), ("raw", "clean"), ("auto", "corrected"), ("todo", "done")))  # fmt: skip
    pattern = draw.choice(("talk_{w}", "{w}/talk", "talk_anna_{w}", "{w}_talk", "anna/{w}/talk", "talk-{w}"))
    format = draw.choice(FLAT)
    units = _units(draw, "usual")
    truth: Truth = {"talk": {"anna": units}}
    files = {}
    for w in words:
        version = _annotate(draw, units, 2, 0.05)
        for ending, content in _one_file(draw, format, version, "words", "talk", "anna").items():
            files[pattern.format(w=w) + ending] = content
    return Input(f"copies {format} {pattern} {words}", files, truth)


def layers_in_files(draw: random.Random) -> Input:
    """One annotator, a file for each layer, category or speaker: they are not annotators."""
    words = draw.choice((("words", "phones"), ("entities", "relations"), ("PER", "LOC"), ("speakerA", "speakerB"), ("left", "right"),
                         ("mother", "child"), ("teacher", "student"), ("gesture", "speech"), ("ch1", "ch2"), ("en", "de")))  # fmt: skip
    pattern = draw.choice(("talk_{w}", "{w}/talk", "{w}_talk", "talk-{w}"))
    format = draw.choice(FLAT)
    truth: Truth = {}
    files = {}
    for w in words:
        units = _units(draw, "usual")
        truth[f"talk {w}"] = {"anna": units}
        for ending, content in _one_file(draw, format, units, "t", "talk", "anna").items():
            files[pattern.format(w=w) + ending] = content
    return Input(f"layers in files {format} {pattern} {words}", files, truth)


def gold_beside(draw: random.Random) -> Input:
    """Annotators and a gold standard made from them: whether it counts as an annotator is for the user to say."""
    annotators, documents = draw.choice(ANNOTATORS), draw.choice(DOCUMENTS)
    gold = draw.choice(("gold", "curated", "adjudicated", "consensus", "Gold_Standard", "final", "merged"))
    pattern, format = draw.choice(("{a}/{d}", "{d}/{a}", "{d}_{a}")), draw.choice(FLAT)
    truth = _truth(draw, documents, annotators, "usual")
    files = {}
    for d in documents:
        for a, units in {**truth[d], gold: _annotate(draw, truth[d][annotators[0]], 2, 0.05)}.items():
            for ending, content in _one_file(draw, format, units, "words", d, a).items():
                files[pattern.format(a=a, d=d) + ending] = content
    return Input(f"gold beside {format} {pattern} {annotators} {documents} {gold}", files, truth)


def tables_with_annotators(draw: random.Random) -> Input:
    """Tables with a column for the annotator, for the document, for both or for neither, with further columns."""
    annotators, documents = draw.choice(ANNOTATORS), draw.choice(DOCUMENTS)
    truth = _truth(draw, documents, annotators, draw.choice(("usual", "few", "dense")))
    who = draw.choice(("annotator", "coder", "Annotator ID", "user", "Kodierer", "annotateur", "rater_id"))
    what = draw.choice(("document", "doc_id", "file", "Dokument", "recording", "item"))
    label = draw.choice(("label", "category", "Kategorie", "ner_label", "code", "etiqueta", "my_tags"))
    further = draw.choice(("", "token_index", "confidence", "text", "speaker", "id"))
    kind = draw.choice(("one table", "per document", "per annotator", "per annotator without column", "per both"))

    def rows(d: str, a: str, *names: str) -> list[list[object]]:
        extra: Callable[[int, str], object] = {
            "token_index": lambda i, c: i, "confidence": lambda i, c: draw.choice((0.5, 0.9, 1)),
            "text": lambda i, c: draw.choice(("Anna", "Berlin")), "id": lambda i, c: f"u{i}{a}{d}",
            "speaker": lambda i, c: draw.choice(("S1", "S2")),
        }.get(further, lambda i, c: "")  # fmt: skip
        values = {who: a, what: d}
        return [
            [*(values[name] for name in names), s, e, c, *([extra(i, c)] if further else [])]
            for i, (s, e, c) in enumerate(truth[d][a])
        ]

    tail = ("start", "end", label, *((further,) if further else ()))
    pairs = [(d, a) for d in documents for a in annotators]
    if kind == "one table":
        names = (what, who) if len(documents) > 1 or draw.random() < 0.5 else (who,)
        files = {"all.csv": csv((*names, *tail), [row for d, a in pairs for row in rows(d, a, *names)])}
    elif kind == "per document":
        files = {f"{d}.csv": csv((who, *tail), [r for a in annotators for r in rows(d, a, who)]) for d in documents}
    elif kind == "per annotator":
        names = (what, who)
        files = {
            f"{a}.csv": csv((*names, *tail), [r for d in documents for r in rows(d, a, *names)]) for a in annotators
        }
    elif kind == "per annotator without column":
        pattern = draw.choice(ONE_EACH)
        files = {
            f"{pattern.format(a=a)}.csv": csv((what, *tail), [r for d in documents for r in rows(d, a, what)])
            for a in annotators
        }
    else:
        pattern = draw.choice(FILES)
        files = {f"{pattern.format(a=a, d=d)}.csv": csv((who, *tail), rows(d, a, who)) for d, a in pairs}
    name = f"tables {kind} {who} {what} {label} {further} {annotators} {documents} {sorted(files)[:2]}"
    return Input(name, files, truth, draw.choice(("folder", "zip", "files")))


SITUATIONS: tuple[Callable[[random.Random], Input], ...] = (
    files_of_annotators, files_with_tiers, tiers_of_annotators, one_annotator, one_annotator_in_folders, each_their_own,
    copies, layers_in_files, gold_beside, tables_with_annotators,
)  # fmt: skip


def make_input(seed: int) -> Input:
    """The input of a seed; the situations take turns."""
    return SITUATIONS[seed % len(SITUATIONS)](random.Random(seed))
