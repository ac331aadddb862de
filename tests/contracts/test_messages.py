# SPDX-License-Identifier: MIT
"""Every message has an entry in docs/messages.md. Oracle: the codes in the source."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from unisono import errors
from unisono.errors import CorpusError, InputError, Problem, UnisonoError, list_problems

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


def test_the_command_prints_every_entry(capsys: pytest.CaptureFixture[str]) -> None:
    """`unisono messages CODE`: the text of the entry, whole."""
    from unisono import cli
    from unisono.messages import message_entries

    assert list(message_entries()) == entries()
    assert cli.main(["messages", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    page = " ".join(MESSAGES.read_text(encoding="utf-8").split())
    assert [entry["code"] for entry in printed] == entries()
    assert all(entry["text"] and " ".join(entry["text"].split()) in page for entry in printed)
    assert cli.main(["messages", "no-units"]) == 0
    text = " ".join(message_entries()["no-units"].text.split())
    assert " ".join(capsys.readouterr().out.split()) == f"no-units {text}"
    assert cli.main(["messages"]) == 0
    assert "no-units" in capsys.readouterr().out
    assert cli.main(["messages", "no-unit"]) == 2
    assert "Did you mean 'no-units'?" in capsys.readouterr().err


def test_the_page_is_installed_with_the_package() -> None:
    """CMake installs it beside the modules, where `unisono.messages` looks first."""
    rule = "install(FILES docs/messages.md DESTINATION unisono)"
    assert rule in (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")


def test_codes_are_slugs() -> None:
    for code in codes():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code), code


def test_a_problem_in_words() -> None:
    problem = Problem("bad-bounds", "error", "a.csv:17", "the unit ends (30.9) before it starts (31.2)",
                      "Are the columns swapped?")  # fmt: skip
    assert str(problem) == "a.csv:17: the unit ends (30.9) before it starts (31.2). Are the columns swapped?"
    assert str(Problem("x", "error", "", "nobody marked a unit")) == "nobody marked a unit."


def test_a_problem_names_settings_as_its_user_knows_them() -> None:
    problem = Problem("x", "note", "", "1 document has no extent", "Give it with [[extent]].")
    assert str(problem) == "1 document has no extent. Give it with extent=."
    errors.name_settings_by(lambda name: f"--{name}")
    try:
        assert problem.to_dict()["remedy"] == "Give it with --extent."
    finally:
        errors.name_settings_by("{}=".format)


def test_twenty_problems_then_a_count() -> None:
    problems = [Problem("x", "error", f"a.csv:{i}", expected="a number") for i in range(25)]
    lines = list_problems(problems).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "... and 5 more"
    with pytest.raises(InputError, match=re.escape("... and 5 more")) as caught:
        raise CorpusError(problems)
    assert len(caught.value.problems) == 25
