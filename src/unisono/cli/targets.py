# SPDX-License-Identifier: MIT
"""Annotations that commands write: the checks before the work, and the writing itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.cli.run import say, say_problems, usage, usage_errors
from unisono.nouns import quantity

if TYPE_CHECKING:
    from unisono import Corpus


def check_format(to: str | None) -> None:
    """Refuse a format that is not written."""
    from unisono.io import WRITERS

    if to is not None and to not in WRITERS:
        usage(f"{to!r} is not a valid value of --to. Choose one of: {', '.join(WRITERS)}.")


def check_free(path: str, *, overwrite: bool, option: str = "") -> None:
    """Refuse a file that exists, unless it is to be replaced; `option` is named where a command has several."""
    if Path(path).is_file() and not overwrite:
        usage(f"{f'{option}: ' if option else ''}{path} exists already. Name another path, or give --overwrite.")


def write_corpus(corpus: Corpus, path: str, to: str | None, *, contents: str | None = None, **options: Any) -> None:
    """Write a corpus, and print what its format cannot hold and what was written (`contents`, in words)."""
    from unisono.io import write

    with usage_errors():
        problems = write(corpus, path, format=to, **options)
    if problems:
        say_problems(problems)
    if contents is None:
        contents = f"{quantity(len(corpus), 'document')}, {quantity(corpus.n_units, 'unit')}"
    say(f"wrote {path}: {contents}")
