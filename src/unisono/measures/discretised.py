# SPDX-License-Identifier: MIT
"""κd and αd: agreement on the atoms of a continuum, "blank" where nothing is marked (Mathet et al. 2015, section 6.2).

The usual way to apply a measure for categories to units (Reidsma 2008). It cannot tell one unit from two that
touch, rewards agreement on blanks, and gives long units more weight than short ones (section 3.4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unisono.measures.items import atoms, categorial_of
from unisono.measures.kappa import fleiss_k_of_items, kappa_of_items
from unisono.measures.krippendorff import alpha_of_items
from unisono.measures.undefined import returns_undefined
from unisono.model import Continuum
from unisono.results import MeasureValue

if TYPE_CHECKING:
    from unisono.measures.resolved import Resolved


@returns_undefined
def kappa_d(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Cohen's κ of the atoms for two annotators, Fleiss' K for more.

    Definition: Mathet et al. 2015, section 6.2. The paper does not say which generalisation it uses for three
    annotators; K is the one it names in section 3.2. Undefined: units that overlap; one category, or blank, throughout.

    >>> from unisono.measures.resolved import Resolved
    >>> c = Continuum.of({"ann": [(0, 4, "A")], "bob": [(0, 3, "A")]}, extent=(0, 8))
    >>> kappa_d([c], Resolved()).value
    0.75
    """
    items = atoms(continua, settings)
    if len(items.annotators) == 2:
        return kappa_of_items(items)
    value = fleiss_k_of_items(items)
    return replace(value, notes=(f"Fleiss' K, for {len(items.annotators)} annotators", *value.notes))


@returns_undefined
def alpha_d(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Krippendorff's α of the atoms, with the distances of the categories.

    Definition: Reidsma 2008; Mathet et al. 2015, section 3.4.1. Undefined: as κd, and categories that the distance
    cannot take.
    """
    return alpha_of_items(atoms(continua, settings), categorial_of(settings))
