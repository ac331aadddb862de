# SPDX-License-Identifier: MIT
"""What is published with the package agrees with it. Oracle: pyproject.toml and the table of papers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from unisono.measures.papers import BARTELD_2016, MATHET_2015, MATHET_2017, Paper

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_citation_has_the_three_papers() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["project"]["version"]
    assert cited["license"] == PROJECT["project"]["license"]
    assert cited["repository-code"] == PROJECT["project"]["urls"]["Repository"]
    papers = (MATHET_2015, MATHET_2017, BARTELD_2016)
    for entry, paper in zip(cited["references"], papers, strict=True):
        _check_reference(entry, paper)
    _check_reference(cited["preferred-citation"], MATHET_2015)


def _check_reference(entry: dict[str, Any], paper: Paper) -> None:
    assert entry["title"] == paper.title
    assert entry["year"] == paper.year
    assert tuple(f"{a['family-names']}, {a['given-names']}" for a in entry["authors"]) == paper.authors
    if paper.kind == "article":
        assert f"{entry['start']}-{entry['end']}" == paper.fields["pages"]
        assert (str(entry["volume"]), str(entry["issue"])) == (paper.fields["volume"], paper.fields["number"])
        assert entry["doi"] == paper.fields["doi"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows(path: Path) -> None:
    """They can be read, ask for no more rights than they need, name versions, and call targets that exist."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if "uses" in step:
                assert re.search(r"@(v\d+(\.\d+)*|release/v\d+)$", step["uses"]), step["uses"]
            elif step["run"].startswith("make "):
                assert set(step["run"].split()[1:]) <= targets, step["run"]
    assert "secrets." not in path.read_text(encoding="utf-8")


def test_every_python_is_tested_and_has_a_wheel() -> None:
    named = {c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", c)}
    ci = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert set(ci["jobs"]["installed"]["strategy"]["matrix"]["python"]) == named
    built = set(re.findall(r"cp(\d)(\d+)-", PROJECT["tool"]["cibuildwheel"]["build"]))
    assert {f"{major}.{minor}" for major, minor in built} == named
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"


@pytest.mark.parametrize("is_ci", [False, True])
def test_a_page_that_cannot_be_made_is_said_and_not_tested(tmp_path: Path, *, is_ci: bool) -> None:
    """`make test-all` goes on without it, loudly; with CI=true it fails. An older page is not tested in its place."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").touch()
    variables = [f"VENV={tmp_path / 'environment'}", f"PYTHON={tmp_path / 'nowhere'}", f"STATIC_PAGE={page}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(
        ["make", "static-page-if-possible", *variables],
        cwd=ROOT, env=environment | {"CI": "true" if is_ci else ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not page.exists()
    assert (made.returncode != 0) is is_ci
    assert ("WILL BE SKIPPED" in made.stderr) is not is_ci


def steps_of_the_image() -> dict[str, list[str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    steps: dict[str, list[str]] = {}
    for line in text.splitlines():
        instruction, _, rest = line.partition(" ")
        if instruction.isupper():
            steps.setdefault(instruction, []).append(rest)
    return steps


def answer(url: str, *, seconds: float = 120) -> int:
    """The status that a service answers with once it is there."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=20) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def serve(folder: Path, binaries: Path, port: int) -> None:
    """Start the image's command with the programs of a folder, and ask it with and without the token."""
    (command,) = steps_of_the_image()["CMD"]
    assert steps_of_the_image()["EXPOSE"] == ["8417"]
    command = command.replace("8417", str(port)).replace("0.0.0.0", "127.0.0.1")
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", "UNISONO_TOKEN": "long-secret"}
    service = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment, stderr=subprocess.PIPE)
    try:
        assert answer(f"http://127.0.0.1:{port}/") == 401
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/openapi.json", headers={"authorization": "Bearer long-secret"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            assert response.status == 200
    finally:
        service.send_signal(signal.SIGINT)
        service.communicate(timeout=120)
    without = environment | {"UNISONO_TOKEN": ""}
    refused = subprocess.run(["sh", "-c", command], env=without, capture_output=True, text=True, timeout=120)
    assert refused.returncode != 0
    assert "set UNISONO_TOKEN" in refused.stderr


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_command_of_the_image(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    pytest.importorskip("uvicorn")
    serve(tmp_path, Path(sys.executable).parent, free_port())


@pytest.mark.long
def test_the_steps_of_the_image(tmp_path: Path) -> None:
    """Its two pip commands and its command, one after the other, in a plain environment instead of a container."""
    wheel, install = (run for run in steps_of_the_image()["RUN"] if "pip" in run)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    binaries = tmp_path / "environment" / "bin"
    for step in (wheel.replace(" /source", f" {ROOT}"), install):
        command = step.replace("/wheels", str(tmp_path / "wheels")).replace("python -m", f"{binaries}/python -m")
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=1200, check=False)
        if "No matching distribution" in done.stderr or "Could not find a version" in done.stderr:
            pytest.skip("no package index can be reached")
        assert done.returncode == 0, done.stderr
    serve(tmp_path, binaries, free_port())
