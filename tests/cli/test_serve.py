# SPDX-License-Identifier: MIT
"""`unisono serve` as a person calls it. Oracle: what it says, and sockets of our own."""

from __future__ import annotations

import socket
import sys

import pytest

from unisono.cli import main
from unisono.errors import ParameterError
from unisono.web.server import address


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port), "--no-browser"]) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert f"port {port} is in use by another program, perhaps by unisono itself" in said
    assert "0 finds a free one" in said


@pytest.mark.parametrize(
    "options",
    [
        ["--port", "70000"],
        ["--host", "host.invalid"],
        ["--token", "short"],
        ["--token", "with;semicolon"],
        ["--upload-limit", "much"],
        ["--jobs-limit", "0"],
        ["--keep", "-1"],
    ],
)
def test_wrong_usage(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-browser", *options]) == 2
    assert capsys.readouterr().err


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert main(["serve", "--no-browser"]) == 1
    assert "pip install 'unisono[web]'" in capsys.readouterr().err


def test_this_machine_alone_needs_no_token() -> None:
    where = address("127.0.0.1", 0)
    with where.sock:
        assert where.access.token is None
        assert not where.is_public
        assert where.url == f"http://127.0.0.1:{where.sock.getsockname()[1]}/"


def test_other_machines_need_a_token() -> None:
    """Made up where none is given; any number is a host then, but no name that is not ours."""
    where = address("0.0.0.0", 0, allowed=["lab.example"])
    with where.sock:
        assert where.is_public
        assert where.access.token is not None
        assert len(where.access.token) >= 32
        assert where.url.startswith("http://localhost:")
        assert where.url.endswith(f"/?token={where.access.token}")
        for host in ("192.168.1.7:8417", "lab.example", "localhost"):
            assert where.access.is_known(host)
        assert not where.access.is_known("evil.example")
    chosen = address("0.0.0.0", 0, token="correct-horse")
    with chosen.sock:
        assert chosen.access.token == "correct-horse"


def test_an_address_of_another_machine() -> None:
    with pytest.raises(ParameterError, match=r"the service cannot listen on 192\.0\.2\.1:0"):
        address("192.0.2.1", 0)
