# SPDX-License-Identifier: MIT
"""`unisono reproduce` as a user calls it. Oracle: the files and tables it promises."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from unisono.cli import main
from unisono.experiments.experiment import experiments


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce"]) == 0
    out = capsys.readouterr().out
    for name in ("gamma-2015/26a", "gamma-2015/table-2", "gamma-cat-2017/section-5.4", "text-gamma-2016/2"):
        assert name in out
    assert "Mathet, Widlöcher, Métivier 2015" in out
    assert main(["reproduce", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [item["name"] for item in listed] == list(experiments())
    assert listed[0].keys() == {"name", "title", "where", "about", "also", "seconds", "statements"}


def test_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figure, the numbers, the table published / ours / difference / verdict."""
    assert main(["reproduce", "gamma-2015/10", "--quick", "--out", str(tmp_path), "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("d(A1, B2)"))
    assert line.split()[2:7] == ["3.22", "3.24", "+0.02", "not", "reproduced"]
    assert {path.name for path in tmp_path.iterdir()} >= {
        "gamma-2015-10.csv",
        "gamma-2015-10.svg",
        "gamma-2015-10.png",
        "verdicts.csv",
    }
    verdicts = rows(tmp_path / "verdicts.csv")
    assert [row["verdict"] for row in verdicts].count("not reproduced") == 1
    assert verdicts[4]["published"] == "22.2"
    assert rows(tmp_path / "gamma-2015-10.csv")[4] == {
        "quantity": "d(A1, C2)",
        "value": "22.2245",
        "standard error": "0",
    }


def test_curves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A shuffling experiment, another name of one, JSON; a second run takes its cells from disk, and is the same."""
    names = ["gamma-2015/30", "gamma-cat-2017/table-3"]
    found = []
    for _ in range(2):
        assert main(["reproduce", *names, "--quick", "--out", str(tmp_path), "--jobs", "1", "--json"]) == 0
        done = json.loads(capsys.readouterr().out)
        found.append([{key: item[key] for key in ("name", "statements")} for item in done])
    assert found[0] == found[1]
    assert [item["name"] for item in found[0]] == ["gamma-2015/30", "gamma-cat-2017/6"]
    curve = rows(tmp_path / "gamma-2015-30.csv")
    assert curve[0].keys() == {"measure", "magnitude", "mean", "standard error", "n"}
    assert {row["measure"] for row in curve} == {"gamma", "cu-alpha", "ser"}
    assert curve[0]["mean"] == "1"
    assert list((tmp_path / "cells").iterdir())


def test_the_same_picture_is_the_same_file(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert main(["reproduce", "gamma-2015/14", "--quick", "--out", str(tmp_path / folder), "--jobs", "1"]) == 0
    for name in ("gamma-2015-14.svg", "gamma-2015-14.png", "gamma-2015-14.csv", "verdicts.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_another_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is random depends on the seed; what is not does not."""
    values = []
    for seed in ("1", "2"):
        arguments = ["reproduce", "gamma-2015/11", "--quick", "--out", str(tmp_path), "--jobs", "1", "--json"]
        assert main([*arguments, "--seed", seed]) == 0
        [done] = json.loads(capsys.readouterr().out)
        values.append({row["quantity"]: row["ours"] for row in done["statements"]})
    assert values[0]["γ, best"] == values[1]["γ, best"] == 1
    assert values[0]["γ, worst"] != values[1]["γ, worst"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gamma-2015/26"], "there is no experiment or paper called 'gamma-2015/26'. Did you mean 'gamma-2015/2"),
        (["nonsense"], "there is no experiment or paper called 'nonsense'. `unisono reproduce` lists them"),
        (["all", "--jobs", "0"], "0 is not a valid value of --jobs."),
        (["all", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "--jobs and --cluster exclude each other"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", *arguments]) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert message in said


def test_without_matplotlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No figure, one line that names what to install, and all the numbers."""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert main(["reproduce", "gamma-2015/5", "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert "pip install 'unisono[plots]'" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"gamma-2015-5.csv", "verdicts.csv"}
