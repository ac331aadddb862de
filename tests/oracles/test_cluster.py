# SPDX-License-Identifier: MIT
"""Work on a Dask cluster, whose workers die. Oracle: the same work done here, byte by byte."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import unisono
from generators import spread_continuum
from unisono import _core, parallel

PATIENCE = 120


@dataclass
class LocalCluster:
    """A scheduler and two workers on the loopback, each a process of its own."""

    address: str
    workers: dict[str, subprocess.Popen[bytes]]
    scheduler: subprocess.Popen[bytes]

    def kill_a_busy_worker(self, command: subprocess.Popen[str]) -> None:
        """SIGKILL a worker in the middle of its work for the command."""
        from distributed import Client

        end = time.monotonic() + PATIENCE
        with Client(self.address, set_as_default=False, timeout=PATIENCE) as client:
            while time.monotonic() < end:
                assert command.poll() is None, command.communicate()
                running = {address for address, keys in client.processing().items() if keys}
                known = client.scheduler_info(n_workers=-1)["workers"]
                busy = [known[address]["name"] for address in running if address in known]
                if busy:
                    self.workers[busy[0]].kill()
                    self.workers[busy[0]].wait(timeout=30)
                    return
                time.sleep(0.05)
        pytest.fail("no worker was ever busy")


def program(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=quiet, stderr=quiet, stdin=quiet)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    file = tmp_path / "scheduler.json"
    scheduler = program(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0",
        "--scheduler-file", str(file),
    )  # fmt: skip
    workers = {
        name: program(
            "distributed.cli.dask_worker", "--scheduler-file", str(file), "--name", name, "--nthreads", "1",
            "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path), "--host", "127.0.0.1",
        )
        for name in ("one", "two")
    }  # fmt: skip
    try:
        from distributed import Client

        end = time.monotonic() + PATIENCE
        while not (file.exists() and file.stat().st_size):
            assert scheduler.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        with Client(scheduler_file=str(file), set_as_default=False, timeout=PATIENCE) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
            address = client.scheduler.address
        yield LocalCluster(address, workers, scheduler)
    finally:
        for process in (*workers.values(), scheduler):
            process.kill()
            process.wait(timeout=20)


def command(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "unisono", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(running: subprocess.Popen[str]) -> str:
    out, err = running.communicate(timeout=300)
    assert running.returncode == 0, err
    return out


SPEC = """\
measures = ["gamma", "ser", "own_for_cluster:units"]
errors = ["position", "category"]
magnitudes = [0, 0.2, 0.4, 0.6, 0.8, 1]
sets = 20
samples = 100
reference = {units = 20, length = [10, 20], gap = [0, 5]}
"""


@pytest.mark.long
def test_a_benchmark_loses_nothing_with_a_worker(cluster: LocalCluster, tmp_path: Path) -> None:
    """Nor need the workers be able to import a function that lies beside the benchmark's file: it is sent to them."""
    (tmp_path / "own_for_cluster.py").write_text("def units(continuum):\n    return continuum.n_units\n")
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC, encoding="utf-8")
    running = command("benchmark", spec, "--out", tmp_path / "there", "--cluster", cluster.address)
    cluster.kill_a_busy_worker(running)
    there = finished(running)
    here = finished(command("benchmark", spec, "--out", tmp_path / "here", "--jobs", 1))
    assert there == here
    assert [worker.poll() for worker in cluster.workers.values()].count(-signal.SIGKILL) == 1
    for name in ("results.csv", "results.parquet", "summary.csv", "verdicts.csv", "benchmark.json"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes(), name


@pytest.mark.long
def test_measure_loses_nothing_with_a_worker(cluster: LocalCluster, tmp_path: Path) -> None:
    table = tmp_path / "corpus.csv"
    rows = ["document,annotator,start,end,category"]
    for number in range(120):
        made = spread_continuum(3, 25, 2, seed=number)
        rows += [f"d{number},{unit.annotator},{unit.start},{unit.end},{unit.category}" for unit in made]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    arguments = ("measure", table, "--measure", "gamma,gamma-cat", "--samples", 200, "--seed", 3, "--json")
    running = command(*arguments, "--cluster", cluster.address)
    cluster.kill_a_busy_worker(running)
    assert finished(running) == finished(command(*arguments))
    assert [worker.poll() for worker in cluster.workers.values()].count(-signal.SIGKILL) == 1


@pytest.mark.long
def test_one_hard_document_is_spread_over_the_workers(cluster: LocalCluster, tmp_path: Path) -> None:
    table = tmp_path / "document.csv"
    made = spread_continuum(10, 60, 2, seed=1)
    rows = ["annotator,start,end,category"]
    rows += [f"{unit.annotator},{unit.start},{unit.end},{unit.category}" for unit in made]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    arguments = ("measure", table, "--measure", "gamma,gamma-cat", "--samples", 200, "--seed", 3, "--json")
    running = command(*arguments, "--cluster", cluster.address)
    cluster.kill_a_busy_worker(running)
    assert finished(running) == finished(command(*arguments))


@pytest.mark.long
def test_interrupted_or_without_a_scheduler_it_says_how_to_go_on(cluster: LocalCluster, tmp_path: Path) -> None:
    (tmp_path / "own_for_cluster.py").write_text("def units(continuum):\n    return continuum.n_units\n")
    spec, out = tmp_path / "spec.toml", tmp_path / "out"
    spec.write_text(SPEC.replace("samples = 100", "samples = 600"), encoding="utf-8")
    kept = f"Finished cells are kept in {out / 'cells'}; the same command continues from there.\n"
    for stopped in ("interrupted", "scheduler"):
        n_before = len(list(out.rglob("*.json")))
        running = command("benchmark", spec, "--out", out, "--cluster", cluster.address)
        end = time.monotonic() + PATIENCE
        while len(list(out.rglob("*.json"))) == n_before and time.monotonic() < end:
            time.sleep(0.05)
        if stopped == "interrupted":
            running.send_signal(signal.SIGINT)
        else:
            cluster.scheduler.kill()
        said = running.communicate(timeout=60)[1]
        if stopped == "interrupted":
            assert (running.returncode, said) == (130, kept + "unisono: interrupted\n")
        else:
            assert running.returncode == 3
            assert kept in said
            assert f"the cluster at {cluster.address} was lost while it was working" in said
            assert "Traceback" not in said


@pytest.mark.long
def test_a_late_worker_with_other_sources_is_refused(cluster: LocalCluster, tmp_path: Path) -> None:
    """It joins while the others work, and they are killed: nobody else is left to do the work, and it may not."""
    other = tmp_path / "other" / "unisono"
    shutil.copytree(Path(unisono.__file__).parent, other)
    shutil.copy(_core.__file__, other)
    with (other / "measures" / "gamma.py").open("a", encoding="utf-8") as file:
        file.write("# one line more\n")
    (tmp_path / "own_for_cluster.py").write_text("def units(continuum):\n    return continuum.n_units\n")
    spec, out = tmp_path / "spec.toml", tmp_path / "out"
    spec.write_text(SPEC.replace("samples = 100", "samples = 600"), encoding="utf-8")
    running = command("benchmark", spec, "--out", out, "--cluster", cluster.address)
    end = time.monotonic() + PATIENCE
    while not list(out.rglob("*.json")):
        assert running.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    # An editable install finds its own sources before those of any folder.
    begin = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "sys.meta_path[:] = [each for each in sys.meta_path if 'ScikitBuild' not in type(each).__name__]\n"
        "from distributed.cli.dask_worker import main; sys.exit(main())"
    )
    late = subprocess.Popen(
        [sys.executable, "-c", begin, str(other.parent), cluster.address, "--name", "late", "--nthreads", "1",
         "--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path), "--host", "127.0.0.1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(other.parent)},
    )  # fmt: skip
    try:
        from distributed import Client

        with Client(cluster.address, set_as_default=False, timeout=PATIENCE) as client:
            client.wait_for_workers(3, timeout=PATIENCE)
            told = client.run(parallel.sources)
        assert len(set(told.values())) == 2  # the late one does have other sources
        for worker in cluster.workers.values():
            worker.kill()
            worker.wait(timeout=30)
        said = running.communicate(timeout=PATIENCE)[1]
        assert [worker.poll() for worker in cluster.workers.values()] == [-signal.SIGKILL] * 2
        assert late.poll() is None
    finally:
        for process in (late, running):
            process.kill()
            process.wait(timeout=30)
    assert running.returncode == 1
    assert "workers have unisono" in said
    assert "Install the same version on each of them." in said
    assert "Traceback" not in said


