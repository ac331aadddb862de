# SPDX-License-Identifier: MIT
"""Annotators' versions of a text: TextUnit, Version (a text with one annotator's units on it) and TextVersions.

Annotators of a historical or spoken text correct the text itself, so that each has their own: offsets of one version
say nothing about another. Units live in columns, sorted by (start, end, type), as those of a continuum do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.arrays import repeat
from unisono.errors import CorpusError, Problem, UnitError
from unisono.model.units import CATEGORY, Extent, Feature, IntArray, PositionArray

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum

#: The type of a unit that has no other.
TOKEN = "token"
#: The type that stretches without any unit get when gaps are counted (section 8).
GAP = "gap"
#: The feature of a continuum's units that is their type on an annotator's own text.
TYPE = "unit type"
#: The code of the problem of units of one type that overlap.
OVERLAP = "overlap-of-one-type"
#: This many types or more are refused: the search keeps a state for every set of them.
MOST_TYPES = 8


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A stretch `[start, end)` of one annotator's text, with a type and any number of features.

    >>> TextUnit(0, 3, features={"pos": "NN"}).type
    'token'
    """

    start: int
    end: int
    type: str = TOKEN
    features: Mapping[str, str | None] = field(default_factory=dict)


class Version:
    """One text with the units marked on it. Units of one type may not overlap; those of different types may.

    >>> version = Version.of("so so", [(0, 2, "ADV"), (3, 5, {"pos": "ADV", "lemma": "so"})])
    >>> version[1].features
    {'category': None, 'lemma': 'so', 'pos': 'ADV'}
    >>> Version.of("so", [(0, 3)])
    Traceback (most recent call last):
    unisono.errors.UnitError: the unit 0-3 is not inside the text, which has 2 characters. Is it the right text?
    """

    __slots__ = ("ends", "features", "starts", "text", "types")

    def __init__(
        self,
        text: str,
        *,
        starts: Sequence[int] | IntArray | PositionArray,
        ends: Sequence[int] | IntArray | PositionArray,
        types: Feature | None = None,
        features: Mapping[str, Feature] | None = None,
        where: str = "",
    ):
        first, last = _offsets(starts, where), _offsets(ends, where)
        of_type = types or Feature(np.zeros(len(first), dtype=np.int32), (TOKEN,))
        columns = dict(features or {})
        if len({len(first), len(last), len(of_type.codes), *(len(f.codes) for f in columns.values())}) != 1:
            raise UnitError.of(
                "the columns of units have different lengths", "Give one value for each unit.", where=where
            )
        order = np.lexsort((of_type.codes, last, first))
        self.text = text
        self.starts: IntArray = first[order]
        self.ends: IntArray = last[order]
        self.types = of_type.take(order)
        self.features: Mapping[str, Feature] = {name: columns[name].take(order) for name in sorted(columns)}
        self._check(where)

    @classmethod
    def of(cls, text: str, units: Iterable[Sequence[Any] | TextUnit], *, where: str = "") -> Version:
        """A version from `(start, end)`, `(start, end, label)`, `(start, end, {feature: label})` or TextUnits."""
        items = [_unit(unit, where) for unit in units]
        names = sorted({name for unit in items for name in unit.features})
        return cls(
            text,
            starts=[unit.start for unit in items],
            ends=[unit.end for unit in items],
            types=Feature.encode([unit.type for unit in items]),
            features={name: Feature.encode([unit.features.get(name) for unit in items]) for name in names},
            where=where,
        )

    @classmethod
    def of_tokens(
        cls,
        tokens: Iterable[str],
        *,
        separator: str = " ",
        features: Mapping[str, Sequence[str | None]] | None = None,
    ) -> Version:
        """A version whose text is the tokens with a separator between them.

        >>> Version.of_tokens(["so", "so"], features={"pos": ["ADV", "ADV"]}).text
        'so so'
        """
        words = list(tokens)
        lengths = np.array([len(word) for word in words], dtype=np.int32)
        starts = np.cumsum(lengths + len(separator)) - lengths - len(separator)
        columns = {name: Feature.encode([*labels]) for name, labels in (features or {}).items()}
        return cls(
            separator.join(words),
            starts=starts.astype(np.int32),
            ends=(starts + lengths).astype(np.int32),
            features=columns,
        )

    @classmethod
    def marked(cls, text: str) -> Version:
        """A version in the notation of the paper: `{hat}{s}`; no labels, no braces in the text.

        >>> Version.marked("{hat} {s}")
        <Version: 5 characters, 2 units>
        """
        units, plain, start = [], "", -1
        for character in text:
            if character == "{":
                start = len(plain)
            elif character == "}":
                units.append((start, len(plain)))
            else:
                plain += character
        return cls.of(plain, units)

    def _check(self, where: str) -> None:
        problems = [
            Problem(
                "outside-text",
                "error",
                where,
                f"the unit {self.starts[i]}-{self.ends[i]} is not inside the text, which has "
                f"{len(self.text):,} characters",
                "Is it the right text?",
            )
            for i in np.flatnonzero(
                (self.starts < 0) | (self.ends < self.starts) | (self.ends > len(self.text))
            ).tolist()
        ]
        for code, name in enumerate(self.types.labels):
            mine = np.flatnonzero(self.types.codes == code)
            overlapping = np.flatnonzero(self.starts[mine[1:]] < self.ends[mine[:-1]])
            problems += [
                Problem(
                    OVERLAP,
                    "error",
                    where,
                    f"the units {self.starts[mine[i]]}-{self.ends[mine[i]]} and "
                    f"{self.starts[mine[i + 1]]}-{self.ends[mine[i + 1]]} of the type {name!r} overlap; text-γ sets "
                    "boundaries into the text and could not tell their ends apart",
                    "Give them different types, or measure γ, which takes overlapping units.",
                )
                for i in overlapping.tolist()
            ]
        if np.any(self.types.codes < 0):
            problems.append(Problem("unit-type", "error", where, "a unit has no type", "Give every unit a type."))
        if problems:
            raise UnitError(problems)

    @property
    def n_units(self) -> int:
        return len(self.starts)

    def __len__(self) -> int:
        return self.n_units

    def __getitem__(self, index: int) -> TextUnit:
        return TextUnit(
            int(self.starts[index]),
            int(self.ends[index]),
            self.types[index] or TOKEN,
            {name: feature[index] for name, feature in self.features.items()},
        )

    def __iter__(self) -> Iterator[TextUnit]:
        return (self[i] for i in range(len(self)))

    def covered(self, index: int) -> str:
        """The text of a unit."""
        return self.text[self.starts[index] : self.ends[index]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Version):
            return NotImplemented
        return self.text == other.text and len(self) == len(other) and all(map(_same_unit, self, other))

    def __hash__(self) -> int:
        return hash((self.text, self.n_units))

    def __repr__(self) -> str:
        return f"<Version: {len(self.text)} characters, {self.n_units} units>"


