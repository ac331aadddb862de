# SPDX-License-Identifier: MIT
"""Results: the JSON contract of docs/json.md (oracle: its tables), round trips, the fingerprint's properties."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from unisono.data_summary import DataSummary, fingerprint
from unisono.errors import FormatError, Problem
from unisono.model import Continuum, Corpus, Extent, Feature, Unit
from unisono.results import (
    SCHEMA,
    UNMET_NEEDS,
    DocumentResult,
    Interval,
    MeasureValue,
    ReasonCode,
    Result,
    signature_line,
)

VALUE_KEYS = [
    "value",
    "reason",
    "reason_code",
    "observed",
    "expected",
    "n_samples",
    "intervals",
    "gap",
    "observed_bound",
    "expected_bound",
    "range",
    "n_unitary_alignments",
    "mean_over_documents",
    "documents_measured",
    "per_category",
    "weight",
    "contribution",
    "n_aligned_pairs",
    "n_pairs_apart",
    "tied",
    "n_tied",
    "notes",
    "left_out",
    "uncertainty_reason",
    "uncertainty_reason_code",
    "is_precise",
]


def example() -> Result:
    value = MeasureValue(
        0.5,
        observed=0.6,
        expected=1.2,
        n_samples=30,
        intervals={"chance": Interval("chance", 0.95, 0.49, 0.51)},
        gap=0.0,
        n_unitary_alignments=7,
        mean_over_documents=0.5,
        documents_measured=1,
        per_category={"A": MeasureValue(0.1), None: MeasureValue(None, reason="no pair with it")},
        notes=("degenerate chance",),
    )
    undefined = MeasureValue(None, reason="no units")
    return Result(
        signature="gamma|v:1|seed:42",
        parameters={"alpha": 1.0},
        seed=42,
        data=DataSummary("00ff", 2, 3, 9),
        measures={"gamma": value},
        documents=(
            DocumentResult("one", ("ann", "bob"), 9, {"gamma": value}),
            DocumentResult("two", ("ann", "cem"), 0, {"gamma": undefined}),
        ),
        problems=(
            Problem(
                "end-before-start", "error", "a.csv:3", expected="an end after the start", found="3, 2", remedy="swap?"
            ),
        ),
        version="1.2.3",
    )


def test_the_json_has_the_keys_of_the_contract() -> None:
    data = example().to_dict()
    assert list(data) == [
        "schema",
        "unisono",
        "signature",
        "parameters",
        "seed",
        "data",
        "measures",
        "documents",
        "problems",
        "cautions",
        "sensitivity",
    ]
    assert data["schema"] == SCHEMA == 1
    assert data["unisono"] == "1.2.3"
    assert list(data["data"]) == ["sha256", "documents", "annotators", "units", "categories"]
    assert list(data["measures"]["gamma"]) == VALUE_KEYS
    assert data["measures"]["gamma"]["intervals"] == [{"kind": "chance", "level": 0.95, "low": 0.49, "high": 0.51}]
    assert [item["category"] for item in data["measures"]["gamma"]["per_category"]] == ["A", None]
    assert list(data["documents"][0]) == ["name", "annotators", "units", "measures"]
    assert list(data["problems"][0]) == ["code", "severity", "where", "message", "expected", "found", "remedy"]


def test_every_key_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`([a-z_0-9]+)`", text))
    assert {*VALUE_KEYS, *example().to_dict()} <= documented


def test_every_reason_code_is_documented() -> None:
    """The table of docs/json.md has every code, the unmet needs first, and no other."""
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    table = text.partition("### Reason codes")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| `([a-z-]+)` \|", table, flags=re.MULTILINE)
    assert documented == [code.value for code in ReasonCode]
    sources = [path.read_text(encoding="utf-8") for path in Path(unisono.__file__).parent.rglob("*.py")]
    written = {code for text in sources for code in re.findall(r'reason_code="([a-z-]+)"', text)}
    named = {name for text in sources for name in re.findall(r"ReasonCode\.([A-Z_]+)", text)}
    assert written <= {*documented}
    retired = {ReasonCode.NO_VERSIONS}  # saved results may have it
    assert {ReasonCode[name] for name in named} | written | retired == {*documented}, "a code that nothing uses"
    needs = table.partition("**the needs are met")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", needs, flags=re.MULTILINE)) == UNMET_NEEDS


def test_round_trip_through_json() -> None:
    result = example()
    again = Result.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    assert again == result
    assert again.to_dict() == result.to_dict()


def test_unknown_keys_are_ignored_and_other_schemas_refused() -> None:
    data = example().to_dict()
    assert Result.from_dict({**data, "new": 1}) == example()
    with pytest.raises(FormatError, match="the result has schema 2, and this version reads schema 1"):
        Result.from_dict({**data, "schema": 2})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": "42"}, "seed is '42' instead of a whole number that is not negative"),
        ({"measures": {"gamma": {"value": None}}}, "a value of None needs a reason"),
        ({"measures": {"gamma": {}}}, "measures.gamma is an object instead of an object with the key 'value'"),
        ({"data": []}, "data is a list of 0 instead of an object"),
        ({"documents": [{"name": "one"}]}, "instead of an object with the key 'annotators'"),
    ],
)
def test_json_of_the_wrong_kind_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Result.from_dict({**example().to_dict(), **change})


def test_json_of_earlier_versions_lacks_newer_keys() -> None:
    """Keys that were added later may be missing; the code of a reason is then said to be unspecified."""
    data = example().to_dict()
    for document in data["documents"]:
        for key in ("reason_code", "left_out", "is_precise", "weight"):
            del document["measures"]["gamma"][key]
    loaded = Result.from_dict(data)
    assert loaded.documents[1]["gamma"].reason_code == "unspecified"
    assert loaded.documents[0]["gamma"] == example().documents[0]["gamma"]


def test_the_version_is_the_installed_one_unless_given() -> None:
    result = Result("", {}, 1, DataSummary("", 0, 0, 0), {}, ())
    assert result.version == unisono.__version__


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_value_is_finite_or_none_with_a_reason(value: float) -> None:
    with pytest.raises(ValueError, match="finite or None with a reason"):
        MeasureValue(value)
    with pytest.raises(ValueError, match="needs a reason"):
        MeasureValue(None)


def test_indexing() -> None:
    result = example()
    assert result["gamma"].value == 0.5
    assert result.documents[1]["gamma"].reason == "no units"


def test_signature_line() -> None:
    assert signature_line(["gamma", "gamma-cat"], {"v": "1", "seed": 3}) == "gamma,gamma-cat|v:1|seed:3"


# --- the fingerprint ---------------------------------------------------------------------------------------------

BASE = {
    "ann": [Unit(0, 5, "PER", features={"sense": "x"}), Unit(7, 9, "LOC", features={"sense": None})],
    "bob": [Unit(0, 4, "PER", features={"sense": "y"})],
    "cem": [],
}


def corpus_of(units: dict[str, list[Unit]], name: str = "d", extent: tuple[float, float] | None = None) -> Corpus:
    return Corpus((Continuum.of(units, name=name, extent=extent),))


def test_the_fingerprint_is_pinned() -> None:
    """A change here breaks `data.sha256` of everybody's published results: raise the number in its first line."""
    expected = "cc48b934c8d81aa1ab0bb73d742182d8c4faf449809ba9ddd901d04ef1b267b2"
    assert fingerprint(corpus_of(BASE)) == expected


