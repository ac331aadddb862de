# SPDX-License-Identifier: MIT
"""The corpus shuffling tool: a reference, simulated annotators who make errors, and the truth about what they did.

Random numbers come from numpy's Philox generator, keyed by (seed, document, annotator, error type). Each set, annotator
and error type has a stream of its own, so a set is the same whichever others are drawn and on any number of workers,
and errors of one type are the same whether or not other types are combined with them. The magnitude is not part of the
key: with the same seed, a higher magnitude makes the same annotators err more. Use another seed for independent errors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.arrays import repeat
from unisono.chance import key
from unisono.errors import CorpusError, ParameterError
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature, IntArray
from unisono.nouns import quantity
from unisono.shuffling.error_type import Errors, UnitErrors, is_number
from unisono.shuffling.reference import REFERENCE, ReferenceModel
from unisono.shuffling.sheet import Sheet, Surroundings
from unisono.shuffling.truth import Truth

#: The numbers of the papers' experiments.
ANNOTATORS = 3
SETS = 40


@dataclass(frozen=True)
class Shuffled:
    """The result of shuffling: the annotators' continuum, the truth about every unit, and the reference."""

    continuum: Continuum
    truth: Truth
    reference: Continuum


def shuffle(
    reference: Continuum,
    errors: Errors | Sequence[Errors],
    magnitude: float,
    *,
    annotators: int | Sequence[str] = ANNOTATORS,
    seed: int = 0,
    name: str | None = None,
    prevalence: Mapping[str, float] | None = None,
    unequal: float | Sequence[float] | None = None,
) -> Shuffled:
    """Annotators who make errors of a magnitude (0: none, 1: chance) on a reference, which is not one of them.

    reference: a continuum with one annotator. errors: one type or several, which are applied in this order: false
    negatives, category, position, habits, merges, splits, false positives; two of one type in the order given. Each has
    a magnitude_factor, and `by` names the annotators who make it. annotators: their number, or their names. name: the
    name of the continuum, by default that of the reference; it is part of the generator's key. prevalence: that of the
    categories, for errors of category, by default that in the reference. unequal: annotators of unequal skill; a factor
    of the magnitude for each of them, or the spread from which `error_factors` draws them.

    >>> reference = Continuum.of({"reference": [(0, 9, "A"), (12, 30, "B")]}, name="letter")
    >>> from unisono.shuffling import FalseNegatives
    >>> shuffle(reference, FalseNegatives(), 0.0, seed=1).continuum
    <Continuum 'letter': 6 units by 3 annotators>
    """
    _check_reference(reference)
    types = sort_errors(errors)
    check_magnitude(magnitude)
    check_seed(seed)
    names = annotator_names(annotators)
    _check_authors(types, names)
    factors = error_factors(unequal, len(names), seed)
    title = reference.name if name is None else name
    extra = {label for error, _ in types if isinstance(error, UnitErrors) for label in error.new_labels}
    around = _surroundings(reference, prevalence, extra)
    sheets = []
    for number, annotator in enumerate(names):
        sheet = Sheet.of(around.starts, around.ends, around.codes)
        for error, occurrence in types:
            if isinstance(error, UnitErrors) and not error.is_made_by(annotator):
                continue
            strength = min(1.0, magnitude * error.magnitude_factor * factors[number])
            if strength > 0 and around.n_units:
                generator = random(seed, title, f"{number}\x00{error.name}\x00{occurrence}")
                sheet = error.applied(sheet, strength, around, generator)
        sheets.append(sheet)
    return _assemble(reference, sheets, names, title, around)


