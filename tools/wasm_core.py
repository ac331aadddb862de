# SPDX-License-Identifier: MIT
"""The core compiled by Emscripten, and the wheel of unisono for Pyodide with it.

    python tools/wasm_core.py build/emscripten/_core.so

Emscripten is the one on the PATH, or that of a chroot made by tools/emscripten_chroot.sh. The headers are CPython's,
with the sizes and features that Pyodide's own standard library names.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PYODIDE = "314.0.7"
PYTHON = "3.14"  # of Pyodide 314
#: The files of its npm package that a browser loads.
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
TAG = "cp314-cp314-pyemscripten_2026_0_wasm32"
SUFFIX = "cpython-314-wasm32-emscripten"
#: How Pyodide itself is compiled: C++ exceptions and longjmp use WebAssembly's exceptions.
FLAGS = "-fPIC -fwasm-exceptions -sSUPPORT_LONGJMP=wasm"
LINK = f"{FLAGS} -sSIDE_MODULE=2 -sWASM_BIGINT -sEXPORTED_FUNCTIONS=_PyInit__core"


@dataclass(frozen=True)
class Emscripten:
    """The compiler: on this system (root None), or in the chroot at `root`."""

    root: Path | None

    @classmethod
    def find(cls, chroot: Path) -> Emscripten:
        """The one on the PATH if it is not too old, else that of the chroot, which is made if need be."""
        if emcc := shutil.which("emcc"):
            words = subprocess.run([emcc, "--version"], capture_output=True, text=True, check=True).stdout
            version = re.search(r"\b(\d+)\.\d+\.\d+", words)
            if version and int(version[1]) >= 4:
                return cls(None)
        subprocess.run([ROOT / "tools" / "emscripten_chroot.sh", chroot], check=True)
        return cls(chroot)

    def folder(self, name: str) -> Path:
        """A fresh folder that the compiler can see."""
        path = (ROOT / "build" / "emscripten" if self.root is None else self.root / "tmp") / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def inside(self, path: Path) -> str:
        """What the compiler calls a path."""
        return str(path if self.root is None else Path("/") / path.relative_to(self.root))

    def run(self, *command: str) -> None:
        before = [] if self.root is None else ["chroot", str(self.root)]
        subprocess.run([*before, *command], check=True, env=os.environ | {"HOME": "/tmp"})

    def headers(self) -> Path:
        """The folder of CPython's headers."""
        root = self.root or Path("/")
        here = Path(sysconfig.get_path("include"))
        places = [root / f"usr/include/python{PYTHON}", *([here] if here.name.endswith(PYTHON) else [])]
        found = next((place for place in places if (place / "Python.h").exists()), None)
        if found is None:
            raise SystemExit(f"no headers of Python {PYTHON}: install them, or run this with Python {PYTHON}")
        return found


def fetch_pyodide(folder: Path) -> None:
    """Take Pyodide's files out of its npm package."""
    with tempfile.TemporaryDirectory() as temporary:
        command = ["npm", "pack", "--silent", "--pack-destination", temporary, f"pyodide@{PYODIDE}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (package,) = Path(temporary).glob("*.tgz")
        folder.mkdir(parents=True)
        with tarfile.open(package) as archive:
            for name in RUNTIME:
                source = archive.extractfile(f"package/{name}")
                assert source is not None
                (folder / name).write_bytes(source.read())
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    lock["packages"] = {}  # the wheels are named one by one
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))


