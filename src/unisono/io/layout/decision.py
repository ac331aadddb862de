# SPDX-License-Identifier: MIT
"""Who the annotators are: the tiers, the files, or folders; a question where the input does not say it.

A number that compares documents, speakers, layers or versions as if they were annotators is worse than none. So names
decide only where they are clear and the units agree with them; otherwise the user is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unisono.io.layout.annotator_questions import question_about_files, question_about_standard, question_about_tiers
from unisono.io.layout.name_parts import are_documents, are_layers, standards, versions
from unisono.io.layout.path_names import Place, decode_name
from unisono.io.layout.path_splits import Split, choose_split
from unisono.io.layout.rules import Layout
from unisono.io.layout.similarity import Comparison, marks_of
from unisono.io.layout.tier_decision import Tiered, decide_tiers
from unisono.io.record import Record
from unisono.io.selection import Selection
from unisono.io.wording import listing
from unisono.model import CATEGORY


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether tiers are annotators where the format offers them, and the part of the paths that is, if any."""

    by_tier: bool = True
    split: Split | None = None


def decide_annotators(records: Sequence[Record], layout: Layout, selection: Selection) -> Decision:
    """Who the annotators of files are that do not name them; a FormatError with a question where that is not clear."""
    if layout.annotator_from is not None or layout.tier_pattern is not None:
        return Decision()
    files = [record for record in records if record.file is not None]
    tiered = [record for record in files if record.annotator_from == "tier" and record.rows.annotator_labels is None]
    if tiered and len(tiered) == len(files):
        return _decide_on_tiers(tiered, layout, selection)
    unnamed = [record for record in files if needs_annotator(record)]
    if not unnamed:
        return Decision()
    return Decision(split=_decide_paths(files, selection, are_all_unnamed=len(unnamed) == len(files)))


def needs_annotator(record: Record) -> bool:
    """Whether neither the rows nor the sheets nor the tiers of a record name annotators."""
    return (
        record.rows.annotator_labels is None
        and record.annotator_from is None
        and any(sheet.annotator is None for sheet in record.sheets)
    )


def place_of(record: Record) -> Place:
    """The path of a record's file, and its text, or the documents that it names."""
    assert record.file is not None
    texts = {sheet.text for sheet in record.sheets}
    documents = {sheet.document for sheet in record.sheets}
    if record.rows.document_labels is not None:
        documents = set(record.rows.document_labels.labels)
    text = texts.pop() if len(texts) == 1 else None
    if text is None and None not in documents:
        # Files that name the same documents have the same texts.
        text = "\n".join(sorted(map(str, documents)))
    return Place(tuple(map(decode_name, (*record.file.parts[:-1], record.file.stem))), text)


def _decide_on_tiers(records: Sequence[Record], layout: Layout, selection: Selection) -> Decision:
    """Whether the tiers or the files are annotators."""
    tiered = Tiered.of(records, [place_of(record) for record in records], layout)
    split = decide_tiers(tiered, layout)
    if split is None:
        _ask_about_standards(tiered.used, "tier", selection)
        return Decision()
    _ask_about_standards(split.annotators, split.rule, selection)
    if doubt := _doubt_about_names(split, selection):
        raise question_about_tiers(records, tiered.names, split, doubt)
    return Decision(by_tier=False, split=split)


def _decide_paths(records: Sequence[Record], selection: Selection, *, are_all_unnamed: bool) -> Split | None:
    """The part of the paths that names annotators of files without tiers; None: each folder has one annotator."""
    if len(records) < 2:
        return None
    places = [place_of(record) for record in records]
    if _share_documents(records):
        # Files that mark the same documents are annotators, whatever else they are called.
        places = [replace(place, text="") for place in places]
    comparison = Comparison(lambda i: {"": marks_of(records[i])})
    choice = choose_split(places, comparison)
    if choice.is_clear and choice.split is not None:
        _ask_about_standards(choice.split.annotators, choice.split.rule, selection)
        if doubt := _doubt_about_names(choice.split, selection):
            raise question_about_files(records, choice, doubt)
        return choice.split
    is_table = any(record.rows.document_labels is not None or record.category == CATEGORY for record in records)
    have_same_names = len({place.parts[-1] for place in places}) < len(places)
    if choice.is_clear or (not are_all_unnamed and not have_same_names):
        if is_table and are_all_unnamed:
            raise question_about_files(records, choice)
        return None
    best = max((split.score for split in choice.possible), default=-1)
    if best < 0 and not is_table and not have_same_names and not comparison.has_similar_files(len(records)):
        return None  # numbered files are documents; they have one annotator, and nothing can be measured
    raise question_about_files(records, choice)


def _share_documents(records: Sequence[Record]) -> bool:
    """Whether every file names its documents by row and shares one with another file."""
    sets = [
        set() if record.rows.document_labels is None else set(record.rows.document_labels.labels) for record in records
    ]
    return all(
        any(names & other for j, other in enumerate(sets) if j != i) if names else False for i, names in enumerate(sets)
    )


def _doubt_about_names(split: Split, selection: Selection) -> str:
    """Why the names of a split may not be annotators although units and texts fit; "" if there is no doubt."""
    names = [name for name in dict.fromkeys(split.annotators) if selection.takes_annotator(name)]
    if found := versions(names):
        return f"{listing(found, 3)} may be {'a version' if len(found) == 1 else 'versions'} of one annotator's file"
    if all(are_layers([name]) or are_documents([name]) for name in names):
        return f"{listing(names, 3)} may be layers, speakers or documents"
    return ""


def _ask_about_standards(annotators: Sequence[str], rule: str, selection: Selection) -> None:
    """Ask whether a gold standard beside two or more annotators is one of them."""
    names = [name for name in dict.fromkeys(annotators) if selection.takes_annotator(name)]
    found = standards(names)
    if found and len(names) - len(found) > 1:
        raise question_about_standard(found, rule)
