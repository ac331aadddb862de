# SPDX-License-Identifier: MIT
"""Programs written for pygamma-agreement, run as they stand with its names or with those of unisono.compat.pygamma.

The quickstart, the notebook and the how-tos are those of its public repository (bootphon/pygamma-agreement, version
0.5.9: docs/source/quickstart.rst, notebooks/Example.ipynb, docs/source/how-to-s.rst, docs/source/soft-gamma.rst); the
rest exercises what these leave out. `run` takes the module: that is the one line that changes.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import numpy as np

QUICKSTART = [
    ("Annotator1", 2.5, 4.3, "Maureen"),
    ("Annotator1", 4.6, 7.4, "Marvin"),
    ("Annotator1", 8.2, 11.4, "Marvin"),
    ("Annotator1", 13.5, 16.0, "Robin"),
    ("Annotator2", 2.3, 4.5, "Maureen"),
    ("Annotator2", 4.3, 7.2, "Marvin"),
    ("Annotator2", 7.9, 11.2, "Robin"),
    ("Annotator2", 13.0, 16.1, "Maureen"),
    ("Annotator3", 2.5, 4.3, "Maureen"),
    ("Annotator3", 4.6, 11.5, "Marvin"),
    ("Annotator3", 13.1, 17.1, "Robin"),
]


TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 5
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "hands"
        xmin = 0
        xmax = 5
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1.25
            text = "wave"
        intervals [2]:
            xmin = 1.25
            xmax = 3
            text = ""
        intervals [3]:
            xmin = 3
            xmax = 5
            text = "point"
    item [2]:
        class = "IntervalTier"
        name = "words"
        xmin = 0
        xmax = 5
        intervals: size = 1
        intervals [1]:
            xmin = 0
            xmax = 5
            text = "hello there"
"""
ELAN = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
 <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>
 <TIME_ORDER>
  <TIME_SLOT TIME_SLOT_ID="ts1" TIME_VALUE="100"/>
  <TIME_SLOT TIME_SLOT_ID="ts2" TIME_VALUE="900"/>
  <TIME_SLOT TIME_SLOT_ID="ts3" TIME_VALUE="1500"/>
 </TIME_ORDER>
 <TIER LINGUISTIC_TYPE_REF="free" TIER_ID="hands">
  <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">
   <ANNOTATION_VALUE>wave</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
 </TIER>
 <TIER LINGUISTIC_TYPE_REF="free" TIER_ID="words">
  <ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a2" TIME_SLOT_REF1="ts2" TIME_SLOT_REF2="ts3">
   <ANNOTATION_VALUE>there</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>
 </TIER>
 <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" LINGUISTIC_TYPE_ID="free" TIME_ALIGNABLE="true"/>
