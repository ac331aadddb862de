# SPDX-License-Identifier: MIT

import numpy as np
from numpy.typing import NDArray

_Doubles = NDArray[np.float64]
_Ints = NDArray[np.int32]

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

_Words = NDArray[np.uint64]

def align(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    seconds: float,
    bytes: int,
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
    seconds: float,
    bytes: int,
    /,
) -> tuple[_Ints, _Doubles, float, float, _Doubles, str]: ...
def philox(key: _Words, counter: _Words, count: int, /) -> _Words: ...
def shift_draw(
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    origin: float,
    length: float,
    integers: bool,
    distance: float,
    key: _Words,
    sample: int,
    /,
) -> tuple[_Doubles, _Doubles, _Ints, _Ints, int]: ...
def shift_disorders(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    origin: float,
    length: float,
    integers: bool,
    distance: float,
    key: _Words,
    first: int,
    count: int,
    threads: int,
    seconds: float,
    bytes: int,
    /,
) -> tuple[_Doubles, _Doubles, NDArray[np.int64]]: ...

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
    seconds: float,
    bytes: int,
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
    seconds: float,
    bytes: int,
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
    seconds: float,
    bytes: int,
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
    seconds: float,
    bytes: int,
    /,
) -> tuple[NDArray[np.int64], _Ints, _Doubles, float, float, _Doubles, str]: ...
def soft_disorders(
    kernel: Kernel,
    starts: _Doubles,
    ends: _Doubles,
    categories: _Ints,
    contents: _Ints,
    annotators: _Ints,
    n: int,
    origin: float,
    length: float,
    integers: bool,
    distance: float,
    key: _Words,
    first: int,
    count: int,
    threads: int,
    seconds: float,
    bytes: int,
    /,
) -> tuple[_Doubles, _Doubles, NDArray[np.int64]]: ...
