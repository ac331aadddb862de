# SPDX-License-Identifier: MIT
"""The worked examples of Mathet 2017: tables 1 to 3, the figures that are examples, and section 4.2.3."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from unisono.alignment import best_alignment
from unisono.alignment.observed import How, observe
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.experiments import examples, gamma_cat_items, hypothesis_2017, missing_value_tables
from unisono.experiments.example_figures import Panel
from unisono.experiments.examples import lay_out, table_2011
from unisono.experiments.experiment import Conditions, Outcome
from unisono.experiments.random_annotations import random_document
from unisono.experiments.statements import Found
from unisono.experiments.worked_2015 import drawing, measured_value, require, with_error
from unisono.measures.missing_values import item_weights, observed_agreement, pair_weights, value_weights
from unisono.model import Alignment, Continuum
from unisono.presets import preset

#: The alignment of Fig. 4 needs a weight of positions above 1; 3 is what the preset `greyc` takes.
GREYC = CombinedDissimilarity(alpha=preset("greyc").alpha)

Values = dict[str, Found | float | bool | None]


def table_1(conditions: Conditions) -> Outcome:
    """The weight of an item, a value and a pair if an item has 5, 4, 3 or 2 values."""
    n_values = [5, 4, 3, 2]
    values: Values = {}
    rows = []
    for title, weights in (("item", item_weights), ("value", value_weights), ("pair", pair_weights)):
        for conception in ("IL", "VL", "PL"):
            row = weights(n_values, conception).tolist()
            values |= {f"{title} weight, {conception}, {n} values": w for n, w in zip(n_values, row, strict=True)}
            shown = {f"{n} values": Fraction(w).limit_denominator(100) for n, w in zip(n_values, row, strict=True)}
            rows.append({"weight": title, "conception": conception, **shown})
    return Outcome.of(values, rows=rows)


def table_2(conditions: Conditions) -> Outcome:
    """Standard deviations of the observed agreement when values go missing, over all losses."""
    values: Values = {}
    rows = []
    is_pl_first = []
    for case in missing_value_tables.TABLE_2:
        by_conception = missing_value_tables.deviations(case)
        where = f"{len(case.items)} annotators, {case.missing}"
        values[f"observed agreement, {where}"] = observed_agreement(case.items)
        values |= {f"σ, {where}, {conception}": deviation.sd for conception, deviation in by_conception.items()}
        deviations: dict[str, object] = {conception: deviation.sd for conception, deviation in by_conception.items()}
        rows.append({"annotators": len(case.items), "missing": case.missing} | deviations)
        values[f"VL has the least deviation, {where}"] = min(by_conception, key=lambda c: by_conception[c].sd) == "VL"
        is_pl_first.append(by_conception["PL"].sd < by_conception["IL"].sd)
    values["IL and PL rank differently from row to row"] = len(set(is_pl_first)) == 2
    return Outcome.of(values, rows=rows)


def figure_1(conditions: Conditions) -> Outcome:
    """The same categories at slightly different positions: the disagreement on categories that each measure finds."""
    continuum = lay_out(examples.FIGURE_16)
    alignment = best_alignment(continuum, GREYC)
    cat = measured_value(continuum, "gamma-cat", conditions, preset="greyc")
    cu = measured_value(continuum, "cu-alpha", conditions)
    return Outcome.of(
        {"fake disagreement by intersections": cu.observed, "observed disorder of γcat": cat.observed},
        **drawing(Panel(continuum, "Fig. 1: aligned 1-1, 4-4, 2-2", alignment)),
    )


def figure_2(conditions: Conditions) -> Outcome:
    """A unit of four words and one of a single word: agreement on the first, not on the second."""
    continuum = lay_out(examples.FIGURE_2_2017)
    cat = measured_value(continuum, "gamma-cat", conditions, preset="greyc")
    cu = measured_value(continuum, "cu-alpha", conditions)
    return Outcome.of(
        {
            "observed agreement, units alike": 1 - require(cat.observed),
            "observed agreement, by length": 1 - require(cu.observed),
        },
        **drawing(Panel(continuum, "Fig. 2: four words, and one")),
    )


def figure_3(conditions: Conditions) -> Outcome:
    """The unitary alignments of Fig. 4, with the paper's alpha of 1 and with 3."""
    continuum = lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    one, three = best_alignment(continuum, CombinedDissimilarity()), best_alignment(continuum, GREYC)
    return Outcome.of(
        {
            "unitary alignments": float(len(three.unitary_alignments)),
            "unitary alignments, alpha 1": float(len(one.unitary_alignments)),
            "empty units": float(_n_empty_units(three)),
        },
        **drawing(Panel(continuum, "Figs 3 and 4, alpha 3", three), Panel(continuum, "alpha 1", one)),
    )


def _n_empty_units(alignment: Alignment) -> int:
    return sum(unit is None for unitary in alignment.unitary_alignments for unit in unitary.units)


