# SPDX-License-Identifier: MIT
"""Write docs/speed.md and its picture from the figures that `make bench` kept: `python bench/speed_page.py`.

Only whole runs count, not `--quick` ones; a part that was not run is left out of the page.
"""

from __future__ import annotations

import json
from typing import Any

from measuring import HERE, RESULTS
from unisono.report.plotting import OKABE_ITO, new_figure, save_figure
from unisono.whole_files import replacement

DOCS = HERE.parent / "docs"
PICTURE = "images/speed.svg"
#: The parts that readers ask for, in the order of the page.
PARTS = ("peers", "solver", "corpora", "reading", "startup")
INTRODUCTION = """# Speed

Figures of one run of `make bench`, which checks every result that it times; [the bench](../bench/README.md) says what
is measured and how. This page is written from them by `python bench/speed_page.py`.
"""


def speed_page() -> str:
    """The page, in Markdown."""
    machine = json.loads((RESULTS / "machine.json").read_text(encoding="utf-8"))
    text = [
        INTRODUCTION,
        f"Machine: {machine['cores']} cores, {machine['processor']}, Python {machine['python']}; {machine['when']}.\n",
    ]
    for name in PARTS:
        path = RESULTS / f"{name}.json"
        if not path.exists():
            continue
        part = json.loads(path.read_text(encoding="utf-8"))
        if name == "peers":
            text.append(f"![Times faster than pygamma-agreement, by case]({PICTURE})\n")
        text.append(markdown_table(part))
    return "\n".join(text)


def markdown_table(part: dict[str, Any]) -> str:
    """One part of the bench with its notes."""
    columns = [column for column in part["columns"] if any(str(row.get(column, "")) for row in part["rows"])]
    lines = [f"## {part['title']}\n", _row(columns), _row(["---"] * len(columns))]
    lines += [_row([str(row.get(column, "")) for column in columns]) for row in part["rows"]]
    return "\n".join([*lines, "", *(f"- {note}" for note in part["notes"]), ""])


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
    peers = RESULTS / "peers.json"
    if peers.exists():
        draw_ratios(json.loads(peers.read_text(encoding="utf-8"))["rows"])
    with replacement(DOCS / "speed.md") as draft:
        draft.write_text(speed_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