</ANNOTATION_DOCUMENT>
"""
RTTM = """SPEAKER ann 1 0.1 2.2 <NA> <NA> eva <NA> <NA>
SPEAKER ann 1 2.3 0.5 <NA> <NA> tom <NA> <NA>
SPEAKER bob 1 0.7 1.5 <NA> <NA> eva <NA> <NA>
"""


def write_csv(path: Path, annotators: int, units: int, seed: int) -> Path:
    """A table as `from_csv` takes it: one reference, which each annotator repeats with small errors."""
    source = random.Random(seed)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        end = 0.0
        for _ in range(units):
            start = round(end + source.uniform(0.5, 4), 2)
            end = round(start + source.uniform(1, 6), 2)
            label = source.choice("1234567")
            for annotator in range(annotators):
                kept = source.choice("1234567") if source.random() < 0.2 else label
                moved = [round(p + source.gauss(0, 0.4), 2) for p in (start, end)]
                if source.random() < 0.9 and moved[1] - moved[0] > 0.1:
                    writer.writerow([f"annotator {annotator}", kept, *moved])
    return path


def numbers(results: Any, *categories: str) -> dict[str, Any]:
    found = {
        "observed": float(results.observed_disorder),
        "expected": float(results.expected_disorder),
        "gamma": float(results.gamma),
        "samples": int(results.n_samples),
        "unitary": int(results.alignments_nb),
    }
    if categories:
        found["gamma_cat"] = float(results.gamma_cat)
        found["gamma_k"] = [float(results.gamma_k(category)) for category in categories]
    return found


def run(pa: Any, segment: Any, folder: Path) -> dict[str, Any]:
    """Every program with its numbers; `folder` is for files that they write."""
    answers: dict[str, Any] = {}

    # quickstart.rst
    continuum = pa.Continuum()
    for annotator, start, end, label in QUICKSTART:
        continuum.add(annotator, segment(start, end), label)
    dissim = pa.CombinedCategoricalDissimilarity(alpha=1, beta=2)
    np.random.seed(4772)
    answers["quickstart"] = numbers(continuum.compute_gamma(dissim), "Maureen", "Marvin", "Robin")
    answers["bounds"] = [float(bound) for bound in continuum.bounds]
    answers["units"] = [f"{name}: {unit}" for name, unit in continuum]
    answers["best alignment"] = sorted(
        [str(unit) for _, unit in row.n_tuple] for row in continuum.get_best_alignment(dissim)
    )

    # Example.ipynb
    continuum = pa.Continuum.from_csv(str(write_csv(folder / "three.csv", 3, 12, seed=1)))
    answers["properties"] = [
        str(continuum.annotators),
        str(continuum.categories),
        continuum.num_units,
        continuum.avg_num_annotations_per_annotator,
        round(float(continuum.avg_length_unit), 9),
    ]
    for name, annotators, units in (("three", 3, 12), ("two", 2, 60)):
        continuum = pa.Continuum.from_csv(str(write_csv(folder / f"{name}.csv", annotators, units, seed=1)))
        cat_dissim = pa.AbsoluteCategoricalDissimilarity(delta_empty=1)
        dissim = pa.CombinedCategoricalDissimilarity(alpha=3, beta=1, delta_empty=1.0, cat_dissim=cat_dissim)
        np.random.seed(11)
        results = continuum.compute_gamma(dissim, n_samples=30, precision_level=0.01 if name == "two" else "medium")
        answers[f"notebook {name}"] = numbers(results, "1", "2")
        answers[f"range {name}"] = [float(value) for value in results.approx_gamma_range]

    # how-to-s.rst
    continuum = pa.Continuum.from_csv(str(folder / "three.csv"))

    class MyPositional(pa.AbstractDissimilarity):  # type: ignore[misc,name-defined]
        def __init__(self, p: int, delta_empty: float = 1.0):
            self.p = p
            super().__init__(delta_empty=delta_empty)

        def d(self, unit1: Any, unit2: Any) -> Any:
            starts, ends = unit1.segment.start - unit2.segment.start, unit1.segment.end - unit2.segment.end
            return (abs(starts) ** self.p + abs(ends) ** self.p) ** (1 / self.p)

        def compile_d_mat(self) -> Any:
            p, delta_empty = self.p, self.delta_empty

            @pa.dissimilarity_dec
            def d_mat(unit1: Any, unit2: Any) -> Any:
                return (abs(unit1[0] - unit2[0]) ** p + abs(unit1[1] - unit2[1]) ** p) ** (1 / p) * delta_empty

            return d_mat

    class MyCategorical(pa.LambdaCategoricalDissimilarity):  # type: ignore[misc,name-defined]
        @staticmethod
        def cat_dissim_func(str1: str, str2: str) -> float:
            return abs(int(str1) - int(str2)) / 10

    np.random.seed(5)
    answers["my positional"] = numbers(continuum.compute_gamma(MyPositional(p=2)))
    mine = pa.CombinedCategoricalDissimilarity(alpha=3, beta=1, cat_dissim=MyCategorical(continuum.categories))
    np.random.seed(5)
    answers["my categorical"] = numbers(continuum.compute_gamma(mine), "1", "4")
    both = pa.CombinedCategoricalDissimilarity(
        alpha=0.1, beta=2, pos_dissim=MyPositional(p=2), cat_dissim=MyCategorical(continuum.categories)
    )
    np.random.seed(5)
    answers["my both"] = numbers(continuum.compute_gamma(both), "1")

    # soft-gamma.rst
    dissim = pa.CombinedCategoricalDissimilarity(delta_empty=1, alpha=0.75, beta=0.25)
    np.random.seed(6)
    answers["soft"] = numbers(continuum.compute_gamma(dissim, soft=True), "7")

    # every dissimilarity
    labels = continuum.categories
    square = np.array([[abs(i - j) / 6 for j in range(len(labels))] for i in range(len(labels))], dtype=np.float32)
    parts = {
        "absolute": pa.AbsoluteCategoricalDissimilarity(),
        "precomputed": pa.PrecomputedCategoricalDissimilarity(labels, square),
        "levenshtein": pa.LevenshteinCategoricalDissimilarity(["Maureen", "Marvin", "Robin", *labels]),
        "ordinal": pa.OrdinalCategoricalDissimilarity(sorted(labels)),
        "ordinal, not sorted": pa.OrdinalCategoricalDissimilarity(["7", "1", "6", "2", "5", "3", "4"]),
        "numerical": pa.NumericalCategoricalDissimilarity(labels),
        "delta_empty 2": pa.AbsoluteCategoricalDissimilarity(delta_empty=2.0),
    }
    for name, part in parts.items():
        delta_empty = 2.0 if name == "delta_empty 2" else 1.0
        dissim = pa.CombinedCategoricalDissimilarity(alpha=1.5, beta=0.8, delta_empty=delta_empty, cat_dissim=part)
        np.random.seed(7)
        answers[name] = numbers(continuum.compute_gamma(dissim, n_samples=10), "3")
    np.random.seed(7)
    odd = pa.CombinedCategoricalDissimilarity(delta_empty=2.0)
    answers["delta_empty of the combination only"] = numbers(continuum.compute_gamma(odd, n_samples=10), "3")
    np.random.seed(7)
    answers["positional"] = numbers(continuum.compute_gamma(pa.PositionalSporadicDissimilarity(2.0), n_samples=10))
    np.random.seed(7)
    answers["categorical"] = numbers(continuum.compute_gamma(pa.AbsoluteCategoricalDissimilarity(), n_samples=10))

    # samplers
    for name, sampler in (
        ("shuffle", pa.ShuffleContinuumSampler()),
        ("shuffle, float", pa.ShuffleContinuumSampler("float_pivot")),
        ("statistical", pa.StatisticalContinuumSampler()),
    ):
        np.random.seed(8)
        answers[name] = numbers(continuum.compute_gamma(sampler=sampler, n_samples=12), "2")
    np.random.seed(9)
    chosen = ["annotator 0", "annotator 2"]
    answers["ground truth"] = numbers(continuum.compute_gamma(n_samples=12, ground_truth_annotators=chosen))
    sampler = pa.StatisticalContinuumSampler()
    for weights in (None, [0.5, 0.3, 0.2]):
        sampler.init_sampling_custom(["a", "b"], 6, 1, 5, 1, 15, 3, ["X", "Y", "Z"], weights)
        np.random.seed(10)
        answers[f"custom {weights}"] = [
            [name, round(unit.segment.start, 6), round(unit.segment.end, 6), str(unit.annotation)]
            for name, unit in sampler.sample_from_continuum
        ]

    # files
    (folder / "talk.TextGrid").write_text(TEXTGRID, encoding="utf-8")
    (folder / "talk.eaf").write_text(ELAN, encoding="utf-8")
    (folder / "talk.rttm").write_text(RTTM, encoding="utf-8")
    continuum = pa.Continuum()
    continuum.add_textgrid("ann", str(folder / "talk.TextGrid"))
    continuum.add_textgrid("bob", str(folder / "talk.TextGrid"), use_tier_as_annotation=True)
    continuum.add_textgrid("cem", str(folder / "talk.TextGrid"), selected_tiers=["hands"])
    continuum.add_elan("dora", str(folder / "talk.eaf"))
    continuum.add_elan("eva", str(folder / "talk.eaf"), selected_tiers=["words"], use_tier_as_annotation=True)
    answers["tiers"] = _rows(continuum)
    answers["rttm"] = _rows(pa.Continuum.from_rttm(str(folder / "talk.rttm")))
    return answers


def _rows(continuum: Any) -> list[list[Any]]:
    return sorted(
        [name, round(float(u.segment.start), 6), round(float(u.segment.end), 6), u.annotation] for name, u in continuum
    )
