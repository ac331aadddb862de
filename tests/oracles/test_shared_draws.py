# SPDX-License-Identifier: MIT
"""Random continua that subsets share. Oracles: the shift model of the subset alone, patterns counted, `align`."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from scipy import stats

import unisono
from generators import spread_continuum
from unisono.alignment import NO_LIMITS, best_alignment
from unisono.analysis.annotators import leave_one_out
from unisono.analysis.shared_draws import SMALL, DocumentDraws, SharedShift, draws_serve
from unisono.analysis.subsets import Subsets
from unisono.api import plan_measurement
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue
from unisono.sampling import Expected, Sampling, expected
from unisono.sampling.draws import draws

#: Five annotators with different numbers of units, one without any; equal units but for the names: "cat" and "dog".
DOCUMENT = Continuum.of(
    {
        "ann": [(0, 5, "X"), (20, 26, "Y"), (40, 44, "X"), (60, 66, "Y")],
        "bob": [(1, 5, "X"), (21, 26, "X")],
        "cat": [(40, 45, "Z")],
        "dog": [(40, 45, "Z")],
        "eve": [],
    },
    extent=(0, 100),
    name="d",
)
#: A number: the mean length of units is not the same in a subset as in the whole document.
SHIFT = Shift(minimum_distance=3)


def all_but(name: str, document: Continuum = DOCUMENT) -> Continuum:
    return document.restrict([other for other in document.annotators if other != name])


def made(document: Continuum = DOCUMENT, *, judged: bool = False, seed: int = 1) -> DocumentDraws:
    return DocumentDraws(document, SHIFT, CombinedDissimilarity(), seed, judged=judged)


def expected_without(name: str, samples: int, *, shared: bool, judged: bool = False, seed: int = 1) -> Expected:
    chance = SharedShift(SHIFT, {"d": (DOCUMENT, name)}) if shared else SHIFT
    columns = CoreDocuments.of((all_but(name),), CombinedDissimilarity(), judged=judged)
    return expected(columns, chance, Sampling(samples=samples), seed=seed)[0]


def test_sources_follow_the_law_of_the_subset() -> None:
    """Oracle: every pattern of three sources among three annotators is equally likely."""
    document = Continuum.of({name: [(10 * i, 10 * i + 5 + i)] for i, name in enumerate("abcd")}, extent=(0, 60))
    draws = made(document)
    numbers = draws.columns.numbers.numbering(0).annotators
    for left_out in "abcd":
        chosen = draws.without(left_out, 0, 5_400)
        others = [number for number, name in enumerate(numbers) if name != left_out]
        patterns = dict.fromkeys(itertools.product(others, repeat=3), 0)
        for draw in chosen.tolist():
            patterns[tuple(draws._model.sources(0, draw, 1).tolist())] += 1
        assert stats.chisquare(list(patterns.values())).pvalue > 1e-3


@pytest.mark.parametrize("name", ["ann", "cat", "eve"])
def test_disorders_follow_the_law_of_the_subset(name: str) -> None:
    """Oracle: random continua of the subset alone. With eve, some draws have no unit and are repeated."""
    shared, alone = (expected_without(name, 6_000, shared=way, judged=True) for way in (True, False))
    assert stats.ks_2samp(shared.disorders, alone.disorders).pvalue > 1e-3
    assert shared.labels == alone.labels
    for mine, theirs in zip(shared.per_label, alone.per_label, strict=True):
        assert mine is not None
        assert theirs is not None
        error = np.hypot(mine.sd / np.sqrt(mine.n), theirs.sd / np.sqrt(theirs.n))
        assert abs(mine.mean - theirs.mean) <= 4 * error + 1e-12
    assert (shared.redraws > 0) == (alone.redraws > 0)


def test_draws_are_aligned_as_best_alignment_does() -> None:
    """Oracle: each drawn continuum written out and aligned by itself."""
    document = spread_continuum(5, 6, 0, seed=4)
    draws = made(document)
    annotator = document.annotators[2]
    chosen = draws.without(annotator, 0, 25)
    found = draws.align(chosen, "once", 1, NO_LIMITS)
    order = draws.columns.numbers.order
    for draw, disorder, bound in zip(chosen.tolist(), found.disorders, found.bounds, strict=True):
        starts, ends, _, rows, source, _ = draws._model.draw(0, draw)
        units = [document[int(order[unit])] for unit in source]
        assert annotator not in {unit.annotator for unit in units}
        written = Continuum.of(
            {
                str(row): [
                    (float(start), float(end), unit.category)
                    for start, end, unit, its in zip(starts, ends, units, rows, strict=True)
                    if its == row
                ]
                for row in range(document.n_annotators - 1)
            }
        )
        assert disorder == bound == pytest.approx(best_alignment(written).disorder, abs=1e-12)


def test_each_draw_is_aligned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Property: what one subset has aligned, the others take; nobody gets other samples for that."""
    alone = {name: expected_without(name, 40, shared=True).disorders for name in DOCUMENT.annotators}
    draws = made()
    for name in DOCUMENT.annotators:
        chosen = draws.without(name, 0, 40)
        assert draws.align(chosen, "once", 1, NO_LIMITS).disorders.tolist() == alone[name].tolist()
    n_aligned = sum(int(np.sum(~np.isnan(each.disorders))) for each in draws._aligned.values())
    assert n_aligned < 3.5 * 40

    def fail(*_: object) -> None:
        raise AssertionError("aligned again")

    monkeypatch.setattr(draws, "_model", type("Model", (), {"sample": fail})())
    draws.align(draws.without("bob", 10, 20), "once", 1, NO_LIMITS)


