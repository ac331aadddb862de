# SPDX-License-Identifier: MIT
"""Categorial dissimilarities: how far apart two labels are, in [0, 1], as a table over the labels in use.

Mathet et al. 2015, section 4.4.3. The core looks the distance up and applies f_cat to it (Eq. 4). Units without a
category are at 0 from each other and at 1 from any label.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from unisono.dissimilarity.parameter_checks import as_number, is_finite_number, name_of, quote, refuse, short
from unisono.errors import ParameterError, Problem
from unisono.model import CATEGORY, FloatArray

FCat = Literal["identity", "steep"]
#: The tables that the core takes: none, all labels being equally far apart; a value for each label; a distance for
#: each pair of labels.
TableKind = Literal["nominal", "values", "matrix"]

#: A table of distances over more labels would not fit in memory (8 bytes for each pair of labels).
MOST_LABELS = 10_000
#: In a signature, an order of labels longer than this many characters is replaced by its digest.
LONGEST_ORDER = 80


def digest(text: str) -> str:
    """A short fingerprint of a parameter that is too long for a signature."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]


@dataclass(frozen=True)
class Categorial:
    """How unlike two labels are, in multiples of delta_empty; `feature` says which labels of the units."""

    feature: str = field(default=CATEGORY, kw_only=True)
    #: "identity", or "steep": f(x) = x - ln(1 - x) x^30, infinite at 1 (2015, footnote 2).
    f_cat: FCat = field(default="identity", kw_only=True)

    def __post_init__(self) -> None:
        problems = []
        if self.f_cat not in ("identity", "steep"):
            message = f"{self.f_cat!r} is not 'identity' or 'steep'"
            problems.append(Problem("parameter", "error", "f_cat", message, found=repr(self.f_cat)))
        if not isinstance(self.feature, str) or not self.feature:
            message = f"{self.feature!r} is not the name of a feature"
            problems.append(Problem("parameter", "error", "feature", message, found=repr(self.feature)))
        refuse(problems)

    @property
    def needs_fit(self) -> bool:
        """Whether the scale has yet to be taken from the data."""
        return False

    @property
    def signature(self) -> str:
        raise NotImplementedError

    def fitted(self, labels: Sequence[str]) -> Categorial:
        """The same distance with its scale taken from these labels; itself where it needs none."""
        return self

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        """The table from which the core computes the distances of these labels: its kind and its numbers, flat."""
        raise NotImplementedError

    def _with_options(self, name: str, *parts: str) -> str:
        """The signature: the name with these parts and with the options that are not the default."""
        if self.feature != CATEGORY:
            parts = (*parts, f"feature={quote(self.feature)}")
        if self.f_cat != "identity":
            parts = (*parts, f"f_cat={self.f_cat}")
        return f"{name}({','.join(parts)})" if parts else name


@dataclass(frozen=True)
class Nominal(Categorial):
    """0 for equal labels, 1 for different ones; takes any number of labels, because it needs no table."""

    @property
    def signature(self) -> str:
        return self._with_options("nominal")

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        return "nominal", np.empty(0)


@dataclass(frozen=True)
class Ordinal(Categorial):
    """Labels in an order: |rank difference| / (number of ranks - 1).

    Without `order`, the labels of the corpus are sorted: as numbers if all are numbers, else alphabetically.
    """

    order: Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order is None:
            return
        if isinstance(self.order, str) or len(self.order) == 0:
            raise ParameterError.of(
                f"{self.order!r} is not a sequence of labels, lowest first", where="order", found=repr(self.order)
            )
        order = tuple(str(label) for label in self.order)
        refuse(
            Problem("parameter", "error", "order", f"the label {label!r} is listed {count} times", "Name it once.")
            for label, count in Counter(order).items()
            if count > 1
        )
        object.__setattr__(self, "order", order)

    @property
    def needs_fit(self) -> bool:
        return self.order is None

    @property
    def signature(self) -> str:
        if self.order is None:
            return self._with_options("ordinal", "order=?")
        text = quote(tuple(self.order))
        if len(text) > LONGEST_ORDER:
            text = f"{len(self.order)} labels,sha256={digest(text)}"
        return self._with_options("ordinal", f"order={text}")

    def fitted(self, labels: Sequence[str]) -> Ordinal:
        return self if self.order is not None or not labels else replace(self, order=_sort_labels(labels))

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        order = self.fitted(labels).order or ()
        rank = {label: i for i, label in enumerate(order)}
        remedy = f"Add it to the order, which is {' < '.join(order[:20])}{' < ...' if len(order) > 20 else ''}."
        refuse(
            Problem(
                "unknown-category",
                "error",
                "ordinal distance",
                f"the label {label!r} is not in the order",
                remedy,
                found=repr(label),
            )
            for label in labels
            if label not in rank
        )
        top = max(len(order) - 1, 1)
        return "values", np.array([rank[label] / top for label in labels], dtype=np.float64)