@dataclass(frozen=True)
class TextVersions:
    """The versions of one text by several annotators, sorted by name, and what they started from, if it is known.

    base: the pre-annotation that the annotators were given to correct (section 6).

    >>> TextVersions.of({"ann": Version.marked("{so} {so}"), "bob": Version.marked("{so}")})
    <TextVersions '': 3 units by 2 annotators>
    """

    annotators: tuple[str, ...]
    versions: tuple[Version, ...]
    base: Version | None = None
    name: str = ""
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, versions: Mapping[str, Version], *, base: Version | None = None, name: str = "") -> TextVersions:
        names = tuple(sorted(versions))
        return cls(names, tuple(versions[annotator] for annotator in names), base, name)

    def __post_init__(self) -> None:
        if list(self.annotators) != sorted(set(self.annotators)) or len(self.annotators) != len(self.versions):
            raise CorpusError.of(
                f"the annotators {self.annotators!r} are not distinct, sorted names with one version each",
                "Use TextVersions.of.",
                where=self.name,
            )

    def __getitem__(self, annotator: str) -> Version:
        return self.versions[self.annotators.index(annotator)]

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    @property
    def n_units(self) -> int:
        return sum(version.n_units for version in self.versions)

    @property
    def mean_units(self) -> float:
        return self.n_units / self.n_annotators if self.n_annotators else 0.0

    @cached_property
    def all_versions(self) -> tuple[Version, ...]:
        """The annotators' versions and the base."""
        return self.versions if self.base is None else (*self.versions, self.base)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """Every type, the outermost first: by mean length, the longest first, then by name."""
        lengths: dict[str, list[int]] = {}
        for version in self.all_versions:
            for code, name in enumerate(version.types.labels):
                mine = version.types.codes == code
                total = lengths.setdefault(name, [0, 0])
                total[0] += int((version.ends[mine] - version.starts[mine]).sum())
                total[1] += int(np.count_nonzero(mine))
        used = {name: total / count for name, (total, count) in lengths.items() if count}
        return tuple(sorted(used, key=lambda name: (-used[name], name)))

    @property
    def feature_names(self) -> tuple[str, ...]:
        """All features of which some unit has a label."""
        return tuple(sorted(name for name, labels in self._labels.items() if labels))

    def labels(self, feature: str) -> tuple[str, ...]:
        """Every label of a feature that some unit has, sorted."""
        return self._labels.get(feature, ())

    @cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        known: dict[str, set[str]] = {}
        for version in self.all_versions:
            for name, column in version.features.items():
                used = np.unique(column.codes).tolist()
                known.setdefault(name, set()).update(column.labels[code] for code in used if code >= 0)
        return {name: tuple(sorted(labels)) for name, labels in known.items()}

    @cached_property
    def sha256(self) -> str:
        """A digest of texts, units and features, whatever their order."""
        digest = hashlib.sha256(b"unisono text versions 1\n")
        parts = [*zip(self.annotators, self.versions, strict=True), *([("", self.base)] if self.base else [])]
        for annotator, version in parts:
            header = [annotator, self.name, version.text, version.n_units]
            digest.update(json.dumps(header).encode() + b"\n")
            digest.update(np.asarray(version.starts, "<i8").tobytes() + np.asarray(version.ends, "<i8").tobytes())
            for name, column in (("", version.types), *version.features.items()):
                labels = [column.labels[code] if code >= 0 else None for code in column.codes.tolist()]
                digest.update(json.dumps([name, labels]).encode())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<TextVersions {self.name!r}: {self.n_units} units by {self.n_annotators} annotators>"


