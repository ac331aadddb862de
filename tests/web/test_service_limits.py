# SPDX-License-Identifier: MIT
"""What strangers may not do to the service, and what it survives. Oracle: others are answered meanwhile and after."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import os
import resource
import signal
import socket
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from serving import Service, serving, table
from unisono.web.connections import HEADER_TIME, SILENT, STALLED

SMALL = "annotator,start,end,category\nann,0,5,X\nann,8,12,Y\nbob,0,6,X\nbob,8,12,X\n"


@pytest.fixture(scope="module")
def tight() -> Iterator[Service]:
    """A service with narrow limits: six seconds for a job, one at a time, two waiting."""
    with serving(
        "--jobs-limit", "1", "--waiting-limit", "2", "--job-time-limit", "6", "--reading-time-limit", "6",
        "--upload-limit", "2M", "--unpacked-limit", "8M", "--files-limit", "30", "--units-limit", "4000",
    ) as running:  # fmt: skip
        yield running


@pytest.fixture(scope="module")
def roomy() -> Iterator[Service]:
    """A service as it comes, but for one job at a time."""
    with serving("--jobs-limit", "1", "--job-time-limit", "60") as running:
        yield running


def archive(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return packed.getvalue()


def codes(upload: dict[str, Any]) -> set[str]:
    return {problem["code"] for problem in upload["problems"] if problem["severity"] == "error"}


def is_well(service: Service) -> bool:
    """Whether the service still measures what others send."""
    sent = {"upload": service.send({"small.csv": SMALL})["id"], "settings": {"samples": 10}}
    return service.client.post("/measure", json=sent).status_code == 200


# -- uploads ---------------------------------------------------------------------------------------------------------


def test_a_zip_bomb(tight: Service) -> None:
    """60 MB of nothing in 60 kB, an archive of them, and one that lies about its size."""
    bomb = archive({"a.csv": b"0" * 60_000_000})
    assert len(bomb) < 100_000
    assert codes(tight.send({"bomb.zip": bomb})) == {"size-limit"}
    assert codes(tight.send({"nested.zip": archive({f"{i}.zip": bomb for i in range(5)})})) == {"size-limit"}
    assert codes(tight.send({"a.csv.gz": gzip.compress(b"0" * 50_000_000)})) == {"size-limit"}
    assert is_well(tight)


def test_many_files(tight: Service) -> None:
    many = {f"{i}.csv": SMALL.encode() for i in range(60)}
    assert codes(tight.send({"many.zip": archive(many)})) == {"file-limit"}
    answer = tight.client.post("/uploads", files=[("files", item) for item in many.items()])
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["severity"] == "error"
    assert is_well(tight)


def test_an_entity_bomb(tight: Service) -> None:
    levels = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{levels}]><TEI xmlns="http://www.tei-c.org/ns/1.0">&l9;</TEI>'
    outside = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ANNOTATION_DOCUMENT>&e;</ANNOTATION_DOCUMENT>'
    for name, text in (("bomb.xml", bomb), ("outside.eaf", outside)):
        answer = tight.client.post("/uploads", files=[("files", (name, text))])
        assert answer.status_code == 201
        assert not answer.json()["readable"]
        assert "root:" not in answer.text
        assert "time-limit" not in answer.text  # it was refused, not given up
    assert is_well(tight)


@pytest.mark.parametrize("name", ["../../etc/passwd.csv", "/../x.csv", "a/../../b.csv", "a\x00b.csv", "", "x" * 2000])
def test_names_are_never_paths(tight: Service, name: str) -> None:
    body = (
        b'--cut\r\ncontent-disposition: form-data; name="files"; filename="' + name.encode() + b'"\r\n\r\n'
        + SMALL.encode() + b"\r\n--cut--\r\n"
    )  # fmt: skip
    answer = tight.client.post("/uploads", content=body, headers={"content-type": "multipart/form-data; boundary=cut"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["problems"]


def test_an_archive_that_points_outside(tight: Service) -> None:
    for name in ("../../evil.csv", "/etc/evil.csv", "..\\evil.csv"):
        assert codes(tight.send({"evil.zip": archive({name: SMALL.encode()})})) == {"archive-path"}
    assert is_well(tight)


def test_an_absolute_name_is_only_a_name(tight: Service) -> None:
    upload = tight.send({"/etc/units.csv": SMALL})
    assert upload["files"] == ["etc/units.csv"]
    assert upload["readable"]


def test_an_upload_beyond_the_limit(tight: Service) -> None:
    """Refused by its announced length, and without one by counting, long before its end."""
    announced = tight.client.post("/uploads", files=[("files", ("a.csv", b"0" * 5_000_000))])
    assert announced.status_code == 413
    assert announced.json()["problems"][0]["code"] == "upload-limit"
    assert _sent(tight, 100_000_000) < 20_000_000
    assert is_well(tight)


@pytest.mark.long
def test_a_gigabyte(roomy: Service) -> None:
    """The service refuses a gigabyte at its 200 MB, and its memory stays what it was."""
    before = roomy.memory
    peaks: list[int] = []
    sent = _sent(roomy, 1_000_000_000, lambda: peaks.append(roomy.memory))
    print(f"a gigabyte: refused after {sent / 1e6:.0f} MB; memory grew by {(max(peaks) - before) / 1e6:.1f} MB at most")
    assert sent < 400_000_000
    assert max(peaks) - before < 64_000_000
    assert is_well(roomy)


def _sent(service: Service, size: int, look: Any = lambda: None) -> int:
    """Send a file of that size without saying so; how many bytes went out before the answer, which must be 413."""
    sent = 0
    chunk = b"0" * 1_000_000

    def body() -> Iterator[bytes]:
        nonlocal sent
        yield b'--cut\r\ncontent-disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
        while sent < size:
            yield chunk
            sent += len(chunk)
            if sent % 20_000_000 == 0:
                look()
        yield b"\r\n--cut--\r\n"

    headers = {"content-type": "multipart/form-data; boundary=cut"}
    answer = service.client.post("/uploads", content=body(), headers=headers)
    assert answer.status_code == 413, answer.text
    assert answer.json()["problems"][0]["code"] == "upload-limit"
    return sent


def test_too_many_units(tight: Service) -> None:
    upload = tight.send({"many.csv": table(2000)})
    assert codes(upload) == {"units-limit"}
    assert tight.client.post("/measure", json={"upload": upload["id"]}).status_code == 422


def test_a_pattern_that_never_ends(tight: Service) -> None:
    """A regular expression can take for ever; its worker is ended and replaced."""
    upload = tight.send({"a" * 40 + "!.csv": SMALL})
    answer = tight.client.post(f"/uploads/{upload['id']}/reading", json={"annotator_from": "regex:(a+)+$"})
    assert codes(answer.json()) == {"job-time-limit"}
    assert is_well(tight)


def test_what_is_no_form(tight: Service) -> None:
    assert tight.client.post("/uploads", json={}).status_code == 415
    assert tight.client.post("/uploads", files=[], data={"a": "b"}).status_code in (415, 422)
    broken = tight.client.post("/uploads", content=b"nothing", headers={"content-type": "multipart/form-data"})
    assert broken.status_code == 400
    deep = tight.client.post("/measure", content="[" * 100_000, headers={"content-type": "application/json"})
    assert deep.status_code in (400, 422)
    assert deep.json()["problems"]


# -- time, memory, workers -------------------------------------------------------------------------------------------


def test_the_time_limit(tight: Service) -> None:
    job = tight.begin(tight.send({"big.csv": table(1000)}), samples=50_000)
    assert tight.send({"small.csv": SMALL})["readable"]  # others are read meanwhile
    name, data = tight.end(job)
    assert (name, data["problems"][0]["code"]) == ("failed", "job-time-limit")
    assert is_well(tight)
    refused = tight.client.get(f"{job}/result")
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["code"] == "job-time-limit"


def test_the_memory_limit() -> None:
    with serving("--job-memory-limit", "24M", "--jobs-limit", "1") as service:
        assert is_well(service)
        upload = service.send({"many.csv": table(150_000, "ab")})
        assert codes(upload) == {"job-memory-limit"}
        assert is_well(service)


def test_too_many_waiting(tight: Service) -> None:
    """One runs, two wait, the next is told to come back; meanwhile files are read."""
    upload = tight.send({"big.csv": table(1000)})
    jobs = [tight.begin(upload, samples=50_000) for _ in range(3)]
    refused = tight.client.post("/measure", json={"upload": upload["id"], "wait": False})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert refused.json()["problems"][0]["code"] == "busy"
    assert tight.client.get(jobs[2]).json()["place"] == 1
    for job in jobs[1:]:
        assert tight.client.delete(job).status_code == 204
    assert tight.send({"small.csv": SMALL})["readable"]  # the long one still runs
    assert tight.client.delete(jobs[0]).status_code == 204
    assert is_well(tight)


def test_a_worker_is_killed(roomy: Service) -> None:
    """kill -9 once: the job begins again and ends well; twice: it says so; others are answered, workers replaced."""
    upload = roomy.send({"big.csv": table(300)})
    undisturbed = roomy.begin(upload, seed=1, samples=600)
    assert roomy.end(undisturbed)[0] == "done"
    job = roomy.begin(upload, seed=1, samples=600)
    before = set(roomy.workers)
    _kill_busy(roomy)
    assert before - set(roomy.workers)  # the kill took effect
    name, _ = roomy.end(job)
    assert name == "done"
    assert roomy.client.get(f"{job}/result").json() == roomy.client.get(f"{undisturbed}/result").json()
    job = roomy.begin(upload, samples=50_000)
    for _ in range(2):
        _kill_busy(roomy)
        assert roomy.send({"small.csv": SMALL})["readable"]
    name, data = roomy.end(job)
    assert (name, data["problems"][0]["code"]) == ("failed", "worker-died")
    roomy.wait(lambda health: health["workers"] == 2)
    assert is_well(roomy)


def _kill_busy(service: Service) -> None:
    """End the worker that works, once none is still starting: the one that uses the processor."""
    service.wait(lambda health: health["running"] == 1 and health["workers"] == 2)

    def used(pid: int) -> int:
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - may be gone
                return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
        except OSError:
            return 0

    before = {pid: used(pid) for pid in service.workers}
    until = time.monotonic() + 60
    while True:
        time.sleep(0.1)
        *_, (second, _), (most, busy) = [(0, 0), *sorted((used(pid) - before[pid], pid) for pid in before)]
        if most >= second + 5:  # hundredths of a second: on a busy machine both may have had none
            break
        assert time.monotonic() < until
    os.kill(busy, signal.SIGKILL)
    until = time.monotonic() + 60
    while busy in service.workers and time.monotonic() < until:
        time.sleep(0.02)
    assert busy not in service.workers  # the kill took effect


def test_a_client_that_leaves(roomy: Service) -> None:
    """Whoever waited for a result and went away does not keep a worker busy."""
    upload = roomy.send({"big.csv": table(600)})
    asked = {"upload": upload["id"], "settings": {"samples": 50_000}, "wait": True}
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{roomy.url}api/v1/measure", json=asked, timeout=1.0, trust_env=False)
    roomy.wait(lambda health: health["running"] == 0 and health["waiting"] == 0)
    assert is_well(roomy)


def test_two_hundred_at_once(roomy: Service) -> None:
    upload = roomy.send({"small.csv": SMALL})["id"]

    async def all_of_them() -> tuple[list[httpx.Response], float]:
        limits = httpx.Limits(max_connections=250)
        async with httpx.AsyncClient(base_url=roomy.url, timeout=60, limits=limits, trust_env=False) as client:
            asked = {"upload": upload, "settings": {"samples": 10, "seed": 1}}
            work = [asyncio.create_task(client.post("/api/v1/measure", json=asked)) for _ in range(200)]
            await asyncio.sleep(0.1)
            started = time.monotonic()
            health = await client.get("/api/v1/health")
            took = time.monotonic() - started
            assert health.status_code == 200
            return await asyncio.gather(*work), took

    started = time.monotonic()
    answers, took = asyncio.run(all_of_them())
    print(f"200 at once: {time.monotonic() - started:.1f} s; another was answered in {took:.2f} s meanwhile")
    values = []
    for answer in answers:
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 202:  # a slow machine: it goes on as a job
            job = f"/jobs/{answer.json()['id']}"
            assert roomy.end(job)[0] == "done"
            answer = roomy.client.get(f"{job}/result")
        values.append(answer.json()["measures"])
    assert len(values) == 200
    assert all(value == values[0] for value in values)


# -- the storage -----------------------------------------------------------------------------------------------------


def kept_bytes(folder: Path) -> int:
    """Bytes in the private folder of a service."""
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
                total += (Path(inside) / name).stat().st_size
    return total


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "chunked"])
def test_the_storage_limit_holds_for_uploads_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, announced: bool
) -> None:
    """Room is reserved before a body is read: of twelve uploads of 1.5 MB at once, two fit in 4 MB."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    most = 4 * 2**20
    rows = table(40_000, "ab").encode()
    rows += b"\n" * (1_500_000 - len(rows))
    head = b'--cut\r\ncontent-disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
    body = head + rows + b"\r\n--cut--\r\n"
    with serving("--storage-limit", "4M", "--jobs-limit", "1") as service:
        (root,) = tmp_path.glob("unisono-serve-*")

        async def pieces(delay: asyncio.Event) -> AsyncIterator[bytes]:
            yield body[:100_000]
            await delay.wait()  # all have begun before one ends
            for first in range(100_000, len(body), 200_000):
                yield body[first : first + 200_000]

        async def all_of_them() -> tuple[list[int], int]:
            async with httpx.AsyncClient(base_url=service.url, timeout=60, trust_env=False) as client:
                go = asyncio.Event()
                headers = {"content-type": "multipart/form-data; boundary=cut"}
                if announced:
                    headers["content-length"] = str(len(body))
                sending = [
                    asyncio.create_task(client.post("/api/v1/uploads", content=pieces(go), headers=headers))
                    for _ in range(12)
                ]
                await asyncio.sleep(0.5)
                go.set()
                peak = 0
                while not all(task.done() for task in sending):
                    peak = max(peak, await asyncio.to_thread(kept_bytes, root))
                    await asyncio.sleep(0.01)
                answers = [task.exception() or task.result() for task in sending]
            # A client that is refused while it sends may see the connection closed instead of the answer.
            return [getattr(answer, "status_code", 507) for answer in answers], peak

        statuses, peak = asyncio.run(all_of_them())
        assert set(statuses) <= {201, 507}
        assert statuses.count(201) <= 2
        if announced:
            assert statuses.count(201) == 2
        assert max(peak, kept_bytes(root)) <= most
        assert service.client.get("/health").status_code == 200


