# SPDX-License-Identifier: MIT
"""From settings as JSON has them to the arguments of the library: for readers, dissimilarities, measurements."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono.dissimilarity import (
    Absolute,
    Boundary,
    Categorial,
    CombinedDissimilarity,
    Interval,
    Levenshtein,
    Matrix,
    Nominal,
    Ordinal,
    Positional,
    SetValued,
    Sporadic,
    Tree,
)
from unisono.errors import FormatError, ParameterError
from unisono.io import Columns, NamedFiles
from unisono.presets import preset

Json = Mapping[str, Any]

#: How close the mean is to the expected disorder, if nothing else is asked for.
PRECISION = 0.02

#: Settings that `measure` takes as they are.
_AS_THEY_ARE = ("chance", "categories", "tie_range", "reference", "step", "atoms", "predefined", "window", "level")


def reading_arguments(reading: Json, files: Mapping[str, Path]) -> dict[str, Any]:
    """What `inspect` is given: the uploaded files under their names, and how to read them."""
    beside = {role: reading[role] for role in ("documents", "participation") if reading.get(role) is not None}
    for role, name in beside.items():
        if name not in files:
            raise ParameterError.of(
                f"the name of an uploaded file for {role}",
                repr(name),
                f"there are: {', '.join(sorted(files)[:20])}",
                code="unknown-file",
            )
    units = {name: path for name, path in files.items() if name not in beside.values()}
    if not units:
        raise FormatError.of("files with annotations", "none", "send at least one", code="no-files")
    same = ("format", "encoding", "annotator_from", "document_from", "tier_pattern", "category_from", "category_map",
            "ignore", "layer", "discontinuous", "header", "decimal", "skip_invalid", "curation")  # fmt: skip
    return {
        "paths": NamedFiles(units),
        **{role: NamedFiles({name: files[name]}) for role, name in beside.items()},
        "columns": Columns(**reading["columns"]),
        "extent": None if reading["extent"] is None else tuple(reading["extent"]),
        **{key: reading[key] for key in same},
    }


def measure_arguments(settings: Json) -> dict[str, Any]:
    """What `measure` is given besides the data and the number of samples; the seed must have been drawn."""
    if settings["precision"] is not None and settings["samples"] is not None:
        raise ParameterError.of("a precision or a number of samples", "both", "leave one out", code="sampling")
    return {
        "measures": settings["measures"],
        "preset": settings["preset"],
        "dissimilarity": dissimilarity(settings),
        "seed": settings["seed"],
        "precision": PRECISION if settings["precision"] is None else settings["precision"],
        **{key: settings[key] for key in _AS_THEY_ARE},
        **({} if settings["time_limit"] is None else {"time_limit": settings["time_limit"]}),
    }


def dissimilarity(settings: Json) -> CombinedDissimilarity:
    """The dissimilarity that the settings describe."""
    alpha = settings["alpha"]
    return CombinedDissimilarity(
        _positional(settings),
        _categorial(settings),
        alpha=preset(settings["preset"]).alpha if alpha is None else alpha,
        beta=settings["beta"],
        delta_empty=settings["delta_empty"],
    )


def _positional(settings: Json) -> Positional:
    kind, scale = settings["positional"], settings["scale"]
    if kind == "sporadic":
        if scale is not None:
            raise _exclusive("scale", "sporadic positions, which bring their own")
        return Sporadic()
    if scale is None:
        raise ParameterError.of(f"a scale for {kind} positions", "none", "say which length counts as one", code="scale")
    return Absolute(scale) if kind == "absolute" else Boundary(scale)


def _categorial(settings: Json) -> Categorial:
    kind, f_cat = settings["categorial"], settings["f_cat"]
    order, separator, distances = (
        settings[f"category_{what}"] for what in ("order", "separator", "distances")
    )  # fmt: skip
    if distances is not None:
        for name in ("categorial", "category_order", "category_separator"):
            if settings[name] is not None:
                raise _exclusive(name, "category_distances")
        return Matrix(distances, f_cat=f_cat)
    if order is not None and kind != "ordinal":
        raise _exclusive("category_order", "anything but ordinal categories")
    if separator is not None and kind not in ("jaccard", "masi", "tree"):
        raise _exclusive("category_separator", "anything but jaccard, masi and tree")
    if kind == "ordinal":
        return Ordinal(order, f_cat=f_cat)
    if kind == "interval":
        return Interval(f_cat=f_cat)
    if kind == "levenshtein":
        return Levenshtein(f_cat=f_cat)
    if kind == "tree":
        return Tree(separator or "/", f_cat=f_cat)
    if kind in ("jaccard", "masi"):
        return SetValued(kind, separator or "|", f_cat=f_cat)
    return Nominal(f_cat=f_cat)


def _exclusive(name: str, other: str) -> ParameterError:
    return ParameterError.of(f"no {name} beside {other}", "both", "leave one out", code="parameter")
