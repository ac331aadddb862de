# SPDX-License-Identifier: MIT
"""The JSON service, for real. Oracles: the command line and the library on the same data; the samples' own counts."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.responses import StreamingResponse

import unisono
from serving import Service, serving, table
from unisono.cli import main
from unisono.web import models
from unisono.web.jobs import Jobs
from unisono.web.limits import Limits
from unisono.web.pool import Pool, TaskCancelledError, TaskFailedError, _Worker
from unisono.web.routes.common import send_file
from unisono.web.store import Store, StoredUpload

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = "annotator,start,end,category\nann,0,5,X\nann,8,12,Y\nbob,0,6,X\nbob,8,12,X\n"
ENTITIES = {"entities.csv": (EXAMPLES / "entities.csv").read_bytes()}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving() as running:
        yield running


def command_line(*arguments: str, folder: Path = EXAMPLES) -> str:
    """What the command prints, called where the data are: names in it are then those of the files alone."""
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        assert main(arguments) == 0
    return printed.getvalue()


# -- the same numbers everywhere -------------------------------------------------------------------------------------


MATRIX = {"Person": {"Organisation": 0.5, "Location": 1, "Date": 1}, "Organisation": {"Location": 0.3, "Date": 1},
          "Location": {"Date": 1}}  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, []),
        ({"measures": ["gamma", "gamma-cat", "gamma-k"], "alpha": 2, "beta": 0.5, "delta_empty": 1.5},
         ["--measure", "gamma,gamma-cat,gamma-k", "--alpha", "2", "--beta", "0.5", "--delta-empty", "1.5"]),
        ({"preset": "greyc", "precision": 0.05}, ["--preset", "greyc", "--precision", "0.05"]),
        ({"chance": "statistical", "samples": 40}, ["--chance", "statistical", "--samples", "40"]),
        ({"positional": "absolute", "scale": 10, "categorial": "levenshtein"},
         ["--positional", "absolute", "--scale", "10", "--categorial", "levenshtein"]),
        ({"measures": ["u-alpha", "kappa-d", "f1-exact"], "reference": "ada"},
         ["--measure", "u-alpha,kappa-d,f1-exact", "--reference", "ada"]),
    ],
)  # fmt: skip
def test_the_same_to_the_byte_as_the_command_line(
    service: Service, settings: dict[str, Any], options: list[str]
) -> None:
    upload = service.send(ENTITIES, extent=[0, 286])
    sent = {"upload": upload["id"], "settings": {"seed": 42, **settings}}
    answer = service.client.post("/measure", json=sent)
    assert answer.status_code == 200, answer.text
    printed = command_line("measure", "entities.csv", "--extent", "0:286", "--seed", "42", "--json", *options)
    assert answer.text == printed
    # As a job with estimates: still the same, although its samples were drawn in several goes.
    job = service.begin(upload, seed=42, **settings)
    assert service.end(job)[0] == "done"
    assert service.client.get(f"{job}/result").text == printed


def test_a_matrix_of_distances_is_that_of_the_command_line(service: Service, tmp_path: Path) -> None:
    names = ["Person", "Organisation", "Location", "Date"]
    rows = [["", *names]]
    both = {frozenset((a, b)): str(x) for a, row in MATRIX.items() for b, x in row.items()}
    rows += [[a, *(both.get(frozenset((a, b)), "0") for b in names)] for a in names]
    (tmp_path / "matrix.csv").write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    upload = service.send(ENTITIES)
    settings = {"seed": 7, "category_distances": MATRIX}
    answer = service.client.post("/measure", json={"upload": upload["id"], "settings": settings})
    printed = command_line(
        "measure", "entities.csv", "--seed", "7", "--json", "--category-distances",
        str(tmp_path / "matrix.csv"),
    )  # fmt: skip
    assert answer.text == printed


def test_the_library_gives_the_same(service: Service) -> None:
    answer = service.client.post("/measure", json={"upload": service.send(ENTITIES)["id"], "settings": {"seed": 3}})
    result = unisono.measure(EXAMPLES / "entities.csv", seed=3)
    assert answer.json()["signature"] == result.signature
    assert answer.json()["measures"]["gamma"]["value"] == result["gamma"].value


def test_versions_of_a_text_are_measured(service: Service, tmp_path: Path) -> None:
    """text-γ of files of tokens, one for each annotator: the value, the pairs and the report of the library."""
    files = {"ann.tsv": "form\tpos\nso\tADV\nla\tX\n", "bob.tsv": "form\tpos\nsoo\tADV\nla\tY\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    upload = service.send(dict(files), versions=True)
    assert upload["annotators"] == ["ann", "bob"]
    settings = {"seed": 3, "samples": 20, "measures": ["text-gamma"], "p_text": 0.25, "p_seg": [0.1, 10]}
    answer = service.client.post("/measure", json={"upload": upload["id"], "settings": settings})
    paths = [tmp_path / name for name in files]
    result = unisono.measure(paths, "text-gamma", seed=3, samples=20, p_text=0.25, p_seg=(0.1, 10))
    assert answer.json()["measures"] == result.to_dict()["measures"]
    assert answer.json()["signature"] == result.signature


def test_estimates_are_what_fewer_samples_give(service: Service) -> None:
    """An estimate from n samples is the value that `samples=n` has, and the interval shrinks on the way."""
    job = service.begin(service.send(ENTITIES), seed=42, measures=["gamma", "gamma-cat"])
    events = list(service.events(job))
    estimates = [data for name, data in events if name == "estimate"]
    assert [name for name, _ in events if name != "progress"] == ["estimate"] * len(estimates) + ["result", "done"]
    assert len(estimates) >= 2
    assert estimates[0]["samples"] == 10
    for estimate in estimates:
        alone = unisono.measure(EXAMPLES / "entities.csv", ["gamma", "gamma-cat"], seed=42, samples=estimate["samples"])
        for name in ("gamma", "gamma-cat"):
            assert estimate["measures"][name]["value"] == alone[name].value
    widths = [
        interval["high"] - interval["low"]
        for interval in (estimate["measures"]["gamma"]["intervals"][0] for estimate in (estimates[0], estimates[-1]))
    ]
    assert widths[1] < widths[0]
    left = [data["time_left"] for name, data in events if name == "progress" and data["time_left"] is not None]
    assert left
    assert left[-1] < 30


def test_a_seed_is_drawn_and_told(service: Service) -> None:
    upload = service.send(ENTITIES)
    first = service.client.post("/measure", json={"upload": upload["id"]}).json()
    again = service.client.post("/measure", json={"upload": upload["id"], "settings": {"seed": first["seed"]}}).json()
    assert again["measures"] == first["measures"]


# -- uploads ---------------------------------------------------------------------------------------------------------


def test_what_was_understood(service: Service) -> None:
    upload = service.send(ENTITIES)
    assert upload["readable"]
    assert upload["data"]["units"] == 31
    assert upload["annotators"] == ["ada", "ben", "chloe"]
    assert upload["categories"] == ["Date", "Location", "Organisation", "Person"]
    assert upload["contents"]["columns"] == ["annotator", "start", "end", "category"]
    assert upload["documents"][0]["extent"] == {"start": 0, "end": 253, "source": "guessed"}
    assert service.client.get(f"/uploads/{upload['id']}").json() == upload


def test_a_folder_of_files(service: Service, shared: Path) -> None:
    """A brat folder, sent file by file with its folders, is what the command line reads from disk."""
    root = shared / "samples" / "brat"
    files = {str(path.relative_to(root.parent)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    upload = service.send(files)
    expected = json.loads(command_line("validate", root.name, "--json", folder=root.parent))
    assert upload["readable"] == expected["readable"]
    assert upload["data"] == expected["data"]


def test_an_archive(service: Service, shared: Path) -> None:
    found = sorted((shared / "samples").rglob("*.zip"))
    assert found
    for path in found[:3]:
        upload = service.send({path.name: path.read_bytes()})
        expected = json.loads(command_line("validate", path.name, "--json", folder=path.parent))
        assert upload["data"] == expected["data"]
        assert upload["understood"] == expected["understood"]


def test_reading_again(service: Service) -> None:
    """Which column, whose name, which layer: corrected without sending the files again."""
    rows = "wer,von,bis,was,note\nann,0,5,X,a\nbob,0,6,X,b\n"
    upload = service.send({"units.csv": rows})
    assert not upload["readable"]
    assert upload["contents"]["columns"] == ["wer", "von", "bis", "was", "note"]
    columns = {"annotator": "wer", "start": "von", "end": "bis", "category": "was"}
    again = service.client.post(f"/uploads/{upload['id']}/reading", json={"columns": columns}).json()
    assert again["readable"]
    assert again["categories"] == ["X"]
    other = service.client.post(
        f"/uploads/{upload['id']}/reading", json={"columns": {**columns, "category": "note"}}
    ).json()
    assert other["categories"] == ["a", "b"]
    wrong = service.client.post(f"/uploads/{upload['id']}/reading", json={"annotator_from": "nowhere"})
    assert wrong.status_code == 422
    assert wrong.json()["problems"][0]["code"] == "layout"
    assert service.client.get(f"/uploads/{upload['id']}").json() == other  # as before the wrong setting


def test_layers_to_choose_from(service: Service) -> None:
    texts = {f"{who}/a.txt": "Anna sings in Caen" for who in ("ann", "bob")}
    units = {f"{who}/a.ann": "T1\tPerson 0 4\tAnna\nT2\tPlace 14 18\tCaen\n" for who in ("ann", "bob")}
    upload = service.send({**texts, **units})
    assert upload["annotators"] == ["ann", "bob"]
    assert upload["documents"][0]["has_text"]
    assert upload["contents"]["kinds"] == {"brat": 2}


def test_every_problem_with_its_place(service: Service) -> None:
    rows = "annotator,start,end,category\nann,5,3,X\nann,0,x,X\nbob,0,6,X\nann,0,6,X\n"
    upload = service.send({"broken.csv": rows})
    assert not upload["readable"]
    assert upload["skippable"]
    assert {(p["code"], p["where"]) for p in upload["problems"] if p["severity"] == "error"} == {
        ("end-before-start", "broken.csv:2"), ("not-a-number", "broken.csv:3"),
    }  # fmt: skip
    refused = service.client.post("/measure", json={"upload": upload["id"]})
    assert refused.status_code == 422
    assert {p["where"] for p in refused.json()["problems"]} == {"broken.csv:2", "broken.csv:3"}
    again = service.client.post(f"/uploads/{upload['id']}/reading", json={"skip_invalid": True}).json()
    assert again["readable"]
    assert again["data"]["units"] == 2


def test_tables_beside_the_units(service: Service) -> None:
    files = {"a.csv": "annotator,start,end\nann,0,5\nbob,0,6\n", "d.csv": "document,text\na,Anna sings\n"}
    upload = service.send(files, documents="d.csv")
    assert upload["documents"] == [
        {"name": "a", "annotators": ["ann", "bob"], "units": 2, "has_text": True,
         "extent": {"start": 0, "end": 10, "source": "text"}}
    ]  # fmt: skip
    unknown = service.client.post(f"/uploads/{upload['id']}/reading", json={"documents": "other.csv"})
    assert unknown.json()["problems"][0]["code"] == "unknown-file"


def test_the_samples_are_the_examples(service: Service) -> None:
    import unisono.web.samples as package

    for name in ("entities.csv", "entities.txt", "gestures.csv"):
        assert (Path(package.__file__).parent / name).read_bytes() == (EXAMPLES / name).read_bytes()
    names = [sample["name"] for sample in service.client.get("/samples").json()]
    assert names == ["entities", "gestures", "debates"]
    for name in names:
        upload = service.client.post(f"/samples/{name}").json()
        assert upload["readable"]
        assert [p["severity"] for p in upload["problems"] if p["severity"] != "note"] == []
    assert service.client.post("/samples/none").status_code == 404


# -- what is made of a result ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def job(service: Service) -> str:
    upload = service.client.post("/samples/entities").json()
    path = service.begin(upload, seed=42)
    assert service.end(path)[0] == "done"
    return path


def test_the_words_are_those_of_the_report(service: Service) -> None:
    from unisono.report import sentences

    job = service.begin(service.send(ENTITIES), seed=42, measures=["gamma", "gamma-cat", "gamma-k"])
    assert service.end(job)[0] == "done"
    result = unisono.measure(EXAMPLES / "entities.csv", ["gamma", "gamma-cat", "gamma-k"], seed=42)
    words = service.client.get(f"{job}/words").json()
    assert set(words) == set(models.Words.model_fields)  # what OpenAPI describes
    assert words["methods"]["latex"] == sentences.methods(result).latex
    assert words["bibtex"] == sentences.bibliography(result)
    assert words["caution"] == sentences.NO_THRESHOLD
    for name, value in result.measures.items():
        assert words["measures"][name]["meaning"] == sentences.meaning(name, value)
        assert words["measures"][name]["certainty"] == sentences.certainty(value)
    assert words["basis"].startswith("Precision reached: within 2 % of the expected disorder")


def test_documents_without_an_alignment_are_shown_all_the_same(service: Service) -> None:
    rows = "document,annotator,start,end\none,ann,0,5\none,bob,0,6\nlonely,ann,1,4\n"
    job = service.begin(service.send({"two.csv": rows}), seed=1, samples=10)
    view = service.client.get(f"{job}/alignment", params={"document": "lonely"}).json()
    assert view["alignment"] is None
    assert view["units"]["start"] == [1]
    table_of_all = service.client.get(f"{job}/alignment", params={"format": "csv", "every": True})
    assert [row.split(",")[0] for row in table_of_all.text.splitlines()[1:]] == ["one"]


def test_the_alignment(service: Service, job: str) -> None:
    result = service.client.get(f"{job}/result").json()
    view = service.client.get(f"{job}/alignment").json()
    assert view["annotators"] == ["ada", "ben", "chloe"]
    assert view["text"].startswith("Marie Duval")
    assert view["alignment"]["disorder"] == result["measures"]["gamma"]["observed"]
    exported = service.client.get(f"{job}/alignment", params={"format": "json", "document": "entities"}).json()
    assert exported["documents"][0]["disorder"] == view["alignment"]["disorder"]
    rows = service.client.get(f"{job}/alignment", params={"format": "csv"})
    assert rows.headers["content-type"].startswith("text/csv")
    assert len(rows.text.splitlines()) == 1 + result["measures"]["gamma"]["n_unitary_alignments"]
    every = service.client.get(f"{job}/alignment", params={"format": "csv", "every": True})
    assert every.text == rows.text  # there is one document
    unknown = service.client.get(f"{job}/alignment", params={"document": "none"})
    assert unknown.status_code == 422
    assert unknown.json()["problems"][0]["code"] == "document"


def test_who_agrees_with_whom(service: Service, job: str) -> None:
    found = service.client.get(f"{job}/pairwise").json()
    printed = command_line("annotators", "entities.csv", "--extent", "0:286", "--seed", "42", "--json")
    assert [pair["value"] for pair in found["pairs"]] == [pair["value"] for pair in json.loads(printed)["pairs"]]
    assert len(found["leave_one_out"]) == 3


def test_a_gold_standard(service: Service, job: str) -> None:
    found = service.client.get(f"{job}/gold").json()
    assert found["signature"].startswith("gold|")
    archive = service.client.get(f"{job}/gold", params={"format": "brat"})
    assert archive.headers["content-disposition"] == 'attachment; filename="gold.zip"'
    assert any(name.endswith(".ann") for name in zipfile.ZipFile(io.BytesIO(archive.content)).namelist())
    rows = service.client.get(f"{job}/gold", params={"format": "adjudication"}).text
    assert rows.startswith("document,unitary_alignment,disorder,look")
    assert service.client.get(f"{job}/gold", params={"format": "paper"}).status_code == 422


def test_the_report_and_the_saved_result(service: Service, job: str, tmp_path: Path) -> None:
    page = service.client.get(f"{job}/report")
    assert page.status_code == 200, page.text
    assert page.headers["content-disposition"] == 'attachment; filename="report.html"'
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert "leave" in page.text.lower()
    saved = service.client.get(f"{job}/save")
    (tmp_path / "result.unisono").write_bytes(saved.content)
    again = unisono.load_result(tmp_path / "result.unisono")
    assert again.to_dict() == service.client.get(f"{job}/result").json()
    assert again.corpus is not None
    assert again.corpus[0].text is not None
    without = service.client.get(f"{job}/report", params={"text": "false"}).text
    assert len(page.text) > len(without)


def test_nothing_before_it_is_there(service: Service) -> None:
    upload = service.send({"big.csv": table(1000)})
    path = service.begin(upload, samples=50_000)
    early = service.client.get(f"{path}/result")
    assert early.status_code == 409
    assert early.json()["problems"][0]["code"] == "not-ready"
    assert service.client.get(f"{path}/report").status_code == 409
    assert service.client.get(f"{path}/alignment").status_code == 200  # needs no samples
    assert service.client.delete(path).status_code == 204


# -- jobs ------------------------------------------------------------------------------------------------------------


def test_a_cancelled_job_ends() -> None:
    """The worker stops and stays: it is interrupted, not killed, for which it has an hour here, a second elsewhere."""
    patient = (
        "import sys; from unisono.web import pool; pool.GRACE = 3600.0\n"
        "from unisono.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    with serving("--jobs-limit", "1", program=["-c", patient]) as service:
        path = service.begin(service.send({"big.csv": table(1000)}), samples=5_000_000)
        service.wait(lambda health: health["running"] == 1)
        workers = service.workers
        events = service.events(path)
        next(events)
        assert service.client.delete(path).status_code == 204
        assert list(events)[-1][0] == "cancelled"
        service.wait(lambda health: health["running"] == 0)
        assert service.workers == workers
        assert service.client.get(path).status_code == 404


def test_a_file_that_is_deleted_while_it_is_sent(tmp_path: Path) -> None:
    """Oracle: the bytes written. A file deleted before the response is refused; afterwards it is still sent whole."""
    path, content = tmp_path / "derived-1.json", bytes(range(256)) * 4_000

    async def body(response: StreamingResponse) -> bytes:
        return b"".join([bytes(chunk) async for chunk in response.body_iterator])

    path.write_bytes(content)
    response = send_file(path, "application/json", {"location": "/here"})
    path.unlink()
    assert response.headers["content-length"] == str(len(content))
    assert response.headers["location"] == "/here"
    assert asyncio.run(body(response)) == content
    with pytest.raises(TaskCancelledError):
        send_file(path, "application/json")


def test_a_result_of_a_job_that_was_deleted() -> None:
    """The worker had told of its result when it was interrupted: nobody looks for the file, and the worker stays."""

    async def run() -> None:
        pool = Pool(Limits())
        jobs = Jobs(Store(pool.limits), pool)
        upload = StoredUpload("upload", jobs.store.new_folder()[1])
        job = jobs.begin(upload, {"seed": 1}, estimates=False)
        assert job.ticket is not None
        worker = SimpleNamespace(ticket=job.ticket, interrupt=lambda: None, cancel_kill=lambda: None)
        job.ticket.worker = worker  # type: ignore[assignment]
        pool._waiting.clear()
        jobs.forget(job)
        before = len(job.events)
        pool._handle_message(worker, {"event": "result"})  # type: ignore[arg-type]
        pool._handle_message(worker, {"end": {"problems": []}})  # type: ignore[arg-type]
        assert len(job.events) == before
        assert worker.ticket is None
        with pytest.raises(TaskCancelledError):
            await job.ticket.outcome
        jobs.store.close()

    asyncio.run(run())


def test_workers_that_cannot_be_started_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """No memory, no handles: what waits is refused after some tries, and the service goes on trying."""
    tries: list[int] = []

    async def start(cls: type) -> None:
        tries.append(1)
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    async def run() -> None:
        monkeypatch.setattr(_Worker, "start", classmethod(start))
        monkeypatch.setattr("unisono.web.pool._LONGEST_PAUSE", 0.001)
        pool = Pool(Limits(jobs=1))
        await pool.start()
        ticket = pool.submit({"task": "read"}, is_long=False)
        with pytest.raises(TaskFailedError, match="no worker process could be started"):
            await asyncio.wait_for(ticket.outcome, 20)
        before = len(tries)
        while len(tries) == before:
            await asyncio.sleep(0.01)
        await pool.close()

    asyncio.run(run())


def test_decisions_are_kept_where_no_more_uploads_are() -> None:
    """They belong to an upload that is there: only their size counts."""
    with serving("--kept-limit", "2") as service:
        upload = service.send({"small.csv": SMALL})
        job = service.begin(upload, samples=5)
        assert service.end(job)[0] == "done"
        made = {"schema": 1, "data": None, "decisions": []}
        assert service.client.put(f"/uploads/{upload['id']}/decisions", json=made).status_code == 204
        answer = service.client.post("/uploads", files={"files": ("b.csv", SMALL.encode())})
        assert answer.status_code == 507


def test_a_large_one_is_a_job(service: Service) -> None:
    upload = service.send({"big.csv": table(1000)})
    answer = service.client.post("/measure", json={"upload": upload["id"], "settings": {"seed": 1}})
    assert answer.status_code == 202
    job = answer.json()
    assert answer.headers["location"] == f"/api/v1/jobs/{job['id']}"
    assert job["settings"]["seed"] == 1
    name, data = service.end(f"/jobs/{job['id']}")
    assert (name, data) == ("done", {"problems": []})
    done = service.client.get(f"/jobs/{job['id']}").json()
    assert (done["status"], done["place"]) == ("done", None)


def test_events_can_be_taken_up_again(service: Service, job: str) -> None:
    everything = service.client.get(f"{job}/events").text
    numbers = [int(line.removeprefix("id: ")) for line in everything.splitlines() if line.startswith("id: ")]
    assert numbers == sorted(set(numbers))
    rest = service.client.get(f"{job}/events", headers={"last-event-id": str(numbers[-2])}).text
    assert rest.startswith(f"id: {numbers[-1]}\nevent: done\n")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"measures": ["gama"]}, "unknown-measure"),
        ({"preset": "none"}, "preset"),
        ({"positional": "absolute"}, "scale"),
        ({"precision": 0.1, "samples": 30}, "sampling"),
        ({"category_distances": {"Person": {"Location": 0.5}}}, "unknown-category"),
        ({"category_order": ["a"]}, "parameter"),
        ({"measures": ["gamma-k"], "categories": ["Persn"]}, "unknown-category"),
    ],
)
def test_settings_that_cannot_be(service: Service, settings: dict[str, Any], code: str) -> None:
    upload = service.send(ENTITIES)
    answer = service.client.post("/measure", json={"upload": upload["id"], "settings": settings})
    assert answer.status_code == 422
    assert code in {problem["code"] for problem in answer.json()["problems"]}


@pytest.mark.parametrize(
    "settings", [{"alpha": -1}, {"aplha": 1}, {"seed": -1}, {"samples": 1}, {"level": 1}, {"chance": "luck"}]
)
def test_settings_are_checked_by_name(service: Service, settings: dict[str, Any]) -> None:
    answer = service.client.post("/measure", json={"upload": "x", "settings": settings})
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["where"].startswith("body.settings.")


def test_lists(service: Service) -> None:
    for name in ("formats", "measures"):
        assert service.client.get(f"/{name}").json() == json.loads(command_line(name, "--json"))
    assert [preset["name"] for preset in service.client.get("/presets").json()] == list(unisono.PRESETS)
    assert service.client.get("/limits").json()["upload"] == 200 * 2**20


def test_the_client_in_the_docs(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """The example of docs/service.md, as it stands there."""
    text = (EXAMPLES.parent / "docs" / "service.md").read_text(encoding="utf-8")
    example = text.partition("```python\n")[2].partition("```")[0]
    assert "http://127.0.0.1:8417/" in example
    with contextlib.chdir(EXAMPLES.parent):
        exec(example.replace("http://127.0.0.1:8417/", service.url), {})
    understood, values = capsys.readouterr().out.splitlines()
    assert understood.startswith("CSV with header; 3 annotators (ada, ben, chloe)")
    expected = unisono.measure(EXAMPLES / "entities.csv", ["gamma", "gamma-cat"], seed=42)
    assert values == f"{expected['gamma'].value} {expected.signature}"


def test_the_page_and_the_viewer_are_served(service: Service) -> None:
    page = service.client.get(service.url)
    assert page.headers["content-type"].startswith("text/html")
    for path in ("page.js", "viewer/viewer.js"):
        script = service.client.get(f"{service.url}{path}")
        assert script.status_code == 200
        assert "javascript" in script.headers["content-type"]
    assert service.client.get(f"{service.url}../app.py").status_code == 404
    assert service.client.get(f"{service.url}viewer/%2e%2e/view.py").status_code == 404
