# SPDX-License-Identifier: MIT
"""Whether the tiers of files are annotators, or the files are and the tiers are layers or speakers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice

from unisono.io.layout.annotator_questions import question_about_one_file, question_about_parts, question_about_tiers
from unisono.io.layout.name_parts import (
    are_annotators,
    are_documents,
    are_layers,
    are_only_annotators,
    crossed_parts,
    varying_parts,
)
from unisono.io.layout.path_names import Place
from unisono.io.layout.path_splits import CLEAR, Choice, Split, choose_split
from unisono.io.layout.rules import Layout
from unisono.io.layout.similarity import SAME_PLACES, Comparison, Marks, coincide, has_points, marks_of, similarity
from unisono.io.record import Record

#: At most this many pairs of tiers or files are compared.
_PAIRS = 40


@dataclass(frozen=True, slots=True)
class Tiered:
    """Files with tiers: the tiers of each that would be read, with their sheets and the places that they mark."""

    records: Sequence[Record]
    places: Sequence[Place]
    sheets: Sequence[dict[str, list[int]]]
    marks: Sequence[dict[str, Marks]]

    @classmethod
    def of(cls, records: Sequence[Record], places: Sequence[Place], layout: Layout) -> Tiered:
        """The files with those of their tiers that the layout asks for."""
        sheets = [_chosen_tiers(record, layout) for record in records]
        marks = [
            {name: marks_of(record, own) for name, own in chosen.items()}
            for record, chosen in zip(records, sheets, strict=True)
        ]
        return cls(records, places, sheets, marks)

    @property
    def names(self) -> list[str]:
        """The names of all tiers."""
        return list(dict.fromkeys(name for chosen in self.sheets for name in chosen))

    @property
    def used(self) -> list[str]:
        """The names of the tiers that have units in some file."""
        return list(dict.fromkeys(name for chosen in self.marks for name, marks in chosen.items() if len(marks[0])))

    @property
    def pairs_within_files(self) -> Iterator[tuple[Marks, Marks]]:
        """The tiers of each file in pairs; tiers of points are not compared with those of intervals."""
        for chosen in self.marks:
            filled = [marks for marks in chosen.values() if len(marks[0])]
            for i, one in enumerate(filled):
                for other in filled[:i]:
                    if has_points(one) == has_points(other):
                        yield one, other

    def pairs_across_files(self, groups: Sequence[Sequence[int]]) -> Iterator[tuple[Marks, Marks]]:
        """The same tier in two files of a group."""
        for group in groups:
            for i, one in enumerate(group):
                for other in group[:i]:
                    for name, marks in self.marks[one].items():
                        if len(marks[0]) and len(self.marks[other].get(name, ((), ()))[0]):
                            yield marks, self.marks[other][name]

    def field(self, name: str) -> list[list[str]]:
        """A field of ELAN's tiers (participant, annotator), for each file and each of its tiers; "" where missing."""
        return [
            [record.sheets[own[0]].fields.get(name, "") for own in chosen.values()]
            for record, chosen in zip(self.records, self.sheets, strict=True)
        ]


def _chosen_tiers(record: Record, layout: Layout) -> dict[str, list[int]]:
    """The sheets of each tier of a record that would be read."""
    tiers: dict[str, list[int]] = {}
    for number, sheet in enumerate(record.sheets):
        if sheet.layer is None:
            continue
        if layout.layer:
            is_chosen = any(fnmatchcase(sheet.layer, name) for name in layout.layer)
        else:
            is_chosen = not sheet.is_dependent
        if is_chosen:
            tiers.setdefault(sheet.layer, []).append(number)
    return tiers


@dataclass(frozen=True, slots=True)
class _Likeness:
    """How similar the tiers of one file are, and the same tier in two files."""

    within: float
    across: float
    #: The highest similarity of the same tier in two files.
    closest: float

    @classmethod
    def of(cls, tiered: Tiered, split: Split | None) -> _Likeness:
        """On average over some pairs; a split says which files may be of one document."""
        groups = [list(range(len(tiered.records)))] if split is None else split.groups
        within, across = (
            [similarity(*pair) for pair in islice(pairs, _PAIRS)]
            for pairs in (tiered.pairs_within_files, tiered.pairs_across_files(groups))
        )
        return cls(sum(within) / max(1, len(within)), sum(across) / max(1, len(across)), max(across, default=0.0))

    @property
    def favours_tiers(self) -> bool:
        return self.within > max(1.5 * self.across + 0.05, self.closest)

    @property
    def may_favour_tiers(self) -> bool:
        return self.within > self.across + 0.1

    @property
    def favours_files(self) -> bool:
        return self.across > 1.5 * self.within + 0.05


