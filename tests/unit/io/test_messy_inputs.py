# SPDX-License-Identifier: MIT
"""Inputs as people have them. Oracle: the truth that each is made from (tests/messy_inputs.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.messy_inputs import SITUATIONS, Input, make_input

from unisono.io import inspect

#: Inputs of every run, the same number of each situation.
INPUTS = 12 * len(SITUATIONS)
MANY = 200 * len(SITUATIONS)

Shape = list[list[list[tuple[float, float, str]]]]


def judge(given: Input, folder: Path) -> str:
    """`right`, `question`, `nothing` (no document has two annotators, so that no number comes out) or `wrong`."""
    paths = given.write(folder)
    found = inspect(paths if len(paths) > 1 else paths[0])
    if found.corpus is None:
        codes = {problem.code for problem in found.problems if problem.severity == "error"}
        is_question = any(code.startswith("question-") or code == "which-layer" for code in codes)
        return "question" if is_question else f"refused: {codes}"
    ours: Shape = sorted(
        sorted(
            sorted((u.start, u.end, u.category or "") for u in document.units_of(name)) for name in document.annotators
        )
        for document in found.corpus
        if len(document.annotators) > 1
    )
    truth = sorted(sorted(map(sorted, units.values())) for units in given.truth.values() if len(units) > 1)
    if not ours:
        return "nothing"
    return "right" if ours == truth else f"wrong: {found.understood}"


@pytest.mark.parametrize("seed", range(INPUTS))
def test_right_or_a_question_never_a_wrong_number(seed: int, tmp_path: Path) -> None:
    given = make_input(seed)
    verdict = judge(given, tmp_path)
    assert not verdict.startswith("wrong"), f"{given.name}: {verdict}"


@pytest.mark.long
def test_many_inputs(tmp_path: Path) -> None:
    """Of thousands hardly one may be wrong, where units of different documents meet by accident."""
    verdicts: list[str] = []
    for seed in range(INPUTS, MANY):
        folder = tmp_path / str(seed)
        folder.mkdir()
        verdicts.append(judge(make_input(seed), folder).partition(":")[0])
    print({verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))})
    assert verdicts.count("wrong") <= len(verdicts) // 1000
    assert verdicts.count("right") > len(verdicts) // 4
