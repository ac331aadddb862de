# SPDX-License-Identifier: MIT
"""Scripts and styles for pages in one file. Oracle: the modules themselves; what a script element may hold (HTML)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.report import assets

ENTRIES = ("report.js", "comparison.js", "benchmark.js", "notebook.js", "viewer/viewer.js")
STYLES = ("shared.css", "page.css", "benchmark.css", "notebook.css", "viewer/viewer.css")
MODULES = {str(path.relative_to(assets.FOLDER)): path.read_text("utf-8") for path in assets.FOLDER.rglob("*.js")}


def imports(name: str) -> set[str]:
    """The modules that a module imports, found in another way than the bundler does."""
    return {
        str((assets.FOLDER / name).parent.joinpath(path).resolve().relative_to(assets.FOLDER.resolve()))
        for path in re.findall(r'from "([^"]+)"', MODULES[name])
    }


def needed(entry: str) -> set[str]:
    return {entry}.union(*(needed(name) for name in imports(entry)))


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_an_entry_needs_is_in_its_bundle_once_and_in_order(entry: str) -> None:
    order = re.findall(r'^modules\["([^"]+)"\] = ', assets.bundle(entry), re.MULTILINE)
    assert sorted(order) == sorted(needed(entry))
    for i, name in enumerate(order):
        assert imports(name) <= set(order[:i]), name
        last_line = MODULES[name].rstrip().splitlines()[-1].removeprefix("export ")
        assert last_line in assets.bundle(entry)


def test_every_module_is_used_by_some_page() -> None:
    """Those of the page without a server are put into their places when it is built."""
    builder = Path(__file__).parents[2] / "tools" / "static_page.py"
    built = set(re.findall(r'"(static/[^"]+\.js)"', builder.read_text("utf-8")))
    assert built
    assert set(MODULES) - built == set().union(*(needed(entry) for entry in (*ENTRIES, "page.js")))
    assert built <= set(MODULES)


def test_imports_become_names_and_exports_an_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    (tmp_path / "inner").mkdir()
    (tmp_path / "entry.js").write_text('import {\n  a,\n  b as c,\n} from "./inner/m.js";\nexport const d = a + c;\n')
    (tmp_path / "inner" / "m.js").write_text(
        'import { e } from "../e.js";\nexport const a = e;\nexport function b() {}\n'
    )
    (tmp_path / "e.js").write_text("export class e {}\n")
    assert assets.bundle.__wrapped__("entry.js", "given") == (
        'const given = (() => {\n"use strict";\nconst modules = {};\n'
        'modules["e.js"] = (() => {\nclass e {}\nreturn { e };\n})();\n'
        'modules["inner/m.js"] = (() => {\nconst { e } = modules["e.js"];\nconst a = e;\nfunction b() {}\n'
        "return { a, b };\n})();\n"
        'modules["entry.js"] = (() => {\nconst { a, b: c } = modules["inner/m.js"];\nconst d = a + c;\n'
        'return { d };\n})();\nreturn modules["entry.js"];\n})();\n'
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('import * as all from "./entry.js";\n', "entry.js may import"),
        ("export default 3;\n", "entry.js may import"),
        ("export let changing = 1;\n", "entry.js may import"),
        ('import { a } from "./entry.js";\n', "import each other: entry.js -> entry.js"),
        ('export const end = "</SCRIPT>";\n', "must not contain </script"),
    ],
)
def test_what_cannot_be_bundled_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    (tmp_path / "entry.js").write_text(source)
    with pytest.raises(AssertionError, match=message):
        assets.bundle.__wrapped__("entry.js")


def test_nothing_can_end_the_element_it_is_in() -> None:
    for text in (*map(assets.bundle, ENTRIES), assets.stylesheet(*STYLES)):
        assert not re.search(r"</(script|style)|<!--", text, re.IGNORECASE)


def test_only_the_page_of_the_service_asks_the_network() -> None:
    for name in set().union(*map(needed, ENTRIES)):
        assert not re.search(r"\bfetch\(|XMLHttpRequest|EventSource|sendBeacon", MODULES[name]), name


@pytest.mark.parametrize("name", MODULES)
def test_modules_write_no_markup_and_evaluate_nothing(name: str) -> None:
    """What the strict content security policies forbid, and what would let a name become markup."""
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bon\w+=|https?:"
    assert not re.search(forbidden, MODULES[name].replace("http://www.w3.org/2000/svg", ""))
