# SPDX-License-Identifier: MIT
"""docs/scale.md: what public corpora reach, as γ, γcat and error equivalents.

`python bench/scale.py CORPUS... --out FILE` measures corpora and adds a line of JSON each to a file; with `--page`
docs/scale.md is written from it. 30 random continua of each document, fewer where it has dozens of annotators; of more
than 500 documents every n-th is taken, and documents with more than 40 annotators are left out.
"""

from __future__ import annotations

import argparse
import json
import warnings
from dataclasses import dataclass
from pathlib import Path

import unisono
from measuring import SHARED
from unisono.diagnosis.equivalents import equivalents
from unisono.diagnosis.significance import significance

PAGE = Path(__file__).parents[1] / "docs" / "scale.md"
SAMPLES, SEED, MOST_DOCUMENTS, MOST_ANNOTATORS = 30, 1, 500, 40


@dataclass(frozen=True)
class Source:
    """A corpus: its files, what was annotated by whom, and whether its categories compare."""

    units: str
    participation: str
    task: str
    has_categories: bool = True
    samples: int = SAMPLES


SOURCES = {
    "conll_mturk_ner": Source(
        "conll_mturk_ner/units.csv.gz",
        "conll_mturk_ner/participation.csv.gz",
        "named entities in news, 4 categories, crowd workers (Rodrigues et al. 2014)",
    ),
    "propaganda": Source(
        "llm_span_annotation/propaganda.csv.gz",
        "llm_span_annotation/propaganda_participation.csv.gz",
        "propaganda techniques in news, 18 categories, one human and ten runs of language models (arXiv 2504.08697)",
    ),
    "d2t_test": Source(
        "llm_span_annotation/d2t_test.csv.gz",
        "llm_span_annotation/d2t_test_participation.csv.gz",
        "errors in texts generated from data, 6 categories, crowd and language models (arXiv 2504.08697)",
    ),
    "d2t_iaa": Source(
        "llm_span_annotation/d2t_iaa.csv.gz",
        "llm_span_annotation/d2t_iaa_participation.csv.gz",
        "the task of d2t_test, 12 texts by 34 or 35 annotators each (arXiv 2504.08697)",
        samples=5,
    ),
    "toxic_spans": Source(
        "toxic_spans/units.csv.gz",
        "toxic_spans/participation.csv.gz",
        "toxic spans in comments, 5 categories, crowd workers (Pavlopoulos et al.)",
    ),
    "salami functions": Source(
        "salami/functions.csv.gz",
        "salami/participation.csv.gz",
        "sections of pieces of music with their functions, two trained listeners (SALAMI)",
    ),
    "salami uppercase": Source(
        "salami/uppercase.csv.gz",
        "salami/participation.csv.gz",
        "the same pieces, large sections, labels of each listener's own: positions only",
        has_categories=False,
    ),
}
KINDS = ("missed", "added", "boundaries", "categories", "splits")


def row_of(name: str) -> dict:
    """γ, γcat, p and equivalents of a corpus."""
    source = SOURCES[name]
    folder = SHARED / "corpora"
    corpus = unisono.read(folder / source.units, participation=folder / source.participation, skip_invalid=True)
    documents = [document for document in corpus if 1 < document.n_annotators <= MOST_ANNOTATORS]
    step = -(-len(documents) // MOST_DOCUMENTS)
    taken = unisono.Corpus(tuple(documents[::step]))
    settings = {} if source.has_categories else {"beta": 0.0}
    measures = ["gamma", "gamma-cat"] if source.has_categories else ["gamma"]
    result = unisono.measure(taken, measures, seed=SEED, samples=source.samples, **settings)
    return {
        "corpus": name,
        "task": source.task,
        "documents": len(taken),
        "of": len(corpus),
        "units": taken.n_units,
        "annotators": sorted(document.n_annotators for document in taken)[len(taken) // 2],
        "p": significance(result).p,
        "values": {name: value.to_dict() for name, value in result.measures.items()},
        "equivalents": [each.to_dict() for each in equivalents(result)],
    }


def page(rows: list[dict]) -> str:
    """The page as Markdown."""
    lines = [
        "# A scale to compare with",
        "",
        "What public corpora reach. A value compares with another one only where the tasks are alike: the",
        "[equivalents](equivalents.md) say what it means for data of that kind. Made by",
        "`python bench/scale.py CORPUS... --out FILE --page` from documents with two annotators or more, with",
        f"{SAMPLES} random continua of each (d2t_iaa: {SOURCES['d2t_iaa'].samples}), seed {SEED}. Of more than"
        f" {MOST_DOCUMENTS} documents every n-th is",
        "taken. Intervals are over documents (95 %), those of equivalents 90 %.",
        "",
        "| corpus | documents | annotators | γ | γcat | missed | added per 100 | boundaries | categories "
        "| splits per 100 |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: -row["values"]["gamma"]["value"]):
        found = {each["kind"]: each for each in row["equivalents"]}
        cells = [
            row["corpus"],
            f"{row['documents']:,}" + (f" of {row['of']:,}" if row["documents"] < row["of"] else ""),
            str(row["annotators"]),
            *(_value(row["values"].get(name)) for name in ("gamma", "gamma-cat")),
            *(_equivalent(found.get(kind)) for kind in KINDS),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "Annotators: the median of a document; equivalents simulate ten at most. –: errors of that kind alone do not",
        "give the value. …: no upper end.",
        "",
    ]
    lines += [f"- **{row['corpus']}**: {row['task']}." for row in rows]
    lines += [
        "",
        "Segmentations (salami) fill the continuum, and the usual settings compare positions relative to the length of",
        "units: for such tasks see [choosing.md](choosing.md).",
    ]
    return "\n".join(lines) + "\n"


def _value(value: dict | None) -> str:
    if value is None or value["value"] is None:
        return "–"
    interval = next((each for each in value["intervals"] if each["kind"] == "documents"), None)
    return f"{value['value']:.2f}" + (f" ({interval['low']:.2f} to {interval['high']:.2f})" if interval else "")


def _equivalent(found: dict | None) -> str:
    if found is None or (found["quantity"] is None and found["low"] is None):
        return "–"
    unit = "" if found["kind"] in ("added", "splits") else " %"
    if found["quantity"] is None:
        return f"more than {100 * found['low']:.0f}{unit}"
    high = "…" if found["high"] is None else f"{100 * found['high']:.0f}"
    return f"{100 * found['quantity']:.0f}{unit} ({100 * found['low']:.0f} to {high})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(SOURCES))
    parser.add_argument("--out", type=Path, default=Path("scale.jsonl"))
    parser.add_argument("--page", action="store_true", help="write docs/scale.md from the file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.corpora:
        with options.out.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row_of(name)) + "\n")
    if options.page:
        rows = [json.loads(line) for line in options.out.read_text(encoding="utf-8").splitlines()]
        PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
