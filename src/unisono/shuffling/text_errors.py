# SPDX-License-Identifier: MIT
"""Errors of annotators who also correct the text: characters, segmentation and labels (Barteld et al. 2016).

Section 7 shuffles "by the same procedure as for the calculation of the expected disagreement", so each error type is a
step of the chance model `RandomEdits` with exact numbers of changes instead of probabilities. The steps are applied one
after the other, each to the result of the one before and with its own random numbers, so that their effects are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.errors import ParameterError
from unisono.model.versions import TextVersions, Version
from unisono.shuffling.error_type import check_number
from unisono.shuffling.reference import REFERENCE
from unisono.shuffling.shuffled import annotator_names, check_magnitude, check_seed
from unisono.text.core_text import core_text
from unisono.text.edits import Observations, Rates


class TextDone(IntFlag):
    """What was done to a unit of the reference; 0 means that it was kept."""

    TEXT = 1
    SPLIT = 2
    MERGED = 4
    LABEL = 8


@dataclass(frozen=True, kw_only=True)
class TextErrors:
    """One character is changed in round(factor * m * n) different units, n being the number of units of the inner type.

    A character is inserted, deleted or replaced with equal probability, as in `RandomEdits`. The factor 0.5 is the
    paper's: "shuffling all three types with the same magnitude is unrealistic" (section 7).
    """

    factor: float = 0.5

    name: ClassVar[str] = "text"
    order: ClassVar[int] = 10

    def __post_init__(self) -> None:
        check_number(self.factor, "factor", self.name, highest=1.0)

    def rates(self, magnitude: float, features: Sequence[str]) -> Rates:
        return Rates(self.factor * magnitude, 0.0, dict.fromkeys(features, 0.0), {})


@dataclass(frozen=True, kw_only=True)
class SegmentationErrors:
    """round(factor * m * n) changes of segmentation: splits, and mergers with either neighbour, with equal probability.

    The changes are applied one after the other, as in `RandomEdits`; n is the number of units of the type. The factor
    0.1 is the paper's (section 7).
    """

    factor: float = 0.1

    name: ClassVar[str] = "segmentation"
    order: ClassVar[int] = 20

    def __post_init__(self) -> None:
        check_number(self.factor, "factor", self.name, highest=1.0)

    def rates(self, magnitude: float, features: Sequence[str]) -> Rates:
        return Rates(0.0, self.factor * magnitude, dict.fromkeys(features, 0.0), {})


@dataclass(frozen=True, kw_only=True)
class LabelErrors:
    """round(factor * m * n) different units get a label drawn with its frequency in the reference.

    It may be the label they had: at magnitude 1 labels are random. features: those whose labels are changed, each
    separately; by default all. The factor 1 is the paper's (section 7).
    """

    factor: float = 1.0
    features: tuple[str, ...] | None = None

    name: ClassVar[str] = "label"
    order: ClassVar[int] = 30

    def __post_init__(self) -> None:
        check_number(self.factor, "factor", self.name, highest=1.0)
        if self.features is not None:
            object.__setattr__(self, "features", tuple(self.features))

    def rates(self, magnitude: float, features: Sequence[str]) -> Rates:
        wanted = features if self.features is None else self.features
        unknown = sorted(set(wanted) - set(features))
        if unknown:
            raise ParameterError.of(
                f"the reference has no feature {', '.join(unknown)}",
                f"Its features are {', '.join(features)}." if features else "It has no features.",
                where="label errors",
                code="error-type",
            )
        p_label = {name: self.factor * magnitude if name in wanted else 0.0 for name in features}
        return Rates(0.0, 0.0, p_label, {})


TextErrorType = TextErrors | SegmentationErrors | LabelErrors


@dataclass(frozen=True)
class TextTruth:
    """A table in columns with a row for each pair of a reference unit and an annotator's unit with some of its text.

    annotators: codes into the versions' annotators; references, units: numbers of units in the reference and in the
    annotator's version; done: `TextDone` flags, 0 is kept. A split unit has a row for each part, merged ones have a row
    each with the same unit.
    """

    versions: TextVersions
    reference: Version
    annotators: NDArray[np.int64]
    references: NDArray[np.int64]
    units: NDArray[np.int64]
    done: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.done)

    @property
    def what(self) -> tuple[str, ...]:
        """What was done, in words: `kept`, `text`, `split`, `text+label`, ..."""
        words = [
            "+".join(str(flag.name).lower() for flag in TextDone if number & flag) or "kept"
            for number in range(2 * TextDone.LABEL)
        ]
        return tuple(words[number] for number in self.done.tolist())

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Annotator, number of the reference unit, what was done, text and labels before, text and labels after."""
        for annotator, number, unit, what in zip(
            self.annotators.tolist(), self.references.tolist(), self.units.tolist(), self.what, strict=True
        ):
            version = self.versions.versions[annotator]
            before, after = self.reference[number].features, version[unit].features
            yield (
                self.versions.annotators[annotator],
                number,
                what,
                self.reference.covered(number),
                dict(before),
                version.covered(unit),
                dict(after),
            )


