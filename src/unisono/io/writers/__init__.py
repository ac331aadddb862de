# SPDX-License-Identifier: MIT
"""Writers: a corpus in the format of a tool. What a format cannot hold is said, never passed over."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np

from unisono.errors import FormatError, ParameterError, Problem
from unisono.model import Continuum, Corpus, Extent, Position, PositionArray


class Writer(Protocol):
    """What the module of a writer has to offer."""

    def write(self, corpus: Corpus, path: Path, losses: Losses) -> None:
        """Write the corpus to a file or, for formats of several files, into an empty folder."""


@dataclass(frozen=True, slots=True)
class Target:
    """A format that can be written."""

    name: str
    #: Endings of a path that ask for it; formats of several files have none and go by name.
    suffixes: tuple[str, ...]
    #: The module below `unisono.io.writers`.
    home: str
    is_folder: bool
    #: What is needed, what is kept and what is not.
    holds: str


#: Every target by name.
WRITERS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("csv", (".csv", ".csv.gz"), "table", False, "all units and features, who saw what"),
        Target("tsv", (".tsv", ".tab", ".tsv.gz"), "table", False, "all units and features, who saw what"),
        Target("jsonl", (".jsonl", ".ndjson", ".jsonl.gz"), "table", False, "all units and features, who saw what"),
        Target("parquet", (".parquet", ".pq"), "table", False, "all units and features, who saw what"),
        Target("json", (".json",), "json", False, "everything: texts, extents, units, features, who saw what"),
        Target("brat", (), "brat", True, "texts, units with a category, features as attributes; whole positions"),
        Target("webanno-tsv", (), "webanno", True, "texts, units on tokens or parts of them, features"),
        Target("elan", (".eaf",), "elan", False, "units and features as tiers; one document; milliseconds"),
        Target("textgrid", (".textgrid",), "textgrid", False, "units with a category as tiers; one document"),
        Target("rttm", (), "rttm", True, "units with a category; a folder for each annotator"),
        Target("conll", (), "conll", True, "texts, units on whole tokens that do not overlap, their category"),
        Target("pygamma", (), "pygamma", True, "units with a category; a file for each document"),
    )
}


@dataclass(slots=True)
class Losses:
    """What a format could not hold, counted by what it is."""

    where: str
    name: str
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Problem] = field(default_factory=list)

    def add(self, what: str, n: int = 1) -> None:
        """`what` could not be kept, so many times."""
        if n:
            self.counts[what] += n

    def note(self, expected: str, found: str, remedy: str) -> None:
        """Something to know about what was written."""
        self.notes.append(Problem("written-otherwise", "note", self.where, expected, found, remedy))

    @property
    def problems(self) -> tuple[Problem, ...]:
        lost = [
            Problem("not-written", "warning", self.where, f"what {self.name} can hold", f"{count:,} {what}", "left out")
            for what, count in self.counts.items()
        ]
        return (*lost, *self.notes)


def write(
    corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None, scale: float = 1
) -> tuple[Problem, ...]:
    """Write a corpus in the format asked for, or by the path's ending; what could not be kept comes back.

    Formats of several files are written into a folder, which must be new or empty. `scale` multiplies every position:
    1000 makes milliseconds of seconds.
    """
    target = _target(path, format)
    file = Path(path)
    if any(not continuum.name for continuum in corpus):
        raise ParameterError.of("documents with names", "one without", "give the continuum a name")
    if not corpus.continua:
        raise ParameterError.of("a corpus with documents", "none")
    if scale != 1:
        corpus = scaled(corpus, scale)
    losses = Losses(str(path), target.name)
    writer = cast("Writer", import_module(f"unisono.io.writers.{target.home}"))
    with refusals(file):
        if target.is_folder:
            file.mkdir(parents=True, exist_ok=True)
            if any(file.iterdir()):
                raise FormatError.of(
                    "a folder that is new or empty", "files in it", "name another", where=str(path), code="not-empty"
                )
        writer.write(corpus, file, losses)
    return losses.problems


@contextmanager
def refusals(file: str | os.PathLike[str]) -> Iterator[None]:
    """What the system refuses, in words."""
    try:
        yield
    except OSError as error:
        raise FormatError.of(
            "a path that can be written",
            f"an error: {error.strerror or error}",
            "check the path and its permissions",
            where=str(error.filename or os.fspath(file)),
            code="unwritable",
        ) from None


def _target(path: str | os.PathLike[str], format: str | None) -> Target:
    if format is not None:
        if format not in WRITERS:
            raise ParameterError.of(
                f"one of {', '.join(WRITERS)}", repr(format), "choose one of these", code="unknown-format"
            )
        return WRITERS[format]
    name = os.fspath(path).lower()
    for target in WRITERS.values():
        if name.endswith(target.suffixes or ("\0",)):
            return target
    endings = ", ".join(suffix for target in WRITERS.values() for suffix in target.suffixes)
    raise ParameterError.of(
        f"a path that ends in {endings}, or a format", str(path), "name one with --to", code="unknown-format"
    )


def scaled(corpus: Corpus, scale: float) -> Corpus:
    """The corpus with every position multiplied; whole positions stay whole where the factor is and they can."""
    if not (np.isfinite(scale) and scale > 0):
        raise ParameterError.of("a scale above zero", str(scale))
    return Corpus(tuple(_scaled(continuum, scale) for continuum in corpus), corpus.problems)


def _scaled(continuum: Continuum, scale: float) -> Continuum:
    def times(values: PositionArray) -> PositionArray:
        product = values * scale
        # 0.1 * 1000 is 100, whatever the floating-point numbers say: beyond nine digits there is only noise.
        whole = np.round(product)
        near = np.isclose(product, whole, rtol=1e-12, atol=1e-9)
        return whole.astype(np.int64) if near.all() else np.where(near, whole, product)

    starts, ends = times(continuum.starts), times(continuum.ends)
    if starts.dtype != ends.dtype:
        starts, ends = starts.astype(np.float64), ends.astype(np.float64)
    extent = continuum.extent
    if extent is not None:
        low, high = times(np.array([extent.start, extent.end])).tolist()
        extent = Extent(min(low, *starts.tolist(), low), max(high, *ends.tolist(), high), extent.source)
    return Continuum(
        starts=starts,
        ends=ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features=continuum.features,
        extent=extent,
        name=continuum.name,
        text=None,  # positions no longer count its characters
    )


# -- what writers share ----------------------------------------------------------------------------------------------


def needs_whole_positions(corpus: Corpus, name: str, where: str, remedy: str = "") -> None:
    """Refuse decimal positions for a format that counts characters or milliseconds."""
    for continuum in corpus:
        if continuum.n_units and not continuum.has_integer_positions:
            whole = bool((continuum.starts == np.floor(continuum.starts)).all())
            whole &= bool((continuum.ends == np.floor(continuum.ends)).all())
            if not whole:
                raise FormatError.of(
                    f"whole positions for {name}",
                    f"decimal ones in {continuum.name}",
                    remedy or "choose a format that takes decimals: csv, json, textgrid, rttm",
                    where=where,
                    code="decimal-positions",
                )


def needs_one_document(corpus: Corpus, name: str, where: str) -> Continuum:
    """The document, for a format of one file for each."""
    if len(corpus) > 1:
        raise FormatError.of(
            f"one document for a file of {name}",
            f"{len(corpus)}",
            "give a folder with --to: then each document becomes a file",
            where=where,
            code="several-documents",
        )
    return corpus[0]


_ODD = set('/\\:*?"<>|')


def file_names(names: tuple[str, ...], losses: Losses) -> dict[str, str]:
    """Names as names of files: what no system takes is written as %2F and the like."""
    found: dict[str, str] = {}
    for name in names:
        safe = "".join(f"%{ord(c):02X}" if c in _ODD or ord(c) < 32 or c == "\x7f" else c for c in name)
        if safe.startswith(".") or safe.endswith((".", " ")) or safe in ("CON", "NUL", "PRN", "AUX"):
            safe = f"%{ord(safe[0]):02X}{safe[1:]}" if safe.startswith(".") else f"{safe}%"
        safe = safe.encode()[:200].decode(errors="ignore")
        while safe in found.values():
            safe += "_"
        found[name] = safe
        if safe != name:
            losses.note("names that can be names of files", repr(name), f"written as {safe}")
    return found


def lanes(starts: PositionArray, ends: PositionArray) -> list[int]:
    """For units sorted by start the first lane in which each overlaps nothing before it."""
    free: list[Position] = []
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        lane = next((i for i, until in enumerate(free) if until <= start), len(free))
        if lane == len(free):
            free.append(end)
        free[lane] = end
        found.append(lane)
    return found
