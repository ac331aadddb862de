# SPDX-License-Identifier: MIT
"""From settings as JSON has them to the arguments of the library: for readers, dissimilarities, measurements."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import FormatError, ParameterError
from unisono.io import Columns, NamedFiles
from unisono.presets import preset
from unisono.settings import PRECISION, Comparing, Reading, Settings, check, settings_of

Json = Mapping[str, Any]

#: Settings that name tables beside the units.
_TABLES = ("documents", "participation")


def reading_arguments(reading: Json, files: Mapping[str, Path]) -> dict[str, Any]:
    """What `inspect` is given: the uploaded files under their names, and how to read them."""
    tables = {role: reading[role] for role in _TABLES if reading.get(role) is not None}
    for role, name in tables.items():
        if name not in files:
            raise ParameterError.of(
                f"{name!r}, named by [[{role}]], was not uploaded",
                f"There are: {', '.join(sorted(files)[:20])}.",
                code="unknown-file",
            )
    units = {name: path for name, path in files.items() if name not in tables.values()}
    if not units:
        raise FormatError.of("there are no files with annotations", "Send at least one.", code="no-files")
    known = settings_of(Reading)
    values = {name: known[name].normalise(value) for name, value in reading.items() if name in known}
    check(Reading(**values))
    return {
        **{name: value for name, value in values.items() if name not in _TABLES},
        "paths": NamedFiles(units),
        **{role: NamedFiles({name: files[name]}) for role, name in tables.items()},
        "columns": Columns(**reading["columns"]),
        "category_map": reading["category_map"],
    }


def measure_arguments(settings: Json) -> dict[str, Any]:
    """What `measure` is given besides data, measures and the number of samples; the seed must have been drawn."""
    given = _check_settings(settings)
    values = {name: getattr(given, name) for name, setting in settings_of(Settings).items() if setting.in_service}
    del values["samples"]
    return {
        **values,
        "measures": settings["measures"],
        "precision": PRECISION if given.precision is None and given.samples is None else given.precision,
    }


def dissimilarity(settings: Json) -> CombinedDissimilarity:
    """The dissimilarity that the settings describe."""
    known = settings_of(Comparing)
    given = Comparing(**{name: known[name].normalise(settings[name]) for name in known})
    check(given)
    return preset(settings["preset"]).make_dissimilarity(given)


def _check_settings(settings: Json) -> Settings:
    """The settings of a measurement; a ParameterError if one is invalid."""
    known = settings_of(Settings)
    given = Settings(**{name: known[name].normalise(value) for name, value in settings.items() if name in known})
    check(given)
    return given
