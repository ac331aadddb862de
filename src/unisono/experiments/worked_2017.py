# SPDX-License-Identifier: MIT
"""The worked examples of Mathet 2017: tables 1 to 3, the figures that are examples, and section 4.2.3."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from unisono.alignment import best_alignment
from unisono.alignment.observed import observed
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.experiments import examples, gamma_cat_items, missing_values
from unisono.experiments.drawing import Panel
from unisono.experiments.examples import laid_out, table_2011
from unisono.experiments.experiment import Conditions, Outcome
from unisono.experiments.random_annotations import random_document
from unisono.experiments.statements import Found
from unisono.experiments.worked_2015 import chance_corrected, drawn, number, valued
from unisono.measures.missing_values import item_weights, observed_agreement, pair_weights, value_weights
from unisono.model import Alignment, Continuum
from unisono.presets import preset

#: The alignment of Fig. 4 needs a weight of positions above 1; 3 is what the preset `greyc` takes.
GREYC = CombinedDissimilarity(alpha=preset("greyc").alpha)

Values = dict[str, Found | float | bool | None]


def table_1(conditions: Conditions) -> Outcome:
    """What an item, a value and a pair weigh when an item has 5, 4, 3 or 2 values."""
    n_values = [5, 4, 3, 2]
    values: Values = {}
    rows = []
    for title, weights in (("item", item_weights), ("value", value_weights), ("pair", pair_weights)):
        for conception in ("IL", "VL", "PL"):
            found = weights(n_values, conception).tolist()
            values |= {f"{title} weight, {conception}, {n} values": w for n, w in zip(n_values, found, strict=True)}
            shown = {f"{n} values": Fraction(w).limit_denominator(100) for n, w in zip(n_values, found, strict=True)}
            rows.append({"weight": title, "conception": conception, **shown})
    return Outcome.of(values, rows=rows)


def table_2(conditions: Conditions) -> Outcome:
    """Standard deviations of the observed agreement when values go missing; every loss with its probability."""
    values: Values = {}
    rows = []
    for case in missing_values.TABLE_2:
        found = missing_values.deviations(case)
        where = f"{len(case.items)} annotators, {case.missing}"
        values[f"observed agreement, {where}"] = observed_agreement(case.items)
        values |= {f"σ, {where}, {conception}": deviation.sd for conception, deviation in found.items()}
        deviations: dict[str, object] = {conception: deviation.sd for conception, deviation in found.items()}
        rows.append({"annotators": len(case.items), "missing": case.missing} | deviations)
        values[f"VL has the least deviation, {where}"] = min(found, key=lambda c: found[c].sd) == "VL"
    return Outcome.of(values, rows=rows)


def figure_1(conditions: Conditions) -> Outcome:
    """The same categories at slightly different places: what each measure takes for disagreement on categories."""
    continuum = laid_out(examples.FIGURE_16)
    alignment = best_alignment(continuum, GREYC)
    cat = valued(continuum, "gamma-cat", conditions, preset="greyc")
    cu = valued(continuum, "cu-alpha", conditions)
    return Outcome.of(
        {"fake disagreement by intersections": cu.observed, "observed disorder of γcat": cat.observed},
        **drawn(Panel(continuum, "Fig. 1: aligned 1-1, 4-4, 2-2", alignment)),
    )


def figure_2(conditions: Conditions) -> Outcome:
    """A unit of four words and one of a single word: agreement on the first, not on the second."""
    continuum = laid_out(examples.FIGURE_2_2017)
    cat = valued(continuum, "gamma-cat", conditions, preset="greyc")
    cu = valued(continuum, "cu-alpha", conditions)
    return Outcome.of(
        {
            "observed agreement, units alike": 1 - number(cat.observed),
            "observed agreement, by length": 1 - number(cu.observed),
        },
        **drawn(Panel(continuum, "Fig. 2: four words, and one")),
    )


def figure_3(conditions: Conditions) -> Outcome:
    """The unitary alignments of Fig. 4, with the paper's alpha of 1 and with 3."""
    continuum = laid_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    one, three = best_alignment(continuum, CombinedDissimilarity()), best_alignment(continuum, GREYC)
    return Outcome.of(
        {
            "unitary alignments": float(len(three.unitary_alignments)),
            "unitary alignments, alpha 1": float(len(one.unitary_alignments)),
            "empty units": float(_empty(three)),
        },
        **drawn(Panel(continuum, "Figs 3 and 4, alpha 3", three), Panel(continuum, "alpha 1", one)),
    )


