# SPDX-License-Identifier: MIT
"""The public names are a contract: this list changes only on purpose, together with the CHANGELOG."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unisono

#: What most programs need; at most 60.
PUBLIC = [
    "FORMATS", "MEASURES", "PRESETS", "WRITERS", "Alignment", "AnnotatorMatrix", "Columns", "CombinedDissimilarity",
    "Comparison", "Continuum", "Corpus", "CorpusError", "DocumentResult", "Explanation", "Extent", "FormatError",
    "Gold", "InputError", "Inspection", "Layout", "MeasureValue", "MissingDependencyError", "ParameterError",
    "Problem", "Result", "UnisonoError", "UnisonoWarning", "Unit", "UnitaryAlignment", "against_rest", "benchmark",
    "best_alignment", "best_label_mapping", "best_soft_alignment", "compare", "continuum", "corpus", "draw_alignment",
    "explain", "gold", "inspect", "leave_one_out", "load_result", "measure", "measure_text", "pairwise", "read",
    "reproduce", "save", "shuffle", "stream", "tied_optima", "with_reference", "write", "write_report",
]  # fmt: skip

#: What was at the top level before, by the module that has it now.
MOVED = {
    "alignment.soft": ["SoftAlignment"],
    "alignment.ties": ["TiedOptima"],
    "analysis": ["GoldUnit", "ReferenceResult"],
    "chance": ["ChanceModel", "Mosaic", "PositionsKept", "Shift", "Statistical"],
    "dissimilarity": [
        "Absolute", "Boundary", "Categorial", "Dissimilarity", "FunctionCategorial", "FunctionDissimilarity",
        "FunctionPositional", "Interval", "Levenshtein", "Matrix", "Nominal", "Ordinal", "Positional", "Ratio",
        "SetValued", "Sporadic", "Tree", "read_matrix",
    ],
    "errors": ["DataWarning", "PrecisionWarning", "SolverLimitError", "UnitError"],
    "experiments": ["BenchmarkResult", "BenchmarkSpec", "write_benchmark"],
    "io": ["Format", "Limits", "Reader", "write_table"],
    "measures": ["MeasureInfo"],
    "measures.computation": ["Measure"],
    "model": ["Feature"],
    "shuffling": [
        "BoundaryErrors", "CategoryErrors", "FalseNegatives", "FalsePositives", "LabelErrors", "Merges",
        "PositionErrors", "ReferenceModel", "SegmentationErrors", "Splits", "TextErrors", "shuffle_text",
        "shuffled_corpus",
    ],
    "text": ["RandomEdits", "TextDissimilarity", "TextVersions"],
}  # fmt: skip


def test_the_public_names() -> None:
    assert unisono.__all__ == PUBLIC
    assert len(PUBLIC) <= 60


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


def test_names_that_moved_are_listed() -> None:
    assert {name: module for module, names in MOVED.items() for name in names} == unisono._MOVED
    assert not set(unisono._MOVED) & {*PUBLIC, *dir(unisono)}


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in MOVED.items() for name in names])
def test_a_name_that_moved_still_works_here(module: str, name: str) -> None:
    home = importlib.import_module(f"unisono.{module}")
    assert name in getattr(home, "__all__", dir(home))
    with pytest.warns(DeprecationWarning, match=rf"^unisono\.{name} is now unisono\.{re.escape(module)}\.{name}$"):
        assert getattr(unisono, name) is getattr(home, name)


def test_modules_need_no_import_of_their_own() -> None:
    """In a fresh process, where nothing else has imported them."""
    code = "import unisono\nfor name in sorted(unisono._MODULES): assert getattr(unisono, name).__name__.endswith(name)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert set(dir(unisono)) >= unisono._MODULES


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="module 'unisono' has no attribute 'gama'"):
        _ = unisono.gama


def test_version() -> None:
    from importlib.metadata import version

    assert unisono.__version__ == version("unisono")
