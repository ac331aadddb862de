# SPDX-License-Identifier: MIT
"""`python -m unisono.settings`: write what derives from the settings, in a checkout of the sources."""

from pathlib import Path

from unisono.settings.derived_texts import write_all

write_all(Path(__file__).parents[3])
