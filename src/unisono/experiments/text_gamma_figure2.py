# SPDX-License-Identifier: MIT
"""Figure 2 of Barteld et al. 2016: text-γ against the magnitude of corpus shuffling, with α, αU and γ beside it.

A reference of 608 tokens on some 3,700 characters is shuffled with magnitudes 0 to 1: labels (ml = m), segmentation
(ms = 0.1 m), text (mt = 0.5 m). Three settings (what is shuffled) by three parametrisations (what chance expects). The
paper's text is not available: ours is generated, with word and tag frequencies as in natural text.

python -m unisono.experiments.text_gamma_figure2
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.api import measure
from unisono.measures.text_gamma import text_gamma
from unisono.model import Continuum
from unisono.model.versions import TextVersions, Version
from unisono.sampling import Sampling
from unisono.shuffling import LabelErrors, SegmentationErrors, TextErrors, shuffle_text
from unisono.text.edits import RandomEdits

#: What is shuffled, with the magnitudes of section 7: mt = 0.5 m, ms = 0.1 m, ml = m.
SETTINGS = {
    "Cat": (LabelErrors(),),
    "Cat + Seg": (LabelErrors(), SegmentationErrors()),
    "Cat + Seg + Text": (LabelErrors(), SegmentationErrors(), TextErrors()),
}
#: What chance expects: (p_text, p_seg).
PARAMETERS = {"Cat": (0.0, 0.0), "Cat + Seg": (0.0, 0.04), "Cat + Seg + Text": (0.25, 0.04)}
MAGNITUDES = tuple(round(0.05 * step, 2) for step in range(21))
#: What the paper shows beside text-γ: α for labels, αU over all categories and γ for units.
BESIDE = {"Cat": ("alpha",), "Cat + Seg": ("alpha-u-1995", "gamma")}
GAMMA_MAGNITUDES = (0.0, 0.25, 0.5, 0.75, 1.0)
REPETITIONS = 10
N_TOKENS = 608
_TAGS = ("NA", "VV", "APPR", "DDART", "PPER", "KON", "ADJ", "AVD", "$;", "NE", "PTK", "VA", "DPOS", "CARD", "FM")
_LETTERS = "eeeeeennnniiisssrrraaattttdddhhuullcgmmoobwfkv"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve: the mean over the repetitions and its standard error."""

    setting: str
    measure: str
    magnitude: float
    mean: float
    standard_error: float
    repetitions: int


def reference_version(seed: int = 1) -> Version:
    """A generated text of 608 tokens and some 3,700 characters, with a tag for each token."""
    dice = random.Random(seed)
    words = ["".join(dice.choices(_LETTERS, k=dice.choice((1, 2, 3, 4, 5, 6, 7, 7, 8, 8)))) for _ in range(400)]
    tags = dice.choices(_TAGS, [1 / (rank + 1) for rank in range(len(_TAGS))], k=len(words))
    drawn = dice.choices(range(len(words)), [1 / (rank + 3) for rank in range(len(words))], k=N_TOKENS)
    return Version.of_tokens([words[i] for i in drawn], features={"pos": [tags[i] for i in drawn]})


def shuffle_version(reference: Version, magnitude: float, setting: str, *, seed: int, repetition: int) -> Version:
    """The reference shuffled: exactly these shares of the units are changed (section 7)."""
    name = f"{setting} {magnitude:g}"
    shuffled = shuffle_text(reference, SETTINGS[setting], magnitude, seed=seed, name=name, number=repetition)
    return shuffled.versions.versions[0]


def points(
    *,
    settings: Sequence[str] = tuple(SETTINGS),
    magnitudes: Sequence[float] = MAGNITUDES,
    repetitions: int = REPETITIONS,
    samples: int = 30,
    seed: int = 1,
    threads: int = 1,
) -> Iterator[Point]:
    """The curves of text-γ, point by point; beside them α where only labels are shuffled, αU and γ with segmentation.

    γ is measured once, at five magnitudes, as in the paper; none of them if the text is shuffled, because offsets of
    different texts cannot be compared.
    """
    reference = reference_version(seed)
    for setting in settings:
        for magnitude in magnitudes:
            values: dict[str, list[float]] = {f"text-gamma ({name})": [] for name in PARAMETERS}
            for repetition in range(repetitions):
                other = shuffle_version(reference, magnitude, setting, seed=seed, repetition=repetition)
                # The starting text is the reference without its labels, which annotators add (section 6).
                base = Version(reference.text, starts=reference.starts, ends=reference.ends)
                versions = TextVersions.of({"reference": reference, "shuffled": other}, base=base, name=f"{repetition}")
                for name, (p_text, p_seg) in PARAMETERS.items():
                    value = text_gamma(
                        versions,
                        chance=RandomEdits(p_text, p_seg),
                        sampling=Sampling(samples=samples),
                        seed=seed + repetition,
                        threads=threads,
                    ).value
                    if value.value is not None:
                        values[f"text-gamma ({name})"].append(value.value)
                for name in BESIDE.get(setting, ()):
                    if name != "gamma" or (magnitude in GAMMA_MAGNITUDES and repetition == 0):
                        values.setdefault(name, []).append(_measure_other(name, reference, other, seed, threads))
            for name, column in values.items():
                yield _point(setting, name, magnitude, column)


def _measure_other(name: str, reference: Version, other: Version, seed: int, threads: int) -> float:
    """Another measure on the same units, which is possible because the text is the same."""
    continuum = Continuum.of(
        {
            annotator: [
                (unit.start, unit.end, unit.features["pos"]) for unit in (version[i] for i in range(len(version)))
            ]
            for annotator, version in (("reference", reference), ("shuffled", other))
        },
        text=reference.text,
    )
    value = measure(continuum, name, seed=seed, samples=30, threads=threads)[name].value
    return math.nan if value is None else value


def _point(setting: str, measure: str, magnitude: float, values: Sequence[float]) -> Point:
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Point(setting, measure, magnitude, float(np.mean(values)), error, len(values))


def table(curves: Sequence[Point]) -> str:
    """The points as tab-separated text."""
    lines = ["setting\tmeasure\tmagnitude\tmean\tstandard error\trepetitions"]
    lines += [
        f"{p.setting}\t{p.measure}\t{p.magnitude:g}\t{p.mean:.4f}\t{p.standard_error:.4f}\t{p.repetitions}"
        for p in curves
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(list(points())), end="")
