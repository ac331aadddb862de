# SPDX-License-Identifier: MIT
"""Tables: delimited text, JSON lines, Parquet, data frames; which column is what."""
