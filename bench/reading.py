# SPDX-License-Identifier: MIT
"""How fast annotations are read: 100,000 units in each format, beside the plain parsing of the same files.

Plain parsing is what a library does before anything is interpreted: csv.reader, json.loads, lxml, str.split. Every
corpus read is checked: as many units, annotators and documents as were written. Our bar: a table is read, every cell
checked, no slower than csv.reader takes for the bare cells.
"""

from __future__ import annotations

import csv
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree

from measuring import NO_BAR, Options, Table, timed, verdict
from unisono.io import read, write
from unisono.model import Continuum, Corpus

DOCUMENTS, ANNOTATORS = 50, 4

#: How files are read: neither `ann0/d0` nor tiers called `ann0` say by themselves who is an annotator.
READING: dict[str, dict[str, Any]] = {
    "brat": {"annotator_from": "parent"},
    "cas": {"annotator_from": "stem"},
    "glozz": {"annotator_from": "parent"},
    "long.TextGrid": {"annotator_from": "tier"},
    "long.eaf": {"annotator_from": "tier"},
    "tei": {"annotator_from": "parent", "layer": "seg"},
}


def run(options: Options) -> Table:
    n_units = 20_000 if options.is_quick else 100_000
    table = Table(
        "reading",
        f"Reading {n_units:,} units",
        ("format", "seconds", "units a second", "plain parsing", "ratio", "verdict"),
    )
    corpus = _corpus(n_units)
    with tempfile.TemporaryDirectory() as folder:
        for name, path, plain in _files(corpus, Path(folder)):
            options.say(f"  {name} ...")
            ours = timed(lambda path=path: read(path, **READING.get(path.name, {})))  # type: ignore[misc]
            found = ours.result
            if (found.n_units, len(found.annotators)) != (n_units, ANNOTATORS):
                raise RuntimeError(f"{name}: {found}")
            theirs = timed(plain)
            table.add(
                format=name,
                seconds=f"{ours.ms / 1e3:.2f}",
                **{"units a second": f"{n_units / ours.ms * 1e3:,.0f}", "plain parsing": f"{theirs.ms / 1e3:.2f}"},
                ratio=f"{ours.ms / theirs.ms:.1f}",
                verdict=verdict(ours.ms <= theirs.ms) if name == "CSV" else NO_BAR,
                values=[ours.ms, theirs.ms],
            )
        _polars(table, Path(folder) / "units.csv", n_units)
    return table


def _polars(table: Table, path: Path, n_units: int) -> None:
    """For information: a table of cells, nothing checked, no line numbers."""
    try:
        import polars
    except ImportError:
        return
    taken = timed(lambda: polars.read_csv(path)).ms
    table.notes.append(
        f"polars.read_csv of the same CSV: {taken / 1e3:.3f} s ({n_units / taken * 1e3:,.0f} rows a second)"
    )


def _corpus(n_units: int) -> Corpus:
    chance = random.Random(1)
    text = " ".join(chance.choice("abcdefghij") * chance.randint(2, 8) for _ in range(3000))
    each = n_units // DOCUMENTS // ANNOTATORS

    def unit() -> tuple[int, int, str]:
        start = chance.randrange(len(text) - 50)
        return start, start + chance.randint(1, 40), chance.choice("ABCDEFG")

    return Corpus(
        tuple(
            Continuum.of(
                {f"ann{a}": [unit() for _ in range(each)] for a in range(ANNOTATORS)}, name=f"d{d}", text=f"{text} {d}"
            )
            for d in range(DOCUMENTS)
        )
    )


