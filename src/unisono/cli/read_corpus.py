# SPDX-License-Identifier: MIT
"""Reading for the commands: what the files hold, or the corpus and every problem; what was read goes to stderr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from unisono.cli.run import say, say_problems, usage
from unisono.errors import InputError, ParameterError
from unisono.settings import Reading, settings_of

if TYPE_CHECKING:
    from unisono import Corpus, Inspection
    from unisono.io import CorpusStream

Made = TypeVar("Made")

_COLUMN = "_column"


def inspect_paths(paths: Sequence[str], reading: Reading, *, skip_invalid: bool | None = None) -> Inspection:
    """What the files hold, and everything that is wrong with them."""
    import unisono

    if skip_invalid is not None:
        reading = replace(reading, skip_invalid=skip_invalid)
    return _call_with_options(unisono.inspect, paths, reading)


def stream(paths: Sequence[str], reading: Reading) -> CorpusStream:
    """The corpus in the files, to be read while it is measured."""
    import unisono

    return _call_with_options(unisono.stream, paths, reading)


def _call_with_options(function: Callable[..., Made], paths: Sequence[str], reading: Reading) -> Made:
    """Call a function of paths with the options of reading as its keywords."""
    import unisono

    values = {name: getattr(reading, name) for name in settings_of(Reading)}
    columns = {name.removesuffix(_COLUMN): values.pop(name) for name in list(values) if name.endswith(_COLUMN)}
    values["category_map"] = values["category_map"] or {}
    try:
        return function(list(paths), columns=unisono.Columns(**columns), **values)
    except ParameterError as error:
        # A problem that names a place concerns a file too: bad data. Without a place, the option alone is wrong.
        if any(problem.where for problem in error.problems):
            raise
        usage(str(error))


def read(paths: Sequence[str], reading: Reading, *, for_texts: bool = False) -> Corpus:
    """The corpus in the files; an InputError with all its problems when it cannot be used.

    for_texts: only text-γ is measured, so that files of tokens are annotators' versions of a text.
    """
    if for_texts and not reading.versions:
        from unisono.io.version_files import are_version_files

        reading = replace(reading, versions=are_version_files(paths, reading.format))
    inspection = inspect_paths(paths, reading)
    errors = [problem for problem in inspection.problems if problem.severity == "error"]
    if inspection.corpus is None or (errors and not reading.skip_invalid):
        raise InputError(errors or inspection.problems)
    say(f"read: {inspection.understood}")
    # That texts differ is a problem for measures that compare positions.
    problems = [each for each in inspection.problems if not for_texts or each.code != "differing-texts"]
    if problems:
        say_problems(problems)
    return inspection.corpus
