# SPDX-License-Identifier: MIT
"""Published numbers of Krippendorff's alphas: Mathet et al. 2015 (Figs 14, 17-21), Mathet 2017 (sections 5.1, 5.2), and
Krippendorff's own examples of 2004 (p. 254) and 2011 (p. 9).

The status of each number is that of the verified examples: "exact" is met as published; where "the paper differs", the
value of the formula is met, and the printed one is explained (docs/validity.md).
"""

from __future__ import annotations

import pytest

from unisono.dissimilarity import CombinedDissimilarity, Interval
from unisono.experiments import examples
from unisono.experiments.examples import TABLE_2011, lay_out, table_2011
from unisono.measures.alpha_u_1995 import alpha_u_1995
from unisono.measures.items import Items
from unisono.measures.krippendorff import alpha, alpha_of_items
from unisono.measures.resolved import Resolved
from unisono.measures.u_alpha import u_alpha_2013
from unisono.measures.unitizing_2016 import bar_u_alpha, cu_alpha, k_alpha, u_alpha
from unisono.model import Continuum

INTERVAL = Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval()))


# 2015, Fig. 14 (Krippendorff 2013): length 76, two annotators, categories 1 to 4.
FIGURE_14 = [lay_out(examples.FIGURE_14, examples.FIGURE_14_LENGTH)]


def test_figure_14_u_alpha() -> None:
    """Section 6.1.1: observed 3.145, expected 5.286, uα 0.405."""
    found = u_alpha_2013(FIGURE_14, Resolved())
    assert found.observed == pytest.approx(3.1447368421052633, abs=1e-6)
    assert found.expected == pytest.approx(5.2863623476041965, abs=1e-6)
    assert found.value == pytest.approx(0.4051227223327829, abs=1e-6)
    assert (round(found.observed, 3), round(found.expected, 3), round(found.value, 3)) == (3.145, 5.286, 0.405)


def test_figure_14_cu_alpha_and_the_misprint() -> None:
    """Section 6.1.1 prints 1 - 0.833 / 3.145 = 0.744; 3.145 is uα's observed value and gives 0.735. It is 3.25."""
    found = cu_alpha(FIGURE_14, INTERVAL)
    assert found.observed == pytest.approx(0.8333333333333334, abs=1e-6)
    assert found.expected == pytest.approx(3.25, abs=1e-6)
    assert found.value == pytest.approx(0.7435897435897436, abs=1e-6)
    assert round(found.value, 3) == 0.744
    assert round(1 - 0.833 / 3.145, 3) == 0.735


def test_figure_14_without_integers() -> None:
    """The formula for integers has a scale: in the limit of ever smaller steps, 5.269 instead of 5.286."""
    rows = {a: [(s / 1.0, e / 1.0, category) for s, e, category in row] for a, row in examples.FIGURE_14.items()}
    found = u_alpha_2013([Continuum.of(rows, extent=(0, 76))], Resolved())
    assert round(found.expected, 3) == 5.269
    assert found.notes == ("no step, and positions that are not integers: the limit of ever smaller steps",)
    assert u_alpha_2013([Continuum.of(rows, extent=(0, 76))], Resolved(step=1.0)).value == pytest.approx(
        0.4051227223327829, abs=1e-12
    )


def test_figure_14_by_the_formulas_of_2016() -> None:
    """Not published: the 2016 family on the same data, nominal, as computed when the formulas were verified."""
    assert u_alpha(FIGURE_14, Resolved()).value == pytest.approx(0.38221668945531717, abs=1e-6)
    assert bar_u_alpha(FIGURE_14, Resolved()).value == pytest.approx(0.41830479813992827, abs=1e-6)
    assert cu_alpha(FIGURE_14, Resolved()).value == pytest.approx(0.45945945945945954, abs=1e-6)
    found = k_alpha(FIGURE_14, Resolved()).per_category
    assert [found[k].value for k in "1234"] == pytest.approx([0.40625, 0.0, 0.0, 1.0], abs=1e-6)


# 2015, Figs 17 to 19: the observed disagreement of uα is shown un-normalised; for two annotators that is Do times L.
OBSERVED = {
    "17a": (examples.FIGURE_17["a"], 100),
    "17b": (examples.FIGURE_17["b"], 2),
    "18a": (examples.FIGURE_18["a"], 400),
    "18b": (examples.FIGURE_18["b"], 200),
    "18c": (examples.FIGURE_18["c"], 100),
    "19a": (examples.FIGURE_19["a"], 0),
    "19b": (examples.FIGURE_19["b"], 0),
    "19c": (examples.FIGURE_19["c"], 0),
}


@pytest.mark.parametrize("figure", OBSERVED)
def test_figures_17_to_19(figure: str) -> None:
    rows, published = OBSERVED[figure]
    found = u_alpha_2013([lay_out(rows, 40)], Resolved())
    assert found.observed * 40 == pytest.approx(published, abs=1e-9)


