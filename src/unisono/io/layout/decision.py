# SPDX-License-Identifier: MIT
"""Who the annotators are: the tiers, the files, or folders; a question where the input does not say it.

A number that compares documents, speakers or layers as if they were annotators is worse than none. So names decide
only where they are clear, and where the units contradict the names, the user is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice

from unisono.errors import FormatError
from unisono.io.layout.name_parts import are_annotators, are_documents, are_layers, crossed_parts, varying_parts
from unisono.io.layout.path_names import Place, decode_name
from unisono.io.layout.path_splits import CLEAR, Choice, Split, choose_split
from unisono.io.layout.rules import Layout
from unisono.io.layout.similarity import Marks, marks_of, similarity, similarity_by_chance
from unisono.io.record import Record
from unisono.io.wording import count_of, join_phrases, listing
from unisono.model import CATEGORY

QUESTION = "question-annotators"

#: With fewer units nothing can be said about what tiers have in common.
_ENOUGH = 4

#: The sheets of each tier by its name.
Tiers = dict[str, list[int]]

#: Files more similar than this are hardly different documents.
_SAME_PLACES = 0.5
#: Tiers less similar than this are hardly annotators of one document.
_OTHER_PLACES = 0.3

#: At most so many pairs of tiers or files are compared.
_PAIRS = 40


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether tiers are annotators where the format offers them, and the part of the paths that is, if any."""

    by_tier: bool = True
    split: Split | None = None


def decide_annotators(records: Sequence[Record], layout: Layout) -> Decision:
    """Who the annotators of files are that do not name them; a FormatError with a question where that is not clear."""
    if layout.annotator_from is not None or layout.tier_pattern is not None:
        return Decision()
    files = [record for record in records if record.file is not None]
    tiered = [record for record in files if record.annotator_from == "tier" and not _names_annotators(record)]
    if tiered and len(tiered) == len(files):
        return _decide_tiers(tiered, layout)
    needy = [record for record in files if needs_annotator(record)]
    if not needy:
        return Decision()
    return Decision(split=_decide_paths(files, are_all_needy=len(needy) == len(files)))


def needs_annotator(record: Record) -> bool:
    """Whether neither the rows nor the sheets nor the tiers of a record name annotators."""
    return (
        record.rows.annotator_labels is None
        and record.annotator_from is None
        and any(sheet.annotator is None for sheet in record.sheets)
    )


def _names_annotators(record: Record) -> bool:
    return record.rows.annotator_labels is not None


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


def _decide_paths(records: Sequence[Record], *, are_all_needy: bool) -> Split | None:
    """The part of the paths that names annotators of files without tiers; None: each folder has one annotator."""
    if len(records) < 2:
        return None
    places = [place_of(record) for record in records]
    if _share_documents(records):
        # Files that mark the same documents are annotators, whatever else they are called.
        places = [replace(place, text="") for place in places]
    marks: dict[int, Marks] = {}

    def compare(one: int, other: int) -> float:
        for i in (one, other):
            if i not in marks:
                marks[i] = marks_of(records[i])
        return similarity(marks[one], marks[other])

    choice = choose_split(places, compare)
    if choice.is_clear and choice.split is not None:
        return choice.split
    is_table = any(record.rows.document_labels is not None or record.category == CATEGORY for record in records)
    if choice.is_clear or not are_all_needy:
        if is_table and are_all_needy:
            raise _question_about_files(records, choice)
        return None
    best = max((split.score for split in choice.possible), default=-1)
    if best < 0 and not is_table and not _coincide(compare, len(records)):
        return None  # numbered files are documents; they have one annotator, and nothing can be measured
    raise _question_about_files(records, choice)


def _coincide(compare: Callable[[int, int], float], n_files: int) -> bool:
    """Whether some of the first files mark nearly the same places."""
    first = range(min(n_files, 8))
    return any(compare(i, j) > _SAME_PLACES for i in first for j in range(i))


def _share_documents(records: Sequence[Record]) -> bool:
    """Whether every file names its documents by row and shares one with another file."""
    sets = [
        set() if record.rows.document_labels is None else set(record.rows.document_labels.labels) for record in records
    ]
    return all(
        any(names & other for j, other in enumerate(sets) if j != i) if names else False for i, names in enumerate(sets)
    )


