# SPDX-License-Identifier: MIT
"""`unisono measure`. Oracles: the Python API on the same data, the exit codes of docs/command-line.md."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import unisono
from unisono import cli


def test_json_equals_the_api(run, table: Path) -> None:
    code, out, _ = run("measure", table, "--seed", 7, "--alpha", 3, "--json")
    expected = unisono.measure(table, seed=7, dissimilarity=unisono.CombinedDissimilarity(alpha=3)).to_dict()
    assert code == 0
    printed = json.loads(out)
    for problem in printed["problems"]:  # each door has its own names of settings
        problem["remedy"] = problem["remedy"].replace("--extent", "extent=").replace("--documents", "documents=")
    assert printed == json.loads(json.dumps(expected))


@pytest.mark.parametrize(
    "options",
    [["--measure", "gamma", "--measure", "gamma-cat"], ["--measure", "gamma,gamma_cat"]],
    ids=["twice", "once"],
)
def test_several_measures(run, table: Path, options: list[str]) -> None:
    _, out, _ = run("measure", table, *options, "--samples", 5, "--json")
    assert list(json.loads(out)["measures"]) == ["gamma", "gamma-cat"]


def test_options_reach_the_signature(run, table: Path) -> None:
    options = "--positional absolute --scale 5 --categorial levenshtein --f-cat steep --beta 0.5 --delta-empty 2"
    _, out, _ = run("measure", table, *options.split(), "--samples", 40, "--seed", 9, "--extent", "0:60", "--json")
    assert json.loads(out)["signature"] == (
        f"gamma|v:{unisono.__version__}|d:absolute(scale=5)+levenshtein(f_cat=steep),alpha=1,beta=0.5,delta_empty=2"
        "|chance:shift(mean)|samples:40|seed:9|extent:given"
    )


@pytest.mark.parametrize(
    ("options", "signature"),
    [
        ("", "sporadic+nominal,"),
        ("--positional boundary --scale 2.5", "boundary(window=2.5)+nominal,"),
        ("--categorial ordinal", 'sporadic+ordinal(order=["LOC","PER"]),'),
        ("--categorial ordinal --category-order PER,LOC", 'sporadic+ordinal(order=["PER","LOC"]),'),
        ("--categorial jaccard", "sporadic+jaccard,"),
        ("--categorial masi --category-separator ;", 'sporadic+masi(separator=";"),'),
        ("--categorial tree", "sporadic+tree,"),
    ],
)
def test_dissimilarities(run, table: Path, options: str, signature: str) -> None:
    code, out, _ = run("measure", table, *options.split(), "--samples", 5, "--json")
    assert code == 0
    assert f"|d:{signature}" in json.loads(out)["signature"]


def test_interval_categories(run, tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("annotator,start,end,category\na,0,9,1\nb,0,9,5\nb,20,29,2\na,21,29,2\n", encoding="utf-8")
    code, out, _ = run("measure", path, "--categorial", "interval", "--samples", 5, "--json")
    assert code == 0
    assert "interval(low=1,high=5)" in json.loads(out)["signature"]


def test_category_distances(run, table: Path, tmp_path: Path) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(",PER,LOC\nPER,0,0.5\nLOC,0.5,0\n", encoding="utf-8")
    code, out, _ = run("measure", table, "--category-distances", matrix, "--samples", 5, "--json")
    assert code == 0
    assert "+matrix(sha256=" in json.loads(out)["signature"]


def test_a_bad_matrix_is_bad_data(run, table: Path, tmp_path: Path) -> None:
    matrix = tmp_path / "matrix.csv"
    matrix.write_text(",PER,LOC\nPER,0,0.5\nLOC,0.25,0\n", encoding="utf-8")
    code, out, err = run("measure", table, "--category-distances", matrix)
    assert (code, out) == (1, "")
    assert "Make both equal." in err
    assert err.endswith("Explained by: unisono messages matrix\n")
    matrix.write_text(",PER,X\nPER,0,0.5\nX,0.5,0\n", encoding="utf-8")
    code, _, err = run("measure", table, "--category-distances", matrix)
    assert code == 1
    assert "the category 'LOC' has no distances" in err


def test_the_table_says_what_a_newcomer_needs(run, table: Path) -> None:
    code, out, err = run("measure", table, "--seed", 7)
    assert code == 0
    for words in ("γ = ", "over 2 of 2 documents", "computation error", "Uncertainty unknown: ",
                  "observed disorder", "expected disorder",
                  "samples", "unitary alignments", "annotators", "units", "0 at chance level",
                  "No threshold for a good value holds everywhere", "|seed:7|", "Seed       7"):  # fmt: skip
        assert words in out, words
    assert "read: CSV with header; 2 annotators (ann, bob)" in err
    assert "Chance was estimated for each document on its own" in err
    assert "\x1b" not in out + err


def test_the_seed_is_drawn_and_recorded(run, table: Path) -> None:
    seeds = {json.loads(run("measure", table, "--json", "--samples", 5).out)["seed"] for _ in range(3)}
    assert len(seeds) == 3


def test_jobs_change_nothing(run, table: Path) -> None:
    one, two = (run("measure", table, "--seed", 3, "--json", "--jobs", jobs).out for jobs in (1, 2))
    assert one == two


def test_standard_input(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    given, read = (json.loads(run("measure", path, "--seed", 1, "--json").out) for path in ("-", table))
    for key in ("signature", "data", "measures", "documents"):
        assert given[key] == read[key]


def test_participation(run, table: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.csv"
    seen.write_text("document,annotator\none,cem\none,ann\none,bob\ntwo,ann\ntwo,bob\n", encoding="utf-8")
    _, out, _ = run("measure", table, "--participation", seen, "--json", "--samples", 5)
    assert [document["annotators"] for document in json.loads(out)["documents"]] == [
        ["ann", "bob", "cem"],
        ["ann", "bob"],
    ]


# --- exit codes --------------------------------------------------------------------------------------------------


def test_one_annotator_cannot_be_measured(run, tmp_path: Path) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\nann,7,9,B\n", encoding="utf-8")
    code, out, err = run("measure", path)
    assert (code, out) == (1, "")
    assert "alone: 'ann' is the only annotator" in err
    assert err.endswith("Explained by: unisono messages too-few-annotators\n")


def test_documents_that_cannot_be_measured_are_listed(run, table: Path) -> None:
    with table.open("a", encoding="utf-8") as file:
        file.write("lonely,ann,0,5,PER\n")
    code, out, _ = run("measure", table, "--seed", 1)
    assert code == 0
    assert "over 2 of 3 documents" in out
    assert "Not measured: 1 document\n  needs at least two annotators: lonely\n" in out
    document = json.loads(run("measure", table, "--json").out)["documents"][0]
    assert document["name"] == "lonely"
    assert document["measures"]["gamma"]["value"] is None
    assert document["measures"]["gamma"]["reason"] == "needs at least two annotators"


def test_every_problem_at_once_then_a_count(run, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("annotator,start,end\na,1,2\n" + "a,9,3\n" * 15 + "b,x,3\n" * 15, encoding="utf-8")
    code, out, err = run("measure", path)
    assert (code, out) == (1, "")
    lines = err.splitlines()
    assert len(lines) == 22
    assert lines[0].startswith(f"{path}:3: ")
    assert lines[20] == "... and 10 more"
    assert lines[21] == "Explained by: unisono messages end-before-start not-a-number"


def test_skip_invalid_is_part_of_the_result(run, table: Path) -> None:
    with table.open("a", encoding="utf-8") as file:
        file.write("one,ann,9,3,PER\n")
    assert run("measure", table).code == 1
    code, out, err = run("measure", table, "--skip-invalid", "--seed", 1)
    assert code == 0
    assert "Measured without some rows" in out
    assert "skipped-rows" in err
    problems = json.loads(run("measure", table, "--skip-invalid", "--json").out)["problems"]
    assert problems[0]["code"] == "skipped-rows"


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02\xff" * 50, b"annotator,start,end\n"])
def test_files_without_data(run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    code, out, err = run("measure", path)
    assert (code, out) == (1, "")
    assert "Explained by: unisono messages " in err


def test_missing_file_and_directory(run, tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        code, out, err = run("measure", path)
        assert (code, out) == (1, "")
        assert str(path) in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--alpha -1", "-1 is not a valid value of --alpha. Give a number from 0 to 1,000,000,000."),
        ("--alpha nan", "nan is not a valid value of --alpha."),
        ("--alpha 0 --beta 0", "--alpha and --beta are both 0"),
        ("--delta-empty 0", "0 is not a valid value of --delta-empty. Give a number above 0"),
        ("--positional absolute", "needs a length that counts as one. Give it with --scale."),
        ("--positional absolute --scale -2", "-2 is not a valid value of --scale"),
        ("--scale 3", "--scale is for --positional absolute or boundary"),
        ("--category-order A,B", "--category-order is for --categorial ordinal"),
        ("--category-separator /", "--category-separator is for"),
        ("--categorial tree --category-distances m.csv", "exclude each other"),
        ("--precision 0.1 --samples 30", "exclude each other"),
        ("--precision 0", "value of --precision. Give a number between 0 and 1."),
        ("--level 95", "value of --level. Give a number between 0 and 1."),
        ("--samples 1", "value of --samples. Give a whole number from 2 to"),
        ("--seed -1", "value of --seed. Give a whole number from 0 to 2**64-1."),
        ("--measure delta", "there is no measure 'delta'. There are: gamma,"),
        ("--measure gamma_ct", "there is no measure 'gamma_ct'. Did you mean 'gamma-cat'?"),
        ("--time-limit 0", "value of --time-limit. Give a number above 0"),
        ("--memory-limit lots", "'lots' is not a valid value of --memory-limit. Give a size such as 500M or 2G."),
        ("--memory-limit 9999999T", "'9999999T' is not a valid value of --memory-limit."),
        ("--size-limit 0", "'0' is not a valid value of --size-limit."),
        ("--extent 10", "'10' is not a valid value of --extent. Give START:END"),
        ("--extent 10:5", "--extent ends (5) before it starts (10). Are the two swapped?"),
        ("--format word", "'word'. `unisono formats` lists them."),
        ("--encoding klingon", "klingon"),
        ("--decimal x", "'x' is not a valid value of --decimal. Give a point or a comma."),
        ("--categorial nominl", "value of --categorial. Did you mean 'nominal'?"),
        ("--jobs 0", "0 is not a valid value of --jobs. Give a whole number from 1"),
        ("--no-such-option", "--no-such-option"),
    ],
)
def test_usage(run, table: Path, options: str, words: str) -> None:
    code, out, err = run("measure", table, *options.split())
    assert (code, out) == (2, "")
    assert words in " ".join(err.replace("│", " ").split())
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["measure", "align", "validate"])
def test_a_size_limit(run, table: Path, command: str) -> None:
    code, out, err = run(command, table, "--size-limit", "100")
    assert code == 1
    assert "there are more than 100 bytes to read (unpacked). Split the file, or raise --size-limit" in out + err
    # A limit beyond the machine's memory is no reason to ask for that much.
    assert run(command, table, "--size-limit", "500T").code == 0


def test_an_unknown_column_is_between_option_and_file(run, table: Path) -> None:
    code, _, err = run("measure", table, "--start-column", "begin")
    assert code == 1
    assert str(table) in err
    assert "begin" in err


def test_fail_under(run, table: Path) -> None:
    assert run("measure", table, "--seed", 1, "--fail-under", -5).code == 0
    code, out, err = run("measure", table, "--seed", 1, "--fail-under", 0.99)
    assert code == 3
    assert "γ = " in out
    assert "below --fail-under 0.99" in err


def replaced(monkeypatch: pytest.MonkeyPatch, value: unisono.MeasureValue) -> None:
    """γ of every document is this value: what a small table would never give."""
    monkeypatch.setattr("unisono.measures.family._VALUES", {"gamma": lambda *_: value})


def test_an_undefined_value(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, unisono.MeasureValue(None, reason="the expected disorder is 0 and the observed one is not"))
    code, out, err = run("measure", table)
    assert code == 1
    assert "undefined: no document could be measured: the expected disorder is 0" in out
    assert "gamma is undefined" in err
    assert run("measure", table, "--fail-under", 0).code == 3
    data = json.loads(run("measure", table, "--json").out)["measures"]["gamma"]
    assert data["value"] is None
    assert data["reason"]


def test_a_limit_is_said_loudly(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is replaced: small data are solved before any limit strikes."""
    value = unisono.MeasureValue(
        0.5,
        observed=1.0,
        expected=2.0,
        n_samples=30,
        gap=0.1,
        observed_bound=0.9,
        expected_bound=1.8,
        n_unitary_alignments=3,
        weight=1.0,
    )
    replaced(monkeypatch, value)
    code, out, err = run("measure", table, "--effort", 5, "--memory-limit", "1G")
    assert code == 3
    words = " ".join(out.split())
    # 1 - 1 / (2 * 0.9), 1 - 1 * 0.9 / 2
    open_ones = "the search for some alignments ended before their proof"
    lies = f"{open_ones}; with these samples γ is guaranteed to lie between 0.444"
    assert f"NOT PROVEN: {lies} and 0.550. Raise --effort" in words
    assert "guaranteed range 0.444 to 0.550" in words
    assert "|memory-limit:1073741824|effort:5" in out
    assert f"gamma is not proven: {lies}" in err
    data = json.loads(run("measure", table, "--json").out)["measures"]["gamma"]
    assert data["range"] == pytest.approx([1 - 1 / 1.8, 0.55])
    assert "|effort:none" in run("measure", table, "--effort", "none").out


