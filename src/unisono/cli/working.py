# SPDX-License-Identifier: MIT
"""Where the work of a command is done: the options --jobs and --cluster of those that can be spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.run import usage

Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Work on the Dask cluster with its scheduler there (tcp://...). Changes no number."
    ),
]


def check(jobs: int | None, cluster: str | None) -> None:
    """Refuse what makes no sense together."""
    if jobs is not None and jobs < 1:
        usage(f"--jobs: expected at least 1, found {jobs}")
    if jobs is not None and cluster is not None:
        usage("--jobs and --cluster exclude each other: the work is done here, or on the cluster")


@contextmanager
def on_cluster(address: str | None, modules: Sequence[Path] = ()) -> Iterator[Executor | None]:
    """The cluster of that address, or None where there is none to use."""
    if address is None:
        yield None
        return
    from unisono.parallel import cluster

    with cluster(address, modules) as executor:
        yield executor
