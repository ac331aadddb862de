# SPDX-License-Identifier: MIT
"""Names of files, folders and tiers taken apart: their parts, and what the words in them say about their role."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

#: Characters between the parts of a name.
SEPARATORS = " \t_-.+@~,;:#/()[]{}"
_PART = re.compile(rf"[^{re.escape(SEPARATORS)}]+")

_ANNOTATOR = (
    "annotator|annotators|annot|anno|annotation|annotations|coder|codeur|rater|judge|judgement|labeler|labeller|marker|"
    "reviewer|transcriber|transcriptor|tagger|scorer|segmenter|expert|user|worker|turker|gold|reference|adjudicated|"
    "curator|curation|annotateur|annotateurs|annotatrice|anotador|anotadora|annotatore|annotatrice|annotierer|kodierer|"
    "bewerter|codificador|codificatore"
)
#: Words that can only mean annotators; users, experts and annotations may also be what was recorded.
_ONLY_ANNOTATOR = (
    "annotator|annotators|annot|coder|codeur|rater|labeler|labeller|transcriber|transcriptor|annotateur|annotateurs|"
    "annotatrice|anotador|anotadora|annotatore|annotierer|kodierer|codierer|bewerter|codificador|codificatore"
)
#: A standard made from the work of the annotators.
_STANDARD = (
    "gold|gold[ _-]?standard|standard|curated|curation|curator|adjudicated|adjudication|adjudicator|consensus|merged|"
    "final|reference|truth|ground[ _-]?truth|goldstandard|référence|referenz|konsens|oro"
)
#: Versions, copies and states of one file.
_VERSION = (
    "v[0-9.]+|ver[0-9]+|versions?[ _-]?[0-9]*|rev[0-9]+|round[ _-]?[0-9]*|pass[ _-]?[0-9]*|iteration[ _-]?[0-9]*|old|"
    "new|newer|latest|current|draft|final|copy|backup|bak|orig|original|raw|clean|cleaned|before|after|pre|post|auto|"
    "automatic|manual|corrected|uncorrected|revised|revision|checked|unchecked|edited|fixed|todo|done|tmp|temp|first|"
    "second|third|initial|updated|import|imported|export|exported|alt|neu|kopie|entwurf|endfassung|roh|korrigiert|"
    "ancien|nouveau|copie|brouillon|corrigé|viejo|nuevo|copia|borrador|vecchio|nuovo|bozza|oud|nieuw"
)
_DOCUMENT = (
    "doc|document|documents|text|file|recording|rec|audio|sound|wav|video|clip|session|sess|interview|talk|speech|"
    "lecture|dialog|dialogue|conversation|conv|call|meeting|story|article|letter|chapter|page|book|poem|news|day|week|"
    "part|section|scene|episode|trial|take|tape|item|task|sample|subject|subj|participant|patient|child|speaker|spk|"
    "dokument|datei|aufnahme|sitzung|gespräch|gespraech|fichier|enregistrement|entretien|documento|archivo|entrevista|"
    "registrazione|intervista|gravação|song|track|batch|set|fold|run|round|pass|match|game|film|movie|test|train|training|dev|valid|"
    "validation|eval|example|data"
)
#: Levels of description, whose units lie within one another.
_LEVEL = (
    "words?|tokens?|phones?|phonemes?|phonetics?|phonology|phon|segments?|segs?|syllables?|syll?s?|sentences?|utterances?|"
    "utts?|orthography|ortho?|transcription|transcript|transcr|trans|translation|gloss|glosses|lemmas?|morphs?|"
    "morphemes?|pos|ipa|sampa|intonation|tones?|tobi|pitch|breaks?|prosody|stress|phrases?|clauses?|vowels?|consonants?|"
    "mots?|wörter|silben|laute|sätze|syllabes?|phonèmes?|palabras?|fonemas?|parole|fonemi"
)
_SPEAKER = (
    "turns?|silences?|pauses?|notes?|comments?|misc|remarks?|points?|gestures?|gaze|hands?|head|face|posture|left|right|"
    "activity|emotions?|laughter|events?|mother|father|chi|mot|fat|inv|speakers?[ _-]*[a-z0-9]{1,2}|"
    "spk[ _-]*[a-z0-9]{0,2}|speaker|interviewer|interviewee|participant[ _-]*[a-z0-9]{0,2}|child|adult|patient|doctor|"
    "teacher|student|therapist|client|caller|agent|host|guest|default|text|entities|entity|relations?|ner|coref|topics?|themes?|gesten"
)
#: An identifier after such a word: a number, one or two letters.
_IDENTIFIER = r"(?:[0-9]{1,4}|[a-z]{1,2}|[ivx]{1,4})"
_IS_ANNOTATOR = re.compile(rf"(?:{_ANNOTATOR})[\s_\-.]*{_IDENTIFIER}?|(?:ann|a)[\s_\-.]*[0-9]{{1,2}}")
_IS_ONLY_ANNOTATOR = re.compile(rf"(?:{_ONLY_ANNOTATOR})[\s_\-.]*{_IDENTIFIER}?")
_IS_STANDARD = re.compile(_STANDARD)
_IS_VERSION = re.compile(_VERSION)
_IS_DOCUMENT = re.compile(rf"(?:{_DOCUMENT})[\s_\-.]*{_IDENTIFIER}?")
_IS_NUMBERED_DOCUMENT = re.compile(rf"(?:{_DOCUMENT})[\s_\-.]*(?:[0-9]{{1,4}}|[a-z])")
_IS_LEVEL = re.compile(_LEVEL)
_IS_LAYER = re.compile(f"{_LEVEL}|{_SPEAKER}")
_ROLE_WORD = re.compile(rf"(?:{_ANNOTATOR}|{_DOCUMENT}|speaker|spk)s?")
_SHORT = re.compile("[0-9]{1,4}|[a-z]")


def split_name(name: str, *, keep_numbered: bool = True) -> list[str]:
    """The parts of a name; a number or letter stays with the word that it numbers, unless told otherwise.

    >>> split_name("talk_ann"), split_name("doc 1-annotator_2"), split_name("ann")
    (['talk', 'ann'], ['doc 1', 'annotator_2'], ['ann'])
    """
    return [name[begin:end] for begin, end in part_bounds(name, keep_numbered=keep_numbered)]


def part_bounds(name: str, *, keep_numbered: bool = True) -> list[tuple[int, int]]:
    """Where the parts of a name begin and end."""
    bounds = [match.span() for match in _PART.finditer(name)]
    joined: list[tuple[int, int]] = []
    for begin, end in bounds:
        if keep_numbered and joined and _SHORT.fullmatch(name[begin:end].casefold()):
            word = name[joined[-1][0] : joined[-1][1]].casefold()
            if _ROLE_WORD.fullmatch(word):
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((begin, end))
    return joined


def are_annotators(names: Collection[str]) -> bool:
    """Whether all names say that they are annotators: `coder1`, `annotator_B`, `gold`."""
    return bool(names) and all(_IS_ANNOTATOR.fullmatch(name.casefold()) for name in names)


def are_only_annotators(names: Collection[str]) -> bool:
    """Whether all names can be nothing else: `coder1`, `annotator_B`, but not `user1` or `annotation2`."""
    return bool(names) and all(_IS_ONLY_ANNOTATOR.fullmatch(name.casefold()) for name in names)


def standards(names: Collection[str]) -> list[str]:
    """The names of standards made from the annotators' work: `gold`, `curated`.

    >>> standards(["ann", "bob", "Gold Standard"])
    ['Gold Standard']
    """
    return [name for name in names if _IS_STANDARD.fullmatch(name.casefold())]


def versions(names: Collection[str]) -> list[str]:
    """The names of versions, copies and states of a file: `old`, `v2`, `final`.

    >>> versions(["draft", "v2", "ann"])
    ['draft', 'v2']
    """
    return [name for name in names if _IS_VERSION.fullmatch(name.casefold())]


def are_documents(names: Collection[str]) -> bool:
    """Whether all names say that they are documents: `doc1`, `session_b`, `interview-03`."""
    return bool(names) and all(_IS_DOCUMENT.fullmatch(name.casefold()) for name in names)


def are_layers(names: Collection[str]) -> bool:
    """Whether all names are those of layers or speakers: `words`, `phones`, `speaker1`."""
    return bool(names) and all(_IS_LAYER.fullmatch(name.casefold()) for name in names)


def are_levels(names: Collection[str]) -> bool:
    """Whether several names are those of levels of description, such as `words` and `phones`."""
    return sum(_IS_LEVEL.fullmatch(name.casefold()) is not None for name in names) > 1


def role_of_names(names: Collection[str]) -> int:
    """How far names look like annotators': 3 if they say so, 1 if nothing speaks against it, below 0 otherwise.

    >>> role_of_names(["coder1", "coder2"]), role_of_names(["ann", "bob"]), role_of_names(["1", "2"])
    (3, 1, -1)
    >>> role_of_names(["doc1", "doc2"]), role_of_names(["s01", "s02"])
    (-3, -1)
    """
    if are_annotators(names):
        return 3
    if are_documents(names) or all(any(map(_is_numbered_document, split_name(name))) for name in names):
        return -3
    return -1 if any(any(character.isdigit() for character in name) for name in names) else 1


def _is_numbered_document(part: str) -> bool:
    return _IS_NUMBERED_DOCUMENT.fullmatch(part.casefold()) is not None


def without_name(name: str, other: str) -> str | None:
    """The name without another one that is part of it, or None if it is not.

    >>> without_name("talk_coder_a", "coder a"), without_name("talk_1", "1"), without_name("ann", "ann")
    ('talk', 'talk', '')
    >>> without_name("joanna", "anna") is None
    True
    """
    parts, wanted = split_name(name, keep_numbered=False), split_name(other.casefold(), keep_numbered=False)
    for i in range(len(parts) - len(wanted) + 1):
        if wanted and [part.casefold() for part in parts[i : i + len(wanted)]] == wanted:
            return "_".join([*parts[:i], *parts[i + len(wanted) :]])
    return None


def varying_parts(names: Sequence[str]) -> list[str]:
    """The names without the first and last parts that all of them have; unchanged where nothing would be left of one.

    >>> varying_parts(["words_ann", "words_bob"]), varying_parts(["ann", "bob"]), varying_parts(["a_x", "a_x_y"])
    (['ann', 'bob'], ['ann', 'bob'], ['a_x', 'a_x_y'])
    """
    parts = [split_name(name) for name in names]
    shortest = min(map(len, parts), default=0)
    first = next((i for i in range(shortest) if len({part[i] for part in parts}) > 1), shortest)
    last = next((i for i in range(shortest - first) if len({part[-1 - i] for part in parts}) > 1), shortest - first)
    if len(names) < 2 or any(len(part) <= first + last for part in parts):
        return list(names)
    return ["_".join(part[first : len(part) - last]) for part in parts]


def crossed_parts(names: Sequence[str]) -> tuple[list[str], list[str], str] | None:
    """First and last parts of names that cross: every first part with every last one, several of both.

    With the character between them. None where names do not cross.

    >>> crossed_parts(["ann_words", "ann_phones", "bob_words", "bob_phones"])
    (['ann', 'bob'], ['words', 'phones'], '_')
    >>> crossed_parts(["ann_words", "bob_words"]) is None
    True
    """
    pairs = []
    for name in names:
        parts = split_name(name)
        if len(parts) < 2:
            return None
        pairs.append((parts[0], parts[-1], name[len(parts[0]) : len(name) - len(parts[-1])]))
    first = list(dict.fromkeys(pair[0] for pair in pairs))
    last = list(dict.fromkeys(pair[1] for pair in pairs))
    if len(first) < 2 or len(last) < 2 or len({pair[:2] for pair in pairs}) < len(first) * len(last):
        return None
    return first, last, pairs[0][2]
