# SPDX-License-Identifier: MIT
"""The papers' tables and figures, and our own studies: most modules print their results when they are run.

python -m unisono.experiments.missing_value_tables
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unisono.experiments.benchmark import write_benchmark
    from unisono.experiments.grid import BenchmarkSpec
    from unisono.experiments.responses import BenchmarkResult

__all__ = ["BenchmarkResult", "BenchmarkSpec", "write_benchmark"]

_HOME = {"BenchmarkResult": "responses", "BenchmarkSpec": "grid", "write_benchmark": "benchmark"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
