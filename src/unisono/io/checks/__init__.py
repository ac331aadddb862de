# SPDX-License-Identifier: MIT
"""Findings about data that can be read, and corrections that are certain."""
