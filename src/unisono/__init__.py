# SPDX-License-Identifier: MIT
"""unisono: how far annotators agree when they mark units on a continuum."""
