# SPDX-License-Identifier: MIT
"""Findings. Oracle: faults that were planted with the shuffling tool, and corpora in which nothing was planted."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest

import unisono
from unisono.diagnosis.boundary_differences import difference
from unisono.diagnosis.confusions import compare_classes
from unisono.diagnosis.diagnose import diagnose
from unisono.diagnosis.finding import Finding, Findings, Gain, Place, sort_findings, with_gains
from unisono.diagnosis.gathered_findings import gather_many, gather_small
from unisono.diagnosis.general import reading_rule
from unisono.shuffling import (
    BoundaryHabit,
    CategoryConfusion,
    CategoryErrors,
    Errors,
    FalseNegatives,
    FalsePositives,
    Merges,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_corpus,
)

MODEL = ReferenceModel(units=(5, 30), length=(5, 60), gap=(5, 40), categories={"A": 4, "B": 3, "C": 2, "D": 1})
EVERYDAY: list[Errors] = [FalseNegatives(magnitude_factor=0.8), PositionErrors(share=0.2, magnitude_factor=2)]
NAMES = ["Ada", "Ben", "Cem", "Dee"]


def explained(
    errors: list[Errors], seed: int, *, sets: int = 17, annotators: list[str] = NAMES, model: ReferenceModel = MODEL
) -> unisono.Explanation:
    corpus = shuffled_corpus(model, errors, 0.1, sets=sets, annotators=annotators, seed=seed)
    result = unisono.measure(corpus, ["gamma", "gamma-cat"], samples=10, seed=1, threads=1)
    return unisono.explain(result, what_if=False)


def first(errors: list[Errors], seed: int, **options: object) -> Finding:
    return explained([*EVERYDAY, *errors], seed, **options).findings[0]  # type: ignore[arg-type]


PLANTED: Mapping[str, tuple[Errors, str, set[str]]] = {
    "misses": (FalseNegatives(by=("Ben",), magnitude_factor=3), "annotator-misses", {"Ben"}),
    "adds": (FalsePositives(by=("Ben",), factor=2), "annotator-adds", {"Ben"}),
    "early": (BoundaryHabit(by=("Ben",), magnitude_factor=2), "annotator-boundaries", {"Ben"}),
    "late": (BoundaryHabit(by=("Ben",), start=0, end=1, magnitude_factor=2), "annotator-boundaries", {"Ben"}),
    "splits": (Splits(law="each", by=("Ben",), at_least=35, magnitude_factor=5), "annotator-splits", {"Ben"}),
    "merges": (Merges(by=("Ben",), same_category=True, magnitude_factor=9), "annotator-merges", {"Ben"}),
    "categories": (CategoryErrors(by=("Ben",), magnitude_factor=4), "annotator-categories", {"Ben"}),
    "confusion": (
        CategoryConfusion(category="B", instead="C", is_mutual=True, magnitude_factor=3),
        "categories-confused",
        {"B", "C"},
    ),
    "short": (FalseNegatives(at_most=18, magnitude_factor=4), "short-units-missed", set()),
}


@pytest.mark.parametrize("fault", PLANTED)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_planted_fault_comes_first(fault: str, seed: int) -> None:
    errors, kind, subject = PLANTED[fault]
    finding = first([errors], seed)
    assert finding.kind == kind
    assert subject <= set(finding.subject.values())
    assert finding.places
    assert finding.p is not None
    assert finding.p < 0.001


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("sets", [4, 17])
def test_nothing_is_named_where_nothing_is_planted(seed: int, sets: int) -> None:
    """Category errors by chance too: no two categories stand out. The next test says how often it may be otherwise."""
    findings = explained([*EVERYDAY, CategoryErrors(), FalsePositives(factor=1)], seed, sets=sets).findings
    assert not [finding for finding in findings if finding.names_something]


@pytest.mark.long
def test_how_often_something_is_named_where_nothing_is_planted() -> None:
    """At most 5 % of 120 corpora; the levels of the three families of tests add up to 3 %."""
    named = 0
    for seed in range(120):
        findings = explained([*EVERYDAY, CategoryErrors()], 100 + seed, sets=10).findings
        named += any(finding.names_something for finding in findings)
    assert named <= 6


def test_sizes_are_those_planted() -> None:
    missed = first([FalseNegatives(by=("Ben",), magnitude_factor=3)], 5)
    assert missed.size == pytest.approx(1 - 0.92 * 0.7, abs=0.07)
    assert missed.interval is not None
    assert missed.interval[0] < 1 - 0.92 * 0.7 < missed.interval[1]
    early = first([BoundaryHabit(by=("Ben",), magnitude_factor=2)], 5)
    assert (early.size, early.size_unit) == (pytest.approx(-0.2, abs=0.02), "lengths")
    confused = first([CategoryConfusion(category="B", instead="C", is_mutual=True, magnitude_factor=3)], 5)
    assert confused.size == pytest.approx(2 * 0.3 * 0.7, abs=0.06)


def test_one_document_is_enough_where_units_are_many() -> None:
    model = ReferenceModel(units=200, length=(5, 60), gap=(5, 40))
    assert first([FalseNegatives(by=("Ben",), magnitude_factor=3)], 1, sets=1, model=model).kind == "annotator-misses"


def test_an_annotator_who_stands_out_does_not_make_others_stand_out() -> None:
    """Beside somebody who begins early, everybody else begins late; only the one is named."""
    for seed in range(3):
        findings = explained([*EVERYDAY, BoundaryHabit(by=("Ben",), magnitude_factor=5)], seed).findings
        assert {finding.subject["annotator"] for finding in findings if "annotator" in finding.subject} == {"Ben"}


@pytest.mark.parametrize(
    ("errors", "kind", "words"),
    [
        (FalseNegatives(by=("Ben",), magnitude_factor=3), "annotator-misses", "fewer units than Ada"),
        (BoundaryHabit(by=("Ben",), magnitude_factor=2), "annotator-boundaries", "than "),
        (Splits(law="each", by=("Ben",), at_least=35, magnitude_factor=5), "annotator-splits", "where Ada has one"),
        (CategoryConfusion(category="A", instead="B", by=("Ben",), magnitude_factor=3), "annotator-categories", "says"),
    ],
)
def test_two_annotators_differ_from_each_other(errors: Errors, kind: str, words: str) -> None:
    """Differences between the two, told once, never as one person's fault."""
    findings = explained([errors], 1, annotators=["Ada", "Ben"]).findings
    told = [finding for finding in findings if "annotator" in finding.subject]
    assert [finding.kind for finding in told] == [kind]
    assert words in told[0].sentence
    assert {"Ada", "Ben"} <= set(told[0].sentence.replace(":", " ").replace(".", " ").replace(",", " ").split())
    assert "others" not in told[0].sentence


