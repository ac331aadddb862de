# SPDX-License-Identifier: MIT
"""A saved result, and back. Oracle: the result itself, bit for bit; for hostile files, a FormatError and no more."""

from __future__ import annotations

import contextlib
import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html

import unisono
from unisono.model import Alignment
from unisono.report.save import VERSION, digest
from unisono.report.saved_tables import check_values
from unisono.results import MeasureValue, Result
from unisono.text import Version

FAMILY = ["gamma", "gamma-cat", "gamma-k"]


def a_corpus() -> unisono.Corpus:
    """Everything a corpus can hold: a text, decimals, features, an empty hand, a document nobody can measure."""
    text = "Ann met Bob in Caen \N{GRINNING FACE}."
    letter = unisono.continuum(
        {"ann": [(0, 3, "PER"), (8, 11, "PER"), (15, 19, "LOC")], "bob": [(0, 3, "PER"), (8, 19)], "cem": []},
        name="letter",
        text=text,
    )
    talk = unisono.Continuum.of(
        {
            "ann": [unisono.Unit(0.25, 1.5, "A", features={"hand": "left"}), unisono.Unit(2.0, 3.0, "B")],
            "cem": [unisono.Unit(0.3, 1.4, "A", features={"hand": "right"})],
        },
        extent=(0, 4.5),
        name="talk",
    )
    alone = unisono.continuum({"ann": [(0, 3, "PER")]}, name="alone")
    problems = (unisono.Problem("skipped-rows", "warning", "a.csv", "2 rows were skipped", "Look at them."),)
    return unisono.Corpus((letter, talk, alone), problems)


@pytest.fixture(scope="module")
def result() -> Result:
    return unisono.measure(a_corpus(), [*FAMILY, "soft-gamma", "f1-exact"], seed=7, samples=30)


@pytest.fixture
def saved(result: Result, tmp_path: Path) -> Path:
    path = tmp_path / "result.unisono"
    unisono.save(result, path)
    return path


def assert_same_value(one: MeasureValue, other: MeasureValue) -> None:
    assert one == other
    assert (one.chance_sd, one.chance_case) == (other.chance_sd, other.chance_case)
    assert (one.chance_disorders is None) == (other.chance_disorders is None)
    if one.chance_disorders is not None:
        assert other.chance_disorders is not None
        assert one.chance_disorders.tobytes() == other.chance_disorders.tobytes()
    if isinstance(one.alignment, Alignment):
        assert isinstance(other.alignment, Alignment)
        assert one.alignment.group.tobytes() == other.alignment.group.tobytes()
        assert one.alignment.disorders.tobytes() == other.alignment.disorders.tobytes()
        for key in ("disorder", "lower_bound", "limit", "gap"):
            assert getattr(one.alignment, key) == getattr(other.alignment, key)
        assert one.alignment.unitary_alignments == other.alignment.unitary_alignments
    else:
        assert other.alignment is None
    for category, value in (one.per_category or {}).items():
        assert other.per_category is not None
        assert_same_value(value, other.per_category[category])


def assert_same(one: Result, other: Result) -> None:
    assert one == other
    assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())
    assert one.corpus is not None
    assert other.corpus is not None
    for mine, theirs in zip(one.corpus, other.corpus, strict=True):
        assert list(mine) == list(theirs)
        assert (mine.name, mine.annotators, mine.extent, mine.text) == (
            theirs.name, theirs.annotators, theirs.extent, theirs.text,
        )  # fmt: skip
        assert mine.starts.dtype == theirs.starts.dtype
    for name in one.measures:
        assert_same_value(one[name], other[name])
    for document, found in zip(one.documents, other.documents, strict=True):
        for name in document.measures:
            assert_same_value(document[name], found[name])


def test_round_trip(result: Result, saved: Path) -> None:
    assert_same(result, unisono.load_result(saved))


def test_a_file_of_the_version_before_reason_codes(tmp_path: Path) -> None:
    """Saved before values had codes. Oracle: what that version printed when it saved the file."""
    loaded = unisono.load_result(Path(__file__).parent / "saved-before-reason-codes.unisono")
    assert [loaded[name].value for name in ("gamma", "gamma-cat", "gamma-k", "alpha")] == [
        0.6803025584521167, 0.9076472946207573, None, None,
    ]  # fmt: skip
    assert loaded["alpha"].reason_code == "unspecified"
    assert (loaded["alpha"].reason or "").startswith("needs predefined units")
    assert loaded["gamma"].reason_code is None
    assert isinstance(loaded.documents[0]["gamma"].alignment, Alignment)
    assert loaded.details.annotators is not None
    unisono.write_report(loaded, tmp_path / "page.html")
    unisono.save(loaded, tmp_path / "again.unisono")
    assert_same(loaded, unisono.load_result(tmp_path / "again.unisono"))


