# SPDX-License-Identifier: MIT
"""The values, the tables and the alignments of texts in a saved result, checked before anything relies on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unisono.analysis.annotators import AgainstRest, LeftOut
from unisono.json_objects import decode_value, from_json
from unisono.results import MeasureValue, Result


@dataclass(frozen=True)
class _Pair:
    """The two annotators of a pair; its JSON object also has the keys of a `MeasureValue`."""

    annotators: tuple[str, str]


@dataclass(frozen=True)
class _AnnotatorTables:
    measure: str
    annotators: tuple[str, ...]
    pairs: tuple[Any, ...]
    against_rest: tuple[AgainstRest, ...]
    outlier: str | None
    leave_one_out: tuple[LeftOut, ...]
    leave_one_out_reason: str | None


#: How far a value may be from 1 - observed / expected, from which it was computed.
TOLERANCE = 1e-9


def check_values(result: Result) -> None:
    """ValueError where a value is not 1 - observed / expected, which holds for every measure that has the two."""
    places = [("", result.measures), *((f" of {each.name[:80]!r}", each.measures) for each in result.documents)]
    for place, values in places:
        for name, value in values.items():
            for each in (value, *(value.per_category or {}).values()):
                _check_value(f"{name}{place}", each)


def _check_value(name: str, value: MeasureValue) -> None:
    if value.value is None or value.observed is None or not value.expected:
        return
    from_disorders = 1 - value.observed / value.expected
    if not abs(value.value - from_disorders) <= TOLERANCE * max(1.0, abs(from_disorders)):
        raise ValueError(f"{name} is {value.value:.12g}, but its disorders give {from_disorders:.12g}")


def check_annotators(data: Any) -> Mapping[str, Any] | None:
    """The JSON of the tables of annotators, or None; ValueError where it is neither."""
    if data is None:
        return None
    for pair in from_json(_AnnotatorTables, data).pairs:
        from_json(_Pair, pair)
        from_json(MeasureValue, pair)
    tables: Mapping[str, Any] = data
    return tables


def check_text_alignment(data: Any) -> Mapping[str, Any]:
    """An alignment of versions as `TextAlignment.to_dict` gives it; ValueError where the report could not show it."""
    annotators = decode_value(tuple[str, ...], data["annotators"])
    decode_value(float, data["disorder"])
    decode_value(int, decode_value(Mapping[str, int], data["differences"])["all"])
    for unitary in data["unitary_alignments"]:
        decode_value(float, unitary["disorder"])
        decode_value(tuple[str, ...], unitary["differences"])
        if len(unitary["units"]) != len(annotators):
            raise ValueError("a unitary alignment does not have one place for each annotator")
        if all(unit is None for unit in unitary["units"]):
            raise ValueError("a unitary alignment has no unit")
        for unit in unitary["units"]:
            if unit is not None:
                decode_value(int, unit["start"])
                decode_value(int, unit["end"])
                decode_value(str, unit["type"])
                decode_value(str | None, unit["text"])
                decode_value(Mapping[str, str | None], unit["features"])
    return dict(data)
