# SPDX-License-Identifier: MIT
"""What a worker does and remembers. Oracle: the library called directly; a reader that counts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.web import models, tasks
from unisono.web.limits import Limits
from unisono.web.tasks import Workshop

UNITS = "annotator,start,end,category\nann,0,5,X\nann,8,12,Y\nbob,0,6,X\nbob,8,12,X\n"


def task(folder: Path, kind: str, upload: str = "one", **more: Any) -> dict[str, Any]:
    (folder / "0").write_text(UNITS, encoding="utf-8")
    return {
        "task": kind,
        "upload": upload,
        "files": {"units.csv": str(folder / "0")},
        "reading": models.Reading().model_dump(mode="json"),
        "settings": {**models.Settings().model_dump(mode="json"), "seed": 1, "samples": 20},
        "limits": Limits().to_dict(),
        "threads": 1,
        "estimates": True,
        "folder": str(folder),
        "saved": str(folder / "result.unisono"),
        **more,
    }


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every reading of files."""
    found: list[str] = []
    plain = tasks.inspect

    def counted(paths: Any, **options: Any) -> Any:
        found.append(str(paths))
        return plain(paths, **options)

    monkeypatch.setattr(tasks, "inspect", counted)
    return found


def test_data_are_read_once_until_they_are_forgotten(tmp_path: Path, readings: list[str]) -> None:
    workshop = Workshop()
    for _ in range(2):
        workshop.outcome(task(tmp_path, "measure"), lambda message: None)
    assert readings == ["units.csv"]
    workshop.forget("another")
    workshop.outcome(task(tmp_path, "measure"), lambda message: None)
    assert len(readings) == 1
    workshop.forget("one")
    workshop.outcome(task(tmp_path, "measure"), lambda message: None)
    assert len(readings) == 2
    for i in range(tasks.CORPORA):
        workshop.outcome(task(tmp_path, "read", upload=str(i)), lambda message: None)
    workshop.outcome(task(tmp_path, "measure"), lambda message: None)
    assert len(readings) == 3 + tasks.CORPORA


def test_a_measurement(tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    assert Workshop().outcome(task(tmp_path, "measure"), told.append) == {"problems": [], "warnings": []}
    assert [message["event"] for message in told if message["event"] != "progress"] == ["estimate", "result"]
    (tmp_path / "units.csv").write_text(UNITS, encoding="utf-8")
    expected = unisono.measure(tmp_path / "units.csv", seed=1, samples=20)
    assert (
        json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["measures"]
        == (expected.to_dict()["measures"])
    )
    assert unisono.load_result(tmp_path / "result.unisono")["gamma"].value == expected["gamma"].value


def test_presets_that_merge_units_align_what_they_measure(tmp_path: Path) -> None:
    work = task(tmp_path, "alignment", document=None, every=False, format="json", to=str(tmp_path / "made.json"))
    work["settings"]["preset"] = "pygamma"
    (tmp_path / "0").write_text(UNITS + "ann,0,5,X\n", encoding="utf-8")
    assert Workshop().outcome(work, lambda message: None) == {}
    made = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))
    assert made["documents"][0]["units"] == 4


def test_a_result_is_explained_once_for_the_page_and_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equivalents and what-if measure again and again; the report has those that the page showed."""
    explained: list[unisono.Explanation] = []
    plain = tasks.explain

    def counted(result: unisono.Result) -> unisono.Explanation:
        explained.append(plain(result))
        return explained[-1]

    monkeypatch.setattr(tasks, "explain", counted)
    workshop = Workshop()
    workshop.outcome(task(tmp_path, "measure"), lambda message: None)
    outputs = {"explanation": tmp_path / "explanation.json", "report": tmp_path / "report.html"}
    for kind, path in outputs.items():
        more = {"form": "page", "text": True} if kind == "report" else {}
        assert "problems" not in workshop.outcome(task(tmp_path, kind, to=str(path), **more), lambda message: None)
    (explanation,) = explained
    shown = json.loads(outputs["explanation"].read_text(encoding="utf-8"))
    assert shown["equivalents"] == explanation.to_dict()["equivalents"]
    page = outputs["report"].read_text(encoding="utf-8")
    overview = re.search(r'<script[^>]* id="overview-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert overview is not None
    assert json.loads(overview[1])["equivalents"] == shown["equivalents"] != []
    workshop.forget("one")
    workshop.outcome(task(tmp_path, "explanation", to=str(outputs["explanation"])), lambda message: None)
    assert len(explained) == 2
