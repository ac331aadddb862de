# SPDX-License-Identifier: MIT
"""Which part of the paths of files names the annotators: every way to split the paths, with a score for each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, isqrt

from unisono.io.layout.name_parts import (
    SEPARATORS,
    are_only_annotators,
    part_bounds,
    role_of_names,
    split_name,
    without_name,
)
from unisono.io.layout.path_names import CALLED, PARENT, STEM, Place, differing_parts
from unisono.io.layout.similarity import Comparison

#: The highest folder that is considered for the annotator.
_HIGHEST = -6
#: Annotators of one document may have slightly different texts; texts with fewer words in common are different ones.
_SAME_DOCUMENT = 0.5
#: How similar files of one document and how different files of two documents must be, to tell them apart.
_SIMILAR, _DIFFERENT = 0.5, 0.2
#: From this score on, names alone are enough.
CLEAR = 1


@dataclass(frozen=True, slots=True)
class Split:
    """One way to take the paths apart: an annotator and a document for each file."""

    annotators: tuple[str, ...]
    #: The rest of each path.
    rests: tuple[tuple[str, ...], ...]
    #: The value of `annotator_from` with the same meaning.
    rule: str
    words: str
    document_words: str
    #: How far the names look like those of annotators and documents; see `role_of_names`.
    score: int

    @property
    def documents(self) -> list[str]:
        """The name of each file's document."""
        return differing_parts(self.rests)

    @property
    def groups(self) -> list[list[int]]:
        """The files of each document, by number."""
        groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for i, rest in enumerate(self.rests):
            groups[rest].append(i)
        return list(groups.values())


@dataclass(frozen=True, slots=True)
class Choice:
    """The split that was found, or None, whether that is clear, and all splits that are possible."""

    split: Split | None
    is_clear: bool
    possible: tuple[Split, ...] = ()


def choose_split(places: Sequence[Place], comparison: Comparison | None = None) -> Choice:
    """The part of the paths that names the annotators, decided by texts, then by names, then by where the units are.

    `comparison` compares the units of files: annotators of a document mark similar places. Names of people do not say
    that files are of one document, so that a split by them is clear only if the units agree with it.

    >>> choice = choose_split([Place(("p", "talk_ann")), Place(("p", "talk_bob"))])
    >>> choice.split.annotators, choice.split.documents, choice.is_clear
    (('ann', 'bob'), ['talk', 'talk'], True)
    """
    splits = _distinct_groupings(_splits(places))
    if not splits:
        return Choice(None, is_clear=True)
    if all(place.text is not None for place in places):
        return _choose_by_text(places, splits, comparison)
    best, *others = sorted(splits, key=lambda split: -split.score)
    agreement = {} if comparison is None else {id(split): _agreement(split, comparison) for split in splits}
    if best.score >= CLEAR and all(best.score - other.score >= 2 for other in others):
        # Names are clear, but where the units contradict them, the user has to decide.
        is_contradicted = any(_fits_better(agreement, other, best) for other in others)
        is_clear = not is_contradicted and _is_supported(best, comparison)
        return Choice(best, is_clear=is_clear, possible=tuple(splits))
    rivals = [split for split in splits if best.score - split.score < 2]
    if agreement and best.score >= 0:
        fittest = max(rivals, key=lambda split: agreement[id(split)])
        if others and all(_fits_better(agreement, fittest, other) for other in splits if other is not fittest):
            return Choice(fittest, is_clear=_is_supported(fittest, comparison), possible=tuple(splits))
    return Choice(best, is_clear=False, possible=tuple(splits))


def _is_supported(split: Split, comparison: Comparison | None, *, are_on_one_text: bool = False) -> bool:
    """Whether the names can only be annotators, or else the units are where those of annotators would be."""
    if comparison is None:
        return True
    if not are_on_one_text and _is_mixed(split, comparison):
        return False
    if are_only_annotators(set(split.annotators)):
        return True
    return comparison.coincide(split.groups, are_on_one_text=are_on_one_text)


def _fits_better(agreement: Mapping[int, float], one: Split, other: Split) -> bool:
    """Whether the files of one document are clearly more similar in one split than in another."""
    return bool(agreement) and agreement[id(one)] > 1.5 * agreement[id(other)] + 0.05


def _is_mixed(split: Split, comparison: Comparison) -> bool:
    """Whether a document has files that are similar and others that have little in common: several documents."""
    large = [group[:8] for group in split.groups if len(group) > 2]
    for group in large[:20]:
        pairs = [comparison.similarity(i, j) for i in group for j in group if j < i]
        if max(pairs) > _SIMILAR and min(pairs) < max(_DIFFERENT, max(pairs) / 3):
            return True
    return False


