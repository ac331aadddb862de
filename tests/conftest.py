# SPDX-License-Identifier: MIT
"""What all tests share: the folder of samples and corpora beside the repository, the profiles of hypothesis."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: Under CI a skip for want of that folder is a failure: the tests must have run somewhere.
CI = os.environ.get("CI", "").lower() == "true"

# A shell starts what runs in its background with Ctrl-C ignored, and every process would inherit that: the tests that
# press it would wait in vain.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Output that is not a terminal's is as wide as COLUMNS says, which a runner may have set for its workers.
os.environ.pop("COLUMNS", None)

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if CI else "default")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the samples and corpora: UNISONO_SHARED, or ../shared beside the repository."""
    default = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("UNISONO_SHARED", default))
    if not folder.is_dir():
        message = f"no samples and corpora at {folder}; set UNISONO_SHARED to their folder"
        if CI:
            pytest.fail(message)
        pytest.skip(message)
    return folder
