# SPDX-License-Identifier: MIT
"""Letters instead of the annotators' names, so that results can be shown to people who must not know them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from string import ascii_uppercase

from unisono.errors import Problem
from unisono.model import Corpus

#: Names at least this long are replaced wherever they are words of a sentence; shorter ones, which may be words of
#: their own, only in quotes, in paths and in lists: `(jd, mk)`. Numbers of any length, which may be counts and
#: positions, are replaced like the shorter ones, but not in `the last end (7)`.
_WORD = 3
_LIST = re.compile(r"(?<!start )(?<!end )\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Key:
    """Who is who: the new names of annotators, and of documents if they were renamed too."""

    annotators: Mapping[str, str]
    documents: Mapping[str, str]

    def table(self) -> str:
        """The key as CSV: kind, name, shown as."""
        rows = [("annotator", *each) for each in self.annotators.items()]
        rows += [("document", *each) for each in self.documents.items()]
        quoted = ('"' + cell.replace('"', '""') + '"' for row in rows for cell in row)
        cells = list(quoted)
        return "kind,name,shown as\n" + "".join(f"{','.join(cells[i : i + 3])}\n" for i in range(0, len(cells), 3))


def letters_of(names: Iterable[str]) -> dict[str, str]:
    """A letter for each name, in the order of the names' SHA-256 digests: the order of the letters tells nothing.

    The same annotators get the same letters in every file and report. Beyond 26 all have two letters, and so on.

    >>> letters_of(["ada", "ben", "chloe"])
    {'ada': 'C', 'ben': 'A', 'chloe': 'B'}
    """
    ordered = sorted(set(names), key=lambda name: hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest())
    width = 1
    while len(ascii_uppercase) ** width < len(ordered):
        width += 1
    letters = {}
    for number, name in enumerate(ordered):
        text, rest = "", number
        for _ in range(width):
            rest, digit = divmod(rest, len(ascii_uppercase))
            text = ascii_uppercase[digit] + text
        letters[name] = text
    return dict(sorted(letters.items()))


def key_of(corpus: Corpus, *, documents: bool = False) -> Key:
    """The letters of a corpus's annotators; with `documents`, also numbers for its documents, by the same rule."""
    names = [continuum.name for continuum in corpus]
    ranked = sorted(letters_of(names).items(), key=lambda each: each[1]) if documents else []
    width = len(str(len(ranked)))
    return Key(
        letters_of(corpus.annotators),
        {name: f"document {i:0{width}}" for i, (name, _) in enumerate(ranked, start=1)},
    )


def anonymise(corpus: Corpus, key: Key) -> Corpus:
    """The corpus under the names of the key; what its problems and its selection say is changed likewise."""
    hide = hiding(key)
    continua = tuple(
        continuum.rename(
            key.documents.get(continuum.name),
            annotators={name: key.annotators[name] for name in continuum.annotators},
        )
        for continuum in corpus
    )
    selection = {
        what: tuple(key.annotators.get(name, "*") for name in names) if what.endswith("_annotators") else names
        for what, names in corpus.selection.items()
    }
    return Corpus(continua, tuple(hide_names(problem, hide) for problem in corpus.problems), selection)


def hiding(key: Key) -> Callable[[str], str]:
    """A function that replaces the names of the key in a sentence, a path or a place."""
    names = {**key.documents, **key.annotators}
    if not names:
        return lambda text: text
    longest = sorted(filter(None, names), key=len, reverse=True)
    numbers = [name for name in longest if name.isdecimal()]
    words = [re.escape(name) for name in longest if len(name) >= _WORD and not name.isdecimal()]
    initials = [re.escape(name) for name in longest if len(name) < _WORD and not name.isdecimal()]
    parts = [r"(?!)"]
    if words:
        parts.append(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")
    if short := [*numbers, *initials]:
        parts.append(rf"""(?<=['"`/\\])(?:{"|".join(short)})(?=['"`/\\.])""")
    if initials:
        parts.append(rf"(?:(?<=\()|(?<=, ))(?:{'|'.join(initials)})(?=[,)])")
    if numbers:
        number = f"(?:{'|'.join(numbers)})"
        parts += [
            rf"(?<![\w.]){number}(?=\.[A-Za-z])",  # a file
            rf"^{number}(?= (?:is|has) )|(?:(?<=positions of )|(?<=those of )){number}\b",
        ]
    pattern = re.compile("|".join(parts))

    def hide(text: str) -> str:
        text = pattern.sub(lambda match: names[match[0]], text)
        return _LIST.sub(hide_numbers, text) if numbers else text

    def hide_numbers(match: re.Match[str]) -> str:
        return f"({', '.join(new_names.get(item, item) for item in match[1].split(', '))})"

    new_names = {number: names[number] for number in numbers}
    return hide


def hide_names(problem: Problem, hide: Callable[[str], str]) -> Problem:
    """A problem without the names."""
    return replace(
        problem,
        where=hide(problem.where),
        message=hide(problem.message),
        remedy=hide(problem.remedy),
        expected=hide(problem.expected),
        found=hide(problem.found),
    )
