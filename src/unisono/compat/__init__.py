# SPDX-License-Identifier: MIT
"""Doors for users of other libraries: their names and meanings, computed by unisono."""
