# SPDX-License-Identifier: MIT
"""Files broken along their structure: what parses still parses, but says something absurd. Same seed, same change."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from mutations import mutated

#: Values of another type, or at the edge of theirs.
ODD_VALUES: list[Any] = [
    None, True, -1, 0, 1e308, 10**30, 2**53 + 1, -(2**63), 0.1, "", " ", "NaN", "1e999", "\u0000", "😀", "a" * 5_000,
    [], {}, [[]], [None], {"a": {}},
]  # fmt: skip
ODD_NUMBERS = [b"-1", b"0", b"9" * 25, b"1e308", b"1e999", b"NaN", b"-0.0", b"0x1F", b"1,5", b"9007199254740993", b""]
LINE_ENDS = [b"\n", b"\r\n", b"\r", b"\n\n", "\u2028".encode(), b"\x0b"]


def broken_along_structure(data: bytes, seed: int) -> bytes:
    """The file with one to three structural changes, or, every sixth time, broken anywhere."""
    draw = random.Random(seed)
    if draw.random() < 1 / 6:
        return mutated(data, seed)
    for _ in range(draw.choice((1, 1, 2, 3))):
        data = _change(data, draw)
    return data


def _change(data: bytes, draw: random.Random) -> bytes:
    stripped = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if draw.random() < 0.6:
        if stripped[:1] in (b"{", b"["):
            changed = _change_json(data, draw)
            if changed is not None:
                return changed
        if stripped[:1] == b"<":
            changed = _change_xml(data, draw)
            if changed is not None:
                return changed
    return draw.choice((_swap_numbers, _odd_number, _repeat_line, _swap_cells, _cut_character, _mix_line_ends))(
        data, draw
    )


# -- JSON ------------------------------------------------------------------------------------------------------------


def _change_json(data: bytes, draw: random.Random) -> bytes | None:
    """A subtree repeated, moved, removed, of another type; two offsets swapped; one object of JSON lines at a time."""
    lines = data.split(b"\n")
    filled = [i for i, line in enumerate(lines) if line.strip()]
    if len(filled) > 1 and all(lines[i].lstrip()[:1] == b"{" and lines[i].rstrip()[-1:] == b"}" for i in filled[:3]):
        place = draw.choice(filled)
        changed = _change_object(lines[place], draw)
        if changed is None:
            return None
        lines[place] = changed
        return b"\n".join(lines)
    return _change_object(data, draw)


def _change_object(data: bytes, draw: random.Random) -> bytes | None:
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return None
    places = list(_places(tree))
    if not places:
        return None
    parent, key = draw.choice(places)
    kind = draw.randrange(6)
    if kind == 0 and isinstance(parent, list):
        parent.insert(key, json.loads(json.dumps(parent[key])))
    elif kind == 1:
        numbers = [(p, k) for p, k in places if isinstance(p[k], int | float) and not isinstance(p[k], bool)]
        if len(numbers) > 1:
            (p, k), (q, m) = draw.sample(numbers, 2)
            p[k], q[m] = q[m], p[k]
    elif kind == 2:
        del parent[key]
    elif kind == 3:
        other, where = draw.choice(places)
        parent[key] = json.loads(json.dumps(other[where]))
    elif kind == 4 and isinstance(parent, dict):
        parent[draw.choice(["", "x", f"{key}2", "start", "id"])] = parent.pop(key)
    else:
        parent[key] = draw.choice(ODD_VALUES)
    try:
        return json.dumps(tree, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    except ValueError:
        return None


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a tree, as its parent and its key; the first ten thousand."""
    waiting, n = [tree], 0
    while waiting and n < 10_000:
        parent = waiting.pop()
        items = parent.items() if isinstance(parent, dict) else enumerate(parent) if isinstance(parent, list) else ()
        for key, value in list(items):
            n += 1
            yield parent, key
            if isinstance(value, dict | list):
                waiting.append(value)


# -- XML -------------------------------------------------------------------------------------------------------------


def _change_xml(data: bytes, draw: random.Random) -> bytes | None:
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    elements = [each for each in root.iter() if isinstance(each.tag, str)]
    one = draw.choice(elements)
    parent = one.getparent()
    kind = draw.randrange(6)
    if kind == 0 and parent is not None:
        parent.append(etree.fromstring(etree.tostring(one, with_tail=False)))
    elif kind == 1 and parent is not None:
        parent.remove(one)
    elif kind == 2:
        numbers = [(each, name) for each in elements for name, value in each.attrib.items() if value.isdigit()]
        if len(numbers) > 1:
            (a, x), (b, y) = draw.sample(numbers, 2)
            a.attrib[x], b.attrib[y] = b.attrib[y], a.attrib[x]
    elif kind == 3 and one.attrib:
        one.attrib[draw.choice(list(one.attrib))] = draw.choice(["", "-1", "9" * 25, "NaN", "x", "😀", "1e308", "0"])
    elif kind == 4 and parent is not None:
        other = draw.choice(elements)
        if other is not one and not any(each is other for each in one.iter()):
            other.append(one)
    else:
        one.text = draw.choice(["", "-1", "9" * 25, "😀", " ", "NaN", None])
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


# -- lines and numbers -----------------------------------------------------------------------------------------------


def _numbers(data: bytes) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"\d+(?:\.\d+)?", data))[:5_000]


def _swap_numbers(data: bytes, draw: random.Random) -> bytes:
    found = _numbers(data)
    if len(found) < 2:
        return data
    one, other = sorted(draw.sample(found, 2), key=lambda match: match.start())
    return data[: one.start()] + other[0] + data[one.end() : other.start()] + one[0] + data[other.end() :]


def _odd_number(data: bytes, draw: random.Random) -> bytes:
    found = _numbers(data)
    if not found:
        return data
    one = draw.choice(found)
    return data[: one.start()] + draw.choice(ODD_NUMBERS) + data[one.end() :]


def _repeat_line(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = draw.randrange(len(lines))
    return b"\n".join([*lines[:place], *[lines[place]] * draw.choice((2, 3, 50)), *lines[place + 1 :]])


def _swap_cells(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = draw.randrange(len(lines))
    for separator in (b"\t", b",", b" "):
        cells = lines[place].split(separator)
        if len(cells) > 1:
            one, other = draw.sample(range(len(cells)), 2)
            cells[one], cells[other] = cells[other], cells[one]
            lines[place] = separator.join(cells)
            break
    return b"\n".join(lines)


def _cut_character(data: bytes, draw: random.Random) -> bytes:
    """A character of several bytes without one of them; one put in and cut, where there is none."""
    wide = [i for i, byte in enumerate(data) if byte >= 0x80]
    if wide:
        place = draw.choice(wide)
        return data[:place] + data[place + 1 :]
    place = draw.randint(0, len(data))
    return data[:place] + "😀".encode()[: draw.randrange(1, 4)] + data[place:]


def _mix_line_ends(data: bytes, draw: random.Random) -> bytes:
    pieces = data.replace(b"\r\n", b"\n").split(b"\n")
    return (
        b"".join(piece + draw.choice(LINE_ENDS[:3] if draw.random() < 0.9 else LINE_ENDS) for piece in pieces[:-1])
        + (pieces[-1])
    )
