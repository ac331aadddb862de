# SPDX-License-Identifier: MIT
"""Labels that are probably mistakes: equal but for case, blanks or Unicode form; look-alikes; wrong encodings."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

#: Only this many labels are looked at, because all pairs of them are compared.
_MOST_COMPARED = 400


def plain_form(label: str) -> str:
    """The label without differences in case, blanks and Unicode form.

    >>> plain_form("Per son") == plain_form("PERSON")
    True
    """
    return "".join(unicodedata.normalize("NFKC", label).casefold().split())


def same_but_form(labels: Iterable[str]) -> list[list[str]]:
    """Groups of labels that differ only by case, inner blanks or Unicode form.

    >>> same_but_form(["Person", "person", "Place"])
    [['Person', 'person']]
    """
    alike: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        alike[plain_form(label)].append(label)
    return [group for group in alike.values() if len(group) > 1]


def form_difference(groups: Iterable[Sequence[str]]) -> str:
    """In what the labels within groups of `same_but_form` differ.

    >>> form_difference([["Person", "PERSON"]]), form_difference([["Per son", "Person"]])
    ('case', 'blanks')
    """
    groups = list(groups)
    if all(len({label.casefold() for label in group}) == 1 for group in groups):
        return "case"
    if all(len({"".join(label.split()) for label in group}) == 1 for group in groups):
        return "blanks"
    return "case, blanks or Unicode form"


def look_alikes(labels: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs that differ in one place, by at most one letter in five and two in all; or one begins with the other.

    >>> look_alikes(["Identity based", "Identity based Attack", "Organisation", "Organization", "Type1", "Type2"])
    [('Identity based', 'Identity based Attack'), ('Organisation', 'Organization')]
    """
    some = [label for label in labels if len(label) <= 100][:_MOST_COMPARED]
    return [(one, other) for i, one in enumerate(some) for other in some[i + 1 :] if _look_alike(one, other)]


def _look_alike(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if " " in short and long.startswith(f"{short} "):
        return True
    limit = min(len(short) // 5, 2)
    if len(long) - len(short) > limit:
        return False
    before = _common_start(short, long)
    after = _common_start(short[before:][::-1], long[before:][::-1])
    changed = short[before : len(short) - after], long[before : len(long) - after]
    # Differences in digits or capitals are intended: Type1 and Type2, Level A and Level B.
    return 0 < max(map(len, changed)) <= limit and all(c.isalpha() and c.islower() for c in "".join(changed))


def _common_start(one: str, other: str) -> int:
    """The number of letters that two labels have in common at the start."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def repair_encoding(label: str) -> str | None:
    """The label as it was meant, if it looks like UTF-8 that was read as a Western code page; else None.

    >>> repair_encoding("CafÃ©"), repair_encoding("Café"), repair_encoding("cafe")
    ('Café', None, None)
    """
    if label.isascii():
        return None
    for encoding in ("cp1252", "latin-1"):
        try:
            meant = label.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return meant if meant != label else None
    return None


def merged_spellings(counts: Mapping[str, int]) -> dict[str, str]:
    """New names for labels that can be corrected safely: the repaired label, and the most frequent of its spellings.

    >>> merged_spellings({"Person": 7, "person": 2, "CafÃ©": 1, "Place": 3})
    {'CafÃ©': 'Café', 'person': 'Person'}
    """
    meant = {label: repair_encoding(label) or label for label in counts}
    total: dict[str, int] = defaultdict(int)
    for label, count in counts.items():
        total[meant[label]] += count
    best: dict[str, str] = {}
    for group in same_but_form(total):
        chosen = min(group, key=lambda label: (-total[label], label))
        best |= dict.fromkeys(group, chosen)
    new_names = {label: best.get(meant[label], meant[label]) for label in sorted(counts)}
    return {old: new for old, new in new_names.items() if old != new}
