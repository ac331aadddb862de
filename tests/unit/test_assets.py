# SPDX-License-Identifier: MIT
"""The viewer as one script. Oracle: the modules themselves; what may not stand in a script element (HTML standard)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from unisono.report import assets


def modules() -> dict[str, str]:
    return {
        Path(str(f)).name: f.read_text(encoding="utf-8") for f in assets.folder().iterdir() if str(f).endswith(".js")
    }


def test_every_module_is_in_the_bundle_once() -> None:
    for name, text in modules().items():
        body = re.sub(r"^export ", "", text, flags=re.MULTILINE).split("\n\n", 1)[-1].strip()
        assert assets.bundle().count(body) == 1, name


def test_a_module_comes_after_those_it_imports() -> None:
    places = {name: assets.bundle().index(text.split("\n")[1]) for name, text in modules().items()}
    for name, text in modules().items():
        for needed in re.findall(r'from "\./([\w-]+\.js)"', text):
            assert places[needed] < places[name], f"{needed} before {name}"


def test_names_at_the_top_of_the_modules_differ() -> None:
    pattern = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
    counts = Counter(name for text in modules().values() for name in pattern.findall(text))
    assert [name for name, count in counts.items() if count > 1] == []


def test_no_import_and_no_export_is_left() -> None:
    assert not re.search(r"^(import|export)\b", assets.bundle(), re.MULTILINE)


def test_nothing_can_end_the_element_it_stands_in() -> None:
    for text in (assets.bundle(), assets.stylesheet()):
        assert not re.search(r"</(script|style)|<!--", text, re.IGNORECASE)
    with pytest.raises(AssertionError, match="must not contain </script"):
        assets._embeddable("'</SCRIPT>'", "script")


def test_modules_neither_write_markup_nor_evaluate_nor_ask_the_network() -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(|XMLHttpRequest|https?:"
    )
    for name, text in modules().items():
        assert not re.search(forbidden, text), name
