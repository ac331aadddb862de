# SPDX-License-Identifier: MIT
"""What the parts of the bench share: a stopwatch for CPU time, peak memory, a table of rows, child processes."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unisono.results import MeasureValue

HERE = Path(__file__).parent
RESULTS = HERE / "results"
#: Where the corpora of others are.
SHARED = Path(os.environ.get("UNISONO_SHARED", HERE.resolve().parents[1] / "shared"))

MET, NOT_MET, NO_BAR = "met", "NOT met", ""


@dataclass(frozen=True)
class Options:
    """What the command line asked for."""

    is_quick: bool = False
    is_fresh: bool = False
    skips_peer: bool = False
    say: Callable[[str], None] = print


@dataclass
class Table:
    """Rows for people (columns by name, in order) and for JSON (the rest of each row too)."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, **row: Any) -> None:
        self.rows.append(row)

    @property
    def failures(self) -> list[str]:
        return [row[self.columns[0]] for row in self.rows if row.get("verdict") == NOT_MET]

    def save(self, *, is_quick: bool) -> None:
        """As JSON; a quick run does not replace the figures of a whole one."""
        RESULTS.mkdir(exist_ok=True)
        content = {
            "name": self.name, "title": self.title, "columns": self.columns, "rows": self.rows, "notes": self.notes,
            "run": run_description(),
        }  # fmt: skip
        (RESULTS / f"{self.name}{'-quick' if is_quick else ''}.json").write_text(
            json.dumps(content, indent=1, default=float)
        )


def run_description() -> dict[str, Any]:
    """What a part was measured on and with, and when it ended."""
    return {
        "when": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "cores": os.cpu_count(),
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "unisono": version("unisono"),
        "sources": sources_digest(),
    }


def sources_digest() -> str:
    """A digest of the package's sources: a figure with another one was measured with another program."""
    digest = hashlib.sha256()
    for path in sorted((HERE.parent / "src").rglob("*")):
        if path.suffix in {".py", ".hpp", ".cpp"}:
            digest.update(path.relative_to(HERE.parent).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _processor() -> str:
    """The processor's name where the system says it, else its kind."""
    known = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.+)$", known.read_text(), re.MULTILINE) if known.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def range_width(value: MeasureValue) -> float:
    """How wide the guaranteed range of a value is: 0 where it is proven, infinite where nothing bounds it."""
    if value.range is None:
        return math.inf if value.gap else 0.0
    return value.range[1] - value.range[0]


def verdict(is_met: bool) -> str:
    return MET if is_met else NOT_MET


@dataclass(frozen=True)
class Timed:
    """CPU milliseconds of one call, and what the call returned."""

    ms: float
    result: Any


def timed(function: Callable[[], Any], *, for_seconds: float = 0.3, at_least: int = 3, patience: float = 2.0) -> Timed:
    """The median of several calls after a warm-up call; all threads of the process count.

    A call that takes longer than `patience` seconds is not repeated, and its warm-up is the measurement.
    """
    first, result = _cpu_seconds(function)
    if first > patience:
        return Timed(1e3 * first, result)
    taken: list[float] = []
    while len(taken) < at_least or (sum(taken) < for_seconds and len(taken) < 1000):
        taken.append(_cpu_seconds(function)[0])
    return Timed(1e3 * statistics.median(taken), result)


def _cpu_seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    before = time.process_time()
    result = function()
    return time.process_time() - before, result


def child(script: str, *arguments: object, stdin: str | None = None, python: str = sys.executable) -> dict[str, Any]:
    """Run one of our scripts in a process of its own; it prints one JSON object."""
    command = [python, str(HERE / script), *map(str, arguments)]
    finished = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise RuntimeError(f"{script} {' '.join(map(str, arguments))} failed:\n{finished.stderr[-2000:]}")
    return json.loads(finished.stdout)


def reset_peak() -> float:
    """Forget the high-water mark of this process's memory, where the system can; the megabytes in use now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return peak_mb()
    return _status("VmRSS")


def peak_mb() -> float:
    """The most memory this process has had in use, in megabytes."""
    try:
        return _status("VmHWM")
    except OSError:
        import resource

        in_use = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return in_use / (2**20 if sys.platform == "darwin" else 2**10)


def _status(key: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    raise OSError(key)
