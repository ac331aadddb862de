# SPDX-License-Identifier: MIT
"""The worked examples of Mathet, Widlöcher and Métivier 2015: figures 5 to 22, and the claims of section 5."""

from __future__ import annotations

import time
from functools import partial
from itertools import combinations
from statistics import NormalDist

import numpy as np

from unisono.alignment import best_alignment
from unisono.api import measure
from unisono.chance import Mosaic, Shift
from unisono.dissimilarity import CombinedDissimilarity, Interval
from unisono.experiments import examples
from unisono.experiments.example_figures import Panel, draw_panels
from unisono.experiments.examples import Rows, lay_out
from unisono.experiments.experiment import Conditions, Outcome
from unisono.experiments.statements import Found
from unisono.model import Alignment, Continuum, Corpus, FloatArray
from unisono.results import MeasureValue
from unisono.sampling import required_samples


def measured_value(continuum: Continuum, name: str, conditions: Conditions, **options: object) -> MeasureValue:
    """One measure on one continuum, with the seed of the conditions; 10,000 samples in a full run."""
    samples = 1000 if conditions.quick else 10_000
    settings = {"samples": samples, "seed": conditions.seed, "intervals": False, **options}
    return measure(continuum, name, **settings)[name]  # type: ignore[arg-type]


def require(value: float | None) -> float:
    """The value, which must be defined in the example."""
    if value is None:
        raise ValueError("undefined where the example has a value")
    return value


def with_error(value: MeasureValue) -> Found:
    """A value of the γ family with the standard error that comes from its finite number of samples."""
    if value.value is None or value.expected is None or not value.n_samples or value.chance_sd is None:
        return Found(value.value)
    relative = value.chance_sd / value.expected / value.n_samples**0.5
    return Found(value.value, (1 - value.value) * relative)


def drawing(*panels: Panel) -> dict[str, object]:
    """The argument of an outcome that draws these panels."""
    return {"draw": partial(draw_panels, panels=panels)}


def figure_5(conditions: Conditions) -> Outcome:
    """SER of the figure's errors; only units that overlap are paired."""
    continuum = lay_out(examples.FIGURE_5)
    value = measured_value(continuum, "ser", conditions, reference="reference")
    return Outcome.of(
        {"SER": require(value.observed)}, **drawing(Panel(continuum, f"Fig. 5: SER = {value.observed:.3g}"))
    )


def figures_7_to_9(conditions: Conditions) -> Outcome:
    """Which unit A5 is aligned with, alone and in two contexts; units aligned without intersecting."""
    panels, partners = [], []
    for rows, title in (
        (examples.FIGURE_7, "Fig. 7: local"),
        (examples.FIGURE_8A, "Fig. 8a: context 1"),
        (examples.FIGURE_8B, "Fig. 8b: context 2"),
    ):
        alignment = best_alignment(lay_out(rows), CombinedDissimilarity())
        partners.append(_partner(alignment, examples.A5))
        panels.append(Panel(alignment.continuum, title, alignment, examples.FIGURES_7_AND_8))
    entity = best_alignment(lay_out(examples.FIGURE_9), CombinedDissimilarity())
    panels.append(Panel(entity.continuum, f"Fig. 9: {examples.FIGURE_9_TEXT}", entity))
    two, three = entity.continuum.units_of("annotator 2")[0], entity.continuum.units_of("annotator 3")[0]
    return Outcome.of(
        {
            "A5 by itself is aligned with B5": partners[0] == examples.B5[:2],
            "A5 in context 1 is aligned with B4": partners[1] == examples.B4[:2],
            "A5 in context 2 is aligned with B5": partners[2] == examples.B5[:2],
            "units 2 and 3 of Fig. 9 are aligned": len(entity.unitary_alignments) == 1,
            "units 2 and 3 of Fig. 9 intersect": two.end > three.start and three.end > two.start,
        },
        **drawing(*panels),
    )


def _partner(alignment: Alignment, unit: tuple[int, int, str]) -> tuple[float, float] | None:
    """The position of the unit that this unit of annotator A is aligned with."""
    for unitary in alignment.unitary_alignments:
        a, b = unitary.units
        if a is not None and (a.start, a.end) == unit[:2]:
            return None if b is None else (b.start, b.end)
    raise LookupError(f"no unit at {unit[:2]}")


def figure_10(conditions: Conditions) -> Outcome:
    """Eq. 3 on the pairs that the figure joins."""
    d, units = CombinedDissimilarity(), examples.FIGURE_10
    pairs = [("A1", "B1"), ("A2", "B2"), ("B2", "C1"), ("A1", "C1"), ("A1", "C2"), ("A1", "B2")]
    values: dict[str, Found | float | bool | None] = {f"d({u}, {v})": d(units[u], units[v]) for u, v in pairs}
    values["d breaks the triangular inequality"] = d(units["A1"], units["B2"]) > d(units["A1"], units["C1"]) + d(
        units["C1"], units["B2"]
    )
    rows = {a: [(int(u.start), int(u.end), n) for n, u in units.items() if n[0] == a] for a in "ABC"}
    return Outcome.of(values, **drawing(Panel(lay_out(rows), "Fig. 10")))


