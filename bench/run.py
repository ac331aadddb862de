# SPDX-License-Identifier: MIT
"""The bench: `make bench`, or `python bench/run.py --only solver --quick`. What it measures: bench/README.md."""

from __future__ import annotations

import argparse
import importlib
import sys
import time

from rich.console import Console
from rich.table import Table as Drawn

from measuring import Options, Table

#: In the order of the output; each is a module with `run(options) -> Table`.
PARTS = (
    "peers", "solver", "crowds", "scaling", "corpora", "many_documents", "control_variates", "sharing", "measures",
    "text", "reading", "threads", "startup", "interrupt",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed, against pygamma-agreement and against our own targets.")
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone (may be given more than once)")
    parser.add_argument("--quick", action="store_true", help="fewer instances, no slow cases")
    parser.add_argument("--fresh", action="store_true", help="run pygamma-agreement again, whatever is kept")
    parser.add_argument("--skip-peer", action="store_true", help="leave pygamma-agreement out")
    given = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 140)
    progress = Console(stderr=True)
    options = Options(
        is_quick=given.quick,
        is_fresh=given.fresh,
        skips_peer=given.skip_peer,
        say=lambda text: progress.print(text, highlight=False, markup=False),
    )
    parts = [part for part in PARTS if part in (given.only or PARTS) and not (part == "peers" and given.skip_peer)]
    tables = []
    for part in parts:
        before = time.perf_counter()
        options.say(f"{part} ...")
        table = importlib.import_module(part).run(options)
        table.notes.append(f"this part took {time.perf_counter() - before:.0f} s")
        table.save(is_quick=options.is_quick)
        draw(table, console)
        tables.append(table)
    failures = [f"{table.name}: {case}" for table in tables for case in table.failures]
    for failure in failures:
        console.print(f"NOT met: {failure}", highlight=False, markup=False)
    if not failures:
        console.print("Every bar is met.")
    return 1 if failures else 0


def draw(table: Table, console: Console) -> None:
    """One table for people, its notes below it."""
    drawn = Drawn(title=table.title, title_justify="left", title_style="bold")
    for i, column in enumerate(table.columns):
        drawn.add_column(column, justify="left" if i == 0 or column == "verdict" else "right")
    for row in table.rows:
        drawn.add_row(*(str(row.get(column, "")) for column in table.columns))
    console.print(drawn)
    for note in table.notes:
        console.print(f"  {note}", highlight=False, markup=False)
    console.print()


if __name__ == "__main__":
    raise SystemExit(main())
