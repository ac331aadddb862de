# SPDX-License-Identifier: MIT
"""Versions of a text as the core takes them: code points, and units sorted by (type, start, end) with label codes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from unisono._core import TextKernel, TextVersion
from unisono.errors import CorpusError, ParameterError, SolverLimitError
from unisono.model.versions import GAP, TextUnit, TextVersions, Version
from unisono.text.text_dissimilarity import TextDissimilarity

#: The default limit on the memory of a search.
MEMORY_LIMIT = 2 * 2**30
#: The core takes costs of gaps as whole numbers up to this.
LARGEST_GAP_COST = 50
#: The core stores positions times costs as 32-bit numbers.
LONGEST_SEQUENCE = 2**29


@dataclass(frozen=True)
class GapCosts:
    """What a gap costs in the sequence alignment: at a character (gap_t), at a boundary (gap_b); the paper has 1, 1.

    Only their ratio matters. It decides how far two boundaries may be apart and still be aligned: up to
    2 * gap_b / gap_t characters (section 4).

    >>> GapCosts(1, 0.5).whole
    (2, 1)
    """

    gap_t: float = 1.0
    gap_b: float = 1.0

    def __post_init__(self) -> None:
        for name, value in (("gap_t", self.gap_t), ("gap_b", self.gap_b)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise ParameterError.of(
                    f"{name} is {value!r}, not a number above 0", f"Give a [[{name}]] above 0.", code="gap-cost"
                )
        if max(self.whole) > LARGEST_GAP_COST:
            raise ParameterError.of(
                f"the ratio of the gap costs {self.gap_t:g} and {self.gap_b:g} is not one of whole numbers up to "
                f"{LARGEST_GAP_COST}",
                "Round [[gap_t]] and [[gap_b]]: 1 and 1.5, or 1 and 2.",
                code="gap-cost",
            )

    @property
    def whole(self) -> tuple[int, int]:
        """The same ratio in whole numbers."""
        ratio = Fraction(str(self.gap_t)) / Fraction(str(self.gap_b))
        return ratio.numerator, ratio.denominator

    @property
    def signature(self) -> str:
        return f"{self.gap_t:g},{self.gap_b:g}"


@dataclass(frozen=True)
class CoreText:
    """Versions in the core's form, with the dissimilarity they are compared by."""

    versions: TextVersions
    dissimilarity: TextDissimilarity
    gaps: GapCosts
    has_gaps: bool

    @cached_property
    def kernel(self) -> TextKernel:
        return self.dissimilarity.kernel(self.versions, self.has_gaps)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The types, the outermost first and that of gaps last."""
        names = self.versions.types
        if self.has_gaps and GAP in names:
            raise ParameterError.of(
                f"there are units of the type {GAP!r}, which is the name of the type of gaps",
                "Rename the type.",
                where=self.versions.name,
            )
        return (*names, GAP) if self.has_gaps else names

    @cached_property
    def plain(self) -> tuple[TextVersion, ...]:
        """The annotators' versions, without gaps."""
        return tuple(self.encode_version(version) for version in self.versions.versions)

    @cached_property
    def full(self) -> tuple[TextVersion, ...]:
        """The annotators' versions as they are aligned: with units for gaps if gaps count."""
        return tuple(self.add_gaps(version) for version in self.plain)

    @cached_property
    def digests(self) -> tuple[bytes, ...]:
        """A digest of each annotator's version: its text, its units with their types and labels."""
        return tuple(map(_digest, self.plain))

    @cached_property
    def digest(self) -> bytes:
        """What random versions are keyed by: the digests of all versions, whatever the annotators are called."""
        base = self.versions.base
        parts = (*sorted(self.digests), *(() if base is None else (b"base", _digest(self.encode_version(base)))))
        return hashlib.sha256(b"".join(parts)).digest()

    def add_gaps(self, version: TextVersion) -> TextVersion:
        return version.with_gaps(len(self.types) - 1) if self.has_gaps else version

    def encode_version(self, version: Version) -> TextVersion:
        """A version in the form that the core takes, with labels as codes in the table that all versions share."""
        rank = {name: i for i, name in enumerate(self.types)}
        types = np.array([rank.get(name, -1) for name in version.types.labels], dtype=np.int32)[version.types.codes]
        order = np.lexsort((version.ends, version.starts, types))
        labels = np.full((version.n_units, len(self.dissimilarity.names)), -1, dtype=np.int32)
        for place, name in enumerate(self.dissimilarity.names):
            if name in version.features:
                column = version.features[name]
                code = {label: i for i, label in enumerate(self.versions.labels(name))}
                table = np.array([*(code.get(label, -1) for label in column.labels), -1], dtype=np.int32)
                labels[:, place] = table[column.codes]  # the code -1 indexes the last entry
        text = np.frombuffer(version.text.encode("utf-32-le", "surrogatepass"), dtype="<i4").astype(np.int32)
        return TextVersion(
            text,
            np.ascontiguousarray(version.starts[order]),
            np.ascontiguousarray(version.ends[order]),
            np.ascontiguousarray(types[order].astype(np.int32)),
            np.ascontiguousarray(labels[order].ravel()),
            labels.shape[1],
        )

    def decode_version(self, version: TextVersion) -> Version:
        """A version from the form that the core returns, for random versions."""
        text, starts, ends, types, labels = version.columns()
        names = self.dissimilarity.names
        units = [
            TextUnit(
                start,
                end,
                self.types[code],
                {
                    name: None if row[place] < 0 else self.versions.labels(name)[row[place]]
                    for place, name in enumerate(names)
                },
            )
            for start, end, code, row in zip(
                starts.tolist(),
                ends.tolist(),
                types.tolist(),
                labels.reshape(len(starts), len(names)).tolist(),
                strict=True,
            )
        ]
        return Version.of(text.astype("<i4").tobytes().decode("utf-32-le", "surrogatepass"), units)


def _digest(version: TextVersion) -> bytes:
    digest = hashlib.sha256()
    for column in version.columns():
        digest.update(len(column).to_bytes(8, "little") + column.astype(f"<i{column.itemsize}").tobytes())
    return digest.digest()


def core_text(
    versions: TextVersions,
    dissimilarity: TextDissimilarity | None = None,
    gaps: GapCosts | None = None,
    *,
    count_gaps: bool = False,
) -> CoreText:
    """Versions in the core's form; the dissimilarity is fitted to them."""
    costs = gaps or GapCosts()
    longest = max((len(v.text) + 2 * v.n_units for v in versions.all_versions), default=0) * max(costs.whole)
    if longest > LONGEST_SEQUENCE:
        raise CorpusError.of(
            f"the text has {longest // max(costs.whole):,} characters and boundaries; at most "
            f"{LONGEST_SEQUENCE // max(costs.whole):,} are possible",
            "Cut the text into chapters.",
            where=versions.name,
            code="size-limit",
        )
    return CoreText(versions, (dissimilarity or TextDissimilarity()).fitted(versions), costs, count_gaps)


def too_different(where: str, limit: str) -> SolverLimitError:
    """The error of a search that was stopped by a limit before it had any alignment."""
    prefix = f"{where}: " if where else ""
    return SolverLimitError(
        f"{prefix}a {limit} limit stopped the alignment of two versions that differ too much. Are they versions of one "
        f"text? If so, raise the {limit} limit.",
        incumbent=float("inf"),
        bound=0.0,
    )