def test_saved_again_the_same_bytes(saved: Path, tmp_path: Path) -> None:
    unisono.save(unisono.load_result(saved), tmp_path / "again.unisono")
    assert (tmp_path / "again.unisono").read_bytes() == saved.read_bytes()


def test_shared_random_continua_are_kept_once(tmp_path: Path) -> None:
    corpus = unisono.corpus(
        {f"d{i}": {"ann": [(0, 5, "A"), (8, 12, "B")], "bob": [(0, 5 + i, "A"), (9, 12, "A")]} for i in range(5)}
    )
    result = unisono.measure(corpus, FAMILY, chance="corpus", seed=1, samples=40)
    unisono.save(result, tmp_path / "r.unisono")
    loaded = unisono.load_result(tmp_path / "r.unisono")
    assert_same(result, loaded)
    assert len({id(d["gamma"].chance_disorders) for d in loaded.documents}) == 1


def test_one_document_shares_its_alignment_with_the_whole(tmp_path: Path) -> None:
    result = unisono.measure(unisono.corpus({"d": {"a": [(0, 5, "X")], "b": [(0, 4, "Y")]}}), seed=1, samples=10)
    unisono.save(result, tmp_path / "r.unisono")
    loaded = unisono.load_result(tmp_path / "r.unisono")
    assert loaded["gamma"].alignment is loaded.documents[0]["gamma"].alignment is not None


def test_without_text(result: Result, tmp_path: Path) -> None:
    path = tmp_path / "r.unisono"
    unisono.save(result, path, text=False)
    with zipfile.ZipFile(path) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert b"Ann met Bob" not in everything
    loaded = unisono.load_result(path)
    assert loaded.corpus is not None
    assert loaded.corpus["letter"].text is None
    assert loaded.corpus["letter"].extent == a_corpus()["letter"].extent
    assert set(loaded.corpus["talk"].features) == {"category"}
    assert loaded == result


def test_without_text_nothing_is_quoted(tmp_path: Path) -> None:
    problem = unisono.Problem(
        "text-mismatch", "warning", "a.ann:1", "the unit covers 'secret', and the file says 'x'", found="'secret'"
    )
    corpus = unisono.corpus({"d": {"a": [(0, 5, "X")], "b": [(0, 4, "X")]}})
    result = unisono.measure(unisono.Corpus(corpus.continua, (problem,)), seed=1, samples=3)
    unisono.save(result, tmp_path / "r.unisono", text=False)
    unisono.write_report(result, tmp_path / "p.html", text=False)
    assert unisono.load_result(tmp_path / "r.unisono").problems[0].found == "(left out with the texts)"
    assert "secret" not in (tmp_path / "p.html").read_text(encoding="utf-8")
    unisono.write_report(result, tmp_path / "p.html")
    assert "secret" in (tmp_path / "p.html").read_text(encoding="utf-8")


def test_a_users_own_dissimilarity(tmp_path: Path) -> None:
    """It cannot be saved; what it gave can."""
    own = unisono.dissimilarity.FunctionDissimilarity(
        lambda u, v: float(abs(u.start - v.start)), delta_empty=1.0, name="starts"
    )
    result = unisono.measure(
        unisono.corpus({"d": {"a": [(0, 5)], "b": [(1, 5)]}}), dissimilarity=own, seed=1, samples=5
    )
    unisono.save(result, tmp_path / "r.unisono")
    loaded = unisono.load_result(tmp_path / "r.unisono")
    assert_same(result, loaded)
    assert loaded.details.parts[0].positional is None
    assert loaded.details.parts[0].empty.tolist() == [0.0]


def test_names_of_any_kind(tmp_path: Path) -> None:
    names = ["", "\N{GRINNING FACE}", "\x00", "a/../../b", "</script>", "שלום", "x" * 10_000]
    corpus = unisono.corpus({name: {"ann": [(0, 5, name)], "bob\n": [(0, 4, "B")]} for name in names})
    result = unisono.measure(corpus, FAMILY, seed=1, samples=5)
    unisono.save(result, tmp_path / "r.unisono")
    assert_same(result, unisono.load_result(tmp_path / "r.unisono"))


