# SPDX-License-Identifier: MIT
"""Writers: a corpus in the format of a tool. Everything that a format cannot hold is reported."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from unisono.errors import FormatError, ParameterError, Problem
from unisono.io.wording import list_counts
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Position, PositionArray
from unisono.nouns import quantity
from unisono.whole_files import replacement


class Writer(Protocol):
    """The interface of a writer's module."""

    def write(self, corpus: Corpus, path: Path, losses: Losses, **options: bool) -> None:
        """Write the corpus to a file or, for formats of several files, into an empty folder."""


@dataclass(frozen=True, slots=True)
class Target:
    """A format that can be written."""

    name: str
    #: Endings of a path that select it; formats of several files have none and are selected by name.
    suffixes: tuple[str, ...]
    #: The module below `unisono.io.writers`.
    home: str
    is_folder: bool
    #: What the format keeps of a corpus, for the list of formats.
    holds: str
    keeps_texts: bool = True
    #: Whether it keeps the extents of documents without a text; with one, the text is the extent.
    keeps_extents: bool = True
    #: Whether it keeps the texts of annotators who changed the document's.
    keeps_own_texts: bool = False


#: Every target by name.
WRITERS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("csv", (".csv", ".csv.gz"), "tables", False, "all units and features, who saw what"),
        Target("tsv", (".tsv", ".tab", ".tsv.gz"), "tables", False, "all units and features, who saw what"),
        Target("jsonl", (".jsonl", ".ndjson", ".jsonl.gz"), "tables", False, "all units and features, who saw what"),
        Target("parquet", (".parquet", ".pq"), "tables", False, "all units and features, who saw what"),
        Target(
            "json", (".json",), "json", False, "everything: texts, extents, units, features, who saw what",
            keeps_own_texts=True,
        ),
        Target(
            "brat", (), "brat", True, "texts, units with a category, features as attributes; whole positions",
            keeps_extents=False,
        ),
        Target("webanno-tsv", (), "webanno", True, "texts, units on tokens or parts of them, features"),
        Target(
            "elan", (".eaf",), "elan", False, "units and features as tiers; one document; milliseconds",
            keeps_texts=False, keeps_extents=False,
        ),
        Target(
            "textgrid", (".textgrid",), "textgrid", False, "units with a category as tiers; one document",
            keeps_texts=False,
        ),
        Target(
            "rttm", (), "rttm", True, "units with a category; a folder for each annotator",
            keeps_texts=False, keeps_extents=False,
        ),
        Target("conll", (), "conll", True, "texts, units on whole tokens that do not overlap, their category"),
        Target(
            "glozz", (), "glozz", True, "texts, units, features; a folder for each annotator; whole positions",
            keeps_extents=False,
        ),
        Target("cora", (), "cora", True, "texts, units on words that do not overlap, features as tags"),
        Target(
            "pygamma", (), "pygamma", True, "units with a category; a file for each document",
            keeps_texts=False, keeps_extents=False,
        ),
    )
}  # fmt: skip


#: Units that formats whose categories are single words cannot hold.
NO_WORD = "unit(s) without a category, or with one that has blanks,"


@dataclass(slots=True)
class Losses:
    """What a format could not hold: numbers of things by name, in which `(s)` stands for the plural ending."""

    where: str
    name: str
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Problem] = field(default_factory=list)

    def add(self, what: str, n: int = 1) -> None:
        """Count `n` more of something that cannot be written."""
        if n:
            self.counts[what] += n

    def note(self, message: str, remedy: str = "") -> None:
        """Report something that was written in another way than the corpus has it."""
        self.notes.append(Problem("written-otherwise", "note", self.where, message, remedy))

    def warn(self, message: str, remedy: str) -> None:
        """Report something that could not be written."""
        self.notes.append(Problem("not-written", "warning", self.where, message, remedy))

    def add_features(self, corpus: Iterable[Continuum]) -> None:
        """Count the features, for a format that keeps only the category."""
        features = sorted({name for continuum in corpus for name in continuum.features} - {CATEGORY})
        self.add(f"feature(s) ({', '.join(features)})", len(features))

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*(self._loss(what, count) for what, count in self.counts.items()), *self.notes)

    def _loss(self, what: str, count: int) -> Problem:
        things = list_counts({what: count})
        verb, pronoun = ("was", "it") if count == 1 else ("were", "them")
        return Problem(
            "not-written",
            "warning",
            self.where,
            f"{things} {verb} left out: {self.name} cannot hold {pronoun}",
            "The formats json, csv, tsv, jsonl and parquet keep all units and features.",
            found=things,
        )