@dataclass(frozen=True)
class ShuffledText:
    """Versions of a text by annotators who make errors, the truth about every unit, and the reference.

    The base of the versions, which the annotators were given, is the reference without its labels (section 7).
    """

    versions: TextVersions
    truth: TextTruth
    reference: Version


def shuffle_text(
    reference: Version,
    errors: TextErrorType | Sequence[TextErrorType],
    magnitude: float,
    *,
    annotators: int | Sequence[str] = 1,
    seed: int = 0,
    name: str = "",
    number: int = 0,
) -> ShuffledText:
    """Annotators who make errors of a magnitude on a text and its units: text first, then segmentation, then labels.

    name, number: those of the set; both are part of the generator's key.

    >>> reference = Version.of_tokens(["so", "it", "goes"], features={"pos": ["ADV", "PRON", "VERB"]})
    >>> shuffle_text(reference, [TextErrors(), LabelErrors()], 0.0, annotators=2).truth.what
    ('kept', 'kept', 'kept', 'kept', 'kept', 'kept')
    """
    check_magnitude(magnitude)
    check_seed(seed)
    names = annotator_names(annotators)
    given = list(errors) if isinstance(errors, Sequence) else [errors]
    for error in given:
        if not isinstance(error, TextErrorType):
            raise ParameterError.of(
                f"{error!r} is not an error type of texts",
                "Give TextErrors(), SegmentationErrors() or LabelErrors().",
                code="error-type",
            )
    steps = sorted(given, key=lambda error: error.order)
    by_annotator = {}
    links = {}
    for place, annotator in enumerate(names):
        version = reference
        link = _Links.of(reference)
        seen: Counter[str] = Counter()
        for error in steps:
            step = f"{name}\x00{error.name}\x00{seen[error.name]}"
            seen[error.name] += 1
            changed = _apply_step(reference, version, error, magnitude, seed, step, number, place)
            link = link.follow(version, changed, error)
            version = changed
        by_annotator[annotator], links[annotator] = version, link
    base = Version(reference.text, starts=reference.starts, ends=reference.ends, types=reference.types)
    versions = TextVersions.of(by_annotator, base=base, name=name)
    ordered = [links[annotator] for annotator in versions.annotators]
    truth = TextTruth(
        versions,
        reference,
        repeat(np.arange(len(ordered)), [len(link.units) for link in ordered]),
        np.concatenate([link.references for link in ordered]),
        np.concatenate([link.units for link in ordered]),
        np.concatenate([link.done for link in ordered]),
    )
    return ShuffledText(versions, truth, reference)


def _apply_step(
    reference: Version,
    version: Version,
    error: TextErrorType,
    magnitude: float,
    seed: int,
    name: str,
    number: int,
    annotator: int,
) -> Version:
    """The version with errors of one type; characters and labels are drawn with their frequencies in the reference."""
    observed = TextVersions.of({REFERENCE: reference}, base=version, name=f"\x00shuffling\x00{name}")
    rates = error.rates(magnitude, observed.feature_names)
    if not rates.p_text and not rates.p_seg and not any(rates.p_label.values()):
        return version
    core = core_text(observed)
    return Observations(core).draw(
        rates, seed=seed, sample=number, annotator=annotator, is_exact=True, key_of=core.versions.name
    )