def figure_11(conditions: Conditions) -> Outcome:
    """γ at its best, in between, and below chance."""
    cases = {"best": examples.FIGURE_11A, "intermediate": examples.FIGURE_11B, "worst": examples.FIGURE_11C}
    values, panels = {}, []
    for name, rows in cases.items():
        continuum = lay_out(rows, 70, name)
        value = measured_value(continuum, "gamma", conditions)
        values[name] = with_error(value)
        panels.append(Panel(continuum, f"{name}: γ = {require(value.value):.2f}", value.alignment))
    between = require(values["worst"].value) < require(values["intermediate"].value) < require(values["best"].value)
    return Outcome.of(
        {"γ, best": values["best"], "γ, worst": values["worst"], "intermediate lies between": between},
        **drawing(*panels),
    )


def figure_12(conditions: Conditions) -> Outcome:
    """The circular shift as the chance model `shift` draws it, read back from its random continua."""
    length, units = examples.FIGURE_12_LENGTH, examples.FIGURE_12
    continuum = lay_out({f"annotator {i}": units for i in "123"}, length, "figure 12")
    starts = {label: start for start, _, label in units}
    shifted: dict[int, dict[str, tuple[float, float]]] = {}
    nearest = length
    for sample in range(500):
        random = Shift().draw(continuum, seed=conditions.seed, sample=sample)
        shifts = []
        for annotator in random.annotators:
            places = {str(u.category): (u.start, u.end) for u in random.units_of(annotator)}
            shift = int((starts["1"] - places["1"][0]) % length)
            shifted[shift] = places
            shifts.append(shift)
        nearest = min(nearest, *(abs(a - b) for a, b in combinations(shifts, 2)))
    orders = {s: " ".join(sorted(shifted[s], key=lambda label: shifted[s][label])) for s in (15, 24, 38)}
    (s15, e15), (s24, e24) = shifted[15]["3"], shifted[24]["3"]
    mean = float(np.mean([end - start for start, end, _ in units]))
    panel = {"(real)": units} | {
        f"n°{s}": sorted((int(a), int(b), label) for label, (a, b) in shifted[s].items()) for s in (15, 24, 38)
    }
    return Outcome.of(
        {
            "shift 15 brings unit 1 to the end": orders[15] == "2 3 4 1",
            "shift 24 brings units 1 and 2 to the end": orders[24] == "3 4 1 2",
            "shift 38 leaves only unit 4 in front": orders[38] == "4 1 2 3",
            "difference of shifts 24 and 15": (s15 - s24) % length,
            "unit 3 meets itself at shifts 15 and 24": min(e15, e24) > max(s15, s24),
            "shifts are nearer than the mean length": nearest < mean,
        },
        **drawing(Panel(lay_out(panel, length), "Fig. 12: real, and shifted by 15, 24 and 38")),
    )


def figure_13(conditions: Conditions) -> Outcome:
    """Distinct choices of the chance model `corpus` with 8 continua of 3 annotators, read back from its draws.

    Every annotator of the corpus has one unit of a category of their own, which identifies a draw.
    """
    corpus = Corpus(
        tuple(
            lay_out({f"{a}": [(10 * int(a), 10 * int(a) + 8, f"{c}-{a}")] for a in "123"}, 44, f"continuum {c}")
            for c in range(1, 9)
        )
    )
    random = Mosaic().fitted(corpus).sampler(corpus[0], seed=conditions.seed)
    # 1,512 kinds: the chance to miss one of them in so many draws is about 1 in 10,000.
    seen = {frozenset(str(u.category) for u in random(sample)) for sample in range(25_000)}
    first = random(0)
    return Outcome.of(
        {
            "combinations for n = 3, m = 8": float(len(seen)),
            "a random continuum mixes annotators of one continuum": any(
                len({label.split("-")[0] for label in kind}) < 3 for kind in seen
            ),
        },
        **drawing(Panel(first, "Fig. 13: one draw; continuum-annotator of each unit")),
    )


def figure_14(conditions: Conditions) -> Outcome:
    """uα of 2013 and c|uα with the interval metric on Krippendorff's example."""
    continuum = lay_out(examples.FIGURE_14, examples.FIGURE_14_LENGTH)
    u = measured_value(continuum, "u-alpha-2013", conditions)
    cu = measured_value(continuum, "cu-alpha", conditions, dissimilarity=CombinedDissimilarity(categorial=Interval()))
    values: dict[str, Found | float | bool | None] = {"uDo": u.observed, "uDe": u.expected, "uα": u.value}
    values |= {"c|uDo": cu.observed, "c|uDe": cu.expected, "c|uα": cu.value}
    return Outcome.of(values, **drawing(Panel(continuum, f"Fig. 14: uα = {u.value:.3f}, c|uα = {cu.value:.3f}")))