def write(
    corpus: Corpus,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    scale: float = 1,
    overwrite: bool = True,
    escape_formulas: bool = False,
) -> tuple[Problem, ...]:
    """Write a corpus in the given format, or in that of the path's ending; return what could not be kept.

    Formats of several files are written into a folder, which must be new or empty. `scale` multiplies every position:
    1000 makes milliseconds of seconds. overwrite: whether a file that exists is replaced. The file or folder is
    complete or not there: it is written elsewhere and then moved to its path. escape_formulas: whether cells of CSV
    and TSV that a spreadsheet would take for formulas get an apostrophe before them.
    """
    target = _target(path, format)
    if escape_formulas and target.name not in ("csv", "tsv"):
        raise ParameterError.of(
            f"{target.name} has no cells that a spreadsheet computes", "Leave out [[escape_formulas]].", code="formulas"
        )
    if any(not continuum.name for continuum in corpus):
        raise nameless_document()
    if not corpus.continua:
        raise ParameterError.of("the corpus has no documents", "Give a corpus with at least one document.")
    losses = Losses(str(path), target.name)
    if scale != 1:
        own = [continuum.own_texts.texts for continuum in corpus if continuum.own_texts is not None]
        if n_texts := sum(continuum.text is not None for continuum in corpus) + sum(map(len, own)):
            were = "was" if n_texts == 1 else "were"
            message = f"{quantity(n_texts, 'text')} {were} left out: scaled positions no longer count characters"
            losses.warn(message, "Leave out [[scale]] to keep the texts.")
        corpus = scale_corpus(corpus, scale)
    _count_lost_texts(corpus, target, losses)
    writer = cast("Writer", import_module(f"unisono.io.writers.{target.home}"))
    if target.is_folder and Path(path).is_dir() and any(Path(path).iterdir()):
        raise FormatError.of(
            "the folder is not empty", "Name a folder that is new or empty.", where=str(path), code="not-empty"
        )
    with replacement(path, folder=target.is_folder, replace=overwrite) as draft:
        writer.write(corpus, draft, losses, **({"escape_formulas": True} if escape_formulas else {}))
    return losses.problems


def _count_lost_texts(corpus: Corpus, target: Target, losses: Losses) -> None:
    """Count the texts and extents for which the format has no place."""
    if not target.keeps_texts:
        losses.add("text(s)", sum(continuum.text is not None for continuum in corpus))
    if not target.keeps_extents:
        bare = [continuum.extent for continuum in corpus if continuum.text is None]
        losses.add("extent(s)", sum(extent is not None and extent.source != "guessed" for extent in bare))
    if not target.keeps_own_texts:
        own = [(continuum.own_texts.texts, continuum.text) for continuum in corpus if continuum.own_texts is not None]
        losses.add("text(s) of single annotators", sum(text != shared for texts, shared in own for text in texts))


def _target(path: str | os.PathLike[str], format: str | None) -> Target:
    if format is not None:
        if format not in WRITERS:
            raise ParameterError.of(
                f"{format!r} is not a format that can be written",
                f"Choose one of {', '.join(WRITERS)}.",
                code="unknown-format",
            )
        return WRITERS[format]
    name = os.fspath(path).lower()
    for target in WRITERS.values():
        if name.endswith(target.suffixes or ("\0",)):
            return target
    endings = ", ".join(suffix for target in WRITERS.values() for suffix in target.suffixes)
    raise ParameterError.of(
        f"the ending of {os.fspath(path)} names no format that can be written",
        f"Use one of the endings {endings}, or name a format: {', '.join(WRITERS)}.",
        code="unknown-format",
    )


def nameless_document() -> ParameterError:
    """The refusal of a corpus whose documents do not all have names."""
    return ParameterError.of("a document has no name", "Give every continuum a name.")


def scale_corpus(corpus: Corpus, scale: float) -> Corpus:
    """The corpus with every position multiplied; positions become whole numbers if all products are (nearly) whole."""
    if not (np.isfinite(scale) and scale > 0):
        raise ParameterError.of(f"the scale ({scale}) is not a number above zero", "Give a positive [[scale]].")
    return replace(corpus, continua=tuple(_scale_continuum(continuum, scale) for continuum in corpus))


