# SPDX-License-Identifier: MIT
"""`make matrix`: build and test on every Python from 3.11 to 3.14 that can be had, with the lowest and newest numpy.

Interpreters: those on PATH, those of pyenv, and those that uv can bring if it is installed and reaches its host. Each
pair gets an environment of its own under build/matrix; the table at the end says what was built, how many tests passed,
and what could not be had. MATRIX_TESTS says which tests run (all short ones by default).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
#: The lowest numpy that has a wheel for each Python, within what pyproject.toml allows.
LOWEST = {"3.11": "1.26.0", "3.12": "1.26.0", "3.13": "2.1.0", "3.14": "2.3.2"}
#: What the short tests need besides the package and its extras; tests of others' libraries skip where they are absent.
NEEDED = ["pytest>=8", "pytest-xdist>=3.5", "hypothesis>=6.100", "httpx>=0.27", "scipy>=1.13"]


#: Pairs to which MATRIX_ONLY limits the run: 3.12-newest,3.13-2.1.0.
ONLY = [pair for pair in os.environ.get("MATRIX_ONLY", "").split(",") if pair]


def interpreters() -> dict[str, str]:
    """The path of each Python that is there."""
    found: dict[str, str] = {}
    for version in VERSIONS:
        candidates = [shutil.which(f"python{version}") or ""]
        pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        candidates += [str(path / "bin" / "python") for path in sorted(pyenv.glob(f"{version}.*"))]
        if uv := shutil.which("uv"):
            subprocess.run([uv, "python", "install", version], capture_output=True, check=False, timeout=300)
            asked = subprocess.run([uv, "python", "find", version], capture_output=True, text=True, check=False)
            candidates.append(asked.stdout.strip())
        for path in candidates:
            if path and Path(path).exists() and _version(path) == version:
                found[version] = path
                break
    return found


def _version(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def run(python: str, version: str, numpy: str) -> str:
    """Build and test in a fresh environment; one line about it."""
    place = ROOT / "build" / "matrix" / f"{version}-{numpy}"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(place)], check=True)
    own = str(place / "bin" / "python")
    wanted = "numpy<3" if numpy == "newest" else f"numpy=={numpy}"
    log = place / "log.txt"

    def step(*command: str) -> bool:
        with log.open("a") as out:
            return not subprocess.run(command, stdout=out, stderr=out, cwd=ROOT, check=False).returncode

    if not step(own, "-m", "pip", "install", "--quiet", "--upgrade", "pip"):
        return f"no pip; see {log}"
    if not step(own, "-m", "pip", "install", "--prefer-binary", wanted, *NEEDED):
        return f"no wheel of {wanted}; see {log}"
    if not step(own, "-m", "pip", "install", "--prefer-binary", wanted, f"{ROOT}[tables,web,plots]"):
        return f"does not build; see {log}"
    tests = os.environ.get("MATRIX_TESTS", "tests").split()
    command = [own, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", *tests]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    with log.open("a") as out:
        out.write(done.stdout + done.stderr)
    version_of = "import numpy; print(numpy.__version__)"
    got = subprocess.run([own, "-c", version_of], capture_output=True, text=True, check=False).stdout.strip()
    marks = "".join(re.findall(r"^([.FsExX]+) +\[ *\d+%\]$", done.stdout, re.MULTILINE))
    words = {".": "passed", "s": "skipped", "F": "failed", "E": "with errors"}
    counts = ", ".join(f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks)
    errors = re.findall(r"^ERROR (\S+)", done.stdout, re.MULTILINE)  # modules that need a library that is absent
    return f"numpy {got}: {counts}" + (f"; {len(errors)} modules could not be loaded" if errors else "")


def main() -> int:
    """The table; exit code 1 if anything that was built failed."""
    found = interpreters()
    lines = []
    for version in VERSIONS:
        if version not in found:
            lines.append(f"Python {version}: no interpreter here (install one, or uv)")
            continue
        for numpy in (LOWEST[version], "newest"):
            if ONLY and f"{version}-{numpy}" not in ONLY:
                continue
            lines.append(f"Python {version}: {run(found[version], version, numpy)}")
            print(lines[-1], flush=True)
    print("\n".join(["", *lines]))
    return int(any("failed" in line or "exit code 1" in line or "does not build" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
