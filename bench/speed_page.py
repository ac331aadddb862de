# SPDX-License-Identifier: MIT
"""Write docs/speed.md and its picture from the figures that `make bench` kept: `python bench/speed_page.py`.

Only whole runs count, not `--quick` ones; the page says which parts were not run.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

from measuring import HERE, RESULTS
from unisono.report.plotting import OKABE_ITO, new_figure, save_figure
from unisono.whole_files import replacement

DOCS = HERE.parent / "docs"
PICTURE = "images/speed.svg"
#: The parts that readers ask for, in the order of the page.
PARTS = ("peers", "solver", "corpora", "reading", "startup")
#: What each table shows, for a reader who has not run the bench.
ABOUT = {
    "peers": "The same continua, the same random samples, the same disorders: how long the computation takes in both.",
    "solver": "One best alignment. *p x q*: p annotators with about q units each; *gap 0*: units follow each other "
    "without a gap. *floor* and *target* are our own bars.",
    "corpora": "Whole public corpora, from files to values.",
    "reading": "Files of many units, read and checked.",
    "startup": "A fresh process: wall clock, as a user waits for it.",
}
INTRODUCTION = """# Speed

Figures of one run of `make bench`, which checks every result that it times. Times are CPU time unless a table says
otherwise. [How speed is measured](../bench/README.md) has the rest; this page is written from the figures by
`python bench/speed_page.py`.
"""


def speed_page() -> str:
    """The page, in Markdown."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    load = f"load {machine['load']:g}" if machine.get("load") is not None else "load unknown"
    words = f"{machine['cores']} cores, {machine['processor']}, Python {machine['python']}; {machine['when']}, {load}"
    text = [INTRODUCTION, f"Machine: {words} at the end of the run.\n"]
    parts = {name: json.loads(path.read_text(encoding="utf-8")) for name in PARTS if (path := _kept(name)).exists()}
    if "peers" in parts:
        text.append(f"{in_a_sentence(parts['peers']['rows'])}\n")
        text.append(f"![Times faster than pygamma-agreement, by case]({PICTURE})\n")
    text += [markdown_table(part, ABOUT[name]) for name, part in parts.items()]
    missing = [name for name in PARTS if name not in parts]
    if missing:
        text.append(f"Not measured in that run: {', '.join(missing)}.\n")
    return "\n".join(text)


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


def _kept(name: str) -> Path:
    return RESULTS / f"{name}.json"


def markdown_table(part: dict[str, Any], about: str) -> str:
    """One part of the bench with its notes."""
    columns = [column for column in part["columns"] if any(str(row.get(column, "")) for row in part["rows"])]
    lines = [f"## {part['title']}\n", f"{about}\n", _row(columns), _row(["---"] * len(columns))]
    lines += [_row([str(row.get(column, "")) for column in columns]) for row in part["rows"]]
    notes = [note for note in part["notes"] if not note.startswith("this part took")]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes), ""])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def draw_ratios(rows: list[dict[str, Any]]) -> None:
    """How many times faster each case is, as bars on a logarithmic axis."""
    figure = new_figure(7, 0.6 + 0.3 * len(rows), layout="constrained")
    axes = figure.add_subplot()
    names, ratios = [row["case"] for row in rows][::-1], [row["ratio"] for row in rows][::-1]
    bars = axes.barh(names, ratios, color=OKABE_ITO["blue"])
    axes.bar_label(bars, [f"{ratio:,.0f}" for ratio in ratios], padding=3)
    axes.set_xscale("log")
    axes.set_xlim(1, 10 * max(ratios))
    axes.set_xlabel("times faster than pygamma-agreement (CPU time)")
    axes.spines[["top", "right"]].set_visible(False)
    with replacement(DOCS / PICTURE) as draft:
        save_figure(figure, draft, "svg")


def main() -> None:
    peers = _kept("peers")
    if peers.exists():
        draw_ratios(json.loads(peers.read_text(encoding="utf-8"))["rows"])
    with replacement(DOCS / "speed.md") as draft:
        draft.write_text(speed_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
