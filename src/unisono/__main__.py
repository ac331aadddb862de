# SPDX-License-Identifier: MIT
"""`python -m unisono` is the command `unisono`; signals end it in order from its first line on."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn

#: Exit code after Ctrl-C: 128 and the number of the signal, as shells count.
_INTERRUPTED = 128 + signal.SIGINT
#: Seconds after which an interrupt that had no effect is raised again.
_AGAIN = 1.0
#: The signal of the timer that does so; Windows has none.
_ALARM = getattr(signal, "SIGALRM", None)


def entry() -> NoReturn:
    """Run the command of the arguments and exit with its code.

    Ctrl-C, `kill` and a closed terminal raise KeyboardInterrupt, so that scratch files and processes are removed. An
    exception that follows one, such as an import that was cut off, is its consequence and not shown. Python drops
    exceptions that are raised while objects are deleted, and some libraries drop any exception while they are loaded:
    so the interrupt is raised again until the command ends.
    """
    caught: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if number != _ALARM:
            caught.append(number)
        if _ALARM is not None:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        raise KeyboardInterrupt

    def show_dropped(dropped: sys.UnraisableHookArgs) -> None:
        if not (caught and dropped.exc_type is KeyboardInterrupt):  # an interrupt is raised again, and not shown
            sys.__unraisablehook__(dropped)

    sys.unraisablehook = show_dropped
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)
    if _ALARM is not None:
        signal.signal(_ALARM, interrupt)
    try:
        from unisono.cli import main

        code = main()
    except BaseException:
        if not caught:
            raise
        os.write(2, b"unisono: interrupted\n")
        code = _INTERRUPTED
    if _ALARM is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if not caught or code == 0:
        sys.exit(code)
    if code != _INTERRUPTED:  # an import that was cut off looks like a library that is missing
        os.write(2, b"unisono: interrupted\n")
    for number in set(caught):  # the rest is clearing up; a second signal ends it at once
        signal.signal(number, signal.SIG_DFL)
    with suppress(Exception):
        atexit._run_exitfuncs()
        sys.stdout.flush()
    # Not sys.exit: after a KeyboardInterrupt in evaluated code, caught or not, Python ends as if killed by SIGINT.
    os._exit(128 + caught[-1])


if __name__ == "__main__":
    entry()