@dataclass(frozen=True)
class Interval(Categorial):
    """Labels that are numbers: |x - y| / (high - low), the range over the corpus where it is not given."""

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = {name: value for name, value in (("low", self.low), ("high", self.high)) if value is not None}
        refuse(
            Problem("parameter", "error", name, f"{value!r} is not a finite number", found=repr(value))
            for name, value in given.items()
            if not is_finite_number(value)
        )
        for name, value in given.items():
            object.__setattr__(self, name, float(value))
        if self.low is not None and self.high is not None:
            low, high = short(self.low), short(self.high)
            if self.low > self.high:
                raise ParameterError.of(f"low ({low}) is above high ({high})", where="interval distance")
            if not math.isfinite(self.high - self.low):
                raise ParameterError.of(
                    f"the range from {low} to {high} is too large for a number", where="interval distance"
                )

    @property
    def needs_fit(self) -> bool:
        return self.low is None or self.high is None

    @property
    def signature(self) -> str:
        low, high = ("?" if value is None else short(value) for value in (self.low, self.high))
        return self._with_options("interval", f"low={low}", f"high={high}")

    def fitted(self, labels: Sequence[str]) -> Interval:
        if not self.needs_fit or not labels:
            return self
        values = self._numbers(labels)
        low = min(values) if self.low is None else self.low
        high = max(values) if self.high is None else self.high
        return replace(self, low=low, high=high)

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        if not labels:
            return "values", np.empty(0)
        fit = self.fitted(labels)
        low, high = fit.low or 0.0, fit.high or 0.0
        values = self._numbers(labels)
        refuse(
            Problem(
                "label-outside-range",
                "error",
                "interval distance",
                f"the label {label!r} is outside the range, which is {short(low)} to {short(high)}",
                "Widen the range.",
                found=repr(label),
            )
            for label, value in zip(labels, values, strict=True)
            if not low <= value <= high
        )
        # If all values are equal, the range is 0 and so is every difference.
        return "values", (np.array(values, dtype=np.float64) - low) / ((high - low) or 1.0)

    def _numbers(self, labels: Sequence[str]) -> list[float]:
        values = [as_number(label) for label in labels]
        refuse(
            not_a_number(label, "interval distance")
            for label, value in zip(labels, values, strict=True)
            if value is None
        )
        return [value for value in values if value is not None]


@dataclass(frozen=True)
class Levenshtein(Categorial):
    """Edit distance of the labels over the length of the longer one, for free text; case counts."""

    @property
    def signature(self) -> str:
        return self._with_options("levenshtein")

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        from rapidfuzz.distance import Levenshtein as Edits
        from rapidfuzz.process import cdist

        check_number_of_labels(labels)
        if not labels:
            return "matrix", np.empty(0)
        distances = cdist(labels, labels, scorer=Edits.normalized_distance, dtype=np.float64)
        return "matrix", np.ascontiguousarray(distances).ravel()


@dataclass(frozen=True)
class SetValued(Categorial):
    """Labels that are sets of labels, such as `A|B`: Jaccard's distance, or MASI's.

    Definition: 1 - J, or 1 - J M, with J = |intersection| / |union| and M = 1 for equal sets, 2/3 where one holds
    the other, 1/3 for other overlaps, 0 for none (Passonneau 2006, Measuring Agreement on Set-valued Items).
    """

    kind: Literal["jaccard", "masi"] = "jaccard"
    separator: str = "|"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind not in ("jaccard", "masi"):
            raise ParameterError.of(f"{self.kind!r} is not 'jaccard' or 'masi'", where="kind", found=repr(self.kind))
        _check_separator(self.separator)

    @property
    def signature(self) -> str:
        return self._with_options(self.kind, *([] if self.separator == "|" else [f"separator={quote(self.separator)}"]))

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        check_number_of_labels(labels)
        sets = [frozenset(_steps(label, self.separator)) for label in labels]
        holders: dict[str, list[int]] = {}
        for i, elements in enumerate(sets):
            for element in elements:
                holders.setdefault(element, []).append(i)
        distances = np.zeros((len(labels), len(labels)))  # holds the sizes of the intersections first
        for rows in holders.values():
            distances[np.ix_(rows, rows)] += 1
        sizes = np.array([len(elements) for elements in sets], dtype=np.float64)
        for common, size in zip(distances, sizes, strict=True):  # row by row: one matrix in memory, not five
            union = size + sizes - common
            likeness = np.divide(common, union, out=np.ones_like(union), where=union > 0)
            if self.kind == "masi":
                inside = common == np.minimum(size, sizes)
                likeness *= np.where(inside & (size == sizes), 1.0, np.where(inside, 2 / 3, 1 / 3))
            common[:] = 1 - likeness
        return "matrix", distances.ravel()


