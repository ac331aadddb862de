# SPDX-License-Identifier: MIT
"""docs/command-line.md tells of every option, and of no other. Oracle: the commands themselves."""

from __future__ import annotations

import re
from pathlib import Path

import typer.main

from unisono.cli import app

TEXT = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")


def test_every_option_is_documented() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    options = {
        option
        for command in commands.values()
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    }
    assert set(re.findall(r"--[a-z][a-z-]*", TEXT)) - {"--help"} == options - {"--help"}
    for name in commands:
        assert f"unisono {name} " in TEXT


def test_columns_can_be_named() -> None:
    """Every role of a unit's column has an option."""
    from dataclasses import fields

    from unisono import Columns

    assert {f"--{field.name}-column" for field in fields(Columns)} <= set(re.findall(r"--[a-z-]+", TEXT))
