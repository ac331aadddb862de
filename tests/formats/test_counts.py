# SPDX-License-Identifier: MIT
"""No unit is lost in silence. Oracle: independent counts with the standard library's parsers, for eleven formats.

Random corpora in each format, with line ends mixed and records repeated: the reader finds as many units as the count.
"""

from __future__ import annotations

import csv
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators import spread_continuum
from unisono.io import inspect, write
from unisono.model import Continuum, Corpus, Unit


def a_corpus(seed: int, documents: int = 3) -> Corpus:
    """Three documents with a text, whole positions, units of three annotators with a category."""
    continua = []
    for number in range(documents):
        made = spread_continuum(3, 12, 2, seed=seed * 10 + number)
        units = {
            name: [Unit(int(u.start), int(u.end), f"K{u.category}") for u in made.units_of(name)]
            for name in made.annotators
        }
        last = max(unit.end for each in units.values() for unit in each)
        continua.append(Continuum.of(units, name=f"d{number}", text="x" * int(last), extent=(0, int(last))))
    return Corpus(tuple(continua))


def written(format: str, ending: str | None = None, documents: int = 3) -> Callable[[Path, int], Path]:
    def make(folder: Path, seed: int) -> Path:
        path = folder / (f"set{ending}" if ending else "set")
        write(a_corpus(seed, documents), path, format=format)
        for beside in folder.glob("*.documents.csv"):
            beside.unlink()
        return path

    return make


def files(path: Path, ending: str) -> list[Path]:
    return sorted(path.rglob(f"*{ending}")) if path.is_dir() else [path]


def count_csv(path: Path, delimiter: str = ",") -> int:
    with path.open(encoding="utf-8", newline=None) as file:
        return sum(bool(row["start"]) for row in csv.DictReader(file, delimiter=delimiter))


def count_lines(ending: str, pattern: str) -> Callable[[Path], int]:
    def count(path: Path) -> int:
        found = 0
        for file in files(path, ending):
            text = file.read_bytes().decode().replace("\r\n", "\n").replace("\r", "\n")
            found += len(re.findall(pattern, text, re.MULTILINE))
        return found

    return count


def count_jsonl(path: Path) -> int:
    return sum("start" in json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip())


def count_json(path: Path) -> int:
    data = json.loads(path.read_text(encoding="utf-8"))
    return sum(len(annotator["units"]) for document in data["documents"] for annotator in document["annotators"])


def count_elan(path: Path) -> int:
    return len(ElementTree.parse(path).findall(".//ANNOTATION"))


def count_glozz(path: Path) -> int:
    kinds = [
        kind.text
        for file in files(path, ".aa")
        for kind in ElementTree.parse(file).findall(".//unit/characterisation/type")
    ]
    return sum(kind not in ("paragraph", None) for kind in kinds)


def make_jams(folder: Path, seed: int) -> Path:
    annotations = []
    for continuum in a_corpus(seed, 1):
        for name in continuum.annotators:
            data = [
                {"time": u.start, "duration": u.end - u.start, "value": u.category, "confidence": None}
                for u in continuum.units_of(name)
            ]
            meta = {"annotator": {"name": name}}
            annotations.append({"namespace": "segment_open", "annotation_metadata": meta, "data": data})
    path = folder / "song.jams"
    path.write_text(json.dumps({"annotations": annotations, "file_metadata": {"duration": 10**6}, "sandbox": {}}))
    return path


def count_jams(path: Path) -> int:
    return sum(len(each["data"]) for each in json.loads(path.read_text(encoding="utf-8"))["annotations"])


def make_audacity(folder: Path, seed: int) -> Path:
    path = folder / "set"
    for continuum in a_corpus(seed, 2):
        for name in continuum.annotators:
            (path / name).mkdir(parents=True, exist_ok=True)
            lines = [f"{u.start:.6f}\t{u.end:.6f}\t{u.category}\n" for u in continuum.units_of(name)]
            (path / name / f"{continuum.name}.txt").write_text("".join(lines))
    return path


#: How a set is made, how its units are counted, and the pattern of a record that may be repeated (None: not by text).
FORMATS: dict[str, tuple[Callable[[Path, int], Path], Callable[[Path], int], str | None]] = {
    "csv": (written("csv", ".csv"), count_csv, r"^d\d,.*\n"),
    "tsv": (written("tsv", ".tsv"), lambda path: count_csv(path, "\t"), r"^d\d\t.*\n"),
    "jsonl": (written("jsonl", ".jsonl"), count_jsonl, r"^\{.*\n"),
    "json": (written("json", ".json"), count_json, r'\{"start": \d+, "end": \d+, "category": "\w+"\}, '),
    "brat": (written("brat"), count_lines(".ann", r"^T\d+\t"), r"^T\d+\t.*\n"),
    "rttm": (written("rttm"), count_lines(".rttm", r"^SPEAKER "), r"^SPEAKER .*\n"),
    "elan": (written("elan", ".eaf", 1), count_elan, None),
    "textgrid": (written("textgrid", ".TextGrid", 1), count_lines("", r"^\s*(?:text|mark) = \"[^\"]+\""), None),
    "glozz": (written("glozz"), count_glozz, None),
    "jams": (make_jams, count_jams, r'\{"time": \d+, "duration": \d+, "value": "\w+", "confidence": null\}, '),
    "audacity": (make_audacity, count_lines(".txt", r"^[\d.]+\t"), r"^[\d.]+\t.*\n"),
}


def repeat_records(path: Path, pattern: str, draw: random.Random) -> None:
    """Repeat some records of each file; identifiers of brat stay distinct."""
    for file in files(path, ""):
        if not file.is_file():
            continue
        text = file.read_text(encoding="utf-8")
        numbers = iter(range(9000, 10_000))

        def again(match: re.Match[str], numbers: Any = numbers) -> str:
            if draw.random() > 0.3:
                return match[0]
            return match[0] + re.sub(r"^T\d+", lambda _: f"T{next(numbers)}", match[0])

        file.write_text(re.sub(pattern, again, text, flags=re.MULTILINE), encoding="utf-8")


def mix_line_ends(path: Path, draw: random.Random) -> None:
    for file in files(path, ""):
        if (file.is_file() and file.suffix not in (".txt", ".ac")) or file.parent.name in ("a", "b", "c"):
            pieces = file.read_bytes().split(b"\n")
            mixed = b"".join(piece + draw.choice((b"\n", b"\r\n")) for piece in pieces[:-1]) + pieces[-1]
            file.write_bytes(mixed)


@pytest.mark.parametrize("change", ["as written", "repeated", "line ends"])
@pytest.mark.parametrize("name", FORMATS)
def test_as_many_units_as_counted(name: str, change: str, tmp_path: Path) -> None:
    make, count, pattern = FORMATS[name]
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = make(folder, seed)
        before = count(path)
        assert before >= 12
        if change == "repeated":
            if pattern is None:
                pytest.skip("records of this format cannot be repeated as text")
            repeat_records(path, pattern, random.Random(seed))
            assert count(path) > before
        elif change == "line ends" and name != "brat":  # positions in brat's texts count line ends
            mix_line_ends(path, random.Random(seed))
        # Who annotated is not what is tested here: tiers of one file are annotators only where somebody says so.
        found = inspect(path, annotator_from="tier" if name in ("elan", "textgrid") else None)
        assert found.corpus is not None, found.problems
        assert found.corpus.n_units == count(path), (seed, [str(problem) for problem in found.problems])
