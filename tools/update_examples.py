# SPDX-License-Identifier: MIT
"""Write what examples print now into pages and docstrings, after a change of numbers on purpose.

Read the difference afterwards.

    .venv/bin/python tools/update_examples.py README.md docs/gamma.md src/unisono/sampling/plan.py

Without arguments: README.md, every page of docs/ and every module of the package. Console blocks and doctests are run
as the tests run them; what is shortened by `...` stays so.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from console_blocks import examples, rewrite, update  # noqa: E402


class _Recorder(doctest.DocTestRunner):
    """Runs doctests and keeps what is printed where that is not what they say."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.found: list[tuple[int, doctest.Example, str]] = []

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.found.append(((test.lineno or 0) + example.lineno, example, got))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: object
    ) -> None:
        print(f"{test.filename}:{(test.lineno or 0) + example.lineno + 1}: raised {exc_info}", file=sys.stderr)


def doctests_of(path: Path) -> Iterator[doctest.DocTest]:
    """The doctests of a page or of a module of the package."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        yield doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, path.name, str(path), 0)
        return
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    yield from (test for test in doctest.DocTestFinder().find(module) if test.examples)


def update_doctests(path: Path) -> int:
    """Rewrite the output of the doctests of a file; how many changed."""
    runner = _Recorder()
    for test in doctests_of(path):
        runner.run(test, out=lambda _: None)
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, example, got in sorted(runner.found, key=lambda each: -each[0]):
        indent = " " * example.indent
        first = number + example.source.count("\n")
        written = rewrite(example.want, got).splitlines()
        lines[first : first + example.want.count("\n")] = [(indent + line).rstrip() for line in written]
    if runner.found:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(runner.found)


def main() -> None:
    """Update the files of the command line."""
    default = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src" / "unisono").rglob("*.py")]
    os.chdir(ROOT)
    for path in sorted(map(Path.resolve, map(Path, sys.argv[1:]))) or sorted(default):
        changed = update_doctests(path)
        if path.suffix == ".md" and examples(path):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(ROOT / "examples", Path(folder) / "examples")
                with contextlib.redirect_stderr(None):
                    changed += update(path, Path(folder))
        if changed:
            print(f"{path.relative_to(ROOT)}: {changed} changed")


if __name__ == "__main__":
    main()