def shuffled_sets(
    model: ReferenceModel,
    errors: Errors | Sequence[Errors],
    magnitude: float,
    *,
    sets: int | Iterable[int] = SETS,
    annotators: int | Sequence[str] = ANNOTATORS,
    seed: int = 0,
    own_reference: bool = True,
    unequal: float | Sequence[float] | None = None,
) -> Iterator[Shuffled]:
    """Sets of annotations one by one: `set-0001`, `set-0002`, ..., each on a reference drawn from the model.

    sets: their number, or the numbers (from 1) of those wanted: set 7 is the same whichever others are drawn.
    own_reference: each set has a reference of its own; otherwise all sets share that of set 1. unequal: as in
    `shuffle`; an annotator has the same skill in all sets.
    """
    numbers = _set_numbers(sets)
    common = None if own_reference else model.draw(seed, name=set_name(1))
    prevalence = model.prevalence
    for number in numbers:
        name = set_name(number)
        reference = common if common is not None else model.draw(seed, name=name)
        yield shuffle(
            reference,
            errors,
            magnitude,
            annotators=annotators,
            seed=seed,
            name=name,
            prevalence=prevalence or None,
            unequal=unequal,
        )


def shuffled_corpus(
    model: ReferenceModel,
    errors: Errors | Sequence[Errors],
    magnitude: float,
    *,
    sets: int | Iterable[int] = SETS,
    annotators: int | Sequence[str] = ANNOTATORS,
    seed: int = 0,
    own_reference: bool = True,
    unequal: float | Sequence[float] | None = None,
) -> Corpus:
    """The continua of `shuffled_sets` as a corpus with one document for each set.

    >>> from unisono.shuffling import PositionErrors, ReferenceModel
    >>> shuffled_corpus(ReferenceModel(units=20), PositionErrors(), 0.3, sets=5, seed=1)
    <Corpus: 5 documents, 300 units, 3 annotators>
    """
    results = shuffled_sets(
        model,
        errors,
        magnitude,
        sets=sets,
        annotators=annotators,
        seed=seed,
        own_reference=own_reference,
        unequal=unequal,
    )
    return Corpus(tuple(shuffled.continuum for shuffled in results))


def set_name(number: int) -> str:
    """The name of a set."""
    return f"set-{number:04d}"


def random(seed: int, name: str, what: str) -> np.random.Generator:
    """The generator for one purpose in one document."""
    return np.random.Generator(np.random.Philox(key=key(seed, f"\x00shuffling\x00{name}\x00{what}")))


def sort_errors(errors: Errors | Sequence[Errors]) -> list[tuple[Errors, int]]:
    """The error types in the order in which they are applied, each with its number among those of its name."""
    given = list(errors) if isinstance(errors, Sequence) else [errors]
    for error in given:
        if not isinstance(error, Errors) or isinstance(error, type):
            raise ParameterError.of(
                f"{error!r} is not an error type",
                "Give error types such as PositionErrors(); docs/shuffling.md lists them.",
                code="error-type",
            )
    seen: Counter[str] = Counter()
    ordered = []
    for error in sorted(given, key=lambda error: error.order):
        ordered.append((error, seen[error.name]))
        seen[error.name] += 1
    return ordered


def error_factors(unequal: float | Sequence[float] | None, n_annotators: int, seed: int) -> tuple[float, ...]:
    """The factor of the magnitude for each annotator: those given, or drawn with a spread.

    A spread s gives exp(s * z), z from a normal distribution: median 1, and with s = 0.7 a third of the annotators err
    more than twice as much, or less than half as much, as the median. An annotator's factor depends on the seed and on
    their number alone.

    >>> error_factors((1, 1, 2), 3, seed=0)
    (1.0, 1.0, 2.0)
    >>> [round(factor, 2) for factor in error_factors(0.7, 4, seed=1)]
    [1.54, 0.83, 1.9, 1.09]
    """
    if unequal is None:
        return (1.0,) * n_annotators
    if isinstance(unequal, int | float) and not isinstance(unequal, bool):
        _check_factors((unequal,), unequal)
        return tuple(
            math.exp(unequal * random(seed, "", f"{number}\x00unequal").standard_normal())
            for number in range(n_annotators)
        )
    factors = () if isinstance(unequal, str | bool) else tuple(unequal)
    if len(factors) != n_annotators:
        raise ParameterError.of(
            f"unequal is {unequal!r}, which is not a number for each of the {quantity(n_annotators, 'annotator')}",
            "Give one factor for each annotator, or one spread for all: [[unequal]].",
            code="shuffling",
        )
    _check_factors(factors, unequal)
    return tuple(float(factor) for factor in factors)


