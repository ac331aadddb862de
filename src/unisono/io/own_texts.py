# SPDX-License-Identifier: MIT
"""Annotators' own texts: continua get them where the annotators' texts differ, or files are versions of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unisono.errors import Problem
from unisono.io.layout.result import LayoutResult
from unisono.io.record import Record
from unisono.io.wording import listing
from unisono.model import CATEGORY, Continuum, Corpus
from unisono.model.versions import OwnTexts, Version, make_versions
from unisono.nouns import quantity

#: The name of the annotator under which the pre-annotation is read.
BASE = "base"


def add_own_texts(
    continua: Sequence[Continuum], records: Sequence[Record], result: LayoutResult, bases: Mapping[str, Version]
) -> tuple[Continuum, ...]:
    """The continua with the texts of their annotators, for those documents in which each annotator has one."""
    are_versions = all(record.is_version for record in records)
    categories = {record.category for record in records}
    # Where files are versions of a text, every feature is an annotator's decision; elsewhere the category is.
    features = None if are_versions else (CATEGORY,)
    category = CATEGORY
    if are_versions:
        category = result.category_from or (len(categories) == 1 and categories.pop()) or CATEGORY
    only = next(iter(bases.values())) if len(bases) == len(continua) == 1 else None
    with_texts = []
    for continuum in continua:
        texts = result.texts.get(continuum.name, {})
        base = bases.get(continuum.name, only)
        if _has_one_text_each(continuum, texts) and (
            are_versions or base is not None or len(set().union(*texts.values())) > 1
        ):
            own = OwnTexts(tuple(next(iter(texts[name])) for name in continuum.annotators), base, features, category)
            continuum = continuum.with_texts(own)
        with_texts.append(continuum)
    return tuple(with_texts)


def _has_one_text_each(continuum: Continuum, texts: Mapping[str, set[str]]) -> bool:
    return all(len(texts.get(name, ())) == 1 for name in continuum.annotators)


def find_bases(corpus: Corpus, where: str, errors: list[Problem]) -> dict[str, Version]:
    """The only version of each document of a corpus that is a pre-annotation; problems are added to `errors`."""
    crowded = [continuum for continuum in corpus if continuum.n_annotators > 1]
    if crowded:
        n = crowded[0].n_annotators
        message = f"the base has versions of {quantity(n, 'annotator')} instead of one"
        errors.append(Problem("text-json", "error", where, message, "Give a file with one version."))
        return {}
    without = [continuum.name for continuum in corpus if continuum.own_texts is None and continuum.text is None]
    if without:
        message = f"the base has no text of {listing(without, 3)}, and text-γ compares texts"
        errors.append(Problem("no-text", "error", where, message, "Give files with their texts."))
        return {}
    return {
        continuum.name: make_versions(continuum, own).versions[0]
        for continuum in corpus
        for own in [continuum.own_texts or OwnTexts((continuum.text or "",), features=(CATEGORY,))]
    }