def _file_names(records: Sequence[Record]) -> list[str]:
    """The names of the files, with their folders if files of several folders have the same name."""
    parts = [record.file.parts for record in records if record.file is not None]
    is_unique = len({path[-1] for path in parts}) == len(parts)
    return [path[-1] if is_unique else "/".join(path[-2:]) for path in parts]


def _question_about_files(records: Sequence[Record], choice: Choice) -> FormatError:
    names = _file_names(records)
    best = choice.split or next(iter(choice.possible), None)
    splits = [*([best] if best else []), *(split for split in choice.possible if split is not best)][:3]
    ways = [
        f"[[annotator_from={split.rule}]] if {listing(list(dict.fromkeys(split.annotators)), 3)} are the annotators"
        for split in splits
    ]
    return FormatError.of(
        f"the {len(records)} files ({listing(names, 4)}) name no annotators, and it is not clear which part of "
        "the paths does",
        f"Give {', or '.join(ways or ['[[annotator_from=stem]] if each file is one annotator'])}. "
        "If all files are by one annotator, agreement cannot be measured: add the files of the others.",
        code=QUESTION,
    )


def _chosen_tiers(record: Record, layout: Layout) -> Tiers:
    """The sheets of each tier of a record that would be read."""
    tiers: Tiers = {}
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
    #: The two files that are most similar.
    closest: float

    @property
    def favours_tiers(self) -> bool:
        return self.within > max(1.5 * self.across + 0.05, self.closest)

    @property
    def may_favour_tiers(self) -> bool:
        return self.within > self.across + 0.1

    @property
    def favours_files(self) -> bool:
        return self.across > 1.5 * self.within + 0.05


def _decide_tiers(records: Sequence[Record], layout: Layout) -> Decision:
    """Whether tiers or files are annotators, for formats with tiers."""
    tiers = [_chosen_tiers(record, layout) for record in records]
    names = list(dict.fromkeys(name for chosen in tiers for name in chosen))
    if len(records) == 1 or layout.document_from is not None:
        _check_tiers(records, tiers, names, layout)
        return Decision()
    places = [place_of(record) for record in records]
    choice, compare = _split_of_tiered(records, places, tiers)
    if max(map(len, tiers)) <= 1:
        return _decide_single_tiers(records, names, choice, compare)
    if not layout.layer and crossed_parts(names) is not None:
        raise _question_about_parts(names, "", choice.split)
    split = choice.split
    likeness = _likeness(records, tiers, split if choice.is_clear else None)
    are_shared = _share_tiers(tiers, split)
    by_field = _annotators_by_field(records, tiers)
    tiers_are_named = are_annotators(varying_parts(names)) or by_field == "tier"
    files_are_named = split is not None and choice.is_clear
    if by_field == "file" and files_are_named and not likeness.may_favour_tiers:
        return Decision(by_tier=False, split=split)
    if tiers_are_named and not likeness.favours_files and not (split is not None and split.score >= 3):
        _check_tiers(records, tiers, names, layout)
        return Decision()
    if files_are_named and are_shared and not tiers_are_named and not likeness.may_favour_tiers:
        return Decision(by_tier=False, split=split)
    are_layered = are_layers(varying_parts(names))
    stems_are_documents = split is None or split.score < 0 or are_documents([place.parts[-1] for place in places])
    if not are_layered and not files_are_named and not likeness.favours_files:
        is_clearly_numbered = are_documents([place.parts[-1] for place in places]) or (
            split is not None and split.score <= -3
        )
        is_likely = likeness.within > _SAME_PLACES > likeness.closest and stems_are_documents and is_clearly_numbered
        if likeness.favours_tiers or is_likely:
            _check_tiers(records, tiers, names, layout)
            return Decision()
    raise _question_about_tiers(records, names, split or next(iter(choice.possible), None))


def _media(record: Record) -> str | None:
    return next((sheet.fields["media"] for sheet in record.sheets if "media" in sheet.fields), None)


