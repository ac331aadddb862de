# SPDX-License-Identifier: MIT
"""The console examples of a page: what a person would type, and what the page says that comes out.

In a block fenced with ```console, a line that begins with `$ ` is a command, and the lines below it, up to the next
one, are its standard output. A line `...` stands for any number of lines, `...` within a line for any characters.
A command without output lines is only run. Messages on standard error are not compared.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from unisono.cli import main

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS
#: What a shell would take for something else than a part of a word.
_SHELL = set("|<>;&$*`")


@dataclass(frozen=True)
class Example:
    """A command of a page and the output that the page shows."""

    line: int
    command: str
    expected: str


def examples(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        for part in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
            command, _, expected = part.removeprefix("$ ").replace("\\\n", " ").partition("\n")
            if command.strip():
                found.append(Example(line, command.strip(), expected.strip("\n")))
            line += part.count("\n")
    return found


def run(command: str, folder: Path) -> tuple[int, str, str]:
    """Exit code, output and messages of a command typed in the folder."""
    if command.startswith("unisono ") and not _SHELL & set(command):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(shlex.split(command)[1:])
        return code, out.getvalue(), err.getvalue()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    return done.returncode, done.stdout, done.stderr


def check(page: Path, folder: Path) -> int:
    """Run the page's commands one after the other in the folder; how many there were.

    Raises AssertionError where a command fails or prints something else than the page says.
    """
    found = examples(page)
    for example in found:
        code, out, err = run(example.command, folder)
        place = f"{page.name}:{example.line}: $ {example.command}"
        assert code == 0, f"{place}\nexit code {code}\n{out}{err}"
        if not example.expected:
            continue
        want, got = (_plain(text) for text in (example.expected, out))
        if not doctest.OutputChecker().check_output(want, got, _FLAGS):
            raise AssertionError(f"{place}\nthe page says:\n{want}\nprinted:\n{got}")
    return len(found)


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"
