# SPDX-License-Identifier: MIT
"""What the viewer draws of one document: units as columns, the alignment, and the parts of each disorder.

Made here, once, for the report, the web page and the notebook; drawn in JavaScript (viewer/). The dictionary is plain
JSON: `docs/viewer.md` has its contract. Nothing here takes a step per unit or per pair.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import aligned_pairs
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, Feature, FloatArray

#: Version of the view data. 1: the first.
SCHEMA = 1

Axis = Literal["time", "characters", "positions"]


def view(
    continuum: Continuum,
    alignment: Alignment | None = None,
    dissimilarity: Dissimilarity | None = None,
    *,
    text: bool = True,
    axis: Axis | None = None,
) -> dict[str, Any]:
    """A document for the viewer, ready for JSON.

    The alignment is one of this continuum, the dissimilarity the one it was made with: it gives the parts of each
    disorder, and the labels that are shown are those it compares. Without it (or with a user's own, which has no
    positional and categorial part) only what is known is there, the rest is None. `text=False` leaves the text out,
    and the axis still counts its characters; `axis` overrules what the positions look like (`axis_of`).

    >>> c = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "B")], "cem": []})
    >>> from unisono.alignment import best_alignment
    >>> found = view(c, best_alignment(c), CombinedDissimilarity())["alignment"]
    >>> [found[key] for key in ("positional", "categorial", "empty")]
    [[0.0], [0.3333333333333333], [0.6666666666666666]]
    """
    if alignment is not None and alignment.continuum is not continuum:
        raise ValueError("the alignment is not one of this continuum")
    fitted = None if dissimilarity is None else dissimilarity.fitted(Corpus((continuum,)))
    codes, labels = _in_use(_shown(continuum, fitted))
    extent = continuum.extent
    return {
        "schema": SCHEMA,
        "name": continuum.name,
        "axis": axis or axis_of(continuum),
        "extent": [0, 0] if extent is None else [extent.start, extent.end],
        "text": continuum.text if text else None,
        "annotators": list(continuum.annotators),
        "categories": labels,
        "units": {
            "annotator": continuum.annotator_codes.tolist(),
            "category": codes.tolist(),
            "start": continuum.starts.tolist(),
            "end": continuum.ends.tolist(),
        },
        "alignment": None if alignment is None else _alignment(alignment, fitted),
    }


def axis_of(continuum: Continuum) -> Axis:
    """What the positions count: characters of a text, seconds, or something a reader alone can name.

    Characters where there is a text or the extent comes from one. Decimal positions are taken for seconds, in whole
    numbers too where the duration of the medium is known. Whole numbers without a text may be tokens, frames or
    milliseconds: they are shown as they are.
    """
    extent = continuum.extent
    if continuum.text is not None or (extent is not None and extent.source == "text"):
        return "characters"
    if continuum.has_integer_positions:
        return "positions"
    columns = (continuum.starts, continuum.ends)
    if (extent is not None and extent.source == "duration") or any(np.any(column % 1 != 0) for column in columns):
        return "time"
    return "positions"


def parts(alignment: Alignment, dissimilarity: Dissimilarity) -> dict[str, FloatArray | None]:
    """What each disorder (2015, Eq. 6) is made of: positions, categories, empty units; the three sum to it.

    Eq. 6 is a mean over the pairs of a unitary alignment, and Eq. 5 a sum: the mean of alpha * d_pos * delta_empty over
    all pairs, that of beta * d_cat * delta_empty, and delta_empty for each pair with an empty unit. None where the
    dissimilarity of two units is not such a sum.
    """
    n = alignment.continuum.n_annotators
    n_pairs = n * (n - 1) / 2
    sizes = np.bincount(alignment.group, minlength=len(alignment))
    empty = (n_pairs - sizes * (sizes - 1) / 2) * dissimilarity.delta_empty / n_pairs
    found: dict[str, FloatArray | None] = {"positional": None, "categorial": None, "empty": empty}
    if isinstance(dissimilarity, CombinedDissimilarity):
        u, v, _ = aligned_pairs(alignment)

        def part(of: CombinedDissimilarity | None) -> FloatArray:
            """The mean over all pairs of one term of Eq. 5; None: a term of weight 0."""
            d = np.zeros(len(u)) if of is None else of.between(alignment.continuum, u, v)
            return np.bincount(alignment.group[u], weights=d, minlength=len(alignment)) / n_pairs

        found["positional"] = part(replace(dissimilarity, beta=0.0) if dissimilarity.alpha else None)
        found["categorial"] = part(replace(dissimilarity, alpha=0.0) if dissimilarity.beta else None)
    return found


def _alignment(alignment: Alignment, dissimilarity: Dissimilarity | None) -> dict[str, Any]:
    unknown: dict[str, FloatArray | None] = {"positional": None, "categorial": None, "empty": None}
    found = unknown if dissimilarity is None else parts(alignment, dissimilarity)
    return {
        "disorder": alignment.disorder,
        "gap": alignment.gap,
        "delta_empty": None if dissimilarity is None else dissimilarity.delta_empty,
        "group": alignment.group.tolist(),
        "disorders": alignment.disorders.tolist(),
        **{name: None if values is None else values.tolist() for name, values in found.items()},
    }


def _shown(continuum: Continuum, dissimilarity: Dissimilarity | None) -> Feature:
    """The labels to show: those that the dissimilarity compares."""
    if isinstance(dissimilarity, CombinedDissimilarity) and dissimilarity.beta > 0:
        return dissimilarity.column(continuum)
    return continuum.features[CATEGORY]


def _in_use(feature: Feature) -> tuple[NDArray[np.intp], list[str]]:
    """Codes into the labels that occur: documents of a corpus may share one long table."""
    used, place = np.unique(feature.codes, return_inverse=True)
    labels = [feature.labels[code] for code in used.tolist() if code >= 0]
    return place.reshape(-1) - (len(used) - len(labels)), labels
