# SPDX-License-Identifier: MIT
"""Children that the permissions of files hold for, even where the tests run as root."""

from __future__ import annotations

import ctypes
import os

#: prctl(PR_CAPBSET_DROP, ...): root without the rights to ignore permissions (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)
#: and to act as the owner of any file (CAP_FOWNER).
_DROP = 24
_RIGHTS = (1, 2)
_OWNER = 3
_C = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def obey_permissions() -> None:
    """For `preexec_fn`: what the child executes may write only where the permissions allow it."""
    if _C is not None and os.getuid() == 0:
        for right in _RIGHTS:
            _C.prctl(_DROP, right, 0, 0, 0)


def obey_owners() -> None:
    """For `preexec_fn`: permissions hold for the child, and the owners of files are others."""
    obey_permissions()
    if _C is not None and os.getuid() == 0:
        _C.prctl(_DROP, _OWNER, 0, 0, 0)
