# SPDX-License-Identifier: MIT
"""From paths to bytes and trees: folders, archives, encodings, untrusted XML and JSON."""
