# SPDX-License-Identifier: MIT
"""How much the choices matter: γ with single choices made differently."""

from __future__ import annotations

from typing import Any

from unisono.api import measure
from unisono.frames import Rows
from unisono.measures.sensitivity import SAMPLES
from unisono.results import Variation


def sensitivity(data: Any, **settings: Any) -> Rows[Variation]:
    """γ as it would be measured, then under other weights, extents and chance models, one change in each row.

    `settings` are those of `measure`, whose result has the same rows with `sensitivity=True`. Every row has 30 samples
    of each document, drawn with the same random numbers.

    >>> import unisono
    >>> letter = unisono.continuum({"ann": [(0, 5, "A"), (8, 12, "B")], "bob": [(0, 6, "A"), (8, 12, "A")]})
    >>> [row.choice for row in sensitivity(letter, seed=1)][:3]
    ['as measured', 'alpha = 0.5', 'alpha = 2']
    """
    given = {name: value for name, value in settings.items() if name not in ("precision", "samples")}
    result = measure(data, "gamma", **{**given, "samples": SAMPLES, "sensitivity": True}, intervals=False)
    return Rows(result.sensitivity or ())