def test_results_stay_within_the_storage_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task may write as much as there is room for it; more is refused, and what was there stays."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving("--storage-limit", "300K", "--jobs-limit", "1") as service:
        (root,) = tmp_path.glob("unisono-serve-*")
        upload = service.send({"big.csv": table(2_000)})
        endings = set()
        for seed in range(6):
            asked = {"upload": upload["id"], "settings": {"samples": 400, "seed": seed}, "wait": False}
            answer = service.client.post("/measure", json=asked)
            if answer.status_code == 507:
                endings.add("507")
                continue
            name, data = service.end(f"/jobs/{answer.json()['id']}")
            endings.add(data["problems"][0]["code"] if data["problems"] else name)
            assert kept_bytes(root) <= 300 * 1024
        assert "storage-limit" in endings or "507" in endings
        assert endings <= {"507", "storage-limit", "done"}


# -- connections -----------------------------------------------------------------------------------------------------


def connect(service: Service) -> socket.socket:
    host, _, port = service.url.removeprefix("http://").rstrip("/").partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def is_answered(service: Service) -> bool:
    """Whether a newcomer who tries again as the service asks is answered before the silent requests time out.

    A busy machine may hand the service many requests at once; none of them has then been silent for long enough.
    """
    until = time.monotonic() + HEADER_TIME - 2
    while time.monotonic() < until:
        if httpx.get(f"{service.url}api/v1/health", trust_env=False, timeout=60).status_code == 200:
            return True
        time.sleep(SILENT)
    return False