@given(st.permutations(range(6)), st.permutations(["a", "b", "c"]))
def test_the_fingerprint_ignores_order(order: list[int], names: list[str]) -> None:
    units = [Unit(0, 5, "X"), Unit(0, 5, "X"), Unit(0, 5, "Y"), Unit(0, 7), Unit(3, 4, "Z"), Unit(3, 4)]
    documents = [Continuum.of({"bob": [units[i] for i in order], "ann": []}, name=name) for name in names]
    reference = [Continuum.of({"ann": [], "bob": units}, name=name) for name in "abc"]
    assert fingerprint(Corpus(tuple(documents))) == fingerprint(Corpus(tuple(reference)))


def test_the_fingerprint_ignores_labels_out_of_use_and_the_type_of_positions() -> None:
    def built(codes: list[int], labels: tuple[str, ...], kind: type) -> str:
        feature = Feature(np.array(codes, dtype=np.int32), labels)
        continuum = Continuum(
            starts=np.array([0, 0], dtype=kind),
            ends=np.array([5, 5], dtype=kind),
            annotator_codes=[0, 0],
            annotators=["ann"],
            features={"category": feature},
            name="d",
        )
        return fingerprint(Corpus((continuum,)))

    assert built([0, 1], ("A", "B"), int) == built([2, 0], ("B", "unused", "A"), float)


@pytest.mark.parametrize(
    "other",
    [
        corpus_of(BASE, name="e"),
        corpus_of(BASE, extent=(0, 10)),
        corpus_of({**BASE, "dee": []}),
        corpus_of({key: units for key, units in BASE.items() if key != "cem"}),
        corpus_of({**BASE, "bob": [Unit(0, 4, "PER", features={"sense": "x"})]}),
        corpus_of({**BASE, "bob": [Unit(0, 4, None, features={"sense": "y"})]}),
        corpus_of({**BASE, "bob": [Unit(0, 3, "PER", features={"sense": "y"})]}),
        corpus_of({**BASE, "bob": [Unit(0, 4, "PER", features={"sense": "y"})] * 2}),
    ],
)
def test_the_fingerprint_sees_every_difference(other: Corpus) -> None:
    assert fingerprint(other) != fingerprint(corpus_of(BASE))


def test_the_source_of_an_extent_is_no_part_of_the_data() -> None:
    given_extent = Corpus((Continuum.of(BASE, name="d", extent=Extent(0, 9, "given")),))
    assert fingerprint(given_extent) == fingerprint(corpus_of(BASE))
