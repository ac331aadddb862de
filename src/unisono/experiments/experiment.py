# SPDX-License-Identifier: MIT
"""An experiment of a paper: a short TOML file with what the paper shows and states, and where our version is computed.

`papers/PAPER/FIGURE.toml` has: `title`, `where` (figure, section), `about` (what is computed, and what had to be
inferred), `seconds` (quick, full; of one processor), the statements (`[[stated]]`) and either `function`, a Python
function that finds the quantities, or `[grid]`, the curves of a shuffling experiment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from unisono.errors import ParameterError, Problem
from unisono.experiments.statements import Compared, Found, Stated

#: The papers in order, with their short citations.
PAPERS = {
    "gamma-2015": "Mathet, Widlöcher, Métivier 2015",
    "gamma-cat-2017": "Mathet 2017",
    "text-gamma-2016": "Barteld, Schröder, Zinsmeister 2016",
}

#: A row of the table of numbers that goes into the CSV file.
Row = Mapping[str, object]


@dataclass(frozen=True)
class Conditions:
    """How an experiment is run: quick or in full, on how many processes, and where finished cells are kept."""

    quick: bool = False
    seed: int = 1
    jobs: int | None = None
    executor: Executor | None = None
    #: Where the finished cells of shuffling experiments are kept, so that a stopped run can be resumed.
    cells: Path | None = None
    progress: Callable[[int, int, str], None] | None = None


@dataclass(frozen=True)
class Outcome:
    """The outcome of an experiment: its quantities, the table behind them, and a function that draws it to files."""

    found: Mapping[str, Found]
    rows: Sequence[Row] = ()
    draw: Callable[[Path], Sequence[Path]] | None = None

    @classmethod
    def of(cls, values: Mapping[str, Found | float | bool | None], **rest: Any) -> Outcome:
        """From plain values, which have no standard error."""
        return cls({k: v if isinstance(v, Found) else Found(v) for k, v in values.items()}, **rest)


@dataclass(frozen=True)
class Experiment:
    """One figure, table or section of a paper."""

    paper: str
    figure: str
    title: str
    where: str
    about: str
    stated: tuple[Stated, ...]
    seconds: tuple[float, float]
    #: Other names: figures and tables shown by the same experiment.
    also: tuple[str, ...] = ()
    #: The statements as the file has them, with their quantities on a curve.
    asked: tuple[Mapping[str, Any], ...] = ()
    #: `module:function`, called with the conditions.
    function: str = ""
    #: The shuffling experiment, as the file describes it.
    grid: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.paper}/{self.figure}"

    def run(self, conditions: Conditions) -> Outcome:
        """Run the experiment: the curves of its grid, or its function."""
        module, _, function = (self.function or "curves:curves").partition(":")
        run: Callable[..., Outcome] = getattr(import_module(f"unisono.experiments.{module}"), function)
        return run(self, conditions) if self.grid else run(conditions)

    def compare(self, outcome: Outcome) -> tuple[Compared, ...]:
        """Every statement beside our value."""
        missing = [s.quantity for s in self.stated if s.quantity not in outcome.found]
        if missing:
            raise LookupError(f"{self.name} states what it does not compute: {', '.join(missing)}")
        return tuple(Compared.of(s, outcome.found[s.quantity]) for s in self.stated)

    @classmethod
    def from_toml(cls, paper: str, figure: str, text: str) -> Experiment:
        data = tomllib.loads(text)
        return cls(
            paper=paper,
            figure=figure,
            title=data["title"],
            where=data["where"],
            about=" ".join(data["about"].split()),
            stated=tuple(stated for item in data.get("stated", ()) for stated in _statements(item)),
            seconds=(float(data["seconds"][0]), float(data["seconds"][1])),
            also=tuple(data.get("also", ())),
            asked=tuple(data.get("stated", ())),
            function=data.get("function", ""),
            grid=data.get("grid", {}),
        )


def _statements(item: Mapping[str, Any]) -> list[Stated]:
    """One statement, or several: `of` names the items of a list of values.

    >>> [(s.quantity, s.value) for s in _statements({"quantity": "weight", "of": ["5", "4"], "value": ["1", "2"]})]
    [('weight, 5', '1'), ('weight, 4', '2')]
    """
    if "of" not in item:
        return [Stated.from_dict({**item, "quantity": quantity_of(item)})]
    quantity = quantity_of(item)
    return [
        Stated.from_dict({**item, "quantity": f"{quantity}, {of}", "value": value})
        for of, value in zip(item["of"], item["value"], strict=True)
    ]


def quantity_of(item: Mapping[str, Any]) -> str:
    """The name of the quantity of a statement: `gamma at 1`, `ser highest from 0.6 to 0.9`.

    >>> quantity_of({"measure": "gamma", "at": 1})
    'gamma at 1'
    >>> quantity_of({"measure": "u-alpha-2013", "over": [0.6, 0.9], "take": "highest", "curve": "long"})
    'u-alpha-2013 (long) highest from 0.6 to 0.9'
    """
    if "quantity" in item:
        return str(item["quantity"])
    who = item.get("measure", "") + (f" ({item['curve']})" if "curve" in item else "")
    if "minus" in item or "minus_curve" in item:
        who += f" less {item.get('minus', item['measure'])}"
        who += f" ({item['minus_curve']})" if "minus_curve" in item else ""
    words = f"{who} {item['take']}" if "take" in item else who
    if "at" in item:
        return f"{words} at {item['at']:g}"
    if "over" in item:
        first, last = item["over"]
        return f"{words} from {first:g} to {last:g}"
    return words


@cache
def experiments() -> Mapping[str, Experiment]:
    """Every experiment by its name, in the order of the papers and their sections."""
    every: list[Experiment] = []
    for paper in PAPERS:
        folder = files("unisono.experiments") / "papers" / paper
        here = [
            Experiment.from_toml(paper, item.name.removesuffix(".toml"), item.read_text(encoding="utf-8"))
            for item in folder.iterdir()
            if item.name.endswith(".toml")
        ]
        every += sorted(here, key=lambda e: (_section(e.where), _natural_sort_key(e.figure)))
    return {experiment.name: experiment for experiment in every}


def _section(where: str) -> list[int]:
    """The first section named, for sorting."""
    first = re.search(r"[Ss]ections? ([\d.]*\d)", where)
    return [int(part) for part in first[1].split(".")] if first else []


def _natural_sort_key(text: str) -> list[tuple[int, str]]:
    """For sorting: numbers by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text) if part]


def select_experiments(names: Sequence[str]) -> tuple[Experiment, ...]:
    """The experiments of these names; `all` stands for all of them, the name of a paper for its own.

    >>> [e.name for e in select_experiments(["gamma-2015/14"])]
    ['gamma-2015/14']
    """
    known = experiments()
    names_of = {f"{e.paper}/{other}": e.name for e in known.values() for other in e.also}
    selected: dict[str, Experiment] = {}
    problems = []
    for name in names:
        if name == "all":
            selected |= known
        elif name in PAPERS:
            selected |= {key: e for key, e in known.items() if e.paper == name}
        elif name in known or name in names_of:
            selected[names_of.get(name, name)] = known[names_of.get(name, name)]
        else:
            close = get_close_matches(name, [*known, *PAPERS, "all"], 1, 0.5)
            problems.append(
                Problem(
                    "unknown-experiment",
                    "error",
                    "",
                    f"there is no experiment or paper called {name!r}",
                    f"Did you mean {close[0]!r}?" if close else "`unisono reproduce` lists them.",
                )
            )
    if problems:
        raise ParameterError(problems)
    return tuple(e for key, e in known.items() if key in selected)
