# SPDX-License-Identifier: MIT
"""One best alignment in a process of its own, for its time and its peak memory; prints a JSON object.

    python bench/child.py '{"annotators": 3, "units": 8000, "gap": 1}'

Optional beside the fields of `Kind`: "number", which of its continua, and "repeat", how many calls to take the
median of. The memory is that of the first call, and the whole process's.
"""

from __future__ import annotations

import json
import sys
from functools import partial

import unisono
from kinds import Kind
from measuring import peak_mb, reset_peak, timed
from unisono.dissimilarity import CombinedDissimilarity


def main() -> None:
    request = json.loads(sys.argv[1])
    number, repeat = request.pop("number", 0), request.pop("repeat", 3)
    continuum = Kind(**request)[number]
    align = partial(unisono.best_alignment, continuum, CombinedDissimilarity(), time_limit=60)
    before = reset_peak()
    alignment = align()
    answer = {
        "units": continuum.n_units,
        "disorder": alignment.disorder,
        "gap": alignment.gap,
        "is_proven": alignment.is_proven,
        "before_mb": before,
        "peak_mb": peak_mb(),
        "ms": timed(align, at_least=repeat).ms,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
