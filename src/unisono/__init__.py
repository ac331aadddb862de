# SPDX-License-Identifier: MIT
"""unisono: how far annotators agree when they mark units on a continuum.

>>> import unisono
>>> corpus = unisono.corpus({"doc1": {"ann": [(0, 5, "PER"), (8, 12, "LOC")], "bob": [(0, 5, "PER"), (9, 12, "LOC")]}})
>>> result = unisono.measure(corpus, seed=42)
>>> result["gamma"].observed < result["gamma"].expected
True

What most programs need is here; the rest is in the modules, such as `unisono.dissimilarity.Ordinal`. Names and modules
are loaded when first used, so that importing the package takes almost no time.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # The redundant names tell type checkers that the modules are public attributes.
    from unisono import (
        alignment as alignment,
    )
    from unisono import (
        analysis as analysis,
    )
    from unisono import (
        chance as chance,
    )
    from unisono import (
        diagnosis as diagnosis,
    )
    from unisono import (
        dissimilarity as dissimilarity,
    )
    from unisono import (
        errors as errors,
    )
    from unisono import (
        experiments as experiments,
    )
    from unisono import (
        frames as frames,
    )
    from unisono import (
        intervals as intervals,
    )
    from unisono import (
        io as io,
    )
    from unisono import (
        measures as measures,
    )
    from unisono import (
        model as model,
    )
    from unisono import (
        report as report,
    )
    from unisono import (
        results as results,
    )
    from unisono import (
        sampling as sampling,
    )
    from unisono import (
        shuffling as shuffling,
    )
    from unisono import (
        text as text,
    )
    from unisono.alignment import best_alignment
    from unisono.alignment.soft import best_soft_alignment
    from unisono.alignment.ties import tied_optima
    from unisono.analysis.annotators import AnnotatorMatrix, against_rest, leave_one_out, pairwise, with_reference
    from unisono.analysis.compare import Comparison, compare
    from unisono.analysis.gold import Gold, gold
    from unisono.analysis.label_mapping import best_label_mapping
    from unisono.api import continuum, corpus, measure
    from unisono.diagnosis.explanation import Explanation, explain
    from unisono.dissimilarity import CombinedDissimilarity
    from unisono.errors import (
        CorpusError,
        FormatError,
        InputError,
        MissingDependencyError,
        ParameterError,
        Problem,
        UnisonoError,
        UnisonoWarning,
    )
    from unisono.experiments.benchmark import benchmark
    from unisono.experiments.reproduction import reproduce
    from unisono.io import FORMATS, WRITERS, Columns, Inspection, Layout, inspect, read, stream, write
    from unisono.measures import MEASURES
    from unisono.model import Alignment, Continuum, Corpus, Extent, Unit, UnitaryAlignment
    from unisono.one_text import measure_text
    from unisono.presets import PRESETS
    from unisono.report.figure import draw_alignment
    from unisono.report.load import load_result
    from unisono.report.page import write_report
    from unisono.report.save import save
    from unisono.results import DocumentResult, MeasureValue, Result
    from unisono.shuffling import shuffle

#: The modules that are attributes of the package without an import of their own.
_MODULES = frozenset({
    "alignment", "analysis", "chance", "diagnosis", "dissimilarity", "errors", "experiments", "frames", "intervals",
    "io", "measures", "model", "report", "results", "sampling", "shuffling", "text",
})  # fmt: skip

#: Every public name and the module that it comes from.
_HOME = {
    "FORMATS": "io",
    "MEASURES": "measures",
    "PRESETS": "presets",
    "WRITERS": "io",
    "Alignment": "model",
    "AnnotatorMatrix": "analysis.annotators",
    "Columns": "io",
    "CombinedDissimilarity": "dissimilarity",
    "Comparison": "analysis.compare",
    "Continuum": "model",
    "Corpus": "model",
    "CorpusError": "errors",
    "DocumentResult": "results",
    "Explanation": "diagnosis.explanation",
    "Extent": "model",
    "FormatError": "errors",
    "Gold": "analysis.gold",
    "InputError": "errors",
    "Inspection": "io",
    "Layout": "io",
    "MeasureValue": "results",
    "MissingDependencyError": "errors",
    "ParameterError": "errors",
    "Problem": "errors",
    "Result": "results",
    "UnisonoError": "errors",
    "UnisonoWarning": "errors",
    "Unit": "model",
    "UnitaryAlignment": "model",
    "against_rest": "analysis.annotators",
    "benchmark": "experiments.benchmark",
    "best_alignment": "alignment",
    "best_label_mapping": "analysis.label_mapping",
    "best_soft_alignment": "alignment.soft",
    "compare": "analysis.compare",
    "continuum": "api",
    "corpus": "api",
    "draw_alignment": "report.figure",
    "explain": "diagnosis.explanation",
    "gold": "analysis.gold",
    "inspect": "io",
    "leave_one_out": "analysis.annotators",
    "load_result": "report.load",
    "measure": "api",
    "measure_text": "one_text",
    "pairwise": "analysis.annotators",
    "read": "io",
    "reproduce": "experiments.reproduction",
    "save": "report.save",
    "shuffle": "shuffling",
    "stream": "io",
    "tied_optima": "alignment.ties",
    "with_reference": "analysis.annotators",
    "write": "io",
    "write_report": "report.page",
}

#: Names that were here before, by the module that has them now; they still work here, with a DeprecationWarning.
_MOVED = {
    name: module
    for module, names in {
        "alignment.soft": "SoftAlignment",
        "alignment.ties": "TiedOptima",
        "analysis": "GoldUnit ReferenceResult",
        "chance": "ChanceModel Mosaic PositionsKept Shift Statistical",
        "dissimilarity": (
            "Absolute Boundary Categorial Dissimilarity FunctionCategorial FunctionDissimilarity "
            "FunctionPositional Interval Levenshtein Matrix Nominal Ordinal Positional Ratio SetValued "
            "Sporadic Tree read_matrix"
        ),
        "errors": "DataWarning PrecisionWarning SolverLimitError UnitError",
        "experiments": "BenchmarkResult BenchmarkSpec write_benchmark",
        "io": "Format Limits Reader write_table",
        "measures": "MeasureInfo",
        "measures.computation": "Measure",
        "model": "Feature",
        "shuffling": (
            "BoundaryErrors CategoryErrors FalseNegatives FalsePositives LabelErrors Merges "
            "PositionErrors ReferenceModel SegmentationErrors Splits TextErrors shuffle_text "
            "shuffled_corpus"
        ),
        "text": "RandomEdits TextDissimilarity TextVersions",
    }.items()
    for name in names.split()
}

__all__ = [
    "FORMATS",
    "MEASURES",
    "PRESETS",
    "WRITERS",
    "Alignment",
    "AnnotatorMatrix",
    "Columns",
    "CombinedDissimilarity",
    "Comparison",
    "Continuum",
    "Corpus",
    "CorpusError",
    "DocumentResult",
    "Explanation",
    "Extent",
    "FormatError",
    "Gold",
    "InputError",
    "Inspection",
    "Layout",
    "MeasureValue",
    "MissingDependencyError",
    "ParameterError",
    "Problem",
    "Result",
    "UnisonoError",
    "UnisonoWarning",
    "Unit",
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
    "explain",
    "gold",
    "inspect",
    "leave_one_out",
    "load_result",
    "measure",
    "measure_text",
    "pairwise",
    "read",
    "reproduce",
    "save",
    "shuffle",
    "stream",
    "tied_optima",
    "with_reference",
    "write",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("unisono")
    if name in _MOVED:
        import warnings

        place = f"unisono.{_MOVED[name]}.{name}"
        warnings.warn(f"unisono.{name} is now {place}", DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(f"unisono.{_MOVED[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"unisono.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'unisono' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"unisono.{_HOME[name]}"), name)
    globals()[name] = value  # from now on the name is found without this function
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
