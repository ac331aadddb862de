# SPDX-License-Identifier: MIT
"""Data frames (pandas, polars, pyarrow, ... through narwhals) as tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unisono.errors import ParameterError
from unisono.io.tables.cells import Cells, Table
from unisono.io.tables.delimited import check_distinct
from unisono.io.tables.jsonlines import cells_of_values
from unisono.io.tables.numbers import Numbers


def read_frame(
    frame: Any,
    *,
    where: str = "data frame",
    stem: str = "data",
    kind: str | None = None,
    place: Callable[[int], str] | None = None,
) -> Table:
    """The table in a data frame; column names are its header, null is an empty cell."""
    import narwhals as nw

    try:
        native = nw.from_native(frame)
    except TypeError:
        raise ParameterError.of(
            f"annotations cannot be read from a value of type {type(frame).__name__}",
            "Give a path, several paths, a data frame, a Corpus, a Continuum, or a mapping "
            "{document: {annotator: [(start, end, category), ...]}}.",
        ) from None
    data = native.collect() if isinstance(native, nw.LazyFrame) else native
    names = tuple(str(name).strip() for name in data.columns)
    check_distinct(names, where)
    columns = [_cells(data[name]) for name in data.columns]
    kind = kind or f"{data.implementation.name.lower().replace('_', '-')} data frame"
    place = place or (lambda row: f"{where} row {row + 1}")
    return Table.with_names(where, stem, kind, names, columns, len(data), place)


def _cells(series: Any) -> Cells:
    dtype = series.dtype
    missing = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
    if dtype.is_integer():
        values = np.asarray((series.fill_null(0) if missing.any() else series).to_numpy())
        if not len(values) or values.max() <= np.iinfo(np.int64).max:
            return Numbers(values.astype(np.int64), missing)
        return [str(value) for value in values.tolist()]
    if dtype.is_float():
        floats = np.asarray(series.to_numpy(), dtype=np.float64)
        if missing.any():
            floats = np.where(missing, 0.0, floats)
            # pandas stores an integer column with gaps as floats: 3.0 was a 3.
            if series.implementation.is_pandas_like() and (floats == np.floor(floats)).all():
                return Numbers(floats.astype(np.int64), missing)
        return Numbers(floats, missing)
    values = series.to_list()
    return cells_of_values([None if gone else value for value, gone in zip(values, missing.tolist(), strict=True)])