def _empty(alignment: Alignment) -> int:
    return sum(unit is None for unitary in alignment.unitary_alignments for unit in unitary.units)


def _weights(alignment: Alignment) -> dict[str, float]:
    """What the aligned pairs of each two categories weigh: 1 - d_pos, over the number of values but one."""
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
    continuum = laid_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
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
    return Outcome.of(values, rows=rows, **drawn(Panel(continuum, "Figs 6 and 10", alignment)))


def _intersections(continuum: Continuum) -> dict[str, int]:
    """The lengths that units of two annotators have in common, by their categories (Fig. 10)."""
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
    """Lengths so different that only A-A and B-B can be aligned: what chance expects there."""
    continuum = laid_out(examples.FIGURE_7_2017, 31, "figure 7")
    found = valued(continuum, "gamma-cat", conditions, preset="greyc")
    columns = CoreDocuments.of(
        [Shift("half-mean").draw(continuum, seed=conditions.seed, sample=i) for i in range(100)], GREYC, judged=True
    )
    means = [o.categories.mean for o in observed(columns, pairs="twice") if o.categories is not None]
    defined = [mean for mean in means if mean is not None]
    labels = [u.category for u in continuum]
    shares = [labels.count(k) / len(labels) for k in ("A", "B")]
    return Outcome.of(
        {
            "expected disorder, naive": 1 - sum(share**2 for share in shares),
            "expected disorder of γcat": float(np.mean(defined)),
            "γcat": found.value,
        },
        **drawn(Panel(continuum, "Fig. 7")),
    )


def figure_9(conditions: Conditions) -> Outcome:
    """Krippendorff's table of 2011 as units [i, i + 1): α, cuα and γcat."""
    continuum = table_2011()
    a, cu = valued(continuum, "alpha", conditions), valued(continuum, "cu-alpha", conditions)
    options = {"preset": "greyc", "samples": 2000 if conditions.quick else 20_000}
    cat = valued(continuum, "gamma-cat", conditions, **options)
    at_one = valued(continuum, "gamma-cat", conditions, **(options | {"preset": "paper"}))
    return Outcome.of(
        {
            "α": a.value,
            "observed disagreement of α": a.observed,
            "cuα": cu.value,
            "observed disagreement of cuα": cu.observed,
            "γcat": chance_corrected(cat),
            "γcat, upper bound": chance_corrected(cat),
            "observed disorder of γcat": cat.observed,
            "observed disorder of γcat, alpha 1": at_one.observed,
        },
        **drawn(Panel(continuum, "Fig. 9", best_alignment(continuum, GREYC))),
    )


def section_5_1(conditions: Conditions) -> Outcome:
    """Random tables of items side by side: in how many γcat's observed disorder is not α's observed disagreement."""
    tables = 100 if conditions.quick else 500
    values: Values = {}
    rows = []
    for alpha in gamma_cat_items.ALPHAS:
        for missing in gamma_cat_items.MISSING:
            found = gamma_cat_items.difference(4, alpha, missing, tables=tables, seed=conditions.seed)
            values[f"the same in every table, alpha {alpha:g}, {missing:.0%} missing"] = found.n_different == 0
            share = found.n_different / tables
            rows.append({"alpha": alpha, "missing": missing, "tables": tables, "share that differs": share})
    return Outcome.of(values, rows=rows)


