# SPDX-License-Identifier: MIT
"""text-γ: a text of 608 tokens, whole books, ten annotators. Each case in a process of its own, its result checked."""

from __future__ import annotations

import json

from measuring import Options, Table, child, verdict

#: (case, request to text_child.py, most seconds, most megabytes in all)
CASES = (
    ("608 tokens, text-γ at 1 %", {"kind": "gamma", "tokens": 608}, 10, 2000),
    ("100,000 characters, 0.5 % of the tokens", {"kind": "pair", "characters": 100_000, "share": 0.005}, 30, 2000),
    ("100,000 characters, 1 %", {"kind": "pair", "characters": 100_000, "share": 0.01}, 30, 2000),
    ("100,000 characters, 2 %", {"kind": "pair", "characters": 100_000, "share": 0.02}, 30, 2000),
    ("1,000,000 characters, 0.5 %", {"kind": "pair", "characters": 1_000_000, "share": 0.005}, 30, 2000),
    ("1,000,000 characters, 1 %", {"kind": "pair", "characters": 1_000_000, "share": 0.01}, 30, 2000),
    ("1,000,000 characters, 2 %", {"kind": "pair", "characters": 1_000_000, "share": 0.02}, 30, 2000),
    ("10 annotators, 5,000 tokens", {"kind": "many", "annotators": 10, "tokens": 5_000, "share": 0.05}, 30, 2000),
)
#: What --quick leaves out.
SLOW = 1_000_000


def run(options: Options) -> Table:
    table = Table(
        "text",
        "text-γ: observed disorder of versions of a text; text-γ of a short one",
        ("case", "seconds", "peak MB", "added MB", "cost", "disorder", "at most s", "verdict"),
    )
    table.notes.append(
        "share: tokens that differ (half by a character, a quarter split, a quarter merged); CPU seconds"
    )
    table.notes.append(
        "checked: the disorder is not above that of the edits put in; of ten annotators, it is not below that of the "
        "pairs, and proven; text-γ, by its interval"
    )
    for case, request, seconds, megabytes in CASES:
        if options.is_quick and request.get("characters", 0) >= SLOW:
            continue
        options.say(f"  {case}")
        found = child("text_child.py", json.dumps(request))
        table.add(
            case=case,
            seconds=f"{found['seconds']:.2f}",
            **{"peak MB": f"{found['peak_mb']:.0f}", "added MB": f"{found['peak_mb'] - found['before_mb']:.0f}"},
            cost=found.get("cost", ""),
            disorder=f"{found['disorder']:.5f}",
            **{"at most s": seconds},
            verdict=verdict(found["is_right"] and found["seconds"] < seconds and found["peak_mb"] < megabytes),
            values=found,
        )
    return table