def _check_factors(factors: Sequence[Any], given: object) -> None:
    if not all(is_number(factor) and 0 <= factor < math.inf for factor in factors):
        raise ParameterError.of(
            f"unequal is {given!r}, which has a value that is not a number of 0 or more",
            "Give factors of the magnitude, such as 0.5 and 2, or a spread: [[unequal]].",
            code="shuffling",
        )


def _check_authors(types: Sequence[tuple[Errors, int]], names: Sequence[str]) -> None:
    for error, _ in types:
        unknown = [name for name in error.by if name not in names] if isinstance(error, UnitErrors) else []
        if unknown:
            raise ParameterError.of(
                f"{', '.join(map(repr, unknown))} is not an annotator",
                f"The annotators are {', '.join(names)}.",
                where=f"{error.name} errors: by",
                code="error-type",
            )


def check_magnitude(magnitude: float) -> None:
    """Refuse a magnitude that is not a number from 0 to 1."""
    if isinstance(magnitude, bool) or not isinstance(magnitude, int | float) or not 0 <= magnitude <= 1:
        raise ParameterError.of(
            f"the magnitude is {magnitude!r}, not a number from 0 to 1",
            "Give a [[magnitude]] from 0 (no errors) to 1 (chance).",
            code="shuffling",
        )


