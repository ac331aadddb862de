# SPDX-License-Identifier: MIT
"""The value of a corpus from those of its documents: 1 - Σ w·observed / Σ w·expected, with its computation error."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np

from unisono.measures.gamma import guaranteed_range
from unisono.measures.undefined import GIVEN_PER_CATEGORY
from unisono.model import FloatArray
from unisono.results import Interval, MeasureValue, Reason, ReasonCode
from unisono.sampling.student import student_quantile

#: What pooling needs of a document with a value; None is stored as NaN.
_FLOATS = (
    "value",
    "weight",
    "observed",
    "expected",
    "gap",
    "observed_bound",
    "expected_bound",
    "expected_upper_bound",
    "chance_sd",
    "chance_df",
    "effective_samples",
    "n_samples",
    "rough_samples",
    "n_unitary_alignments",
    "n_aligned_pairs",
    "n_pairs_apart",
)
_NAN = math.nan


def overall(values: Sequence[MeasureValue], level: float) -> MeasureValue:
    """The value of the whole: disorders weighted by the documents' weights, over those that could be measured.

    For γ the weight is the mean number of units per annotator. The weighted disorders are then sums over all unitary
    alignments of the corpus, as if the documents lay end to end in one continuum and no unitary alignment crossed a
    border between them. For γcat and γk the weight is the summed weight of the aligned pairs. Values given per
    category are pooled category by category.
    """
    pool = Pool()
    pool.add(values)
    return pool.overall(level)


class Pool:
    """Gathers what the value of the whole needs of each document's value, which itself need not be kept.

    Sums are rounded once: neither the order of the documents nor how many are added at a time changes a bit.
    """

    def __init__(self) -> None:
        self.n_documents = 0
        #: Documents with a value, or with one for some category.
        self.n_measured = 0
        self._first: MeasureValue | None = None
        self._columns = {name: array("d") for name in _FLOATS}
        #: Equal numbers for documents that share their random continua; 0 for those that share them with no other.
        self._cases = array("Q")
        self._reasons: set[str] = set()
        self._precise: set[bool | None] = set()
        self._settled: set[bool | None] = set()
        self._categories: dict[str | None, Pool] = {}

    def add(self, values: Iterable[MeasureValue]) -> None:
        """Add the values of documents."""
        rows = []
        for value in values:
            if not self.n_documents:
                self._first = value
            self.n_documents += 1
            self.n_measured += _n_measured(value)
            for category, of_category in (value.per_category or {}).items():
                if category not in self._categories:
                    self._categories[category] = Pool()
                self._categories[category].add((of_category,))
            if value.value is None:
                self._reasons.add(value.reason or "")
                continue
            fields = value.__dict__
            rows.append([_NAN if (item := fields.get(name)) is None else item for name in _FLOATS])
            self._cases.append(_case_number(value.chance_case))
            self._precise.add(value.is_precise)
            self._settled.add(value.is_settled)
        for name, column in zip(_FLOATS, zip(*rows, strict=True), strict=False):
            self._columns[name].extend(column)

    @property
    def categories(self) -> dict[str | None, Pool]:
        """The values of each category, where they are given per category; units without one first."""
        return {
            category: self._categories[category]
            for category in sorted(self._categories, key=lambda label: (label is not None, label or ""))
        }

    def column(self, name: str) -> FloatArray:
        """A number of every document with a value, NaN where it is None."""
        return np.array(self._columns[name], dtype=np.float64)

    def weighted(self, name: str) -> FloatArray:
        """The same times the weight, None as 0."""
        return np.asarray(np.nan_to_num(self.column("weight")) * np.nan_to_num(self.column(name)))

    def overall(self, level: float) -> MeasureValue:
        """The value of the whole."""
        if self.n_documents == 1 and self._first is not None:
            value = self._first
            return replace(value, mean_over_documents=value.value, documents_measured=_n_measured(value))
        if self._categories:
            return MeasureValue.undefined(
                GIVEN_PER_CATEGORY,
                per_category={category: pool.overall(level) for category, pool in self.categories.items()},
                documents_measured=self.n_measured,
            )
        if not self._cases:
            why = "; ".join(sorted(self._reasons))
            reason = Reason(ReasonCode.NO_DOCUMENT_MEASURED, f"no document could be measured: {why}")
            return MeasureValue.undefined(reason, documents_measured=0)
        observed, expected = self.weighted("observed"), self.weighted("expected")
        gaps = np.nan_to_num(self.column("gap"))
        all_observed, all_expected = math.fsum(observed.tolist()), math.fsum(expected.tolist())
        all_weights = math.fsum(np.nan_to_num(self.column("weight")).tolist())
        interval = self._chance_interval(all_observed, all_expected, level)
        return MeasureValue(
            # If expected and observed disorder are both 0, agreement is full, as for one document.
            value=1.0 - all_observed / all_expected if all_expected > 0 else 1.0,
            observed=all_observed / all_weights if all_weights > 0 else 0.0,
            expected=all_expected / all_weights if all_weights > 0 else 0.0,
            **self._samples(),
            intervals={} if interval is None else {"chance": interval},
            # A document's gap bounds the error of both its disorders; the weighted means bound that of the whole.
            gap=max(
                math.fsum((gaps * disorders).tolist()) / (total or 1.0)
                for disorders, total in ((observed, all_observed), (expected, all_expected))
            ),
            **self._bounds_and_range(all_observed, all_expected, all_weights),
            n_unitary_alignments=self._sum("n_unitary_alignments"),
            mean_over_documents=math.fsum(self._columns["value"]) / len(self._cases),
            documents_measured=len(self._cases),
            weight=all_weights,
            n_aligned_pairs=self._sum("n_aligned_pairs"),
            n_pairs_apart=self._sum("n_pairs_apart"),
            is_precise=_all_hold(self._precise),
            is_settled=_all_hold(self._settled),
        )

    def _bounds_and_range(self, observed: float, expected: float, weight: float) -> dict[str, Any]:
        """The lower bounds of the pooled disorders and the range they leave; empty where every document is proven."""
        if np.isnan(self.column("observed_bound")).all():
            return {}
        low_observed, low_expected = (self._pooled_bound(name, f"{name}_bound") for name in ("observed", "expected"))
        high_expected = max(expected, self._pooled_bound("expected", "expected_upper_bound"))
        return {
            "observed_bound": low_observed / weight if weight > 0 else 0.0,
            "expected_bound": low_expected / weight if weight > 0 else 0.0,
            "range": guaranteed_range(observed, low_observed, high_expected, low_expected),
        }

    def _pooled_bound(self, name: str, bound: str) -> float:
        """The summed bounds of a disorder; where there is none, the disorder itself is proven."""
        bounds, disorders = self.column(bound), self.column(name)
        known = np.nan_to_num(np.where(np.isnan(bounds), disorders, bounds))
        return math.fsum((np.nan_to_num(self.column("weight")) * known).tolist())

    def _sum(self, name: str) -> int | None:
        column = self.column(name)
        known = column[~np.isnan(column)]
        return int(known.sum()) if len(known) else None

    def _groups(self) -> list[np.ndarray[Any, np.dtype[np.int64]]] | None:
        """The documents that share their random continua, case by case; None where no two of them do."""
        cases = np.array(self._cases, dtype=np.uint64)
        order = np.argsort(cases, kind="stable")
        ordered = cases[order]
        is_new = np.ones(len(cases), dtype=bool)
        is_new[1:] = (ordered[1:] != ordered[:-1]) | (ordered[1:] == 0)
        return None if is_new.all() else np.split(order, np.flatnonzero(is_new)[1:])

    def _samples(self) -> dict[str, Any]:
        """All random continua, and how many plain ones would be as precise; those that documents share count once."""
        drawn, rough = (np.nan_to_num(self.column(name)) for name in ("n_samples", "rough_samples"))
        effective, groups = self.column("effective_samples"), self._groups()
        is_plain = bool(np.isnan(effective).all())
        effective = np.where(np.isnan(effective), drawn, effective)
        if groups is not None:
            drawn, rough, effective = (
                np.array([column[group].max() for group in groups]) for column in (drawn, rough, effective)
            )
        n_samples = int(drawn.sum())
        if is_plain or not n_samples:
            return {"n_samples": n_samples}
        worth = math.fsum(effective.tolist())
        return {
            "n_samples": n_samples,
            "rough_samples": int(rough.sum()) or None,
            "effective_samples": worth,
            "variance_reduction": worth / n_samples,
        }

    def _chance_interval(self, observed: float, expected: float, level: float) -> Interval | None:
        """The computation error from the finite number of samples, which are independent unless documents share them.

        Student's interval for a sum of means of unequal variances, with Welch and Satterthwaite's degrees of freedom.
        """
        samples, deviations = self.column("n_samples"), self.column("chance_sd")
        if np.isnan(deviations).any() or not (samples >= 2).all():
            return None
        # Standard errors of the weighted means, and their degrees of freedom. Means of shared samples move together:
        # their errors add up, those of independent ones add up squared.
        errors = np.nan_to_num(self.column("weight")) * deviations / np.sqrt(samples)
        given = self.column("chance_df")
        degrees = np.where(np.isnan(given), samples - 1, given)
        groups = self._groups()
        if groups is None:
            of_cases, fewest = errors.tolist(), degrees.tolist()
        else:
            of_cases = [math.fsum(errors[group].tolist()) for group in groups]
            fewest = [float(degrees[group].min()) for group in groups]
        variances = [error**2 for error in of_cases]
        variance = math.fsum(variances)
        margin = 0.0
        if variance > 0:
            df = variance**2 / math.fsum(v**2 / n for v, n in zip(variances, fewest, strict=True))
            margin = student_quantile((1 + level) / 2, max(1, int(df))) * math.sqrt(variance)
        if expected <= margin:
            return None
        return Interval("chance", level, 1 - observed / (expected - margin), 1 - observed / (expected + margin))


def _case_number(case: str | None) -> int:
    """A number of 64 bits for a case, never 0; 0 for None."""
    if case is None:
        return 0
    return int.from_bytes(blake2b(case.encode(errors="surrogatepass"), digest_size=8).digest(), "little") | 1


def _n_measured(value: MeasureValue) -> int:
    if value.per_category:
        return int(any(of_category.value is not None for of_category in value.per_category.values()))
    return int(value.value is not None)


def _all_hold(facts: Iterable[bool | None]) -> bool | None:
    known = [fact for fact in facts if fact is not None]
    return all(known) if known else None
