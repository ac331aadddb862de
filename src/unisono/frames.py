# SPDX-License-Identifier: MIT
"""Data frames of pandas, polars or pyarrow, made from columns or rows through narwhals.

pandas gets its classic types: a column of integers with missing values is a column of floats, as in `pandas.read_csv`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, Protocol, TypeVar

from unisono.errors import MissingDependencyError, ParameterError

Backend = Literal["pandas", "polars", "pyarrow"]

#: The libraries that can make a data frame, the preferred one first, with the extra that installs each.
BACKENDS: dict[Backend, str] = {"pandas": "pandas", "polars": "polars", "pyarrow": "tables"}

#: The type of columns in which every cell is empty: these are texts, those below numbers, others as the caller says.
_TEXT = frozenset({
    "annotator", "annotators", "category", "design", "document", "first", "look", "measure", "notes", "reason",
    "second", "signature", "text",
})  # fmt: skip
_NUMBERS = frozenset({"disorder", "end", "n_units", "start", "unitary_alignment"})


class HasDict(Protocol):
    """A row: anything with `to_dict`."""

    def to_dict(self) -> dict[str, Any]: ...


RowType = TypeVar("RowType", bound=HasDict, covariant=True)


class Rows(tuple[RowType, ...]):
    """A tuple of rows that can be a data frame."""

    __slots__ = ()

    def to_frame(self, *, backend: Backend | None = None) -> Any:
        """One row for each item, one column for each of its values."""
        return build_frame(columns_of(row.to_dict() for row in self), backend)


def choose_backend(backend: Backend | None = None) -> Backend:
    """The library that makes the data frame: the one asked for, else the first of BACKENDS that is installed."""
    if backend is not None and backend not in BACKENDS:
        raise ParameterError.of(
            f"{backend!r} is not a known data frame library",
            f"Use {', '.join(map(repr, list(BACKENDS)[:-1]))} or {list(BACKENDS)[-1]!r}.",
            code="frame-option",
        )
    for name in BACKENDS if backend is None else [backend]:
        if find_spec(name) is not None:
            return name
    if backend is None:
        raise MissingDependencyError("a data frame (of pandas, polars or pyarrow)", BACKENDS["pandas"])
    raise MissingDependencyError(f"a data frame of {backend}", BACKENDS[backend])


def build_frame(
    columns: Mapping[str, Sequence[Any]], backend: Backend | None = None, *, empty: type[str] | type[float] = float
) -> Any:
    """A data frame of these columns; None is a missing value. empty: the type of columns without any value."""
    chosen = choose_backend(backend)
    import narwhals as nw

    types = {bool: nw.Boolean, int: nw.Int64, float: nw.Float64, str: nw.String}
    schema = {}
    for name, values in columns.items():
        kind, has_gaps = _kind(name, values, empty)
        # The classic integers and booleans of pandas have no missing value.
        kind = float if chosen == "pandas" and has_gaps and kind in (bool, int) else kind
        schema[name] = types[kind]()
    return nw.from_dict(dict(columns), schema, backend=chosen).to_native()


def _kind(name: str, values: Sequence[Any], empty: type) -> tuple[type, bool]:
    """The type of a column, and whether it has gaps."""
    kinds = set(map(type, values))
    has_gaps = type(None) in kinds
    kinds.discard(type(None))
    if not kinds:
        return (str if name in _TEXT else float if name in _NUMBERS else empty), has_gaps
    for kind in (str, float, int, bool):
        if kind in kinds:
            return kind, has_gaps
    raise TypeError(f"column {name} has values of {kinds}")


def columns_of(rows: Iterable[Mapping[str, Any]], always: Sequence[str] = ()) -> dict[str, list[Any]]:
    """The columns of rows given as dictionaries of `to_dict`, those of `always` first.

    An interval becomes two columns, its low and its high end; texts in a list are joined. Other nested data are left
    out.

    >>> columns_of([{"annotator": "ann", "gain": 0.5, "interval": {"level": 0.95, "low": 0.25, "high": 0.75}}])
    {'annotator': ['ann'], 'gain': [0.5], 'low': [0.25], 'high': [0.75]}
    """
    flat = [flat_row(row) for row in rows]
    names = dict.fromkeys([*always, *(name for row in flat for name in row)])
    return {name: [row.get(name) for row in flat] for name in names}


def flat_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a dictionary of `to_dict` that fit into the cells of one row."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if name.endswith("interval"):
            stem = name.removesuffix("interval")
            cells |= {f"{stem}{end}": None if value is None else value[end] for end in ("low", "high")}
        elif name == "intervals":
            for interval in value:
                cells |= {f"{interval['kind']}_{end}": interval[end] for end in ("low", "high")}
        elif name == "tied":
            cells |= dict(zip(("tied_low", "tied_high"), value or (None, None), strict=True))
        elif isinstance(value, Mapping):
            # One side of a comparison: its value under its own name, its other entries with that name as a prefix.
            if "value" in value:
                cells |= {name if key == "value" else f"{name}_{key}": item for key, item in value.items()}
        elif not isinstance(value, list | tuple):
            cells[name] = value
        elif all(isinstance(item, str) for item in value):
            cells[name] = ", ".join(value) or None
    return cells


def check_shape(shape: str) -> None:
    """Raise a ParameterError unless the shape of a data frame is "long" or "wide"."""
    if shape not in ("long", "wide"):
        raise ParameterError.of(f"a data frame cannot be {shape!r}", "Use 'long' or 'wide'.", code="frame-option")


#: Columns that a long table of values has even if they are empty.
_ALWAYS = ("document", "measure", "category", "value", "reason", "observed", "expected", "n_samples")


def value_columns(result: Mapping[str, Any], shape: str = "long", *, overall: bool = False) -> dict[str, list[Any]]:
    """The columns of a result, given as the dictionary of its JSON; see `Result.to_frame`."""
    check_shape(shape)
    documents = list(result["documents"])
    if overall:
        data = result["data"]
        documents.append(
            {"name": None, "annotators": data["annotators"], "units": data["units"], "measures": result["measures"]}
        )
    if shape == "wide":
        return columns_of(map(_wide_row, documents), ("document", "annotators", "units"))
    rows = [row for document in documents for row in _long_rows(document)]
    return drop_empty(columns_of(rows, _ALWAYS), keep=_ALWAYS)


def pair_columns(matrix: Mapping[str, Any], shape: str = "long") -> dict[str, list[Any]]:
    """The columns of a matrix of annotators, given as the dictionary of its JSON; see `AnnotatorMatrix.to_frame`."""
    check_shape(shape)
    if shape == "long":
        rows = []
        for pair in matrix["pairs"]:
            first, second = pair["annotators"]
            rows.append({"first": first, "second": second, **pair, "annotators": None})
        always = ("first", "second", "value", "reason", "observed", "expected", "n_samples")
        return drop_empty(columns_of(rows, always), keep=always)
    names = matrix["annotators"]
    values = {tuple(pair["annotators"]): pair["value"] for pair in matrix["pairs"]}
    values |= {(second, first): value for (first, second), value in values.items()}
    return {"annotator": list(names)} | {
        f"annotator:{name}" if name == "annotator" else name: [values.get((other, name)) for other in names]
        for name in names
    }


def drop_empty(columns: Mapping[str, list[Any]], keep: Sequence[str]) -> dict[str, list[Any]]:
    """The columns without those that have no value in any row, unless they are to be kept."""
    return {
        name: values for name, values in columns.items() if name in keep or any(value is not None for value in values)
    }


def _wide_row(document: Mapping[str, Any]) -> dict[str, Any]:
    annotators = document["annotators"]
    row = {
        "document": document["name"],
        "annotators": annotators if isinstance(annotators, int) else len(annotators),
        "units": document["units"],
    }
    for measure, value in document["measures"].items():
        if not _is_per_category(value):
            row[measure] = value["value"]
        for item in value["per_category"] or ():
            row[f"{measure}:{item['category'] or ''}"] = item["value"]
    return row


def _long_rows(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for measure, value in document["measures"].items():
        first = {"document": document["name"], "measure": measure}
        if not _is_per_category(value):
            rows.append({**first, "category": None, **value})
        rows += [{**first, **item} for item in value["per_category"] or ()]
    return rows


def _is_per_category(value: Mapping[str, Any]) -> bool:
    """Whether a measure has values for categories and none for all of them together."""
    return value["value"] is None and bool(value["per_category"])
