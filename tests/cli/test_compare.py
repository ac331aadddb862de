# SPDX-License-Identifier: MIT
"""`compare` and `annotators` as a user calls them. Oracle: the library on the same data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.analysis.compare import compare


def write(path: Path, moved: int, annotators: str = "ab", *, documents: int = 6, prefix: str = "d") -> Path:
    rng = np.random.default_rng(moved)
    lines = ["document,annotator,start,end,category"]
    for i in range(documents):
        for name in annotators:
            for k in range(4):
                first, last = rng.integers(0, moved + 1, 2).tolist()
                lines.append(f"{prefix}{i},{name},{12 * k + first},{12 * k + 6 + last},X")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def a(tmp_path: Path) -> Path:
    return write(tmp_path / "a.csv", 1)


@pytest.fixture
def b(tmp_path: Path) -> Path:
    return write(tmp_path / "b.csv", 4)


FEW = ("--seed", 1, "--samples", 20)


def test_paired(run, a: Path, b: Path) -> None:
    outcome = run("compare", a, b, "--paired", "--json", *FEW)
    assert outcome.code == 0
    known = compare(unisono.read(a), unisono.read(b), design="paired", seed=1, samples=20)
    assert json.loads(outcome.out) == json.loads(json.dumps(known.to_dict()))


def test_unpaired_names_its_design_and_the_better_one(run, a: Path, b: Path) -> None:
    outcome = run("compare", a, b, *FEW)
    assert outcome.code == 0
    assert "Design: unpaired: documents exchanged between the sides." in outcome.out
    assert "a.csv" in outcome.out
    assert "Both sides have the same documents: --paired compares them document by document." in outcome.err


def test_the_page_of_one_category(run, a: Path, b: Path, tmp_path: Path) -> None:
    """Its difference is that of the two values it shows, turned round: the second minus the first."""
    for path in (a, b):  # another category for every second unit
        rows = path.read_text(encoding="utf-8").splitlines()
        rows = [row.removesuffix("X") + "Y" if i % 2 and i % 5 else row for i, row in enumerate(rows)]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    for measure, more in (("gamma-k", ("--category", "X")), ("gamma", ())):
        page = tmp_path / f"{measure}.html"
        outcome = run("compare", a, b, "--paired", "--measure", measure, *more, "--report", page, "--json", *FEW)
        assert outcome.code == 0, outcome.err
        shown = json.loads(re.findall(r'id="comparison-data">(.*?)</script>', page.read_text(encoding="utf-8"))[0])
        if measure == "gamma":
            first, second = (side["value"] for side in shown["sides"])
            assert shown["difference"] == pytest.approx(second - first, abs=1e-12)
        else:
            assert shown["difference"] == pytest.approx(-json.loads(outcome.out)["difference"], abs=1e-12)


def test_a_page_that_cannot_be_written_is_refused_before_the_work(run, a: Path, b: Path, tmp_path: Path) -> None:
    outcome = run("compare", a, b, "--report", tmp_path / "nowhere" / "page.html", *FEW)
    assert outcome.code == 2
    assert "does not exist" in outcome.err
    assert "read:" not in outcome.err


def test_saved_results(run, a: Path, b: Path, tmp_path: Path) -> None:
    saved = tmp_path / "a.json"
    saved.write_text(run("measure", a, "--json", *FEW).out, encoding="utf-8")
    direct = run("compare", a, b, "--paired", "--json", *FEW)
    stored = run("compare", saved, b, "--paired", "--json", *FEW)
    assert stored.code == 0
    assert stored.out == direct.out


def test_preset_chance_and_category(run, a: Path, b: Path) -> None:
    outcome = run("compare", a, b, "--paired", "--json", "--preset", "greyc", "--chance", "corpus", *FEW)
    assert outcome.code == 0
    signature = json.loads(outcome.out)["signature"]
    assert "alpha=3" in signature
    assert "chance:corpus" in signature
    outcome = run("compare", a, b, "--paired", "--measure", "gamma-k", "--category", "X", *FEW)
    assert "γk of X: A - B" in outcome.out
    outcome = run("compare", a, b, "--measure", "gamma-k", "--category", "Z", *FEW)
    assert outcome.code == 1
    assert "there is no category 'Z'. The categories are 'X'." in outcome.err
    outcome = run("compare", a, b, "--annotators", "--chance", "corpus", *FEW)
    assert outcome.code == 1
    assert (
        "groups of annotators are permuted within documents, and the chance model `corpus` mixes documents"
        in outcome.err
    )


def test_groups(run, tmp_path: Path) -> None:
    path = write(tmp_path / "all.csv", 2, "abcxyz", documents=2)
    outcome = run("compare", path, "--groups", "a,b,c:x,y,z", *FEW)
    assert outcome.code == 0
    assert "two groups of annotators on the same documents" in outcome.out
    first, second = write(tmp_path / "1.csv", 1, "ab", documents=3), write(tmp_path / "2.csv", 3, "xy", documents=3)
    outcome = run("compare", first, second, "--annotators", "--json", *FEW)
    assert json.loads(outcome.out)["design"] == "annotators"
    outcome = run("compare", path, "--groups", "a,b,c:x,y,bob", *FEW)
    assert outcome.code == 1
    assert "no annotator is called 'bob'" in outcome.err
    assert "unisono messages unknown-annotator" in outcome.err


def test_paired_without_a_common_document(run, a: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other.csv", 2, prefix="e")
    outcome = run("compare", a, other, "--paired", *FEW)
    assert outcome.code == 1
    assert outcome.out == ""
    assert "the sides have no document in common: 'd0', 'd1', 'd2', ... against 'e0', 'e1'" in outcome.err
    assert "unisono messages no-common-document" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.csv"], "compare takes two paths, A and B; 1 were given"),
        (
            ["a.csv", "b.csv", "--permutations", "3"],
            "3 is not a valid value of --permutations.",
        ),
        (["a.csv", "b.csv", "--paired", "--annotators"], "--paired and --annotators exclude each other"),
        (["a.csv", "--groups", "a,b:x,y", "--paired"], "--paired and --groups exclude each other"),
        (["a.csv", "--groups", "a:b"], "Give two groups of at least two annotators"),
        (
            ["a.csv", "b.csv", "--precision", "2"],
            "2 is not a valid value of --precision.",
        ),
        (
            ["a.csv", "b.csv", "--precision", "0"],
            "0 is not a valid value of --precision.",
        ),
        (["a.csv", "b.csv", "--samples", "1"], "1 is not a valid value of --samples."),
        (["a.csv", "b.csv", "--samples", "5", "--precision", "0.1"], "--precision and --samples exclude each other"),
        (["a.csv", "b.csv", "--measure", "gama"], "there is no measure"),
        (["a.csv", "b.csv", "--jobs", "0"], "0 is not a valid value of --jobs."),
        (
            ["a.csv", "b.csv", "--seed", "-1"],
            "-1 is not a valid value of --seed.",
        ),
    ],
)
def test_wrong_usage(run, arguments: list[str], message: str) -> None:
    outcome = run("compare", *arguments)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.replace("│", " ").split())


def test_annotators(run, tmp_path: Path) -> None:
    path = write(tmp_path / "all.csv", 2, "abc")
    outcome = run("annotators", path, *FEW)
    assert outcome.code == 0
    for title in ("γ of every two annotators", "Each against the rest", "γ without each annotator"):
        assert title in outcome.out
    data = json.loads(run("annotators", path, "--json", *FEW).out)
    assert data["schema"] == 1
    assert len(data["pairs"]) == len(data["against_rest"]) == len(data["leave_one_out"]) == 3


def test_reference(run, tmp_path: Path) -> None:
    path = write(tmp_path / "all.csv", 2, "abc")
    outcome = run("annotators", path, "--reference", "a", *FEW)
    assert outcome.code == 0
    assert "γ with a, the reference" in outcome.out
    gold = write(tmp_path / "gold.csv", 0, "g")
    data = json.loads(run("annotators", path, "--reference-file", gold, "--map-labels", "--json", *FEW).out)
    assert data["reference"] == "reference"
    assert data["mapping"] == {"X": "X"}
    outcome = run("annotators", path, "--reference", "d", *FEW)
    assert outcome.code == 1
    assert "no annotator is called 'd'. The annotators are 'a', 'b', 'c'." in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--reference", "a", "--reference-file", "b"], "--reference and --reference-file exclude each other"),
        (["--map-labels"], "--map-labels needs --reference or --reference-file"),
    ],
)
def test_wrong_usage_of_annotators(run, arguments: list[str], message: str) -> None:
    outcome = run("annotators", "x.csv", *arguments)
    assert outcome.code == 2
    assert message in " ".join(outcome.err.replace("│", " ").split())
