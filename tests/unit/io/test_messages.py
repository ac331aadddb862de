# SPDX-License-Identifier: MIT
"""What the documents list is what the code knows: problem codes, column names. Oracle: the source text."""

from __future__ import annotations

import re
from pathlib import Path

from unisono.io.tables.header_names import SYNONYMS

ROOT = Path(__file__).resolve().parents[3]


def test_every_code_is_explained() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "src" / "unisono").rglob("*.py"))
    codes = set(re.findall(r'Problem\(\s*"([a-z-]+)"', source))
    codes |= set(re.findall(r'\bcode="([a-z-]+)"', source))
    codes |= set(re.findall(r'\bslug = "([a-z-]+)"', source))
    codes |= set(re.findall(r'"([a-z]+(?:-[a-z]+)+)",\s*"(?:note|warning)"', source))
    codes |= set(re.findall(r'faults\.add\(\s*"([a-z-]+)"', source))
    codes |= {"missing-annotator", "missing-document", "not-a-number", "not-finite", "too-large", "decimal-comma"}
    explained = set(re.findall(r"^### `([a-z-]+)`$", (ROOT / "docs" / "messages.md").read_text(), re.MULTILINE))
    assert sorted(codes - explained) == []


def test_every_synonym_is_listed() -> None:
    page = (ROOT / "docs" / "tables.md").read_text()
    for role, names in SYNONYMS.items():
        assert re.search(rf"^\| {role} \| {', '.join(names)}(?: \(.*\))? \|$", page, re.MULTILINE), role
