# SPDX-License-Identifier: MIT
"""The best alignment of a continuum: the one of least disorder, proven (Mathet et al. 2015, section 4.7).

The way: near pairs -> independent parts -> exact solver -> Alignment with its proof. All of it is in the core
(src/unisono/_core/align.hpp is the place to start reading); pairs.py serves dissimilarities written in Python.
"""

from __future__ import annotations

from unisono._core import align, align_pairs
from unisono.alignment.pairs import near_pairs
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.columns import CoreColumns
from unisono.errors import CorpusError, ParameterError
from unisono.model import Alignment, Continuum, Corpus

__all__ = ["best_alignment", "check_alignable"]


def best_alignment(
    continuum: Continuum,
    dissimilarity: Dissimilarity | None = None,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Alignment:
    """The alignment of least disorder, for any number of annotators, with its proof.

    time_limit (seconds) and memory_limit (bytes) stop the search for it; the best alignment found then comes with
    `limit` set, a `lower_bound` that is proven and a `gap` above 0. Ties: among alignments of the same disorder the
    one with the most unitary alignments is taken, then the one with the smallest sum of keys that depend only on
    the contents (start, end, category) of the units put together; annotators' names and order do not matter.

    Definition: Mathet et al. 2015, sections 4.5-4.7. Undefined: no units, fewer than two annotators (CorpusError).

    >>> c = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(0, 10, "A")]})
    >>> best_alignment(c).unitary_alignments[1].units
    (Unit(start=20, end=30, category='B', annotator='ann', features={}), None)
    """
    check_alignable(continuum)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    columns = CoreColumns.of(continuum, fitted)
    units = columns.units
    limits = core_limits(time_limit, memory_limit)
    if columns.kernel is not None:
        outcome = align(columns.kernel, *units, *limits)
    else:
        outcome = align_pairs(*units, fitted.delta_empty, *near_pairs(continuum, fitted), *limits)
    group, disorders, total, bound, duals, limit = outcome
    return Alignment(
        continuum,
        group,
        disorders,
        disorder=total / continuum.mean_units,
        lower_bound=bound / continuum.mean_units,
        duals=duals,
        limit=limit or None,
        dissimilarity=fitted,
    )


def check_alignable(continuum: Continuum) -> None:
    """Two annotators at least, one unit at least: otherwise there is nothing to align."""
    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    if continuum.n_units == 0:
        raise CorpusError.of("at least one unit", "none", where=continuum.name, code="no-units")


def too_few_annotators(continuum: Continuum) -> CorpusError:
    """What to say of a continuum that nobody can be compared on."""
    return CorpusError.of(
        "at least two annotators",
        f"only {continuum.annotators[0]!r}" if continuum.annotators else "none",
        "name those who saw the document and marked nothing with --participation",
        where=continuum.name,
        code="too-few-annotators",
    )


def core_limits(time_limit: float | None, memory_limit: int | None) -> tuple[float, int]:
    """Limits as the core takes them, where 0 means none."""
    for name, value in (("time_limit", time_limit), ("memory_limit", memory_limit)):
        if value is not None and not value > 0:
            raise ParameterError.of("a limit above 0", f"{name}={value}", "leave it out for no limit", code="limit")
    return (time_limit or 0.0), int(memory_limit or 0)
