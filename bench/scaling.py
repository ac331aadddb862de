# SPDX-License-Identifier: MIT
"""Twice the units: how much more time and memory? Each alignment in a process of its own."""

from __future__ import annotations

import json
import statistics

from measuring import Options, Table, child, verdict

#: At most this much more for twice the units.
AT_MOST = 2.3
SIZES = (8_000, 16_000)
PROCESSES = 3


def run(options: Options) -> Table:
    table = Table(
        "scaling", "One best alignment of 3 x 8,000 and of 3 x 16,000 units", ("case", "8,000", "16,000", "ratio")
    )
    table.columns += ("at most", "verdict")
    table.notes.append("memory is what the alignment added to the process: peak minus what was in use before the call")
    for gap in (1, 0):
        found = {units: _median(units, gap, 1 if options.is_quick else PROCESSES) for units in SIZES}
        proven = all(found[units]["is_proven"] for units in SIZES)
        for key, unit in (("ms", "ms"), ("added_mb", "MB")):
            small, large = (found[units][key] for units in SIZES)
            ratio = large / small
            table.add(
                case=f"3x gap {gap}, {'CPU time' if key == 'ms' else 'memory'}",
                **{"8,000": f"{small:.1f} {unit}", "16,000": f"{large:.1f} {unit}", "ratio": f"{ratio:.2f}"},
                **{"at most": AT_MOST, "verdict": verdict(proven and ratio <= AT_MOST)},
                values=[small, large],
            )
    return table


def _median(units: int, gap: float, processes: int) -> dict[str, float]:
    request = json.dumps({"annotators": 3, "units": units, "gap": gap})
    runs = [child("child.py", request) for _ in range(processes)]
    return {
        "ms": statistics.median(run["ms"] for run in runs),
        "added_mb": statistics.median(run["peak_mb"] - run["before_mb"] for run in runs),
        "is_proven": all(run["is_proven"] for run in runs),
    }
