# SPDX-License-Identifier: MIT
"""No two modules of one name do different things. Oracle: the tree, and the pairs that CONTRIBUTING.md allows."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from unisono.cli import app

PACKAGE = Path(__file__).parents[2] / "src" / "unisono"

COMMANDS = {command.callback.__name__ for command in app.registered_commands if command.callback}

#: Folders whose modules may share their names with others: two sides of the same thing.
PAIRS = (
    ("io/formats", "io/writers"),  # the reader and the writer of a format
    ("io/tables", "io/writers"),  # the reader and the writer of a table of units
    ("io", "io/writers"),  # reading and writing tables
    ("measures", "measures/catalogue"),  # the functions of a family and its entries in the catalogue
)


def module_paths() -> dict[str, list[str]]:
    """The modules and packages by name, each as its path without the ending."""
    paths = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.parent if path.name == "__init__.py" else path.with_suffix("")
        if place != PACKAGE and place.name != "__main__":
            paths[place.name].append(place.relative_to(PACKAGE).as_posix())
    return paths


def is_allowed(first: str, second: str) -> bool:
    folders = {Path(first).parent.as_posix(), Path(second).parent.as_posix()}
    is_command = "cli" in folders and Path(first).name in COMMANDS  # a command is named after what it calls
    # The names of pygamma-agreement's own modules, and of the format that it reads.
    is_compatible = any(path.startswith("compat/pygamma") for path in (first, second))
    return is_command or is_compatible or folders in [set(pair) for pair in PAIRS]


def test_the_tree_is_found() -> None:
    paths = module_paths()
    assert len(paths) > 250
    assert paths["brat"] == ["io/formats/brat", "io/writers/brat"]


@pytest.mark.parametrize("name", [name for name, places in module_paths().items() if len(places) > 1])
def test_a_name_means_one_thing(name: str) -> None:
    places = module_paths()[name]
    clashes = [
        f"{first} and {second}"
        for i, first in enumerate(places)
        for second in places[i + 1 :]
        if not is_allowed(first, second)
    ]
    assert clashes == []
