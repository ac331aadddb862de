# SPDX-License-Identifier: MIT
"""What the commands that measure share: the arguments of the library, and where the work is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.run import usage, usage_errors
from unisono.settings import Comparing, Estimating, Working, check_values, settings_of

if TYPE_CHECKING:
    from unisono.dissimilarity import CombinedDissimilarity

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on the Dask cluster with its scheduler there (tcp://...). Changes no number.",
        rich_help_panel="Work",
    ),
]

Processes = Annotated[
    int | None, typer.Option(metavar="N", help="Processes; all processors if not given. Changes no number.")
]


def keywords(*groups: Any) -> dict[str, Any]:
    """The settings of groups as keywords of the library."""
    return {name: getattr(group, name) for group in groups for name in settings_of(type(group))}


def dissimilarity_of(comparing: Comparing, estimating: Estimating | None = None) -> CombinedDissimilarity:
    """The dissimilarity that the options describe; a file of distances that cannot be used is bad data."""
    from unisono.presets import preset

    chosen = preset("paper" if estimating is None else estimating.preset)
    if comparing.category_distances is not None:
        return chosen.make_dissimilarity(comparing)
    with usage_errors():
        return chosen.make_dissimilarity(comparing)


def check_place(jobs: int | None, cluster: str | None) -> None:
    """Refuse an invalid number of jobs, and --jobs together with --cluster."""
    with usage_errors():
        check_values(Working, {"threads": jobs})
    if jobs is not None and cluster is not None:
        usage("--jobs and --cluster exclude each other: the work is done here, or on the cluster")


def measure_of(name: str) -> str:
    """The one measure that --measure names."""
    from unisono.measures.measure_names import measure_name

    with usage_errors():
        return measure_name(name)


@contextmanager
def executor_of(jobs: int | None, address: str | None, modules: Sequence[Path] = ()) -> Iterator[Executor | None]:
    """Where the work is done: on the cluster of that address, in so many processes, or, for one, here (None)."""
    from unisono.parallel import cluster, n_threads, processes

    if address is None and n_threads(jobs) == 1:
        yield None
        return
    with processes(jobs) if address is None else cluster(address, modules) as executor:
        yield executor
