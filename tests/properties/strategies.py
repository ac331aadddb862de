# SPDX-License-Identifier: MIT
"""Continua and weights for hypothesis: small integers, so that ties, overlaps and duplicates come by themselves."""

from __future__ import annotations

from hypothesis import note
from hypothesis import strategies as st

from generators import NAMES, Weights, described
from unisono.model import Continuum

units = st.tuples(st.integers(0, 30), st.integers(0, 12), st.sampled_from([None, "A", "B", "C"])).map(
    lambda unit: (unit[0], unit[0] + unit[1], unit[2])
)


@st.composite
def continua(draw: st.DrawFn, *, most: int = 6, annotators: int = 5) -> Continuum:
    """2 to 5 annotators with up to six units each, at least one unit in all."""
    n = draw(st.integers(2, annotators))
    rows = draw(st.lists(st.lists(units, max_size=most), min_size=n, max_size=n).filter(any))
    continuum = Continuum.of(dict(zip(NAMES, rows, strict=False)), name="drawn")
    note(described(continuum))
    return continuum


weights = st.builds(
    Weights,
    alpha=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    beta=st.sampled_from([0.0, 1.0, 2.0]),
    delta_empty=st.sampled_from([0.5, 1.0, 2.0]),
).filter(lambda w: w.alpha or w.beta)
