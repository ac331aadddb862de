# SPDX-License-Identifier: MIT
"""`unisono benchmark` as users call it. Oracle: a run that nobody stopped; the library; the documented contract."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import unisono
from cli.conftest import Run
from unisono.experiments.benchmark_cells import blocks
from unisono.whole_files import SCRATCH

SPEC = """\
title = "Positions"
measures = ["gamma", "cu-alpha", "ser"]
errors = [{type = "position", shift_factor = 1.5, keep_apart = true}]
magnitudes = [0, 0.5, 1]
sets = 4
samples = 5
seed = 1
reference = {units = 6, length = [10, 20], gap = [0, 5]}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "positions.toml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def table_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_and_verdicts(run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("benchmark", spec, "--jobs", 1)
    assert code == 0
    assert out.startswith("Positions: 3 magnitudes, 4 sets each, seed 1\n")
    assert "strictly decreasing" in out
    assert re.search(r"^γ +yes 1\.000 at 0 ", out, re.MULTILINE)
    folder = tmp_path / "positions"
    assert {path.name for path in folder.iterdir()} == {
        "benchmark.json", "cells", "results.csv", "results.parquet", "summary.csv", "verdicts.csv",
    }  # fmt: skip
    assert "positions/results.csv" in err
    result = unisono.benchmark(spec, threads=1)
    assert (folder / "results.csv").read_text(encoding="utf-8") == result.csv()
    rows = table_of(folder / "results.csv")
    assert list(rows[0]) == ["curve", "magnitude", "set", "measure", "value", "reason"]
    assert len(rows) == 3 * 4 * 3
    assert [float(row["value"]) for row in rows if row["measure"] == "ser"] == result["ser"].values.ravel().tolist()
    summary = table_of(folder / "summary.csv")
    assert float(summary[1]["mean"]) == result["gamma"].points[1].mean
    verdicts = table_of(folder / "verdicts.csv")
    assert len(verdicts) == 3 * 5
    assert {row["answer"] for row in verdicts} <= {"yes", "no", "undecided"}


def test_parquet_has_what_the_csv_has(run: Run, spec: Path, tmp_path: Path) -> None:
    import pyarrow.parquet

    assert run("benchmark", spec, "--out", tmp_path / "o", "--jobs", 1)[0] == 0
    table = pyarrow.parquet.read_table(tmp_path / "o" / "results.parquet").to_pylist()
    rows = table_of(tmp_path / "o" / "results.csv")
    assert [(row["curve"], row["magnitude"], row["set"], row["measure"], row["value"]) for row in table] == [
        (row["curve"], float(row["magnitude"]), int(row["set"]), row["measure"], float(row["value"])) for row in rows
    ]


def test_without_the_extra_there_is_no_parquet(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = run("benchmark", spec, "--out", tmp_path / "o", "--jobs", 1)
    assert code == 0
    assert "pip install 'unisono[tables]'" in err
    assert not (tmp_path / "o" / "results.parquet").exists()


def test_json_and_overrides(run: Run, spec: Path, tmp_path: Path) -> None:
    code, out, _ = run(
        "benchmark", spec, "--out", tmp_path / "o", "--jobs", 1, "--json", "--sets", 2, "--magnitudes", "1,.5"
    )
    assert code == 0
    data = json.loads(out)
    assert (data["sets"], data["magnitudes"]) == (2, [0.5, 1.0])
    assert data == json.loads((tmp_path / "o" / "benchmark.json").read_text(encoding="utf-8"))
    gamma = data["responses"][0]
    assert gamma["measure"] == "gamma"
    assert gamma["verdicts"]["starts_at_1"] == {
        "answer": "undecided", "value": None, "low": None, "high": None, "magnitudes": [],
        "note": "magnitude 0 was not measured",
    }  # fmt: skip
    assert set(gamma["points"][0]) == {"magnitude", "mean", "error", "low", "high", "n", "n_undefined", "reason"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sets", "0"], "0 is not a valid value of --sets. Give a whole number of at least 1."),
        (["--magnitudes", "0,2"], "Give numbers from 0 to 1"),
        (["--magnitudes", "a"], "is not a valid value of --magnitudes. Give numbers from 0 to 1"),
        (["--plot", "gif"], "is not a valid value of --plot. Choose among: png, svg, html"),
        (["--jobs", "0"], "0 is not a valid value of --jobs."),
        (["--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "exclude each other"),
    ],
)
def test_wrong_usage(run: Run, spec: Path, arguments: list[str], message: str) -> None:
    code, out, err = run("benchmark", spec, *arguments)
    assert (code, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())


def test_every_problem_of_a_file_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        'measures = ["gama"]\nsets = 0\nmagnitude = [0]\nchance = "dice"\n'
        'errors = ["position", {type = "split"}]\nreference = {units = "many"}\n',
        encoding="utf-8",
    )
    code, out, err = run("benchmark", path)
    assert (code, out) == (1, "")
    for text in (
        "Did you mean 'gamma'?",
        "sets: 0 is not a valid value of sets. Give a whole number of at least 1.",
        "no key 'magnitude' here. Did you mean 'magnitudes'?",
        "chance: 'dice' is not a valid value of chance. Choose one of: shift, corpus, statistical, positions-kept.",
        "Did you mean splits?",
        "reference: units",
        "unisono messages benchmark",
    ):
        assert text in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("measures = [", "TOML"),
        ('measures = ["gamma"]\n', "the key 'reference' is missing. Add: reference = ..."),
        (SPEC.replace('"ser"', '"text-gamma"'), "versions of a text"),
        (SPEC.replace('"ser"', '"nowhere:function"'), "nowhere.py beside the benchmark's file"),
        (SPEC.replace('"ser"', '"gamma"'), "two measures have the same name"),
        (SPEC.replace("reference = {units = 6, length = [10, 20], gap = [0, 5]}", 'reference = "no.toml"'), "no.toml"),
    ],
)
def test_files_that_cannot_be_run(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("benchmark", path)
    assert (code, out) == (1, "")
    assert message in err
    assert run("benchmark", tmp_path / "none.toml")[0] == 1


def test_a_function_beside_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "beside_benchmark.py").write_text(
        "def share(continuum):\n"
        "    if continuum.name == 'set-0002':\n"
        "        raise ZeroDivisionError('nothing to share')\n"
        "    return None if continuum.name == 'set-0003' else 1 / continuum.n_units\n",
        encoding="utf-8",
    )
    path = tmp_path / "own.toml"
    path.write_text(SPEC.replace('"ser"', '"beside_benchmark:share"'), encoding="utf-8")
    code, out, _ = run("benchmark", path, "--out", tmp_path / "o", "--jobs", 2)
    assert code == 0
    assert "share: sets without a value: 2 at 0, 2 at 0.5, 2 at 1 (ZeroDivisionError: nothing to share" in out
    rows = table_of(tmp_path / "o" / "results.csv")
    mine = [row for row in rows if row["measure"] == "beside_benchmark:share"]
    assert [row["value"] for row in mine[:4]] == [repr(1 / 18), "", "", repr(1 / 18)]
    assert mine[2]["reason"] == "beside_benchmark:share returned None"


