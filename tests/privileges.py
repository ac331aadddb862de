# SPDX-License-Identifier: MIT
"""Children that the permissions of files hold for, even where the tests run as root."""

from __future__ import annotations

import ctypes
import os

#: prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH): root without the right to ignore permissions.
_DROP = 24
_RIGHTS = (1, 2)
_C = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def obey_permissions() -> None:
    """For `preexec_fn`: what the child executes may write only where the permissions allow it."""
    if _C is not None and os.getuid() == 0:
        for right in _RIGHTS:
            _C.prctl(_DROP, right, 0, 0, 0)
