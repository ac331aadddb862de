# SPDX-License-Identifier: MIT
"""The combined dissimilarity: alpha * positional + beta * categorial (Mathet et al. 2015, section 4.4.4, Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from unisono._core import Kernel
from unisono.dissimilarity.categorial import Categorial, Nominal
from unisono.dissimilarity.parameter_checks import indices, not_negative, positive, refuse, short
from unisono.dissimilarity.positional import FunctionPositional, Positional, Sporadic
from unisono.errors import ParameterError, Problem
from unisono.model import Continuum, Corpus, Feature, FloatArray, IntArray, Unit


@dataclass(frozen=True)
class CombinedDissimilarity:
    """d = (alpha * d_pos + beta * d_cat) * delta_empty; the dissimilarity of γ (Eq. 5).

    Any unit is delta_empty away from the empty unit, whatever alpha and beta are. beta = 0 ignores the categories,
    alpha = 0 the positions.

    >>> d = CombinedDissimilarity()
    >>> round(d(Unit(20, 30, "PER"), Unit(20, 25, "PER")), 3), d(Unit(4, 14, "PER"), Unit(4, 14, "LOC"))
    (0.111, 1.0)
    >>> d.signature
    'sporadic+nominal,alpha=1,beta=1,delta_empty=1'
    """

    positional: Positional = field(default_factory=Sporadic)
    categorial: Categorial = field(default_factory=Nominal)
    alpha: float = field(default=1.0, kw_only=True)
    beta: float = field(default=1.0, kw_only=True)
    delta_empty: float = field(default=1.0, kw_only=True)

    #: The last kernel with its labels, kept because a table over many labels is slow to build.
    _last: ClassVar[tuple[tuple[str, ...], Kernel] | None] = None

    def __post_init__(self) -> None:
        problems = not_negative(alpha=self.alpha, beta=self.beta) + positive(delta_empty=self.delta_empty)
        if not problems and self.alpha == self.beta == 0:
            problems.append(Problem("parameter", "error", "alpha, beta", "both weights are 0", "Give one above 0."))
        for name, value, base in (
            ("positional", self.positional, Positional),
            ("categorial", self.categorial, Categorial),
        ):
            if not isinstance(value, base):
                remedy = f"Wrap your function: Function{name.capitalize()}(function)." if callable(value) else ""
                example = "Sporadic" if base is Positional else "Nominal"
                message = f"{value!r} is not a {name} dissimilarity such as {example}()"
                problems.append(Problem("parameter", "error", name, message, remedy, found=repr(value)))
        refuse(problems)
        for name in ("alpha", "beta", "delta_empty"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_last"}  # a kernel cannot be pickled

    @property
    def feature(self) -> str:
        """Which labels of the units are compared."""
        return self.categorial.feature

    @property
    def signature(self) -> str:
        weights = f"alpha={short(self.alpha)},beta={short(self.beta)},delta_empty={short(self.delta_empty)}"
        return f"{self.positional.signature}+{self.categorial.signature},{weights}"

    @property
    def reach(self) -> float | None:
        """The distance beyond which a user's function of positions is not called; None where every pair is compared."""
        return None if self._function is None else self._function.reach

    @property
    def vectorised(self) -> bool:
        """Whether many pairs are compared by one call: false where a user's function is called pair by pair."""
        return self._function is None or self._function.vectorised

    def without_reach(self) -> CombinedDissimilarity:
        """The same dissimilarity, with a user's function called for every pair."""
        return self if self._function is None else replace(self, positional=replace(self._function, reach=None))

    def fitted(self, corpus: Corpus) -> CombinedDissimilarity:
        if self.beta == 0 or not self.categorial.needs_fit or len(corpus) == 0:
            return self
        if not any(self.feature in continuum.features for continuum in corpus):
            raise _unknown_feature(self.feature, {name for c in corpus for name in c.features}, "")
        return replace(self, categorial=self.categorial.fitted(corpus.labels(self.feature)))

    def column(self, continuum: Continuum) -> Feature:
        """The labels of a continuum's units that are compared: those of the feature, or none if beta is 0."""
        if self.beta == 0:
            return Feature(np.full(len(continuum), -1, dtype=np.int32), ())
        if self.feature not in continuum.features:
            raise _unknown_feature(self.feature, set(continuum.features), continuum.name)
        return continuum.features[self.feature]

    def kernel(self, labels: tuple[str, ...]) -> Kernel | None:
        """The core's form of this dissimilarity for these labels; None if a user's function compares positions."""
        return self._kernel(labels) if self._function is None else None

    def between(self, continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
        first, second = indices(continuum, u, v)
        column = self.column(continuum)
        starts, ends = continuum.starts, continuum.ends
        d = self._kernel(column.labels).between(
            np.ascontiguousarray(starts, dtype=np.float64),
            np.ascontiguousarray(ends, dtype=np.float64),
            np.ascontiguousarray(column.codes, dtype=np.int32),
            first,
            second,
        )
        if self._function is not None:
            own = self._function.between(starts[first], ends[first], starts[second], ends[second])
            d = d + self.alpha * self.delta_empty * own
        return d

    def __call__(self, u: Unit, v: Unit) -> float:
        """The dissimilarity of two units on their own."""
        if self.beta > 0 and self.categorial.needs_fit:
            raise ParameterError.of(
                f"{self.categorial.signature} has no scale to compare two units on their own",
                "Give the scale, or take it from a corpus: dissimilarity.fitted(corpus).",
            )
        return float(self.between(continuum_of_two(u, v), np.zeros(1, np.int32), np.ones(1, np.int32))[0])

    @property
    def _function(self) -> FunctionPositional | None:
        """The user's function of positions, where there is one and alpha is above 0."""
        return self.positional if isinstance(self.positional, FunctionPositional) and self.alpha > 0 else None

    def _kernel(self, labels: tuple[str, ...]) -> Kernel:
        """The part of the dissimilarity that the core computes: all but a user's function of positions."""
        last = self._last  # read once: threads may share this object
        if last is not None and (last[0] is labels or last[0] == labels):
            return last[1]
        positional = Sporadic() if isinstance(self.positional, FunctionPositional) else self.positional
        kind, table = ("nominal", np.empty(0)) if self.beta == 0 else self.categorial.table(labels)
        kernel = Kernel(
            positional=positional.kind,
            scale=positional.core_scale,
            categorial=kind,
            table=np.ascontiguousarray(table, dtype=np.float64),
            steep=self.categorial.f_cat == "steep",
            alpha=self.alpha if self._function is None else 0.0,
            beta=self.beta,
            delta_empty=self.delta_empty,
        )
        object.__setattr__(self, "_last", (labels, kernel))
        return kernel


def continuum_of_two(u: Unit, v: Unit) -> Continuum:
    """Two units as a continuum, so that single units are compared by the same code."""
    units: dict[str, list[Unit]] = {}
    for unit in (u, v):
        units.setdefault(unit.annotator or "", []).append(unit)
    return Continuum.of(units)


def _unknown_feature(feature: str, known: set[str], where: str) -> ParameterError:
    return ParameterError.of(
        f"the units do not have the feature {feature!r}",
        f"Name one of their features as that of the categorial dissimilarity: {', '.join(sorted(known))}.",
        where=where,
        code="unknown-feature",
        found=", ".join(sorted(known)),
    )
