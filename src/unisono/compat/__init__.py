# SPDX-License-Identifier: MIT
"""For users of other libraries: the names they know, with the same meanings, computed by unisono."""