def test_worst_documents() -> None:
    corpus = shuffled_corpus(MODEL, EVERYDAY, 0.1, sets=20, annotators=NAMES, seed=1)
    bad = shuffled_corpus(MODEL, [FalseNegatives(), PositionErrors()], 0.6, sets=[99], annotators=NAMES, seed=1)
    result = unisono.measure(unisono.Corpus((*corpus, *bad)), samples=5, seed=1, threads=1)
    findings = unisono.explain(result, what_if=False).findings
    (worst,) = [finding for finding in findings if finding.kind == "documents-worst"]
    assert worst.subject == {"document": "set-0099"}
    assert findings[-1].kind == "documents-worst"
    even = unisono.measure(corpus, samples=5, seed=1, threads=1)
    assert not [f for f in unisono.explain(even, what_if=False).findings if f.kind == "documents-worst"]


@pytest.mark.parametrize(
    ("errors", "words"), [(FalseNegatives(), "well below"), (CategoryErrors(), "the categories are the problem")]
)
def test_the_reading_rule(errors: Errors, words: str) -> None:
    corpus = shuffled_corpus(MODEL, errors, 0.4, sets=20, annotators=NAMES, seed=1)
    (finding,) = reading_rule(unisono.measure(corpus, ["gamma", "gamma-cat"], samples=20, seed=1, threads=1))
    assert words in finding.sentence
    assert reading_rule(unisono.measure(corpus, ["gamma"], samples=5, seed=1, threads=1)) == []


def test_what_most_of_the_disorder_is() -> None:
    kinds = {
        "units-missed": FalseNegatives(),
        "boundaries-vague": PositionErrors(magnitude_factor=4),
        "categories-vague": CategoryErrors(),
    }
    for kind, errors in kinds.items():
        findings = explained([errors], 1).findings
        assert kind in {finding.kind for finding in findings if not finding.subject}


