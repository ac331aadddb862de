# SPDX-License-Identifier: MIT
"""The service's parts put together: what the paths work with."""

from __future__ import annotations

from unisono.web.jobs import Jobs
from unisono.web.limits import Limits
from unisono.web.pool import Pool
from unisono.web.store import Store


class Service:
    """What is kept, who works, what is under way."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.store = Store(limits)
        self.pool = Pool(limits)
        self.jobs = Jobs(self.store, self.pool)
