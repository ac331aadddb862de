# SPDX-License-Identifier: MIT
"""What it costs to begin: `import unisono` and a whole `unisono measure`, against `import numpy`.

Wall clock of whole fresh processes, interpreter included, medians of five, taken in turn so that a busy moment of
the machine hits all of them; one round before that fills the caches.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kinds import Kind
from measuring import NO_BAR, Options, Table, verdict

ROUNDS = 5
FIRST_USE = 'import unisono; unisono.best_alignment(unisono.continuum({"a": [(0, 5, "x")], "b": [(1, 5, "x")]}))'
BARS = {"import unisono": 2.5, "unisono measure, 100 units": 8.0}


def run(options: Options) -> Table:
    table = Table(
        "startup", "Start-up, medians of five fresh processes", ("case", "ms", "times import numpy", "at most")
    )
    table.columns += ("verdict",)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "units.csv"
        _write(file)
        command = Path(sys.executable).parent / "unisono"
        commands = {
            "python alone": [sys.executable, "-c", "pass"],
            "import numpy": [sys.executable, "-c", "import numpy"],
            "import unisono": [sys.executable, "-c", "import unisono"],
            # `import unisono` loads its parts when they are asked for: what the first use costs belongs here too.
            "import unisono, one alignment": [sys.executable, "-c", FIRST_USE],
            "unisono --help": [str(command), "--help"],
            "unisono measure, 100 units": [str(command), "measure", str(file), "--seed", "1"],
        }
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(1 + ROUNDS):
            for name, arguments in commands.items():
                taken[name].append(_milliseconds(arguments))
    medians = {name: statistics.median(times[1:]) for name, times in taken.items()}
    for name, median in medians.items():
        ratio = median / medians["import numpy"]
        bar = BARS.get(name)
        table.add(
            case=name,
            ms=f"{median:.0f}",
            **{"times import numpy": f"{ratio:.2f}", "at most": bar or NO_BAR},
            verdict=NO_BAR if bar is None else verdict(ratio <= bar),
            values=taken[name][1:],
        )
    alone = medians["python alone"]
    without = (medians["import unisono"] - alone) / (medians["import numpy"] - alone)
    table.notes.append(f"`import unisono` over `import numpy` without the interpreter's own start: {without:.2f}")
    return table


def _write(file: Path) -> None:
    """A hundred units: four annotators with 25 each."""
    rows = ["annotator,start,end,category"]
    rows += [f"{u.annotator},{u.start},{u.end},{u.category}" for u in Kind(4, 25, 1.0, is_for_peers=True)[0]]
    file.write_text("\n".join(rows) + "\n")


def _milliseconds(arguments: list[str]) -> float:
    before = time.perf_counter()
    finished = subprocess.run(
        arguments, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    taken = 1e3 * (time.perf_counter() - before)
    if finished.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{finished.stderr[-2000:]}")
    return taken
