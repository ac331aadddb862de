# SPDX-License-Identifier: MIT
"""The package as installed, from a wheel or an sdist, with nothing but pytest beside it. Oracle: numbers of the README.

Run on every wheel before it is published (`tool.cibuildwheel`), and by `make test` on the sources.
UNISONO_INSTALLED=1 refuses a package that is not installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import unisono

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
MEASURES = ["gamma", "gamma-cat", "gamma-k"]
#: Seconds for one command; an emulated processor needs more of them.
PATIENCE = float(os.environ.get("UNISONO_PATIENCE", "120"))


def command(*arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unisono", *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.skipif("UNISONO_INSTALLED" not in os.environ, reason="UNISONO_INSTALLED is not set")
def test_it_is_the_installed_package() -> None:
    assert Path(unisono.__file__).is_relative_to(sysconfig.get_path("purelib"))


def test_values_are_those_of_every_other_machine() -> None:
    """To 1e-9, the promise across platforms; the values of the README with all their digits."""
    result = unisono.measure(unisono.read(EXAMPLES / "entities.csv"), MEASURES, seed=42)
    assert result["gamma"].value == pytest.approx(0.6794934801972838, abs=1e-9)
    assert result["gamma-cat"].value == pytest.approx(0.906652031662561, abs=1e-9)
    assert result["gamma"].n_samples == 659
    alignment = unisono.best_alignment(EXAMPLES / "entities.csv")
    assert (len(alignment), alignment.gap, alignment.is_proven) == (12, 0.0, True)


def test_threads() -> None:
    one, four = (unisono.measure(EXAMPLES / "gestures.csv", seed=1, threads=jobs)["gamma"].value for jobs in (1, 4))
    assert one == four


def test_the_command(tmp_path: Path) -> None:
    """Tables, JSON, the report with its scripts and styles, the explanations of messages: every file is there."""
    assert command("--version").stdout.strip() == f"unisono {unisono.__version__}"
    done = command("measure", EXAMPLES / "entities.csv", "--seed", "42", "--report", "report.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("γ = 0.679  entities")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<style" in page
    assert "<script" in page
    found = json.loads(command("measure", EXAMPLES / "entities.csv", "--seed", "42", "--json").stdout)
    assert found["unisono"] == unisono.__version__
    assert "annotator" in command("messages", "too-few-annotators").stdout
    assert command("measure", tmp_path / "absent.csv").returncode == 1


def test_formats_of_the_base_install(tmp_path: Path) -> None:
    """A table, XML (lxml) and a format of folders; written and read again."""
    corpus = unisono.read(EXAMPLES / "entities.csv")
    for name in ("elan", "brat"):
        if name == "brat":
            text = (EXAMPLES / "entities.txt").read_text(encoding="utf-8")
            document = corpus[0]
            units = {a: list(document.units_of(a)) for a in document.annotators}
            corpus = unisono.corpus({"entities": unisono.continuum(units, text=text, name="entities")})
        unisono.write(corpus, tmp_path / name, format=name)
        again = unisono.read(tmp_path / name)
        assert again.n_units == corpus.n_units


def test_programs_of_pygamma_agreement() -> None:
    import numpy as np

    from unisono.compat.pygamma import Continuum, Segment

    continuum = Continuum()
    for annotator, start, end in (("a", 0, 5), ("a", 7, 9), ("b", 0, 4), ("b", 7, 9.5)):
        continuum.add(annotator, Segment(start, end), "X")
    np.random.seed(1)  # noqa: NPY002
    assert 0 < continuum.compute_gamma().gamma < 1
