# SPDX-License-Identifier: MIT
"""unisono: how far annotators agree when they mark units on a continuum.

>>> import unisono
>>> corpus = unisono.corpus({"doc1": {"ann": [(0, 5, "PER"), (8, 12, "LOC")], "bob": [(0, 5, "PER"), (9, 12, "LOC")]}})
>>> result = unisono.measure(corpus, seed=42)
>>> result["gamma"].observed < result["gamma"].expected
True

Names are loaded when first used: importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unisono.alignment import best_alignment
    from unisono.api import continuum, corpus, measure
    from unisono.chance import ChanceModel, Shift
    from unisono.dissimilarity import (
        Absolute,
        Boundary,
        Categorial,
        CombinedDissimilarity,
        Dissimilarity,
        FunctionCategorial,
        FunctionDissimilarity,
        FunctionPositional,
        Interval,
        Levenshtein,
        Matrix,
        Nominal,
        Ordinal,
        Positional,
        SetValued,
        Sporadic,
        Tree,
        read_matrix,
    )
    from unisono.errors import (
        CorpusError,
        DataWarning,
        DegenerateDataWarning,
        FormatError,
        InputError,
        MissingDependencyError,
        ParameterError,
        PrecisionWarning,
        Problem,
        SolverLimitError,
        UnisonoError,
        UnisonoWarning,
        UnitError,
    )
    from unisono.io import Columns, Inspection, inspect, read, write_table
    from unisono.measures import MEASURES, MeasureInfo
    from unisono.measures.protocol import Measure
    from unisono.model import Alignment, Continuum, Corpus, Extent, Feature, Unit, UnitaryAlignment
    from unisono.results import DocumentResult, MeasureValue, Result

#: Every public name and the module it comes from. `Interval` is the dissimilarity of numbers as categories; the
#: interval of a value is `unisono.results.Interval`, which nobody needs to make by hand.
_HOME = {
    "MEASURES": "measures",
    "Absolute": "dissimilarity",
    "Alignment": "model",
    "Boundary": "dissimilarity",
    "Categorial": "dissimilarity",
    "ChanceModel": "chance",
    "Columns": "io",
    "CombinedDissimilarity": "dissimilarity",
    "Continuum": "model",
    "Corpus": "model",
    "CorpusError": "errors",
    "DataWarning": "errors",
    "DegenerateDataWarning": "errors",
    "Dissimilarity": "dissimilarity",
    "DocumentResult": "results",
    "Extent": "model",
    "Feature": "model",
    "FormatError": "errors",
    "FunctionCategorial": "dissimilarity",
    "FunctionDissimilarity": "dissimilarity",
    "FunctionPositional": "dissimilarity",
    "InputError": "errors",
    "Inspection": "io",
    "Interval": "dissimilarity",
    "Levenshtein": "dissimilarity",
    "Matrix": "dissimilarity",
    "Measure": "measures.protocol",
    "MeasureInfo": "measures",
    "MeasureValue": "results",
    "MissingDependencyError": "errors",
    "Nominal": "dissimilarity",
    "Ordinal": "dissimilarity",
    "ParameterError": "errors",
    "Positional": "dissimilarity",
    "PrecisionWarning": "errors",
    "Problem": "errors",
    "Result": "results",
    "SetValued": "dissimilarity",
    "Shift": "chance",
    "SolverLimitError": "errors",
    "Sporadic": "dissimilarity",
    "Tree": "dissimilarity",
    "UnisonoError": "errors",
    "UnisonoWarning": "errors",
    "Unit": "model",
    "UnitError": "errors",
    "UnitaryAlignment": "model",
    "best_alignment": "alignment",
    "continuum": "api",
    "corpus": "api",
    "inspect": "io",
    "measure": "api",
    "read": "io",
    "read_matrix": "dissimilarity",
    "write_table": "io",
}

__all__ = [
    "MEASURES",
    "Absolute",
    "Alignment",
    "Boundary",
    "Categorial",
    "ChanceModel",
    "Columns",
    "CombinedDissimilarity",
    "Continuum",
    "Corpus",
    "CorpusError",
    "DataWarning",
    "DegenerateDataWarning",
    "Dissimilarity",
    "DocumentResult",
    "Extent",
    "Feature",
    "FormatError",
    "FunctionCategorial",
    "FunctionDissimilarity",
    "FunctionPositional",
    "InputError",
    "Inspection",
    "Interval",
    "Levenshtein",
    "Matrix",
    "Measure",
    "MeasureInfo",
    "MeasureValue",
    "MissingDependencyError",
    "Nominal",
    "Ordinal",
    "ParameterError",
    "Positional",
    "PrecisionWarning",
    "Problem",
    "Result",
    "SetValued",
    "Shift",
    "SolverLimitError",
    "Sporadic",
    "Tree",
    "UnisonoError",
    "UnisonoWarning",
    "Unit",
    "UnitError",
    "UnitaryAlignment",
    "best_alignment",
    "continuum",
    "corpus",
    "inspect",
    "measure",
    "read",
    "read_matrix",
    "write_table",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("unisono")
    if name not in _HOME:
        raise AttributeError(f"module 'unisono' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"unisono.{_HOME[name]}"), name)
    globals()[name] = value  # the next use finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