@dataclass(frozen=True, slots=True)
class OwnTexts:
    """The text of each annotator of a continuum, where they have their own, and what text-γ compares.

    Together with the units of the continuum these are the annotators' versions: `Continuum.versions`.
    """

    #: One for each annotator, in the order of the annotators.
    texts: tuple[str, ...]
    #: The pre-annotation that the annotators started from.
    base: Version | None = None
    #: The features that text-γ compares unless others are asked for; None: all.
    features: tuple[str, ...] | None = None
    #: What the category is called among the features of the versions.
    category: str = CATEGORY

    def take(self, places: Iterable[int]) -> OwnTexts:
        """The texts of the annotators at these places."""
        return replace(self, texts=tuple(self.texts[i] for i in places))


def make_versions(continuum: Continuum, own: OwnTexts, features: Iterable[str] | None = None) -> TextVersions:
    """The annotators' versions: their texts with their units on them.

    features: names of those that the versions have; by default those that text-γ compares. A UnitError where units of
    one type overlap, lie outside the text, or have positions that are not whole numbers.
    """
    columns = {own.category if name == CATEGORY else name: f for name, f in continuum.features.items() if name != TYPE}
    kept = own.features if features is None else tuple(features)
    if kept is not None:
        columns = {name: column for name, column in columns.items() if name in kept}
    types = _types(continuum)
    bounds = np.searchsorted(continuum.annotator_codes, np.arange(continuum.n_annotators + 1)).tolist()
    versions = []
    for place, text in enumerate(own.texts):
        units = slice(bounds[place], bounds[place + 1])
        taken = {name: column.take(units) for name, column in columns.items()}
        versions.append(
            Version(
                text,
                starts=continuum.starts[units],
                ends=continuum.ends[units],
                types=types.take(units),
                features={name: column for name, column in taken.items() if (column.codes >= 0).any()},
                where=f"{continuum.name} {continuum.annotators[place]}".strip(),
            )
        )
    return TextVersions(continuum.annotators, tuple(versions), own.base, continuum.name)


