# SPDX-License-Identifier: MIT

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_Doubles = NDArray[np.float64]
_Ints = NDArray[np.int32]
#: Elementary steps of each alignment, bytes per thread, seconds of the call, the relative gap that may be left open,
#: bytes per thread beyond which MemoryError is raised; 0 for no limit.
_Limits = tuple[int, int, float, float, int]
_Longs = NDArray[np.int64]
_Words = NDArray[np.uint64]

class Kernel:
    def __init__(
        self,
        *,
        positional: str,
        scale: float,
        categorial: str,
        table: _Doubles,
        steep: bool,
        alpha: float,
        beta: float,
        delta_empty: float,
    ) -> None: ...
    def between(self, starts: _Doubles, ends: _Doubles, categories: _Ints, u: _Ints, v: _Ints) -> _Doubles: ...

def align(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    limits: _Limits,
    /,
) -> tuple[_Ints, _Doubles, float, float, _Doubles, str]: ...
def align_pairs(
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    delta_empty: float,
    u: _Ints,
    v: _Ints,
    d: _Doubles,
    limits: _Limits,
    /,
) -> tuple[_Ints, _Doubles, float, float, _Doubles, str]: ...
def number_by_content(
    starts: _Doubles,
    ends: _Doubles,
    labels: _Ints,
    label_colours: _Ints,
    annotators: _Ints,
    annotator_colours: _Ints,
    firsts: _Longs,
    n_annotators: _Ints,
    lengths: _Doubles,
    together: bool,
) -> tuple[_Longs, _Longs, _Ints, _Ints, _Ints]: ...
def plane_points(q: int, /) -> _Longs: ...
def philox(key: _Words, counter: _Words, count: int, /) -> _Words: ...

class Documents:
    def __init__(
        self,
        starts: _Doubles,
        ends: _Doubles,
        categories: _Ints,
        contents: _Ints,
        labels: _Ints,
        annotators: _Ints,
        firsts: _Longs,
        n_annotators: _Ints,
        n_labels: _Ints,
    ) -> None: ...

def align_documents(
    kernel: Kernel,
    documents: Documents,
    categories: Kernel | None,
    pairs: str,
    ties_matter: bool,
    threads: int,
    limits: _Limits,
    start_groups: _Ints,
    start_duals: _Doubles,
) -> dict[str, NDArray[Any]]: ...
def category_disorder(
    real: _Ints, d_pos: _Doubles, d_cat: _Doubles, label_u: _Ints, label_v: _Ints, n_labels: int, pairs: str, /
) -> tuple[float, float, _Doubles, _Doubles]: ...
def resample_sums(table: _Doubles, width: int, picks: _Longs, drawn: int, /) -> _Doubles: ...

class ChanceModel:
    def draw(self, model_case: int, sample: int, /) -> tuple[_Doubles, _Doubles, _Ints, _Ints, _Longs, int]: ...
    def sample(
        self,
        kernel: Kernel,
        cases: _Longs,
        firsts: _Longs,
        counts: _Longs,
        categories: Kernel | None,
        pairs: str,
        threads: int,
        limits: _Limits,
    ) -> tuple[_Doubles, _Doubles, _Longs, _Doubles, _Doubles]: ...

class ShiftModel(ChanceModel):
    def __init__(
        self,
        documents: Documents,
        origins: _Doubles,
        lengths: _Doubles,
        integers: _Ints,
        distances: _Doubles,
        keys: _Words,
        rows: _Ints | None = None,
    ) -> None: ...
    def sources(self, model_case: int, first: int, count: int, /) -> _Ints: ...

class ControlVariates:
    @overload
    def __init__(self, model: ShiftModel, model_case: int, samples: int, first: int = 0) -> None: ...
    @overload
    def __init__(self, model: ShiftModel, model_case: int, sources: _Ints) -> None: ...
    @property
    def samples_for_steps(self) -> list[int]: ...
    def means(self, values: _Doubles) -> list[tuple[int, int, float, float]]: ...
    def weights(self, step: int) -> _Doubles: ...
    def counts(self) -> _Ints: ...
    def kinds(self) -> tuple[_Ints, _Doubles, _Doubles]: ...

class StatisticalModel(ChanceModel):
    def __init__(
        self, documents: Documents, counts: _Doubles, gaps: _Doubles, lengths: _Doubles, keys: _Words, /
    ) -> None: ...

class PositionsKeptModel(ChanceModel):
    def __init__(self, documents: Documents, keys: _Words, /) -> None: ...