def _split_of_tiered(
    records: Sequence[Record], places: Sequence[Place], tiers: Sequence[Tiers]
) -> tuple[Choice, Callable[[int, int], float]]:
    """The split of the paths, and how similar files are; media files named in the files count as their texts."""
    marks = [
        {name: marks_of(record, sheets) for name, sheets in chosen.items()}
        for record, chosen in zip(records, tiers, strict=True)
    ]

    def compare(one: int, other: int) -> float:
        common = [name for name in marks[one] if name in marks[other]]
        if not common and len(marks[one]) == len(marks[other]) == 1:
            return similarity(*(next(iter(marks[i].values())) for i in (one, other)))
        return sum(similarity(marks[one][name], marks[other][name]) for name in common) / max(1, len(common))

    media = [_media(record) for record in records]
    if None not in media and len(set(media)) < len(media):
        choice = choose_split([replace(place, text=name) for place, name in zip(places, media, strict=True)])
        if choice.split is not None and choice.is_clear:
            split = replace(choice.split, score=max(choice.split.score, CLEAR))
            return Choice(split, is_clear=True, possible=choice.possible), compare
    return choose_split([replace(place, text=None) for place in places], compare), compare


def _decide_single_tiers(
    records: Sequence[Record], names: Sequence[str], choice: Choice, compare: Callable[[int, int], float]
) -> Decision:
    """One tier in each file: if it has the same name everywhere, only the files can be annotators."""
    if choice.split is not None and choice.is_clear:
        return Decision(by_tier=False, split=choice.split)
    best = max((split.score for split in choice.possible), default=-1)
    if len(names) == 1 and best < 0 and not _coincide(compare, len(records)):
        return Decision()  # numbered files with one tier: documents of one annotator
    raise _question_about_tiers(records, names, choice.split or next(iter(choice.possible), None))


def _share_tiers(tiers: Sequence[Tiers], split: Split | None) -> bool:
    """Whether the files of each document have the same tiers, but for some that only one of them has."""
    if split is None:
        return False
    for group in split.groups:
        common = set.intersection(*(set(tiers[i]) for i in group))
        if len(group) > 1 and len(common) * 2 < max(len(tiers[i]) for i in group):
            return False
    return True


def _likeness(records: Sequence[Record], tiers: Sequence[Tiers], split: Split | None) -> _Likeness:
    marks = [
        {name: marks_of(record, sheets) for name, sheets in chosen.items()}
        for record, chosen in zip(records, tiers, strict=True)
    ]
    within_files = (
        (one, other)
        for sheets in marks
        for i, one in enumerate(sheets.values())
        for other in list(sheets.values())[:i]
        if len(one[0]) and len(other[0])
    )
    groups = [list(range(len(records)))] if split is None else split.groups
    across_files = (
        (marks[i][name], marks[j][name])
        for group in groups
        for k, i in enumerate(group)
        for j in group[:k]
        for name in marks[i]
        if name in marks[j] and len(marks[i][name][0]) and len(marks[j][name][0])
    )
    within, across = ([similarity(*pair) for pair in islice(pairs, _PAIRS)] for pairs in (within_files, across_files))
    return _Likeness(
        within=sum(within) / max(1, len(within)),
        across=sum(across) / max(1, len(across)),
        closest=max(across, default=0.0),
    )


def _annotators_by_field(records: Sequence[Record], tiers: Sequence[Tiers]) -> str | None:
    """What ELAN's field for the annotator says: "tier" where it differs within files, "file" where only between."""
    values = [
        [record.sheets[sheets[0]].fields.get("annotator", "") for sheets in chosen.values()]
        for record, chosen in zip(records, tiers, strict=True)
    ]
    if not all(all(names) and names for names in values):
        return None
    if all(len(set(names)) == len(names) > 1 for names in values):
        return "tier"
    firsts = [names[0] for names in values]
    return "file" if all(len(set(names)) == 1 for names in values) and len(set(firsts)) > 1 else None