def build_core(emscripten: Emscripten, stdlib: Path) -> Path:
    """Compile the core by the project's own CMakeLists.txt; the path of the module."""
    import nanobind

    work = emscripten.folder("unisono-core")
    shutil.copytree(ROOT / "src" / "unisono" / "_core", work / "source" / "src" / "unisono" / "_core")
    (work / "source" / "docs").mkdir()
    for name in ("CMakeLists.txt", "docs/messages.md"):
        shutil.copy(ROOT / name, work / "source" / name)
    shutil.copytree(Path(nanobind.__file__).parent, work / "nanobind")
    shutil.copytree(emscripten.headers(), work / "include", symlinks=False)
    _write_config(emscripten, work / "include" / "pyconfig.h", stdlib)
    source, build, include = (emscripten.inside(work / name) for name in ("source", "build", "include"))
    emscripten.run(
        "emcmake", "cmake", "-G", "Ninja", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DSKBUILD=2",
        "-DPython_EXECUTABLE=/usr/bin/python3" if emscripten.root else "-DPython_FIND_STRATEGY=LOCATION",
        f"-DPython_INCLUDE_DIR={include}", f"-DPython_SOABI={SUFFIX}",
        f"-Dnanobind_DIR={emscripten.inside(work / 'nanobind' / 'cmake')}",
        f"-DCMAKE_CXX_FLAGS={FLAGS}", f"-DCMAKE_MODULE_LINKER_FLAGS={LINK}", f"-DCMAKE_SHARED_LINKER_FLAGS={LINK}",
    )  # fmt: skip
    emscripten.run("cmake", "--build", build, "--parallel", str(os.cpu_count() or 1))
    (module,) = (work / "build").glob("_core*.so")
    return module


def _write_config(emscripten: Emscripten, path: Path, stdlib: Path) -> None:
    """CPython's configuration, with the values that Pyodide's standard library has."""
    root = emscripten.root or Path("/")
    places = sorted(root.glob(f"usr/include/*/python{PYTHON}/pyconfig.h")) or [path]
    with zipfile.ZipFile(stdlib) as archive:
        (name,) = [each for each in archive.namelist() if "_sysconfigdata__emscripten" in each and each.endswith(".py")]
        known: dict[str, Any] = {}
        exec(archive.read(name).decode(), known)
    values = known["build_time_vars"]

    def line(match: re.Match[str]) -> str:
        value = values.get(match["name"], 0)
        return f"#define {match['name']} {value}" if value else f"/* #undef {match['name']} */"

    pattern = re.compile(r"^(?:#define|/\* #undef) (?P<name>\w+)\b(?!\().*$", re.MULTILINE)
    path.write_text(pattern.sub(line, places[0].read_text()))


def write_wheel(module: Path, output: Path) -> Path:
    """The wheel with this core."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    files = {f"{name}/_core.{SUFFIX}.so": module.read_bytes(), f"{name}/messages.md": _bytes("docs/messages.md")}
    package = ROOT / "src" / name
    for path in sorted(package.rglob("*")):
        inner = path.relative_to(package)
        if path.is_file() and inner.parts[0] != "_core" and "__pycache__" not in inner.parts and path.suffix != ".so":
            files[f"{name}/{inner.as_posix()}"] = path.read_bytes()
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in project["dependencies"])
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{needs}".encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: wasm_core\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    files[f"{info}/licenses/LICENSE"] = _bytes("LICENSE")
    return pack_wheel(output / f"{name}-{version}-{TAG}.whl", files, f"{info}/RECORD")


def pack_wheel(path: Path, files: dict[str, bytes], record: str) -> Path:
    """Write a wheel with the record of its files; always the same bytes for the same files."""
    rows = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in {**files, record: "".join([*rows, f"{record},,\n"]).encode()}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _bytes(name: str) -> bytes:
    return (ROOT / name).read_bytes()


def main() -> None:
    """Compile the core into the file named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", type=Path)
    chroot = Path(os.environ.get("EMSCRIPTEN_CHROOT", ROOT / "build" / "emscripten" / "sid"))
    parser.add_argument("--chroot", type=Path, default=chroot, help="where Emscripten is put if there is none here")
    given = parser.parse_args()
    given.module.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        fetch_pyodide(Path(temporary) / "pyodide")
        module = build_core(Emscripten.find(given.chroot), Path(temporary) / "pyodide" / "python_stdlib.zip")
    shutil.copy(module, given.module)


if __name__ == "__main__":
    main()