def few_handles() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))


def test_half_sent_requests_keep_nobody_out() -> None:
    """230 requests that never end, under 200 file handles: others are answered, and the log stays short."""
    with serving("--jobs-limit", "1", preexec=few_handles) as service:
        half = []
        try:
            for number in range(230):
                connection = connect(service)
                half.append(connection)
                with contextlib.suppress(OSError):  # it may be refused at once
                    connection.sendall(b"POST /api/v1/uploads HTTP/1.1\r\nhost: localhost\r\n")
                    if number % 2:
                        connection.sendall(b"content-type: multipart/form-data; boundary=x\r\n")
                        connection.sendall(b"content-length: 99\r\n\r\n--x")
                if number % 46 == 0:
                    time.sleep(SILENT + 0.1)
                    assert is_answered(service)
            time.sleep(STALLED + 0.5)
            assert is_answered(service)
            assert is_well(service)
            handles = len(list(Path(f"/proc/{service.process.pid}/fd").iterdir()))
            assert handles < 200
        finally:
            for connection in half:
                connection.close()
        assert is_well(service)
        assert len("".join(service.said)) < 100_000


def test_slow_requests_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: the times that docs/service.md states, shortened here for a service of its own."""
    code = (
        "import sys; from unisono.web import connections as c\n"
        "c.HEADER_TIME, c.BODY_TIME, c.BODY_RATE, c.READ_TIME = 1.0, 1.0, 10**9, 1.0\n"
        "from unisono.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    with serving("--jobs-limit", "1", program=["-c", code]) as service:
        ends = {}
        for what, sent in {
            "headers": b"GET / HTTP/1.1\r\nhost: localhost\r\n",
            "body": b"POST /api/v1/measure HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n\r\n{",
            "nothing": b"",
        }.items():
            with connect(service) as connection:
                connection.sendall(sent)
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
                ends[what] = answer
        for what, answer in ends.items():
            assert answer.startswith(b"HTTP/1.1 408"), (what, answer[:100])
            assert b"slow-request" in answer
            assert b"content-security-policy" in answer.lower()
        # An answer that nobody reads: a page again and again on one connection.
        with connect(service) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            closed = False
            until = time.monotonic() + 90
            connection.setblocking(False)
            while not closed and time.monotonic() < until:
                try:
                    connection.send(b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n")
                except BlockingIOError:
                    time.sleep(0.05)
                except OSError:
                    closed = True
            assert closed
        assert is_well(service)


def test_what_is_no_http(roomy: Service) -> None:
    answer = raw(roomy, "\x16\x03\x01 hello\n\n")
    assert answer.startswith("HTTP/1.1 400")
    assert "content-security-policy" in answer.lower()


# -- who may speak with it -------------------------------------------------------------------------------------------


def raw(service: Service, request: str) -> str:
    """The head of the answer to a request that no client library would send."""
    host, _, port = service.url.removeprefix("http://").rstrip("/").partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(request.replace("\n", "\r\n").encode())
        return connection.recv(65536).decode("latin-1")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "a@b", "127.0.0.2"]
)
def test_a_foreign_host(roomy: Service, host: str) -> None:
    for path in ("/api/v1/health", "/", "/api/v1/openapi.json"):
        answer = raw(roomy, f"GET {path} HTTP/1.1\nhost: {host}\n\n")
        assert answer.startswith(("HTTP/1.1 421", "HTTP/1.1 400")), answer[:200]


def test_own_names(roomy: Service) -> None:
    port = roomy.url.rstrip("/").rpartition(":")[2]
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", "LOCALHOST"):
        assert raw(roomy, f"GET /api/v1/health HTTP/1.1\nhost: {host}\n\n").startswith("HTTP/1.1 200")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://["},
        {"origin": "http://[::1"},
        {"origin": "\x7f//"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_foreign_page_changes_nothing(roomy: Service, headers: dict[str, str]) -> None:
    answer = roomy.client.post("/samples/entities", headers=headers)
    assert answer.status_code == 403
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["problems"][0]["code"] == "foreign-origin"
    upload = roomy.send({"small.csv": SMALL})
    assert roomy.client.delete(f"/uploads/{upload['id']}", headers=headers).status_code == 403
    assert roomy.client.get(f"/uploads/{upload['id']}").status_code == 200


def test_the_own_page_does(roomy: Service) -> None:
    headers = {"origin": roomy.url.rstrip("/"), "sec-fetch-site": "same-origin"}
    assert roomy.client.post("/samples/entities", headers=headers).status_code == 201


def test_headers(roomy: Service) -> None:
    page = httpx.get(roomy.url, headers={"origin": "https://evil.example"}, trust_env=False)
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in page.text
    for answer in (page, roomy.client.get("/health"), roomy.client.get("/uploads/none")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "server" not in answer.headers
    preflight = roomy.client.options("/measure", headers={"access-control-request-method": "POST"})
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_a_token() -> None:
    token = "correct-horse-battery"
    with serving("--token", token, "--jobs-limit", "1", token=token) as service:
        assert is_well(service)
        with httpx.Client(base_url=service.url, trust_env=False) as stranger:
            for path in ("/", "/api/v1/health", "/api/v1/openapi.json", "/?token=wrong"):
                assert stranger.get(path).status_code == 401
            assert stranger.get("/api/v1/health", headers={"authorization": "Bearer wrong"}).status_code == 401
            assert stranger.get(f"/api/v1/health?token={token}").status_code == 401  # only the page takes it so
            welcome = stranger.get(f"/?token={token}")
            assert welcome.status_code == 303
            assert welcome.headers["location"] == "/"
            cookie = welcome.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert stranger.get("/api/v1/health").status_code == 200  # by the cookie
        assert token not in "".join(service.said[1:])


# -- what is kept ----------------------------------------------------------------------------------------------------


def test_ids_of_others(roomy: Service) -> None:
    first, second = (roomy.send({"small.csv": SMALL}) for _ in range(2))
    assert first["id"] != second["id"]
    assert len(first["id"]) >= 32
    for path in ("/uploads", "/jobs", "/uploads/", "/jobs/"):
        assert roomy.client.get(path).status_code in (404, 405)
    for guess in ("0", first["id"][:-1], first["id"] + "x", "../" + first["id"], "%00", "a" * 150):
        assert roomy.client.get(f"/uploads/{guess}").status_code == 404
        assert roomy.client.get(f"/jobs/{guess}/result").status_code == 404


def test_deletion(roomy: Service) -> None:
    upload = roomy.send({"small.csv": SMALL})
    answer = roomy.client.post("/measure", json={"upload": upload["id"], "settings": {"samples": 10}})
    job = answer.headers["location"].removeprefix("/api/v1")
    assert roomy.client.get(f"{job}/result").status_code == 200
    assert roomy.client.delete(f"/uploads/{upload['id']}").status_code == 204
    for path in (f"/uploads/{upload['id']}", job, f"{job}/result", f"{job}/alignment"):
        assert roomy.client.get(path).status_code == 404
    assert roomy.client.delete(job).status_code == 404


def test_expiry_and_the_private_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left on disk a moment after its time, nor after the service has ended."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving("--keep", "4", "--jobs-limit", "1") as service:
        (root,) = tmp_path.glob("unisono-*")
        assert root.stat().st_mode & 0o077 == 0
        upload = service.send({"secret-name.csv": SMALL})
        answer = service.client.post("/measure", json={"upload": upload["id"], "settings": {"samples": 10}})
        assert answer.status_code == 200
        kept = list(root.rglob("*"))
        assert kept
        assert not [path for path in kept if "secret" in path.name]
        until = time.monotonic() + 60
        while list(root.iterdir()) and time.monotonic() < until:
            time.sleep(0.1)
        assert not list(root.iterdir())
        assert service.client.get(f"/uploads/{upload['id']}").status_code == 404
    assert not list(tmp_path.glob("unisono-*"))


def test_a_service_that_is_killed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """kill -9 of the service itself: its workers end with it, and the next service deletes what it left."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving("--jobs-limit", "1") as service:
        service.send({"small.csv": SMALL})
        workers = service.workers
        service.process.kill()
        service.process.wait()
    until = time.monotonic() + 60
    while any(map(_is_running, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_is_running, workers))
    (left,) = tmp_path.glob("unisono-*")
    with serving("--jobs-limit", "1"):
        assert not left.exists()
        assert len(list(tmp_path.glob("unisono-*"))) == 1


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - may be gone
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
