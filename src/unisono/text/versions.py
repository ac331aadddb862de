# SPDX-License-Identifier: MIT
"""The nouns of text-γ: TextUnit, Version (a text with one annotator's units on it), TextVersions. Nothing computes.

Annotators of a historical or spoken text correct the text itself, so that each has their own: offsets of one version
say nothing about another. Units live in columns, sorted by (start, end, type), as those of a continuum do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unisono.errors import CorpusError, Problem, UnitError
from unisono.model import CATEGORY, Feature, IntArray

#: The type of a unit that says nothing else.
TOKEN = "token"
#: The type that stretches without any unit get when gaps are counted (section 8).
GAP = "gap"
#: More types than this are refused: the search keeps a state for every set of them.
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
    unisono.errors.UnitError: units inside the text, which has 2 characters; found 0-3
    """

    __slots__ = ("ends", "features", "starts", "text", "types")

    def __init__(
        self,
        text: str,
        *,
        starts: Sequence[int] | IntArray,
        ends: Sequence[int] | IntArray,
        types: Feature | None = None,
        features: Mapping[str, Feature] | None = None,
        where: str = "",
    ):
        first, last = _offsets(starts, where), _offsets(ends, where)
        of_type = types or Feature(np.zeros(len(first), dtype=np.int32), (TOKEN,))
        columns = dict(features or {})
        if len({len(first), len(last), len(of_type.codes), *(len(f.codes) for f in columns.values())}) != 1:
            raise UnitError.of("columns of one length", "different ones", where=where)
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
        found = [_unit(unit, where) for unit in units]
        names = sorted({name for unit in found for name in unit.features})
        return cls(
            text,
            starts=[unit.start for unit in found],
            ends=[unit.end for unit in found],
            types=Feature.encode([unit.type for unit in found]),
            features={name: Feature.encode([unit.features.get(name) for unit in found]) for name in names},
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
                f"units inside the text, which has {len(self.text):,} characters",
                f"{self.starts[i]}-{self.ends[i]}",
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
                    "overlap-of-one-type",
                    "error",
                    where,
                    f"units of the type {name!r} that do not overlap: text-γ sets their boundaries into the text, and "
                    "the end of one of two overlapping units could not be told from that of the other",
                    f"{self.starts[mine[i]]}-{self.ends[mine[i]]} and "
                    f"{self.starts[mine[i + 1]]}-{self.ends[mine[i + 1]]}",
                    "give them different types, or measure γ, which takes overlapping units",
                )
                for i in overlapping.tolist()
            ]
        if np.any(self.types.codes < 0):
            problems.append(Problem("unit-type", "error", where, "a type for every unit", "none"))
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

    def covered(self, index: int) -> str:
        """The text of a unit."""
        return self.text[self.starts[index] : self.ends[index]]

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
                "a version for each annotator, their names sorted and different", repr(self.annotators), where=self.name
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
        """Every feature that some unit has a label of."""
        return tuple(sorted(name for name, labels in self._labels.items() if labels))

    def labels(self, feature: str) -> tuple[str, ...]:
        """Every label of a feature that some unit has, sorted."""
        return self._labels.get(feature, ())

    @cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        for version in self.all_versions:
            for name, column in version.features.items():
                used = np.unique(column.codes).tolist()
                found.setdefault(name, set()).update(column.labels[code] for code in used if code >= 0)
        return {name: tuple(sorted(labels)) for name, labels in found.items()}

    @cached_property
    def sha256(self) -> str:
        """What the versions say: texts, units, features; not the order it is said in."""
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


def check_measurable(versions: TextVersions) -> None:
    """Two annotators at least, one unit at least, not too many types: otherwise there is nothing to align."""
    if versions.n_annotators < 2:
        raise CorpusError.of(
            "at least two annotators, each with a version of the text",
            ", ".join(map(repr, versions.annotators)) or "none",
            where=versions.name,
            code="too-few-annotators",
        )
    if versions.n_units == 0:
        raise CorpusError.of("at least one unit", "none", where=versions.name, code="no-units")
    if len(versions.types) >= MOST_TYPES:
        raise CorpusError.of(
            f"fewer than {MOST_TYPES} types of units",
            f"{len(versions.types)}: {', '.join(versions.types)}",
            "measure some of the types at a time",
            where=versions.name,
            code="too-many-types",
        )


def _unit(item: Sequence[Any] | TextUnit, where: str) -> TextUnit:
    if isinstance(item, TextUnit):
        return item
    if not 2 <= len(item) <= 3:
        raise UnitError.of(
            "a unit as (start, end), (start, end, label) or (start, end, features)", repr(item), where=where
        )
    rest = item[2] if len(item) == 3 else None
    if isinstance(rest, Mapping):
        return TextUnit(item[0], item[1], features=dict(rest))
    return TextUnit(item[0], item[1], features={} if rest is None else {CATEGORY: str(rest)})


def _offsets(values: Any, where: str) -> IntArray:
    column = np.asarray(values)
    if len(column) and column.dtype.kind not in "iu":
        raise UnitError.of("offsets that are whole numbers", f"{column.dtype}", where=where)
    if len(column) and not -(2**31) < column.min() <= column.max() < 2**31:
        raise UnitError.of("offsets below 2**31", str(column.max()), where=where)
    return np.ascontiguousarray(column, dtype=np.int32)