def test_the_order_and_the_gains() -> None:
    def finding(kind: str, disorder: float, **subject: str) -> Finding:
        return Finding(kind, subject, f"{kind}.", 0.1, "share", None, "", disorder=disorder)

    found = sort_findings(
        [
            finding("units-missed", 0.9),
            finding("categories-confused", 0.1, category="B", other_category="A"),
            finding("annotator-adds", 0.2, annotator="Ben"),
        ]
    )
    assert [each.kind for each in found] == ["annotator-adds", "categories-confused", "units-missed"]
    gains = {
        ("annotator", "Ben"): Gain(0.5, 0.7),
        ("categories-merged", "A", "B"): Gain(0.6, 0.65),
        ("missed",): Gain(0.6, 0.9),
    }
    settled = with_gains(found, gains, "γ", 0.6)
    assert [each.gain for each in settled] == pytest.approx([0.2, 0.05, 0.3])
    assert settled[0].sentence.endswith("would change γ from 0.50 to 0.70, measured on fewer documents or samples.")
    assert settled[1].sentence == "categories-confused. Merging the two would change γ from 0.60 to 0.65."
    assert str(Findings()) == "Nothing stands out."


def test_json_has_plain_numbers() -> None:
    explanation = explained([*EVERYDAY, FalseNegatives(by=("Ben",), magnitude_factor=3)], 3)
    data = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert {
        "schema", "signature", "gamma", "findings", "equivalents", "what_if", "annotators", "categories", "properties",
        "advice",
    } <= set(data)  # fmt: skip
    assert set(data["findings"][0]) >= {
        "kind", "subject", "sentence", "size", "size_unit", "interval", "gain", "next", "places",
    }  # fmt: skip
    assert {row["annotator"] for row in data["annotators"]} == set(NAMES)
    frame = explanation.to_frame("annotators", backend="pandas")
    assert frame["misses"].tolist() == [row["misses"]["value"] for row in data["annotators"]]
    assert explanation.to_frame(backend="pandas")["annotator"].iloc[0] == "Ben"


def test_no_alignment_no_diagnosis() -> None:
    corpus = unisono.corpus({"d": {"ann": [], "bob": []}})
    result = unisono.measure(corpus, samples=5, seed=1)
    assert diagnose(result) is None
    assert unisono.explain(result, what_if=False).findings == ()


@pytest.mark.parametrize(
    ("first", "last", "is_start", "what"),
    [
        (0, 4, True, "determiner"),
        (0, 4, False, "words"),
        (3, 4, True, "blanks"),
        (15, 16, False, "punctuation"),
        (4, 8, True, "words"),
        (5, 8, True, "part of a word"),
        (15, 17, False, "punctuation"),
    ],
)
def test_what_boundaries_differ_by(first: int, last: int, is_start: bool, what: str) -> None:
    assert difference("The old tortoi!? Yes", first, last, is_start=is_start) == what


def test_a_leading_determiner_is_named() -> None:
    text = " ".join(["the king saw the queen and the fool"] * 20)
    starts = [i for i in range(len(text)) if text.startswith("the ", i)]
    nouns = [(i + 4, (text + " ").index(" ", i + 4), "P") for i in starts]
    random = np.random.default_rng(1)
    units = {name: [unit for unit in nouns if random.random() < 0.9] for name in ("Ada", "Cem", "Dee")} | {
        "Ben": [(start - 4, end, label) for start, end, label in nouns]
    }
    corpus = unisono.Corpus((unisono.Continuum.of(units, name="d", text=text),))
    result = unisono.measure(corpus, samples=5, seed=1, threads=1)
    finding = unisono.explain(result, what_if=False).findings[0]
    assert finding.kind == "annotator-boundaries"
    assert finding.sentence.endswith("In 60 of 60 cases the difference is a leading determiner.")


def test_an_annotator_who_marks_nothing() -> None:
    """One of three: the others have nothing to miss. One of two: no percentage with an interval of no width."""
    units = [(10 * i, 10 * i + 6, "AB"[i % 2]) for i in range(8)]
    three = unisono.corpus({f"d{i}": {"Ada": units, "Ben": [], "Cem": units} for i in range(6)})
    finding = unisono.explain(three, samples=5, seed=1, what_if=False).findings[0]
    assert finding.sentence == (
        "Ben misses 100 % of the units that most of the others mark (93-100 %). Ben marks no unit at all."
    )
    two = unisono.corpus({f"d{i}": {"Ada": units, "Ben": []} for i in range(6)})
    finding = unisono.explain(two, samples=5, seed=1, what_if=False).findings[0]
    assert finding.sentence == "Ben marks no unit, and Ada 48 units in the same documents."
    assert finding.interval is None


def test_the_category_of_one_of_two_is_told_with_the_reverse() -> None:
    errors = CategoryConfusion(category="A", instead="B", by=("Ben",), magnitude_factor=3)
    (finding,) = [
        each for each in explained([errors], 1, annotators=["Ada", "Ben"]).findings if "annotator" in each.subject
    ]
    assert finding.sentence.endswith(" times); the reverse never.")
    assert finding.p is not None
    assert finding.p < 0.001
    assert "together" in finding.next


