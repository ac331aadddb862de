# SPDX-License-Identifier: MIT
"""Reading for the commands that compute: the corpus, or every problem; what was understood goes to stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.cli.run import say, say_problems
from unisono.errors import InputError

if TYPE_CHECKING:
    from unisono import Corpus
    from unisono.cli.options import Reading


def read(reading: Reading) -> Corpus:
    """The corpus that the options name; an InputError with all its problems when it cannot be used."""
    inspection = reading.inspection()
    errors = [problem for problem in inspection.problems if problem.severity == "error"]
    if inspection.corpus is None or (errors and not reading.skip_invalid):
        raise InputError(errors or inspection.problems)
    say(f"read: {inspection.understood}")
    if inspection.problems:
        say_problems(inspection.problems)
    return inspection.corpus
