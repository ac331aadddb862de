# SPDX-License-Identifier: MIT
"""Names in paths: the folder or file name that is the annotator, and the rest of the path for the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from unisono.io.layout.rules import Rule

#: Levels of a path, counted from its end.
STEM, PARENT = -1, -2

#: The levels in words.
CALLED = {STEM: "file names", PARENT: "folder names", -3: "names of the folders above"}


@dataclass(frozen=True, slots=True)
class Place:
    """The path of a file without its ending, and the file's text, where known."""

    parts: tuple[str, ...]
    text: str | None = None


def decode_name(name: str) -> str:
    r"""A file's name as text: bytes that are not UTF-8 are read as Latin-1.

    >>> decode_name("café"), decode_name("caf\udce9")
    ('café', 'café')
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode(errors="surrogateescape").decode("latin-1")
    return name


def _drop_level(parts: tuple[str, ...], level: int) -> tuple[str, ...]:
    index = len(parts) + level
    return (*parts[:index], *parts[index + 1 :])


def names_by_level(places: Sequence[Place], level: int) -> tuple[list[str], list[str]]:
    """Annotators and documents of files by a level of their paths.

    The document is the rest of the path, as far as it differs between files; the file's name where nothing does
    (the folder's, where the file's is the annotator's).
    """
    annotators = [place.parts[level] if len(place.parts) >= -level else "" for place in places]
    rests = [_drop_level(place.parts, level) if len(place.parts) >= -level else place.parts for place in places]
    return annotators, differing_parts(rests)


def differing_parts(paths: Sequence[tuple[str, ...]]) -> list[str]:
    """The parts in which paths differ, joined; the last part where they do not differ.

    >>> differing_parts([("home", "a", "xmi", "1"), ("home", "b", "xmi", "1")])
    ['a', 'b']
    >>> differing_parts([("home", "letter")])
    ['letter']
    >>> differing_parts([("home", "x", "a"), ("home", "x", "deep", "b")])
    ['a', 'deep/b']
    """
    # The folder that holds them all is no part of a name, however deep the files lie below it.
    shared = min((len(path) - 1 for path in paths), default=0)
    common = next((i for i in range(shared) if len({path[i] for path in paths}) > 1), max(0, shared))
    own = [tuple(path[common:]) for path in paths]
    depth = max(map(len, own), default=0)
    padded = [("",) * (depth - len(path)) + path for path in own]
    varying = [i for i in range(depth) if len({path[i] for path in padded}) > 1]
    if not varying:
        return [path[-1] if path else "" for path in paths]
    return ["/".join(path[i] for i in varying if path[i]) for path in padded]


def names_by_pattern(places: Sequence[Place], rule: Rule, role: str) -> tuple[list[str], list[str]]:
    """The names that a pattern finds in the paths, and the rest of each path without the match."""
    pattern = re.compile(rule.argument)
    names, rests = [], []
    for place in places:
        path = "/".join(place.parts)
        match = pattern.search(path)
        if match is None:
            names.append("")
            rests.append(place.parts)
            continue
        groups = match.groupdict()
        names.append(groups.get(role) or (match[1] if pattern.groups else match[0]) or "")
        if role == "annotator" and groups.get("document"):
            rests.append((groups["document"],))
        else:
            left = f"{path[: match.start()]}/{path[match.end() :]}"
            rests.append(tuple(part.strip("._- ") for part in left.split("/") if part.strip("._- ")))
    return names, differing_parts(rests)
