# SPDX-License-Identifier: MIT
"""Programs that get SIGINT while they compute, for tests that Ctrl-C stops them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time


def interrupt(script: str, *arguments: str) -> tuple[int, str]:
    """Interrupt a Python script that prints "ready" and then computes; its return code and its stderr."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        time.sleep(0.5)  # well into the search
        assert process.poll() is None, process.communicate()[1]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    return process.returncode, errors