def test_a_light_result_says_how_to_get_a_whole_one(result: Result, tmp_path: Path) -> None:
    light = Result.from_dict(result.to_dict())
    with pytest.raises(
        unisono.ParameterError, match=r"its values only, as JSON keeps them, .* Measure again"
    ) as caught:
        unisono.save(light, tmp_path / "r.unisono")
    assert caught.value.problems[0].code == "light-result"
    path = tmp_path / "result.json"
    path.write_text(json.dumps(result.to_dict(), indent=2), encoding="utf-8")
    with pytest.raises(
        unisono.FormatError, match="has values but no units, texts, alignments or random disorders"
    ) as found:
        unisono.load_result(path)
    assert found.value.problems[0].code == "light-result"
    assert "--save result.unisono" in found.value.problems[0].remedy


def test_text_gamma_keeps_its_versions(tmp_path: Path) -> None:
    """The corpus with texts and base, and the table of what differs, come back; without texts neither does."""
    versions = {name: Version.of_tokens([word, "so"]) for name, word in (("ann", "Caen"), ("bob", "Caan"))}
    base = Version.of_tokens(["Caen", "so"])
    result = unisono.measure_text(unisono.text.TextVersions.of(versions, base=base, name="d"), seed=1, samples=5)
    assert result.alignment is not None
    path = tmp_path / "r.unisono"
    unisono.save(result, path)
    loaded = unisono.load_result(path)
    assert loaded.to_dict() == result.to_dict()
    assert loaded.corpus == result.corpus
    assert loaded.corpus is not None
    assert loaded.corpus[0].versions is not None
    assert loaded.corpus[0].versions.base == base
    assert loaded["text-gamma"].text_alignment == result.alignment.to_dict()
    for kept, name in ((result, "a.html"), (loaded, "b.html")):
        unisono.write_report(kept, tmp_path / name)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "b.html").read_text(encoding="utf-8")
    (table,) = json.loads(html.fromstring(page).xpath("//script[@id='overview-data']/text()")[0])["versions"]
    assert table["annotators"] == ["ann", "bob"]
    assert [row[2:] for row in table["rows"]] == [["Caen", "Caan", "text"]]
    unisono.save(result, path, text=False)
    with zipfile.ZipFile(path) as archive:
        assert not any(b"Caan" in archive.read(name) for name in archive.namelist())


# --- hostile files -----------------------------------------------------------------------------------------------


