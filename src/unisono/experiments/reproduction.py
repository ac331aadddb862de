# SPDX-License-Identifier: MIT
"""Run experiments and write their figures, their numbers, and the table of published values beside ours."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unisono.errors import DataWarning, MissingDependencyError
from unisono.experiments.experiment import Conditions, Experiment, Outcome, Row, select_experiments
from unisono.experiments.statements import Compared, Stated
from unisono.report.notation import number
from unisono.whole_files import make_folder, write_whole

#: The table of verdicts of one run.
VERDICTS = "verdicts.csv"


@dataclass(frozen=True)
class Reproduction:
    """One experiment that was run: every statement beside our value, the seconds it took, the files it wrote."""

    experiment: Experiment
    outcome: Outcome
    compared: tuple[Compared, ...]
    seconds: float
    files: tuple[Path, ...] = ()

    @property
    def n_reproduced(self) -> int:
        return sum(row.verdict.word == "reproduced" for row in self.compared)

    def to_dict(self) -> dict[str, Any]:
        experiment = self.experiment
        return {
            "name": experiment.name,
            "title": experiment.title,
            "where": experiment.where,
            "about": experiment.about,
            "seconds": round(self.seconds, 1),
            "files": [str(path) for path in self.files],
            "statements": [row.to_dict() for row in self.compared],
        }


def reproduce(
    names: Sequence[str] = ("all",), *, out: str | Path | None = None, conditions: Conditions | None = None
) -> Iterator[Reproduction]:
    """Run experiments by name (`all`, a paper, `gamma-2015/26a`), one after the other.

    out: the folder for figures (SVG and PNG, which need the extra `plots`), numbers (CSV) and `verdicts.csv`, which is
    whole after every experiment; nothing is written if None.

    >>> from unisono.experiments.experiment import Conditions
    >>> [done] = reproduce(["gamma-2015/10"], conditions=Conditions(quick=True))
    >>> [(row.stated.value, round(row.found.value, 2), row.verdict.word) for row in done.compared][4:6]
    [('22.2', 22.22, 'reproduced'), ('3.22', 3.24, 'not reproduced')]
    """
    wanted = select_experiments(names)
    conditions = conditions or Conditions()
    done: list[Reproduction] = []
    for experiment in wanted:
        began = time.perf_counter()
        outcome = experiment.run(conditions)
        compared = experiment.compare(outcome)
        seconds = time.perf_counter() - began
        files = () if out is None else _write(experiment, outcome, Path(out))
        done.append(Reproduction(experiment, outcome, compared, seconds, files))
        if out is not None:
            write_rows(Path(out) / VERDICTS, verdict_rows(done))
        yield done[-1]


def verdict_rows(done: Iterable[Reproduction]) -> list[Row]:
    """Every statement of these experiments, as rows of one table."""
    return [{"experiment": r.experiment.name, **row.to_dict()} for r in done for row in r.compared]


def _write(experiment: Experiment, outcome: Outcome, out: Path) -> tuple[Path, ...]:
    """Write the numbers and the figure of one experiment into the folder `out`."""
    make_folder(out)
    stem = out / f"{experiment.paper}-{experiment.figure}"
    rows = outcome.rows or [
        {"quantity": name, "value": found.value, "standard error": found.error} for name, found in outcome.found.items()
    ]
    table = stem.with_name(f"{stem.name}.csv")
    write_rows(table, rows)
    if outcome.draw is None:
        return (table,)
    try:
        return (table, *outcome.draw(stem))
    except MissingDependencyError as error:
        import warnings

        warnings.warn(str(error), DataWarning, stacklevel=2)
        return (table,)


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows([{key: _cell(value) for key, value in row.items()} for row in rows])
    write_whole(path, text.getvalue().encode())


def _cell(value: object) -> object:
    """Numbers to six digits: more precise than the standard errors here, and the same on every machine."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else value


def markdown_table(rows: Iterable[Mapping[str, str]]) -> str:
    r"""Rows of a `verdicts.csv` as a table for the documentation.

    >>> row = {"experiment": "gamma-2015/14", "quantity": "c|uα", "kind": "number", "published": "0.744",
    ...        "ours": "0.74359", "standard_error": "0", "verdict": "reproduced"}
    >>> print(markdown_table([row]).splitlines()[-1])
    | 2015/14 | c\|uα | 0.744 | 0.7436 | yes |
    """
    lines = ["| experiment | quantity | published | ours | reproduced |", "|---|---|---|---|---|"]
    words = {"reproduced": "yes", "not reproduced": "**no**", "undecided": "undecided"}
    for row in rows:
        stated = Stated(row["quantity"], row["published"], row["kind"])  # type: ignore[arg-type]
        cells = (
            row["experiment"].replace("text-gamma-", "").replace("gamma-cat-", "").replace("gamma-", ""),
            row["quantity"],
            stated.printed,
            _format_our_value(row["ours"], float(row["standard_error"])),
            words[row["verdict"]],
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _format_our_value(text: str, error: float) -> str:
    if text in ("", "yes", "no"):
        return text or "none"
    value = float(text)
    return f"{number(value)} ± {number(error)}" if error else f"{value:.4g}"