def _agreement(split: Split, comparison: Comparison) -> float:
    """How similar the files of one document are, on average over at most 60 pairs."""
    n_pairs = sum(comb(len(group), 2) for group in split.groups)
    chosen = list(_nth_pairs(split.groups, range(0, n_pairs, max(1, n_pairs // 60))))
    return sum(comparison.similarity(*pair) for pair in chosen) / len(chosen) if chosen else 0.0


def _nth_pairs(groups: Sequence[Sequence[int]], numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Some of all pairs within groups, by their numbers in rising order: thousands of files have millions of pairs.

    >>> [*_nth_pairs([[7, 8, 9], [4, 5]], range(4))]
    [(8, 7), (9, 7), (9, 8), (5, 4)]
    """
    before = 0
    remaining = iter(groups)
    group: Sequence[int] = ()
    for number in numbers:
        while number - before >= comb(len(group), 2):
            before += comb(len(group), 2)
            group = next(remaining)
        # The pairs of the i-th file with those before it begin at i * (i - 1) / 2.
        i = (1 + isqrt(1 + 8 * (number - before))) // 2
        yield group[i], group[number - before - comb(i, 2)]


def _choose_by_text(places: Sequence[Place], splits: Sequence[Split], comparison: Comparison | None) -> Choice:
    """Annotators of a document have the same text; folders may hold versions of a text that differ a little."""
    folders = [split for split in splits if not _is_of_stem(split)]
    fitting = [split for split in splits if _have_same_texts(places, split)]
    fitting = fitting or [split for split in folders if _have_similar_texts(places, split)]
    if fitting:
        best = max(fitting, key=lambda split: split.score)
        # Files on one text may be by different annotators, but they may also be layers.
        is_clear = _is_supported(best, comparison, are_on_one_text=True)
        return Choice(best, is_clear=is_clear, possible=tuple(splits))
    # Different texts in files that differ by folder, as in news/1 and mail/1: documents or annotators?
    likely = max(folders, key=lambda split: split.score, default=None)
    if likely is not None and likely.score < CLEAR:
        return Choice(None, is_clear=False, possible=tuple(splits))
    return Choice(likely, is_clear=likely is None, possible=tuple(splits))


def _is_of_stem(split: Split) -> bool:
    return split.words not in set(CALLED.values()) - {CALLED[STEM]}


def _have_same_texts(places: Sequence[Place], split: Split) -> bool:
    return all(len({places[i].text for i in group}) == 1 for group in split.groups)


def _have_similar_texts(places: Sequence[Place], split: Split) -> bool:
    for group in split.groups:
        first = Counter((places[group[0]].text or "").split())
        for i in group[1:]:
            other = Counter((places[i].text or "").split())
            n_common = (first & other).total()
            is_part = _is_prefix(places[group[0]].text or "", places[i].text or "")
            if not is_part and n_common < _SAME_DOCUMENT * max(1, min(first.total(), other.total())):
                return False
    return True


def _is_prefix(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _distinct_groupings(splits: Iterator[Split]) -> list[Split]:
    """For each way to group the files, the split with the best score."""
    known: dict[tuple[tuple[int, ...], ...], Split] = {}
    for split in splits:
        key = tuple(map(tuple, split.groups))
        if key not in known or split.score > known[key].score:
            known[key] = split
    return list(known.values())


def _splits(places: Sequence[Place]) -> Iterator[Split]:
    """Every split in which some document has several files, the most usual kind first."""
    paths = _without_repeated_names([place.parts for place in places])
    if len(paths) < 2:
        return
    for level in (PARENT, *range(-3, _HIGHEST - 1, -1)):
        yield from _split_at(paths, level)
    whole = [*_split_at(paths, STEM)]
    if whole and len(whole[0].groups) > 1:
        yield from whole
    yield from _splits_of_stems(paths)
    if whole and len(whole[0].groups) == 1:
        yield from whole


def _without_repeated_names(paths: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Paths without the folder's name in the file's: `ann/talk_ann` as `ann/talk`.

    >>> _without_repeated_names([("ann", "talk_ann"), ("bob", "talk_bob")])
    [('ann', 'talk'), ('bob', 'talk')]
    """
    if len(paths) < 2 or any(len(path) < 2 for path in paths) or len({path[PARENT] for path in paths}) < 2:
        return list(paths)
    shortened = []
    for path in paths:
        rest = without_name(path[STEM], path[PARENT])
        if rest is None:
            return list(paths)
        shortened.append((*path[:-1], rest))
    if all(path[STEM] for path in shortened):
        return shortened
    return [(*path[:STEM], "data") for path in paths] if not any(path[STEM] for path in shortened) else list(paths)


def _split_at(paths: Sequence[tuple[str, ...]], level: int) -> Iterator[Split]:
    """The split in which one folder, or the whole file name, is the annotator."""
    if any(len(path) < -level for path in paths):
        return
    annotators = [path[level] for path in paths]
    rests = [(*path[: len(path) + level], *path[len(path) + level + 1 :]) for path in paths]
    rule = {PARENT: "parent", STEM: "stem"}.get(level)
    if rule is None:
        above = "/".join(["[^/]+"] * (-level - 1))
        rule = f"regex:([^/]+)/{above}$"
    document_words = CALLED[PARENT] if level == STEM else CALLED[STEM]
    split = _make_split(annotators, rests, rule, CALLED.get(level, CALLED[-3]), document_words)
    if split is None:
        return
    if level == STEM:
        n_documents = len(split.groups)
        if n_documents > 1 and len(set(annotators)) == len(annotators):
            return  # every file has a name of its own: no annotator has two documents
        if n_documents == 1:
            # Nothing in the names says that the files belong together.
            split = _make_split(annotators, rests, rule, CALLED[STEM], document_words, handicap=1)
            assert split is not None
    yield split


def _splits_of_stems(paths: Sequence[tuple[str, ...]]) -> Iterator[Split]:
    """The splits in which a part of the file names is the annotator: the only one that differs, the last, the first."""
    stems = [path[STEM] for path in paths]
    parts = [split_name(stem) for stem in stems]
    shortest = min(map(len, parts))
    n_first = next((i for i in range(shortest) if len({names[i] for names in parts}) > 1), shortest)
    n_last = next((i for i in range(shortest - n_first) if len({names[-1 - i] for names in parts}) > 1), 0)
    if (n_first or n_last) and all(len(names) > n_first + n_last for names in parts):
        yield from _split_stems(paths, parts, n_first, n_last)
    for first, last in ((-1, 0), (0, -1), (-2, 0), (0, -2)):
        if all(len(names) > max(-first, -last) for names in parts):
            if first:
                yield from _split_stems(paths, parts, first, 0, is_end=True)
            else:
                yield from _split_stems(paths, parts, 0, -last, is_begin=True)
    if len(set(map(len, parts))) == 1:
        for i in range(1, shortest - 1):
            yield from _split_stems(paths, parts, i, shortest - 1 - i)


def _split_stems(
    paths: Sequence[tuple[str, ...]],
    parts: Sequence[list[str]],
    before: int,
    after: int,
    *,
    is_end: bool = False,
    is_begin: bool = False,
) -> Iterator[Split]:
    """The split in which parts of file names are the annotator: all but `before` and `after`, or some at one end."""
    annotators, rests = [], []
    for path, names in zip(paths, parts, strict=True):
        if is_end:
            begin, end = len(names) + before, len(names)
        elif is_begin:
            begin, end = 0, after
        else:
            begin, end = before, len(names) - after
        stem = path[STEM]
        bounds = part_bounds(stem)
        annotators.append(stem[bounds[begin][0] : bounds[end - 1][1]])
        others = (stem[: bounds[begin][0]], stem[bounds[end - 1][1] :])
        rests.append((*path[:STEM], "_".join(filter(None, (text.strip(SEPARATORS) for text in others)))))
    if len(set(annotators)) < 2:
        return
    words = (
        "the ends of file names" if is_end else "the beginnings of file names" if is_begin else "parts of file names"
    )
    split = _make_split(annotators, rests, _rule_for(paths, annotators), words, "the rest of file names")
    if split is None:
        return
    n_documents, n_annotators, n_files = len(split.groups), len(set(annotators)), len(paths)
    n_together = sum(len(group) for group in split.groups if len(group) > 1)
    if n_documents == 1 or (n_annotators < n_files and n_together * 2 > n_files):
        yield split


def _rule_for(paths: Sequence[tuple[str, ...]], annotators: Sequence[str]) -> str:
    """A value of `annotator_from` that finds these annotators in the paths."""
    pairs = list(zip(paths, annotators, strict=True))
    if all(map(_is_one_part, annotators)):
        if all(path[STEM].endswith(name) for path, name in pairs):
            return "regex:([^/_. -]+)$"
        if all(path[STEM].startswith(name) for path, name in pairs):
            return "regex:([^/_. -]+)[^/]*$"
    return _alternatives(annotators)


def _is_one_part(name: str) -> bool:
    return re.fullmatch(r"[^/_. -]+", name) is not None


def _alternatives(annotators: Sequence[str]) -> str:
    """A pattern of the names themselves."""
    names = sorted(set(annotators), key=lambda name: (-len(name), name))
    patterns = [re.escape(name).replace("_", "[^/a-zA-Z0-9]+") for name in names]
    return f"regex:(?<![a-zA-Z0-9])({'|'.join(patterns)})(?![a-zA-Z0-9])"


def _make_split(
    annotators: Sequence[str],
    rests: Sequence[tuple[str, ...]],
    rule: str,
    words: str,
    document_words: str,
    handicap: int = 0,
) -> Split | None:
    """The split with its score; None if it gives no document two files, or one document the same annotator twice."""
    counts = Counter(rests)
    if max(counts.values()) < 2 or len(set(zip(annotators, rests, strict=True))) < len(rests):
        return None
    score = role_of_names(set(annotators)) - handicap
    if len(counts) > 1:
        score -= role_of_names(set(differing_parts(rests)))
    return Split(tuple(annotators), tuple(rests), rule, words, document_words, score)