@dataclass(frozen=True)
class Tree(Categorial):
    """Labels that are paths in a hierarchy, such as `Location/City`: length of the way between them, normalised.

    Definition: (depth u + depth v - 2 depth of the common part) / (depth u + depth v), which is 1 minus the
    similarity of Wu and Palmer (1994) with an unnamed root at depth 0: 0 for equal labels, 1 for labels of different
    branches however deep they are; the deeper the common part, the smaller. It depends on the two labels alone, not
    on the depth of the rest of the hierarchy.
    """

    separator: str = "/"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_separator(self.separator)

    @property
    def signature(self) -> str:
        return self._with_options("tree", *([] if self.separator == "/" else [f"separator={quote(self.separator)}"]))

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        check_number_of_labels(labels)
        paths = [_steps(label, self.separator) for label in labels]
        depths = np.array([len(path) for path in paths], dtype=np.int64)
        # Nodes are identified by their whole paths: two labels share as many nodes as their common part is deep.
        nodes: dict[tuple[str, ...], int] = {}
        ancestry = np.full((len(paths), max(map(len, paths), default=0)), -1, dtype=np.int64)
        for i, path in enumerate(paths):
            for depth in range(len(path)):
                ancestry[i, depth] = nodes.setdefault(path[: depth + 1], len(nodes))
        distances = np.zeros((len(labels), len(labels)))
        for i, depth in enumerate(depths.tolist()):
            common = (ancestry[:, :depth] == ancestry[i, :depth]).sum(axis=1)
            both = depths + depth
            np.divide(both - 2 * common, both, out=distances[i], where=both > 0)
        return "matrix", distances.ravel()


@dataclass(frozen=True)
class FunctionCategorial(Categorial):
    """A user's own function of two labels, with values in [0, 1].

    It is called once for each pair of different labels, the alphabetically first one as its first argument, so that
    the distance is symmetric even if the function is not.
    """

    function: Callable[[str, str], float]
    name: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "name", name_of(self.function, self.name, "categorial"))

    @property
    def signature(self) -> str:
        return self._with_options("function", str(self.name))

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        check_number_of_labels(labels)
        distances = np.zeros((len(labels), len(labels)))
        order = sorted(range(len(labels)), key=lambda i: labels[i])
        problems = []
        for position, i in enumerate(order):
            for j in order[position + 1 :]:
                value: Any = self.function(labels[i], labels[j])
                if is_finite_number(value) and 0 <= value <= 1:
                    distances[i, j] = distances[j, i] = value
                else:
                    where = f"function {self.name}"
                    message = f"the distance of {labels[i]!r} and {labels[j]!r} is {value!r}, not a number from 0 to 1"
                    problems.append(Problem("function-result", "error", where, message, found=repr(value)))
        refuse(problems)
        return "matrix", distances.ravel()


def check_number_of_labels(labels: Sequence[str]) -> None:
    """Refuse a matrix over so many labels that it would not fit in memory."""
    if len(labels) > MOST_LABELS:
        raise ParameterError.of(
            f"a table of all pairs of labels takes at most {MOST_LABELS:,} labels, and there are {len(labels):,}",
            "Use the nominal, ordinal or interval distance, which take any number of labels, or merge rare labels.",
            code="too-many-labels",
        )


def not_a_number(label: str, where: str) -> Problem:
    """The problem of a label that is not a number, for a distance that needs numbers."""
    return Problem(
        "label-not-a-number",
        "error",
        where,
        f"the label {label!r} is not a number",
        "Correct it, or choose another categorial dissimilarity.",
        found=repr(label),
    )


def _sort_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels sorted as numbers if all are numbers, alphabetically otherwise."""
    values = {label: as_number(label) for label in labels}
    if any(value is None for value in values.values()):
        return tuple(sorted(labels))
    order = sorted(labels, key=lambda label: (values[label] or 0.0, label))
    refuse(
        Problem(
            "parameter",
            "error",
            "ordinal distance",
            f"the labels {x!r} and {y!r} are the same number",
            "Write them alike.",
        )
        for x, y in pairwise(order)
        if values[x] == values[y]
    )
    return tuple(order)


def _steps(label: str, separator: str) -> tuple[str, ...]:
    """The parts of a label, without the blanks around them and without empty parts."""
    return tuple(part.strip() for part in label.split(separator) if part.strip())


def _check_separator(separator: str) -> None:
    if not isinstance(separator, str) or not separator:
        raise ParameterError.of(f"{separator!r} is not a text of at least one character", where="separator")
