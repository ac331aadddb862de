# SPDX-License-Identifier: MIT
"""RTTM, the lines of diarization (NIST Rich Transcription 2009, appendix A); positions in seconds.

Every object with a time is a unit, its name (the speaker) the category; its type (SPEAKER, LEXEME, ...) is the layer.
The file names the documents; channel, subtype, spelling and confidence are features. Ends are start + duration, added
as decimals. SPKR-INFO lines have no time.

A UEM file of the same name beside it (`file channel start end` a line) says what was annotated: it gives the extent,
and a document in it without units was seen and nothing marked. What lies outside its regions is left out, what crosses
an edge is cut there, and a unit that is cut in several pieces keeps them: as scoring tools do.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short
from unisono.io.times import decimal, summed
from unisono.io.validation import counted
from unisono.io.xmltree import malformed
from unisono.model import Extent

_WHAT = "RTTM"
TYPES = frozenset({
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB",
    "A/P", "SPEAKER", "SPKR-INFO",
})  # fmt: skip
_NONE = "<NA>"
_OTHERS = {2: "channel", 5: "orthography", 6: "subtype", 8: "confidence"}

Regions = Mapping[str, Sequence[tuple[float, float]]]


def read(file: File, settings: Settings) -> Record:
    """The objects of all files that an RTTM file speaks of."""
    if file.suffix == ".uem":
        raise malformed(file.where, _WHAT, "regions to be scored, and no units", "give the .rttm file beside it")
    builder = RecordBuilder(file, "RTTM")
    beside = file.beside(f"{file.stem}.uem")
    regions = {} if beside is None else _regions(beside, settings)
    extents = {name: Extent(min(s for s, _ in r), max(e for _, e in r), "duration") for name, r in regions.items()}
    sheets: dict[tuple[str, str | None], int] = {}
    for name, extent in extents.items():
        sheets[name, None] = builder.sheet(document=name, extent=extent)
    n_infos, n_outside, n_cut = 0, 0, 0
    for number, line in enumerate(decode(file.data(), file.where, settings.encoding).splitlines(), start=1):
        where = f"{file.where}:{number}"
        cells = line.split()
        if not cells or cells[0].startswith(";"):
            continue
        if cells[0] == "SPKR-INFO":
            n_infos += 1
            continue
        if cells[0] not in TYPES or not 8 <= len(cells) <= 10:
            builder.fault(
                "malformed",
                where,
                "a line of RTTM, such as SPEAKER show 1 0.5 2.3 <NA> <NA> ann <NA> <NA>",
                repr(short(line)),
                "correct the line",
            )
            continue
        kind, document = cells[0], cells[1]
        if (document, kind) not in sheets:
            sheets[document, kind] = builder.sheet(
                document=document, layer=kind, extent=extents.get(document), where=where
            )
        start, end = cells[3], summed(cells[3], "0" if cells[4] == _NONE else cells[4])
        features = {"name": cells[7]} | {name: cells[i] for i, name in _OTHERS.items() if i < len(cells)}
        features = {name: value for name, value in features.items() if value != _NONE}
        pieces = None if not regions else _inside(start, end, regions.get(document, ()))
        if pieces is None:
            builder.unit(sheets[document, kind], start, end, features, where)
        elif not pieces:
            n_outside += 1
        else:
            first, last = pieces[0][0], pieces[-1][1]
            n_cut += len(pieces) > 1 or (first, last) != (float(start), end)
            builder.unit(sheets[document, kind], first, last, features, where, pieces=pieces)
    if not sheets:
        builder.sheet()  # a file without lines: whoever it is by has seen what it is named after
    if n_infos:
        builder.note("passed-over", "objects with a time", f"{counted(n_infos, 'line')} SPKR-INFO", "left out")
    if n_outside or n_cut:
        found = f"{n_outside} outside, {n_cut} that cross an edge"
        builder.note("passed-over", f"units inside the regions of {file.stem}.uem", found, "left out; cut at the edge")
    return builder.record(category="name", called={"document": "the lines", "category": "names (speakers)"})


def _inside(start: str, end: object, regions: Sequence[tuple[float, float]]) -> list[tuple[float, float]] | None:
    """The parts of a unit inside the regions; None where its times are no numbers, which is told elsewhere."""
    first, last = decimal(start), decimal(end)
    if first is None or last is None or last < first:
        return None
    s, e = float(first), float(last)
    return [(max(s, a), min(e, b)) for a, b in regions if max(s, a) < min(e, b) or a <= s == e <= b]


def _regions(file: File, settings: Settings) -> Regions:
    """The regions of each document in a UEM file, in order, those that touch joined."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for number, line in enumerate(decode(file.data(), file.where, settings.encoding).splitlines(), start=1):
        cells = line.split()
        if not cells or cells[0].startswith(";"):
            continue
        times = [decimal(cell) for cell in cells[2:4]]
        if len(cells) != 4 or times[0] is None or times[1] is None or times[1] < times[0]:
            raise malformed(f"{file.where}:{number}", "UEM (file channel start end)", repr(short(line)), "correct it")
        found[cells[0]].append((float(times[0]), float(times[1])))
    return {name: _joined(sorted(regions)) for name, regions in found.items()}


def _joined(regions: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    end = -math.inf
    for start, stop in regions:
        if start <= end:
            joined[-1] = (joined[-1][0], max(end, stop))
        else:
            joined.append((start, stop))
        end = joined[-1][1]
    return joined
