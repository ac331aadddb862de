# SPDX-License-Identifier: MIT
"""The data of one document for the viewer: units as columns, the alignment, and the parts of each disorder.

The report, the web page and the notebook all take it from here; JavaScript (viewer/) draws it. The dictionary is plain
JSON: `docs/viewer.md` has its contract. Units and pairs are handled by array operations only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from unisono.alignment.observed import aligned_pairs
from unisono.analysis.gold import GoldDocument
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, Program2017Dissimilarity
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, Feature, FloatArray
from unisono.report import NO_CATEGORY

#: Version of the view data. 1: the first.
SCHEMA = 1

Axis = Literal["time", "milliseconds", "characters", "positions", "decimals"]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the disorder of each unitary alignment (Eq. 6): positions, categories, empty units.

    `positional` and `categorial` are None for a dissimilarity that is not a sum of these; all are None if unknown.
    """

    positional: FloatArray | None = None
    categorial: FloatArray | None = None
    empty: FloatArray | None = None

    def columns(self) -> dict[str, FloatArray | None]:
        """The parts by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def view(
    continuum: Continuum,
    alignment: Alignment | None = None,
    dissimilarity: Dissimilarity | None = None,
    *,
    text: bool = True,
    axis: Axis | None = None,
) -> dict[str, Any]:
    """A document for the viewer, ready for JSON.

    The alignment must be one of this continuum, made with this dissimilarity, which gives the parts of each disorder
    and decides which labels are shown. Without a dissimilarity (or with a function of the user's, which has no
    positional and categorial part) unknown parts are None. `text=False` leaves the text out; the axis still counts
    characters. `axis` overrules the guess from the positions (`axis_of`).

    >>> c = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "B")], "cem": []})
    >>> from unisono.alignment import best_alignment
    >>> alignment = view(c, best_alignment(c), CombinedDissimilarity())["alignment"]
    >>> [alignment[key] for key in ("positional", "categorial", "empty")]
    [[0.0], [0.3333333333333333], [0.6666666666666666]]
    """
    fitted = None if dissimilarity is None else dissimilarity.fitted(Corpus((continuum,)))
    labels = continuum.features[CATEGORY]
    if isinstance(fitted, CombinedDissimilarity) and fitted.beta > 0:
        labels = fitted.column(continuum)
    return stored_view(
        continuum,
        alignment,
        parts=None if alignment is None or fitted is None else parts_of(alignment, fitted),
        labels=labels,
        delta_empty=None if fitted is None else fitted.delta_empty,
        text=text,
        axis=axis,
    )


def stored_view(
    continuum: Continuum,
    alignment: Alignment | None,
    *,
    parts: Parts | None,
    labels: Feature,
    delta_empty: float | None,
    text: bool = True,
    axis: Axis | None = None,
) -> dict[str, Any]:
    """As `view`, without a dissimilarity: from what it gave, the parts of each disorder and the labels it compares."""
    if alignment is not None and alignment.continuum is not continuum:
        raise ValueError("the alignment is not one of this continuum")
    in_use = labels.compact()
    extent = continuum.extent
    return {
        "schema": SCHEMA,
        "name": continuum.name,
        "axis": axis or axis_of(continuum),
        "extent": [0, 0] if extent is None else [extent.start, extent.end],
        "text": continuum.text if text else None,
        "annotators": list(continuum.annotators),
        "categories": list(in_use.labels),
        "units": {
            "annotator": continuum.annotator_codes.tolist(),
            "category": in_use.codes.tolist(),
            "start": continuum.starts.tolist(),
            "end": continuum.ends.tolist(),
        },
        "alignment": None if alignment is None else _alignment(alignment, parts or Parts(), delta_empty),
    }


def gold_columns(document: GoldDocument) -> dict[str, list[Any]]:
    """The units of a gold standard that a person should look at, as columns; `group` is the unitary alignment."""
    units = [document.unit(i) for i in np.flatnonzero(document.reasons).tolist()]
    return {
        "group": [unit.number - 1 for unit in units],
        "start": [unit.start for unit in units],
        "end": [unit.end for unit in units],
        "category": [unit.category for unit in units],
        "kept": [unit.kept for unit in units],
        "support": [unit.support for unit in units],
        "votes": [", ".join(f"{name or NO_CATEGORY} {votes:g}" for name, votes in unit.votes) for unit in units],
        "look": [", ".join(unit.look) for unit in units],
    }


def axis_of(continuum: Continuum) -> Axis:
    """What the positions count: characters of a text, seconds, milliseconds, or something unknown.

    Characters where there is a text or the extent comes from one; seconds or milliseconds where the format, the time
    codes of a table or `time_unit` said so (`Extent.unit`). Other numbers are shown as they are: whole ones may be
    tokens or frames, decimal ones any unit of time.
    """
    extent = continuum.extent
    if continuum.text is not None or (extent is not None and extent.source == "text"):
        return "characters"
    if extent is not None and extent.unit in ("s", "ms"):
        return "time" if extent.unit == "s" else "milliseconds"
    is_whole = continuum.has_integer_positions or not any(
        np.any(column % 1 != 0) for column in (continuum.starts, continuum.ends)
    )
    return "positions" if is_whole else "decimals"


def parts_of(alignment: Alignment, dissimilarity: Dissimilarity) -> Parts:
    """The parts of each disorder (2015, Eq. 6): positions, categories, empty units; they sum to it.

    Eq. 6 is a mean over the pairs of a unitary alignment, and Eq. 5 a sum: the mean of alpha * d_pos * delta_empty over
    all pairs, that of beta * d_cat * delta_empty, and delta_empty for each pair with an empty unit. None where the
    dissimilarity of two units is not such a sum.
    """
    n = alignment.continuum.n_annotators
    n_pairs = n * (n - 1) / 2
    sizes = np.bincount(alignment.group, minlength=len(alignment))
    n_empty = n_pairs - sizes * (sizes - 1) / 2
    if isinstance(dissimilarity, Program2017Dissimilarity):  # there two empty units cost nothing
        n_empty = (sizes * (n - sizes)).astype(np.float64)
    empty = n_empty * dissimilarity.delta_empty / n_pairs
    if not isinstance(dissimilarity, CombinedDissimilarity):
        return Parts(empty=empty)
    u, v, _ = aligned_pairs(alignment)

    def part(of: CombinedDissimilarity | None) -> FloatArray:
        """The mean over all pairs of one term of Eq. 5; None: a term of weight 0."""
        d = np.zeros(len(u)) if of is None else of.between(alignment.continuum, u, v)
        return np.bincount(alignment.group[u], weights=d, minlength=len(alignment)) / n_pairs

    return Parts(
        part(replace(dissimilarity, beta=0.0) if dissimilarity.alpha else None),
        part(replace(dissimilarity, alpha=0.0) if dissimilarity.beta else None),
        empty,
    )


def _alignment(alignment: Alignment, parts: Parts, delta_empty: float | None) -> dict[str, Any]:
    return {
        "disorder": alignment.disorder,
        "gap": alignment.gap,
        "delta_empty": delta_empty,
        "group": alignment.group.tolist(),
        "disorders": alignment.disorders.tolist(),
        **{name: None if column is None else column.tolist() for name, column in parts.columns().items()},
    }