def figure_15(conditions: Conditions) -> Outcome:
    """Slightly different categories, which uα treats as entirely different."""
    right = lay_out(examples.FIGURE_15, examples.FIGURE_15_LENGTH)
    one = examples.FIGURE_15["observer 1"]
    left = lay_out({"observer 1": one, "observer 2": one}, examples.FIGURE_15_LENGTH)
    interval = CombinedDissimilarity(categorial=Interval())
    d = best_alignment(right, CombinedDissimilarity(beta=0))
    return Outcome.of(
        {
            "uα, left": measured_value(left, "u-alpha-2013", conditions).value,
            "uα, right": measured_value(right, "u-alpha-2013", conditions).value,
            "c|uα, right": measured_value(right, "cu-alpha", conditions, dissimilarity=interval).value,
            "positional disorder of γ, right": d.disorder,
        },
        **drawing(Panel(left, "Fig. 15, left"), Panel(right, "Fig. 15, right")),
    )


def figure_16(conditions: Conditions) -> Outcome:
    """Different positions, equal categories: c|uα compares parts of units, γ compares units."""
    continuum = lay_out(examples.FIGURE_16)
    alignment = best_alignment(continuum, CombinedDissimilarity())
    same = all(len({u.category for u in unitary.units if u}) == 1 for unitary in alignment.unitary_alignments)
    return Outcome.of(
        {
            "c|uα finds categorial disagreement": require(measured_value(continuum, "cu-alpha", conditions).observed)
            > 0,
            "γ aligns units of different categories": not same or len(alignment.unitary_alignments) != 3,
        },
        **drawing(Panel(continuum, "Fig. 16", alignment)),
    )


def _observed_disorders(figures: dict[str, Rows], conditions: Conditions) -> Outcome:
    """Figures 17 to 19: the sum of the unitary disorders, and the summed squares of uα, neither divided."""
    values: dict[str, Found | float | bool | None] = {}
    panels = []
    for part, rows in figures.items():
        length = 2 * max(end for row in rows.values() for _, end, _ in row)
        continuum = lay_out(rows, length)
        alignment = best_alignment(continuum, CombinedDissimilarity())
        values[f"uα observed, {part}"] = (
            require(measured_value(continuum, "u-alpha-2013", conditions).observed) * length
        )
        values[f"γ observed, {part}"] = float(sum(alignment.disorders))
        panels.append(Panel(continuum, f"({part})", alignment))
    return Outcome.of(values, **drawing(*panels))


def figure_17(conditions: Conditions) -> Outcome:
    """Long and short units that the other annotator missed."""
    return _observed_disorders(examples.FIGURE_17, conditions)


def figure_18(conditions: Conditions) -> Outcome:
    """A unit, its halves and its quarters against silence."""
    return _observed_disorders(examples.FIGURE_18, conditions)


def figure_19(conditions: Conditions) -> Outcome:
    """A unit against itself, its halves and its quarters."""
    return _observed_disorders(examples.FIGURE_19, conditions)


def figure_20(conditions: Conditions) -> Outcome:
    """Units three times as long: nine times the value for uα, the same for Eq. 3."""
    panels, u, d = [], [], []
    for name, rows in examples.FIGURE_20.items():
        continuum = lay_out(rows, 40)
        u.append(require(measured_value(continuum, "u-alpha-2013", conditions).observed))
        d.append(best_alignment(continuum, CombinedDissimilarity()).disorder)
        panels.append(Panel(continuum, f"Fig. 20, {name}"))
    return Outcome.of(
        {
            "observed uα, B over A": u[1] / u[0],
            "dissimilarity of γ, B over A": d[1] / d[0],
            "dissimilarity of γ, A": d[0],
        },
        **drawing(*panels),
    )


def figure_21(conditions: Conditions) -> Outcome:
    """Better positions, worse uα; γ the other way round."""
    values: dict[str, Found | float | bool | None] = {}
    panels, gammas = [], []
    for part, rows in (("a", examples.FIGURE_21A), ("b", examples.FIGURE_21B)):
        continuum = lay_out(rows, examples.FIGURE_21_LENGTH, part)
        u_alpha = measured_value(continuum, "u-alpha-2013", conditions)
        values[f"uα, {part}"] = u_alpha.value
        values[f"squares of one pair, {part}"] = require(u_alpha.observed) * examples.FIGURE_21_LENGTH / 4
        gammas.append(measured_value(continuum, "gamma", conditions))
        panels.append(Panel(continuum, f"({part})  uα = {u_alpha.value:.3f}, γ = {gammas[-1].value:.3f}"))
    values["γ is higher in b than in a"] = require(gammas[1].value) > require(gammas[0].value)
    return Outcome.of(values, **drawing(*panels))


