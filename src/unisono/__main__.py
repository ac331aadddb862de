# SPDX-License-Identifier: MIT
"""`python -m unisono` is the command `unisono`."""

from unisono.cli import entry

if __name__ == "__main__":
    entry()