class MosaicModel(ChanceModel):
    def __init__(
        self,
        documents: Documents,
        origins: _Doubles,
        lengths: _Doubles,
        labels: _Ints,
        cases: _Ints,
        keys: _Words,
        /,
    ) -> None: ...

class TiedGraph:
    @property
    def firsts(self) -> NDArray[np.int64]: ...
    @property
    def members(self) -> _Ints: ...
    @property
    def fixed(self) -> _Ints: ...
    def choices(self) -> list[tuple[int, _Ints, _Ints, _Ints]]: ...
    def ways(self) -> list[int]: ...
    def range(self, numerators: _Doubles, denominators: _Doubles, /) -> tuple[bool, bool, float, float]: ...

def ties(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    groups: _Ints,
    duals: _Doubles,
    most: int,
    limits: _Limits,
    /,
) -> tuple[TiedGraph, str]: ...
def ties_pairs(
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    delta_empty: float,
    u: _Ints,
    v: _Ints,
    d: _Doubles,
    groups: _Ints,
    duals: _Doubles,
    most: int,
    limits: _Limits,
    /,
) -> tuple[TiedGraph, str]: ...
def soft_align(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    limits: _Limits,
    /,
) -> tuple[NDArray[np.int64], _Ints, _Doubles, float, float, _Doubles, str]: ...
def soft_align_pairs(
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    delta_empty: float,
    u: _Ints,
    v: _Ints,
    d: _Doubles,
    limits: _Limits,
    /,
) -> tuple[NDArray[np.int64], _Ints, _Doubles, float, float, _Doubles, str]: ...
def soft_sample(
    model: ChanceModel,
    kernel: Kernel,
    cases: _Longs,
    firsts: _Longs,
    counts: _Longs,
    threads: int,
    limits: _Limits,
    /,
) -> tuple[_Doubles, _Doubles, _Longs]: ...

class TextVersion:
    def __init__(
        self, text: _Ints, starts: _Ints, ends: _Ints, types: _Ints, labels: _Ints, n_features: int, /
    ) -> None: ...
    def columns(self) -> tuple[_Ints, _Ints, _Ints, _Ints, _Ints]: ...
    def with_gaps(self, type: int, /) -> TextVersion: ...

class TextKernel:
    def __init__(
        self, is_levenshtein: bool, delta_empty: float, features: list[Kernel], weights: _Doubles, /
    ) -> None: ...
    def between(self, a: TextVersion, u: _Ints, b: TextVersion, v: _Ints, /) -> _Doubles: ...

class EditModel:
    def __init__(
        self,
        bases: list[TextVersion],
        n_types: int,
        has_gaps: bool,
        is_exact: bool,
        p_text: float,
        p_seg: float,
        p_further: float,
        p_label: _Doubles,
        characters: _Ints,
        until: _Words,
        labels: list[tuple[_Ints, _Words]],
        key: _Words,
        /,
    ) -> None: ...

def text_pair(
    a: TextVersion, b: TextVersion, kernel: TextKernel, gap_t: int, gap_b: int, limits: _Limits, /
) -> tuple[int, _Ints, _Ints, str]: ...
def text_align(
    versions: list[TextVersion], kernel: TextKernel, gap_t: int, gap_b: int, limits: _Limits, /
) -> tuple[bool, _Ints, _Doubles, float, float, str]: ...
def text_draw(model: EditModel, sample: int, annotator: int, /) -> TextVersion: ...
def text_disorders(
    model: EditModel,
    kernel: TextKernel,
    gap_t: int,
    gap_b: int,
    n: int,
    first: int,
    count: int,
    threads: int,
    limits: _Limits,
    /,
) -> tuple[_Doubles, _Doubles, bool]: ...
def add_to_corpora(
    high: _Doubles,
    low: _Doubles,
    samples: _Doubles,
    firsts: _Longs,
    weights: _Doubles,
    keys: _Words,
    threads: int,
    /,
) -> None: ...

class Delimited:
    def __init__(self, text: bytes, separator: str, has_quotes: bool, /) -> None: ...
    @property
    def fault(self) -> str: ...
    @property
    def fault_line(self) -> int: ...
    def lines(self) -> _Longs: ...
    def lengths(self) -> _Longs: ...
    def row(self, row: int, width: int, /) -> list[str]: ...
    def cell(self, row: int, column: int, /) -> str: ...
    def coded(self, column: int, rows: _Longs, /) -> tuple[_Ints, list[str]]: ...
    def numbers(
        self, column: int, rows: _Longs, decimal: str, /
    ) -> tuple[_Longs | _Doubles, NDArray[np.uint8]] | None: ...
    def blank(self, column: int, rows: _Longs, /) -> NDArray[np.uint8]: ...
