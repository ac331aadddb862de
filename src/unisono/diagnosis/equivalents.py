# SPDX-License-Identifier: MIT
"""Error equivalents: how large errors of one kind alone would give the measured value.

Annotators are simulated who make errors of one kind on references like those of the corpus; the value as a function of
the size of the errors is inverted at the measured one. Nothing here says that the annotators made such errors.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

from unisono.api import Plan
from unisono.diagnosis.assumed import GRIDS, Kind
from unisono.diagnosis.assumed_reference import Correction, References
from unisono.diagnosis.error_curves import FallingCurve, Point, Target, point_of_values, walk
from unisono.diagnosis.flat_errors import FlatAnnotations
from unisono.diagnosis.plans import EXPLAINED, NOT_REPEATABLE, explained_measure, plan_of
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import UnisonoError
from unisono.intervals.jackknife import documents_interval
from unisono.intervals.ratios import document_ratios
from unisono.json_objects import to_json
from unisono.model import Corpus
from unisono.results import TEXT_MEASURE, Result
from unisono.sampling import Sampling

#: Simulated documents at each size of errors: twice as many as the corpus has, within these bounds.
FEWEST_DOCUMENTS, MOST_DOCUMENTS = 24, 100
#: Simulated units at each size of errors, at most, unless that would leave fewer than so many documents.
MOST_UNITS, LEAST_DOCUMENTS = 12_000, 6
#: More annotators of a document than this are not simulated: it takes long, and the curves hardly change.
MOST_ANNOTATORS = 10
#: Random continua of each simulated document; what they leave open is small beside the spread over documents.
SAMPLES = 4
#: The alignment of a simulated document, or of a random continuum, has a fiftieth of this many million steps, a tenth
#: for γcat. What is found is hardly worse; proving that nothing is better would take most of the time.
EFFORT = 100.0
#: No more splits are simulated once the share of neighbouring units that touch exceeds that of the corpus by this.
MOST_TOUCHING = 0.3
#: The level of the intervals of equivalents.
LEVEL = 0.9

#: Called as (kinds done, kinds in all, the kind that is simulated next).
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Equivalent:
    """The size of errors of one kind that would give the measured value, with its interval (90 %).

    quantity: missed: the share of units that each annotator misses; added: units added per unit; boundaries: the mean
    shift of a boundary in shares of the unit's length; categories: the share of units with a wrong category; splits:
    splits per unit; for text-γ, text: the share of units with a changed character; splits: changes of segmentation per
    unit. It is None, with the reason, where errors of that kind alone cannot give the value or do not move it. low
    without high: at least `low`; neither: everybody agrees fully, which leaves no spread for an interval.
    """

    kind: Kind
    quantity: float | None
    low: float | None
    high: float | None
    sentence: str
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


@dataclass(frozen=True)
class Measured:
    """A measured value with the bounds of its own uncertainty, at the level of equivalents; None where unknown."""

    letters: str
    value: float
    low: float | None
    high: float | None
    n_documents: int

    @property
    def target(self) -> Target:
        return Target(self.value, self.low, self.n_documents)


def equivalents(
    result: Result, *, kinds: Sequence[Kind] | None = None, progress: Progress | None = None
) -> tuple[Equivalent, ...]:
    """How large errors of each kind alone would give the value of γ (or γcat, or text-γ, if γ was not measured).

    kinds: those wanted; by default all that the measure can have. docs/equivalents.md says how references are
    corrected, curves inverted and intervals made. Deterministic: random numbers come from the result's seed.
    """
    measure = explained_measure(result)
    if measure is None or result.corpus is None or result[measure].value is None:
        return ()
    measured = _measured_value(result, measure)
    wanted = _kinds(result, measure) if kinds is None else tuple(kinds)
    plan = plan_of(result)
    if plan is None:
        return tuple(_unknown_equivalent(kind, NOT_REPEATABLE) for kind in wanted)
    simulate = _simulations(result, result.corpus, measure, plan)
    has_lengths = measure == TEXT_MEASURE or any((each.ends > each.starts).any() for each in result.corpus)
    found = []
    for done, kind in enumerate(wanted):
        if progress is not None:
            progress(done, len(wanted), kind)
        is_possible = has_lengths or kind not in ("boundaries", "splits")
        found.append(
            _equivalent(kind, measured, simulate) if is_possible else _unknown_equivalent(kind, "units have no length")
        )
    if progress is not None:
        progress(len(wanted), len(wanted), "")
    return tuple(found)


#: Gives the points of the curve of a kind as far as they are needed for the target.
Simulate = Callable[[Kind, Target], Sequence[Point]]


def _simulations(result: Result, corpus: Corpus, measure: str, plan: Plan) -> Simulate:
    if measure == TEXT_MEASURE:
        from unisono.diagnosis.text_curves import text_points

        return lambda kind, target: text_points(kind, corpus, plan, result.seed, target)
    return _UnitSimulation.of(corpus, measure, plan, result.seed).points


@dataclass(frozen=True)
class _UnitSimulation:
    """Simulated corpora like the measured one, measured alike with fewer random continua."""

    references: References
    measure: str
    plan: Plan
    seed: int

    @classmethod
    def of(cls, corpus: Corpus, measure: str, plan: Plan, seed: int) -> _UnitSimulation:
        documents = [continuum for continuum in corpus if continuum.n_annotators > 1]
        size = sum(min(c.n_annotators, MOST_ANNOTATORS) * c.mean_units for c in documents) / max(1, len(documents))
        n = min(MOST_DOCUMENTS, max(FEWEST_DOCUMENTS, 2 * len(documents)), max(1, int(MOST_UNITS / max(size, 1.0))))
        n = max(n, LEAST_DOCUMENTS)
        resolved = plan.resolved
        sampling = Sampling(samples=SAMPLES, level=resolved.level, plain=resolved.sampling.plain)
        effort = EFFORT if resolved.effort is None else min(EFFORT, resolved.effort)
        quick = replace(
            plan,
            resolved=replace(
                resolved, sampling=sampling, tie_range=False, time_limit=None, effort=effort, is_rough=True
            ),
        )
        references = References.of(corpus, documents=n, most_annotators=MOST_ANNOTATORS)
        return cls(references, measure, quick, seed)

    def points(self, kind: Kind, target: Target) -> list[Point]:
        corrections = {0.0: Correction()}

        def point_at(magnitude: float) -> Point | None:
            # Begin with the correction found for the size before, which removes most of the difference.
            before = corrections[max(each for each in corrections if each < magnitude)]
            simulated, correction = self.references.simulate_alike(before, kind, magnitude, seed=self.seed)
            corrections[magnitude] = correction
            return None if kind == "splits" and not self._is_plausible(simulated) else self._point(simulated)

        return walk(GRIDS[kind], point_at, target)

    def _is_plausible(self, simulated: FlatAnnotations) -> bool:
        """Whether the units of simulated annotators touch each other about as often as those of the corpus.

        Splitting leaves pieces that touch, which no correction of the references can undo.
        """
        touching = self.references.shape_of(simulated).touching
        return touching - self.references.shape.touching <= MOST_TOUCHING

    def _point(self, simulated: FlatAnnotations) -> Point | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            corpus = simulated.corpus(guessed=self.references.is_guessed)
            computed = self.plan.compute(corpus, [self.measure])[self.measure]
        return point_of_values(self.measure, computed.documents, simulated.done, simulated.n_units)


def _equivalent(kind: Kind, measured: Measured, simulate: Simulate) -> Equivalent:
    try:
        points = simulate(kind, measured.target)
    except UnisonoError as error:
        return _unknown_equivalent(kind, f"errors of this kind cannot be simulated: {error}")
    return invert(kind, points, measured)


def invert(kind: Kind, points: Sequence[Point], measured: Measured) -> Equivalent:
    """The equivalent that the points of a curve give for a measured value."""
    letters = measured.letters
    if len(points) < 2:
        return _unknown_equivalent(kind, "errors of this kind would leave data unlike these")
    if not all(math.isfinite(point.error) for point in points):
        return _unknown_equivalent(kind, f"too few simulated documents have a {letters}")
    curve = FallingCurve.of(points)
    if curve.is_flat:
        return _unknown_equivalent(kind, f"{letters} hardly depends on errors of this kind")
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    own = curve.error_at(measured.value)
    # Without an interval over documents, simulated corpora of the same size say how far the value may be off.
    spread = z * own * math.sqrt(max(point.n_documents for point in points) / max(1, measured.n_documents))
    above = spread if measured.high is None else measured.high - measured.value
    below = spread if measured.low is None else measured.value - measured.low
    high_value = measured.value + math.hypot(above, z * own)
    low_value = measured.value - math.hypot(below, z * own)
    quantity = curve.quantity_at(measured.value)
    low, high = curve.quantity_at(high_value), curve.quantity_at(low_value)
    if any(point.value >= low_value for point in points[len(curve.quantities) :]):
        high = None  # beyond its lowest point the curve rises to the value again: larger errors would give it too
    if quantity is None:
        if low is None:
            reason = (
                f"{letters} stays above {curve.lowest:.2f} for errors of this kind that could leave data like these"
            )
            return Equivalent(kind, None, None, None, _unexplained_sentence(kind, reason), reason)
        reason = f"{letters} hardly falls so low by errors of this kind alone"
        unit = "" if kind in ("added", "splits") else " %"
        sentence = f"{_WORDS[kind].format(f'more than {_number(low)}{unit}')}: {reason}"
        return Equivalent(kind, None, low, None, sentence, reason)
    if high == 0:
        low = high = None
    return Equivalent(kind, quantity, low, high, _say(kind, letters, quantity, low, high))


def _measured_value(result: Result, measure: str) -> Measured:
    """The value with its documents interval at the level of equivalents."""
    value = result[measure].value
    assert value is not None
    ratios = document_ratios(result, measure)
    interval = documents_interval(ratios.numerators, ratios.denominators, level=LEVEL).interval
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return Measured(EXPLAINED[measure], value, low, high, len(ratios))


def _kinds(result: Result, measure: str) -> tuple[Kind, ...]:
    """The kinds of errors that can be made on such data."""
    if measure == TEXT_MEASURE:
        return ("text", "splits", "categories")
    corpus = result.corpus
    assert corpus is not None
    dissimilarity = result.dissimilarity
    is_compared = not isinstance(dissimilarity, CombinedDissimilarity) or dissimilarity.beta > 0
    has_categories = (is_compared or measure == "gamma-cat") and len(corpus.labels()) > 1
    return tuple(kind for kind in GRIDS if kind != "categories" or has_categories)


_WORDS: Mapping[Kind, str] = {
    "missed": "as if each annotator missed {} of the units",
    "added": "as if each annotator added {} units for every 100",
    "boundaries": "as if each boundary were {} of its unit's length astray",
    "categories": "as if {} of the units had a wrong category",
    "splits": "as if each annotator made {} splits for every 100 units",
    "text": "as if each annotator changed a character in {} of the units",
}
_SPLITS_OF_TEXTS = "as if each annotator made {} splits or mergers for every 100 units"


def _say(kind: Kind, letters: str, quantity: float, low: float | None, high: float | None) -> str:
    unit = "" if kind in ("added", "splits") else " %"
    words = _SPLITS_OF_TEXTS if kind == "splits" and letters == EXPLAINED[TEXT_MEASURE] else _WORDS[kind]
    sentence = words.format(_number(quantity) + unit)
    if low is None:
        return sentence
    least = f"at least {_number(low)}{unit}"
    return f"{sentence} ({least if high is None else f'{_number(low)} to {_number(high)}{unit}'})"


def _number(share: float) -> str:
    """A share in percent, with a decimal below ten."""
    return f"{100 * share:.1f}" if 0 < 100 * share < 9.95 else f"{100 * share:.0f}"


def _unexplained_sentence(kind: Kind, reason: str) -> str:
    return f"Errors of this kind alone ({kind}) do not explain the value: {reason}."


def _unknown_equivalent(kind: Kind, reason: str) -> Equivalent:
    return Equivalent(kind, None, None, None, f"{kind}: not known, because {reason}.", reason)