def _scale_continuum(continuum: Continuum, scale: float) -> Continuum:
    def times(values: PositionArray) -> PositionArray:
        product = values * scale
        # A product within 1e-9 of a whole number is that number: 0.1 * 1000 must be 100.
        whole = np.round(product)
        near = np.isclose(product, whole, rtol=1e-12, atol=1e-9)
        return whole.astype(np.int64) if near.all() else np.where(near, whole, product)

    starts, ends = times(continuum.starts), times(continuum.ends)
    if starts.dtype != ends.dtype:
        starts, ends = starts.astype(np.float64), ends.astype(np.float64)
    extent = continuum.extent
    if extent is not None:
        low, high = times(np.array([extent.start, extent.end])).tolist()
        extent = Extent(min([low, *starts.tolist()]), max([high, *ends.tolist()]), extent.source)
    # The positions no longer count characters.
    return continuum.replace(starts=starts, ends=ends, extent=extent, text=None, own_texts=None)


# -- what writers share ----------------------------------------------------------------------------------------------


def needs_whole_positions(corpus: Corpus, name: str, where: str, remedy: str = "") -> None:
    """Refuse decimal positions for a format that counts characters or milliseconds."""
    for continuum in corpus:
        if continuum.n_units and not continuum.has_integer_positions:
            whole = bool((continuum.starts == np.floor(continuum.starts)).all())
            whole &= bool((continuum.ends == np.floor(continuum.ends)).all())
            if not whole:
                raise FormatError.of(
                    f"{name} takes only whole positions, and {continuum.name} has decimal ones",
                    remedy or "Choose a format that takes decimals: csv, json, textgrid, rttm.",
                    where=where,
                    code="decimal-positions",
                )


def needs_one_document(corpus: Corpus, name: str, where: str) -> Continuum:
    """The only document of a corpus, for a format whose files hold one document."""
    if len(corpus) > 1:
        raise FormatError.of(
            f"a file of {name} holds one document, and the corpus has {len(corpus)}",
            "Write each document to a file of its own, or choose a format that holds several: csv, json.",
            where=where,
            code="several-documents",
        )
    return corpus[0]


#: Characters and names that some system does not allow for files.
_ODD = set('/\\:*?"<>|')
_RESERVED = {"CON", "NUL", "PRN", "AUX", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))}


def documents_with_text(corpus: Corpus, losses: Losses) -> list[Continuum]:
    """The documents that have a text, for formats that need one; refused if none has."""
    written = [continuum for continuum in corpus if continuum.text is not None]
    losses.add("document(s) without text", len(corpus) - len(written))
    if not written:
        raise FormatError.of(
            f"no document has a text, and {losses.name} needs one",
            "Give the texts with [[documents]].",
            where=losses.where,
            code="needs-text",
        )
    return written


def file_names(names: tuple[str, ...], losses: Losses) -> dict[str, str]:
    """Names of files for these names: characters that some system refuses are written as %2F and so on.

    No two of them differ only in case, which not every file system distinguishes.
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        safe = "".join(f"%{ord(c):02X}" if c in _ODD or ord(c) < 32 or c == "\x7f" else c for c in name)
        safe = safe.encode()[:200].decode(errors="ignore")
        if safe.startswith("."):
            safe = f"%{ord(safe[0]):02X}{safe[1:]}"
        if safe.endswith((".", " ")) or safe.partition(".")[0].upper() in _RESERVED:
            safe = f"{safe}%"
        why = f"{name!r} cannot be the name of a file"
        if _file_key(safe) in taken:
            why = f"some systems do not tell the name {name!r} from another one"
        while _file_key(safe) in taken:
            safe += "_"
        taken.add(_file_key(safe))
        files[name] = safe
        if safe != name:
            losses.note(f"{why}; it is written as {safe}")
    return files


def _file_key(name: str) -> str:
    """A key that is equal for names of the same file on systems that ignore case or the form of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def lanes(starts: PositionArray, ends: PositionArray) -> list[int]:
    """For units sorted by start, the first lane for each in which it overlaps no earlier unit."""
    busy: list[tuple[Position, int]] = []  # heaps: end and lane of the last units, and the lanes that are free again
    free: list[int] = []
    n_lanes = 0
    lane_of = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        while busy and busy[0][0] <= start:
            heappush(free, heappop(busy)[1])
        lane = heappop(free) if free else n_lanes
        n_lanes = max(n_lanes, lane + 1)
        heappush(busy, (end, lane))
        lane_of.append(lane)
    return lane_of
