# SPDX-License-Identifier: MIT
from typing import Any

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
