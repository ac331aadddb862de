# SPDX-License-Identifier: MIT
"""Are the annotators that findings name those who agree least with experts? On conll_mturk_ner, whose gold is known.

python -m bench.against_experts

The agreement of a worker with the experts is F1 over the documents that the worker saw: units with equal boundaries and
category. Nothing of the experts goes into the findings. Needs the corpora in $UNISONO_SHARED.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from bench.planted_faults import SHARED, diagnose_corpus
from scipy.stats import mannwhitneyu, spearmanr

import unisono
from unisono.diagnosis.explanation import findings_without_values

FOLDER = SHARED / "corpora" / "conll_mturk_ner"


def agreement_with_experts(corpus: unisono.Corpus, experts: Mapping[str, unisono.Continuum]) -> dict[str, float]:
    """F1 of every annotator against the experts."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document in corpus:
        if document.name not in experts:
            continue
        gold = {(unit.start, unit.end, unit.category) for unit in experts[document.name]}
        for name in document.annotators:
            own = {(unit.start, unit.end, unit.category) for unit in document.units_of(name)}
            counts[name][0] += 2 * len(own & gold)
            counts[name][1] += len(own) + len(gold)
    return {name: both / total for name, (both, total) in counts.items() if total}


def main() -> None:
    corpus = unisono.read(FOLDER / "units.csv.gz", participation=FOLDER / "participation.csv.gz", skip_invalid=True)
    experts = {document.name: document for document in unisono.read(FOLDER / "gold.csv.gz")}
    f1 = agreement_with_experts(corpus, experts)
    diagnosis = diagnose_corpus(corpus)
    findings = findings_without_values(diagnosis, corpus)
    named = {str(each.subject["annotator"]) for each in findings if "annotator" in each.subject} & set(f1)
    ranks = {name: rank for rank, name in enumerate(sorted(f1, key=f1.__getitem__), start=1)}
    for name in sorted(named, key=ranks.__getitem__):
        kinds = ", ".join(each.kind for each in findings if each.subject.get("annotator") == name)
        print(f"{name}: F1 {f1[name]:.2f}, rank {ranks[name]} of {len(ranks)} from below: {kinds}")
    rest = [f1[name] for name in f1 if name not in named]
    of_named = [f1[name] for name in named]
    test = mannwhitneyu(of_named, rest, alternative="less")
    print(f"named {len(named)}: median F1 {np.median(of_named):.2f}; others {len(rest)}: {np.median(rest):.2f}")
    less = 1 - test.statistic / len(of_named) / len(rest)
    print(f"a named worker agrees less than another one in {less:.0%} of the pairs")
    for habit in ("misses", "categories"):
        table = diagnosis.tables[habit]
        known = [i for i, name in enumerate(diagnosis.units.annotators) if name in f1 and not np.isnan(table.value[i])]
        found = spearmanr([table.value[i] for i in known], [f1[diagnosis.units.annotators[i]] for i in known])
        print(f"rank correlation of F1 with `{habit}` over {len(known)} workers: {found.statistic:.2f}")


if __name__ == "__main__":
    main()
