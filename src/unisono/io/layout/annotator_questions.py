# SPDX-License-Identifier: MIT
"""The questions about who the annotators are, each with its answers as options to copy."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.errors import FormatError
from unisono.io.layout.name_parts import crossed_parts
from unisono.io.layout.path_splits import Choice, Split
from unisono.io.record import Record
from unisono.io.wording import join_phrases, listing
from unisono.nouns import quantity

QUESTION = "question-annotators"


def question_about_files(records: Sequence[Record], choice: Choice, doubt: str = "") -> FormatError:
    """The question which part of the paths names the annotators; `doubt` says why the likely part may be wrong."""
    best = choice.split or next(iter(choice.possible), None)
    splits = [*([best] if best else []), *(split for split in choice.possible if split is not best)][:3]
    ways = [
        f"[[annotator_from={split.rule}]] if {listing(list(dict.fromkeys(split.annotators)), 3)} are the annotators"
        for split in splits
    ]
    return FormatError.of(
        f"the {len(records)} files ({listing(_file_names(records), 4)}) name no annotators, and it is not clear which "
        f"part of the paths does{doubt and ': '}{doubt}",
        f"Give {', or '.join(ways or ['[[annotator_from=stem]] if each file is one annotator'])}. "
        "If all files are by one annotator, agreement cannot be measured: add the files of the others.",
        code=QUESTION,
    )


def question_about_tiers(
    records: Sequence[Record], names: Sequence[str], split: Split | None, doubt: str = ""
) -> FormatError:
    """The question whether files or their tiers (`names`) are the annotators."""
    rule = "stem" if split is None else split.rule
    shown = [] if split is None else list(dict.fromkeys(split.annotators))
    example = f" ({listing(shown, 3)})" if shown else ""
    tiers = f"have the {'tier' if len(names) == 1 else 'tiers'} {listing(names, 4)}"
    return FormatError.of(
        f"it is not clear whether files or tiers are the annotators: {quantity(len(records), 'file')} "
        f"({listing(_file_names(records), 4)}) {tiers}{doubt and '; '}{doubt}",
        f"If tiers are annotators and files are documents, give [[annotator_from=tier]]. If files are annotators"
        f"{example} and tiers are layers, give [[annotator_from={rule}]]. If all files are by one annotator, agreement "
        "cannot be measured: add the files of the others.",
        code=QUESTION,
    )


def question_about_parts(names: Sequence[str], where: str, split: Split | None) -> FormatError:
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


def question_about_one_file(names: Sequence[str], reason: str, where: str) -> FormatError:
    """The question whether the tiers of a file are its annotators."""
    return FormatError.of(
        f"it is not clear whether the {len(names)} tiers ({listing(names, 4)}) are the annotators: {reason}",
        "If they are, give [[annotator_from=tier]]. If they are layers or speakers, this is the work of one "
        "annotator: add the files of the others and give [[annotator_from=stem]].",
        where=where,
        code=QUESTION,
    )


def question_about_standard(names: Sequence[str], rule: str) -> FormatError:
    """The question whether a gold standard counts as an annotator."""
    one = f"{listing(names, 3)} {'is' if len(names) == 1 else 'are'}"
    excluded = " ".join(f"[[exclude_annotators={name}]]" for name in names)
    return FormatError.of(
        f"{one} named like a standard made from the work of the annotators; it is not clear whether it counts as an "
        "annotator",
        f"To leave it out, give {excluded}; if it counts, give [[annotator_from={rule}]].",
        code=QUESTION,
    )


def _file_names(records: Sequence[Record]) -> list[str]:
    """The names of the files, with their folders if files of several folders have the same name."""
    parts = [record.file.parts for record in records if record.file is not None]
    is_unique = len({path[-1] for path in parts}) == len(parts)
    return [path[-1] if is_unique else "/".join(path[-2:]) for path in parts]
