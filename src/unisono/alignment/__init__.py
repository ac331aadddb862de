# SPDX-License-Identifier: MIT
"""The best alignment of a continuum: the one of least disorder, proven (Mathet et al. 2015, section 4.7).

Steps: near pairs -> independent parts -> exact solver -> Alignment with its proof. All of them are in the core
(start reading in src/unisono/_core/align.hpp); pairs.py serves dissimilarities written in Python.
"""

from __future__ import annotations

from typing import Any

from unisono._core import align, align_pairs
from unisono.alignment.align_2017 import best_alignment_2017
from unisono.alignment.pairs import near_pairs
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, Program2017Dissimilarity
from unisono.dissimilarity.core_documents import CoreColumns
from unisono.errors import CorpusError, ParameterError
from unisono.model import Alignment, Continuum, Corpus

__all__ = ["alignable", "best_alignment", "check_alignable"]


def best_alignment(
    data: Any,
    dissimilarity: Dissimilarity | None = None,
    *,
    effort: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Alignment:
    """The alignment of least disorder, for any number of annotators, with its proof.

    data: a Continuum, or anything else that `measure` takes and that has one document (a path, a data frame, a Corpus).
    effort (millions of elementary steps), time_limit (seconds) and memory_limit (bytes) stop the search; the best
    alignment so far then has `limit` set, a proven `lower_bound` and a `gap` above 0. An effort stops it at the same
    place on every machine. Ties: among alignments of the same disorder the one with the most unitary
    alignments is taken, then the one with the smallest sum of keys, which depend only on the contents (start, end,
    category) of the units put together; annotators' names and order do not matter.

    Definition: Mathet et al. 2015, sections 4.5-4.7. Undefined: no units, fewer than two annotators (CorpusError).

    >>> c = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(0, 10, "A")]})
    >>> best_alignment(c).unitary_alignments[1].units
    (Unit(start=20, end=30, category='B', annotator='ann', features={}), None)
    """
    continuum = alignable(data)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    limits = core_limits(time_limit, memory_limit, effort)
    if isinstance(fitted, Program2017Dissimilarity):
        return best_alignment_2017(continuum, fitted, time_limit=time_limit)
    columns = CoreColumns.of(continuum, fitted)
    units = columns.units
    if columns.kernel is not None:
        outcome = align(columns.kernel, *units, limits)
    else:
        outcome = align_pairs(*units, fitted.delta_empty, *near_pairs(continuum, fitted), limits)
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


def alignable(data: Any) -> Continuum:
    """The data as one continuum that can be aligned; an InputError says why not."""
    if isinstance(data, Continuum):
        continuum = data
    else:
        from unisono.io.one_document import as_continuum  # loads every reader; a continuum needs none

        continuum = as_continuum(data)
    check_alignable(continuum)
    return continuum


def check_alignable(continuum: Continuum) -> None:
    """CorpusError where there are fewer than two annotators or no units: there is nothing to align."""
    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    if continuum.n_units == 0:
        raise CorpusError.of(
            "nobody marked any unit", where=continuum.name, code="no-units", expected="at least one unit", found="none"
        )


def too_few_annotators(continuum: Continuum) -> CorpusError:
    """The error for a continuum with fewer than two annotators."""
    only = repr(continuum.annotators[0]) if continuum.annotators else ""
    return CorpusError.of(
        f"{only} is the only annotator" if only else "there is no annotator",
        "Agreement needs two. Name those who saw the document and marked nothing with [[participation]].",
        where=continuum.name,
        code="too-few-annotators",
        expected="at least two annotators",
        found=f"only {only}" if only else "none",
    )


#: Steps, bytes, seconds, the relative gap that may be left open, and bytes beyond which there is no result; 0 for none.
CoreLimits = tuple[int, int, float, float, int]

#: No limit of any kind.
NO_LIMITS: CoreLimits = (0, 0, 0.0, 0.0, 0)

#: Elementary steps of a search that an effort of 1 allows.
STEPS = 1_000_000


def core_limits(
    time_limit: float | None,
    memory_limit: int | None,
    effort: float | None = None,
    *,
    near_enough: float = 0.0,
    guard: int = 0,
) -> CoreLimits:
    """Limits as the core takes them."""
    for name, value in (("time_limit", time_limit), ("memory_limit", memory_limit), ("effort", effort)):
        if value is not None and not value > 0:
            raise ParameterError.of(
                f"[[{name}]] is {value}, not above 0", "Leave it out for no limit.", code="limit", found=str(value)
            )
    steps = 0 if effort is None else max(1, round(effort * STEPS))
    return steps, int(memory_limit or 0), (time_limit or 0.0), near_enough, guard
