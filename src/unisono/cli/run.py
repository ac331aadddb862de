# SPDX-License-Identifier: MIT
"""How a command runs: options become settings, results go to stdout, the rest to stderr, errors become exit codes."""

from __future__ import annotations

import dataclasses
import errno
import functools
import inspect
import os
import sys
import typing
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import typer

from unisono.errors import (
    SHOWN_PROBLEMS,
    FormatError,
    InputError,
    MissingDependencyError,
    ParameterError,
    Problem,
    UnisonoError,
    UnisonoWarning,
)
from unisono.nouns import quantity
from unisono.report import visible, without_numbers
from unisono.settings import check

if TYPE_CHECKING:
    from unisono.measures.computation import Progress
    from unisono.report.text_page import Page

FINE = 0
DATA = 1  #: the data cannot be read or measured
LIMIT = 3  #: a limit was reached, or --fail-under was not met
INTERRUPTED = 130

#: Errors of a stream that cannot take what is printed: a full disk, a limit on files, a device that fails.
STREAM_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def command(function: Callable[..., int]) -> Callable[..., None]:
    """A function that returns an exit code as a command.

    A parameter whose type is a dataclass stands for the options that are its fields, so that commands share options
    without repeating them. Fields that are settings are checked before the function is called.
    """
    from unisono.cli.command_options import group_from_options, group_parameters

    hints = typing.get_type_hints(function, include_extras=True)
    groups: dict[str, type] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if dataclasses.is_dataclass(hints[name]):
            groups[name] = hints[name]
            parameters += group_parameters(hints[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))

    @functools.wraps(function)
    def run(**values: Any) -> None:
        gathered = {
            name: group_from_options(group, {each.name: values.pop(each.name) for each in dataclasses.fields(group)})
            for name, group in groups.items()
        }
        with usage_errors():
            for group in gathered.values():
                check(group)
        raise typer.Exit(run_guarded(functools.partial(function, **gathered, **values)))

    # Paragraphs as one line each: the help is broken to the width of the terminal, not to that of the source.
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    run.__doc__ = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def run_guarded(function: Callable[[], int]) -> int:
    """Run to an exit code; problems that the user can correct are printed without a traceback."""
    try:
        with _plain_warnings():
            return function()
    except InputError as error:
        say_problems(error.problems)
        return DATA
    except (UnisonoError, MemoryError) as error:
        slug = error.slug if isinstance(error, UnisonoError) else "memory"
        say(str(error) or "not enough memory")
        say(see_messages([slug]))
        return DATA if isinstance(error, MissingDependencyError) else LIMIT
    except KeyboardInterrupt:
        return INTERRUPTED  # `main` prints the message
    except BrokenPipeError:
        abandon(sys.stdout)
        return FINE


def usage(message: str) -> NoReturn:
    """The command line itself is wrong: exit code 2."""
    raise typer.BadParameter(message)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Within it a ParameterError is wrong usage, not bad data: the parameters come from options."""
    try:
        yield
    except ParameterError as error:
        usage("\n".join(visible(str(problem)) for problem in error.problems))


def emit(text: str) -> None:
    """Print the result to stdout; a closed pipe (`| head`) is not an error, a full disk (`> file`) is one."""
    try:
        if reconfigure := getattr(sys.stdout, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # an old terminal without Greek letters still gets the numbers
        sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
    except OSError as error:
        abandon(sys.stdout)
        raise FormatError.of(
            f"the result cannot be printed ({error.strerror or error})",
            "Make room, or send it elsewhere.",
            where="standard output",
            code="unwritable",
        ) from None


def say(text: str) -> None:
    """Print a line about the work to stderr."""
    try:
        # The line and its end in one piece: an interrupt between them would put the next message on the same line.
        sys.stderr.write("\n".join(visible(line) for line in text.split("\n")) + "\n")
    except OSError:  # nobody can read it
        abandon(sys.stderr)


def say_problems(problems: Sequence[Problem]) -> None:
    """Print the problems one per line: the first twenty, how many more there are, where each kind is explained."""
    shown = problems[:SHOWN_PROBLEMS]
    for problem in shown:
        say(visible(_problem_line(problem)))
    if len(problems) > len(shown):
        say(f"... and {len(problems) - len(shown):,} more")
    codes = dict.fromkeys(problem.code for problem in shown if problem.severity != "note")
    if codes:
        say(see_messages(codes))


def see_messages(codes: Iterable[str]) -> str:
    """Where the codes of problems are explained."""
    return f"Explained by: unisono messages {' '.join(codes)}"


def _problem_line(problem: Problem) -> str:
    """The problem with its severity in front, unless it is an error."""
    return str(problem) if problem.severity == "error" else f"{problem.severity}: {problem}"


def search_code(unproven: Sequence[str]) -> int:
    """The exit code of a search for best alignments; documents whose alignment is not proven are named."""
    if not unproven:
        return FINE
    say(f"unisono: a limit stopped the search: NOT PROVEN to be the best: {', '.join(unproven)}")
    return LIMIT


def page() -> Page:
    """A page for stdout."""
    from unisono.report.text_page import Page

    return Page.for_stream(sys.stdout)


@contextmanager
def progress_bar(doing: str = "measuring", *, time_left: bool = False) -> Iterator[Progress | None]:
    """The `progress` argument of `measure`: a bar over the documents on a terminal, None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = [
        SpinnerColumn(),
        TextColumn(doing + " {task.fields[document]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *([TextColumn("left"), TimeRemainingColumn()] if time_left else []),
    ]

    class WithCursor(Console):
        """Never hides the cursor, which would stay hidden if this process were killed."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    with Progress(*columns, console=WithCursor(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, document="")
        yield lambda done, total, name: bar.update(task, completed=done, total=total, document=visible(name)[:40])


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Print warnings as one line each, without a source line; of similar ones only the first, then a count."""
    kinds: Counter[str] = Counter()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        kinds[without_numbers(str(message))] += 1
        if kinds[without_numbers(str(message))] == 1:
            say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        warnings.simplefilter("default", UnisonoWarning)
        yield
    more = kinds.total() - len(kinds)
    if more:
        say(f"... and {quantity(more, 'similar warning')} about other documents")


def abandon(stream: TextIO) -> None:
    """Nothing can be written to this stream: send what is still buffered, and the flush at exit, to the null device."""
    with open(os.devnull, "w") as null:  # noqa: PTH123 - the file descriptor is what matters
        os.dup2(null.fileno(), stream.fileno())