def _files(corpus: Corpus, folder: Path) -> list[tuple[str, Path, Callable[[], Any]]]:
    table, brat, export, cas, elan, glozz, tei, praat, conll = (
        folder / name
        for name in ("units.csv", "brat", "export.json", "cas", "long.eaf", "glozz", "tei", "long.TextGrid", "conll")
    )
    write(corpus, table)
    write(corpus, brat, format="brat")
    export.write_text(json.dumps([_task(continuum) for continuum in corpus]))
    for continuum in corpus:
        (cas / continuum.name).mkdir(parents=True)
        for annotator in continuum.annotators:
            (cas / continuum.name / f"{annotator}.xmi").write_text(_xmi(continuum, annotator))
    each = corpus.n_units // ANNOTATORS
    apart = {f"ann{a}": [(10 * i, 10 * i + 9, "X") for i in range(each)] for a in range(ANNOTATORS)}
    for path in (elan, praat):
        write(Corpus((Continuum.of(apart, name="long"),)), path)
    words = {f"ann{a}": [(5 * i, 5 * i + 4, "XYZ"[i % 3]) for i in range(each)] for a in range(ANNOTATORS)}
    write(Corpus((Continuum.of(words, name="long", text="word " * each),)), conll, format="conll")
    for continuum in corpus:
        for annotator in continuum.annotators:
            for root, ending, content in ((glozz, "aa", _glozz), (tei, "xml", _tei)):
                (root / annotator).mkdir(parents=True, exist_ok=True)
                (root / annotator / f"{continuum.name}.{ending}").write_text(content(continuum, annotator))
            (glozz / annotator / f"{continuum.name}.ac").write_text(continuum.text or "")
    xmi, aa, xml = sorted(cas.rglob("*.xmi")), sorted(glozz.rglob("*.aa")), sorted(tei.rglob("*.xml"))
    return [
        ("CSV", table, lambda: list(csv.reader(table.open(newline="")))),
        ("brat", brat, lambda: [line.split("\t") for path in brat.rglob("*.ann") for line in path.open()]),
        ("Label Studio JSON", export, lambda: json.loads(export.read_text())),
        ("UIMA XMI", cas, lambda: [etree.parse(path) for path in xmi]),
        ("ELAN", elan, lambda: etree.parse(elan)),
        ("Glozz", glozz, lambda: [etree.parse(path) for path in aa]),
        ("TEI", tei, lambda: [etree.parse(path) for path in xml]),
        ("Praat TextGrid", praat, lambda: praat.read_text().split("\n")),
        ("CoNLL columns", conll, lambda: [line.split("\t") for path in conll.rglob("*.*") for line in path.open()]),
    ]


def _task(continuum: Continuum) -> dict[str, Any]:
    def result(i: int, unit: Any) -> dict[str, Any]:
        covered = (continuum.text or "")[unit.start : unit.end]
        value = {"start": unit.start, "end": unit.end, "text": covered, "labels": [unit.category]}
        return {"id": f"r{i}", "from_name": "label", "to_name": "text", "type": "labels", "value": value}

    return {
        "id": continuum.name,
        "data": {"text": continuum.text},
        "annotations": [
            {"id": 1, "completed_by": name, "result": [result(i, u) for i, u in enumerate(continuum.units_of(name))]}
            for name in continuum.annotators
        ],
    }


def _xmi(continuum: Continuum, annotator: str) -> str:
    spaces = (
        'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///webanno/custom.ecore"'
    )
    units = continuum.units_of(annotator)
    rows = [
        f'<c:Entity xmi:id="{i}" sofa="1" begin="{u.start}" end="{u.end}" value="{u.category}"/>'
        for i, u in enumerate(units, start=2)
    ]
    members = " ".join(str(i) for i in range(2, len(units) + 2))
    return "\n".join([
        f'<?xml version="1.0" encoding="UTF-8"?><xmi:XMI {spaces} xmi:version="2.0">', *rows,
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{continuum.text}"/>',
        f'<cas:View sofa="1" members="{members}"/></xmi:XMI>',
    ])  # fmt: skip


def _glozz(continuum: Continuum, annotator: str) -> str:
    rows = [
        f'<unit id="{i}"><metadata><author>{annotator}</author></metadata><characterisation><type>{u.category}</type>'
        f'<featureSet/></characterisation><positioning><start><singlePosition index="{u.start}"/></start><end>'
        f'<singlePosition index="{u.end}"/></end></positioning></unit>'
        for i, u in enumerate(continuum.units_of(annotator))
    ]
    noted = f'<metadata corpusHashcode="{len(continuum.text or "")}-1"/>'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', f"<annotations>{noted}", *rows, "</annotations>"])


def _tei(continuum: Continuum, annotator: str) -> str:
    """As many units side by side, ten in a paragraph."""
    words = [f'so <seg type="{unit.category}">word {i}</seg>' for i, unit in enumerate(continuum.units_of(annotator))]
    body = "\n".join(f"<p>{' '.join(words[i : i + 10])}</p>" for i in range(0, len(words), 10))
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>\n{body}\n</body></text></TEI>'
