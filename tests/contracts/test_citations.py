# SPDX-License-Identifier: MIT
"""Citations: one spelling of the papers' titles, with pages and DOI. Oracle: the title pages of the papers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.measures.papers import MATHET_2012, MATHET_2015, MATHET_2017

ROOT = Path(__file__).parents[2]
TITLE_2017 = "The Agreement Measure γcat a Complement to γ Focused on Categorization of a Continuum"
TITLE_2015 = "The Unified and Holistic Method Gamma (γ) for Inter-Annotator Agreement Measure and Alignment"


def passages(pattern: str) -> list[tuple[str, str]]:
    """Where a pattern is found in docs, sources and tests: the file, and what follows on one line."""
    files = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    files += [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    found = []
    for path in files:
        text = re.sub(r"\\?\s+", " ", path.read_text(encoding="utf-8"))
        found += [(str(path.relative_to(ROOT)), text[m.start() : m.start() + 300]) for m in re.finditer(pattern, text)]
    return found


def test_the_table_of_papers() -> None:
    assert MATHET_2017.title == TITLE_2017
    assert MATHET_2015.title == TITLE_2015
    assert MATHET_2012.reference.endswith("evaluation metrics. COLING 2012, 809-818.")


@pytest.mark.parametrize(
    ("start", "title", "pages", "doi"),
    [
        (r"(?i)the agreement measure γcat", TITLE_2017, "661-681", "COLI_a_00296"),
        (r"(?i)the unified and holistic method gamma", TITLE_2015, "437-479", "COLI_a_00227"),
    ],
)
def test_one_spelling_with_pages_and_doi(start: str, title: str, pages: str, doi: str) -> None:
    cited = passages(start)
    assert len(cited) > 3
    for path, passage in cited:
        assert passage.startswith(title), path
        if "papers.py" not in path or "Computational Linguistics 4" in passage:
            assert pages in passage, path
            assert doi in passage, path
