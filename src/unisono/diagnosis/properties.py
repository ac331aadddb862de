# SPDX-License-Identifier: MIT
"""What kind of annotation task the data come from, as far as the data show it (Mathet et al. 2015, section 2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from unisono.json_objects import to_json
from unisono.model import Continuum, Corpus
from unisono.shuffling.fitting import UnitColumns

#: Neighbouring positions closer than this, relative to the length of the units, touch each other.
TOUCH = 1e-6
#: A property that fewer units than this share have is an exception, not a rule of the task.
RARE = 0.02
#: Labels that are numbers are a scale from this many different ones on.
FEWEST_NUMBERS = 3


@dataclass(frozen=True, slots=True)
class Properties:
    """The task as found in the data. Shares are of all units, or of all neighbouring units of one annotator."""

    documents: int
    annotators: int
    #: The fewest and the most annotators of one document.
    fewest_annotators: int
    most_annotators: int
    #: Whether every annotator saw every document.
    is_crossed: bool
    #: "given": all annotators of each document have the same units, but for the categories; "found": they do not.
    units: Literal["given", "found", "none"]
    #: Whether each annotator's units follow each other without gaps or overlaps: a segmentation.
    is_covering: bool
    #: Shares of neighbouring units of an annotator with a gap between them, and of those that touch.
    gaps: float
    touching: float
    #: Shares of units that overlap the one before, that lie inside another one, and that have no length.
    overlaps: float
    nested: float
    points: float
    #: The share of neighbouring units that touch and have the same category.
    adjacent_same: float
    n_categories: int
    #: "ordered": numbers.
    categories: Literal["none", "one", "nominal", "ordered"]
    positions: Literal["whole", "decimal"]
    has_texts: bool
    has_own_texts: bool
    #: Whether some extent is only the stretch between the first start and the last end.
    is_extent_guessed: bool

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)

    @property
    def lines(self) -> tuple[str, ...]:
        """The task in words, one property in each line."""
        return tuple(_lines(self))


def properties_of(corpus: Corpus) -> Properties:
    """The properties of the task that a corpus comes from.

    >>> import unisono
    >>> ann, bob = [(0, 5, "A"), (5, 9, "B")], [(0, 5, "B"), (5, 9, "B")]
    >>> found = properties_of(unisono.corpus({"d": {"ann": ann, "bob": bob}}))
    >>> found.units, found.is_covering, found.categories
    ('given', True, 'nominal')
    """
    sizes = [continuum.n_annotators for continuum in corpus]
    annotators = corpus.annotators
    columns = UnitColumns.of(corpus) if len(corpus) else None
    n_units = 0 if columns is None else len(columns.owners)
    gaps = touching = same = overlaps = nested_share = points = 0.0
    covering = False
    if columns is not None and n_units:
        lengths = columns.ends - columns.starts
        near = TOUCH * float(lengths.mean())
        nested = columns.nested
        top = columns.take(~nested)
        follows = top.follows
        steps = (top.starts - np.concatenate((top.starts[:1], top.ends[:-1])))[follows]
        touches = np.abs(steps) <= near
        pairs = max(len(steps), 1)
        gaps, touching = float((steps > near).sum() / pairs), float(touches.sum() / pairs)
        alike = (top.codes == np.concatenate((top.codes[:1], top.codes[:-1])))[follows]
        same = float((touches & alike).sum() / pairs)
        overlaps, nested_share = float((steps < -near).sum() / n_units), float(nested.mean())
        points = float((lengths == 0).mean())
        covering = len(steps) > 0 and not nested.any() and bool(touches.all())
    labels = corpus.labels()
    own = any(continuum.own_texts is not None for continuum in corpus)
    return Properties(
        documents=len(corpus),
        annotators=len(annotators),
        fewest_annotators=min(sizes, default=0),
        most_annotators=max(sizes, default=0),
        is_crossed=all(size == len(annotators) for size in sizes),
        units="none" if not n_units else "given" if _are_given(corpus) else "found",
        is_covering=covering,
        gaps=gaps,
        touching=touching,
        overlaps=overlaps,
        nested=nested_share,
        points=points,
        adjacent_same=same,
        n_categories=len(labels),
        categories=_scale(labels),
        positions="whole" if all(continuum.has_integer_positions for continuum in corpus) else "decimal",
        has_texts=own or any(continuum.text is not None for continuum in corpus),
        has_own_texts=own,
        is_extent_guessed=any(c.extent is not None and c.extent.source == "guessed" for c in corpus),
    )


def _are_given(corpus: Corpus) -> bool:
    """Whether all annotators of each document have units at the same places; some document needs two annotators."""
    compared = [continuum for continuum in corpus if continuum.n_annotators > 1 and continuum.n_units]
    return bool(compared) and all(map(_has_same_places, compared))


def _has_same_places(continuum: Continuum) -> bool:
    count, rest = divmod(continuum.n_units, continuum.n_annotators)
    if rest or np.any(continuum.counts != count):
        return False
    order = np.lexsort((continuum.ends, continuum.starts, continuum.annotator_codes))
    starts = continuum.starts[order].reshape(-1, count)
    ends = continuum.ends[order].reshape(-1, count)
    return bool(np.all(starts == starts[0]) and np.all(ends == ends[0]))


def _scale(labels: tuple[str, ...]) -> Literal["none", "one", "nominal", "ordered"]:
    if len(labels) < 2:
        return "one" if labels else "none"
    return "ordered" if len(labels) >= FEWEST_NUMBERS and all(map(_is_number, labels)) else "nominal"


def _is_number(label: str) -> bool:
    try:
        float(label.replace(",", ".", 1))
    except ValueError:
        return False
    return True


def _lines(found: Properties) -> Iterator[str]:
    if found.units == "none":
        yield "nobody marked any unit"
        return
    yield "units are given: all annotators have the same ones" if found.units == "given" else "units are found"
    if found.is_covering:
        yield "units follow each other without gaps: a segmentation"
    else:
        yield f"{_percent(found.gaps)} of neighbouring units have a gap between them, {_percent(found.touching)} touch"
    if found.nested or found.overlaps:
        inside, others = _percent(found.nested), _percent(found.overlaps)
        yield f"{inside} of the units lie inside another one, {others} overlap otherwise"
    if found.points:
        yield f"{_percent(found.points)} of the units have no length"
    if found.adjacent_same:
        yield f"{_percent(found.adjacent_same)} of neighbouring units touch and have the same category"
    scales = {
        "none": "no categories",
        "one": "one category",
        "nominal": f"{found.n_categories} categories without an order",
        "ordered": f"{found.n_categories} categories that are numbers",
    }
    yield scales[found.categories]
    if found.fewest_annotators == found.most_annotators:
        many = f"{found.most_annotators} annotators"
    else:
        many = f"{found.fewest_annotators} to {found.most_annotators} annotators a document"
    everywhere = "" if found.is_crossed or found.documents == 1 else f", {found.annotators} in all, not everywhere"
    yield ("one document" if found.documents == 1 else f"{found.documents:,} documents") + f", {many}{everywhere}"


def _percent(share: float) -> str:
    return "less than 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"
