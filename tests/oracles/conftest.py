# SPDX-License-Identifier: MIT
"""What the oracles need to know."""

from __future__ import annotations

#: Run in an environment of its own, never here.
collect_ignore = ["pygamma_compat_worker.py", "pygamma_family_worker.py"]