def _weights(alignment: Alignment) -> dict[str, float]:
    """The weight of the aligned pairs of each two categories: (1 - d_pos) / (number of values - 1)."""
    positions = CombinedDissimilarity(beta=0)
    weights: dict[str, float] = {}
    for unitary in alignment.unitary_alignments:
        units = [unit for unit in unitary.units if unit is not None]
        for i, u in enumerate(units):
            for v in units[i + 1 :]:
                pair = "-".join(sorted((str(u.category), str(v.category))))
                weights[pair] = weights.get(pair, 0.0) + max(0.0, 1 - positions(u, v)) / (len(units) - 1)
    return weights


def figure_6(conditions: Conditions) -> Outcome:
    """The confidences of the pairs, and the shares of Table 3 from weights rounded to two digits, as printed."""
    continuum = lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    alignment = best_alignment(continuum, GREYC)
    weights = _weights(alignment)
    rounded = {pair: round(weight, 2) for pair, weight in weights.items()}
    total = round(sum(rounded.values()), 2)
    values: Values = {
        "confidence, A-A": 2 * weights["A-A"],
        "confidence, B-B": weights["B-B"],
        "weight, A-A": weights["A-A"],
        "total weight, of rounded weights": total,
    }
    values |= {f"share of {pair}, γcat": 100 * weight / total for pair, weight in rounded.items()}
    lengths = _intersections(continuum)
    values["total intersection"] = float(sum(lengths.values()))
    values["intersection of B-B"] = float(lengths["B-B"])
    values |= {f"share of {pair}, cuα": 100 * n / sum(lengths.values()) for pair, n in lengths.items()}
    rows = [
        {"pair": pair, "weight, γcat": weights.get(pair), "intersection, cuα": lengths.get(pair)}
        for pair in ("A-A", "B-B", "A-B", "B-C", "A-C")
    ]
    return Outcome.of(values, rows=rows, **drawing(Panel(continuum, "Figs 6 and 10", alignment)))


def _intersections(continuum: Continuum) -> dict[str, int]:
    """The intersection lengths of units of two annotators, by their categories (Fig. 10)."""
    lengths: dict[str, int] = {}
    units = [(a, u) for a in continuum.annotators for u in continuum.units_of(a)]
    for i, (a, u) in enumerate(units):
        for b, v in units[i + 1 :]:
            common = min(u.end, v.end) - max(u.start, v.start)
            if a != b and common > 0:
                pair = "-".join(sorted((str(u.category), str(v.category))))
                lengths[pair] = lengths.get(pair, 0) + int(common)
    return lengths


def figure_7(conditions: Conditions) -> Outcome:
    """Lengths so different that only A-A and B-B can be aligned: the expected disorder."""
    continuum = lay_out(examples.FIGURE_7_2017, 31, "figure 7")
    value = measured_value(continuum, "gamma-cat", conditions, preset="greyc")
    columns = CoreDocuments.of(
        [Shift("half-mean").draw(continuum, seed=conditions.seed, sample=i) for i in range(100)], GREYC, judged=True
    )
    means = [o.categories.mean for o in observe(columns, How(pairs="twice")) if o.categories is not None]
    defined = [mean for mean in means if mean is not None]
    labels = [u.category for u in continuum]
    shares = [labels.count(k) / len(labels) for k in ("A", "B")]
    return Outcome.of(
        {
            "expected disorder, naive": 1 - sum(share**2 for share in shares),
            "expected disorder of γcat": float(np.mean(defined)),
            "γcat": value.value,
        },
        **drawing(Panel(continuum, "Fig. 7")),
    )


def figure_9(conditions: Conditions) -> Outcome:
    """Krippendorff's table of 2011 as units [i, i + 1): α, cuα and γcat."""
    continuum = table_2011()
    a, cu = measured_value(continuum, "alpha", conditions), measured_value(continuum, "cu-alpha", conditions)
    options = {"preset": "greyc", "samples": 2000 if conditions.quick else 20_000}
    cat = measured_value(continuum, "gamma-cat", conditions, **options)
    at_one = measured_value(continuum, "gamma-cat", conditions, **(options | {"preset": "paper"}))
    return Outcome.of(
        {
            "α": a.value,
            "observed disagreement of α": a.observed,
            "cuα": cu.value,
            "observed disagreement of cuα": cu.observed,
            "γcat": with_error(cat),
            "γcat, upper bound": with_error(cat),
            "observed disorder of γcat": cat.observed,
            "observed disorder of γcat, alpha 1": at_one.observed,
        },
        **drawing(Panel(continuum, "Fig. 9", best_alignment(continuum, GREYC))),
    )


def section_5_1(conditions: Conditions) -> Outcome:
    """Random tables of adjacent items: how often the observed disorder of γcat differs from that of α."""
    tables = 100 if conditions.quick else 500
    values: Values = {}
    rows = []
    for name, dissimilarity in gamma_cat_items.dissimilarities().items():
        for missing in gamma_cat_items.MISSING:
            outcome = gamma_cat_items.difference(4, dissimilarity, missing, tables=tables, seed=conditions.seed)
            values[f"the same in every table, {name}, {missing:.0%} missing"] = outcome.n_different == 0
            share = outcome.n_different / tables
            rows.append({"choices": name, "missing": missing, "tables": tables, "share that differs": share})
    return Outcome.of(values, rows=rows)


