# SPDX-License-Identifier: MIT
"""Fresh processes: pipes, terminals, signals. Oracle: what the shell sees (exit codes, bytes on each stream)."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "unisono"]
SLOW = """
import time, unisono.cli, unisono.measures.family
unisono.measures.family.observe_once = lambda *a, **k: time.sleep(600)
unisono.cli.entry()
"""


def shell(*arguments: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *(str(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, env={**os.environ, **(env or {})}, timeout=120, check=False)


def test_a_pipe_gets_plain_text(table: Path) -> None:
    done = shell("measure", table, "--seed", 1)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
    assert "γ = ".encode() in done.stdout


def test_a_terminal_that_has_no_greek(table: Path) -> None:
    done = shell("measure", table, "--seed", 1, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0
    assert b"\\u03b3 = " in done.stdout


def test_a_reader_that_stops_is_no_error(table: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "measure", str(table), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(120) == 0
    assert b"Traceback" not in errors
    assert b"Broken" not in errors


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_control_c(table: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, "measure", str(table)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        assert b"read: " in process.stderr.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert out == b""
    assert err.splitlines()[-1] == b"unisono: interrupted"
    assert b"Traceback" not in err


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_from_the_first_line_on(table: Path, number: signal.Signals, code: int) -> None:
    """At ten moments of the start: loading the commands, numpy, the data. Oracle: 128 and the signal, no traceback."""
    if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as nohup does, and so it is by what is started from here")
    ends = []
    for moment in range(10):
        # `-X importtime` tells when the interpreter has begun to load the commands, which is the first thing we do.
        command = [sys.executable, "-X", "importtime", "-m", "unisono", "measure", str(table), "--samples", "3000000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            while b"typer" not in (line := process.stderr.readline()):
                assert line
            time.sleep(0.06 * moment)
            process.send_signal(number)
            err = process.communicate(timeout=120)[1]
        shown = [line for line in err.splitlines() if not line.startswith(b"import time:")]
        ends.append((process.returncode, b"Traceback" in err, shown[-1:]))
    assert set(map(str, ends)) == {str((code, False, [b"unisono: interrupted"]))}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_an_interrupt_that_looks_like_something_else(table: Path) -> None:
    """One that a library turned into another error, as an import that is cut off does. Oracle: 143 all the same."""
    code = (
        "import os, signal, sys, unisono.cli, unisono.errors, unisono.cli.measure\n"
        "def read(*a, **k):\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGTERM)\n"
        "    except KeyboardInterrupt:\n"
        "        raise unisono.errors.MissingDependencyError('drawing', 'plots') from None\n"
        "sys.modules['unisono.cli.measure'].read = read\n"
        "from unisono.__main__ import entry\nentry()"
    )
    command = [sys.executable, "-c", code, "measure", str(table)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 143, done.stderr
    assert done.stderr.splitlines()[-1] == b"unisono: interrupted"


#: Modules that drop an interrupt: while they are loaded, and while an object is deleted; then the program goes on.
DROPPING = {
    "an import": """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGNUMBER)
    for _ in range(1000):
        pass
except BaseException:
    print("dropped", flush=True)
""",
    "a deletion": """
def drop():
    import os, signal
    class Dropping:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGNUMBER)
            for _ in range(1000):
                pass
    Dropping()
""",
}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("where", DROPPING)
def test_an_interrupt_that_would_be_dropped(table: Path, tmp_path: Path, where: str, name: str) -> None:
    """Oracle: it waits for the end of the import, or is raised again; the exit code, and where the program stopped."""
    (tmp_path / "dropping.py").write_text(DROPPING[where].replace("SIGNUMBER", name))
    code = (
        "import sys, time, unisono.cli, unisono.cli.measure\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "def read(*a, **k):\n"
        "    import dropping\n"
        "    getattr(dropping, 'drop', int)()\n"
        "    print('went on', flush=True)\n"
        "    time.sleep(600)\n"
        "    print('to the end', flush=True)\n"
        "sys.modules['unisono.cli.measure'].read = read\n"
        "from unisono.__main__ import entry\nentry()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "measure", str(table)], capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 128 + getattr(signal, name), done.stderr
    assert done.stdout == b"went on\n"
    assert done.stderr == b"unisono: interrupted\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [["measure", "TABLE", "--json"], ["measure", "TABLE"], ["--help"], ["formats"]])
def test_a_full_disk_behind_standard_output(table: Path, arguments: list[str]) -> None:
    command = [*COMMAND, *(str(table) if word == "TABLE" else word for word in arguments)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 1
    assert b"(No space left on device)" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def terminal(arguments: list[str], *, columns: int, env: dict[str, str]) -> str:
    """What a terminal of that width shows: stdout and stderr together, as on a screen."""
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    settings = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=other, stderr=subprocess.DEVNULL, stdin=other,
        env={**settings, "TERM": "xterm-256color", "COLUMNS": str(columns), **env},
    )  # fmt: skip
    os.close(other)
    chunks = []
    with contextlib.suppress(OSError):  # the end of a terminal is an error on Linux
        while chunk := os.read(main, 65536):
            chunks.append(chunk)
    os.close(main)
    assert process.wait(120) == 0
    return b"".join(chunks).decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_terminal_gets_colour_and_nothing_wider_than_itself(table: Path, columns: int) -> None:
    shown = terminal(["measure", str(table), "--seed", "1"], columns=columns, env={})
    assert "\x1b[1m" in shown
    plain = terminal(["measure", str(table), "--seed", "1"], columns=columns, env={"NO_COLOR": "1"})
    assert "\x1b" not in plain
    for line in plain.splitlines():
        # What people copy is never broken.
        assert len(line) <= columns or line.startswith(("Signature", "… and")), line
    assert ("No room for:" in plain) == (columns < 90)


def test_start_up(table: Path) -> None:
    """At most 8 times `import numpy` (medians of five fresh processes); three times that here, in processor time."""

    def spent() -> float:
        used = os.times()
        return used.children_user + used.children_system

    def median(*command: str) -> float:
        times = []
        for _ in range(5):
            begin = spent()
            subprocess.run([sys.executable, *command], check=True, capture_output=True, timeout=120)
            times.append(spent() - begin)
        return sorted(times)[2]

    numpy = median("-c", "import numpy")
    assert median("-m", "unisono", "measure", str(table)) < 24 * numpy
