# SPDX-License-Identifier: MIT
"""Every message has an entry in docs/messages.md. Oracle: the codes in the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from unisono import errors
from unisono.errors import CorpusError, InputError, Problem, UnisonoError, listed

ROOT = Path(__file__).parents[2]
MESSAGES = ROOT / "docs" / "messages.md"


def codes() -> Iterator[str]:
    """Codes of problems and slugs of exceptions, wherever the source spells them."""
    for path in sorted((ROOT / "src" / "unisono").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called == "Problem" and node.args and isinstance(node.args[0], ast.Constant):
                    yield node.args[0].value
                for keyword in node.keywords:
                    if keyword.arg == "code" and isinstance(keyword.value, ast.Constant) and keyword.value.value:
                        yield str(keyword.value.value)
    for value in vars(errors).values():
        if isinstance(value, type) and issubclass(value, UnisonoError):
            yield value.slug


def entries() -> list[str]:
    return re.findall(r"^#+ +`?([a-z0-9-]+)`? *$", MESSAGES.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_code_has_an_entry() -> None:
    missing = sorted(set(codes()) - set(entries()))
    assert not missing, f"docs/messages.md has no entry for {missing}"


def test_no_entry_twice() -> None:
    assert len(entries()) == len(set(entries()))


def test_codes_are_slugs() -> None:
    for code in codes():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code), code


def test_a_problem_in_words() -> None:
    problem = Problem("end-before-start", "error", "a.csv:17", "a unit must end after it starts",
                      "start=31.2, end=30.9", "swap the columns?")  # fmt: skip
    assert str(problem) == ("a.csv:17: a unit must end after it starts; found start=31.2, end=30.9; swap the columns?")
    assert str(Problem("x", "error", "", "something")) == "something"


def test_twenty_problems_then_a_count() -> None:
    problems = [Problem("x", "error", f"a.csv:{i}", "a number") for i in range(25)]
    lines = listed(problems).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "... and 5 more"
    with pytest.raises(InputError, match=re.escape("... and 5 more")) as caught:
        raise CorpusError(problems)
    assert len(caught.value.problems) == 25