def figure_22(conditions: Conditions) -> Outcome:
    """A unit inside another, by both annotators: full agreement for γ, not for measures that compare intersections."""
    continuum = lay_out(examples.FIGURE_22)
    value = measured_value(continuum, "gamma", conditions)
    assert value.alignment is not None
    pairs = {tuple(u.category for u in unitary.units if u) for unitary in value.alignment.unitary_alignments}
    return Outcome.of(
        {
            "γ": value.value,
            "relevant comparisons only": pairs == {("long", "long"), ("short", "short")},
            "c|uα counts a disagreement": require(measured_value(continuum, "cu-alpha", conditions).observed) > 0,
            "uα copes with it": measured_value(continuum, "u-alpha-2013", conditions).value is not None,
        },
        **drawing(Panel(continuum, "Fig. 22", value.alignment)),
    )


def section_3_1(conditions: Conditions) -> Outcome:
    """Chance agreement by the shares of the categories: two at 90 and 10 %, two and ten at equal shares."""

    def expected(shares: dict[str, int], name: str) -> float:
        labels = [label for label, count in shares.items() for _ in range(count)]
        rows = {a: [(i, i + 1, label) for i, label in enumerate(labels)] for a in ("a", "b")}
        return 1 - require(measured_value(lay_out(rows), name, conditions, predefined=True).expected)

    return Outcome.of(
        {
            "expected agreement, two categories": expected({"A": 50, "B": 50}, "pi"),
            "expected agreement, ten categories": expected({str(k): 10 for k in range(10)}, "pi"),
            "expected agreement, 90 % and 10 %": expected({"A": 90, "B": 10}, "pi"),
            "expected agreement, 90 % and 10 %, uniform": expected({"A": 90, "B": 10}, "s"),
        }
    )


def section_5_1(conditions: Conditions) -> Outcome:
    """How many of the p³ tuples cost more than nΔ, and how long the best alignment of 3 x 100 units takes.

    Units of 30 to 70, gaps of 0 to 10, three annotators who move every boundary by up to a quarter of its length.
    """
    shares = {}
    for p in (5, 10, 20, 50, 100):
        continuum = _move_boundaries(p, conditions.seed)
        shares[p] = float(np.mean(_tuple_costs(continuum) > continuum.n_annotators))
    rows = [{"units per annotator": p, "tuples": p**3, "share discarded": share} for p, share in shares.items()]
    began = time.perf_counter()
    best_alignment(continuum, CombinedDissimilarity())
    seconds = time.perf_counter() - began
    return Outcome.of(
        {"share discarded, 3 x 10": shares[10], "share discarded, 3 x 100": shares[100], "seconds, 3 x 100": seconds},
        rows=rows,
    )


def _move_boundaries(p: int, seed: int) -> Continuum:
    """Three annotators' versions of p units of a reference, with moved boundaries."""
    rng = np.random.default_rng([seed, p])
    lengths, gaps = rng.integers(30, 71, p), rng.integers(0, 11, p)
    ends = np.cumsum(lengths + gaps)
    starts = ends - lengths
    moves = rng.integers(-(lengths // 4), lengths // 4 + 1, (3, 2, p))
    return Continuum.of(
        {str(a): list(zip((starts + s).tolist(), (ends + e).tolist(), strict=True)) for a, (s, e) in enumerate(moves)}
    )


def _tuple_costs(continuum: Continuum) -> FloatArray:
    """The disorder (Eq. 6) of every tuple of three units, one of each annotator."""
    d = CombinedDissimilarity()
    numbers = np.arange(continuum.n_units, dtype=np.int32).reshape(3, -1)  # units are sorted by annotator

    def between(a: int, b: int) -> FloatArray:
        u, v = np.meshgrid(numbers[a], numbers[b], indexing="ij")
        return np.reshape(d.between(continuum, u.ravel(), v.ravel()), u.shape)

    total: FloatArray = between(0, 1)[:, :, None] + between(0, 2)[:, None, :] + between(1, 2)[None, :, :]
    return total / 3


def section_5_3(conditions: Conditions) -> Outcome:
    """The samples needed for 2 % and 1 %, from the mean and deviation that the paper prints."""
    level = 2 * NormalDist().cdf(1.96) - 1
    n0 = [required_samples(3.49, 0.1379, 30, precision=e, level=level) for e in (0.02, 0.01)]
    cv = (n0[0] ** 0.5) * 0.02 / 1.96
    return Outcome.of({"σ": cv * 3.49, "Cv": cv, "n0 for 2 %": n0[0], "n0 for 1 %": n0[1]})