def _check_tiers(records: Sequence[Record], tiers: Sequence[Tiers], names: Sequence[str], layout: Layout) -> None:
    """Ask where the tiers of a file do not look like annotators: layers, speakers, or annotators and layers crossed."""
    used = [
        name
        for name in names
        if any(
            len(marks_of(record, chosen[name])[0])
            for record, chosen in zip(records, tiers, strict=True)
            if name in chosen
        )
    ]
    if (
        len(used) < 2
        or layout.layer
        or are_annotators(varying_parts(used))
        or _annotators_by_field(records, tiers) == "tier"
    ):
        return
    where = records[0].where if len(records) == 1 else ""
    if crossed_parts(used) is not None:
        raise _question_about_parts(used, where, None)
    reason = ""
    participants = {
        record.sheets[sheets[0]].fields.get("participant", "")
        for record, chosen in zip(records, tiers, strict=True)
        for name, sheets in chosen.items()
        if name in used
    }
    annotators = {
        record.sheets[sheets[0]].fields.get("annotator", "")
        for record, chosen in zip(records, tiers, strict=True)
        for name, sheets in chosen.items()
        if name in used
    }
    if len(annotators) == 1 and annotators != {""}:
        reason = f"the file says that {next(iter(annotators))} annotated all of them"
    elif are_layers(varying_parts(used)):
        reason = "they are named like layers or speakers"
    elif annotators == {""} and len(participants) > 1 and "" not in participants:
        reason = "the file names a participant for each, so that they may be speakers"
    else:
        marks = [
            [marks_of(record, chosen[name]) for name in used if name in chosen]
            for record, chosen in zip(records, tiers, strict=True)
        ]
        pairs = [(one, other) for sheets in marks for i, one in enumerate(sheets) for other in sheets[:i]][:_PAIRS]
        pairs = [pair for pair in pairs if min(len(pair[0][0]), len(pair[1][0])) >= _ENOUGH]
        observed = sum(similarity(*pair) for pair in pairs) / max(1, len(pairs))
        by_chance = sum(similarity_by_chance(*pair) for pair in pairs) / max(1, len(pairs))
        if pairs and observed < max(_OTHER_PLACES, by_chance + 0.15):
            reason = "their units hardly coincide, as those of speakers or layers"
    if reason:
        raise FormatError.of(
            f"it is not clear whether the {len(used)} tiers ({listing(used, 4)}) are the annotators: {reason}",
            "If they are, give [[annotator_from=tier]]. If they are layers or speakers, this is the work of one "
            "annotator: add the files of the others and give [[annotator_from=stem]].",
            where=where,
            code=QUESTION,
        )


def _question_about_parts(names: Sequence[str], where: str, split: Split | None) -> FormatError:
    """The question about tiers such as ann_words, ann_phones, bob_words, bob_phones."""
    crossed = crossed_parts(names)
    assert crossed is not None
    first, last, between = crossed
    is_plain = len(between) == 1 and between not in r".^$*+?()[]{}|\ "
    pattern = f"(?P<{{}}>[^{between}]+){between}(?P<{{}}>.+)" if is_plain else r"(?P<{}>\w+)\W+(?P<{}>.+)"
    files = "" if split is None else f" If the files are, give [[annotator_from={split.rule}]]."
    return FormatError.of(
        f"the names of the tiers have two parts, {' or '.join(first[:6])} and {' or '.join(last[:6])}; it is not clear "
        "which of them are annotators and which are layers",
        f"If {join_phrases(first[:6])} are annotators, give [[tier_pattern={pattern.format('annotator', 'layer')}]] "
        f"and [[layer={last[0]}]]. If {join_phrases(last[:6])} are, give "
        f"[[tier_pattern={pattern.format('layer', 'annotator')}]] and [[layer={first[0]}]].{files}",
        where=where,
        code=QUESTION,
    )


def _question_about_tiers(records: Sequence[Record], names: Sequence[str], split: Split | None) -> FormatError:
    files = _file_names(records)
    rule = "stem" if split is None else split.rule
    shown = [] if split is None else list(dict.fromkeys(split.annotators))
    example = f" ({listing(shown, 3)})" if shown else ""
    tiers = f"have the {'tier' if len(names) == 1 else 'tiers'} {listing(names, 4)}"
    return FormatError.of(
        f"it is not clear whether files or tiers are the annotators: {count_of(len(records), 'file')} "
        f"({listing(files, 4)}) {tiers}",
        f"If tiers are annotators and files are documents, give [[annotator_from=tier]]. If files are annotators"
        f"{example} and tiers are layers, give [[annotator_from={rule}]].",
        code=QUESTION,
    )
