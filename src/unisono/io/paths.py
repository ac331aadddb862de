# SPDX-License-Identifier: MIT
"""Names out of paths: which folder, or the file's own name, tells the annotator, and what is left for the document."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from unisono.io.layout import Rule

#: Levels of a path, counted from its end.
STEM, PARENT = -1, -2

#: How the sentence of what was understood calls the levels.
CALLED = {STEM: "file names", PARENT: "folder names", -3: "names of the folders above"}

#: How far up a folder may tell the annotator.
_HIGHEST = -6


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file lies, without its ending, and the text it stands on, where known."""

    parts: tuple[str, ...]
    text: str | None = None


def legible(name: str) -> str:
    r"""The name of a file in letters: where its bytes are no UTF-8, as they were written before it, in Latin-1.

    >>> legible("café"), legible("caf\udce9")
    ('café', 'café')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode(errors="surrogateescape").decode("latin-1")
    return name


def annotator_level(places: Sequence[Place], *, only_by_text: bool = False) -> int | None:
    """The level of the paths that tells the annotators, or None where nothing does.

    It is the level without which files coincide: `ann/letter` and `bob/letter` differ in the folder, so the folder is
    the annotator and `letter` the document. That could be chance for file names (`a/1`, `a/2`: two documents, or two
    annotators?), so texts decide: annotators of one document have the same text.

    >>> annotator_level([Place(("ann", "letter")), Place(("bob", "letter"))]) == PARENT
    True
    >>> same = [Place(("letter", "ann"), "Dear Sir"), Place(("letter", "bob"), "Dear Sir")]
    >>> annotator_level(same) == STEM
    True
    """
    levels: list[int] = [PARENT, STEM, *range(-3, _HIGHEST - 1, -1)]
    fitting = [level for level in levels if _coincide(places, level)]
    for level in fitting:
        if _same_texts(places, level):
            return level
    if only_by_text:
        return None
    above = [level for level in fitting if level != STEM]
    return above[0] if above else None


def _documents(places: Sequence[Place], level: int) -> dict[tuple[str, ...], list[Place]]:
    groups: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for place in places:
        if len(place.parts) >= -level:
            groups[_without(place.parts, level)].append(place)
    return groups


def _without(parts: tuple[str, ...], level: int) -> tuple[str, ...]:
    index = len(parts) + level
    return (*parts[:index], *parts[index + 1 :])


def _coincide(places: Sequence[Place], level: int) -> bool:
    return any(len(group) > 1 for group in _documents(places, level).values())


def _same_texts(places: Sequence[Place], level: int) -> bool:
    for group in _documents(places, level).values():
        texts = {place.text for place in group}
        if None in texts or len(texts) > 1:
            return False
    return True


def named_by_level(places: Sequence[Place], level: int) -> tuple[list[str], list[str]]:
    """Annotators and documents of files by a level of their paths.

    The document is the rest of the path, as far as it differs between files; the file's name where nothing does
    (the folder's, where the file's is the annotator's).
    """
    annotators = [place.parts[level] if len(place.parts) >= -level else "" for place in places]
    rests = [_without(place.parts, level) if len(place.parts) >= -level else place.parts for place in places]
    return annotators, distinguishing(rests)


def distinguishing(paths: Sequence[tuple[str, ...]]) -> list[str]:
    """The parts of paths that differ, joined; the last part where none does.

    >>> distinguishing([("home", "a", "xmi", "1"), ("home", "b", "xmi", "1")])
    ['a', 'b']
    >>> distinguishing([("home", "letter")])
    ['letter']
    """
    depth = max(map(len, paths), default=0)
    padded = [("",) * (depth - len(path)) + tuple(path) for path in paths]
    varying = [i for i in range(depth) if len({path[i] for path in padded}) > 1]
    if not varying:
        return [path[-1] if path else "" for path in paths]
    return ["/".join(path[i] for i in varying if path[i]) for path in padded]


def named_by_pattern(places: Sequence[Place], rule: Rule, role: str) -> tuple[list[str], list[str]]:
    """Names by a pattern searched in the path, and what is left of the path's last part without the match."""
    pattern = re.compile(rule.argument)
    names, rests = [], []
    for place in places:
        path = "/".join(place.parts)
        found = pattern.search(path)
        if found is None:
            names.append("")
            rests.append(place.parts)
            continue
        groups = found.groupdict()
        names.append(groups.get(role) or (found[1] if pattern.groups else found[0]) or "")
        if role == "annotator" and groups.get("document"):
            rests.append((groups["document"],))
        else:
            left = f"{path[: found.start()]}/{path[found.end() :]}"
            rests.append(tuple(part.strip("._- ") for part in left.split("/") if part.strip("._- ")))
    return names, distinguishing(rests)
