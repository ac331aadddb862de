# SPDX-License-Identifier: MIT
"""Data to begin with: the examples of the project and a corpus with known faults, as they come with the package."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Sample:
    """A table of units with what is known about its document."""

    name: str
    title: str
    description: str
    #: How it is read.
    reading: Mapping[str, Any] = field(default_factory=dict)
    #: The file with the text the units stand on.
    text: str | None = None
    #: The file with the extents of the documents.
    extents: str | None = None

    def files(self) -> dict[str, bytes]:
        """The files as somebody would send them."""
        folder = files(__name__)
        sent = {f"{self.name}.csv": (folder / f"{self.name}.csv").read_bytes()}
        if self.text is not None:
            rows = io.StringIO()
            table = csv.writer(rows, lineterminator="\n")
            table.writerow(["document", "text"])
            table.writerow([self.name, (folder / self.text).read_text(encoding="utf-8")])
            sent["documents.csv"] = rows.getvalue().encode()
        if self.extents is not None:
            sent["documents.csv"] = (folder / self.extents).read_bytes()
        return sent


SAMPLES: Mapping[str, Sample] = {
    sample.name: sample
    for sample in (
        Sample(
            "entities",
            "Named entities in a text",
            "Three annotators marked persons, places, organisations and dates in a short text; some are nested.",
            {"documents": "documents.csv"},
            "entities.txt",
        ),
        Sample(
            "gestures",
            "Gestures on video",
            "Three annotators marked the strokes of a speaker's gestures in a recording of 21 seconds.",
            {"extent": [0, 21]},
        ),
        Sample(
            "debates",
            "A corpus with planted faults",
            "Five annotators marked claims, evidence, questions and appeals in twelve debates. It was made by the "
            "shuffling tool: one annotator misses a third of the units, and claims are taken for evidence.",
            {"documents": "documents.csv"},
            extents="debates_documents.csv",
        ),
    )
}
