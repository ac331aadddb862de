# SPDX-License-Identifier: MIT
"""`make matrix`: build and test on every Python from 3.11 to 3.14 that can be had, with the lowest and newest numpy.

Interpreters: those on PATH, those of pyenv, and those that uv can bring if it is installed and reaches its host. Each
pair gets an environment of its own under build/matrix; the table says what was built, how many tests passed, and what
could not be had. From 3.12 on one wheel serves all (stable ABI), as in releases: it is built once. MATRIX_TESTS says
which tests run (all short ones by default), MATRIX_ONLY which pairs, MATRIX_WHEEL names a wheel that is there already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
#: The lowest numpy that has a wheel for each Python, within what pyproject.toml allows.
LOWEST = {"3.11": "1.26.0", "3.12": "1.26.0", "3.13": "2.1.0", "3.14": "2.3.2"}
#: What the short tests need besides the package and its extras; tests of others' libraries skip where they are absent.
NEEDED = [
    "pytest>=8",
    "pytest-xdist>=3.5",
    "hypothesis>=6.100",
    "httpx>=0.27",
    "scipy>=1.13",
    "pandas>=2.2",
    "polars>=1",
]

#: Pairs to which MATRIX_ONLY limits the run: 3.12-newest,3.13-2.1.0.
ONLY = [pair for pair in os.environ.get("MATRIX_ONLY", "").split(",") if pair]
TESTS = os.environ.get("MATRIX_TESTS", "tests").split()


@dataclass(frozen=True)
class Outcome:
    """What became of a pair of Python and numpy."""

    sentence: str
    is_good: bool


def interpreters() -> dict[str, str]:
    """The path of each Python that is there."""
    found = {}
    for version in VERSIONS:
        for path in _candidates(version):
            if (
                path
                and Path(path).exists()
                and _ask(path, "import sys; print('%d.%d' % sys.version_info[:2])") == version
            ):
                found[version] = path
                break
    return found


def _candidates(version: str) -> Iterator[str]:
    """Paths at which that Python may be; uv is asked last, because it fetches what it does not have."""
    yield shutil.which(f"python{version}") or ""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from (str(path / "bin" / "python") for path in sorted(pyenv.glob(f"{version}.*")))
    if uv := shutil.which("uv"):
        with suppress(subprocess.TimeoutExpired):
            subprocess.run([uv, "python", "install", version], capture_output=True, check=False, timeout=300)
        yield subprocess.run(
            [uv, "python", "find", version], capture_output=True, text=True, check=False
        ).stdout.strip()


def _ask(python: str, code: str) -> str:
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def build(python: str, version: str) -> Path | None:
    """The wheel for that Python, which does not depend on numpy; None if it cannot be built."""
    if given := os.environ.get("MATRIX_WHEEL"):
        return Path(given)
    place = ROOT / "build" / "matrix" / version
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    command = [python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(place), str(ROOT)]
    with (place / "log.txt").open("w") as log:
        subprocess.run(command, stdout=log, stderr=log, cwd=ROOT, check=False)
    return next(place.glob("*.whl"), None)


def try_pair(python: str, version: str, numpy: str, wheel: Path) -> Outcome:
    """Install and test in a fresh environment."""
    place = ROOT / "build" / "matrix" / f"{version}-{numpy}"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    own = str(place / "bin" / "python")
    wanted = "numpy<3" if numpy == "newest" else f"numpy=={numpy}"
    log, counts = place / "log.txt", place / "tests.xml"

    def step(*command: str) -> int:
        with log.open("a") as out:
            return subprocess.run([own, "-m", *command], stdout=out, stderr=out, cwd=ROOT, check=False).returncode

    if step("pip", "install", "--quiet", "--upgrade", "pip"):
        return Outcome(f"no pip; see {log}", is_good=False)
    others = [
        *NEEDED,
        *(["pyarrow<20"] if numpy.startswith("1.") else []),
    ]  # later ones need numpy 2, and do not say so
    if step("pip", "install", "--prefer-binary", wanted, f"{wheel}[tables,web,plots]", *others):
        return Outcome(f"cannot be installed with {wanted}; see {log}", is_good=False)
    tests = ["-p", "no:cacheprovider", "--continue-on-collection-errors", f"--junitxml={counts}", *TESTS]
    code = step("pytest", *tests)
    got = _ask(own, "import sys, numpy; print(sys.version.split()[0], 'with numpy', numpy.__version__)")
    return Outcome(f"{got}: {_summary(counts)}; see {log}", is_good=code == 0)


def _summary(counts: Path) -> str:
    """How many tests passed, were skipped and failed, from the report of pytest."""
    if not counts.exists():
        return "the tests did not run to their end"
    numbers = ElementTree.parse(counts).getroot()[0].attrib
    total, *others = (int(numbers[name]) for name in ("tests", "skipped", "failures", "errors"))
    words = zip((total - sum(others), *others), ("passed", "skipped", "failed", "with errors"), strict=True)
    return ", ".join(f"{number:,} {word}" for number, word in words if number)


def main() -> int:
    """Print the table; exit code 1 if a pair could not be built or a test failed."""
    found, outcomes = interpreters(), []
    wheel: Path | None = None
    for version in VERSIONS:
        wanted = [numpy for numpy in (LOWEST[version], "newest") if not ONLY or f"{version}-{numpy}" in ONLY]
        if version not in found:
            print(f"Python {version}: no interpreter here (install one, or uv)", flush=True)
            continue
        if wanted and (wheel is None or "abi3" not in wheel.name):
            wheel = build(found[version], version)
        for numpy in wanted:
            outcome = (
                try_pair(found[version], version, numpy, wheel) if wheel else Outcome("does not build", is_good=False)
            )
            print(f"Python {version}, {numpy} numpy: {outcome.sentence}", flush=True)
            outcomes.append(outcome)
    return int(not all(outcome.is_good for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
