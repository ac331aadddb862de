# SPDX-License-Identifier: MIT
"""Write the page without a server: static files that compute in the browser, for any web space.

    python tools/static_page.py build/static-page --core build/emscripten/_core.so [--numpy-wheel FILE]

What it takes: Pyodide from npm, numpy from a wheel (or from Pyodide's distribution), the other libraries from PyPI,
the core compiled by Emscripten (tools/wasm_core.py), and the page of the service with another transport.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import wasm_core
from wasm_core import PYODIDE, PYTHON, ROOT, TAG

#: Where Pyodide's own distribution is, for numpy where no wheel is given.
DISTRIBUTION = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
#: Dependencies that the page does without: those of terminals, data frames and servers, and lxml, which is not built.
LEFT_OUT = {"typer", "lxml", "narwhals", "uvicorn", "numpy"}
#: Libraries that the page needs without their own dependencies.
ALONE = ("rich",)
#: Libraries that fall back on Python code where their compiled parts are missing.
PURE = ("markupsafe", "rapidfuzz")
#: The files of the back end: where they are in the sources, and where they go.
BACK_END = {
    "static/transport.js": "page/transport.js",
    "static/isolate.js": "page/isolate.js",
    "static/worker.js": "worker.js",
    "static/isolation.js": "isolation.js",
}
#: Files of the frontend that this page does not load.
UNUSED = ("static", "benchmark.css", "benchmark.js", "notebook.css", "notebook.js", "report.js")
#: A file that only such a page has: a folder without it is never replaced.
MARK = "answers.json"


def numpy_wheel(given: Path | None, folder: Path) -> Path:
    """The wheel that was given, or that of Pyodide's distribution."""
    if given is not None:
        return Path(shutil.copy(given, folder))
    with urllib.request.urlopen(f"{DISTRIBUTION}pyodide-lock.json", timeout=60) as answer:
        name = json.load(answer)["packages"]["numpy"]["file_name"]
    with urllib.request.urlopen(f"{DISTRIBUTION}{name}", timeout=300) as answer:
        (folder / name).write_bytes(answer.read())
    return folder / name


def library_wheels(folder: Path) -> None:
    """Download what the service needs, for Pyodide where it is compiled."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["web"]]
    named = {each.split(">")[0].split("[")[0].strip(): each for each in needed}
    wanted = [each for name, each in named.items() if name not in {*LEFT_OUT, *PURE, *ALONE}]
    platforms = ["--platform", TAG.rpartition("-")[2], "--platform", "any"]
    target = ["--python-version", PYTHON, "--implementation", "cp", "--abi", TAG.split("-")[1], "--abi", "none"]
    with tempfile.TemporaryDirectory() as temporary:
        pure = Path(temporary)
        for name in PURE:
            _pip("--no-deps", "--dest", temporary, named.get(name, name))
        for wheel in list(pure.iterdir()):
            without_compiled_parts(wheel, pure)
        found = ["--find-links", temporary]
        alone = [named[name] for name in ALONE]
        _pip("--only-binary", ":all:", "--dest", str(folder), *platforms, *target, "--no-deps", *alone)
        _pip("--only-binary", ":all:", "--dest", str(folder), *platforms, *target, *found, *wanted, *PURE)


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *arguments], check=True)


def without_compiled_parts(wheel: Path, folder: Path) -> Path:
    """The same library as a wheel for any platform; it chooses its Python files where it finds no compiled ones."""
    name, version, *_ = wheel.name.split("-")
    with zipfile.ZipFile(wheel) as archive:
        files = {
            item.filename: archive.read(item)
            for item in archive.infolist()
            if not item.is_dir() and not item.filename.endswith((".so", ".pyd", ".c", ".h", "RECORD"))
        }
    (info,) = {path.split("/")[0] for path in files if path.split("/")[0].endswith(".dist-info")}
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: static_page\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return wasm_core.pack_wheel(folder / f"{name}-{version}-py3-none-any.whl", files, f"{info}/RECORD")


def write_frontend(folder: Path) -> None:
    """The files of the page, with the back end in its worker."""
    frontend = ROOT / "src" / "unisono" / "frontend"
    shutil.copytree(frontend, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*UNUSED))
    for source, target in BACK_END.items():
        shutil.copy(frontend / source, folder / target)
    index = folder / "index.html"
    head = '<meta charset="utf-8">\n'
    page = index.read_text(encoding="utf-8")
    assert head in page
    policy = f'<meta http-equiv="content-security-policy" content="{page_policy(folder)}">\n'
    index.write_text(page.replace(head, head + policy), encoding="utf-8")


def page_policy(folder: Path) -> str:
    """The rules in isolation.js, for the page itself, where no service worker runs."""
    after = (folder / "isolation.js").read_text(encoding="utf-8").partition('"content-security-policy":')[2]
    policy = "".join(re.findall('"([^"]*)"', after.partition("};")[0]))
    assert policy.startswith("default-src 'none'; ")
    return policy


def write_answers(folder: Path) -> None:
    """Store the answers to the first requests of the page: they are needed before Python has loaded."""
    program = ROOT / "tools" / "first_answers.py"
    done = subprocess.run([sys.executable, program], check=True, capture_output=True, text=True)
    (folder / MARK).write_text(done.stdout, encoding="utf-8")


def sizes(folder: Path) -> tuple[int, int]:
    """The bytes of all files, as they are and as a server sends them compressed."""
    plain = packed = 0
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            plain += len(data)
            packed += min(len(data), len(gzip.compress(data, 6)))
    return plain, packed


def main() -> None:
    """Write the page into the folder named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numpy-wheel", type=Path, help="a wheel of numpy for Pyodide; else from its distribution")
    parser.add_argument("--core", type=Path, required=True, help="the core, compiled by tools/wasm_core.py")
    given = parser.parse_args()
    if given.folder.exists() and not (given.folder / MARK).exists():
        raise SystemExit(f"{given.folder} exists and was not made by this script: name a new folder, or remove it")
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="static-page-") as temporary:
        folder = Path(temporary) / "page"
        wheels = folder / "wheels"
        wheels.mkdir(parents=True)
        wasm_core.fetch_pyodide(folder / "pyodide")
        library_wheels(wheels)
        numpy_wheel(given.numpy_wheel, wheels)
        wasm_core.write_wheel(given.core, wheels)
        (wheels / "wheels.json").write_text(json.dumps(sorted(path.name for path in wheels.glob("*.whl"))))
        write_frontend(folder)
        write_answers(folder)
        shutil.rmtree(given.folder, ignore_errors=True)
        given.folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, given.folder)
    plain, packed = sizes(given.folder)
    print(f"{given.folder}: {plain / 1e6:.1f} MB, {packed / 1e6:.1f} MB as a server sends them")


if __name__ == "__main__":
    main()
