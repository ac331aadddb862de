# SPDX-License-Identifier: MIT
"""A text made of tokens, with the tokens as units on it, for formats with one token on each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from unisono.io.record import Record, RecordBuilder
from unisono.model import CATEGORY
from unisono.model.versions import TYPE

SENTENCE = "sentence"
#: Most characters in all gaps of a text, between tokens or sentences, that are filled with blanks.
MOST_FILLED = 10_000_000
#: Cells that mean: no label.
NO_LABEL = frozenset({"", "_", "-"})
#: The feature that is the category, unless the user names another: the first of these that there is.
_CATEGORIES = (CATEGORY, "label", "pos", "upos", "tag", "xpos")


@dataclass(slots=True)
class TokenText:
    """Builds a text from tokens, and the units on it."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    #: Start, end, features and place of each unit.
    units: list[tuple[int, int, Mapping[str, str], str]] = field(default_factory=list)
    _separator: str = ""
    #: Where the current sentence starts; None before its first token.
    _sentence: int | None = None

    def add(self, form: str, labels: Mapping[str, str], where: str, *, space_after: bool = True) -> None:
        """Add a token after the one before."""
        self._append(self._separator)
        self._separator = " " if space_after else ""
        if self._sentence is None:
            self._sentence = self.length
        self.units.append((self.length, self.length + len(form), labels, where))
        self._append(form)

    def add_at(self, start: int, form: str, labels: Mapping[str, str], where: str) -> None:
        """Add a token at a position after all others."""
        self._separator = " " * (start - self.length)
        self.add(form, labels, where, space_after=False)

    def end_sentence(self, *, as_unit: bool, where: str) -> None:
        """End the sentence, which is a unit too if asked for; a line break follows it in the text."""
        if self._sentence is None:
            return
        if as_unit:
            self.units.append((self._sentence, self.length, {TYPE: SENTENCE}, where))
        self._sentence = None
        self._separator = "\n"

    def record(self, builder: RecordBuilder) -> Record:
        """The text as one sheet, with its units; every feature is one that annotators decide on."""
        sheet = builder.sheet(text="".join(self.pieces))
        for start, end, labels, where in self.units:
            builder.unit(sheet, start, end, labels, where)
        names = {name for _, _, labels, _ in self.units for name in labels}
        category = next((name for name in _CATEGORIES if name in names), None)
        return builder.record(
            category=category, called={} if category is None else {"category": category}, is_version=True
        )

    def _append(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)
