# SPDX-License-Identifier: MIT
"""What all tests share: the folder of samples and corpora beside the repository, the profiles of hypothesis."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: Under CI a skip for want of that folder is a failure: the tests must have run somewhere.
CI = os.environ.get("CI", "").lower() == "true"

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