def figure_16(conditions: Conditions) -> Outcome:
    """γ, γcat, γk, cuα and kα on the data of Fig. 3, with the preset `greyc` and with other choices."""
    continuum = lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    samples = 20_000 if conditions.quick else 200_000
    rows = []
    values: Values = {}
    for title, options in (
        ("paper", {"preset": "paper"}),
        ("greyc, a distance of 3", {"preset": "greyc", "chance": Shift(3)}),
        ("greyc", {"preset": "greyc"}),
    ):
        gamma = measured_value(continuum, "gamma", conditions, samples=samples, **options)
        cat = measured_value(continuum, "gamma-cat", conditions, samples=samples, **options)
        k = measured_value(continuum, "gamma-k", conditions, samples=samples, **options).per_category
        assert k is not None
        column = {"γ": with_error(gamma), "γcat": with_error(cat)}
        column |= {f"γk({label})": with_error(k[label]) for label in "ABC"}
        rows.append({"choices": title, **{name: item.value for name, item in column.items()}})
        values |= column
    values["γcat, upper bound"] = values["γcat"]
    # All of chance enumerated: nothing is sampled.
    program = hypothesis_2017.values(hypothesis_2017.GREYC_2017)
    enumerated = {"γ": program.gamma, "γcat": program.gamma_cat}
    enumerated |= {f"γk({label})": program.gamma_k[label] for label in "AB"}
    rows.append({"choices": "greyc-2017", **enumerated, "γk(C)": None})
    values |= {f"{name}, greyc-2017": value for name, value in enumerated.items()}
    values["γcat, upper bound, greyc-2017"] = program.gamma_cat
    values["γk(B), in the text, greyc-2017"] = program.gamma_k["B"]
    k_alpha = measured_value(continuum, "k-alpha", conditions).per_category
    assert k_alpha is not None
    values["cuα"] = measured_value(continuum, "cu-alpha", conditions).value
    values["kα(B)"] = k_alpha["B"].value
    values["γk(B), in the text"] = values["γk(B)"]
    return Outcome.of(values, rows=rows, **drawing(Panel(continuum, "Fig. 16", best_alignment(continuum, GREYC))))


def section_4_2_3(conditions: Conditions) -> Outcome:
    """γcat of random annotations, with the confidence weight and without it (distribution: `random_annotations`)."""
    n_documents, n_units = (200, 10) if conditions.quick else (1500, 10)
    rows = []
    values: Values = {}
    for title, alpha, chance in (("paper", 1.0, Shift()), ("greyc", 3.0, Shift("half-mean"))):
        with_weight, without = _random_gamma_cat(n_documents, n_units, alpha, chance, conditions.seed)
        values = {"γcat with the confidence weight": with_weight, "γcat without it": without}
        for name, mean in values.items():
            assert isinstance(mean, Found)
            rows.append({"choices": title, "quantity": name, "mean": mean.value, "standard error": mean.error})
    return Outcome.of(values, rows=rows)


def _random_gamma_cat(n_documents: int, n_units: int, alpha: float, chance: Shift, seed: int) -> tuple[Found, Found]:
    """Means over random documents, each with 30 random continua."""
    weighted: list[float] = []
    plain: list[float] = []
    dissimilarity = CombinedDissimilarity(alpha=alpha)
    for i in range(n_documents):
        document = random_document(np.random.default_rng([seed, n_units, i]), n_units, f"random {i}")
        continua = [document, *(chance.draw(document, seed=seed, sample=sample) for sample in range(30))]
        outcomes = observe(CoreDocuments.of(continua, dissimilarity, judged=True))
        for values, disorders in (
            (weighted, [o.categories.mean if o.categories else None for o in outcomes]),
            (plain, [unweighted_disorder(o.alignment) for o in outcomes]),
        ):
            random = [value for value in disorders[1:] if value is not None]
            if disorders[0] is not None and random and math.fsum(random) > 0:
                values.append(1 - disorders[0] / (math.fsum(random) / len(random)))
    means = [Found(float(np.mean(v)), float(np.std(v, ddof=1)) / math.sqrt(len(v))) for v in (weighted, plain)]
    return means[0], means[1]


def unweighted_disorder(alignment: Alignment) -> float | None:
    """The disorder of γcat if every aligned pair had a confidence of 1: Algorithm 1 of 2017 without its line 8.

    Of the n units of a unitary alignment each pair weighs 1 / (n - 1): n / 2 in all, of which the pairs of different
    categories are the disorder. None if every unit is aligned with empty units only.
    """
    n = np.bincount(alignment.group)
    codes = alignment.continuum.category_codes
    (groups, _), counts = np.unique(np.stack([alignment.group, codes]), axis=1, return_counts=True)
    alike = np.bincount(groups, weights=counts * (counts - 1) / 2, minlength=len(n))
    several = n > 1
    if not several.any():
        return None
    different = (n * (n - 1) / 2 - alike)[several] / (n[several] - 1)
    return float(different.sum() / (n[several] / 2).sum())
