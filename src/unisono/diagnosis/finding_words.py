# SPDX-License-Identifier: MIT
"""Numbers and names in the sentences of findings."""

from __future__ import annotations

from unisono.diagnosis.diagnose import Diagnosis
from unisono.nouns import called


def name_of(diagnosis: Diagnosis, label: int) -> str | None:
    """The name of a label; None for units without a category."""
    return diagnosis.units.labels[label] if label >= 0 else None


def call(diagnosis: Diagnosis, label: int, *, begins: bool = False) -> str:
    """What a label is called in a sentence; begins: at its beginning."""
    name = name_of(diagnosis, label)
    if not name:
        return "No category" if begins else "no category"
    return called("Category" if begins else "category", name)


def call_annotator(diagnosis: Diagnosis, annotator: int, *, begins: bool = False) -> str:
    """What an annotator is called in a sentence; begins: at its beginning."""
    return called("Annotator" if begins else "annotator", diagnosis.units.annotators[annotator])


def percent(share: float) -> str:
    """A share in percent: whole ones from ten on.

    >>> percent(0.34), percent(0.0321), percent(0.0)
    ('34 %', '3.2 %', '0 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.095 or share == 0 else f"{100 * share:.1f} %"


def between(interval: tuple[float, ...]) -> str:
    """The two ends of an interval of shares, in percent.

    >>> between((0.14, 0.51)), between((-0.02, 0.1)), between((0.031, 0.034)), between((-0.003, 0.2))
    ('14-51 %', '-2 to 10 %', '3.1-3.4 %', '0-20 %')
    """
    low, high = (100 * bound for bound in interval)
    digits = 1 if round(low) == round(high) else 0
    low = round(low, digits) + 0.0  # no negative zero
    return f"{low:.{digits}f}{' to ' if low < 0 else '-'}{high:.{digits}f} %"


def times(count: int) -> str:
    """How often something happens.

    >>> times(0), times(1), times(1200)
    ('never', 'once', '1,200 times')
    """
    return {0: "never", 1: "once"}.get(count, f"{count:,} times")


def amount(positions: float) -> str:
    """A length or a distance.

    >>> amount(1), amount(2.345), amount(123.4)
    ('1 position', '2.3 positions', '123 positions')
    """
    text = f"{positions:.2g}" if positions < 10 else f"{positions:.0f}"
    return f"{text} position{'' if text == '1' else 's'}"
