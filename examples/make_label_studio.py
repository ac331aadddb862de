# SPDX-License-Identifier: MIT
"""Write a Label Studio export of a made-up project: twelve annotators, six letters, people, places and dates.

    python examples/make_label_studio.py export.json

Everybody errs a little; `mia` marks much too long and `leo` takes places for organisations, so that there is something
to find. The same file comes out every time.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

ANNOTATORS = ["ada", "ben", "chloe", "dan", "eva", "finn", "gus", "hana", "ida", "jon", "leo", "mia"]
TEXT = "the letter came from a town by the river and spoke of friends who had gone there in spring"
WORDS = TEXT.split()
LABELS = {"Person": ["Anna", "Karl Weber"], "Place": ["Caen", "the Orne valley"], "Date": ["1998", "May 3"]}
LETTERS, UNITS = 6, 14

#: Start, end and label.
Marked = tuple[int, int, str]


def write_letter(source: random.Random) -> tuple[str, list[Marked]]:
    """A text and the units that a careful reader would mark."""
    text, units = "", []
    for _ in range(UNITS):
        text += " ".join(source.choices(WORDS, k=source.randint(3, 9))) + " "
        label = source.choice(list(LABELS))
        name = source.choice(LABELS[label])
        units.append((len(text), len(text) + len(name), label))
        text += name + " "
    return text.strip(), units


def annotate(who: str, text: str, units: list[Marked], source: random.Random) -> list[Marked]:
    """The units as this annotator marks them."""
    marked = []
    for start, end, label in units:
        if source.random() < 0.06:
            continue
        if source.random() < 0.1:
            end = min(len(text), end + source.randint(1, 6))
        if source.random() < 0.04:
            label = source.choice(list(LABELS))
        if who == "mia":
            start, end = max(0, start - source.randint(4, 14)), min(len(text), end + source.randint(4, 14))
        if who == "leo" and label == "Place" and source.random() < 0.7:
            label = "Organisation"
        marked.append((start, end, label))
    return marked


def main(path: Path) -> None:
    source = random.Random(2026)
    tasks = []
    for number in range(1, LETTERS + 1):
        text, units = write_letter(source)
        annotations = []
        for who in ANNOTATORS:
            result = [
                {
                    "id": f"{number}-{who}-{i}",
                    "from_name": "label",
                    "to_name": "text",
                    "type": "labels",
                    "value": {"start": start, "end": end, "text": text[start:end], "labels": [label]},
                }
                for i, (start, end, label) in enumerate(annotate(who, text, units, source))
            ]
            email = f"{who}@example.org"
            annotations.append({"id": len(annotations) + 1, "completed_by": {"email": email}, "result": result})
        tasks.append({"id": number, "data": {"text": text}, "annotations": annotations})
    path.write_text(json.dumps(tasks, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
