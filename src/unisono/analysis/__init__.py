# SPDX-License-Identifier: MIT
"""Analyses on top of measurements: agreement by annotator, comparisons, gold standards, label mappings."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unisono.analysis.annotators import AgainstRest, AnnotatorMatrix, LeftOut, ReferenceResult
    from unisono.analysis.choices import sensitivity
    from unisono.analysis.compare import Comparison
    from unisono.analysis.gold import Gold, GoldDocument, GoldUnit

__all__ = [
    "AgainstRest",
    "AnnotatorMatrix",
    "Comparison",
    "Gold",
    "GoldDocument",
    "GoldUnit",
    "LeftOut",
    "ReferenceResult",
    "sensitivity",
]

_HOME = {
    "AgainstRest": "annotators",
    "AnnotatorMatrix": "annotators",
    "Comparison": "compare",
    "Gold": "gold",
    "GoldDocument": "gold",
    "GoldUnit": "gold",
    "LeftOut": "annotators",
    "ReferenceResult": "annotators",
    "sensitivity": "choices",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