def columns_of_versions(versions: TextVersions) -> dict[str, Any]:
    """The arguments of a continuum with the units of all versions."""
    units = [unit for version in versions.versions for unit in version]
    names = sorted({name for version in versions.versions for name in version.features})
    features = {name: Feature.encode([unit.features.get(name) for unit in units]) for name in names}
    if {unit.type for unit in units} - {TOKEN}:
        features[TYPE] = Feature.encode([unit.type for unit in units])
    sizes = [version.n_units for version in versions.versions]
    texts = tuple(version.text for version in versions.versions)
    return {
        "starts": np.array([unit.start for unit in units], dtype=np.int64),
        "ends": np.array([unit.end for unit in units], dtype=np.int64),
        "annotator_codes": repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        "annotators": versions.annotators,
        "features": features,
        "extent": Extent(0, max(map(len, texts), default=0), "text"),
        "name": versions.name,
        "own_texts": OwnTexts(texts, versions.base),
    }


def join_texts(one: Continuum, other: Continuum) -> OwnTexts | None:
    """The texts of the annotators of two continua, one after the other; None where both share one text."""
    sides = [_texts(side) for side in (one, other)]
    first, second = sides
    if (
        (one.own_texts is None and other.own_texts is None and one.text == other.text)
        or first is None
        or second is None
    ):
        return None
    own = one.own_texts or other.own_texts or OwnTexts((), features=(CATEGORY,))
    return replace(own, texts=(*first, *second))


def _texts(continuum: Continuum) -> tuple[str, ...] | None:
    """The text of each annotator, their own or the common one; None where there is none."""
    if continuum.own_texts is not None:
        return continuum.own_texts.texts
    return None if continuum.text is None else (continuum.text,) * continuum.n_annotators


def _types(continuum: Continuum) -> Feature:
    """The type of each unit; those without one are tokens."""
    known = continuum.features.get(TYPE)
    if known is None:
        return Feature(np.zeros(continuum.n_units, dtype=np.int32), (TOKEN,))
    return Feature.encode([known[i] or TOKEN for i in range(continuum.n_units)])


def _same_unit(one: TextUnit, other: TextUnit) -> bool:
    """Whether two units are equal; a feature without a label counts as absent."""
    return (one.start, one.end, one.type) == (other.start, other.end, other.type) and (
        {name: label for name, label in one.features.items() if label is not None}
        == {name: label for name, label in other.features.items() if label is not None}
    )


def check_measurable(versions: TextVersions) -> None:
    """Refuse versions that cannot be aligned: fewer than two annotators, no units, or too many types."""
    if versions.n_annotators < 2:
        raise CorpusError.of(
            f"{versions.annotators[0]} is the only annotator" if versions.annotators else "there are no annotators",
            "Give versions of the text by at least two annotators.",
            where=versions.name,
            code="too-few-annotators",
        )
    if versions.n_units == 0:
        raise CorpusError.of(
            "there are no units", "Give versions with at least one unit.", where=versions.name, code="no-units"
        )
    if len(versions.types) >= MOST_TYPES:
        raise CorpusError.of(
            f"there are {len(versions.types)} types of units ({', '.join(versions.types)}), and at most "
            f"{MOST_TYPES - 1} are possible",
            "Measure some of the types at a time.",
            where=versions.name,
            code="too-many-types",
        )


def _unit(item: Sequence[Any] | TextUnit, where: str) -> TextUnit:
    if isinstance(item, TextUnit):
        return item
    if not 2 <= len(item) <= 3:
        raise UnitError.of(
            f"{item!r} is not a unit",
            "Give (start, end), (start, end, label) or (start, end, features).",
            where=where,
        )
    rest = item[2] if len(item) == 3 else None
    if isinstance(rest, Mapping):
        return TextUnit(item[0], item[1], features=dict(rest))
    return TextUnit(item[0], item[1], features={} if rest is None else {CATEGORY: str(rest)})


def _offsets(values: Any, where: str) -> IntArray:
    column = np.asarray(values)
    if len(column) and column.dtype.kind not in "iu":
        raise UnitError.of(
            f"the offsets are of type {column.dtype}, not whole numbers", "Count characters.", where=where
        )
    if len(column) and not -(2**31) < column.min() <= column.max() < 2**31:
        raise UnitError.of(
            f"the offsets reach {column.max()}, beyond 2**31", "Cut the text into chapters.", where=where
        )
    return np.ascontiguousarray(column, dtype=np.int32)