def test_figure_20() -> None:
    """Section 6.1.6: three times as long, 3² = 9 times the observed disagreement."""
    short, long = (u_alpha_2013([lay_out(rows, 40)], Resolved()).observed * 40 for rows in examples.FIGURE_20.values())
    assert (short, long) == (pytest.approx(9, abs=1e-9), pytest.approx(81, abs=1e-9))


def test_figure_21() -> None:
    """Section 6.1.7: 0.107, and -0.287 for units at the same places. The layout of 21b is one of several that fit."""
    a, b = ([lay_out(rows, examples.FIGURE_21_LENGTH)] for rows in (examples.FIGURE_21A, examples.FIGURE_21B))
    assert u_alpha_2013(a, Resolved()).value == pytest.approx(0.10655513397974947, abs=1e-6)
    assert round(u_alpha_2013(a, Resolved()).value, 3) == 0.107
    assert u_alpha_2013(b, Resolved()).value == pytest.approx(-0.2873874333963198, abs=1e-6)
    assert round(u_alpha_2013(b, Resolved()).value, 3) == -0.287


def test_figure_15_in_a_layout_that_fits() -> None:
    """A regression target: the lengths of the figure are not printed, these give its values -0.34 and 0.85."""
    found = [lay_out(examples.FIGURE_15, examples.FIGURE_15_LENGTH)]
    assert u_alpha_2013(found, Resolved()).value == pytest.approx(-0.3395703932633438, abs=1e-6)
    assert cu_alpha(found, INTERVAL).value == pytest.approx(0.8511809218069251, abs=1e-6)


def test_alpha_u_of_2004() -> None:
    """Krippendorff 2004, p. 254: begin 150, length 300; c 0.0144, 0.0532, 0.7286; k 0, 0.0490, 1; overall 0.859."""
    rows = {
        "one": [(225, 295, "c"), (370, 400, "c"), (180, 240, "k"), (300, 350, "k")],
        "two": [(220, 300, "c"), (355, 375, "c"), (400, 420, "c"), (180, 240, "k"), (300, 350, "k")],
    }
    found = alpha_u_1995([Continuum.of(rows, extent=(150, 450))], Resolved())
    c, k = found.per_category["c"], found.per_category["k"]
    assert (c.observed, c.expected, c.value) == pytest.approx((0.014444444444, 0.0532217798549, 0.728598996805))
    assert (k.observed, k.expected, k.value) == pytest.approx((0.0, 0.04897856580891525, 1.0))
    assert found.value == pytest.approx(0.8586654051841702, abs=1e-9)
    assert found.value == pytest.approx(0.8591, abs=0.0005)


def test_alpha_of_1995_on_a_digitised_continuum() -> None:
    """Krippendorff 1995, example A, digitised: α 0.329."""
    x = "001111111100001111110000"
    y = "000011110000000110000000"
    found = alpha_of_items(Items.of([list(x), list(y)]))
    assert found.value == pytest.approx(0.3285714285714286, abs=1e-9)


# Krippendorff 2011, p. 9: 4 annotators, 12 items, 7 missing values; 2017, section 5.1, puts item i at [i, i + 1).
CONTINUUM_2011 = [table_2011()]


def test_alpha_of_2011() -> None:
    """α 0.743, observed 0.2, from the table and from the units made of it."""
    for found in (alpha_of_items(Items.of(TABLE_2011)), alpha(CONTINUUM_2011, Resolved())):
        assert found.value == pytest.approx(0.743421052631579, abs=1e-6)
        assert found.observed == pytest.approx(0.2, abs=1e-6)
        assert found.expected == pytest.approx(0.7794871794871795, abs=1e-6)


def test_cu_alpha_of_2011() -> None:
    """2017, section 5.1: cuα 0.715, observed 0.218: it fails to generalise α where values are missing."""
    found = cu_alpha(CONTINUUM_2011, Resolved())
    assert found.value == pytest.approx(0.7152361942781105, abs=1e-6)
    assert found.observed == pytest.approx(0.21818181818181812, abs=1e-6)
    assert found.expected == pytest.approx(0.7661852166525064, abs=1e-6)


# 2017, Figs 3 and 10, in the layout reconstructed from the printed figures; all twenty that fit give these values.
FIGURE_3 = [lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH)]


def test_cu_alpha_of_2017() -> None:
    """Section 5.2: 0.08."""
    found = cu_alpha(FIGURE_3, Resolved())
    assert found.value == pytest.approx(0.07994389901823296, abs=1e-6)
    assert round(found.value, 2) == 0.08


def test_k_alpha_of_2017_is_not_reproduced() -> None:
    """Section 5.2 prints kα(B) = -0.149; the formula gives -0.049, and no layout with the printed margins -0.149."""
    found = k_alpha(FIGURE_3, Resolved()).per_category["B"].value
    assert found == pytest.approx(-0.04865220249835622, abs=1e-6)
    assert round(found, 3) != -0.149
