# SPDX-License-Identifier: MIT
"""Run in the environment of pygamma-agreement: its numbers for the programs of pygamma_examples.py, as JSON.

.venv-pygamma/bin/python tests/oracles/pygamma_compat_worker.py tests/oracles/pygamma_compat.json
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import pygamma_agreement
from pyannote.core import Segment

sys.path.insert(0, str(Path(__file__).parent))

from pygamma_examples import run

with tempfile.TemporaryDirectory() as folder:
    answers = run(pygamma_agreement, Segment, Path(folder))
Path(sys.argv[1]).write_text(json.dumps({"version": version("pygamma-agreement"), "answers": answers}, indent=1))
