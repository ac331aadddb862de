# SPDX-License-Identifier: MIT
"""Whether the JSON of a result from a stranger is what it says: every key of the kind that the rest relies on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from unisono.errors import FormatError


def _is_number(item: Any) -> bool:
    return isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item)


def _is_count(item: Any) -> bool:
    return isinstance(item, int) and not isinstance(item, bool) and item >= 0


def _is_text(item: Any) -> bool:
    return isinstance(item, str)


def _or_null(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda item: item is None or check(item)


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda item: isinstance(item, list) and all(map(check, item))


def _object(**keys: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda item: isinstance(item, dict) and all(key in item and check(item[key]) for key, check in keys.items())


def _by_name(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda item: isinstance(item, dict) and all(map(check, item.values()))


def _is_value(item: Any) -> bool:
    return _VALUE(item)


def _is_of_category(item: Any) -> bool:
    return isinstance(item, dict) and _or_null(_is_text)(item.get("category")) and _VALUE(item)


_INTERVAL = _object(
    kind=lambda item: item in ("chance", "documents", "stretches"), level=_is_number, low=_is_number, high=_is_number
)
_VALUE = _object(
    value=_or_null(_is_number),
    reason=_or_null(_is_text),
    observed=_or_null(_is_number),
    expected=_or_null(_is_number),
    n_samples=_or_null(_is_count),
    intervals=_list_of(_INTERVAL),
    gap=_or_null(_is_number),
    n_unitary_alignments=_or_null(_is_count),
    mean_over_documents=_or_null(_is_number),
    documents_measured=_or_null(_is_count),
    per_category=_or_null(_list_of(_is_of_category)),
    weight=_or_null(_is_number),
    n_aligned_pairs=_or_null(_is_count),
    n_pairs_apart=_or_null(_is_count),
    tied=_or_null(lambda item: isinstance(item, list) and len(item) == 2 and all(map(_is_number, item))),
    n_tied=_or_null(_is_count),
    notes=_list_of(_is_text),
)
_RESULT = _object(
    schema=_is_count,
    unisono=_is_text,
    signature=_is_text,
    parameters=lambda item: isinstance(item, dict),
    seed=_is_count,
    data=_object(sha256=_is_text, documents=_is_count, annotators=_is_count, units=_is_count),
    measures=_by_name(_is_value),
    documents=_list_of(
        _object(name=_is_text, annotators=_list_of(_is_text), units=_is_count, measures=_by_name(_is_value))
    ),
    problems=_list_of(_object(**dict.fromkeys(("code", "severity", "where", "expected", "found", "remedy"), _is_text))),
)
_REST = _object(
    annotator=_is_text,
    value=_or_null(_is_number),
    others=_or_null(_is_number),
    gap=_or_null(_is_number),
    gap_interval=_or_null(_INTERVAL),
    documents=_is_count,
    reason=_or_null(_is_text),
)
_LEFT_OUT = _object(
    annotator=_is_text,
    without=_or_null(_is_number),
    everybody=_or_null(_is_number),
    gain=_or_null(_is_number),
    interval=_or_null(_INTERVAL),
    documents=_is_count,
    reason=_or_null(_is_text),
)
_ANNOTATORS = _object(
    measure=_is_text,
    annotators=_list_of(_is_text),
    pairs=_list_of(
        lambda item: _VALUE(item) and _list_of(_is_text)(item.get("annotators")) and len(item["annotators"]) == 2
    ),
    against_rest=_list_of(_REST),
    outlier=_or_null(_is_text),
    leave_one_out=_list_of(_LEFT_OUT),
    leave_one_out_reason=_or_null(_is_text),
)


def checked_result(data: Any, where: str) -> Mapping[str, Any]:
    """The JSON of a result, if it is one."""
    return _checked(data, _RESULT, where)


def checked_annotators(data: Any, where: str) -> Mapping[str, Any] | None:
    """The JSON of the tables of annotators, if it is that, or None."""
    return None if data is None else _checked(data, _ANNOTATORS, where)


def _checked(data: Any, check: Callable[[Any], bool], where: str) -> Mapping[str, Any]:
    if not check(data):
        raise FormatError.of(
            "a saved result that is whole",
            "values that are not what they should be",
            "save it again, or copy it again",
            where=where,
            code="saved-result",
        )
    found: Mapping[str, Any] = data
    return found
