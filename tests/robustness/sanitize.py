# SPDX-License-Identifier: MIT
"""`make sanitize`: the core built with the address and undefined-behaviour sanitizers, and its tests run on it.

The build lies in build/sanitize; `make fuzz` uses it if it is there. A fault ends the process with a report.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "sanitize" / "site"
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1"

#: The tests that exercise the core.
TESTS = [
    "tests/oracles/test_alignment.py", "tests/oracles/test_twins.py", "tests/oracles/test_shift.py",
    "tests/oracles/test_philox.py", "tests/oracles/test_ties.py", "tests/oracles/test_soft.py",
    "tests/oracles/test_text_alignment.py", "tests/oracles/test_interrupt.py", "tests/oracles/test_units.py",
    "tests/oracles/test_bounds.py",
    "tests/unit/io/test_delimited.py", "tests/properties/test_alignment_properties.py",
]  # fmt: skip

#: An editable install finds the package before PYTHONPATH does; not here.
_CUSTOMIZE = """\
import sys
sys.meta_path[:] = [each for each in sys.meta_path if "ScikitBuild" not in type(each).__name__]
"""


def build() -> None:
    """Build the package with sanitizers into a folder of its own."""
    shutil.rmtree(SITE, ignore_errors=True)
    compiler = SITE.parent / "g++"
    compiler.parent.mkdir(parents=True, exist_ok=True)
    compiler.write_text(f'#!/bin/sh\nexec g++ "$@" {FLAGS}\n', encoding="utf-8")  # the last -O is the one that holds
    compiler.chmod(0o755)
    env = {**os.environ, "CXX": str(compiler)}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    command = [
        sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(SITE),
        "--config-settings", f"build-dir={ROOT / 'build' / 'sanitize' / 'cmake'}",
        "--config-settings", "cmake.build-type=RelWithDebInfo", str(ROOT),
    ]  # fmt: skip
    subprocess.run(command, env=env, check=True)
    (SITE / "sitecustomize.py").write_text(_CUSTOMIZE, encoding="utf-8")


def environment() -> tuple[str, dict[str, str]]:
    """Whether there are sanitizers, and the environment in which Python finds that build."""
    if not SITE.is_dir():
        return "without sanitizers (run make sanitize first)", dict(os.environ)
    libraries = [
        subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return "under sanitizers", {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0,allocator_may_return_null=1,abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1,halt_on_error=1",
        "PYTHONPATH": str(SITE),
    }


def main() -> int:
    """Build, check that the sanitized core is the one that is loaded, run the tests."""
    build()
    _, env = environment()
    code = "import unisono._core as core; print(core.__file__)"
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    print(found.stdout.strip() or found.stderr[-2000:], flush=True)
    if str(SITE) not in found.stdout:
        print("the core with sanitizers is not the one that Python loads")
        return 1
    tests = [test for test in (sys.argv[1:] or TESTS) if (ROOT / test.partition("::")[0]).exists()]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, env=env, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
