# SPDX-License-Identifier: MIT
"""Everything is computed once. Oracle: a count of the alignments and samples that the core is asked for."""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import unisono
from unisono.chance import Mosaic, Shift
from unisono.cli import main
from unisono.dissimilarity import CombinedDissimilarity
from unisono.sampling.draws import CoreDraws

pytest.importorskip("pydantic")

#: Every module that aligns; those that import it only when they need it are loaded before anything is counted.
MODULES = (
    "unisono.alignment.observed",
    "unisono.analysis.annotators",
    "unisono.analysis.gold",
    "unisono.measures.family",
    "unisono.measures.soft_gamma",
    "unisono.report.details",
    "unisono.web.jobs",
    "unisono.web.store",
    "unisono.web.tasks",
)

#: Three annotators; two of them in `three`, where the pair is the document.
TABLE = """\
document,annotator,start,end,category
one,ann,0,10,PER
one,ann,20,30,LOC
one,ann,45,50,LOC
one,bob,0,10,PER
one,bob,22,30,LOC
one,cem,1,10,LOC
one,cem,40,50,PER
two,ann,5,15,LOC
two,ann,30,34,PER
two,bob,5,12,LOC
two,cem,31,34,PER
three,ann,3,9,PER
three,ann,20,24,LOC
three,bob,3,8,PER
three,bob,20,26,PER
"""

#: Document, annotators, dissimilarity.
Aligned = tuple[str, tuple[str, ...], str]


