# SPDX-License-Identifier: MIT
"""The table of `sensitivity` as texts, for the report and the page."""

from __future__ import annotations

from typing import Any

from unisono.report import visible
from unisono.report.notation import TYPESET, difference, plus_minus, typeset
from unisono.results import Result


def sensitivity_rows(result: Result) -> list[dict[str, Any]] | None:
    """γ with single choices made differently, as texts; None where that was not asked for."""
    if result.sensitivity is None:
        return None
    return [
        {
            "choice": visible(row.choice),
            "is_given": row.setting is None,
            "value": typeset(row.value),
            "error": plus_minus(row.error, TYPESET),
            "difference": difference(row.difference, TYPESET),
            "documents": row.documents_measured,
            "reason": visible(row.reason or ""),
        }
        for row in result.sensitivity
    ]
