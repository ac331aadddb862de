# SPDX-License-Identifier: MIT
"""Layouts: which annotator, document, layer and category each unit of a file belongs to."""
