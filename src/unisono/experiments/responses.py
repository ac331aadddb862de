# SPDX-License-Identifier: MIT
"""The outcome of a benchmark: the response of each measure on each curve, with means, verdicts and tables."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.errors import ParameterError
from unisono.experiments.benchmark_cells import Block, values_of
from unisono.experiments.candidates import Value
from unisono.experiments.grid import CODE, BenchmarkSpec
from unisono.experiments.stored_cells import Cells
from unisono.experiments.verdicts import LEVEL, Verdicts, band, verdicts
from unisono.io.tables.parquet import require
from unisono.model import FloatArray
from unisono.results import package_version

#: Version of the JSON of a benchmark. 1: the first.
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Point:
    """A measure at one magnitude: mean, standard error and band (95 %) over the sets that have a value."""

    magnitude: float
    mean: float | None
    error: float | None
    low: float | None
    high: float | None
    n: int
    #: The number of sets without a value, and the most frequent reason.
    n_undefined: int
    reason: str | None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _POINT}


_POINT = ("magnitude", "mean", "error", "low", "high", "n", "n_undefined", "reason")


@dataclass(frozen=True)
class Response:
    """The values of one measure on one curve."""

    curve: str
    measure: str
    symbol: str
    magnitudes: tuple[float, ...]
    #: For each magnitude the values of the sets, each with its reason if it is None.
    cells: tuple[tuple[Value, ...], ...]

    @cached_property
    def values(self) -> FloatArray:
        """The values, a row for each magnitude and a column for each set; NaN where there is none."""
        return np.array([[math.nan if v is None else v for v, _ in row] for row in self.cells], dtype=np.float64)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The curve: means over the sets."""
        return tuple(_point(m, row, v) for m, row, v in zip(self.magnitudes, self.cells, self.values, strict=True))

    @cached_property
    def verdicts(self) -> Verdicts:
        """Whether the response meets the desiderata."""
        return verdicts(self.magnitudes, self.values)

    def at(self, magnitude: float) -> Point:
        """The curve at a magnitude that was measured.

        Magnitudes are compared to nine digits, so that 0.1 + 0.2 finds 0.3.
        """
        for point in self.points:
            if math.isclose(point.magnitude, magnitude, abs_tol=1e-9):
                return point
        known = ", ".join(f"{m:g}" for m in self.magnitudes)
        raise ParameterError.of(f"the magnitude {magnitude:g} was not measured", f"Choose one of {known}.", code=CODE)

    def to_dict(self) -> dict[str, Any]:
        return {
            "curve": self.curve,
            "measure": self.measure,
            "points": [point.to_dict() for point in self.points],
            "verdicts": self.verdicts.to_dict(),
        }


def _point(magnitude: float, row: Sequence[Value], values: FloatArray) -> Point:
    defined = values[~np.isnan(values)]
    reasons: dict[str, int] = {}
    for _, reason in row:
        if reason is not None:
            reasons[reason] = reasons.get(reason, 0) + 1
    around = band(values, LEVEL)
    return Point(
        magnitude,
        around.mean if around else float(defined[0]) if len(defined) else None,
        around.error if around else None,
        around.low if around else None,
        around.high if around else None,
        len(defined),
        len(row) - len(defined),
        max(reasons, key=lambda reason: reasons[reason]) if reasons else None,
    )


@dataclass(frozen=True)
class BenchmarkResult:
    """Every value of a benchmark; `result["gamma"]`, or `result["curve", "gamma"]` where there are several curves."""

    spec: BenchmarkSpec
    responses: tuple[Response, ...]

    @classmethod
    def of(cls, spec: BenchmarkSpec, cells: Sequence[tuple[Block, Cells]]) -> BenchmarkResult:
        """The result of a benchmark, from all its cells."""
        return cls(
            spec,
            tuple(
                Response(
                    curve.name,
                    item.name,
                    item.symbol,
                    spec.magnitudes,
                    tuple(tuple(row) for row in values_of(cells, curve, item.name)),
                )
                for curve in spec.curves
                for item in curve.measures
            ),
        )

    def __getitem__(self, key: str | tuple[str, str]) -> Response:
        matches = [r for r in self.responses if key in (r.measure, (r.curve, r.measure))]
        if len(matches) == 1:
            return matches[0]
        several = len(self.spec.curves) > 1
        known = ", ".join(repr((r.curve, r.measure) if several else r.measure) for r in self.responses)
        raise KeyError(f"{key!r} is {'in several curves' if matches else 'unknown'}; there are: {known}")

    def rows(self) -> Iterator[tuple[str, float, int, str, float | None, str | None]]:
        """The long table: curve, magnitude, set (from 1), measure, value, reason."""
        for curve in self.spec.curves:
            responses = [r for r in self.responses if r.curve == curve.name]
            for i, magnitude in enumerate(self.spec.magnitudes):
                for s in range(self.spec.sets):
                    for r in responses:
                        value, reason = r.cells[i][s]
                        yield curve.name, magnitude, s + 1, r.measure, value, reason

    def csv(self) -> str:
        """The long table as CSV; values are written so that reading them gives the same numbers."""
        return _csv(COLUMNS, self.rows())

    def summary_csv(self) -> str:
        """Means, standard errors and bands as CSV."""
        return _csv(
            ("curve", "measure", *_POINT),
            ((r.curve, r.measure, *(getattr(point, n) for n in _POINT)) for r in self.responses for point in r.points),
        )

    def verdicts_csv(self) -> str:
        """The verdicts as CSV, one a row."""
        return _csv(
            ("curve", "measure", "question", "answer", "value", "low", "high", "magnitudes", "note"),
            (
                (r.curve, r.measure, name, v["answer"], v["value"], v["low"], v["high"],
                 " to ".join(f"{m:g}" for m in v["magnitudes"]), v["note"])
                for r in self.responses
                for name, v in r.verdicts.to_dict().items()
            ),
        )  # fmt: skip

    def parquet(self) -> bytes:
        """The long table as Parquet (needs the extra `tables`)."""
        arrow, parquet = require("writing Parquet"), require("writing Parquet", "pyarrow.parquet")
        types = (arrow.string(), arrow.float64(), arrow.int32(), arrow.string(), arrow.float64(), arrow.string())
        columns = list(zip(*self.rows(), strict=True))
        table = arrow.table({n: arrow.array(c, t) for n, c, t in zip(COLUMNS, columns, types, strict=True)})
        file = io.BytesIO()
        parquet.write_table(table, file)
        return file.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Curves with their means and verdicts, and what they depend on; the values themselves are in the table."""
        return {
            "schema": SCHEMA,
            "unisono": package_version(),
            "title": self.spec.title,
            "fingerprint": self.spec.fingerprint,
            "magnitudes": list(self.spec.magnitudes),
            "sets": self.spec.sets,
            "seed": self.spec.seed,
            "curves": [curve.to_dict() for curve in self.spec.curves],
            "responses": [response.to_dict() for response in self.responses],
        }

    def __str__(self) -> str:
        from unisono.experiments.benchmark_tables import plain

        return plain(self)


COLUMNS = ("curve", "magnitude", "set", "measure", "value", "reason")


def _csv(names: Sequence[str], rows: Iterator[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)  # None is an empty field, a float its shortest exact form
    return text.getvalue()
