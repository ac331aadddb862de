# SPDX-License-Identifier: MIT
"""text-γ of one text: `measure_text`, short for `measure(data, "text-gamma")`, which takes several documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from unisono.api import measure
from unisono.model import Continuum, Corpus
from unisono.model.versions import TextVersions, Version, check_measurable
from unisono.results import TEXT_MEASURE, Result
from unisono.text.core_text import MEMORY_LIMIT
from unisono.text.edits import RandomEdits, Rates
from unisono.text.text_dissimilarity import TextDissimilarity
from unisono.text.version_alignment import TextAlignment
from unisono.text.version_reading import AnyPath, ReadingOptions, read_document, read_versions, versions_with_features

MEASURE = TEXT_MEASURE


@dataclass(frozen=True)
class TextResult(Result):
    """The result of text-γ on one text, with the alignment and the probabilities of chance at hand."""

    @property
    def alignment(self) -> TextAlignment | None:
        """What corresponds in the versions, and how it differs."""
        alignment = self[MEASURE].text_alignment
        return alignment if isinstance(alignment, TextAlignment) else None

    @property
    def rates(self) -> Rates | None:
        """The probabilities that random versions were drawn with."""
        return None if self.alignment is None else self.alignment.rates


def measure_text(
    data: TextVersions | AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath],
    *,
    base: AnyPath | None = None,
    reading: ReadingOptions | None = None,
    dissimilarity: TextDissimilarity | None = None,
    chance: RandomEdits | None = None,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    count_gaps: bool = False,
    seed: int | None = None,
    samples: int | None = None,
    precision: float | None = None,
    level: float = 0.95,
    threads: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
) -> TextResult:
    """text-γ of the versions of one text, or of the files they are in: `measure(data, "text-gamma")` for one document.

    data: TextVersions; one file per annotator, or `{annotator: file}`; or one JSON file. base: the file with the
    pre-annotation. dissimilarity, chance: objects instead of the settings that describe them. The other arguments are
    settings of `measure`.
    """
    if isinstance(data, TextVersions):
        versions = data
        if base is not None:
            only = read_versions(base, options=reading)
            versions = replace(data, base=only.versions[0])
        document = Continuum.of_versions(versions)
    else:
        document = read_document(data, base=base, options=reading or ReadingOptions())
        versions_with_features(document, None)  # raises where the files have no text
    if document.n_annotators < 2:
        check_measurable(TextVersions(document.annotators, (Version("", starts=[], ends=[]),) * document.n_annotators))
    features = None if reading is None or reading.features is None or dissimilarity else tuple(reading.features)
    result = measure(
        Corpus((document,)),
        MEASURE,
        dissimilarity=cast("Any", dissimilarity),
        chance=cast("Any", chance),
        feature=features,
        gap_t=gap_t,
        gap_b=gap_b,
        count_gaps=count_gaps,
        seed=seed,
        samples=samples,
        precision=precision,
        level=level,
        threads=threads,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return TextResult(**{each.name: getattr(result, each.name) for each in fields(Result)})
