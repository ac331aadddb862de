# SPDX-License-Identifier: MIT
"""The scripts and styles of `unisono/frontend`: for a service that serves the folder, and for pages in one file.

The scripts are ES modules. A service serves them as they are (`FOLDER`); a page that must be one file gets an entry
module and everything it imports as one script (`bundle`), its stylesheets as one text (`stylesheet`), and a content
security policy that allows exactly these two (`policy`).
"""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from functools import cache
from pathlib import Path

#: The modules, the stylesheets, and `index.html`, the page of the service.
FOLDER = Path(__file__).parents[1] / "frontend"

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


@cache
def bundle(entry: str, name: str = "") -> str:
    """An entry module and all that it imports as one script, safe inside a script element.

    Each module becomes a function that is called once, after those it imports, so that its names stay local. The script
    defines `name`, if given, as an object with what the entry module exports.

    >>> bundle("viewer/viewer.js", "unisonoViewer").startswith("const unisonoViewer = (() => {")
    True
    """
    modules = "\n".join(_wrap_in_function(module) for module in _import_order(entry, (), []))
    result = f"const {name} = " if name else ""
    script = f'{result}(() => {{\n"use strict";\nconst modules = {{}};\n{modules}\nreturn modules["{entry}"];\n}})();\n'
    return _check_embeddable(script, "script")


@cache
def stylesheet(*names: str) -> str:
    """Stylesheets, one after the other; safe inside a style element."""
    return _check_embeddable("\n".join(map(_source, names)), "style")


def policy(script: str, style: str) -> str:
    """A content security policy that allows this script and this style, by their hashes, and nothing else."""

    def digest(text: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"

    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _resolve(path: str, importer: str) -> str:
    """The module that a path in an import statement means, relative to the folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))


def _import_order(module: str, above: tuple[str, ...], order: list[str]) -> list[str]:
    """The modules in `order`, then this one after those it imports, each once."""
    if module in above:
        raise AssertionError(f"modules import each other: {' -> '.join((*above, module))}")
    if module not in order:
        for _, path in _IMPORT.findall(_source(module)):
            _import_order(_resolve(path, module), (*above, module), order)
        order.append(module)
    return order


def _wrap_in_function(module: str) -> str:
    """A module as a function that returns its exports; it finds its imports among the results of earlier functions."""
    source = _source(module)
    exports = _EXPORT.findall(source)

    def constant(statement: re.Match[str]) -> str:
        names = ", ".join(name.strip().replace(" as ", ": ") for name in statement[1].split(",") if name.strip())
        return f'const {{ {names} }} = modules["{_resolve(statement[2], module)}"];\n'

    body = _EXPORT.sub("", _IMPORT.sub(constant, source))
    if re.search(r"^(import|export)\b", body, re.MULTILINE):
        raise AssertionError(f'{module} may import {{ names }} from "./files.js" and export functions, classes, consts')
    return f'modules["{module}"] = (() => {{\n{body}return {{ {", ".join(exports)} }};\n}})();'


def _check_embeddable(text: str, tag: str) -> str:
    """The text; an AssertionError if it could end the element that it is put into."""
    if re.search(rf"</{tag}|<!--", text, re.IGNORECASE):
        raise AssertionError(f"a file of the frontend must not contain </{tag} or <!--")
    return text
