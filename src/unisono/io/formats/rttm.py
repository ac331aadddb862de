# SPDX-License-Identifier: MIT
"""RTTM, a line format of diarization (NIST Rich Transcription 2009, appendix A); positions in seconds.

Every object with a time is a unit; its name (the speaker) is the category, its type (SPEAKER, LEXEME, ...) the layer.
Each line names its document; channel, subtype, spelling and confidence are features. The end is start + duration, added
as decimals. SPKR-INFO lines have no time and are left out.

A UEM file of the same name beside it (lines `file channel start end`) says which regions were annotated. It gives the
extent, and a document that has regions but no units was seen with nothing marked. As in scoring tools, units outside
the regions are left out, units that cross an edge are cut there, and a unit cut into several pieces keeps them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from operator import itemgetter

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.exact_times import exact_sum, to_decimal
from unisono.io.formats.json_spans import note_left_out
from unisono.io.formats.sniff import RTTM_TYPES
from unisono.io.formats.stretches import join_stretches
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import list_counts, short
from unisono.model import Extent

_WHAT = "RTTM"
_NONE = "<NA>"
_OTHERS = {2: "channel", 5: "orthography", 6: "subtype", 8: "confidence"}

Regions = Mapping[str, Sequence[tuple[float, float]]]


def read(file: File, settings: Settings) -> Record:
    """The objects of all documents in an RTTM file."""
    if file.suffix == ".uem":
        raise malformed(file.where, _WHAT, "a UEM file has regions and no units", "Give the .rttm file beside it.")
    builder = RecordBuilder(file, "RTTM", time_unit="s")
    beside = file.beside(f"{file.stem}.uem")
    regions = {} if beside is None else _regions(beside, settings)
    extents = {name: Extent(min(s for s, _ in r), max(e for _, e in r), "duration") for name, r in regions.items()}
    sheets: dict[tuple[str, str | None], int] = {}
    for name, extent in extents.items():
        sheets[name, None] = builder.sheet(document=name, extent=extent)
    n_infos, n_outside, n_cut = 0, 0, 0
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        where = f"{file.where}:{number}"
        cells = line.split()
        if not cells or cells[0].startswith(";"):
            continue
        if cells[0] == "SPKR-INFO":
            n_infos += 1
            continue
        if cells[0] not in RTTM_TYPES or not 8 <= len(cells) <= 10:
            builder.fault(
                "malformed",
                where,
                f"the line {short(line)!r} is not RTTM",
                "Write it like SPEAKER show 1 0.5 2.3 <NA> <NA> ann <NA> <NA>.",
            )
            continue
        kind, document = cells[0], cells[1]
        if (document, kind) not in sheets:
            sheets[document, kind] = builder.sheet(
                document=document, layer=kind, extent=extents.get(document), where=where
            )
        start, end = cells[3], exact_sum(cells[3], "0" if cells[4] == _NONE else cells[4])
        features = {"name": cells[7]} | {name: cells[i] for i, name in _OTHERS.items() if i < len(cells)}
        features = {name: value for name, value in features.items() if value != _NONE}
        pieces = None if not regions else _clip_to_regions(start, end, regions.get(document, ()))
        if pieces is None:
            builder.unit(sheets[document, kind], start, end, features, where)
        elif not pieces:
            n_outside += 1
        else:
            first, last = pieces[0][0], pieces[-1][1]
            n_cut += len(pieces) > 1 or (first, last) != (float(start), end)
            builder.unit(sheets[document, kind], first, last, features, where, pieces=pieces)
    if not sheets:
        builder.sheet()  # an empty file: its annotator has seen the document and marked nothing
    if n_infos:
        note_left_out(builder, Counter({"SPKR-INFO line(s)": n_infos}), "objects with a time")
    if n_outside or n_cut:
        counts = {"unit(s) outside the regions (left out)": n_outside, "unit(s) across their edges (cut)": n_cut}
        builder.note("passed-over", f"{file.stem}.uem gives the annotated regions: {list_counts(+Counter(counts))}")
    return builder.record(category="name", called={"document": "the lines", "category": "names (speakers)"})


def _clip_to_regions(
    start: str, end: object, regions: Sequence[tuple[float, float]]
) -> list[tuple[float, float]] | None:
    """The parts of a unit inside the regions; None if its times are not numbers, which the record reports."""
    first, last = to_decimal(start), to_decimal(end)
    if first is None or last is None or last < first:
        return None
    s, e = float(first), float(last)
    near = regions[bisect_left(regions, s, key=itemgetter(1)) : bisect_right(regions, e, key=itemgetter(0))]
    return [(max(s, a), min(e, b)) for a, b in near if max(s, a) < min(e, b) or a <= s == e <= b]


def _regions(file: File, settings: Settings) -> Regions:
    """The regions of each document in a UEM file, in order, with those that touch joined."""
    regions: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        cells = line.split()
        if not cells or cells[0].startswith(";"):
            continue
        times = [to_decimal(cell) for cell in cells[2:4]]
        if len(cells) != 4 or times[0] is None or times[1] is None or times[1] < times[0]:
            fault = f"the line {short(line)!r} is not a file, a channel, a start and an end"
            raise malformed(f"{file.where}:{number}", "UEM", fault, "Correct the line.")
        regions[cells[0]].append((float(times[0]), float(times[1])))
    return {name: join_stretches(stretches) for name, stretches in regions.items()}