def test_a_limit_that_hardly_matters(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No range from a number to itself, and nothing loud: 1 - 1 / (2 * 0.99999) and 1 - 0.99999 / 2 are both 0.500."""
    value = unisono.MeasureValue(
        0.5,
        observed=1.0,
        expected=2.0,
        n_samples=30,
        gap=1e-5,
        observed_bound=0.99999,
        expected_bound=2 * 0.99999,
        n_unitary_alignments=3,
        weight=1.0,
        is_settled=True,
    )
    replaced(monkeypatch, value)
    code, out, err = run("measure", table)
    assert code == 0
    assert "not proven" not in err
    assert "with these samples γ is 0.500 to the digits shown." in " ".join(out.split())
    assert "NOT PROVEN" not in out


def test_interrupted(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unisono.measures.family.observe_once", interrupt)
    code, out, err = run("measure", table)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "unisono: interrupted"


def test_warnings_are_one_line(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import warnings

    from unisono.alignment.kept_alignments import observe_once

    def warning(*arguments: object, **options: object) -> object:
        for needed in (10494, 13733):
            warnings.warn(f"{needed} were needed", unisono.errors.PrecisionWarning, stacklevel=2)
        return observe_once(*arguments, **options)

    monkeypatch.setattr("unisono.measures.family.observe_once", warning)
    code, _, err = run("measure", table)
    assert code == 0
    assert "warning: 10494 were needed\n" in err
    assert "13733" not in err
    assert "... and 1 similar warning about other documents\n" in err


# --- many documents ----------------------------------------------------------------------------------------------


def test_at_most_twenty_documents_unless_asked(run, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = [f"d{i:02},{who},{i},{i + 5},A\n" for i in range(25) for who in ("ann", "bob")]
    path.write_text("document,annotator,start,end,category\n" + "".join(rows), encoding="utf-8")
    out = run("measure", path, "--samples", 2).out
    assert "d19 " in out
    assert "d20 " not in out
    assert "… and 5 more (--all-documents lists them, --json has them all)" in out
    assert "d24 " in run("measure", path, "--samples", 2, "--all-documents").out


def test_main_without_arguments_shows_help(run) -> None:
    code, out, err = run()
    assert code in (0, 2)
    assert "Usage" in out + err


def test_python_dash_m() -> None:
    import runpy

    assert "entry" in runpy.run_module("unisono", run_name="not_main")
    assert cli.entry.__doc__


def test_a_measure_with_a_value_and_with_categories_shows_both(run, tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    rows = ["ann,0,4,A", "ann,5,9,B", "ann,9,12,B", "bob,0,4,A", "bob,5,9,A", "bob,9,12,B"]
    path.write_text("annotator,start,end,category\n" + "\n".join(rows) + "\n")
    code, out, _ = run("measure", path, "--measure", "alpha")
    assert code == 0
    assert "α = 0.444" in out
    assert "α by category" in out
    assert run("measure", path, "--measure", "alpha", "--fail-under", 0.4).code == 0
    assert run("measure", path, "--measure", "alpha", "--fail-under", 0.5).code == 3


def test_sensitivity_is_a_table_and_part_of_the_json(run) -> None:
    """Oracle: the rows of the library, in the same order."""
    path = Path(__file__).parents[2] / "examples" / "entities.csv"
    rows = unisono.analysis.sensitivity(path, seed=1)
    data = json.loads(run("measure", path, "--seed", 1, "--samples", 30, "--sensitivity", "--json").out)
    assert data["sensitivity"] == [row.to_dict() for row in rows]
    out = run("measure", path, "--seed", 1, "--samples", 30, "--sensitivity").out
    table = out[out.index("How much do the choices matter?") :]
    for row in rows:
        line = next(line for line in table.splitlines() if line.startswith(row.choice + " "))
        assert f"{row.value:.3f}" in line
        assert "±" in line
    assert "How much" not in run("measure", path, "--seed", 1, "--samples", 30).out


def test_a_measure_without_values_has_no_empty_table(run, tmp_path: Path) -> None:
    """Oracle: the reasons are there, and no heading of a table of documents is."""
    path = tmp_path / "units.csv"
    rows = [f"{d},{a},{i},{i + 5 + (a == 'b')},X" for d in ("one", "two") for a in ("a", "b") for i in (0, 20)]
    path.write_text("\n".join(["document,annotator,start,end,category", *rows]), encoding="utf-8")
    out = run("measure", path, "--measure", "kappa", "--predefined").out
    assert "Not measured: 2 documents" in out
    assert "observed" not in out


def test_a_stream_prints_the_numbers_of_the_corpus_in_memory(run, table: Path, tmp_path: Path) -> None:
    how = ("--measure", "gamma,gamma-cat", "--seed", 7, "--samples", 9, "--document-results")
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    code, out, _ = run("measure", table, *how, here, "--json")
    streamed = run("measure", table, *how, there, "--json", "--stream")
    assert streamed.code == code == 0
    in_memory, in_stream = json.loads(out), json.loads(streamed.out)
    assert in_stream["documents"] == []
    for key in ("signature", "data", "measures", "parameters"):
        assert in_stream[key] == in_memory[key]
    assert there.read_bytes() == here.read_bytes()
    lines = [json.loads(line) for line in here.read_text(encoding="utf-8").splitlines()]
    assert [line["name"] for line in lines] == [document["name"] for document in in_memory["documents"]]
    shown = run("measure", table, "--seed", 7, "--samples", 9, "--stream")
    assert f"over {in_memory['data']['documents']} of" in shown.out


@pytest.mark.parametrize("option", ["--save", "--report"])
def test_a_stream_keeps_nothing(run, table: Path, tmp_path: Path, option: str) -> None:
    code, _, err = run("measure", table, "--stream", option, tmp_path / "kept")
    assert code == 2
    assert "needs the corpus in memory" in " ".join(err.split())
    code, _, err = run("measure", table, "--stream", "--measure", "f1-exact")
    assert code != 0
    assert "needs the whole corpus in memory" in " ".join(err.split())
