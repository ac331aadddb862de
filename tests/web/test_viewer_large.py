# SPDX-License-Identifier: MIT
"""10 annotators, 20,000 units: time to the first drawing, frame times while panning. Measured and printed; the one
bound, of processor time, is only there to notice a fault, machines differ."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest

from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Alignment, Continuum, Feature
from unisono.report.view import view
from web.viewing import ORIGIN, open_viewer, settle, window_of

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

ANNOTATORS, UNITS = 10, 2_000
SLOWDOWN = max(1.0, float(os.environ.get("UNISONO_TEST_SLOWDOWN", "1")))


@pytest.fixture
def allowed_origins() -> tuple[str, ...]:
    return (ORIGIN,)


def large() -> tuple[Continuum, Alignment]:
    """Units in ten hours of recording, many of them overlapping; each aligned with its like."""
    rng = np.random.default_rng(2015)
    places = np.sort(rng.uniform(0, 36_000, UNITS))
    starts = np.concatenate([np.abs(places + rng.normal(0, 1, UNITS)).round(2) for _ in range(ANNOTATORS)])
    ends = (starts + rng.exponential(12, len(starts)) + 0.5).round(2)
    codes = np.repeat(np.arange(ANNOTATORS, dtype=np.int32), UNITS)
    labels = Feature(rng.integers(0, 8, len(starts)).astype(np.int32), tuple("ABCDEFGH"))
    continuum = Continuum(
        starts=starts,
        ends=ends,
        annotator_codes=codes,
        annotators=[f"annotator {i}" for i in range(ANNOTATORS)],
        features={"category": labels},
        name="large",
    )
    group = np.tile(np.arange(UNITS, dtype=np.int32), ANNOTATORS)
    disorders = rng.uniform(0, 1.2, UNITS)
    return continuum, Alignment(continuum, group, disorders, disorder=1.0, lower_bound=1.0)


def script_time(session: CDPSession) -> tuple[float, float]:
    """Seconds of processor time that scripts, and all tasks of the page, have taken."""
    found = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    return found["ScriptDuration"], found["TaskDuration"]


FRAMES = 30
PAN = """async (frames) => { const stage = document.querySelector(".u-stage"); const times = [];
  for (let i = 0; i < frames; i++) {
    const begin = performance.now();
    stage.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowRight" : "ArrowLeft" }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b) }"""


def test_large_documents_stay_smooth(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    continuum, alignment = large()
    open_viewer(page, view(continuum, alignment, CombinedDissimilarity()))
    first = page.evaluate("mountTime")
    lines = [f"first drawing of {continuum.n_units:,} units: {first:.0f} ms"]
    for factor in (1, 16, 256):
        low = 18_000 - 18_000 / factor
        page.evaluate("([from, to]) => viewer.look(from, to)", [low, low + 36_000 / factor])
        settle(page)
        before = script_time(session)
        times = page.evaluate(PAN, FRAMES)
        script, task = (1000 * (b - a) / FRAMES for a, b in zip(before, script_time(session), strict=True))
        lines.append(
            f"panning at zoom {factor}: {times[FRAMES // 2]:.0f} ms a frame (median), {times[-2]:.0f} ms (worst but "
            f"one); processor {script:.1f} ms in scripts, {task:.1f} ms in all"
        )
        assert script < 60 * SLOWDOWN, "drawing a frame takes too long: processor time, whatever else runs"
    with capsys.disabled():
        print("", *lines, sep="\n  ")


def test_what_is_below_a_pixel_is_drawn_as_density(page: Page) -> None:
    continuum, alignment = large()
    open_viewer(page, view(continuum, alignment, CombinedDissimilarity()))

    def colours() -> int:
        settle(page)
        return int(
            page.evaluate("""() => { const canvas = document.querySelector(".u-canvas");
            const copy = new OffscreenCanvas(canvas.width, 60).getContext("2d");
            copy.drawImage(canvas, 0, -90); const data = copy.getImageData(0, 0, canvas.width, 60).data;
            const found = new Set(); for (let i = 0; i < data.length; i += 4)
              found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
            return [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0x566170].filter((c) => found.has(c)).length }""")
        )

    assert colours() >= 1  # the profile of the lane
    page.evaluate("viewer.look(18000, 18300)")
    assert window_of(page) == (18000, 18300)
    assert colours() >= 3  # units, each in the colour of its category