def test_a_few_equal_values_prove_nothing() -> None:
    """Two places of one class and two of another, without any spread inside: chance does it in one of six cases."""
    same = np.zeros(4, dtype=np.int64)
    _, _, p = compare_classes(np.array([0, 0, 1, 1]), same, np.array([0.3, 0.3, 0.0, 0.0]), 2)
    assert p[0] > 0.1
    many = np.repeat([0, 1], 50)
    assert compare_classes(many, np.zeros(100, dtype=np.int64), np.where(many == 0, 0.3, 0.0), 2)[2][0] < 1e-9


def test_two_annotators_and_short_units() -> None:
    units = [(30 * i, 30 * i + 1 + i % 20, "A") for i in range(120)]
    random = np.random.default_rng(1)
    some = [unit for unit in units if unit[1] - unit[0] > 8 or random.random() < 0.4]
    corpus = unisono.corpus({"d": {"Ada": units, "Ben": some}})
    findings = unisono.explain(corpus, samples=5, seed=1, what_if=False).findings
    (finding,) = [each for each in findings if each.kind == "short-units-missed"]
    short = [unit for unit in units if unit[1] - unit[0] <= 5]
    assert finding.size == pytest.approx(1 - sum(unit in some for unit in short) / len(short))
    assert "marked by only one of the two" in finding.sentence


def test_many_annotators_share_a_finding() -> None:
    """Six of 100 who miss units are one finding, the one who adds some has a finding alone."""
    place = Place("d", 0, 5)
    misses = [
        Finding(
            "annotator-misses", {"annotator": f"w{i}"}, "", 0.9, "share", None, "", (place,), disorder=0.01 * i, p=0.001
        )
        for i in range(6)
    ]
    adds = Finding("annotator-adds", {"annotator": "w9"}, "", 0.5, "share", None, "", disorder=0.2, p=0.001)
    together, alone = gather_many([*misses, adds], 100)
    assert together.sentence == (
        "6 of 100 annotators miss units that most of the others mark, more often than the others do: w5 (90 %), "
        "w4 (90 %), w3 (90 %), w2 (90 %), w1 (90 %) and 1 more."
    )
    assert (together.subject, together.size, together.names_something) == ({}, 0.06, True)
    assert together.disorder == pytest.approx(0.15)
    assert len(together.places) == 3
    assert alone is adds
    assert gather_many(misses[:5], 100) == sorted(misses[:5], key=lambda finding: -finding.disorder)
    early = [Finding("annotator-boundaries", {"annotator": str(i)}, "", -0.2, "lengths", None, "") for i in range(6)]
    assert gather_many(early, 9)[0].sentence == (
        "6 of 9 annotators begin or end units early or late, compared with most of the others: "
        + ", ".join(f"annotator {i} (20 % of the length)" for i in range(5))
        + " and 1 more."
    )


def test_small_differences_of_annotators_share_a_finding() -> None:
    kinds = ["annotator-misses", "annotator-adds", "annotator-splits", "annotator-categories"]
    findings = [
        Finding(
            kinds[i % 4],
            {"annotator": f"worker-{i // 4}"},
            f"{i}",
            0.1,
            "share",
            None,
            "",
            disorder=0.1 / (i + 1),
            p=i / 99,
        )
        for i in range(8)
    ]
    assert gather_small(findings[:7]) == findings[:7]
    *kept, small = gather_small(findings[::-1])
    assert kept == findings[:5]
    assert (small.kind, dict(small.subject), small.size_unit) == ("annotators-differ", {}, "disorder")
    assert small.size == pytest.approx(0.1 / 6 + 0.1 / 7 + 0.1 / 8)
    assert small.sentence == (
        "3 smaller differences of annotators are 4.3 % of the disorder together: "
        "worker-1 (adds units, splits, categories)."
    )
    assert list(sort_findings([small, *kept])) == [*kept, small]