def test_data_like_ones_own(run: Run, tmp_path: Path, table: Path) -> None:
    path = tmp_path / "like.toml"
    reference = "reference = {units = 6, length = [10, 20], gap = [0, 5]}"
    path.write_text(SPEC.replace(reference, f'reference = {{like = "{table.name}"}}'), encoding="utf-8")
    code, _, err = run("benchmark", path, "--out", tmp_path / "o", "--jobs", 1)
    assert code == 0, err
    data = json.loads((tmp_path / "o" / "benchmark.json").read_text(encoding="utf-8"))
    assert "[categories.PER]" in data["curves"][0]["reference"]


# -- stopped, and gone on --------------------------------------------------------------------------------------------

SLOW = (
    SPEC.replace("sets = 4", "sets = 20")
    .replace("magnitudes = [0, 0.5, 1]", "magnitudes = [0, 0.2, 0.4, 0.6, 0.8, 1]")
    .replace("units = 6", "units = 40")
    .replace("samples = 5", "samples = 60")
)


def started(spec: Path, out: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "unisono", "benchmark", str(spec), "--out", str(out), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that every process of it can be ended, and none of ours
    )


def cells(out: Path) -> list[Path]:
    """The finished cells, without the drafts of those that were being written, which the next run removes."""
    return [path for path in out.rglob("*.json") if SCRATCH not in str(path)]


def wait_for_cells(out: Path, running: subprocess.Popen[str], some: int = 2) -> None:
    end = time.monotonic() + 180
    while len(cells(out)) < some:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.long
def test_killed_and_gone_on_it_ends_with_the_same_files(tmp_path: Path) -> None:
    """A real SIGKILL, of the command and its processes, half-way."""
    spec = tmp_path / "slow.toml"
    spec.write_text(SLOW, encoding="utf-8")
    n_blocks = len(list(blocks(unisono.experiments.BenchmarkSpec.from_toml(spec))))
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    running = started(spec, killed)
    wait_for_cells(killed, running)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate(timeout=120)
    assert running.returncode == -signal.SIGKILL
    there = {path: path.stat().st_mtime_ns for path in cells(killed)}
    assert 2 <= len(there) < n_blocks
    assert not (killed / "results.csv").exists()
    outputs = []
    for out in (killed, whole):
        done = started(spec, out)
        outputs.append(done.communicate(timeout=200)[0])
        assert done.returncode == 0
    assert outputs[0] == outputs[1]
    for name in ("results.csv", "results.parquet", "summary.csv", "verdicts.csv", "benchmark.json"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes(), name
    assert {path: path.stat().st_mtime_ns for path in there} == there  # none of those was measured again


def alive(group: int) -> list[str]:
    """The processes of a group that have not ended (on Linux; a zombie has ended)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")
            state, _, its_group = rest.split()[:3]
            if int(its_group) == group and state != "Z":
                found.append(name)
    return found


@pytest.mark.long
def test_an_interrupt_ends_it_promptly_and_says_how_to_go_on(tmp_path: Path) -> None:
    spec, out = tmp_path / "slow.toml", tmp_path / "out"
    spec.write_text(SLOW.replace("samples = 60", "samples = 600"), encoding="utf-8")
    running = started(spec, out)
    wait_for_cells(out, running, 1)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to every process
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    kept = f"Finished cells are kept in {out / 'cells'}; the same command continues from there."
    assert err == f"{kept}\nunisono: interrupted\n"
    end = time.monotonic() + 60
    while alive(running.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not alive(running.pid)
