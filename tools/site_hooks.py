# SPDX-License-Identifier: MIT
"""What the documentation site has besides docs/: pages of the repository, the API, a gallery of reports, formulas.

mkdocs calls the functions by their names (mkdocs.yml). Some files of the repository become pages, and links to them
are rewritten; links to files that are not pages lead to the repository.
"""

from __future__ import annotations

import posixpath
import re
import tempfile
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import unisono
from unisono.shuffling import CategoryErrors, PositionErrors, shuffled_corpus
from unisono.shuffling.modelfile import model_of_toml

ROOT = Path(__file__).parents[1]
#: Pages of the site that are files of the repository.
PAGES = {"bench.md": "bench/README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
_FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made here."""
    for name, source in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "api.md", content=api_page()))
    with tempfile.TemporaryDirectory() as folder:
        for name, corpus in gallery_corpora(Path(folder)).items():
            path = Path(folder) / name
            result = unisono.measure(corpus, ["gamma", "gamma-cat", "gamma-k"], seed=42, annotators=None)
            unisono.write_report(result, path)
            files.append(File.generated(config, f"gallery/{name}", content=path.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Rewrite links that lead out of docs/, and write formulas as MathML, which browsers show by themselves."""
    here = page.file.src_uri
    source = PAGES.get(here, f"docs/{here}")
    pages = {path: name for name, path in PAGES.items()}

    def rewrite(link: re.Match[str]) -> str:
        target = link[2]
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if path in pages:
            inside = pages[path]
        elif path == "README.md":
            inside = "index.md"
        elif path.startswith("docs/"):
            inside = path.removeprefix("docs/")
            if (ROOT / path).is_dir():
                inside += "/README.md"
        else:
            return f"{link[1]}{config['extra']['repository']}/blob/main/{path}{link[3]}"
        return f"{link[1]}{posixpath.relpath(inside, posixpath.dirname(here) or '.')}{link[3]}"

    markdown = _LINK.sub(rewrite, markdown)
    return _FORMULA.sub(lambda match: f'\n<div class="formula">{mathml(match[1])}</div>\n', markdown)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Let the search work from a folder, without a script from another host."""
    up = "../" * page.file.dest_uri.count("/")
    return output.replace("https://unpkg.com/iframe-worker/shim", f"{up}javascripts/file-worker.js")


def mathml(formula: str) -> str:
    """A formula in LaTeX as MathML."""
    from latex2mathml.converter import convert

    return str(convert(formula.strip(), display="block"))


def api_page() -> str:
    """One section for each public name, from its docstring; the names of the modules below."""
    lines = ["# Python API", "", "Every public name of the package; the guide is [Use Python](python.md).", ""]
    for name in unisono.__all__:
        if name.isupper():
            continue
        lines += [f"::: unisono.{unisono._HOME[name]}.{name}", ""]
    return "\n".join(lines)


def gallery_corpora(folder: Path) -> dict[str, unisono.Corpus]:
    """The corpora of the gallery, from the examples and our own tools."""
    import runpy

    examples = ROOT / "examples"
    export = folder / "export.json"
    runpy.run_path(str(examples / "make_label_studio.py"))["main"](export)
    model = model_of_toml(examples / "dense-text.toml")
    rounds = shuffled_corpus(model, [CategoryErrors(), PositionErrors()], 0.3, sets=30, seed=1)
    return {
        "entities.html": unisono.read(examples / "entities.csv"),
        "gestures.html": unisono.read(examples / "gestures.csv", extent=(0, 21)),
        "letters.html": unisono.read(export),
        "rounds.html": rounds,
    }
