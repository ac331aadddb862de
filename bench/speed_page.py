# SPDX-License-Identifier: MIT
"""Write docs/speed.md and its picture from the figures that `make bench` kept: `python bench/speed_page.py`.

Only whole runs count; `--quick` takes the quick ones instead and writes to build/speed, to look at the page beforehand.
Parts that are missing, or were measured with other sources than the present ones, are named on the page and on standard
error, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from measuring import HERE, RESULTS, sources_digest
from unisono.report.plotting import OKABE_ITO, new_figure, save_figure
from unisono.whole_files import replacement

DOCS = HERE.parent / "docs"
PICTURE = "images/speed.svg"
#: The parts that readers ask for, in the order of the page.
PARTS = ("peers", "solver", "corpora", "many_documents", "reading", "startup")
#: What each table shows, for a reader who has not run the bench.
ABOUT = {
    "peers": "The same continua, the same random samples, the same disorders: how long the computation takes in both.",
    "solver": "One best alignment. *p x q*: p annotators with about q units each; *gap 0*: units follow each other "
    "without a gap. *floor* and *target* are our own bars.",
    "corpora": "Whole public corpora, from files to values.",
    "many_documents": "A great many short documents, measured in a stream.",
    "reading": "Files of many units, read and checked.",
    "startup": "A fresh process: wall clock, as a user waits for it.",
}
INTRODUCTION = """# Speed

Figures of `make bench`, which checks every result that it times. Times are CPU time unless a table says otherwise;
other work on the machine lengthens them a little: *load* is how many processes wanted a core on average.
[How speed is measured](../bench/README.md) has the rest; this page is written from the figures by
`python bench/speed_page.py`.
"""


def kept_parts(*, is_quick: bool = False) -> dict[str, dict[str, Any]]:
    """The parts that were measured, in the order of the page."""
    paths = {name: RESULTS / f"{name}{'-quick' if is_quick else ''}.json" for name in PARTS}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items() if path.exists()}


def complaints(parts: dict[str, dict[str, Any]]) -> list[str]:
    """What a reader must know of the figures: what is missing, and what was measured with other sources."""
    missing = [name for name in PARTS if name not in parts]
    now = sources_digest()
    stale = [name for name, part in parts.items() if part.get("run", {}).get("sources") != now]
    return [
        *([f"Not measured: {', '.join(missing)}."] if missing else []),
        *([f"Measured with earlier sources than those of this page: {', '.join(stale)}."] if stale else []),
    ]


def speed_page(parts: dict[str, dict[str, Any]]) -> str:
    """The page, in Markdown."""
    text = [INTRODUCTION, *(f"**{words}**\n" for words in complaints(parts))]
    if "peers" in parts:
        text.append(f"{in_a_sentence(parts['peers']['rows'])}\n")
        text.append(f"![Times faster than pygamma-agreement, by case]({PICTURE})\n")
    return "\n".join([*text, *(markdown_table(part, ABOUT[name]) for name, part in parts.items())])


def circumstances(run: dict[str, Any]) -> str:
    """When and where a part was measured, and with what."""
    if not run:
        return "When and where this was measured is not known."
    load = "unknown" if run["load"] is None else f"{run['load']:g}"
    return (
        f"Measured {run['when']} at a load of {load}: {run['cores']} cores ({run['processor']}), {run['system']}, "
        f"Python {run['python']}, numpy {run['numpy']}, unisono {run['unisono']}, sources {run['sources']}."
    )


def in_a_sentence(rows: list[dict[str, Any]]) -> str:
    """How much faster than the peer."""
    ratios = sorted(row["ratio"] for row in rows)
    return (
        f"**Against pygamma-agreement** (exact mode): {_digits(ratios[0])} to {_digits(ratios[-1])} times faster, "
        f"{_digits(median(ratios))} in the median of {len(ratios)} cases, with equal disorders where the table says so."
    )


def _digits(ratio: float) -> str:
    """Two digits: more would be those of the machine."""
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def markdown_table(part: dict[str, Any], about: str) -> str:
    """One part of the bench with its notes."""
    columns = [column for column in part["columns"] if any(str(row.get(column, "")) for row in part["rows"])]
    lines = [f"## {part['title']}\n", f"{about}\n", _row(columns), _row(["---"] * len(columns))]
    lines += [_row([str(row.get(column, "")) for column in columns]) for row in part["rows"]]
    notes = [note for note in part["notes"] if not note.startswith("this part took")]
    return "\n".join([*lines, "", *(f"- {note}" for note in [*notes, circumstances(part.get("run", {}))]), ""])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def draw_ratios(rows: list[dict[str, Any]], path: Path) -> None:
    """How many times faster each case is, as bars on a logarithmic axis."""
    figure = new_figure(7, 0.6 + 0.3 * len(rows), layout="constrained")
    axes = figure.add_subplot()
    names, ratios = [row["case"] for row in rows][::-1], [row["ratio"] for row in rows][::-1]
    bars = axes.barh(names, ratios, color=OKABE_ITO["blue"])
    axes.bar_label(bars, [f"{ratio:,.0f}" for ratio in ratios], padding=3)
    axes.set_xscale("log")
    axes.set_xlim(1, 10 * max(ratios))
    axes.set_xlabel("times faster (CPU time)")
    axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacement(path) as draft:
        save_figure(figure, draft, "svg")


def main(arguments: list[str] | None = None) -> int:
    """Write the page; 1 if something is missing or stale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="from the quick runs, into build/speed")
    is_quick = parser.parse_args(arguments).quick
    folder = HERE.parent / "build" / "speed" if is_quick else DOCS
    parts = kept_parts(is_quick=is_quick)
    if not parts:
        print(f"no part of the page was measured: {', '.join(PARTS)} (bench/run.py)", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    if "peers" in parts:
        draw_ratios(parts["peers"]["rows"], folder / PICTURE)
    with replacement(folder / "speed.md") as draft:
        draft.write_text(speed_page(parts), encoding="utf-8")
    found = complaints(parts)
    for words in found:
        print(words, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