@dataclass(frozen=True)
class _Links:
    """Which units of a version have text of which units of the reference, and what was done to it."""

    references: NDArray[np.int64]
    units: NDArray[np.int64]
    done: NDArray[np.uint8]

    @classmethod
    def of(cls, reference: Version) -> _Links:
        numbers = np.arange(len(reference), dtype=np.int64)
        return cls(numbers, numbers, np.zeros(len(numbers), dtype=np.uint8))

    def follow(self, before: Version, after: Version, error: TextErrorType) -> _Links:
        """The links after this step."""
        if isinstance(error, SegmentationErrors):
            return self._follow_segmentation(before, after)
        old, new = _order_by_type(before), _order_by_type(after)  # corresponding units are then at the same place
        place = np.empty(len(before), dtype=np.int64)
        place[old] = new
        if isinstance(error, TextErrors):
            flag = TextDone.TEXT
            pairs = enumerate(place.tolist())
            differ = np.array([before.covered(i) != after.covered(j) for i, j in pairs], dtype=bool)
        else:
            flag = TextDone.LABEL
            differ = _labels_differ(before, np.arange(len(before)), after, place)
        done = np.where(differ[self.units], self.done | np.uint8(flag), self.done)
        return _Links(self.references, place[self.units], done.astype(np.uint8))

    def _follow_segmentation(self, before: Version, after: Version) -> _Links:
        """The links after a change of segmentation: the text stays, so units that overlap are linked."""
        old, new = _overlapping_pairs(before, after)
        parts = np.bincount(old, minlength=len(before))
        sources = np.bincount(new, minlength=len(after))
        # A unit that was merged and then split again has one source and one part, but its bounds may include the space
        # between the words, or it may have the labels of its neighbour.
        again = (before.starts[old] != after.starts[new]) | (before.ends[old] != after.ends[new])
        again |= _labels_differ(before, old, after, new)
        again &= (parts[old] == 1) & (sources[new] == 1)
        flags = np.where((parts[old] > 1) | again, TextDone.SPLIT, 0)
        flags |= np.where((sources[new] > 1) | again, TextDone.MERGED, 0)
        # The units of a type are sorted, so the units that one unit became are adjacent in the list of pairs.
        order = np.argsort(old, kind="stable")
        old, new, flags = old[order], new[order], flags[order]
        firsts = np.cumsum(parts) - parts
        copies = parts[self.units]
        link = repeat(np.arange(len(self.units)), copies)
        pair = firsts[self.units[link]] + np.arange(len(link)) - repeat(np.cumsum(copies) - copies, copies)
        done = (self.done[link] | flags[pair]).astype(np.uint8)
        return _Links(self.references[link], new[pair], done)


def _order_by_type(version: Version) -> NDArray[np.int64]:
    """The units sorted by (name of the type, start, end), an order that changes of text and labels do not affect."""
    rank = np.argsort(np.argsort(np.array(version.types.labels)))
    return np.lexsort((version.ends, version.starts, rank[version.types.codes])).astype(np.int64)


def _labels_differ(
    before: Version, old: NDArray[np.int64], after: Version, new: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Which pairs of units differ in a label."""
    differ = np.zeros(len(old), dtype=bool)
    for name in {*before.features, *after.features}:
        columns = [
            np.array([*version.features[name].labels, None], dtype=object)[version.features[name].codes[units]]
            if name in version.features
            else np.full(len(units), None, dtype=object)
            for version, units in ((before, old), (after, new))
        ]
        differ |= columns[0] != columns[1]
    return differ


def _overlapping_pairs(before: Version, after: Version) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every pair of units of one type that have a part of the text in common."""
    olds, news = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for name in before.types.labels:
        old = np.flatnonzero(before.types.codes == before.types.labels.index(name))
        if name not in after.types.labels:
            continue
        new = np.flatnonzero(after.types.codes == after.types.labels.index(name))
        first = np.searchsorted(after.ends[new], before.starts[old], side="right")
        last = np.searchsorted(after.starts[new], before.ends[old], side="left")
        counts = np.maximum(last - first, 0)
        which = repeat(np.arange(len(old)), counts)
        number = np.arange(len(which)) - repeat(np.cumsum(counts) - counts, counts)
        olds.append(old[which])
        news.append(new[first[which] + number])
    return np.concatenate(olds), np.concatenate(news)
