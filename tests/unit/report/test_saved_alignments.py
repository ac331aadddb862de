# SPDX-License-Identifier: MIT
"""The alignments of texts in a saved result. Oracle: what the report shows of them, which no file may break."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import unisono
from unisono.model.versions import TextVersions, Version
from unisono.report.saved_tables import check_text_alignment


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    """As `save` writes it."""
    versions = {
        name: Version.of_tokens(words.split()) for name, words in {"ann": "so it goes", "bob": "so goes"}.items()
    }
    continuum = unisono.Continuum.of_versions(TextVersions.of(versions))
    result = unisono.measure(unisono.Corpus((continuum,)), "text-gamma", seed=1, samples=5)
    data: dict[str, Any] = result.documents[0]["text-gamma"].text_alignment.to_dict()
    return data


def test_what_was_saved_passes(saved: dict[str, Any]) -> None:
    assert check_text_alignment(saved) == saved


def _of_unit(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        unit = next(unit for unit in data["unitary_alignments"][0]["units"] if unit is not None)
        unit[name] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(annotators="ann"),
        lambda data: data.update(disorder="0.5"),
        lambda data: data["differences"].pop("all"),
        lambda data: data["differences"].update(all="3"),
        lambda data: data["unitary_alignments"][0].update(disorder=None),
        lambda data: data["unitary_alignments"][0].update(differences=[1]),
        lambda data: data["unitary_alignments"][0]["units"].append(None),
        lambda data: data["unitary_alignments"][0].update(units=[None, None]),
        _of_unit("start", 0.5),
        _of_unit("type", None),
        _of_unit("text", 1),
        _of_unit("features", {"pos": 1}),
    ],
)
def test_what_the_report_could_not_show_is_refused(
    saved: dict[str, Any], change: Callable[[dict[str, Any]], None]
) -> None:
    data = copy.deepcopy(saved)
    change(data)
    with pytest.raises((ValueError, KeyError, TypeError)):
        check_text_alignment(data)
