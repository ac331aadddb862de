# SPDX-License-Identifier: MIT
"""The papers' tables and figures, and our own studies: each a short file that prints what it found.

python -m unisono.experiments.missing_values
"""
