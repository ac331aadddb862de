# SPDX-License-Identifier: MIT
"""A setting is defined once. Oracle: every door, in a process whose definition has one field more."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest
import typer.main

import unisono
from unisono.chance import CHANCE_MODELS
from unisono.cli import app
from unisono.experiments.grid import BenchmarkSpec
from unisono.presets import PRESETS
from unisono.settings import Estimating, Reading, ServiceLimits, Settings, option_name, problem_with, settings_of
from unisono.settings.derived_texts import fill_menus, fill_tables, keywords_source

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "unisono" / "frontend" / "index.html"


def test_controls_are_labelled_as_problems_name_them() -> None:
    """Problems on the page name a setting by its control. Oracle: the labels of the page itself."""
    html = PAGE.read_text(encoding="utf-8")
    opened = re.findall(r"(?:<span>|<label[^>]*>|<legend>|<summary>)(.*)", html)
    labels = {re.sub(r"<[^>]*>", "", text).strip() for text in opened}
    for group in (Reading, Settings):
        for name, setting in settings_of(group).items():
            assert not setting.control or any(text.startswith(setting.control) for text in labels), name


#: Adds one field to the group Measuring when its source is loaded, then looks at every door.
PROGRAM = '''
import importlib.machinery as machinery, inspect, json, os, sys

FIELD = b"""
    dummy: float = _other(0.5, "A dummy that changes nothing.", metavar="X", above=0, high=9, word="dummy")
