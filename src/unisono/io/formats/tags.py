# SPDX-License-Identifier: MIT
"""Tags of tokens that mark units: BIO, BIOES, BILOU, and what is nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TAG = re.compile(r"([BIESLU])[-_](.+)")
_BEGIN, _END = "BSU", "ESLU"
OUTSIDE = {"O", "", "_", "-"}


def is_tag(cell: str) -> bool:
    """Whether a cell is a tag: outside, or a letter and a label.

    >>> is_tag("B-PER"), is_tag("O"), is_tag("NOUN")
    (True, True, False)
    """
    return cell in OUTSIDE or _TAG.fullmatch(cell) is not None


def tagged(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """First token, the one after the last, and label of each unit; an I that follows nothing of its label begins one.

    >>> [*tagged(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "S-ORG", "I-ORG"])]
    [(0, 2, 'PER'), (2, 3, 'PER'), (4, 5, 'LOC'), (5, 6, 'ORG'), (6, 7, 'ORG')]
    """
    begun, label = 0, ""
    for i, tag in enumerate(tags):
        found = _TAG.fullmatch(tag)
        kind, name = (found[1], found[2]) if found else ("", "")
        if label and (name != label or kind in _BEGIN):
            yield begun, i, label
            label = ""
        if name and not label:
            begun, label = i, name
        if label and kind in _END:
            yield begun, i + 1, label
            label = ""
    if label:
        yield begun, len(tags), label
