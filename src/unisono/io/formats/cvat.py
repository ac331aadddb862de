# SPDX-License-Identifier: MIT
"""CVAT's XML for video (1.1): tracks; positions in frames.

A track is a unit for as long as its object is to be seen: from the frame in which it comes up to the frame in which it
is outside, or to the end of the task; an object that leaves and comes back is a unit each time. The label is the
category, attributes are features (values that change on the way as a set, `a|b`). The parts of a skeleton move with it
and are no units of their own. Shapes and tags in single images have no duration and are passed over. The video is the
document, the task's assignee, where there is one, the annotator; task and owner are fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.validation import counted
from unisono.io.xmltree import Element, line, local, malformed, parsed, text
from unisono.model import Extent

_WHAT = "CVAT (CVAT for video 1.1)"


class _Task:
    """What a task says: names, and which frames it has."""

    def __init__(self, element: Element | None, source: str | None):
        def said(path: str) -> str | None:
            return None if element is None else text(element.find(path)).strip() or None

        self.document = source or said("source") or said("name")
        self.annotator = said("assignee/username") or said("assignee")
        self.fields = {
            name: value
            for name, path in (("task", "name"), ("id", "id"), ("owner", "owner/username"), ("subset", "subset"))
            if (value := said(path))
        }
        step = re.search(r"step=(\d{1,9})", said("frame_filter") or "")
        self.step = max(1, int(step[1])) if step else 1
        first, last = _whole(said("start_frame")), _whole(said("stop_frame"))
        self.extent = None
        if first is not None and last is not None and first <= last:
            self.extent = Extent(first, last + 1, "duration")


def read(file: File, settings: Settings) -> Record:
    """The tracks of all tasks in a file."""
    root = parsed(file.data(), file.where, _WHAT)
    if local(root) != "annotations":
        raise malformed(file.where, _WHAT, f"an element {local(root)} instead of annotations")
    meta = root.find("meta")
    source = (None if meta is None else text(meta.find("source")).strip()) or None
    elements = [] if meta is None else [*meta.iterfind("task"), *meta.iterfind("project/tasks/task")]
    tasks = {text(element.find("id")).strip(): _Task(element, source) for element in elements}
    if not tasks:
        tasks = {"": _Task(None if meta is None else meta.find("job"), source)}
    builder = RecordBuilder(file, "CVAT")
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
            builder.fault("malformed", where, "a track of one of the tasks", f"task {name}", "export it again")
            continue
        shapes = [shape for shape in track.iterchildren("*") if local(shape) != "track"]
        frames = [_whole(shape.get("frame")) for shape in shapes]
        if None in frames or not frames:
            builder.fault("missing-position", where, "a frame for each shape of a track", "none", "export it again")
            continue
        shapes = sorted(shapes, key=lambda shape: int(shape.get("frame")))
        for start, end, run in _runs(shapes, tasks[name]):
            builder.unit(sheets[name], start, end, {"label": track.get("label"), **_attributes(run)}, where)
    n_images = sum(1 for image in root.iterfind("image") for _ in image.iterchildren("*"))
    if n_images:
        builder.note(
            "passed-over",
            "tracks",
            f"{counted(n_images, 'shape or tag', 'shapes or tags')} in single images",
            "left out",
        )
    called = {"annotator": "the task's assignee", "document": "the task", "category": "labels"}
    return builder.record(category="label", called=called)


def _runs(shapes: Sequence[Element], task: _Task) -> Iterator[tuple[int, int, list[Element]]]:
    """From coming up to going outside; a track that is never outside ends after its last frame."""
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
    found: dict[str, list[str]] = {}
    for shape in run:
        for attribute in shape.iterfind("attribute"):
            name, value = attribute.get("name", ""), text(attribute).strip()
            values = found.setdefault(f"{name}_attribute" if name == "label" else name, [])
            if value and value not in values:
                values.append(value)
    return {name: "|".join(values) for name, values in found.items() if name}


def _whole(value: str | None) -> int | None:
    return int(value) if value is not None and value.isascii() and value.isdigit() and len(value) < 16 else None
