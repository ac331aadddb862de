# SPDX-License-Identifier: MIT
"""CVAT's XML for video (1.1): tracks; positions in frames.

A track is a unit for as long as its object is visible: from the frame in which it appears to the frame in which it is
outside, or to its last frame. An object that leaves and comes back is one unit each time. The label is the
category, attributes are features (values that change during the track as a set, `a|b`). The parts of a skeleton are not
read as units of their own. Shapes and tags in single images have no duration; they are counted and left out. The video
is the document, the task's assignee, if there is one, the annotator; task and owner are fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, local, parse_document, text
from unisono.io.formats.json_spans import note_left_out
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.model import Extent

_WHAT = "CVAT for video 1.1"


class _Task:
    """What the file says about a task: names, and which frames it has."""

    def __init__(self, element: Element | None, source: str | None):
        def child_text(path: str) -> str | None:
            return None if element is None else text(element.find(path)).strip() or None

        self.document = source or child_text("source") or child_text("name")
        self.annotator = child_text("assignee/username") or child_text("assignee")
        self.fields = {
            name: value
            for name, path in (("task", "name"), ("id", "id"), ("owner", "owner/username"), ("subset", "subset"))
            if (value := child_text(path))
        }
        step = re.search(r"step=(\d{1,9})", child_text("frame_filter") or "")
        self.step = max(1, int(step[1])) if step else 1
        first, last = _whole_number(child_text("start_frame")), _whole_number(child_text("stop_frame"))
        self.extent = None
        if first is not None and last is not None and first <= last:
            self.extent = Extent(first, last + 1, "duration")


def read(file: File, settings: Settings) -> Record:
    """The tracks of all tasks in a file."""
    root = parse_document(file.data(), file.where, _WHAT, "annotations")
    meta = root.find("meta")
    source = (None if meta is None else text(meta.find("source")).strip()) or None
    elements = [] if meta is None else [*meta.iterfind("task"), *meta.iterfind("project/tasks/task")]
    tasks = {text(element.find("id")).strip(): _Task(element, source) for element in elements}
    if not tasks:
        tasks = {"": _Task(None if meta is None else meta.find("job"), source)}
    builder = RecordBuilder(file, "CVAT", time_unit="frames")
    sheets = {
        name: builder.sheet(document=t.document, annotator=t.annotator, extent=t.extent, fields=t.fields)
        for name, t in tasks.items()
    }
    only = next(iter(tasks)) if len(tasks) == 1 else None
    for track in root.iterfind("track"):
        where = line(track, file.where)
        name = track.get("task_id", only)
        name = only if name not in tasks and only is not None else name
        if name not in tasks:
            message = f"the track belongs to task {name}, which is not in the file"
            builder.fault("malformed", where, message, "Export the task again from CVAT.")
            continue
        shapes = [shape for shape in track.iterchildren("*") if local(shape) != "track"]
        frames = [_whole_number(shape.get("frame")) for shape in shapes]
        if None in frames or not frames:
            message = "a shape of the track has no frame" if shapes else "the track has no shapes"
            builder.fault("missing-position", where, message, "Export the task again from CVAT.")
            continue
        shapes = sorted(shapes, key=lambda shape: int(shape.get("frame")))
        for start, end, run in _runs(shapes, tasks[name]):
            builder.unit(sheets[name], start, end, {"label": track.get("label"), **_attributes(run)}, where)
    n_images = sum(1 for image in root.iterfind("image") for _ in image.iterchildren("*"))
    if n_images:
        note_left_out(builder, Counter({"annotation(s) of single images": n_images}), "tracks")
    called = {"annotator": "the task's assignee", "document": "the task", "category": "labels"}
    return builder.record(category="label", called=called)


def _runs(shapes: Sequence[Element], task: _Task) -> Iterator[tuple[int, int, list[Element]]]:
    """First frame, end and shapes of each visible stretch; a track that is never outside ends after its last frame."""
    run: list[Element] = []
    for shape in shapes:
        frame = int(shape.get("frame"))
        if shape.get("outside") == "1":
            if run:
                yield int(run[0].get("frame")), frame, run
            run = []
        else:
            run.append(shape)
    if run:
        end = int(run[-1].get("frame")) + task.step
        if task.extent is not None and end - task.step < task.extent.end:
            end = min(end, int(task.extent.end))
        yield int(run[0].get("frame")), end, run


def _attributes(run: Sequence[Element]) -> dict[str, str]:
    values_of: dict[str, dict[str, None]] = {}
    for shape in run:
        for attribute in shape.iterfind("attribute"):
            name, value = attribute.get("name", ""), text(attribute).strip()
            values = values_of.setdefault(f"{name}_attribute" if name == "label" else name, {})
            if value:
                values[value] = None
    return {name: "|".join(values) for name, values in values_of.items() if name}


def _whole_number(value: str | None) -> int | None:
    return int(value) if value is not None and value.isascii() and value.isdigit() and len(value) < 16 else None
