# SPDX-License-Identifier: MIT
"""Oracle: small tasks of each kind of Mathet et al. 2015, section 2.1 and Appendix A, whose properties are known."""

from __future__ import annotations

from typing import Any

import pytest

import unisono
from unisono.diagnosis.advice import advise
from unisono.diagnosis.properties import Properties, properties_of


def _found(units: dict[str, list[tuple[Any, ...]]], **more: dict[str, list[tuple[Any, ...]]]) -> Properties:
    return properties_of(unisono.corpus({"d": units, **more}))


def _choices(found: Properties) -> dict[str, str]:
    first: dict[str, str] = {}
    for advice in advise(found):
        first.setdefault(advice.setting, advice.choice)
    return first


def test_part_of_speech_is_pure_categorisation() -> None:
    words = [(0, 3), (3, 7), (7, 9)]
    found = _found({n: [(*w, c) for w, c in zip(words, tags, strict=True)] for n, tags in (("a", "NVN"), ("b", "NVV"))})
    assert (found.units, found.is_covering, found.categories) == ("given", True, "nominal")
    assert _choices(found)["measures"] == "kappa,alpha"
    assert _choices(found)["chance"] == "positions-kept"


def test_named_entities_are_sporadic_and_found() -> None:
    found = _found({"a": [(0, 5, "PER"), (9, 20, "ORG"), (12, 15, "LOC")], "b": [(0, 5, "PER"), (9, 20, "ORG")]})
    assert (found.units, found.is_covering) == ("found", False)
    assert found.nested == pytest.approx(1 / 5)
    assert found.gaps == 1.0
    assert _choices(found) == {
        "measures": "gamma,gamma-cat,gamma-k",
        "chance": "shift",
        "positional": "sporadic",
        "extent": "given",
    }


def test_topics_are_pure_segmentation() -> None:
    several = {str(i): {"a": [(0, 50 + i), (50 + i, 90)], "b": [(0, 55), (55, 70), (70, 90)]} for i in range(4)}
    found = properties_of(unisono.corpus(several))
    assert (found.is_covering, found.categories, found.touching) == (True, "none", 1.0)
    assert _choices(found)["measures"] == "gamma,boundary-similarity"
    assert _choices(found)["chance"] == "corpus"
    assert _choices(found)["positional"] == "boundary"


def test_free_overlap_is_not_nesting() -> None:
    found = _found({"a": [(0, 10, "A"), (5, 20, "B"), (30, 40, "A")], "b": [(0, 10, "A")]})
    assert found.overlaps == pytest.approx(1 / 4)
    assert found.nested == 0.0


def test_points_need_a_scale() -> None:
    found = _found({"a": [(3, 3, "click"), (9, 9, "click")], "b": [(4, 4, "click"), (9, 9, "tap")]})
    assert found.points == 1.0
    assert _choices(found)["positional"] == "absolute"


def test_numbers_are_ordered() -> None:
    found = _found({"a": [(0, 5, "1"), (9, 12, "3")], "b": [(0, 6, "2")]})
    assert found.categories == "ordered"
    assert _choices(found)["categorial"] == "interval"


def test_adjacent_units_of_one_category() -> None:
    found = _found({"a": [(0, 5, "A"), (5, 9, "A"), (12, 20, "B")], "b": [(0, 9, "A"), (12, 20, "B")]})
    assert found.adjacent_same == pytest.approx(1 / 3)
    assert any(advice.choice == "u-alpha" for advice in advise(found))


def test_annotators_not_everywhere() -> None:
    found = _found({"a": [(0, 5)], "b": [(0, 6)]}, e={"a": [(0, 4)], "b": [], "c": [(1, 5)]})
    assert (found.fewest_annotators, found.most_annotators, found.is_crossed) == (2, 3, False)
    assert found.lines[-1] == "2 documents, 2 to 3 annotators a document, 3 in all, not everywhere"


def test_nothing_to_measure() -> None:
    assert _choices(_found({"a": [], "b": []})) == {"data": "units"}
    assert _choices(_found({"a": [(0, 5)]})) == {"data": "annotators"}


def test_texts_of_their_own() -> None:
    from unisono.model.versions import TextVersions, Version

    versions = TextVersions.of({n: Version.of_tokens(["so", n]) for n in ("ann", "bob")}, name="d")
    found = properties_of(unisono.Corpus((unisono.Continuum.of_versions(versions),)))
    assert [advice.choice for advice in advise(found)] == ["text-gamma"]


def test_every_choice_exists() -> None:
    """Advice names measures, chance models and dissimilarities as `measure` takes them."""
    words = {"a": [(0, 3, "N")], "b": [(0, 3, "V")]}
    tasks = [words, {"a": [(0, 5, "1"), (9, 12, "3")], "b": [(0, 6, "2")]}]
    for units in tasks:
        corpus = unisono.corpus({"d": units})
        for advice in advise(properties_of(corpus)):
            if advice.setting == "measures":
                assert set(advice.choice.split(",")) <= set(unisono.MEASURES)
            elif advice.setting in ("chance", "categorial"):
                unisono.measure(corpus, seed=1, samples=5, **{advice.setting: advice.choice})


def test_json_has_plain_values() -> None:
    found = _found({"a": [(0, 5, "A")], "b": [(0, 6, "B")]})
    assert found.to_dict()["units"] == "found"
    assert all(set(advice.to_dict()) == {"setting", "choice", "reason", "source"} for advice in advise(found))
