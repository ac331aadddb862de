# SPDX-License-Identifier: MIT
"""Run commands and end them: in a fork of this process, which has everything loaded, by a signal or a full disk."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

#: The capabilities by which root ignores permissions.
_IGNORE_PERMISSIONS = 0b110
_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Data(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


def give_up_root() -> None:
    """Let permissions hold for this process, even if it runs as root."""
    if os.getuid():
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, data = _Header(_VERSION_3, 0), (_Data * 2)()
    if libc.capget(ctypes.byref(header), data):
        raise OSError(ctypes.get_errno(), "capget")
    for each in ("effective", "permitted"):
        setattr(data[0], each, getattr(data[0], each) & ~_IGNORE_PERMISSIONS)
    if libc.capset(ctypes.byref(header), data):
        raise OSError(ctypes.get_errno(), "capset")


def limit_files(size: int) -> None:
    """Let no file become larger, as if the disk were full then."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def begin(arguments: Sequence[str], folder: Path, said: Path, prepare: Callable[[], None] = lambda: None) -> int:
    """Start `unisono ARGUMENTS` in a folder; its process id. What it says goes to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    ready, tell = os.pipe()
    pid = os.fork()
    if pid:
        os.close(tell)
        os.read(ready, 1)
        os.close(ready)
        return pid
    code = 99
    try:
        os.setsid()
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
        warnings.simplefilter("ignore")  # in the tests they are errors, which is not how programs run
        os.chdir(folder)
        prepare()
        sys.argv = ["unisono", *arguments]
        from unisono.__main__ import entry

        for number in (signal.SIGINT, signal.SIGTERM):  # until the program's own are in place
            signal.signal(number, lambda number, frame: os._exit(128 + number))
        os.write(tell, b"!")
        entry()
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(code)


def end(pid: int, within: float = 120.0) -> int:
    """The exit code, negative for a signal; a process that does not end is killed and gives -999."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -999


def moments(seed: int, longest: float) -> float:
    """A moment within the run: half of them anywhere, half in its last third, in which files are written."""
    draw = random.Random(seed)
    return draw.uniform(0, longest) if seed % 2 else draw.uniform(longest * 0.66, longest * 1.05)