def figure_16(conditions: Conditions) -> Outcome:
    """γ, γcat, γk, cuα and kα on the data of Fig. 3; beside the preset `greyc`, what other choices give."""
    continuum = laid_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    samples = 20_000 if conditions.quick else 200_000
    rows = []
    values: Values = {}
    for title, options in (
        ("paper", {"preset": "paper"}),
        ("greyc, a distance of 3", {"preset": "greyc", "chance": Shift(3)}),
        ("greyc", {"preset": "greyc"}),
    ):
        gamma = valued(continuum, "gamma", conditions, samples=samples, **options)
        cat = valued(continuum, "gamma-cat", conditions, samples=samples, **options)
        k = valued(continuum, "gamma-k", conditions, samples=samples, **options).per_category
        assert k is not None
        found = {"γ": chance_corrected(gamma), "γcat": chance_corrected(cat)}
        found |= {f"γk({label})": chance_corrected(k[label]) for label in "ABC"}
        rows.append({"choices": title, **{name: item.value for name, item in found.items()}})
        values |= found
    values["γcat, upper bound"] = values["γcat"]
    k_alpha = valued(continuum, "k-alpha", conditions).per_category
    assert k_alpha is not None
    values["cuα"] = valued(continuum, "cu-alpha", conditions).value
    values["kα(B)"] = k_alpha["B"].value
    values["γk(B), in the text"] = values["γk(B)"]
    return Outcome.of(values, rows=rows, **drawn(Panel(continuum, "Fig. 16", best_alignment(continuum, GREYC))))


def section_4_2_3(conditions: Conditions) -> Outcome:
    """γcat of random annotations, with the confidence weight and without it (law: `random_annotations`)."""
    n_documents, n_units = (200, 10) if conditions.quick else (1500, 10)
    rows = []
    values: Values = {}
    for title, alpha, chance in (("paper", 1.0, Shift()), ("greyc", 3.0, Shift("half-mean"))):
        with_weight, without = _random_gamma_cat(n_documents, n_units, alpha, chance, conditions.seed)
        values = {"γcat with the confidence weight": with_weight, "γcat without it": without}
        for name, found in values.items():
            assert isinstance(found, Found)
            rows.append({"choices": title, "quantity": name, "mean": found.value, "standard error": found.error})
    return Outcome.of(values, rows=rows)


def _random_gamma_cat(n_documents: int, n_units: int, alpha: float, chance: Shift, seed: int) -> tuple[Found, Found]:
    """Means over random documents, each with 30 random continua."""
    weighted: list[float] = []
    plain: list[float] = []
    dissimilarity = CombinedDissimilarity(alpha=alpha)
    for i in range(n_documents):
        document = random_document(np.random.default_rng([seed, n_units, i]), n_units, f"random {i}")
        continua = [document, *(chance.draw(document, seed=seed, sample=sample) for sample in range(30))]
        found = observed(CoreDocuments.of(continua, dissimilarity, judged=True))
        for values, disorders in (
            (weighted, [o.categories.mean if o.categories else None for o in found]),
            (plain, [unweighted_disorder(o.alignment) for o in found]),
        ):
            random = [value for value in disorders[1:] if value is not None]
            if disorders[0] is not None and random and math.fsum(random) > 0:
                values.append(1 - disorders[0] / (math.fsum(random) / len(random)))
    means = [Found(float(np.mean(v)), float(np.std(v, ddof=1)) / math.sqrt(len(v))) for v in (weighted, plain)]
    return means[0], means[1]


def unweighted_disorder(alignment: Alignment) -> float | None:
    """The disorder of γcat if every aligned pair had a confidence of 1: Algorithm 1 of 2017 without its line 8.

    Of the n units of a unitary alignment each pair weighs 1 / (n - 1): n / 2 in all, of which the pairs of different
    categories are the disorder. None where nothing is aligned with anything.
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
