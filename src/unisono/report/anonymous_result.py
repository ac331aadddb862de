# SPDX-License-Identifier: MIT
"""A result under letters instead of the annotators' names, for a report that names nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.diagnosis.alignment_columns import corpus_of
from unisono.errors import ParameterError
from unisono.io.anonymous import Key, anonymise, hide_names, hiding, key_of
from unisono.model import Alignment, Continuum
from unisono.report.details import details_of
from unisono.results import MeasureValue, Result


def anonymise_result(result: Result, *, documents: bool = False, annotators: bool | None = None) -> tuple[Result, Key]:
    """The result with letters instead of names, and the key; its numbers are the same.

    `documents`: documents are renamed too. `annotators`: as for `write_report`. A ParameterError for versions of a
    text, whose alignments hold the names: these are read with `anonymise=True`.
    """
    corpus = corpus_of(result)
    details = details_of(result, annotators=annotators)
    if any(continuum.own_texts is not None for continuum in corpus):
        raise ParameterError.of(
            "the alignments of versions of a text hold the annotators' names",
            "Measure again with [[anonymise]].",
            code="anonymise",
        )
    key = key_of(corpus, documents=documents)
    hide = hiding(key)
    hidden = anonymise(corpus, key)
    of_name = {before.name: after for before, after in zip(corpus, hidden, strict=True)}
    continua: dict[int, Continuum] = {id(before): after for before, after in zip(corpus, hidden, strict=True)}

    def value_of(value: MeasureValue) -> MeasureValue:
        alignment = value.alignment
        if isinstance(alignment, Alignment):
            own = alignment.continuum
            new = continua.get(id(own))
            if new is None:  # a preset may merge equal units first
                new = continua[id(own)] = own.rename(
                    of_name[own.name].name, annotators={name: key.annotators[name] for name in own.annotators}
                )
            alignment = _rename_annotators(alignment, new, key)
        else:
            alignment = None
        return replace(value, alignment=alignment, notes=tuple(map(hide, value.notes)))

    rows = tuple(
        replace(
            document,
            name=key.documents.get(document.name, document.name),
            annotators=tuple(sorted(key.annotators[name] for name in document.annotators)),
            measures={name: value_of(value) for name, value in document.measures.items()},
        )
        for document in result.documents
    )
    return replace(
        result,
        corpus=hidden,
        documents=rows,
        measures={name: value_of(value) for name, value in result.measures.items()},
        details=replace(details, annotators=_tables(details.annotators, key)),
        problems=tuple(hide_names(problem, hide) for problem in result.problems),
        signature=hide(result.signature),
        parameters={name: _hide_names_in(value, key, hide) for name, value in result.parameters.items()},
        plan=None,
    ), key


def _rename_annotators(alignment: Alignment, continuum: Continuum, key: Key) -> Alignment:
    """The alignment of the renamed continuum, whose units are in another order: by annotator, under the new names."""
    before = alignment.continuum
    ranks = np.argsort([key.annotators[name] for name in before.annotators], kind="stable")
    order = np.concatenate([np.flatnonzero(before.annotator_codes == code) for code in ranks.tolist()])
    return Alignment(
        continuum,
        alignment.group[order],
        alignment.disorders,
        disorder=alignment.disorder,
        lower_bound=alignment.lower_bound,
        duals=None if alignment.duals is None else alignment.duals[order],
        limit=alignment.limit,
        dissimilarity=alignment.dissimilarity,
    )


def _tables(tables: Mapping[str, Any] | None, key: Key) -> dict[str, Any] | None:
    """The tables of annotators under the new names, in their order."""
    if tables is None:
        return None
    letters = key.annotators

    def rows(name: str) -> list[dict[str, Any]]:
        renamed = [{**row, "annotator": letters[row["annotator"]]} for row in tables.get(name, ())]
        return sorted(renamed, key=lambda row: str(row["annotator"]))

    pairs = [{**row, "annotators": sorted(letters[name] for name in row["annotators"])} for row in tables["pairs"]]
    return {
        **tables,
        "annotators": sorted(letters[name] for name in tables["annotators"]),
        "pairs": sorted(pairs, key=lambda row: list(row["annotators"])),
        "against_rest": rows("against_rest"),
        "leave_one_out": rows("leave_one_out"),
        "outlier": letters.get(tables["outlier"], None),
    }


def _hide_names_in(value: Any, key: Key, hide: Any) -> Any:
    """A parameter with letters instead of annotators' names; a name alone is looked up, longer text is searched."""
    if isinstance(value, str):
        return key.annotators.get(value) or hide(value)
    if isinstance(value, list | tuple):
        return [_hide_names_in(each, key, hide) for each in value]
    return value
