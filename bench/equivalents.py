# SPDX-License-Identifier: MIT
"""Are error equivalents right? Corpora made with errors of a known size, like real ones, and what is found in them.

`python -m bench.equivalents --cases 0:34 --out FILE` adds cases to a file; `--summary FILE` prints the table.
A case is a corpus of four annotators on as many references as have 300 units, drawn from a model fitted to a real
corpus, with errors of one kind of the shuffling tool; with `--measure text-gamma` twelve texts of 60 tokens. The truth
is the mean quantity of the errors made in all cases of its cell. Every case is measured and explained as a user's
corpus would be, with a model fitted to it alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
from bench.measuring import SHARED
from tests.reference.simulation import SplitUnits, quantity_done

import unisono
from unisono.diagnosis.assumed import Kind
from unisono.diagnosis.equivalents import equivalents
from unisono.diagnosis.text_curves import TEXT_ERRORS, text_errors_done
from unisono.model.versions import Version
from unisono.results import TEXT_MEASURE
from unisono.shuffling import (
    CategoryErrors,
    Errors,
    FalseNegatives,
    FalsePositives,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffle_text,
    shuffled_sets,
)

CORPORA = {
    "conll_mturk_ner": ("conll_mturk_ner/units.csv.gz", "conll_mturk_ner/participation.csv.gz"),
    "toxic_spans": ("toxic_spans/units.csv.gz", "toxic_spans/participation.csv.gz"),
    "propaganda": ("llm_span_annotation/propaganda.csv.gz", "llm_span_annotation/propaganda_participation.csv.gz"),
}
ERRORS: dict[Kind, Errors] = {
    "missed": FalseNegatives(),
    "added": FalsePositives(),
    "boundaries": PositionErrors(),
    "categories": CategoryErrors(),
    # At the tool's own rate, but drawn: rounded, documents of one unit are never split at these magnitudes.
    "splits": SplitUnits(),
}
REFERENCE_UNITS, ANNOTATORS, SAMPLES = 300, 4, 30
TEXTS, TOKENS, WORDS = 12, 60, 300
ALL = ",".join(ERRORS)


def made_corpus(model: ReferenceModel, kind: Kind, magnitude: float, seed: int) -> tuple[unisono.Corpus, float]:
    """A corpus with errors of a kind, and the quantity of the errors."""
    sets, n_units = [], 0
    errors = ERRORS[kind]
    if isinstance(errors, SplitUnits):
        errors, magnitude = SplitUnits(per_unit=Splits().factor * magnitude / (1 - magnitude)), 1.0
    while n_units < REFERENCE_UNITS:
        numbers = [len(sets) + 1]
        (one,) = shuffled_sets(model, errors, magnitude, sets=numbers, annotators=ANNOTATORS, seed=seed)
        sets.append(one)
        n_units += one.reference.n_units
    return unisono.Corpus(tuple(each.continuum for each in sets)), quantity_done(kind, sets)


def made_texts(kind: Kind, magnitude: float, seed: int) -> tuple[unisono.Corpus, float]:
    """Versions of texts with errors of a kind, and the quantity of the errors.

    The words are of two to nine letters, frequent ones first; a word has one of seven labels.
    """
    random = np.random.default_rng(seed)
    letters = list("etaoinshrdlu")
    words = ["".join(random.choice(letters, random.integers(2, 10))) for _ in range(WORDS)]
    labels = random.integers(0, 7, WORDS)
    sets = []
    for number in range(TEXTS):
        chosen = (WORDS ** random.random(TOKENS)).astype(int) - 1
        reference = Version.of_tokens(
            [words[i] for i in chosen.tolist()], features={"pos": [f"P{labels[i]}" for i in chosen.tolist()]}
        )
        sets.append(
            shuffle_text(
                reference, TEXT_ERRORS[kind], magnitude, annotators=ANNOTATORS, seed=seed, name=f"text-{number}"
            )
        )
    done = sum(text_errors_done(kind, each) for each in sets)
    n_units = sum(each.reference.n_units * ANNOTATORS for each in sets)
    return unisono.Corpus(tuple(unisono.Continuum.of_versions(each.versions) for each in sets)), done / n_units


def run_case(model: ReferenceModel | None, name: str, kind: Kind, magnitude: float, case: int, measure: str) -> dict:
    begin = time.process_time()
    # Every case of every cell has a corpus of its own.
    kinds, names = [*ERRORS, "text"], [*CORPORA, "texts"]
    seed = 1_000_003 * (case + 1) + 7919 * kinds.index(kind) + 104_729 * names.index(name)
    seed += round(1000 * magnitude)
    if model is None:
        corpus, quantity = made_texts(kind, magnitude, seed)
    else:
        corpus, quantity = made_corpus(model, kind, magnitude, seed)
    result = unisono.measure(corpus, measure, seed=case, samples=SAMPLES)
    (found,) = equivalents(result, kinds=[kind])
    return {
        "corpus": name,
        "kind": kind,
        "magnitude": magnitude,
        "case": case,
        "measure": measure,
        "documents": len(corpus),
        "value": result[measure].value,
        "made": quantity,
        "found": found.quantity,
        "low": found.low,
        "high": found.high,
        "reason": found.reason,
        "seconds": time.process_time() - begin,
    }


def summarise(rows: list[dict]) -> None:
    """For each kind and magnitude: how often the interval holds the truth, with a binomial interval, and the bias."""
    cells = defaultdict(list)
    for row in rows:
        cells[row["kind"], row["magnitude"], row["corpus"]].append(row)
    tables = defaultdict(lambda: defaultdict(list))
    for (kind, magnitude, name), of_cell in sorted(cells.items()):
        truth = sum(row["made"] for row in of_cell) / len(of_cell)
        for row in of_cell:
            holds = None
            if row["low"] is not None:
                holds = row["low"] <= truth and (row["high"] is None or truth <= row["high"])
            bias = None if row["found"] is None or not truth else row["found"] / truth - 1
            for key in ((kind, magnitude, name), (kind, magnitude, "all"), (kind, "all", "all")):
                tables[key]["holds"].append(holds)
                tables[key]["bias"].append(bias)
                tables[key]["truth"].append(truth)
                tables[key]["value"].append(row["value"])
    print("| kind | magnitude | corpus | truth | value | cases | interval holds it | one-sided or none | median bias |")
    print("|---|---|---|---|---|---|---|---|---|")
    for key in sorted(tables, key=lambda key: (key[0], str(key[1]), key[2])):
        table = tables[key]
        known = [each for each in table["holds"] if each is not None]
        biases = sorted(each for each in table["bias"] if each is not None)
        n, k = len(known), sum(known)
        low, high = wilson(k, n)
        median = f"{100 * biases[len(biases) // 2]:+.0f} %" if biases else "–"
        share = f"{100 * k / n:.0f} % ({100 * low:.0f}–{100 * high:.0f})" if n else "–"
        truth, value = (sum(table[what]) / len(table[what]) for what in ("truth", "value"))
        without = sum(each is None for each in table["bias"])
        cells_of_row = (*key, f"{truth:.3f}", f"{value:.2f}", len(table["holds"]), share, without, median)
        print(f"| {' | '.join(map(str, cells_of_row))} |")


def wilson(k: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share."""
    if not n:
        return 0.0, 1.0
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return middle - half, middle + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="0:10", help="FIRST:LAST cases of each cell")
    parser.add_argument("--magnitudes", default="0.1,0.3")
    parser.add_argument("--kinds", default=ALL)
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--measure", default="gamma")
    parser.add_argument("--out", help="file of cases, which are added at its end")
    parser.add_argument("--summary", nargs="+", metavar="FILE", help="print the table of these files and stop")
    options = parser.parse_args()
    if options.summary:
        summarise([json.loads(line) for path in options.summary for line in Path(path).read_text().splitlines()])
        return
    warnings.simplefilter("ignore")
    first, last = (int(part) for part in options.cases.split(":"))
    models: dict[str, ReferenceModel | None] = {}
    kinds = options.kinds.split(",")
    if options.measure == TEXT_MEASURE:
        models, kinds = {"texts": None}, [kind for kind in TEXT_ERRORS if options.kinds == ALL or kind in kinds]
    for name in () if models else options.corpora.split(","):
        units, participation = (SHARED / "corpora" / part for part in CORPORA[name])
        corpus = unisono.read(units, participation=participation, skip_invalid=True)
        models[name] = ReferenceModel.fitted(corpus)
    with Path(options.out).open("a") if options.out else sys.stdout as out:
        for case in range(first, last):
            for name, model in models.items():
                for kind in kinds:
                    for magnitude in map(float, options.magnitudes.split(",")):
                        row = run_case(model, name, kind, magnitude, case, options.measure)
                        print(json.dumps(row), file=out, flush=True)


if __name__ == "__main__":
    main()