def test_more_samples_begin_with_the_same_ones() -> None:
    few, many = (expected_without("bob", n, shared=True).disorders for n in (10, 300))
    assert many[:10].tolist() == few.tolist()


def test_another_process_draws_the_same() -> None:
    """Property: the model can be sent elsewhere, and what was kept does not come along."""
    model = SharedShift(SHIFT, {"d": (DOCUMENT, "ann")})
    columns = CoreDocuments.of((all_but("ann"),), CombinedDissimilarity())
    here = expected(columns, model, Sampling(samples=20), seed=3)[0]
    sent = pickle.loads(pickle.dumps(model))
    assert sent.kept == {}
    assert expected(columns, sent, Sampling(samples=20), seed=3)[0].disorders.tolist() == here.disorders.tolist()


def corpus_of(n_annotators: int, n_documents: int = 3) -> Corpus:
    return Corpus(tuple(spread_continuum(n_annotators, 8, 1, seed=i).rename(f"d{i}") for i in range(n_documents)))


def subsets_of(corpus: Corpus, measure: str = "gamma", **settings: object) -> Subsets:
    return Subsets(*plan_measurement(corpus, [measure], None, None, {"seed": 1, **settings}), measure)


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat"])
def test_leave_one_out_is_within_computation_error_of_measure(measure: str) -> None:
    """Oracle: `measure` on the corpus without the annotator, with as many samples: 4.5 standard errors of both."""
    corpus = corpus_of(6)
    subsets = subsets_of(corpus, measure, samples=400)

    def error(values: tuple[MeasureValue, ...]) -> float:
        parts = [(v.weight or 0) * (v.chance_sd or 0) / np.sqrt(v.n_samples or 1) for v in values]
        return float(np.sqrt(np.sum(np.square(parts)))) / sum((v.weight or 0) * (v.expected or 0) for v in values)

    for name in corpus.annotators:
        others = [other for other in corpus.annotators if other != name]
        shared = subsets.value(subsets.part(range(3), others))
        plain = unisono.measure(corpus.restrict(others), measure, seed=1, samples=400, intervals=False)
        alone = tuple(document[measure] for document in plain.documents)
        assert shared.overall.observed == pytest.approx(plain[measure].observed, abs=1e-12)
        assert shared.overall.value is not None
        relative = np.hypot(error(shared.documents), error(alone))
        assert abs(shared.overall.value - plain[measure].value) <= 4.5 * relative * (1 - shared.overall.value)
        assert {value.n_samples for value in shared.documents} == {400}


