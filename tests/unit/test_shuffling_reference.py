# SPDX-License-Identifier: MIT
"""Models of references. Oracle: what the fields say, counted on what is drawn; the file, read again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from unisono import Continuum, Corpus, FormatError, ParameterError
from unisono.errors import CorpusError
from unisono.shuffling import CategoryModel, Empirical, Fixed, LogNormal, ReferenceModel, Uniform

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


def draws(model: ReferenceModel, count: int = 50) -> Corpus:
    return Corpus(tuple(model.draw(seed=1, name=f"{i}") for i in range(count)))


def lengths_and_gaps(continuum: Continuum) -> tuple[np.ndarray, np.ndarray]:
    return continuum.ends - continuum.starts, continuum.starts[1:] - continuum.ends[:-1]


def test_the_usual_model() -> None:
    model = ReferenceModel()
    assert model.prevalence == {"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}
    for continuum in draws(model):
        assert continuum.annotators == ("reference",)
        assert len(continuum) == 30
        assert continuum.has_integer_positions
        lengths, gaps = lengths_and_gaps(continuum)
        assert 30 <= lengths.min() <= lengths.max() <= 70
        assert 0 <= gaps.min() <= gaps.max() <= 10
        assert continuum.extent is not None
        assert continuum.extent.start == 0 <= continuum.starts[0]
        assert 0 <= continuum.extent.end - continuum.ends[-1] <= 10


def test_seed_and_name_decide_alone() -> None:
    model = ReferenceModel(nesting=0.2, overlap=0.2)
    first, again = (list(model.draw(seed=7, name="a")) for _ in range(2))
    assert first == again
    assert first != list(model.draw(seed=8, name="a"))
    assert first != list(model.draw(seed=7, name="b"))


@pytest.mark.parametrize(
    ("law", "low", "high", "mean"),
    [
        (Fixed(7), 7, 7, 7),
        (Uniform(3, 9), 3, 9, 6),
        (LogNormal(40, 0.5), 1, 1000, 40 * np.exp(0.125)),
        (Empirical((2, 2, 8)), 2, 8, 4),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_distributions(law, low: float, high: float, mean: float, whole: bool) -> None:
    drawn = law.draw(20_000, np.random.default_rng(1), whole=whole)
    assert low <= drawn.min() <= drawn.max() <= high
    assert drawn.mean() == pytest.approx(mean, rel=0.02)
    assert law.mean == pytest.approx(mean)
    assert law.lowest <= drawn.min()
    if whole:
        assert (drawn == np.round(drawn)).all()


def test_each_category_has_its_own_law() -> None:
    model = ReferenceModel(
        units=200, gap=3, length=5, categories={"A": 0.75, "D": CategoryModel(0.25, length=20, gap=9)}
    )
    continuum = model.draw(seed=2)
    lengths, gaps = lengths_and_gaps(continuum)
    is_d = np.array([unit.category == "D" for unit in continuum])
    assert set(lengths[is_d]) == {20}
    assert set(lengths[~is_d]) == {5}
    assert set(gaps[is_d[1:]]) == {9}
    assert set(gaps[~is_d[1:]]) == {3}
    assert is_d.mean() == pytest.approx(0.25, abs=0.1)


def test_exact_prevalence() -> None:
    model = ReferenceModel(units=32, categories={"A": 9, "B": 9, "C": 8, "D": 6}, exact_prevalence=True)
    orders = set()
    for continuum in draws(model, 10):
        assert np.bincount(continuum.category_codes).tolist() == [9, 9, 8, 6]
        orders.add(tuple(continuum.category_codes.tolist()))
    assert len(orders) == 10
    thirds = ReferenceModel(units=10, categories={"A": 1, "B": 1, "C": 1}, exact_prevalence=True).draw(1)
    assert sorted(np.bincount(thirds.category_codes).tolist()) == [3, 3, 4]


def test_units_without_a_category() -> None:
    assert {unit.category for unit in ReferenceModel(categories={}).draw(1)} == {None}
    some = ReferenceModel(units=1000, categories={"A": 1}, uncategorised=0.3).draw(1)
    assert np.mean(some.category_codes < 0) == pytest.approx(0.3, abs=0.05)


def test_fixed_positions_are_those_of_every_reference() -> None:
    model = ReferenceModel(fixed_positions=True, units=(20, 30))
    corpus = draws(model, 10)
    places = {tuple(zip(c.starts.tolist(), c.ends.tolist(), strict=True)) for c in corpus}
    assert len(places) == 1
    assert len({tuple(c.category_codes.tolist()) for c in corpus}) > 1
    assert tuple(model.draw(seed=2, name="0").starts.tolist()) != tuple(corpus[0].starts.tolist())


@pytest.mark.parametrize("extent", [None, (0, 1000), (-50, 2000), (100, 140)])
@pytest.mark.parametrize("decimals", [False, True])
def test_covering_leaves_no_gap(extent: tuple[int, int] | None, decimals: bool) -> None:
    model = ReferenceModel(covering=True, units=40, extent=extent, decimals=decimals, categories={})
    for continuum in draws(model, 10):
        lengths, gaps = lengths_and_gaps(continuum)
        assert len(continuum) == 40
        assert not gaps.any()
        assert lengths.min() > 0
        assert continuum.extent is not None
        assert (continuum.starts[0], continuum.ends[-1]) == pytest.approx(
            (continuum.extent.start, continuum.extent.end)
        )
        if extent is not None:
            assert (continuum.extent.start, continuum.extent.end) == extent


def test_gaps_fill_the_extent() -> None:
    model = ReferenceModel(units=20, extent=(10, 3000))
    means = []
    for continuum in draws(model, 30):
        lengths, gaps = lengths_and_gaps(continuum)
        assert 30 <= lengths.min() <= lengths.max() <= 70
        assert gaps.min() >= 0
        assert continuum.starts[0] >= 10
        assert continuum.ends[-1] <= 3000
        means.append(gaps.mean())
    assert np.mean(means) == pytest.approx((2990 - 20 * 50) / 21, rel=0.1)
    with pytest.raises(ParameterError, match="positions, and the extent has only"):
        ReferenceModel(units=20, extent=(0, 500)).draw(1)


def test_overlap() -> None:
    corpus = draws(ReferenceModel(units=50, overlap=0.3))
    steps = np.concatenate([lengths_and_gaps(c)[1] for c in corpus])
    assert np.mean(steps < 0) == pytest.approx(0.3, abs=0.03)
    for continuum in corpus:  # overlapping, never one inside the other
        assert (np.diff(continuum.ends) >= 0).all()


@pytest.mark.parametrize("depth", [1, 3])
def test_nesting(depth: int) -> None:
    corpus = draws(ReferenceModel(units=50, nesting=0.25, depth=depth))
    inside = []
    for continuum in corpus:
        spans = list(zip(continuum.starts.tolist(), continuum.ends.tolist(), strict=True))
        hosts = [
            sum(a <= start and end <= b and i != j for j, (a, b) in enumerate(spans))
            for i, (start, end) in enumerate(spans)
        ]
        inside += [count > 0 for count in hosts]
    assert np.mean(inside) == pytest.approx(0.25 * 49 / 50, abs=0.03)
    found = ReferenceModel.fitted(corpus)
    assert found.nesting == pytest.approx(0.25, abs=0.03)
    assert found.depth >= min(depth, 2)


# -- files -------------------------------------------------------------------------------------------------------------

RICH = ReferenceModel(
    units=(10, 20),
    length=LogNormal(40.5, 0.25),
    gap=Empirical((0, 0.5, 3)),
    categories={
        "A": 0.5,
        'odd "name" = [\u007f]\n': CategoryModel(0.25, length=5),
        "C.d": CategoryModel(1, gap=(0, 2)),
        "": 0.125,
    },
    uncategorised=0.1,
    exact_prevalence=True,
    overlap=0.1,
    nesting=0.2,
    depth=2,
    extent=(-1.5, 9000.25),
    decimals=True,
)


@pytest.mark.parametrize("model", [ReferenceModel(), RICH, ReferenceModel(categories={}, covering=True)])
def test_there_and_back(model: ReferenceModel, tmp_path: Path) -> None:
    text = model.to_toml(tmp_path / "model.toml")
    for again in (ReferenceModel.from_toml(text), ReferenceModel.from_toml(tmp_path / "model.toml")):
        assert again == model
        assert list(again.draw(3)) == list(model.draw(3))
    assert ReferenceModel.from_dict(model.to_dict()) == model


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_can_be_drawn(path: Path) -> None:
    model = ReferenceModel.from_toml(path)
    assert ReferenceModel.from_toml(model.to_toml()) == model
    assert len(model.draw(1)) > 0


def test_every_example_is_there() -> None:
    assert [path.stem for path in EXAMPLES] == ["categorisation", "dense-text", "gestures", "segmentation"]


def test_a_path_may_have_an_equals_sign(tmp_path: Path) -> None:
    path = tmp_path / "a=b.toml"
    path.write_text("units = 7", encoding="utf-8")
    assert ReferenceModel.from_toml(str(path)).units == Fixed(7)


def test_a_list_of_categories_is_enough() -> None:
    assert ReferenceModel.from_toml('categories = ["X", "Y"]').prevalence == {"X": 0.5, "Y": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unit = 3", "reference model: 'unit' is not a key of a reference model. Did you mean units?"),
        (
            "length = 'long'",
            "reference model: length: 'long' is not a distribution. Give a number, [LOW, HIGH], "
            "{median = X, sigma = X} or {values = [...]}.",
        ),
        (
            "length = [70, 30]",
            "reference model: length: the highest number (30) is below the lowest (70). Give [LOW, HIGH].",
        ),
        (
            "gap = -1",
            "reference model: gap: the number is -1, not a finite number of 0 or more. "
            "Give a finite number of 0 or more.",
        ),
        ("gap = { values = [] }", "reference model: gap: the list of values is empty. Give one value at least."),
        (
            "gap = { median = 0, sigma = 1 }",
            "reference model: gap: the median is 0, not above 0. Give a median above 0.",
        ),
        ("overlap = 2", "reference model: overlap: overlap is 2, not a share. Give a number from 0 to 1."),
        ("nesting = true", "reference model: nesting: nesting is True, not a share. Give a number from 0 to 1."),
        (
            "depth = 0",
            "reference model: depth: the depth is 0, not a whole number of 1 or more. "
            "Give a whole number of 1 or more.",
        ),
        ("covering = 1", "reference model: covering: covering is 1, not true or false. Choose true or false."),
        (
            "covering = true\noverlap = 0.1",
            "reference model: covering: units that cover the extent once cannot overlap "
            "or nest. Leave out covering, or overlap and nesting.",
        ),
        (
            "categories = 4",
            "reference model: categories: categories is 4, not a table or a list of names. "
            "Give a table of categories, or a list of their names.",
        ),
        (
            "[categories]\nA = -1",
            "reference model: categories.A: the prevalence is -1, not a number of 0 or more. Give a share or a count.",
        ),
        (
            "[categories]\nA = 0",
            "reference model: categories: no category has a prevalence above 0. "
            "Give at least one category a prevalence above 0.",
        ),
        (
            "[categories.A]\nlenght = 3",
            "reference model: categories.A: 'lenght' is not a key of a reference model. Did you mean length?",
        ),
        (
            "fixed_positions = true\n[categories.A]\nlength = 3",
            "reference model: fixed_positions: positions cannot be fixed if lengths or gaps depend on categories, "
            "which differ between references. Leave out fixed_positions, or the lengths and gaps of categories.",
        ),
        (
            "categories = {}\nuncategorised = 0.1",
            "reference model: uncategorised: uncategorised is 0.1, but there are no "
            "categories. Add categories, or leave uncategorised out.",
        ),
        (
            "extent = [5, 5]",
            "reference model: extent: the extent is (5, 5), not two whole numbers of which the second is "
            "larger. Give [START, END].",
        ),
        (
            "extent = [0.5, 5]",
            "reference model: extent: the extent is (0.5, 5), not two whole numbers of which the second "
            "is larger. Give [START, END].",
        ),
        (
            "extent = 7",
            "reference model: extent: the extent is 7, not two whole numbers of which the second is larger. "
            "Give [START, END].",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        ReferenceModel.from_toml(text + "\n")
    assert str(caught.value) == message


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('unit = 3\nlength = "long"\n[categories.A]\nprevalence = "x"\n', encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        ReferenceModel.from_toml(path)
    assert [problem.where for problem in caught.value.problems] == [
        str(path),
        f"{path}: length",
        f"{path}: categories.A",
    ]


def test_no_toml_no_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("units = = 3", encoding="utf-8")
    with pytest.raises(
        FormatError, match=re.escape(f"{path}: this is not valid TOML (Invalid value (at line 1, column 9))")
    ):
        ReferenceModel.from_toml(path)
    with pytest.raises(FormatError, match=r"none\.toml: there is no such file"):
        ReferenceModel.from_toml(tmp_path / "none.toml")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="the file cannot be read"):
        ReferenceModel.from_toml(path)


# -- fitted ------------------------------------------------------------------------------------------------------------


def test_fitted_by_hand() -> None:
    corpus = Corpus(
        (
            Continuum.of(
                {"a": [(0, 10, "X"), (15, 20, "X"), (18, 30, None), (19, 25, "Y")], "b": [], "c": [(3, 13, "X")]},
                name="one",
            ),
            Continuum.of({"a": [(0, 10, "X"), (10, 14, "X")]}, name="two"),
        )
    )
    model = ReferenceModel.fitted(corpus)
    assert model.units == Empirical((1, 2, 4))  # b marked nothing
    assert model.length == Empirical((4, 5, 6, 10, 10, 10, 12))
    assert model.gap == Empirical((0, 5))
    assert model.overlap == pytest.approx(1 / 3)  # 18-30 begins inside 15-20; 5 and 0 are gaps
    assert model.nesting == pytest.approx(1 / 4)  # 19-25 in 18-30, of the four that are not the first
    assert model.prevalence == {"X": 5 / 6, "Y": 1 / 6}
    assert model.uncategorised == pytest.approx(1 / 7)
    assert not model.decimals
    assert not model.covering


def test_fitted_knows_segmentations_and_decimals() -> None:
    corpus = draws(ReferenceModel(covering=True, decimals=True, categories={}))
    model = ReferenceModel.fitted(corpus)
    assert model.covering
    assert model.decimals
    assert model.categories == {}
    assert ReferenceModel.from_toml(model.to_toml()) == model


def test_nothing_to_fit() -> None:
    with pytest.raises(CorpusError, match="the corpus has no units to fit a model to"):
        ReferenceModel.fitted(Corpus((Continuum.of({"a": []}, name="d"),)))
