# SPDX-License-Identifier: MIT
"""The console examples of a page: what a person would type, and what the page says that comes out.

In a block fenced with ```console, a line that begins with `$ ` is a command, and the lines below it, up to the next
one, are its standard output. A line `...` stands for any number of lines, `...` within a line for any characters.
A command without output lines is only run. Messages on standard error are not compared.

After a change on purpose `tools/update_examples.py` writes the new output into the pages (`update`).
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
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
    #: Where the output stands in the text of the page.
    start: int


def examples(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        at = block.start(1)
        for part in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
            command, _, expected = part.removeprefix("$ ").replace("\\\n", " ").partition("\n")
            if command.strip():
                expected = expected.strip("\n")
                found.append(Example(line, command.strip(), expected, at + part.rindex(expected)))
            line += part.count("\n")
            at += len(part)
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
    for example, out in _outputs(page, found, folder):
        if example.expected and not is_output(example.expected, out):
            place = f"{page.name}:{example.line}: $ {example.command}"
            raise AssertionError(f"{place}\nthe page says:\n{_plain(example.expected)}\nprinted:\n{_plain(out)}")
    return len(found)


def update(page: Path, folder: Path) -> int:
    """Write into the page what its commands print now, where that is something else; how many outputs changed."""
    text = page.read_text(encoding="utf-8")
    changed = [
        (example, rewrite(example.expected, _plain(out)))
        for example, out in _outputs(page, examples(page), folder)
        if example.expected and not is_output(example.expected, out)
    ]
    for example, output in reversed(changed):
        text = text[: example.start] + output + text[example.start + len(example.expected) :]
    if changed:
        page.write_text(text, encoding="utf-8")
    return len(changed)


def _outputs(page: Path, found: list[Example], folder: Path) -> Iterator[tuple[Example, str]]:
    """What each command prints; AssertionError where one fails."""
    for example in found:
        code, out, err = run(example.command, folder)
        assert code == 0, f"{page.name}:{example.line}: $ {example.command}\nexit code {code}\n{out}{err}"
        yield example, out


def is_output(expected: str, out: str) -> bool:
    """Whether the output is what was expected, `...` standing for anything."""
    return doctest.OutputChecker().check_output(_plain(expected), _plain(out), _FLAGS)


def rewrite(expected: str, out: str) -> str:
    """The output in place of another one, shortened by `...` as that was, and its lines kept where they still hold.

    >>> print(rewrite("γ = 0.5\\n...\\nsamples  30 ...", "γ = 0.6\\nobserved 1\\nexpected 2\\nsamples  40 drawn\\n"))
    γ = 0.6
    ...
    samples  40 drawn
    """
    lines, printed = expected.splitlines(), out.strip("\n").splitlines()
    ends = [-1, *(i for i, line in enumerate(lines) if line.strip() == "..."), len(lines)]
    if len(ends) == 2:
        printed = [_keep(lines[i], line) if i < len(lines) else line for i, line in enumerate(printed)]
        return "\n".join(printed)
    written: list[str] = []
    at = 0
    for part, (before, after) in enumerate(pairwise(ends)):
        chunk = lines[before + 1 : after]
        places = range(at, max(at, len(printed) - len(chunk)) + 1)
        if part == 0 and chunk:
            places = range(1)
        elif after == len(lines) and chunk:
            places = range(places[-1], places[-1] + 1)
        at = max(places, key=lambda place: (_likeness(chunk, printed[place : place + len(chunk)]), -place))
        written += [_keep(old, new) for old, new in zip(chunk, printed[at:], strict=False)]
        at += len(chunk)
        written += lines[after : after + 1]
    return "\n".join(written)


def _likeness(old: list[str], new: list[str]) -> float:
    return sum(difflib.SequenceMatcher(None, a, b).ratio() for a, b in zip(old, new, strict=False))


def _keep(old: str, new: str) -> str:
    """The old line where the new one is what it stands for."""
    return old if is_output(old, new) else new


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"
