# SPDX-License-Identifier: MIT
"""Numbers with their nouns and verbs, for messages and tables."""

from __future__ import annotations


def quantity(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun in the singular or the plural.

    >>> quantity(1, "unit"), quantity(1200, "unit"), quantity(0, "category", "categories")
    ('1 unit', '1,200 units', '0 categories')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def there_are(n: int) -> str:
    """That there are so many, for the end of a sentence.

    >>> there_are(0), there_are(1), there_are(12)
    ('there is none', 'there is 1', 'there are 12')
    """
    return "there is none" if n == 0 else "there is 1" if n == 1 else f"there are {n:,}"


def called(noun: str, name: str, shown: str | None = None) -> str:
    """What somebody or something is called in a sentence: the name, after its noun if it has no letter.

    shown: the name as it is to be shown.

    >>> called("annotator", "ann"), called("annotator", "4"), called("Category", "1.2")
    ('ann', 'annotator 4', 'Category 1.2')
    """
    text = name if shown is None else shown
    return text if any(character.isalpha() for character in name) else f"{noun} {text}"
