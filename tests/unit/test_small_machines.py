# Oracle: numpy and Python's own parser on this machine, whose addresses have 64 bits and whose stack is large.
"""What a 32-bit machine without threads needs (a browser), as far as this machine can show it."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from unisono import parallel
from unisono.arrays import repeat
from unisono.errors import FormatError
from unisono.io.files import jsontree

SOURCES = Path(unisono.__file__).parent


@given(st.lists(st.integers(0, 5), max_size=20), st.sampled_from([np.int32, np.int64, np.uint8]))
def test_repeat_is_that_of_numpy_for_any_type_of_counts(counts: list[int], kind: type) -> None:
    values = np.arange(len(counts))
    assert np.array_equal(repeat(values, np.array(counts, dtype=kind)), np.repeat(values, counts))


def test_repeat_gives_numpy_counts_of_the_size_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(np, "repeat", lambda values, counts: seen.append(counts.dtype))
    repeat([1, 2], np.array([1, 2], dtype=np.int64))
    repeat([1, 2], [1, 2])
    assert seen == [np.intp, np.intp]


def test_only_one_module_calls_the_repeat_of_numpy() -> None:
    """With 64-bit counts it is a TypeError where addresses have 32 bits: `unisono.arrays.repeat` is for them."""
    calls = re.compile(r"np\.repeat\((?!.*axis=)")
    found = [path.name for path in SOURCES.rglob("*.py") if calls.search(path.read_text(encoding="utf-8"))]
    assert found == ["arrays.py"]


JSON = st.recursive(
    st.none() | st.integers() | st.text(alphabet='[]{}"\\a\n', max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='[]{}"\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=20,
)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


@given(JSON, st.integers(0, 6), st.sampled_from([None, 1]))
def test_nesting_is_told_without_parsing(value: object, depth: int, indent: int | None) -> None:
    assert jsontree.is_nested_deeper(json.dumps(value, indent=indent), depth) == (_depth(value) > depth)


@pytest.mark.parametrize("text", ["[" * 10**6, '{"a":' * 10**6, "[" * 300 + "]" * 300, '["' + "[" * 10**6])
def test_deep_nesting_is_refused_before_parsing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontree, "STACK_IS_SMALL", True)
    with pytest.raises(FormatError):
        jsontree.parse_json(text, "a.json", "a file")


def test_a_text_that_is_cut_off_is_not_called_nested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: the message where the stack is large."""
    messages = []
    for is_small in (False, True):
        monkeypatch.setattr(jsontree, "STACK_IS_SMALL", is_small)
        with pytest.raises(FormatError) as caught:
            jsontree.parse_json('[{"a": [1, 2', "a.json", "a file")
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "valid JSON" in messages[0]


def test_ordinary_nesting_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontree, "STACK_IS_SMALL", True)
    value = json.loads("[" * 100 + '"]]]"' + "]" * 100)
    assert jsontree.parse_json(json.dumps(value), "a.json", "a file") == value


def test_one_thread_where_there_can_be_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "HAS_THREADS", False)
    assert parallel.n_threads(None) == parallel.n_threads(8) == parallel.available_threads() == 1


def test_xml_without_lxml_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    file = tmp_path / "a.eaf"
    file.write_text('<?xml version="1.0"?><ANNOTATION_DOCUMENT/>')
    with pytest.raises(FormatError) as caught:
        unisono.read(file)
    (problem,) = [each for each in caught.value.problems if each.severity == "error"]
    assert (problem.code, "lxml" in problem.message, "unisono serve" in problem.remedy) == (
        "missing-dependency", True, True,
    )  # fmt: skip


_FEW_THREADS = """
import resource, sys, unisono
import numpy as np
from unisono._core import add_to_corpora

def random_corpora(threads):
    high, low = np.zeros(9_999), np.zeros(9_999)
    firsts, words = np.arange(0, 401, 2, dtype=np.int64), np.arange(400, dtype=np.uint64)
    add_to_corpora(high, low, np.arange(400) / 7, firsts, np.ones(200), words, threads)
    return (high + low).tolist()

corpus = unisono.read(sys.argv[1])
many = unisono.measure(corpus, seed=1, samples=30, threads=2).measures["gamma"].value
sums = random_corpora(2)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
if len(sys.argv) > 2:
    import os
    os.setuid(65534)  # the limit does not hold for root
none = unisono.measure(corpus, seed=1, samples=30, threads=8).measures["gamma"].value
assert many == none, (many, none)
assert sums == random_corpora(8)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_NPROC"), reason="the system cannot refuse threads")
def test_the_same_number_where_the_system_refuses_threads(tmp_path: Path) -> None:
    import os

    data = Path(__file__).parents[2] / "examples" / "entities.csv"
    copy = tmp_path / "entities.csv"
    copy.write_bytes(data.read_bytes())
    arguments = [sys.executable, "-c", _FEW_THREADS, str(copy), *(["as nobody"] if os.getuid() == 0 else [])]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
