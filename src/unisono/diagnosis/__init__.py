# SPDX-License-Identifier: MIT
"""What a measured value means and what to do next: habits, findings, what-if, error equivalents, advice."""
