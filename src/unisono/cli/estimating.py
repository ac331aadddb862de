# SPDX-License-Identifier: MIT
"""The options that say how chance is estimated, shared by every command that measures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

from unisono.cli.options import Comparing, Limits, option
from unisono.cli.run import usage

_CHANCE = "Chance"


class ChanceKind(StrEnum):
    """Where the expected disorder comes from."""

    shift = "shift"
    corpus = "corpus"
    statistical = "statistical"
    positions_kept = "positions-kept"


class PresetKind(StrEnum):
    """Whose choices where papers and programs differ."""

    paper = "paper"
    greyc = "greyc"
    pygamma = "pygamma"


@dataclass(frozen=True, slots=True)
class Estimating:
    """How the expected disorder is estimated, and on how many threads."""

    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads; all processors if not given. Changes no number."),
    ] = None
    preset: Annotated[
        PresetKind, option(_CHANCE, "Whose numbers: the papers', those published in 2017, or pygamma-agreement's.")
    ] = PresetKind.paper
    chance: Annotated[
        ChanceKind | None, option(_CHANCE, "How random continua are made; shift if not given, or what --preset says.")
    ] = None
    seed: Annotated[
        int | None, option(_CHANCE, "Start of the random numbers; drawn, and shown, if not given.", "N")
    ] = None
    precision: Annotated[
        float | None, option(_CHANCE, "Relative precision of the expected disorder; 0.02 if not given.", "X")
    ] = None
    level: Annotated[float, option(_CHANCE, "Confidence level of precision and interval.", "X")] = 0.95
    samples: Annotated[
        int | None, option(_CHANCE, "A fixed number of random continua, instead of --precision.", "N")
    ] = None

    def arguments(self, comparing: Comparing, limits: Limits) -> dict[str, Any]:
        """What `measure` is given besides data and measures; where a limit was not given, it has its own."""
        from unisono.presets import PRESETS

        self._check()
        given = zip(("time_limit", "memory_limit"), limits.checked(), strict=True)
        return {
            "preset": self.preset.value,
            "dissimilarity": comparing.dissimilarity(usual_alpha=PRESETS[self.preset.value].alpha),
            "chance": None if self.chance is None else self.chance.value,
            "seed": self.seed,
            "samples": self.samples,
            "precision": 0.02 if self.precision is None else self.precision,
            "level": self.level,
            "threads": self.jobs,
            **{name: value for name, value in given if value is not None},
        }

    def _check(self) -> None:
        """Refuse values that make no sense before any file is read."""
        if self.precision is not None and self.samples is not None:
            usage("--precision and --samples exclude each other: a number of samples is asked for, or worked out")
        for name, value in (("--precision", self.precision), ("--level", self.level)):
            if value is not None and not 0 < value < 1:
                usage(f"{name}: expected a number between 0 and 1, found {value:g}")
        if self.samples is not None and self.samples < 2:
            usage(f"--samples: expected at least 2, found {self.samples}")
        if self.jobs is not None and self.jobs < 1:
            usage(f"--jobs: expected at least 1, found {self.jobs}")
        if self.seed is not None and not 0 <= self.seed < 2**64:
            usage(f"--seed: expected a number from 0 to 2**64-1, found {self.seed}")


def check_measures(names: list[str], given: str) -> None:
    """Refuse names that no measure has."""
    import unisono

    if not names or (names != ["all"] and not set(names) <= set(unisono.MEASURES)):
        usage(f"--measure: expected names among {', '.join(unisono.MEASURES)}; found {given!r}")
