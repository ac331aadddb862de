# SPDX-License-Identifier: MIT
"""The measures, one file a family."""