class Trace:
    """How often each document, as some annotators made it, was aligned, and each of its samples drawn."""

    def __init__(self) -> None:
        self.aligned: Counter[Aligned] = Counter()
        self.drawn: Counter[tuple[Aligned, Any, int]] = Counter()

    def check(self) -> None:
        """Whatever was computed was computed once."""
        assert {key: n for key, n in self.aligned.items() if n > 1} == {}
        assert {key: n for key, n in self.drawn.items() if n > 1} == {}

    @property
    def subsets(self) -> set[tuple[str, tuple[str, ...]]]:
        return {(name, annotators) for name, annotators, _ in self.aligned}


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Trace:
    for name in MODULES:
        importlib.import_module(name)
    trace = Trace()

    def replace_everywhere(name: str, plain: Callable[..., Any], counting: Callable[..., Any]) -> None:
        for module in [each for key, each in sys.modules.items() if key.startswith("unisono.")]:
            if vars(module).get(name) is plain:
                monkeypatch.setattr(module, name, counting)

    observe = sys.modules["unisono.alignment.observed"].observe
    best_alignment = sys.modules["unisono.alignment"].best_alignment

    def count_observed(columns: Any, *how: Any, **start: Any) -> Any:
        trace.aligned.update((c.name, c.annotators, columns.dissimilarity.signature) for c in columns.continua)
        return observe(columns, *how, **start)

    def count_best(continuum: Any, dissimilarity: Any = None, **how: Any) -> Any:
        signature = (dissimilarity or CombinedDissimilarity()).signature
        trace.aligned[continuum.name, continuum.annotators, signature] += 1
        return best_alignment(continuum, dissimilarity, **how)

    # An explanation simulates and changes the data on purpose; what is counted here is the data as they were given.
    monkeypatch.setattr("unisono.diagnosis.explanation_work.MOST_CANDIDATES", -1)
    replace_everywhere("observe", observe, count_observed)
    replace_everywhere("best_alignment", best_alignment, count_best)

    cases_of = Shift.cases
    drawn_from: dict[int, tuple[Any, Any]] = {}

    def keep_cases(model: Shift, columns: Any, seed: int) -> Any:
        cases = cases_of(model, columns, seed)
        drawn_from[id(cases)] = cases, columns
        return cases

    sample = CoreDraws.sample

    def count_samples(draws: CoreDraws, cases: Any, firsts: Any, counts: Any, how: Any) -> Any:
        _, columns = drawn_from.get(id(draws.core), (None, None))
        for case, first, count in zip(cases.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            if columns is None:  # continua that documents share are not told apart by document
                continue
            continuum = columns.continua[case]
            key = continuum.name, continuum.annotators, columns.dissimilarity.signature
            # With another extent it is another document: what γ would be with one a tenth longer is drawn for itself.
            trace.drawn.update((key, continuum.extent, i) for i in range(first, first + count))
        return sample(draws, cases, firsts, counts, how)

    monkeypatch.setattr(Shift, "cases", keep_cases)
    monkeypatch.setattr(CoreDraws, "sample", count_samples)
    return trace


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


#: Every document with everybody, and every two of three annotators.
ALL_SUBSETS = {
    ("one", ("ann", "bob", "cem")),
    ("two", ("ann", "bob", "cem")),
    ("three", ("ann", "bob")),
    *((name, pair) for name in ("one", "two") for pair in itertools.combinations(("ann", "bob", "cem"), 2)),
}


def test_a_report_and_a_saved_file(trace: Trace, table: Path, tmp_path: Path) -> None:
    saved, page = str(tmp_path / "r.unisono"), str(tmp_path / "r.html")
    assert main(["measure", str(table), "--seed", "1", "--samples", "20", "--report", page, "--save", saved]) == 0
    trace.check()
    assert trace.subsets == ALL_SUBSETS
    assert len({(key, i) for key, _, i in trace.drawn}) == 20 * len(ALL_SUBSETS)
    before = trace.aligned.copy()
    assert main(["report", saved, "--output", str(tmp_path / "again.html")]) == 0
    assert trace.aligned == before


def test_with_the_chance_model_of_a_corpus(trace: Trace, table: Path, tmp_path: Path) -> None:
    """Every part of the corpus has random continua of its own, but documents are aligned once."""
    options = ["--seed", "1", "--samples", "5", "--chance", Mosaic().signature]
    assert main(["measure", str(table), *options, "--report", str(tmp_path / "r.html")]) == 0
    trace.check()
    assert trace.subsets == ALL_SUBSETS


@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_the_tables_of_annotators(trace: Trace, table: Path, chance: str) -> None:
    assert main(["annotators", str(table), "--seed", "1", "--samples", "5", "--chance", chance]) == 0
    trace.check()
    assert trace.subsets == ALL_SUBSETS


def test_measures_that_start_from_the_alignment(trace: Trace, table: Path, tmp_path: Path) -> None:
    names = "gamma,gamma-cat,kappa-on-alignment,alpha-on-alignment"
    options = ["--seed", "1", "--samples", "5", "--report", str(tmp_path / "r.html")]
    assert main(["measure", str(table), "--measure", names, *options]) == 0
    trace.check()
    assert trace.subsets == ALL_SUBSETS


def test_python_shows_what_was_measured(trace: Trace, table: Path, tmp_path: Path) -> None:
    """Saving, reporting and showing a plain result one after the other; a gold standard made from it."""
    result = unisono.measure(table, ["gamma", "gamma-cat"], seed=1, samples=5)
    unisono.save(result, tmp_path / "r.unisono")
    unisono.write_report(result, tmp_path / "r.html")
    assert "iframe" in result._repr_html_()
    trace.check()
    unisono.gold(result)
    trace.check()
    assert trace.subsets == ALL_SUBSETS


class TwoWorkers:
    """A pool that works in this process; consecutive tasks go to different workers, which share files only."""

    def __init__(self) -> None:
        from unisono.web.limits import Limits
        from unisono.web.tasks import Workshop

        self.limits = Limits()
        self._workshops = itertools.cycle((Workshop(), Workshop()))

    def submit(self, task: dict[str, Any], *, is_long: bool, tell: Any = None, began: Any = None) -> Any:
        full = {**json.loads(json.dumps(task)), "threads": 1, "limits": self.limits.to_dict()}
        outcome = asyncio.get_running_loop().create_future()
        outcome.set_result(next(self._workshops).outcome(full, tell or (lambda message: None)))
        return SimpleNamespace(outcome=outcome, task=full)


#: What the page asks for when the job is done.
REQUESTS: tuple[tuple[dict[str, Any], str], ...] = (
    *(
        ({"task": "alignment", "document": name, "format": "view", "every": False}, ".json")
        for name in ("one", "three")
    ),
    ({"task": "alignment", "document": "two", "format": "json", "every": False}, ".json"),
    ({"task": "alignment", "document": None, "format": "csv", "every": True}, ".csv"),
    ({"task": "pairwise", "measure": "gamma"}, ".json"),
    ({"task": "report", "form": "page", "text": True}, ".html"),
    ({"task": "report", "form": "page", "text": False}, ".html"),
    ({"task": "report", "form": "save", "text": True}, ".unisono"),
    (
        {"task": "gold", "format": "json", "vote": "majority", "boundaries": "median", "min_annotators": None},
        ".json",
    ),
)


@pytest.mark.parametrize("chance", ["shift", "corpus"])
@pytest.mark.parametrize("report_first", [False, True])
def test_a_job_of_the_service(trace: Trace, table: Path, tmp_path: Path, report_first: bool, chance: str) -> None:
    from unisono.web import models
    from unisono.web.jobs import Jobs
    from unisono.web.limits import Limits
    from unisono.web.store import Store, StoredUpload

    store = Store(Limits())
    reading = models.Reading().model_dump(mode="json")
    upload = StoredUpload("upload", tmp_path, files={"units.csv": table}, reading=reading)
    names = ["gamma", "gamma-cat", "gamma-k"]
    settings = models.Settings(measures=names, samples=40, seed=1, chance=chance).model_dump(mode="json")

    async def work() -> list[Path]:
        pool: Any = TwoWorkers()
        jobs = Jobs(store, pool)
        job = jobs.begin(upload, settings, estimates=True)
        while not job.is_over:
            await asyncio.sleep(0)
        assert job.status == "done", job.problems
        assert job.estimate is not None
        requests = REQUESTS[::-1] if report_first else REQUESTS
        files = [await jobs.derive(job, task, suffix, is_long=True) for task, suffix in requests]
        return files[::-1] if report_first else files

    try:
        files = asyncio.run(work())
        trace.check()
        assert trace.subsets == ALL_SUBSETS
        view, _, exported, rows, pairs, page, _, saved, _ = files
        assert json.loads(view.read_text())["alignment"]["group"]
        assert json.loads(exported.read_text())["documents"][0]["name"] == "two"
        assert {row.split(",")[0] for row in rows.read_text().splitlines()[1:]} == {"one", "two", "three"}
        assert "All but one annotator" in page.read_text(encoding="utf-8")
        tables = unisono.load_result(saved).details.annotators
        found = json.loads(pairs.read_text())
        assert tables["pairs"] == found["pairs"]
        assert len(found["leave_one_out"]) == 3
    finally:
        store.close()