def decide_tiers(tiered: Tiered, layout: Layout) -> Split | None:
    """The part of the paths that names the annotators, None if the tiers do; a FormatError where it is not clear."""
    records, names = tiered.records, tiered.names
    if len(records) == 1 or layout.document_from is not None:
        _check_tiers(tiered, layout)
        return None
    choice, comparison = _choose_file_split(tiered)
    if max(map(len, tiered.sheets)) <= 1:
        return _decide_single_tiers(tiered, choice, comparison)
    if not layout.layer and crossed_parts(names) is not None:
        raise question_about_parts(names, "", choice.split)
    split = choice.split
    likeness = _Likeness.of(tiered, split if choice.is_clear else None)
    by_field = _annotators_by_field(tiered)
    tiers_are_named = are_annotators(varying_parts(names)) or by_field == "tier"
    files_are_named = split is not None and choice.is_clear
    if by_field == "file" and files_are_named and not likeness.may_favour_tiers:
        return split
    if tiers_are_named and not likeness.favours_files and not (split is not None and split.score >= 3):
        _check_tiers(tiered, layout)
        return None
    if files_are_named and _share_tiers(tiered, split) and not tiers_are_named and not likeness.may_favour_tiers:
        return split
    stems = [place.parts[-1] for place in tiered.places]
    if not are_layers(varying_parts(names)) and not files_are_named and not likeness.favours_files:
        are_numbered = are_documents(stems) or (split is not None and split.score <= -3)
        if likeness.favours_tiers or (are_numbered and likeness.within > SAME_PLACES > likeness.closest):
            _check_tiers(tiered, layout)
            return None
    raise question_about_tiers(records, names, split or next(iter(choice.possible), None))


def _choose_file_split(tiered: Tiered) -> tuple[Choice, Comparison]:
    """The split of the paths, and how similar files are; media files named in the files count as their texts."""
    comparison = Comparison(lambda i: tiered.marks[i])
    media = [_media(record) for record in tiered.records]
    if None not in media and len(set(media)) < len(media):
        places = [replace(place, text=name) for place, name in zip(tiered.places, media, strict=True)]
        choice = choose_split(places, comparison)
        if choice.split is not None and choice.is_clear:
            split = replace(choice.split, score=max(choice.split.score, CLEAR))
            return Choice(split, is_clear=True, possible=choice.possible), comparison
    return choose_split([replace(place, text=None) for place in tiered.places], comparison), comparison


def _media(record: Record) -> str | None:
    return next((sheet.fields["media"] for sheet in record.sheets if "media" in sheet.fields), None)


def _decide_single_tiers(tiered: Tiered, choice: Choice, comparison: Comparison) -> Split | None:
    """One tier in each file: if it has the same name everywhere, only the files can be annotators."""
    if choice.split is not None and choice.is_clear:
        return choice.split
    records, names = tiered.records, tiered.names
    best = max((split.score for split in choice.possible), default=-1)
    if len(names) == 1 and best < 0 and not comparison.has_similar_files(len(records)):
        return None  # numbered files with one tier: documents of one annotator
    raise question_about_tiers(records, names, choice.split or next(iter(choice.possible), None))


def _share_tiers(tiered: Tiered, split: Split | None) -> bool:
    """Whether the files of each document have at least half of their tiers in common."""
    if split is None:
        return False
    for group in split.groups:
        common = set.intersection(*(set(tiered.sheets[i]) for i in group))
        if len(group) > 1 and len(common) * 2 < max(len(tiered.sheets[i]) for i in group):
            return False
    return True


def _annotators_by_field(tiered: Tiered) -> str | None:
    """What ELAN's field for the annotator says: "tier" if it differs within files, "file" if only between them."""
    values = tiered.field("annotator")
    if not all(all(names) and names for names in values):
        return None
    if all(len(set(names)) == len(names) > 1 for names in values):
        return "tier"
    firsts = [names[0] for names in values]
    return "file" if all(len(set(names)) == 1 for names in values) and len(set(firsts)) > 1 else None


def _check_tiers(tiered: Tiered, layout: Layout) -> None:
    """Ask where the tiers of a file do not look like annotators: layers, speakers, or annotators and layers crossed."""
    used = tiered.used
    if len(used) < 2 or are_only_annotators(varying_parts(used)) or _annotators_by_field(tiered) == "tier":
        return
    where = tiered.records[0].where if len(tiered.records) == 1 else ""
    if not layout.layer and crossed_parts(used) is not None:
        raise question_about_parts(used, where, None)
    if reason := _doubt_about_tiers(tiered, used):
        raise question_about_one_file(used, reason, where)


def _doubt_about_tiers(tiered: Tiered, used: Sequence[str]) -> str:
    """Why tiers may be layers or speakers; "" if they look like annotators."""
    annotators, participants = (
        {value for values in tiered.field(name) for value in values} for name in ("annotator", "participant")
    )
    if len(annotators) == 1 and annotators != {""}:
        return f"the file says that {next(iter(annotators))} annotated all of them"
    if are_layers(varying_parts(used)):
        return "they are named like layers or speakers"
    if annotators == {""} and len(participants) > 1 and "" not in participants:
        return "the file names a participant for each, so that they may be speakers"
    have_text = all(sheet.text is not None for record in tiered.records for sheet in record.sheets)
    if not coincide(tiered.pairs_within_files, are_on_one_text=have_text):
        return "their units hardly coincide, which is typical of speakers or layers"
    return ""