def test_a_subset_does_not_depend_on_the_others() -> None:
    """Property: measured alone, with all the others, from a result, on two threads: the same bits."""
    corpus = corpus_of(5)
    others = corpus.annotators[1:]
    tables = [leave_one_out(corpus, seed=1, threads=threads)[0].without for threads in (1, 2)]
    subsets = subsets_of(corpus)
    alone = subsets.ratios(subsets.part(range(3), others)).value
    of_result = leave_one_out(unisono.measure(corpus, seed=1))[0].without
    assert tables == [alone, alone]
    assert of_result == alone


def test_samples_are_those_of_the_whole_document() -> None:
    """Property: a shared mean has as many samples as the whole document."""
    subsets = subsets_of(corpus_of(5), plain_sampling=True)
    for i, continuum in enumerate(subsets.corpus):
        whole = subsets.value(subsets.part([i])).documents[0]
        for name in continuum.annotators:
            part = subsets.part([i], set(continuum.annotators) - {name})
            assert subsets.value(part).documents[0].n_samples == whole.n_samples


def segmented(*numbers: int) -> Continuum:
    """A document whose annotators divide it into so many segments each: which of them are drawn decides nearly all."""
    cuts = {f"a{i}": [round(300 * k / n) + i for k in range(n + 1)] for i, n in enumerate(numbers)}
    return Continuum.of(
        {name: [(a, b, "X") for a, b in itertools.pairwise(of)] for name, of in cuts.items()}, extent=(0, 305), name="d"
    )


@pytest.mark.parametrize("numbers", [(2, 9, 4, 12, 6), (6, 6, 6, 6, 6)])
def test_a_shared_mean_accounts_for_its_sources(numbers: tuple[int, ...]) -> None:
    """Oracle: the mean of the subset alone, from as many samples of its own; a plain one would be less precise."""
    document, settings = segmented(*numbers), {"seed": 1, "chance": Shift(minimum_distance=10)}
    subsets = subsets_of(Corpus((document,)), **settings)
    whole = subsets.value(subsets.part([0])).documents[0]
    for name in document.annotators:
        alone = unisono.measure(all_but(name, document), samples=whole.n_samples, **settings)["gamma"]
        found = subsets.value(subsets.part([0], set(document.annotators) - {name})).documents[0]
        assert found.n_samples == whole.n_samples
        assert found.effective_samples is not None or len(set(numbers)) == 1
        error = 4 * np.hypot(standard_error(alone), standard_error(found))
        assert found.expected == pytest.approx(alone.expected, abs=float(error))
        assert standard_error(found) < 2 * standard_error(alone)


def standard_error(value: MeasureValue) -> float:
    """The standard error of the expected disorder."""
    assert value.chance_sd is not None
    assert value.n_samples is not None
    return value.chance_sd / float(np.sqrt(value.n_samples))


@pytest.mark.parametrize("name", ["ann", "cat", "dog", "eve"])
def test_the_sources_of_shared_draws(name: str) -> None:
    """Oracle: the numbers of units of the sources, drawn one by one; "cat" and "dog" are equal, one stands for both."""
    columns = CoreDocuments.of((all_but(name),), CombinedDissimilarity(), judged=False)
    variates = draws(SharedShift(SHIFT, {"d": (DOCUMENT, name)}), columns, 1).variates(0)
    assert variates is not None
    _, share, units = variates(0, 40).kinds()
    assert share.sum() == pytest.approx(1.0)
    whole = made()
    of_number = [len(DOCUMENT.units_of(each)) for each in whole.columns.numbers.numbering(0).annotators]
    for sample, row in enumerate(variates(10, 30).counts().reshape(30, -1).tolist()):
        draw = int(whole.without(name, 10 + sample, 1)[0])
        drawn = [of_number[source] for source in whole._model.sources(0, draw, 1).tolist()]
        assert sorted(np.repeat(units, row).tolist()) == sorted(drawn)


