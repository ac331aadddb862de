# SPDX-License-Identifier: MIT
"""Annotations and timelines of pyannote.core, in memory: `read({"ann": annotation, "bob": [one, other]})`.

A track is a unit, its label the category; the units of a timeline have none. The `uri` is the document. Annotators are
the keys of a mapping, because pyannote's objects do not name them; an annotation without tracks means that its
annotator has seen the document. pyannote is not imported here: a caller who has such objects has imported it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from unisono.errors import ParameterError
from unisono.io.files.opening import File
from unisono.io.record import Record, RecordBuilder

_WHERE = "pyannote annotations"


def is_pyannote(item: Any) -> bool:
    """Whether this is an object of pyannote, or a mapping whose values are such objects or lists of them."""
    if isinstance(item, Mapping):
        values = [value for entry in item.values() for value in (entry if isinstance(entry, list | tuple) else [entry])]
        return bool(values) and all(map(is_pyannote, values))
    return type(item).__module__.startswith("pyannote.core")


def read_pyannote(item: Any) -> Record:
    """The tracks of all annotations of a mapping from annotators."""
    if not isinstance(item, Mapping):
        raise ParameterError.of(
            f"one {type(item).__name__} of pyannote does not say who the annotators are",
            'Give a mapping from annotators to annotations: read({"ann": annotation, "bob": other}).',
        )
    builder = RecordBuilder(File(_WHERE, ("data",), lambda: io.BytesIO()), _WHERE, time_unit="s")
    for annotator, entry in item.items():
        for annotation in entry if isinstance(entry, list | tuple) else [entry]:
            document = str(annotation.uri) if getattr(annotation, "uri", None) is not None else "data"
            where = f"{_WHERE}, {annotator} on {document}"
            sheet = builder.sheet(annotator=str(annotator), document=document, where=where)
            if hasattr(annotation, "itertracks"):
                for segment, _, label in annotation.itertracks(yield_label=True):
                    builder.unit(sheet, float(segment.start), float(segment.end), {"label": str(label)}, where)
            elif hasattr(annotation, "segments_list_"):
                for segment in annotation:
                    builder.unit(sheet, float(segment.start), float(segment.end), {}, where)
            else:
                raise ParameterError.of(
                    f"a {type(annotation).__name__} of pyannote cannot be read",
                    "Give objects of the classes Annotation and Timeline.",
                )
    called = {"annotator": "the mapping", "document": "uri", "category": "labels"}
    return replace(builder.record(category="label", called=called), file=None)
