# SPDX-License-Identifier: MIT
"""`unisono measures`, `unisono formats`, `--version`, `--help`. Oracle: what the library itself knows."""

from __future__ import annotations

import json

import pytest

import unisono
from unisono.io import FORMATS


def test_measures(run) -> None:
    code, out, _ = run("measures")
    assert code == 0
    assert "gamma  γ" in out
    assert "Computational Linguistics 41(3)" in out
    data = json.loads(run("measures", "--json").out)
    assert [item["name"] for item in data] == list(unisono.MEASURES)
    assert set(data[0]) == {"name", "symbol", "needs", "explanation", "citation"}


def test_formats(run) -> None:
    code, out, _ = run("formats")
    assert code == 0
    data = json.loads(run("formats", "--json").out)
    assert [item["name"] for item in data] == list(FORMATS)
    assert [tuple(item["suffixes"]) for item in data] == [format.suffixes for format in FORMATS.values()]
    assert all(item["name"] in out and item["description"] in out for item in data)


def test_version(run) -> None:
    assert run("--version") == (0, f"unisono {unisono.__version__}\n", "")


@pytest.mark.parametrize("command", [(), ("measure",), ("align",), ("validate",), ("measures",), ("formats",)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help(run, command: tuple[str, ...], option: str) -> None:
    code, out, err = run(*command, option)
    assert code == 0
    assert "Usage: unisono" in out
    assert err == ""


def test_unknown_command(run) -> None:
    code, out, err = run("measur")
    assert (code, out) == (2, "")
    assert "measur" in err
