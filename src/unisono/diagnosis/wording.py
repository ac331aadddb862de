# SPDX-License-Identifier: MIT
"""Numbers and names in the sentences of findings."""

from __future__ import annotations

from unisono.diagnosis.diagnose import Diagnosis


def name_of(diagnosis: Diagnosis, label: int) -> str | None:
    """The name of a label; None for units without a category."""
    return diagnosis.units.labels[label] if label >= 0 else None


def call(diagnosis: Diagnosis, label: int) -> str:
    """What a label is called in a sentence."""
    return name_of(diagnosis, label) or "no category"


def percent(share: float) -> str:
    """A share in percent: whole ones from ten on.

    >>> percent(0.34), percent(0.0321), percent(0.0)
    ('34 %', '3.2 %', '0 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.095 or share == 0 else f"{100 * share:.1f} %"


def between(interval: tuple[float, ...]) -> str:
    """The two ends of an interval of shares, in percent.

    >>> between((0.14, 0.51)), between((-0.02, 0.1)), between((0.031, 0.034))
    ('14-51 %', '-2 to 10 %', '3.1-3.4 %')
    """
    low, high = (100 * bound for bound in interval)
    if round(low) == round(high):
        return f"{low:.1f}-{high:.1f} %"
    return f"{low:.0f}-{high:.0f} %" if low >= 0 else f"{low:.0f} to {high:.0f} %"


def amount(positions: float) -> str:
    """A length or a distance.

    >>> amount(1), amount(2.345), amount(123.4)
    ('1 position', '2.3 positions', '123 positions')
    """
    text = f"{positions:.2g}" if positions < 10 else f"{positions:.0f}"
    return f"{text} position{'' if text == '1' else 's'}"
