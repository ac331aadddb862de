# SPDX-License-Identifier: MIT
"""The paths of the service, under /api/v1."""

from fastapi import APIRouter

from unisono.web.routes import about, measurements, uploads
from unisono.web.routes.common import FAILURES

router = APIRouter(responses=FAILURES)
for _part in (uploads, measurements, about):
    router.include_router(_part.router)

__all__ = ["router"]
