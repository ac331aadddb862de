# SPDX-License-Identifier: MIT
"""Links of the pages lead somewhere. Oracle: the files and headings that are there.

`make docs` checks the site's own links, anchors of generated pages included; this holds wherever the pages are read.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
#: Made by `make docs`.
MADE = re.compile(r"docs/gallery/[a-z]+\.html$")


def headings(page: Path) -> set[str]:
    """The anchors of a page, as the usual renderers make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in titles]
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
        if "://" in target or target.startswith("mailto:"):
            continue
        path = page if not target else (page.parent / target).resolve()
        if MADE.search(path.as_posix()):
            continue
        assert path.exists(), f"{page.name} links to {target}"
        if anchor and path.suffix == ".md":
            assert anchor in headings(path), f"{page.name} links to {target}#{anchor}"


def test_every_page_is_in_the_navigation() -> None:
    """A page that is not in mkdocs.yml is built and never found."""
    named = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert pages <= named
    assert named - pages == {"api.md", "bench.md", "changelog.md", "contributing.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_python_are_fenced(page: Path) -> None:
    """Outside of a fence, `>>>` is a quotation in a quotation to every renderer."""
    text = re.sub(r"^ *```.*?^ *```|<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert not re.findall(r"^>>> .*", text, re.MULTILINE)


def test_the_repository_has_one_address() -> None:
    """It is assumed until the repository is there (docs/releasing.md): whoever changes it must find every place."""
    address = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
    owner, name = address.rsplit("/", 2)[1:]
    written = re.compile(rf"github\.com/([\w-]+/{name})\b|([\w-]+)\.github\.io/{name}\b")
    places = [*PAGES, *(ROOT / each for each in ("CITATION.cff", "mkdocs.yml", "pyproject.toml"))]
    found = {place: written.findall(place.read_text(encoding="utf-8")) for place in places}
    named = [place for place, matches in found.items() if matches]
    assert len(named) >= 4
    for place in named:
        for repository, host in found[place]:
            assert (repository or f"{host}/{name}") == f"{owner}/{name}", place