def test_names_that_are_numbers_are_told_with_what_they_name() -> None:
    """Annotators and categories that have only numbers: "2 misses 42 %" would read as a count."""
    model = ReferenceModel(units=(5, 30), length=(5, 60), gap=(5, 40), categories={"1": 4, "2": 3, "3": 2})
    errors = [
        *EVERYDAY,
        FalseNegatives(by=("2",), magnitude_factor=3),
        BoundaryHabit(by=("4",), magnitude_factor=2),
        CategoryConfusion(category="1", instead="3", is_mutual=True, magnitude_factor=3),
    ]
    findings = explained(errors, 1, sets=8, model=model, annotators=["1", "2", "3", "4"]).findings
    by_kind = {finding.kind: finding for finding in findings}
    misses, begins = by_kind["annotator-misses"], by_kind["annotator-boundaries"]
    assert misses.sentence.startswith("Annotator 2 misses ")
    assert misses.next.startswith("Show annotator 2 the places")
    assert misses.subject == {"annotator": "2"}
    assert begins.sentence.startswith("Annotator 4 begins units ")
    assert by_kind["categories-confused"].sentence.startswith("Category 1 and category 3 are taken for each other ")


def test_a_difference_that_is_certain_and_small_is_not_named() -> None:
    """Ben misses 3 % more in 4,800 units: more than chance, and nothing to speak about."""
    errors = [*EVERYDAY, FalseNegatives(by=("Ben",), magnitude_factor=0.3)]
    explanation = explained(errors, 1, sets=70, model=ReferenceModel(units=70, length=(5, 60), gap=(5, 40)))
    (ben,) = [row for row in explanation.annotators if row["annotator"] == "Ben"]
    assert ben["misses"]["p"] < 1e-4
    assert not ben["misses"]["stands_out"]
    assert not [finding for finding in explanation.findings if "annotator" in finding.subject]


def test_who_differs_most_is_taken_out_before_who_differs_in_most_places() -> None:
    """Ada sees all documents, Zoe only some and misses most there; beside Zoe, Ada seems to add. Only Zoe is named."""
    random = np.random.default_rng(1)
    documents = {}
    for number in range(60):
        units = [(20 * i, 20 * i + 8, "A") for i in range(12)]
        third = "Zoe" if number < 20 else f"w{number % 7}"
        kept = {"Ada": 0.95, "Ben": 0.9, third: 0.15 if third == "Zoe" else 0.9}
        documents[f"d{number}"] = {
            name: [unit for unit in units if random.random() < share] for name, share in kept.items()
        }
    findings = unisono.explain(unisono.corpus(documents), samples=5, seed=1, what_if=False).findings
    named = {finding.subject["annotator"] for finding in findings if "annotator" in finding.subject}
    assert named == {"Zoe"}


def test_a_rare_category_that_is_lost_in_a_frequent_one_is_told() -> None:
    """Half of the few C become A: a small part of the pairs of both, half of those of C."""
    model = ReferenceModel(units=20, length=(5, 60), gap=(5, 40), categories={"A": 20, "B": 20, "C": 2, "D": 5})
    findings = explained([CategoryConfusion(category="C", instead="A", magnitude_factor=5)], 1, model=model).findings
    (finding,) = [each for each in findings if each.kind == "categories-confused"]
    assert finding.subject == {"category": "A", "other_category": "C"}
    assert finding.size < 0.1
    assert "% of those with C)." in finding.sentence


def test_a_result_has_its_own_settings() -> None:
    result = unisono.measure(unisono.corpus({"d": {"ann": [(0, 5)], "bob": [(0, 5)]}}), samples=5, seed=1)
    with pytest.raises(unisono.ParameterError, match="a result has its own settings"):
        unisono.explain(result, seed=2)


def test_the_quick_explanation_has_what_needs_no_measurement() -> None:
    quick = explained(EVERYDAY, 1, sets=4)
    assert quick.significance.p == pytest.approx(1e-4)
    assert quick.properties.documents == 4
    assert quick.advice
    assert (quick.what_if, quick.equivalents) == ((), ())


def test_the_value_explained_is_the_one_that_is_measured_again() -> None:
    """γcat is explained, whatever else was measured before it."""
    corpus = shuffled_corpus(MODEL, CategoryErrors(), 0.3, sets=2, annotators=NAMES, seed=1)
    result = unisono.measure(corpus, ["u-alpha", "gamma-cat"], samples=5, seed=1, threads=1)
    assert unisono.explain(result, what_if=False).measure == "gamma-cat"


def test_settling_that_changes_nothing_is_not_told() -> None:
    finding = Finding("units-missed", {}, "Missed.", 0.1, "share", None, "", disorder=0.1)
    (settled,) = with_gains([finding], {("missed",): Gain(0.6, 0.601)}, "γ", 0.6)
    assert (settled.sentence, settled.gain) == ("Missed.", pytest.approx(0.001))
    nameless = Finding("categories-confused", {"category": None, "other_category": "A"}, "C.", 0.1, "share", None, "")
    assert with_gains([nameless], {("categories-merged", "A", "None"): Gain(0.6, 0.7)}, "γ", 0.6)[0].gain is None