def check_seed(seed: int) -> None:
    """Refuse a seed that is not a whole number from 0 to 2**64 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ParameterError.of(
            f"the seed is {seed!r}, not a whole number from 0 to 2**64-1",
            "Give a [[seed]] in that range.",
            code="seed",
        )


def annotator_names(annotators: int | Sequence[str]) -> tuple[str, ...]:
    """Names for this number of annotators, or the names given.

    >>> annotator_names(2)
    ('annotator-1', 'annotator-2')
    """
    if isinstance(annotators, int) and not isinstance(annotators, bool):
        width = len(str(annotators))
        names = tuple(f"annotator-{number:0{width}d}" for number in range(1, annotators + 1))
    elif isinstance(annotators, str | bool):
        names = ()
    else:
        names = tuple(annotators)
    if REFERENCE in names:
        raise ParameterError.of(
            f"no annotator can be named {REFERENCE!r}, which is the name of the reference",
            "Choose other names for the [[annotators]].",
            code="shuffling",
        )
    if not names or len(set(names)) != len(names):
        raise ParameterError.of(
            f"{annotators!r} is neither a number of annotators of 1 or more nor a list of different names",
            "Give [[annotators]] as a number, or as names that differ.",
            code="shuffling",
        )
    return names


def _set_numbers(sets: int | Iterable[int]) -> list[int]:
    numbers = list(range(1, sets + 1)) if isinstance(sets, int) else list(sets)
    if not numbers or min(numbers) < 1 or len(set(numbers)) != len(numbers):
        raise ParameterError.of(
            f"{sets!r} is neither a number of sets of 1 or more nor a list of different numbers of sets",
            "Give [[sets]] as a number, or as numbers from 1.",
            code="shuffling",
        )
    return numbers


def _check_reference(reference: Continuum) -> None:
    if reference.n_annotators != 1:
        raise CorpusError.of(
            f"the reference has {quantity(reference.n_annotators, 'annotator')} instead of one",
            "Choose one of them, or fit a model with ReferenceModel.fitted(corpus).",
            where=reference.name,
            code="one-reference",
        )


def _surroundings(reference: Continuum, prevalence: Mapping[str, float] | None, extra: set[str]) -> Surroundings:
    """extra: categories that units may get although no unit of the reference has them."""
    category = reference.features[CATEGORY]
    if prevalence is None:
        labels = (*category.labels, *sorted(extra - set(category.labels)))
        counts = np.bincount(category.codes[category.codes >= 0], minlength=len(labels)).astype(np.float64)
        shares = counts / max(counts.sum(), 1.0)
    else:
        labels = tuple(sorted({*prevalence, *category.labels, *extra}))
        shares = np.array([prevalence.get(label, 0.0) for label in labels], dtype=np.float64)
        if not (np.isfinite(shares).all() and (shares >= 0).all() and (not labels or shares.sum() > 0)):
            raise ParameterError.of(
                f"the prevalences {dict(prevalence)!r} are not all 0 or more with a sum above 0",
                "Give every category a [[prevalence]] of 0 or more, and one of them more than 0.",
                code="shuffling",
            )
    return Surroundings(
        reference.starts,
        reference.ends,
        _codes_in(category, labels),
        reference.extent or Extent(0, 0),
        labels,
        shares,
        reference.text is not None,
    )


def _codes_in(feature: Feature, labels: tuple[str, ...]) -> IntArray:
    """The codes of a feature in a larger table of labels."""
    place = {label: i for i, label in enumerate(labels)}
    table = np.array([*(place[label] for label in feature.labels), -1], dtype=np.int32)
    return table[feature.codes]  # the index -1 is the last entry


def _assemble(
    reference: Continuum, sheets: Sequence[Sheet], names: tuple[str, ...], name: str, around: Surroundings
) -> Shuffled:
    """The annotators' sheets as one continuum in canonical order, and their links as the truth."""
    by_name = sorted(range(len(names)), key=lambda i: names[i])
    ordered = [sheets[i] for i in by_name]
    counts = [len(sheet) for sheet in ordered]
    owner = repeat(np.arange(len(ordered), dtype=np.int32), counts)
    starts = np.concatenate([sheet.starts for sheet in ordered])
    ends = np.concatenate([sheet.ends for sheet in ordered])
    codes = np.concatenate([sheet.codes for sheet in ordered])
    firsts = np.cumsum([0, *counts])
    link_units = np.concatenate(
        [
            np.where(sheet.link_units < 0, -1, sheet.link_units + first)
            for sheet, first in zip(ordered, firsts[:-1], strict=True)
        ]
    )
    link_sources = np.concatenate([sheet.link_sources for sheet in ordered])
    others = _other_features(reference, link_units, link_sources, len(starts))
    keys = [others[feature].codes for feature in sorted(others, reverse=True)]
    order = np.lexsort((*keys, codes, ends, starts, owner))
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(len(order)), -1
    extent = around.extent
    if len(starts):
        extent = Extent(min(extent.start, starts.min().item()), max(extent.end, ends.max().item()), extent.source)
    continuum = Continuum.canonical(
        starts=starts[order],
        ends=ends[order],
        annotator_codes=owner[order],
        annotators=tuple(names[i] for i in by_name),
        features={
            CATEGORY: Feature(codes[order], around.labels),
            **{feature: column.take(order) for feature, column in others.items()},
        },
        extent=extent if reference.extent is not None else None,
        name=name,
        text=reference.text,
    )
    truth = Truth(
        continuum,
        reference,
        repeat(np.arange(len(ordered)), [len(sheet.link_units) for sheet in ordered]),
        link_sources,
        place[link_units],
        np.concatenate([sheet.link_done for sheet in ordered]),
    )
    return Shuffled(continuum, truth, reference)


def _other_features(
    reference: Continuum, units: np.typing.NDArray[Any], sources: np.typing.NDArray[Any], count: int
) -> dict[str, Feature]:
    """The other features of units, taken from their sources in the reference; added units have none."""
    names = [name for name in reference.features if name != CATEGORY]
    if not names:
        return {}
    source = np.full(count, -1, dtype=np.int64)
    linked = units >= 0
    source[units[linked][::-1]] = sources[linked][::-1]  # of several links the first counts
    return {
        name: Feature(np.append(reference.features[name].codes, np.int32(-1))[source], reference.features[name].labels)
        for name in names
    }
