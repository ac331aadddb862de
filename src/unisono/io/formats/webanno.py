# SPDX-License-Identifier: MIT
"""WebAnno TSV 3.x, as WebAnno and INCEpTION write it: a line for each token, columns for the features of layers.

Span layers are read; relations and chains are left out. A layer is named by the last part of its type's name. Units of
several tokens have a number (`PER[3]`), also across sentences; stacked units are separated by bars; `*` is a unit
without a value. The text is put together from the `#Text=` lines, at the positions of the tokens; gaps between
sentences, whose text is not in the file, become line ends. Positions count UTF-16 units and are converted to
characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.offsets import code_points
from unisono.io.formats.token_text import MOST_FILLED
from unisono.io.formats.uima import category_of
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short
from unisono.nouns import quantity

_WHAT = "WebAnno TSV 3"
#: Most characters between two sentences that are filled with line ends.
_LONGEST_GAP = 100_000
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
    lines = split_lines(decode(file.data(), file.where, settings.encoding))
    if not lines[0].startswith("#FORMAT=WebAnno TSV 3"):
        is_old = lines[0].startswith(" # ")
        fault = "it is WebAnno TSV 1 or 2, which has no positions" if is_old else f"it begins with {short(lines[0])!r}"
        raise malformed(f"{file.where}:1", _WHAT, fault, "Export it as WebAnno TSV 3.")
    layers = _header(lines)
    n_columns = sum(len(layer.features) for layer in layers)
    builder = RecordBuilder(file, "WebAnno TSV")
    units: dict[tuple[int, ...], _Unit] = {}
    document = _Text()
    sentence: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#Text="):
            sentence.append(_unescape(line[len("#Text=") :]))
            continue
        if not line.strip() or line.startswith("#"):
            continue
        match = _TOKEN.fullmatch(line)
        if match is None:
            builder.fault(
                "malformed",
                f"{file.where}:{number}",
                f"the line {short(line)!r} is not a token of the form 1-1<TAB>0-4<TAB>This<TAB>...",
                "Export the file again from the tool.",
            )
            continue
        cells = match[7].split("\t")
        if len(cells) < n_columns:
            message = f"the token has {quantity(len(cells), 'column')} for layers instead of {n_columns}"
            builder.fault("malformed", f"{file.where}:{number}", message, "Export the file again from the tool.")
            continue
        start, end = int(match[4]), int(match[5])
        if sentence:
            document.add_sentence("\n".join(sentence), start, _unescape(match[6]))
            sentence = []
        _collect_units(cells, layers, start, end, number, units)
    _add_units(builder, layers, units, document.text(), file)
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


def _collect_units(
    cells: Sequence[str],
    layers: Sequence[_Layer],
    start: int,
    end: int,
    number: int,
    units: dict[tuple[int, ...], _Unit],
) -> None:
    """Begin or extend the units that the columns of a token, or of a part of one, belong to."""
    for index, layer in enumerate(layers):
        if not layer.is_span:
            continue
        for feature, cell in zip(layer.features, cells[layer.first :], strict=False):
            if cell in ("_", ""):
                continue
            for place, value in enumerate(_stacked_values(cell)):
                numbered = _NUMBERED.fullmatch(value)
                key = (index, int(numbered[2][:15]), -1) if numbered else (index, number, place)
                unit = units.get(key)
                if unit is None:
                    unit = units[key] = _Unit(index, start, end, number)
                unit.start, unit.end = min(unit.start, start), max(unit.end, end)
                plain = numbered[1] if numbered else value
                # Slots (ROLE_...) and their targets refer to other units and are not read.
                if plain != "*" and feature and not feature.startswith("ROLE_") and not feature.count("."):
                    unit.features[feature] = _unescape(plain)


def _stacked_values(cell: str) -> list[str]:
    """The values of stacked units, which are separated by bars that are not escaped."""
    return [cell] if "|" not in cell else _BARS.sub(r"\1" + "\0", cell).split("\0")


def _unescape(value: str) -> str:
    return value if "\\" not in value else _ESCAPE.sub(lambda match: _CONTROL.get(match[1], match[1]), value)


class _Text:
    """The text of a document, put together from its sentences and the positions (UTF-16) of their first tokens."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = self._n_filled = 0

    def add_sentence(self, text: str, start: int, token: str) -> None:
        """Add a sentence whose first token begins at `start`."""
        before = max(text.find(token), 0)
        begin = start - _utf16_length(text[:before])
        gap = begin - self._length
        # A longer gap is not filled: the position is wrong, and its unit is reported as outside the text.
        if 0 < gap <= _LONGEST_GAP and self._n_filled + gap <= MOST_FILLED:
            self._parts.append("\n" * gap)
            self._length += gap
            self._n_filled += gap
        self._parts.append(text)
        self._length += _utf16_length(text)

    def text(self) -> str:
        return "".join(self._parts)


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _add_units(
    builder: RecordBuilder,
    layers: Sequence[_Layer],
    units: Mapping[tuple[int, ...], _Unit],
    text: str,
    file: File,
) -> None:
    last = [layer.type.rpartition(".")[2] for layer in layers]
    n_alike = Counter(last)
    names = [name if n_alike[name] == 1 else layer.type for name, layer in zip(last, layers, strict=True)]
    sheets: dict[int, int] = {}
    starts = code_points(text, [unit.start for unit in units.values()]).tolist()
    ends = code_points(text, [unit.end for unit in units.values()]).tolist()
    for index, layer in enumerate(layers):
        if layer.is_span:
            sheets[index] = builder.sheet(
                layer=names[index], text=text, category=category_of([name for name in layer.features if name])
            )
    for unit, start, end in zip(units.values(), starts, ends, strict=True):
        builder.unit(sheets[unit.layer], start, end, unit.features, f"{file.where}:{unit.line}")
    builder.sheet(text=text)
