# SPDX-License-Identifier: MIT
"""The parts of the service that the routes use."""

from __future__ import annotations

from unisono.web.jobs import Jobs
from unisono.web.limits import Limits
from unisono.web.pool import Pool
from unisono.web.store import Store


class Service:
    """The limits, the store, the workers and the jobs."""

    def __init__(self, limits: Limits, pool: Pool | None = None):
        self.limits = limits
        self.store = Store(limits)
        self.pool = pool or Pool(limits)
        self.jobs = Jobs(self.store, self.pool)
