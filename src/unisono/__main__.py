# SPDX-License-Identifier: MIT
"""`python -m unisono` is the command `unisono`; signals end it cleanly, even while it is still starting."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

#: Exit code after Ctrl-C: 128 plus the number of the signal, as in shells.
_INTERRUPTED = 128 + signal.SIGINT
#: Seconds after which an interrupt that had no effect is raised again.
_AGAIN = 10.0
#: Seconds after which an interrupt that waits for the end of an import is tried again.
_SOON = 0.05
#: The signal of the timer that does so; Windows has none.
_ALARM = getattr(signal, "SIGALRM", None)


def entry() -> NoReturn:
    """Run the command that the arguments name and exit with its code.

    Ctrl-C, `kill` and a closed terminal raise KeyboardInterrupt, so that scratch files and processes are removed. An
    exception after an interrupt is taken for its consequence and not shown. An interrupt in the middle of an import
    waits until the import is done, because libraries drop or change exceptions while they are loaded; a second one does
    not wait.
    Python drops exceptions that are raised while objects are deleted: such an interrupt is raised again, as is one that
    had no other effect.
    """
    caught: list[int] = []
    is_over = False

    def raise_again_in(seconds: float) -> None:
        if _ALARM is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def interrupt(number: int, frame: FrameType | None) -> None:
        if is_over:  # the command is done, or has been interrupted
            return
        if number != _ALARM:
            caught.append(number)
        is_first = number == _ALARM or len(caught) == 1
        if is_first and _ALARM is not None and _is_importing(frame):
            raise_again_in(_SOON)
        else:
            raise_again_in(_AGAIN)
            raise KeyboardInterrupt

    def show_dropped(dropped: sys.UnraisableHookArgs) -> None:
        if caught and dropped.exc_type is KeyboardInterrupt:
            raise_again_in(_SOON)
        else:
            sys.__unraisablehook__(dropped)

    sys.unraisablehook = show_dropped
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)
    if _ALARM is not None:
        signal.signal(_ALARM, interrupt)
    try:
        try:
            from unisono.cli import main

            code = main()
        finally:
            is_over = True
    except BaseException:
        is_over = True
        if not caught:
            raise
        os.write(2, b"unisono: interrupted\n")
        code = _INTERRUPTED
    raise_again_in(0)  # stops the timer
    if not caught or code == 0:
        sys.exit(code)
    if code != _INTERRUPTED:  # the command reported the consequence of the interrupt as another error
        os.write(2, b"unisono: interrupted\n")
    for number in set(caught):  # the rest is clearing up; a second signal ends it at once
        signal.signal(number, signal.SIG_DFL)
    with suppress(Exception):
        atexit._run_exitfuncs()
        sys.stdout.flush()
    # Not sys.exit: after a KeyboardInterrupt in evaluated code, caught or not, Python ends as if killed by SIGINT.
    os._exit(128 + caught[-1])


def _is_importing(frame: FrameType | None) -> bool:
    """Whether the frame belongs to an import, at any depth."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    entry()
