# SPDX-License-Identifier: MIT
"""WebAnno TSV 3.x, as WebAnno and INCEpTION write it: a line for each token, columns for the features of layers.

Span layers are read; relations and chains are between units and left out. A layer goes by the last part of its
type's name. Units of several tokens carry a number (`PER[3]`), also across sentences; stacked ones are parted by
bars; `*` is a unit without a value. The text is put together from the `#Text=` lines, at the positions of the tokens;
what lies between sentences is not in the file and becomes line ends. Positions count UTF-16 units and are
converted to characters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.uima import category_of
from unisono.io.jsontree import malformed
from unisono.io.offsets import code_points
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short

_WHAT = "WebAnno TSV 3"
_TOKEN = re.compile(r"(\d+)-(\d+)(?:\.(\d+))?\t(\d{1,18})-(\d{1,18})\t([^\t]*)\t?(.*)")
_NUMBERED = re.compile(r"((?:\\.|[^\\\[])*)\[(\d+)\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BARS = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b"}


@dataclass(frozen=True, slots=True)
class _Layer:
    type: str
    features: tuple[str, ...]
    #: The first of its columns.
    first: int
    is_span: bool


@dataclass(slots=True)
class _Unit:
    layer: int
    start: int
    end: int
    line: int
    features: dict[str, str | None] = field(default_factory=dict)


def read(file: File, settings: Settings) -> Record:
    """The units of all span layers."""
    text = decode(file.data(), file.where, settings.encoding)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if not lines[0].startswith("#FORMAT=WebAnno TSV 3"):
        old = lines[0].startswith(" # ")
        what = "WebAnno TSV 1 or 2, which has no positions" if old else repr(short(lines[0]))
        raise malformed(f"{file.where}:1", _WHAT, what, "export it as WebAnno TSV 3")
    layers = _header(lines)
    builder = RecordBuilder(file, "WebAnno TSV")
    units: dict[tuple[int, ...], _Unit] = {}
    document = _Text()
    sentence: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#Text="):
            sentence.append(_unescaped(line[len("#Text=") :]))
            continue
        if not line.strip() or line.startswith("#"):
            continue
        found = _TOKEN.fullmatch(line)
        if found is None:
            builder.fault(
                "malformed",
                f"{file.where}:{number}",
                "a token: 1-1<TAB>0-4<TAB>This<TAB>...",
                repr(short(line)),
                "export it again from the tool",
            )
            continue
        start, end = int(found[4]), int(found[5])
        if sentence:
            document.sentence("\n".join(sentence), start, _unescaped(found[6]))
            sentence = []
        _token(found[7].split("\t"), layers, start, end, number, units)
    whole = document.joined()
    _add(builder, layers, units, whole, file)
    return builder.record()


def _header(lines: Sequence[str]) -> list[_Layer]:
    """The layers and their columns."""
    layers: list[_Layer] = []
    column = 0
    for line in lines:
        if not line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
            if line and not line.startswith("#FORMAT="):
                break
            continue
        name, *features = line[len("#T_SP=") :].split("|")
        features = features or [""]
        layers.append(_Layer(name, tuple(features), column, line.startswith("#T_SP=")))
        column += len(features)
    return layers


def _token(
    cells: Sequence[str],
    layers: Sequence[_Layer],
    start: int,
    end: int,
    number: int,
    units: dict[tuple[int, ...], _Unit],
) -> None:
    """What the columns of a token, or of a part of one, say about units."""
    for index, layer in enumerate(layers):
        if not layer.is_span:
            continue
        for feature, cell in zip(layer.features, cells[layer.first :], strict=False):
            if cell in ("_", ""):
                continue
            for place, value in enumerate(_stacked(cell)):
                numbered = _NUMBERED.fullmatch(value)
                key = (index, int(numbered[2][:15]), -1) if numbered else (index, number, place)
                unit = units.get(key)
                if unit is None:
                    unit = units[key] = _Unit(index, start, end, number)
                unit.start, unit.end = min(unit.start, start), max(unit.end, end)
                plain = numbered[1] if numbered else value
                # Slots (ROLE_...) and their targets point to other units.
                if plain != "*" and feature and not feature.startswith("ROLE_") and not feature.count("."):
                    unit.features[feature] = _unescaped(plain)


def _stacked(cell: str) -> list[str]:
    """The values of stacked units: parted by bars that are not escaped."""
    return [cell] if "|" not in cell else _BARS.sub(r"\1" + "\0", cell).split("\0")


def _unescaped(value: str) -> str:
    return value if "\\" not in value else _ESCAPE.sub(lambda found: _CONTROL.get(found[1], found[1]), value)


class _Text:
    """The text of a document, from its sentences and where their first tokens stand, counted in UTF-16 units."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def sentence(self, text: str, start: int, token: str) -> None:
        """Add a sentence whose first token stands at `start`."""
        before = max(text.find(token), 0)
        begin = start - _utf16(text[:before])
        gap = begin - self._length
        # No document is mostly gaps: a position that far off is wrong, and is told as outside the text.
        if 0 < gap <= 100_000:
            self._parts.append("\n" * gap)
            self._length += gap
        self._parts.append(text)
        self._length += _utf16(text)

    def joined(self) -> str:
        return "".join(self._parts)


def _utf16(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _add(
    builder: RecordBuilder,
    layers: Sequence[_Layer],
    units: Mapping[tuple[int, ...], _Unit],
    text: str,
    file: File,
) -> None:
    last = [layer.type.rpartition(".")[2] for layer in layers]
    names = [name if last.count(name) == 1 else layer.type for name, layer in zip(last, layers, strict=True)]
    sheets: dict[int, int] = {}
    found = list(units.values())
    starts = code_points(text, [unit.start for unit in found]).tolist()
    ends = code_points(text, [unit.end for unit in found]).tolist()
    for index, layer in enumerate(layers):
        if layer.is_span:
            sheets[index] = builder.sheet(
                layer=names[index], text=text, category=category_of([name for name in layer.features if name])
            )
    for unit, start, end in zip(found, starts, ends, strict=True):
        builder.unit(sheets[unit.layer], start, end, unit.features, f"{file.where}:{unit.line}")
    builder.sheet(text=text)
