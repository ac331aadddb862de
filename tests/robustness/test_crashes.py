# SPDX-License-Identifier: MIT
"""Commands that write, ended at random moments. Oracle: every output is, to the byte, the old one or a clean run's.

Thirty times each (UNISONO_CRASHES): SIGKILL, SIGTERM, SIGINT, a full disk (RLIMIT_FSIZE), a folder that is read only.
The table is printed at the end and kept in build/crashes*.txt: runs, how many the event ended, and outputs by state.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from generators import spread_continuum
from robustness.crashing import begin, end, give_up_root, limit_files, moments
from serving import table as unit_table
from unisono.whole_files import SCRATCH

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals as POSIX has them"),
]

RUNS = int(os.environ.get("UNISONO_CRASHES", "30"))
ROOT = Path(__file__).resolve().parents[2]

SPEC = """\
measures = ["gamma", "ser"]
errors = ["position"]
magnitudes = [0, 0.5, 1]
sets = 3
samples = 20
reference = {units = 10, length = [10, 20], gap = [0, 5]}
"""

#: What is run in a folder with units.csv, large.csv, saved.unisono and spec.toml; what it writes.
COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "convert csv": (["convert", "large.csv", "out.csv", "--overwrite"], ["out.csv"]),
    "convert csv.gz": (["convert", "large.csv", "out.csv.gz", "--overwrite"], ["out.csv.gz"]),
    "convert jsonl": (["convert", "large.csv", "out.jsonl", "--overwrite"], ["out.jsonl"]),
    "convert json": (["convert", "large.csv", "out.json", "--overwrite"], ["out.json"]),
    "convert parquet": (["convert", "large.csv", "out.parquet", "--overwrite"], ["out.parquet"]),
    "convert textgrid": (["convert", "units.csv", "out.textgrid", "--overwrite"], ["out.textgrid"]),
    "convert elan": (["convert", "units.csv", "out.eaf", "--overwrite"], ["out.eaf"]),
    "convert rttm": (["convert", "many.csv", "folder", "--to", "rttm"], ["folder"]),
    "convert pygamma": (["convert", "many.csv", "folder", "--to", "pygamma"], ["folder"]),
    "measure --save --report": (
        ["measure", "units.csv", "--seed", "1", "--samples", "20", "--save", "out.unisono", "--report", "out.html"],
        ["out.unisono", "out.html"],
    ),
    "report": (["report", "saved.unisono", "-o", "out.html"], ["out.html"]),
    "align -o csv": (["align", "units.csv", "-o", "out.csv"], ["out.csv"]),
    "align -o parquet": (["align", "units.csv", "-o", "out.parquet"], ["out.parquet"]),
    "align --figure": (["align", "small.csv", "--figure", "out.svg"], ["out.svg"]),
    "gold": (
        ["gold", "units.csv", "-o", "out.json", "--overwrite", "--adjudication", "out.csv"],
        ["out.json", "out.csv"],
    ),
    "validate --fix": (["validate", "large.csv", "--fix", "fixed.csv"], ["fixed.csv", "fixed.changes.csv"]),
    "shuffle": (
        ["shuffle", "spec-model.toml", "--error", "position", "--magnitude", "0.3", "--sets", "30",
         "--annotators", "3", "--seed", "1", "-o", "out.csv", "--truth", "truth.csv", "--save-model", "out.toml",
         "--overwrite"],
        ["out.csv", "truth.csv", "out.toml"],
    ),
    "benchmark": (
        ["benchmark", "spec.toml", "--out", "bench", "--jobs", "1"],
        ["bench/results.csv", "bench/summary.csv", "bench/verdicts.csv", "bench/benchmark.json"],
    ),
}  # fmt: skip
EVENTS = ("SIGKILL", "SIGTERM", "SIGINT", "full disk", "read only")
#: Exit codes that an event may have, besides 0 where the command was done before.
CODES = {"SIGKILL": {-9}, "SIGTERM": {143}, "SIGINT": {130}, "full disk": {1}, "read only": {1}}

counted: dict[tuple[str, str], Counter[str]] = {}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands read; everything they need is loaded into this process."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "large.csv").write_text(unit_table(6_000), encoding="utf-8")
    (folder / "units.csv").write_text(unit_table(60), encoding="utf-8")
    (folder / "small.csv").write_text(unit_table(8), encoding="utf-8")
    rows = ["document,annotator,start,end,category"]
    for number in range(40):
        made = spread_continuum(3, 24, 2, seed=number)  # files large enough for a limit to meet them
        rows += [f"d{number},{unit.annotator},{unit.start},{unit.end},{unit.category}" for unit in made]
    (folder / "many.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "spec.toml").write_text(SPEC, encoding="utf-8")
    (folder / "spec-model.toml").write_text("units = 40\nlength = [10, 20]\ngap = [0, 5]\n", encoding="utf-8")
    said = folder / "said"
    code = end(
        begin(["measure", "units.csv", "--seed", "1", "--samples", "5", "--save", "saved.unisono"], folder, said)
    )
    assert code == 0, said.read_text()
    said.unlink()
    import unisono.analysis.gold
    import unisono.cli
    import unisono.experiments.benchmark
    import unisono.io.read
    import unisono.report.figure
    import unisono.report.page
    import unisono.shuffling  # noqa: F401

    return folder


@pytest.fixture(scope="module", autouse=True)
def the_table() -> Iterator[None]:
    yield
    words = ("runs", "ended", "old", "new", "broken", "leftovers")
    lines = [f"{'command':24} {'event':10} " + " ".join(f"{word:>9}" for word in words)]
    for (command, event), counts in counted.items():
        lines.append(f"{command:24} {event:10} " + " ".join(f"{counts[word]:9}" for word in words))
    text = "\n".join(lines) + "\n"
    print("\n" + text)
    if counted:
        (ROOT / "build").mkdir(exist_ok=True)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")  # each has a table of its own
        (ROOT / "build" / f"crashes{worker and '-'}{worker}.txt").write_text(text, encoding="utf-8")


def contents(folder: Path, names: list[str]) -> dict[str, object]:
    """Every output: its bytes, those of all its files for a folder, None if it is not there."""
    found: dict[str, object] = {}
    for name in names:
        path = folder / name
        if path.is_dir():
            inside = {str(each.relative_to(path)): each.read_bytes() for each in path.rglob("*") if each.is_file()}
            found[name] = inside or None
        else:
            found[name] = path.read_bytes() if path.exists() else None
    return found


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(f"{SCRATCH}*")]


def fresh(inputs: Path, target: Path, outputs: list[str], *, is_new: bool) -> None:
    """A folder to work in, with an old file wherever one may be replaced."""
    target.mkdir()
    for file in inputs.iterdir():
        os.link(file, target / file.name)
    for name in outputs:
        if is_new or name == "folder" or name.startswith("bench/"):
            continue
        (target / name).write_bytes(b"old\n" * 500)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_is_the_old_one_or_complete(inputs: Path, tmp_path: Path, command: str) -> None:
    arguments, outputs = COMMANDS[command]
    is_new = command == "validate --fix"
    clean = tmp_path / "clean"
    fresh(inputs, clean, outputs, is_new=is_new)
    said = tmp_path / "said"
    began = time.monotonic()
    assert end(begin(arguments, clean, said)) == 0, said.read_text()
    longest = time.monotonic() - began
    new = contents(clean, outputs)
    assert all(content is not None for content in new.values()), new.keys()
    largest = max(path.stat().st_size for name in outputs for path in _files(clean / name))
    for event in EVENTS:
        counts = counted.setdefault((command, event), Counter())
        for run in range(RUNS if event != "read only" else min(RUNS, 3)):
            folder = tmp_path / f"{event}-{run}"
            fresh(inputs, folder, outputs, is_new=is_new)
            old = contents(folder, outputs)
            code = _run(arguments, folder, said, event, run, longest, largest)
            found = contents(folder, outputs)
            counts["runs"] += 1
            counts["ended"] += code != 0
            text = said.read_text(errors="replace")
            assert code in CODES[event] | {0}, (event, run, code, text)
            assert "Traceback" not in text, (event, run, text)
            for name in outputs:
                state = "new" if found[name] == new[name] else "old" if found[name] == old[name] else "broken"
                counts[state] += 1
                assert state != "broken", (event, run, name)
            if code == 0:
                assert found == new, (event, run)
            left = leftovers(folder)
            assert not left or event == "SIGKILL", (event, run, left)
            if left:
                counts["leftovers"] += 1
                for name in outputs if is_new else []:
                    (folder / name).unlink(missing_ok=True)
                if "folder" in outputs:
                    shutil.rmtree(folder / "folder", ignore_errors=True)
                assert end(begin(arguments, folder, said)) == 0, said.read_text()
                assert contents(folder, outputs) == new
                assert not leftovers(folder)
            shutil.rmtree(folder)
        # A file in a folder that is read only is overwritten; everything else must have met some of the runs.
        assert counts["ended"] or event == "read only" or RUNS < 8, (event, "never came in time")


def _files(path: Path) -> list[Path]:
    return [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]


def _run(arguments: list[str], folder: Path, said: Path, event: str, run: int, longest: float, largest: int) -> int:
    if event == "full disk":
        size = int(largest * (run + 0.5) / RUNS)
        # What is said goes to a file too, which must not be what is full.
        return end(begin(arguments, folder, said, lambda: limit_files(max(size, 600))))
    if event == "read only":
        folder.chmod(0o555)
        try:
            return end(begin(arguments, folder, said, give_up_root))
        finally:
            folder.chmod(0o755)
    pid = begin(arguments, folder, said)
    time.sleep(moments(run, longest))
    os.kill(pid, getattr(signal, event))
    return end(pid)


def test_two_at_once_write_one_of_them(inputs: Path, tmp_path: Path) -> None:
    """Both succeed, and the file is that of one of them: not a row of the other."""
    other = unit_table(6_000, seed=2)
    for run in range(max(3, RUNS // 3)):
        folder = tmp_path / str(run)
        fresh(inputs, folder, [], is_new=True)
        (folder / "other.csv").write_text(other, encoding="utf-8")
        both = [
            begin(["convert", name, "out.csv", "--overwrite"], folder, tmp_path / f"said-{name}")
            for name in ("large.csv", "other.csv")
        ]
        assert [end(pid) for pid in both] == [0, 0]
        singles = []
        for name in ("large.csv", "other.csv"):
            assert end(begin(["convert", name, f"alone-{name}"], folder, tmp_path / "said")) == 0
            singles.append((folder / f"alone-{name}").read_text().replace(name.partition(".")[0], ""))
        found = (folder / "out.csv").read_text()
        assert found.replace("large", "").replace("other", "") in singles
        assert not leftovers(folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=["KILL", "TERM", "INT"])
def test_the_terminal_is_usable_after_it(inputs: Path, number: signal.Signals) -> None:
    """Oracle: what the terminal was told: the cursor is never hidden, and its settings are those of before."""
    import pty
    import termios

    main, other = pty.openpty()
    before = termios.tcgetattr(main)
    process = subprocess.Popen(
        [sys.executable, "-m", "unisono", "measure", "many.csv", "--samples", "20000"],
        stdout=other, stderr=other, stdin=other, cwd=inputs, env={**os.environ, "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(other)
    shown = b""
    while b"measuring" not in shown:
        shown += os.read(main, 65536)
    time.sleep(0.2)
    process.send_signal(number)
    process.wait(60)
    try:
        while piece := os.read(main, 65536):
            shown += piece
    except OSError:  # the end of a terminal is an error on Linux
        pass
    assert termios.tcgetattr(main) == before
    os.close(main)
    assert b"\x1b[?25l" not in shown
    assert b"\x1b[?1049h" not in shown
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}[number]
