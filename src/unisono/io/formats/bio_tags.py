# SPDX-License-Identifier: MIT
"""Tags of tokens that mark units: BIO in its dialects IOB1, IOB2, BIOES, BILOU and BMES."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: Outside of units, or a letter with or without a label.
TAG = re.compile(r"O|([BIESLUM])(?:[-_](.*))?")
_BEGIN, _END = frozenset("BSU"), frozenset("ESLU")
OUTSIDE = {"O", "", "_", "-"}


def is_tag(cell: str) -> bool:
    """Whether a cell can only be a tag: outside of units, or a letter with a label.

    >>> is_tag("B-PER"), is_tag("O"), is_tag("NOUN"), is_tag("I")
    (True, True, False, False)
    """
    match = TAG.fullmatch(cell)
    return cell in OUTSIDE or (match is not None and bool(match[2]))


def tag_runs(tags: Sequence[str], ends: Sequence[bool] = ()) -> Iterator[tuple[int, int, str | None]]:
    """First token, the one after the last, and label of each unit.

    A unit begins with B, S or U, and with any tag that follows O or a tag with another label, as in the CoNLL scorer.
    `ends` says after which tokens a sentence ends; a unit ends there too.

    >>> [*tag_runs(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "S-ORG", "I-ORG"])]
    [(0, 2, 'PER'), (2, 3, 'PER'), (4, 5, 'LOC'), (5, 6, 'ORG'), (6, 7, 'ORG')]
    >>> [*tag_runs(["B", "I", "I", "O"], [False, True, False, True])]
    [(0, 2, None), (2, 3, None)]
    """
    first: int | None = None
    label: str | None = None
    for i, tag in enumerate(tags):
        match = TAG.fullmatch(tag)
        letter, name = (match[1], match[2]) if match else (None, None)
        if first is not None and (letter is None or letter in _BEGIN or name != label):
            yield first, i, label
            first = None
        if letter is not None and first is None:
            first, label = i, name
        if first is not None and (letter in _END or (ends and ends[i])):
            yield first, i + 1, label
            first = None
    if first is not None:
        yield first, len(tags), label
