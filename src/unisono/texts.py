# SPDX-License-Identifier: MIT
"""From versions of a text to a result: read, measure text-γ, with the alignment behind it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unisono.errors import ParameterError
from unisono.expected import Sampling
from unisono.measures.text_gamma import text_gamma
from unisono.parallel import n_threads
from unisono.results import DataSummary, DocumentResult, Result, package_version, signature_line
from unisono.text.alignment import TextAlignment
from unisono.text.columns import MEMORY_LIMIT, GapCosts
from unisono.text.dissimilarity import TextDissimilarity
from unisono.text.edits import RandomEdits, Rates
from unisono.text.reading import AnyPath, ReadingOptions, read_versions
from unisono.text.versions import TextVersions

MEASURE = "text-gamma"


@dataclass(frozen=True)
class TextResult(Result):
    """The result of text-γ: a result like others, with the alignment and the probabilities of chance beside it."""

    alignment: TextAlignment | None = field(default=None, repr=False, compare=False)
    rates: Rates | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract, with what sets the versions apart added under "text"."""
        rates, alignment = self.rates, self.alignment
        return {
            **super().to_dict(),
            "text": {
                "differences": None if alignment is None else dict(alignment.counts),
                "p_text": rates and rates.p_text,
                "p_seg": rates and rates.p_seg,
                "p_label": None if rates is None else dict(rates.p_label),
            },
        }


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
    precision: float = 0.02,
    level: float = 0.95,
    threads: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
) -> TextResult:
    """text-γ of the versions of a text, or of the files they are in.

    data: TextVersions; one file per annotator, or `{annotator: file}`; or one JSON file. base: the file with the
    pre-annotation. chance: the probabilities of random edits, given or estimated. seed: drawn and recorded when left
    out. samples, precision, level: as for γ.
    """
    if isinstance(data, TextVersions):
        versions = data
        if base is not None:
            only = read_versions(base, options=reading)
            versions = replace(data, base=only.versions[0])
    else:
        versions = read_versions(data, base=base, options=reading)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
    elif not 0 <= seed < 2**64:
        raise ParameterError.of("a seed from 0 to 2**64-1", str(seed), code="seed")
    model, costs = chance or RandomEdits(), GapCosts(gap_t, gap_b)
    sampling = Sampling(samples=samples, precision=precision, level=level)
    fitted = (dissimilarity or TextDissimilarity()).fitted(versions)
    found = text_gamma(
        versions,
        dissimilarity=fitted,
        chance=model,
        sampling=sampling,
        gap_t=gap_t,
        gap_b=gap_b,
        count_gaps=count_gaps,
        seed=seed,
        threads=n_threads(threads),
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    parameters = {
        "measures": [MEASURE],
        "dissimilarity": fitted.signature,
        "delta_empty": fitted.delta_empty,
        "gaps": costs.signature,
        "count_gaps": count_gaps,
        "chance": model.signature,
        "base": versions.base is not None,
        "samples": samples,
        "precision": precision if samples is None else None,
        "level": level,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
    }
    parts: dict[str, object] = {
        "v": package_version(),
        "d": fitted.signature,
        "gaps": costs.signature + (",counted" if count_gaps else ""),
        "chance": model.signature,
        "base": "given" if versions.base is not None else "annotators",
        "samples": sampling.signature,
        "seed": seed,
    }
    value = replace(
        found.value, mean_over_documents=found.value.value, documents_measured=int(found.value.value is not None)
    )
    return TextResult(
        signature=signature_line([MEASURE], parts),
        parameters=parameters,
        seed=seed,
        data=DataSummary(versions.sha256, 1, versions.n_annotators, versions.n_units),
        measures={MEASURE: value},
        documents=(DocumentResult(versions.name, versions.annotators, versions.n_units, {MEASURE: found.value}),),
        problems=versions.problems,
        alignment=found.alignment,
        rates=found.rates,
    )
