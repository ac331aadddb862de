# SPDX-License-Identifier: MIT
"""The catalogue of measures, one file a family; light enough to be listed without loading numpy."""