def test_names_do_not_matter_and_equal_annotators_have_equal_values() -> None:
    """Property: renamed annotators have the values that they had; cat and dog marked the same."""
    new = {"ann": "z", "bob": "y", "cat": "b", "dog": "a", "eve": "m"}
    renamed = Continuum.of(
        {new[name]: [(u.start, u.end, u.category) for u in DOCUMENT.units_of(name)] for name in DOCUMENT.annotators},
        extent=(0, 100),
        name="d",
    )
    before, after = (
        {row.annotator: row.without for row in leave_one_out(Corpus((each,)), seed=1, samples=30)}
        for each in (DOCUMENT, renamed)
    )
    assert {new[name]: value for name, value in before.items()} == after
    assert before["cat"] == before["dog"]


def test_four_annotators_and_other_chance_models_are_measured_alone() -> None:
    """Oracle: `measure` on the corpus without the annotator, to the bit."""
    for corpus, settings in ((corpus_of(4), {}), (corpus_of(5), {"chance": "positions-kept"})):
        name, *others = corpus.annotators
        row = next(row for row in leave_one_out(corpus, seed=1, samples=20, **settings) if row.annotator == name)
        plain = unisono.measure(corpus.restrict(others), seed=1, samples=20, intervals=False, **settings)
        assert row.without == pytest.approx(plain["gamma"].value, abs=1e-12)


def test_progress_goes_forward() -> None:
    """Property: the number of subsets done never falls, and ends at all of them."""
    calls: list[tuple[int, int, str]] = []
    leave_one_out(corpus_of(5), seed=1, progress=lambda *call: calls.append(call))
    done = [call[0] for call in calls]
    assert done == sorted(done)
    assert {call[1] for call in calls} == {3 * 6}  # everybody, and everybody but one of five
    assert done[-1] == 3 * 6


def test_who_needs_another_minimum_distance_is_measured_alone() -> None:
    """Oracle: `measure`. Without the one long unit the mean length of units, and with it the distance, is much less."""
    units = {name: [(20 * k + 2 * i, 20 * k + 2 * i + 4, "X") for k in range(8)] for i, name in enumerate("abcde")}
    document = Continuum.of({**units, "long": [(0, 95, "X")]}, extent=(0, 200), name="d")
    served = {name: draws_serve(all_but(name, document), document, Shift()) for name in document.annotators}
    assert served == {**dict.fromkeys("abcde", True), "long": False}
    assert draws_serve(all_but("long", document), document, Shift(minimum_distance=4))
    rows = {row.annotator: row.without for row in leave_one_out(Corpus((document,)), seed=1, samples=20)}
    plain = unisono.measure(all_but("long", document), seed=1, samples=20)["gamma"]
    assert rows["long"] == pytest.approx(plain.value, abs=1e-12)
    assert rows["a"] != pytest.approx(unisono.measure(all_but("a", document), seed=1, samples=20)["gamma"].value)


def test_no_room_for_the_distances() -> None:
    """Where only one of the two has room for its minimum distances, shifts have another law: no sharing."""
    document = Continuum.of({name: [(5 * i, 5 * i + 10)] for i, name in enumerate("abcdef")}, extent=(0, 43), name="d")
    longer = Continuum.of({**{n: [(5 * i, 5 * i + 10)] for i, n in enumerate("abcde")}, "f": [(0, 16)]}, extent=(0, 43))
    assert draws_serve(all_but("f", document), document, Shift())
    assert not draws_serve(all_but("f", longer), longer, Shift())  # 4 * 10 < 43, but not 4 * 11


@pytest.mark.parametrize(("n_annotators", "gap"), [(5, 0), (6, 1)])
def test_the_minimum_distance_hardly_matters(n_annotators: int, gap: int) -> None:
    """How far the expected disorder moves with a distance that differs as much as it may: 0.3 % at most."""
    document = spread_continuum(n_annotators, 12, gap, seed=3)
    columns = CoreDocuments.of((document,), CombinedDissimilarity(), judged=False)
    means = []
    for factor in (1.0, 1 + SMALL):
        chance = Shift(minimum_distance=factor * Shift().distance(document))
        found = expected(columns, chance, Sampling(samples=5_000), seed=1)[0].disorders
        means.append((float(np.mean(found)), float(np.std(found)) / np.sqrt(len(found))))
    (mean, error), (other, other_error) = means
    assert abs(mean - other) <= 0.003 * mean + 3 * np.hypot(error, other_error)
