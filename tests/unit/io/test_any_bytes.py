# SPDX-License-Identifier: MIT
"""Nothing a file can hold brings the reader down. Oracle: property; it is read, or an error says why not."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from unisono.io import inspect

HEADER = b"annotator,start,end,category\n"

cells = st.sampled_from(
    ["ann", "start", "end", "annotator", "", " ", '"', '"a', "1", "2.5", "nan", "{}", "9" * 400, "\0"]
)
tables = st.lists(st.lists(cells, max_size=6).map(",".join), max_size=6).map("\n".join).map(str.encode)


@given(st.one_of(st.binary(max_size=80), tables, tables.map(lambda table: HEADER + table)), st.booleans())
def test_read_or_explained(content: bytes, skip_invalid: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.dat"
        path.write_bytes(content)
        inspection = inspect(path, skip_invalid=skip_invalid)
    assert (inspection.corpus is None) == any(problem.severity == "error" for problem in inspection.problems)
