# SPDX-License-Identifier: MIT
"""Annotators without a single unit in the whole corpus: a note that says what γ is without them."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence

from unisono.chance.chance_model import SingleDocumentModel
from unisono.errors import PrecisionWarning, Problem
from unisono.measures.computation import Measured
from unisono.measures.family import gamma_family, rough_gamma
from unisono.measures.pooling import overall
from unisono.measures.resolved import Resolved
from unisono.model import Corpus
from unisono.results import MeasureValue

CODE = "idle-annotators"

#: γ without idle annotators is computed as γ itself where that took at most so many units, each counted for every
#: annotator and every random continuum; beyond that, or where a document is hard to align, roughly, because a note must
#: not cost as much as the value.
UNITS_AGAIN = 300_000


def with_idle_annotators(
    corpus: Corpus, names: Sequence[str], values: Mapping[str, Measured], settings: Resolved
) -> tuple[Problem, ...]:
    """The problems of the corpus; if annotators have no unit in it at all, one of them says what γ is without them."""
    counts: Counter[str] = Counter()
    for document in corpus:
        counts.update(dict(zip(document.annotators, document.counts.tolist(), strict=True)))
    idle = sorted(name for name, n_units in counts.items() if not n_units)
    others = [name for name in corpus.annotators if name not in idle]
    if not idle or len(others) < 2 or "gamma" not in names:
        return corpus.problems
    rest = corpus.restrict(others)
    if all(document.n_annotators < 2 for document in rest):
        return corpus.problems
    without, is_rough = _gamma_without(idle, corpus, rest, values["gamma"], settings)
    now = values["gamma"].overall.value
    is_one = len(idle) == 1
    compared = (
        f"; γ is {_show_value(without.value, is_rough=is_rough)} without "
        f"{'this annotator' if is_one else 'these annotators'}, "
        f"{_show_value(now)} with {'this annotator' if is_one else 'them'}"
    )
    return (*(problem for problem in corpus.problems if problem.code != CODE), idle_note(idle, compared))


def idle_note(idle: Sequence[str], compared: str = "") -> Problem:
    """The note on annotators without a unit; `compared` says what the value is without them."""
    is_one = len(idle) == 1
    names = f"{', '.join(idle[:5])}{', ...' if len(idle) > 5 else ''}"
    message = f"{names} {'has' if is_one else 'have'} no unit in the whole corpus{compared}"
    whose = f"[[exclude_annotators={idle[0]}]]" if is_one else "[[exclude_annotators]]"
    remedy = f"An empty annotation counts. If {'this annotator' if is_one else 'they'} did not annotate, use {whose}."
    return Problem(CODE, "note", "", message, remedy)


def _gamma_without(
    idle: Sequence[str], corpus: Corpus, rest: Corpus, measured: Measured, settings: Resolved
) -> tuple[MeasureValue, bool]:
    """γ of the corpus without some annotators, and whether it is rough.

    Only the documents that they saw are measured again; a chance model that draws from the whole corpus has all of them
    measured again.
    """
    seen = {document.name for document in corpus if not set(idle).isdisjoint(document.annotators)}
    if not isinstance(settings.chance, SingleDocumentModel):
        seen = {document.name for document in corpus}
    before = list(zip(corpus, measured.documents, strict=True))
    again_sizes = [
        c.n_units * c.n_annotators * (value.n_samples or 0) if value.rough_samples is None else UNITS_AGAIN + 1
        for c, value in before
        if c.name in seen
    ]
    is_rough = sum(again_sizes) > UNITS_AGAIN
    changed = Corpus(tuple(document for document in rest if document.name in seen))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrecisionWarning)  # it would be taken for one about the value
        again = rough_gamma(changed, settings) if is_rough else gamma_family(changed, ["gamma"], settings)["gamma"]
    same = (value for document, value in before if document.name not in seen)
    return overall([*same, *again.documents], settings.level), is_rough


def _show_value(value: float | None, *, is_rough: bool = False) -> str:
    if value is None:
        return "undefined"
    return f"about {value:.2f}" if is_rough else f"{value:.3f}"
