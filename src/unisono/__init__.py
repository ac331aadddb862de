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
    from unisono.alignment.soft import SoftAlignment, best_soft_alignment
    from unisono.alignment.ties import TiedOptima, tied_optima
    from unisono.annotators import (
        AnnotatorMatrix,
        ReferenceResult,
        against_rest,
        leave_one_out,
        pairwise,
        with_reference,
    )
    from unisono.api import continuum, corpus, measure
    from unisono.chance import ChanceModel, Mosaic, PositionsKept, Shift, Statistical
    from unisono.comparison import Comparison, compare
    from unisono.consensus import Gold, GoldUnit, gold
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
        Ratio,
        SetValued,
        Sporadic,
        Tree,
        read_matrix,
    )
    from unisono.errors import (
        CorpusError,
        DataWarning,
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
    from unisono.experiments.benchmark import benchmark, write_benchmark
    from unisono.experiments.grid import BenchmarkSpec
    from unisono.experiments.reproduction import reproduce
    from unisono.experiments.responses import BenchmarkResult
    from unisono.io import (
        FORMATS,
        WRITERS,
        Columns,
        Format,
        Inspection,
        Layout,
        Limits,
        Reader,
        inspect,
        read,
        write,
        write_table,
    )
    from unisono.label_mapping import best_label_mapping
    from unisono.measures import MEASURES, MeasureInfo
    from unisono.measures.protocol import Measure
    from unisono.model import Alignment, Continuum, Corpus, Extent, Feature, Unit, UnitaryAlignment
    from unisono.presets import PRESETS
    from unisono.report.figure import draw_alignment
    from unisono.report.load import load_result
    from unisono.report.page import write_report
    from unisono.report.save import save
    from unisono.results import DocumentResult, MeasureValue, Result
    from unisono.shuffling import (
        BoundaryErrors,
        CategoryErrors,
        FalseNegatives,
        FalsePositives,
        LabelErrors,
        Merges,
        PositionErrors,
        ReferenceModel,
        SegmentationErrors,
        Splits,
        TextErrors,
        shuffle,
        shuffle_text,
        shuffled_corpus,
    )
    from unisono.text import RandomEdits, TextDissimilarity, TextVersions
    from unisono.texts import measure_text

#: Every public name and the module it comes from. `Interval` is the dissimilarity of numbers as categories; the
#: interval of a value is `unisono.results.Interval`, which nobody needs to make by hand.
_HOME = {
    "FORMATS": "io",
    "MEASURES": "measures",
    "PRESETS": "presets",
    "WRITERS": "io",
    "Absolute": "dissimilarity",
    "Alignment": "model",
    "AnnotatorMatrix": "annotators",
    "BenchmarkResult": "experiments.responses",
    "BenchmarkSpec": "experiments.grid",
    "Boundary": "dissimilarity",
    "BoundaryErrors": "shuffling",
    "Categorial": "dissimilarity",
    "CategoryErrors": "shuffling",
    "ChanceModel": "chance",
    "Columns": "io",
    "CombinedDissimilarity": "dissimilarity",
    "Comparison": "comparison",
    "Continuum": "model",
    "Corpus": "model",
    "CorpusError": "errors",
    "DataWarning": "errors",
    "Dissimilarity": "dissimilarity",
    "DocumentResult": "results",
    "Extent": "model",
    "FalseNegatives": "shuffling",
    "FalsePositives": "shuffling",
    "Feature": "model",
    "Format": "io",
    "FormatError": "errors",
    "FunctionCategorial": "dissimilarity",
    "FunctionDissimilarity": "dissimilarity",
    "FunctionPositional": "dissimilarity",
    "Gold": "consensus",
    "GoldUnit": "consensus",
    "InputError": "errors",
    "Inspection": "io",
    "Interval": "dissimilarity",
    "LabelErrors": "shuffling",
    "Layout": "io",
    "Levenshtein": "dissimilarity",
    "Limits": "io",
    "Matrix": "dissimilarity",
    "Measure": "measures.protocol",
    "MeasureInfo": "measures",
    "MeasureValue": "results",
    "Merges": "shuffling",
    "MissingDependencyError": "errors",
    "Mosaic": "chance",
    "Nominal": "dissimilarity",
    "Ordinal": "dissimilarity",
    "ParameterError": "errors",
    "PositionErrors": "shuffling",
    "Positional": "dissimilarity",
    "PositionsKept": "chance",
    "PrecisionWarning": "errors",
    "Problem": "errors",
    "RandomEdits": "text",
    "Ratio": "dissimilarity",
    "Reader": "io",
    "ReferenceModel": "shuffling",
    "ReferenceResult": "annotators",
    "Result": "results",
    "SegmentationErrors": "shuffling",
    "SetValued": "dissimilarity",
    "Shift": "chance",
    "SoftAlignment": "alignment.soft",
    "SolverLimitError": "errors",
    "Splits": "shuffling",
    "Sporadic": "dissimilarity",
    "Statistical": "chance",
    "TextDissimilarity": "text",
    "TextErrors": "shuffling",
    "TextVersions": "text",
    "TiedOptima": "alignment.ties",
    "Tree": "dissimilarity",
    "UnisonoError": "errors",
    "UnisonoWarning": "errors",
    "Unit": "model",
    "UnitError": "errors",
    "UnitaryAlignment": "model",
    "against_rest": "annotators",
    "benchmark": "experiments.benchmark",
    "best_alignment": "alignment",
    "best_label_mapping": "label_mapping",
    "best_soft_alignment": "alignment.soft",
    "compare": "comparison",
    "continuum": "api",
    "corpus": "api",
    "draw_alignment": "report.figure",
    "gold": "consensus",
    "inspect": "io",
    "leave_one_out": "annotators",
    "load_result": "report.load",
    "measure": "api",
    "measure_text": "texts",
    "pairwise": "annotators",
    "read": "io",
    "read_matrix": "dissimilarity",
    "reproduce": "experiments.reproduction",
    "save": "report.save",
    "shuffle": "shuffling",
    "shuffle_text": "shuffling",
    "shuffled_corpus": "shuffling",
    "tied_optima": "alignment.ties",
    "with_reference": "annotators",
    "write": "io",
    "write_benchmark": "experiments.benchmark",
    "write_report": "report.page",
    "write_table": "io",
}

__all__ = [
    "FORMATS",
    "MEASURES",
    "PRESETS",
    "WRITERS",
    "Absolute",
    "Alignment",
    "AnnotatorMatrix",
    "BenchmarkResult",
    "BenchmarkSpec",
    "Boundary",
    "BoundaryErrors",
    "Categorial",
    "CategoryErrors",
    "ChanceModel",
    "Columns",
    "CombinedDissimilarity",
    "Comparison",
    "Continuum",
    "Corpus",
    "CorpusError",
    "DataWarning",
    "Dissimilarity",
    "DocumentResult",
    "Extent",
    "FalseNegatives",
    "FalsePositives",
    "Feature",
    "Format",
    "FormatError",
    "FunctionCategorial",
    "FunctionDissimilarity",
    "FunctionPositional",
    "Gold",
    "GoldUnit",
    "InputError",
    "Inspection",
    "Interval",
    "LabelErrors",
    "Layout",
    "Levenshtein",
    "Limits",
    "Matrix",
    "Measure",
    "MeasureInfo",
    "MeasureValue",
    "Merges",
    "MissingDependencyError",
    "Mosaic",
    "Nominal",
    "Ordinal",
    "ParameterError",
    "PositionErrors",
    "Positional",
    "PositionsKept",
    "PrecisionWarning",
    "Problem",
    "RandomEdits",
    "Ratio",
    "Reader",
    "ReferenceModel",
    "ReferenceResult",
    "Result",
    "SegmentationErrors",
    "SetValued",
    "Shift",
    "SoftAlignment",
    "SolverLimitError",
    "Splits",
    "Sporadic",
    "Statistical",
    "TextDissimilarity",
    "TextErrors",
    "TextVersions",
    "TiedOptima",
    "Tree",
    "UnisonoError",
    "UnisonoWarning",
    "Unit",
    "UnitError",
    "UnitaryAlignment",
    "against_rest",
    "benchmark",
    "best_alignment",
    "best_label_mapping",
    "best_soft_alignment",
    "compare",
    "continuum",
    "corpus",
    "draw_alignment",
    "gold",
    "inspect",
    "leave_one_out",
    "load_result",
    "measure",
    "measure_text",
    "pairwise",
    "read",
    "read_matrix",
    "reproduce",
    "save",
    "shuffle",
    "shuffle_text",
    "shuffled_corpus",
    "tied_optima",
    "with_reference",
    "write",
    "write_benchmark",
    "write_report",
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