"""
MARKER = b"\\n    categories: tuple[str, ...] | None = setting("
loader = machinery.SourceFileLoader
read_source = loader.get_data

def get_data(self, path):
    source = read_source(self, path)
    if not path.endswith(os.path.join("settings", "groups.py")):
        return source
    assert source.count(MARKER) == 1
    return source.replace(MARKER, FIELD + MARKER)

def path_stats(self, path):
    raise OSError  # so that no compiled file is used or written

loader.get_data, loader.path_stats = get_data, path_stats

import unisono, unisono.cli
from unisono.settings.derived_texts import keywords_source, options_table
from unisono.web import models

corpus = unisono.corpus({"d": {"a": [(0, 5, "X")], "b": [(0, 4, "X")]}})
result = unisono.measure(corpus, samples=5, dummy=2.5)
usual = unisono.measure(corpus, samples=5)
try:
    unisono.measure(corpus, dummy=-1)
except unisono.ParameterError as error:
    refused = str(error)
try:
    spec = {"measures": "gamma", "errors": "position", "reference": {}, "dummy": 10}
    unisono.experiments.BenchmarkSpec.from_dict(spec)
except unisono.ParameterError as error:
    of_benchmark = str(error)
seen = {
    "signature": str(inspect.signature(unisono.measure)), "doc": unisono.measure.__doc__, "line": result.signature,
    "usual": usual.signature, "parameters": result.parameters, "refused": refused, "of_benchmark": of_benchmark,
    "schema": models.Settings.model_json_schema()["properties"].get("dummy"), "table": options_table("Measuring"),
    "keywords": keywords_source(),
}
print("BEGIN" + json.dumps(seen) + "END")
unisono.cli.main(["measure", "--help"])
'''


@pytest.fixture(scope="module")
def with_dummy() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    seen = re.search("BEGIN(.*)END", done.stdout)
    assert seen is not None
    return {**json.loads(seen[1]), "help": done.stdout[seen.end() :]}


def test_one_field_reaches_every_door(with_dummy: dict[str, Any]) -> None:
    assert "dummy: float = 0.5" in with_dummy["signature"]
    assert "dummy: A dummy that changes nothing." in with_dummy["doc"]
    assert "--dummy" in with_dummy["help"]
    assert "A dummy that changes nothing." in with_dummy["help"]
    assert with_dummy["schema"] == {
        "default": 0.5, "description": "A dummy that changes nothing.", "exclusiveMinimum": 0, "maximum": 9,
        "title": "Dummy", "type": "number",
    }  # fmt: skip
    assert "|dummy:2.5" in with_dummy["line"]
    assert "dummy" not in with_dummy["usual"]
    assert with_dummy["parameters"]["dummy"] == 2.5
    assert "| `--dummy X` | A dummy that changes nothing. | 0.5 |" in with_dummy["table"]
    assert "    dummy: float\n" in with_dummy["keywords"]
    assert with_dummy["refused"] == "-1 is not a valid value of dummy=. Give a number above 0 and up to 9."
    assert with_dummy["of_benchmark"] == "dummy: 10 is not a valid value of dummy. Give a number above 0 and up to 9."


def test_the_files_that_derive_from_settings_are_up_to_date() -> None:
    """`python -m unisono.settings` writes them."""
    source = ROOT / "src" / "unisono" / "keywords.py"
    assert source.read_text(encoding="utf-8") == keywords_source()
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert fill_tables(text) == text, page.name
    html = PAGE.read_text(encoding="utf-8")
    assert fill_menus(html) == html


def test_the_page_offers_every_choice() -> None:
    """Oracle: the settings. Numbers that the page shows as defaults are the defaults."""
    html = PAGE.read_text(encoding="utf-8")
    menus = dict(re.findall(r'<select [^>]*data-key="(\w+)"[^>]*>(.*?)</select>', html, re.DOTALL))
    known = {**settings_of(Reading), **settings_of(Settings)}
    offered = {name: re.findall(r'<option value="([^"]*)"', menu) for name, menu in menus.items()}
    for name in ("discontinuous", "decimal", "thousands", "time_unit", "categorial", "chance", "positional", "f_cat"):
        choices = set(map(escape, known[name].choices or ()))
        missing = choices - set(offered[name]) - {known[name].default, "nominal"}
        assert not missing, name
        assert set(offered[name]) - choices <= {"", "matrix"}, name
    for name in ("beta", "delta_empty", "effort"):
        (number,) = re.findall(rf'(?:value|placeholder)="([\d.]+)"[^>]*data-key="{name}"', html) or re.findall(
            rf'data-key="{name}"[^>]*(?:value|placeholder)="([\d.]+)"', html
        )
        assert float(number) == known[name].default, name


def test_names_of_choices_are_those_of_what_they_choose() -> None:
    """Settings lie below chance models and presets, so they repeat their names."""
    settings = settings_of(Estimating)
    assert settings["chance"].choices == tuple(CHANCE_MODELS)
    assert settings["preset"].choices == tuple(PRESETS)


@pytest.mark.parametrize("group", [Settings, Reading, ServiceLimits])
def test_defaults_are_valid_and_every_setting_is_explained(group: type) -> None:
    """Defaults are not checked again with every call, so they are checked here."""
    for setting in settings_of(group).values():
        assert problem_with(replace(setting, default=object()), setting.default) is None, setting.name
        assert re.fullmatch(r"[A-Z].*\.", setting.help), setting.name


def test_every_setting_has_an_option_of_measure() -> None:
    command = typer.main.get_command(app).commands["measure"]  # type: ignore[attr-defined]
    options = {option for parameter in command.params for option in parameter.opts}
    for name in (*settings_of(Settings), *settings_of(Reading)):
        assert option_name(name) in options, name


def test_about_ten_options_come_first() -> None:
    command = typer.main.get_command(app).commands["measure"]  # type: ignore[attr-defined]
    common = [p.opts[0] for p in command.params if p.param_type_name == "option" and not p.rich_help_panel]
    assert 8 <= len([name for name in common if name != "--help"]) <= 12, common


@pytest.mark.parametrize(
    ("name", "value"),
    [("alpha", -1), ("delta_empty", 0), ("level", 1), ("samples", 1), ("seed", 2**64), ("chance", "luck"), ("step", 0)],
)
def test_the_same_problem_at_every_door(name: str, value: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Code and sentence; only the name of the setting is that of the door."""
    from pydantic import ValidationError

    from unisono import cli
    from unisono.web import models
    from unisono.web.derived import problem_of

    expected = problem_with(settings_of(Settings)[name], value)
    assert expected is not None
    corpus = unisono.corpus({"d": {"a": [(0, 5, "X")], "b": [(0, 4, "X")]}})
    with pytest.raises(unisono.ParameterError) as in_python:
        unisono.measure(corpus, **{name: value})
    assert in_python.value.problems == (expected,)
    with pytest.raises(ValidationError) as in_service:
        models.Settings(**{name: value})
    (error,) = in_service.value.errors()
    assert (problem_of(error).code, problem_of(error).message) == (expected.code, expected.message)
    with pytest.raises(unisono.ParameterError) as in_benchmark:
        BenchmarkSpec.from_dict({"measures": "gamma", "errors": "position", "reference": {}, name: value})
    assert in_benchmark.value.problems[0].code == expected.code
    assert f"{expected.found} is not a valid value of {name}. {expected.remedy}" in str(in_benchmark.value)
    assert cli.main(["measure", "none.csv", f"{option_name(name)}={value}"]) == 2
    text = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert f"{expected.found} is not a valid value of {option_name(name)}. {expected.remedy}" in text


@pytest.mark.parametrize("name", ["reference", "annotator_from", "layer", "encoding", "documents"])
def test_the_empty_text_is_no_name(name: str) -> None:
    """Only settings that say so take it. Oracle: `may_be_empty`."""
    known = {**settings_of(Reading), **settings_of(Settings)}[name]
    value: Any = ("",) if known.is_list else ""
    assert problem_with(known, value) is not None
    assert problem_with(settings_of(Reading)["split_symbol"], "") is None


def test_only_files_are_given_as_paths() -> None:
    settings = settings_of(Reading)
    assert problem_with(settings["documents"], Path("table.csv")) is None
    assert problem_with(settings["encoding"], Path("utf-8")) is not None
    assert settings["documents"].expectation == "the path of a file"
    assert settings["category_map"].expectation == "the path of a file, or a table"
    assert problem_with(settings["category_map"], 5) is not None
    assert problem_with(settings["category_map"], {"a": "b"}) is None
