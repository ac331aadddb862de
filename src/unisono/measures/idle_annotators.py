# SPDX-License-Identifier: MIT
"""Annotators without a single unit in the whole corpus: a note that says what γ is without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from unisono.chance.chance_model import SingleDocumentModel
from unisono.errors import Problem
from unisono.measures.computation import Computation, Measured
from unisono.measures.pooling import overall
from unisono.model import Corpus
from unisono.results import MeasureValue

CODE = "idle-annotators"


def with_idle_annotators(
    corpus: Corpus, names: Sequence[str], values: Mapping[str, Measured], computation: Computation
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
    value = _gamma_without(idle, corpus, rest, values["gamma"], computation).value
    now = values["gamma"].overall.value
    is_one = len(idle) == 1
    compared = (
        f"; γ is {_show_value(value)} without {'this annotator' if is_one else 'these annotators'}, "
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
    idle: Sequence[str], corpus: Corpus, rest: Corpus, measured: Measured, computation: Computation
) -> MeasureValue:
    """γ of the corpus without some annotators; only the documents that they saw are measured again, where that is all.

    A chance model that draws from the whole corpus has all of them measured again.
    """
    if not isinstance(computation.resolved.chance, SingleDocumentModel):
        return computation.compute(rest, ["gamma"])["gamma"].overall
    seen = {document.name for document in corpus if not set(idle).isdisjoint(document.annotators)}
    changed = tuple(document for document in rest if document.name in seen)
    again = computation.compute(Corpus(changed), ["gamma"])["gamma"].documents if changed else ()
    same = (value for document, value in zip(corpus, measured.documents, strict=True) if document.name not in seen)
    return overall([*same, *again], computation.resolved.level)


def _show_value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
