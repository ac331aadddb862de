# SPDX-License-Identifier: MIT
"""What the service offers: formats, measures, presets, limits; and its health."""

from __future__ import annotations

from fastapi import APIRouter

from unisono.io import FORMATS, WRITERS
from unisono.measures import MEASURES
from unisono.presets import PRESETS
from unisono.results import package_version
from unisono.web import models
from unisono.web.routes.common import At

router = APIRouter(tags=["about"])


@router.get("/formats")
async def formats() -> list[models.FormatModel]:
    """The formats that are read; the same as `unisono formats --json`."""
    shown = ("name", "description", "extra", "example")
    return [
        models.FormatModel(
            **{key: getattr(each, key) for key in shown},
            suffixes=list(each.suffixes),
            is_written=each.name in WRITERS,
        )
        for each in FORMATS.values()
    ]


@router.get("/measures")
async def measures() -> list[models.MeasureModel]:
    """The measures; the same as `unisono measures --json`."""
    shown = ("name", "symbol", "needs", "explanation", "citation")
    return [models.MeasureModel(**{key: getattr(info, key) for key in shown}) for info in MEASURES.values()]


@router.get("/presets")
async def presets() -> list[models.PresetModel]:
    """The presets: sets of choices where papers and programs differ."""
    return [
        models.PresetModel(
            name=each.name,
            explanation=each.explanation,
            alpha=each.alpha,
            chance=each.chance.signature,
            samples=each.samples,
        )
        for each in PRESETS.values()
    ]


@router.get("/limits")
async def limits(service: At) -> models.LimitsModel:
    """How much may be asked for: sizes in bytes, times in seconds."""
    answer: models.LimitsModel = models.LimitsModel.model_validate(service.limits.to_dict())
    return answer


@router.get("/health")
async def health(service: At) -> models.Health:
    """Whether the service is running, and how busy it is."""
    pool = service.pool
    return models.Health(
        unisono=package_version(), workers=pool.n_workers, running=pool.n_running, waiting=pool.n_waiting
    )