def rewritten(path: Path, change: dict[str, Any], *, sealed: bool = True) -> Path:
    """The archive with some entries replaced: bytes as they are, None removes, a function is given the JSON.

    sealed: with a digest made anew, as somebody who wants to deceive would.
    """
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for name, new in change.items():
        if new is None:
            del entries[name]
        elif callable(new):
            data = json.loads(entries[name])
            entries[name] = json.dumps(new(data) or data).encode()
        else:
            entries[name] = new
    if sealed and "manifest.json" not in change:
        manifest = json.loads(entries.pop("manifest.json"))
        manifest["digest"] = digest(entries)
        entries["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def npy(array: Any, shape: str | None = None) -> bytes:
    data = io.BytesIO()
    np.lib.format.write_array(data, array)
    found = data.getvalue()
    if shape is None:
        return found
    header = f"{{'descr': '{array.dtype.str}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.tobytes()


def _set(*path: Any, to: Any) -> Any:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


HOSTILE: dict[str, dict[str, Any]] = {
    "no entry": {"corpus.json": None},
    "no column": {"starts.npy": None},
    "not JSON": {"result.json": b"{"},
    "nested": {"result.json": b"[" * 100_000},
    "not UTF-8": {"result.json": b"\xff\xfe"},
    "a list": {"result.json": b"[]"},
    "NaN": {"result.json": b'{"schema": NaN}'},
    "another manifest": {"manifest.json": b'{"format": "something"}'},
    "manifest of a kind": {"manifest.json": b"3"},
    "value is a text": {"result.json": _set("measures", "gamma", "value", to="<script>")},
    "samples are a text": {"result.json": _set("measures", "gamma", "n_samples", to="many")},
    "notes are numbers": {"result.json": _set("documents", 0, "measures", "gamma", "notes", to=[3])},
    "seed below 0": {"result.json": _set("seed", to=-1)},
    "other document": {"corpus.json": _set("documents", 0, "name", to="other")},
    "other units": {"corpus.json": _set("documents", 0, "units", to=1)},
    "units below 0": {"corpus.json": _set("documents", 0, "units", to=-1)},
    "units without end": {"corpus.json": _set("documents", 0, "units", to=10**18)},
    "unknown table": {"corpus.json": _set("documents", 0, "tables", 0, to=999)},
    "table below 0": {"corpus.json": _set("documents", 0, "tables", 0, to=-1)},
    "label is a number": {"corpus.json": _set("tables", 0, 0, to=5)},
    "extent of words": {"corpus.json": _set("documents", 0, "extent", to=["a", "b", "given"])},
    "extent backwards": {"corpus.json": _set("documents", 1, "extent", to=[9, 1, "given"])},
    "text is a number": {"corpus.json": _set("documents", 0, "text", to=7)},
    "unknown alignment": {"hidden.json": _set("documents", 0, "gamma", "alignment", to=99)},
    "alignment below 0": {"hidden.json": _set("documents", 0, "gamma", "alignment", to=-1)},
    "alignment too small": {"hidden.json": _set("alignments", 0, "size", to=1)},
    "alignment of nobody": {"hidden.json": _set("alignments", 0, "name", to="nobody")},
    "disorder is infinite": {"hidden.json": b'{"alignments": [{"disorder": Infinity}]}'},
    "chance below 0": {"hidden.json": _set("chance", 0, to=-5)},
    "chance too large": {"hidden.json": _set("chance", 0, to=10**9)},
    "parts too few": {"hidden.json": _set("parts", 0, "empty", to=1)},
    "annotators are numbers": {"hidden.json": _set("annotators", "annotators", to=[1, 2])},
    "feature is a list": {"hidden.json": _set("feature", to=[])},
    "codes out of range": {"annotators.npy": npy(np.full(9, 7, np.int32))},
    "labels out of range": {"feature-0.npy": npy(np.full(9, 99, np.int32))},
    "groups out of range": {"groups.npy": npy(np.full(8, 99, np.int32))},
    "groups below 0": {"groups.npy": npy(np.full(8, -1, np.int32))},
    "one group for all": {"groups.npy": npy(np.zeros(8, np.int32))},
    "positions not finite": {"starts.npy": npy(np.full(9, np.nan))},
    "positions in disorder": {"starts.npy": npy(np.arange(9.0)[::-1].copy())},
    "another kind of number": {"starts.npy": npy(np.zeros(9, np.int64))},
    "two dimensions": {"starts.npy": npy(np.zeros((3, 3)))},
    "objects": {"starts.npy": npy(np.zeros(1), "(1,)").replace(b"'<f8'", b"'|O' ")},
    "a header that lies": {"starts.npy": npy(np.zeros(9), "(1000000000000,)")},
    "a header below 0": {"starts.npy": npy(np.zeros(9), "(-1,)")},
    "a header that runs": {"starts.npy": npy(np.zeros(9), "(__import__('os').getpid(),)")},
    "no header": {"starts.npy": b"x" * 100},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_words(saved: Path, name: str) -> None:
    with pytest.raises(unisono.InputError) as caught:
        unisono.load_result(rewritten(saved, HOSTILE[name]))
    assert caught.value.problems[0].where.startswith(str(saved))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("measures", "gamma", "value", to="<script>"), "measures.gamma.value is '<script>' instead of a number"),
        (_set("documents", 1, "units", to=-1), r"documents\[1\].units is -1 instead of a whole number"),
        (_set("measures", "gamma-k", "per_category", 0, "category", to=3), r"per_category\[0\].category is 3 instead"),
        (_set("problems", 0, "severity", to="fatal"), r"problems\[0\].severity is 'fatal' instead of 'error' or"),
        (_set("signature", to=None), "signature is null instead of a text"),
    ],
)
def test_the_message_leads_to_the_wrong_value(saved: Path, change: Any, message: str) -> None:
    with pytest.raises(unisono.FormatError, match=message):
        unisono.load_result(rewritten(saved, {"result.json": change}))


@pytest.mark.parametrize(
    "change",
    [
        {"result.json": _set("measures", "gamma", "value", to=0.99)},
        {"result.json": _set("seed", to=8)},
        {"corpus.json": _set("documents", 0, "text", to="Ann left Bob in Caen")},
        {"chance.npy": npy(np.zeros(3))},
        {"starts.npy": None},
        {"more.json": b"{}"},
    ],
)
def test_a_changed_file_is_noticed(saved: Path, change: dict[str, Any]) -> None:
    with pytest.raises(unisono.FormatError, match="its content is not what was saved: the digest differs"):
        unisono.load_result(rewritten(saved, change, sealed=False))


