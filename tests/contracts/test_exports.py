# SPDX-License-Identifier: MIT
"""The public names are a contract: this list changes only on purpose, together with the CHANGELOG."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import unisono

PUBLIC = [
    "FORMATS", "MEASURES", "PRESETS", "WRITERS", "Absolute", "Alignment", "AnnotatorMatrix", "BenchmarkResult",
    "BenchmarkSpec", "Boundary", "BoundaryErrors", "Categorial", "CategoryErrors", "ChanceModel", "Columns",
    "CombinedDissimilarity", "Comparison", "Continuum", "Corpus", "CorpusError", "DataWarning",
    "Dissimilarity", "DocumentResult", "Extent", "FalseNegatives", "FalsePositives",
    "Feature", "Format", "FormatError", "FunctionCategorial", "FunctionDissimilarity", "FunctionPositional", "Gold",
    "GoldUnit", "InputError", "Inspection", "Interval", "LabelErrors", "Layout", "Levenshtein", "Limits", "Matrix",
    "Measure", "MeasureInfo", "MeasureValue", "Merges", "MissingDependencyError", "Mosaic", "Nominal", "Ordinal",
    "ParameterError", "PositionErrors", "Positional", "PositionsKept", "PrecisionWarning", "Problem", "RandomEdits",
    "Ratio", "Reader", "ReferenceModel", "ReferenceResult", "Result", "SegmentationErrors", "SetValued", "Shift",
    "SoftAlignment", "SolverLimitError", "Splits", "Sporadic", "Statistical", "TextDissimilarity", "TextErrors",
    "TextVersions", "TiedOptima", "Tree", "UnisonoError", "UnisonoWarning", "Unit", "UnitError", "UnitaryAlignment",
    "against_rest", "benchmark", "best_alignment", "best_label_mapping", "best_soft_alignment", "compare",
    "continuum", "corpus", "draw_alignment", "gold", "inspect", "leave_one_out", "load_result", "measure",
    "measure_text", "pairwise", "read", "read_matrix", "reproduce", "save", "shuffle", "shuffle_text",
    "shuffled_corpus", "tied_optima", "with_reference", "write", "write_benchmark", "write_report", "write_table",
]  # fmt: skip


def test_the_public_names() -> None:
    assert unisono.__all__ == PUBLIC


def test_every_public_name_is_there_and_documented() -> None:
    for name in PUBLIC:
        value = getattr(unisono, name)
        if not name.isupper():
            assert inspect.getdoc(value), name
    assert set(PUBLIC) <= set(dir(unisono))


def test_names_come_from_where_the_type_checker_thinks() -> None:
    """The imports under TYPE_CHECKING and the table of homes say the same."""
    tree = ast.parse(Path(unisono.__file__).read_text(encoding="utf-8"))
    imports = {
        alias.name: node.module.removeprefix("unisono.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("unisono.")
        for alias in node.names
    }
    assert imports == unisono._HOME
    for name, module in unisono._HOME.items():
        assert getattr(importlib.import_module(f"unisono.{module}"), name) is getattr(unisono, name)


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="module 'unisono' has no attribute 'gama'"):
        _ = unisono.gama


def test_version() -> None:
    from importlib.metadata import version

    assert unisono.__version__ == version("unisono")
