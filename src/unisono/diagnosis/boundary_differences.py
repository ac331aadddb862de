# SPDX-License-Identifier: MIT
"""What lies between two boundaries on a text: a leading determiner, blanks, punctuation, words or parts of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unisono.diagnosis.alignment_columns import AlignedUnits
from unisono.diagnosis.annotator_cells import Cells
from unisono.model import Corpus

#: Articles, demonstratives and possessives of English, German, French, Spanish, Italian, Portuguese and Dutch.
DETERMINERS = frozenset({
    "the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their",
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "dieser", "diese",
    "le", "la", "les", "l", "un", "une", "du", "ce", "cette", "ces", "el", "los", "las", "una", "unos", "unas",
    "il", "lo", "gli", "i", "uno", "o", "os", "as", "um", "uma", "de", "het", "een",
})  # fmt: skip
_WORD = re.compile(r"\w+")


def difference(text: str, first: int, last: int, *, is_start: bool) -> str:
    """What the text between two boundaries of one kind is.

    >>> difference("by the king, who", 3, 7, is_start=True), difference("by the king, who", 11, 12, is_start=False)
    ('determiner', 'punctuation')
    >>> difference("by the king, who", 3, 12, is_start=False), difference("by the king, who", 8, 11, is_start=False)
    ('words', 'part of a word')
    """
    between = text[first:last]
    if not between.strip():
        return "blanks"
    words = _WORD.findall(between)
    if not words:
        return "punctuation"
    if any(0 < edge < len(text) and _is_inside_word(text, edge) for edge in (first, last)):
        return "part of a word"
    return "determiner" if is_start and len(words) == 1 and words[0].lower() in DETERMINERS else "words"


def _is_inside_word(text: str, edge: int) -> bool:
    return text[edge - 1].isalnum() and text[edge].isalnum()


@dataclass(frozen=True)
class BoundaryTexts:
    """The texts of the documents, to say what boundaries differ by."""

    units: AlignedUnits
    cells: Mapping[str, Cells]
    texts: tuple[str | None, ...]

    @classmethod
    def of(cls, units: AlignedUnits, cells: Mapping[str, Cells], corpus: Corpus) -> BoundaryTexts | None:
        """None if no document has a text."""
        texts = tuple(corpus[name].text for name in units.documents)
        return cls(units, cells, texts) if any(text is not None for text in texts) else None

    def counts(self, annotator: int, habit: str) -> Counter[str]:
        """How often an annotator's starts or ends differ from the others' by what."""
        units, cells = self.units, self.cells[habit]
        assert cells.positions is not None
        mine = np.flatnonzero((units.seat_annotator[cells.seat] == annotator) & (cells.positions != 0))
        unit = units.find_unit(cells.group[mine], cells.seat[mine])
        own = (units.start if habit == "starts" else units.end)[unit]
        found: Counter[str] = Counter()
        rows = zip(
            units.group_document[cells.group[mine]].tolist(),
            own.tolist(),
            (own - cells.positions[mine]).tolist(),
            strict=True,
        )
        for document, position, median in rows:
            text = self.texts[document]
            if text is not None:
                first, last = sorted((round(position), round(median)))
                found[difference(text, first, last, is_start=habit == "starts")] += 1
        return found

    def sentence(self, annotator: int, habit: str) -> str:
        """What the boundaries differ by most often, if it is one thing in half of the cases or more; else nothing."""
        counts = self.counts(annotator, habit)
        if not counts:
            return ""
        what, count = counts.most_common(1)[0]
        words = {
            "blanks": "blanks",
            "punctuation": "punctuation",
            "determiner": "a leading determiner",
            "words": "one or more whole words",
            "part of a word": "a part of a word",
        }
        if 2 * count < counts.total():
            return ""
        return f" In {count:,} of {counts.total():,} cases the difference is {words[what]}."