# -- what can be wrong with a cluster --------------------------------------------------------------------------------


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(unisono.MissingDependencyError, match=r"pip install 'unisono\[cluster\]'"),
        parallel.cluster("tcp://127.0.0.1:8786"),
    ):
        pass


class FakeClient:
    """What is used of Dask's client, with workers that say what the test wants."""

    def __init__(self, versions: list[Any] | None):
        self.versions = versions
        self.closed = False

    def wait_for_workers(self, n: int, timeout: float) -> None:
        if self.versions is None:
            raise TimeoutError

    def run(self, function: Any, on_error: str) -> dict[str, Any]:
        assert self.versions is not None
        return {f"tcp://{i}": version for i, version in enumerate(self.versions)}

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        (None, r"the cluster at tcp://x had no worker within 60 seconds. Start one with `dask worker tcp://x`"),
        (["0.0.1"], r"workers have unisono 0\.0\.1, and this program is .*\. Install the same version on each of them"),
        (
            [ModuleNotFoundError("No module named 'unisono'")],
            r"some workers cannot load unisono \(No module named 'unisono'\). Install",
        ),
    ],
)
def test_workers_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, versions: list[Any] | None, message: str) -> None:
    client = FakeClient(versions)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=lambda *_, **__: client))
    with pytest.raises(unisono.ParameterError, match=message), parallel.cluster("tcp://x"):
        pass
    assert client.closed


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_nobody_at_the_address(address: str) -> None:
    """In a process of its own: a client that found nobody leaves threads behind."""
    code = (
        "from unisono import parallel, ParameterError\nparallel.ANSWER_WITHIN = 1\n"
        f"try:\n    parallel.cluster({address!r}).__enter__()\n"
        "except ParameterError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.startswith(f"no Dask scheduler answers at {address}")
    assert done.stdout.rstrip().endswith(
        "Start one with `dask scheduler`, and give its address, such as tcp://127.0.0.1:8786."
    )


def test_processes_leave_interrupts_to_their_parent() -> None:
    with parallel.processes(1) as executor:
        assert executor.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
        assert executor.submit(os.getpid).result() != os.getpid()


def test_left_early_processes_end_at_once() -> None:
    began = time.monotonic()

    def leave(executor: Executor) -> None:
        executor.submit(time.sleep, 600)
        time.sleep(0.5)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"), parallel.processes(1) as executor:
        leave(executor)
    assert time.monotonic() - began < 300


def test_work_as_it_is_done() -> None:
    """The first to finish comes first; all come."""
    with parallel.processes(2) as executor:
        executor.submit(os.getpid).result()
        found = list(parallel.as_done(_late, [5.0, 0.0, 0.1], executor))
    assert sorted(found) == [(0.0, 0.0), (0.1, 0.1), (5.0, 5.0)]
    assert found[-1] == (5.0, 5.0)


def _late(seconds: float) -> float:
    time.sleep(seconds)
    return seconds