@pytest.mark.parametrize("place", [("measures",), ("documents", 0, "measures"), ("documents", 1, "measures")])
@pytest.mark.parametrize("name", ["gamma", "gamma-cat", "soft-gamma"])
def test_a_value_must_be_that_of_its_disorders(saved: Path, place: tuple[Any, ...], name: str) -> None:
    """Even with a digest of its own: γ edited to 0.99, or by a millionth."""
    before = json.loads(zipfile.ZipFile(saved).read("result.json"))
    for key in (*place, name):
        before = before[key]
    for value in (0.99, before["value"] + 1e-6):
        path = rewritten(saved, {"result.json": _set(*place, name, "value", to=value)})
        with pytest.raises(unisono.FormatError, match=f"{name}.* is .*, but its disorders give "):
            unisono.load_result(path)


def test_values_are_those_of_their_disorders_for_every_measure() -> None:
    """What the check above relies on: on units that every measure can take."""
    rows = {"a": [(0, 5, "X"), (5, 9, "Y"), (9, 20, "X")], "b": [(0, 5, "X"), (5, 9, "X"), (9, 20, "Y")]}
    corpus = unisono.corpus({"d": rows, "e": {"a": rows["b"], "b": rows["b"]}, "f": {"a": rows["a"], "b": rows["a"]}})
    for preset in ("paper", "pygamma"):
        measured = unisono.measure(corpus, "all", preset=preset, samples=20, seed=1)
        check_values(measured)
        values = [value for value in measured.measures.values() if value.observed is not None and value.expected]
        assert len(values) > 10


def test_a_file_without_a_digest_has_a_note(saved: Path) -> None:
    path = rewritten(saved, {"manifest.json": lambda manifest: manifest.pop("digest") and None})
    assert [problem.code for problem in unisono.load_result(path).problems][-1] == "no-digest"


def test_a_newer_version(saved: Path) -> None:
    path = rewritten(saved, {"manifest.json": _set("version", to=VERSION + 1)})
    with pytest.raises(
        unisono.FormatError, match=f"version {VERSION + 1}, and this program reads {VERSION}. Update unisono"
    ):
        unisono.load_result(path)


def test_unknown_entries_and_keys_are_left_alone(result: Result, saved: Path) -> None:
    path = rewritten(saved, {"../../evil.txt": b"evil", "result.json": _set("later", to=1)})
    assert_same(result, unisono.load_result(path))
    assert not (saved.parent.parent.parent / "evil.txt").exists()


def test_a_bomb_is_not_unpacked(saved: Path) -> None:
    path = rewritten(saved, {"corpus.json": b" " * 50_000_000})
    with pytest.raises(unisono.FormatError, match="more than 1,000,000 bytes when unpacked"):
        unisono.load_result(path, size_limit=1_000_000)


def test_nothing_is_unpickled(saved: Path) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> Any:
            return (pytest.fail, ("unpickled",))

    data = io.BytesIO()
    np.lib.format.write_array_header_1_0(data, {"descr": "|O", "fortran_order": False, "shape": (1,)})
    data.write(pickle.dumps(Evil()))
    with pytest.raises(unisono.FormatError):
        unisono.load_result(rewritten(saved, {"starts.npy": data.getvalue()}))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_files_never_do_more_than_be_refused(result: Result, saved: Path, data: st.DataObject) -> None:
    """Any byte changed, the file cut anywhere: the same result or a FormatError."""
    whole = saved.read_bytes()
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    path = saved.with_name("broken.unisono")
    path.write_bytes(bytes(broken[: data.draw(st.integers(0, len(broken)))]))
    with contextlib.suppress(unisono.FormatError):
        assert_same(result, unisono.load_result(path))


def test_missing_and_other_files(tmp_path: Path) -> None:
    with pytest.raises(unisono.FormatError, match="No such file"):
        unisono.load_result(tmp_path / "nothing.unisono")
    (tmp_path / "units.csv").write_text("annotator,start,end\n", encoding="utf-8")
    with pytest.raises(unisono.FormatError, match="this is not a saved result"):
        unisono.load_result(tmp_path / "units.csv")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(unisono.FormatError, match="this is not a saved result"):
        unisono.load_result(tmp_path / "empty")
