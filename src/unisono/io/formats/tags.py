# SPDX-License-Identifier: MIT
"""Tags of tokens that mark units: BIO in any dialect (IOB1, IOB2, BIOES, BILOU, BMES), and what is nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: Outside of units, or a letter with or without a label.
TAG = re.compile(r"O|([BIESLUM])(?:[-_](.*))?")
_BEGIN, _END = frozenset("BSU"), frozenset("ESLU")
OUTSIDE = {"O", "", "_", "-"}


def is_tag(cell: str) -> bool:
    """Whether a cell is a tag beyond doubt: outside, or a letter and a label.

    >>> is_tag("B-PER"), is_tag("O"), is_tag("NOUN"), is_tag("I")
    (True, True, False, False)
    """
    found = TAG.fullmatch(cell)
    return cell in OUTSIDE or (found is not None and bool(found[2]))


def tagged(tags: Sequence[str], ends: Sequence[bool] = ()) -> Iterator[tuple[int, int, str | None]]:
    """First token, the one after the last, and label of each unit.

    A unit begins with B, S or U, and with any tag after none or after another label, as the CoNLL scorer has it. `ends`
    says after which tokens a sentence ends: no unit goes beyond it.

    >>> [*tagged(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "S-ORG", "I-ORG"])]
    [(0, 2, 'PER'), (2, 3, 'PER'), (4, 5, 'LOC'), (5, 6, 'ORG'), (6, 7, 'ORG')]
    >>> [*tagged(["B", "I", "I", "O"], [False, True, False, True])]
    [(0, 2, None), (2, 3, None)]
    """
    begun: int | None = None
    label: str | None = None
    for i, tag in enumerate(tags):
        found = TAG.fullmatch(tag)
        kind, name = (found[1], found[2]) if found else (None, None)
        if begun is not None and (kind is None or kind in _BEGIN or name != label):
            yield begun, i, label
            begun = None
        if kind is not None and begun is None:
            begun, label = i, name
        if begun is not None and (kind in _END or (ends and ends[i])):
            yield begun, i + 1, label
            begun = None
    if begun is not None:
        yield begun, len(tags), label
