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


def entry() -> NoReturn:
    """Run the command of the arguments and exit with its code.

    Ctrl-C, `kill` and a closed terminal raise KeyboardInterrupt, so that scratch files and processes are removed. An
    exception that follows one, such as an import that was cut off, is its consequence and not shown.
    """
    caught: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        from unisono.cli import main

        code = main()
    except BaseException:
        if not caught:
            raise
        os.write(2, b"unisono: interrupted\n")
        code = _INTERRUPTED
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
