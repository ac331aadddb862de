# SPDX-License-Identifier: MIT
"""The viewer's files, for pages that load them (the web page) and for files that hold everything (report, notebook).

The modules are plain ES modules; a page that can serve files uses them as they are (`folder`). A self-contained file
gets them as one classic script: the imports are left out, the modules follow each other in the order of their imports.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

#: The name that the bundle defines: `unisonoViewer.mountViewer(element, viewData, options)`.
GLOBAL = "unisonoViewer"

_IMPORT = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)


def folder() -> Traversable:
    """Where the viewer's modules and its stylesheet are: `viewer.js` exports `mountViewer`."""
    return resources.files(__package__).joinpath("viewer")


@cache
def bundle() -> str:
    """The viewer as one script, which defines `unisonoViewer`; safe inside a script element.

    >>> "import {" in bundle(), "</script" in bundle().lower(), bundle().startswith("const unisonoViewer")
    (False, False, True)
    """
    code = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _source(name))) for name in _in_order("viewer.js", []))
    script = f'const {GLOBAL} = (() => {{\n"use strict";\n{code}\nreturn {{ mountViewer }};\n}})();\n'
    return _embeddable(script, "script")


@cache
def stylesheet() -> str:
    """The viewer's stylesheet; safe inside a style element."""
    return _embeddable(_source("viewer.css"), "style")


def _source(name: str) -> str:
    return folder().joinpath(name).read_text(encoding="utf-8")


def _in_order(name: str, found: list[str]) -> list[str]:
    """A module after all those it imports, each once."""
    for needed in _IMPORT.findall(_source(name)):
        if needed not in found:
            _in_order(needed, found)
    found.append(name)
    return found


def _embeddable(text: str, tag: str) -> str:
    """Our own files never end the element they stand in; should one ever, nobody is to find out from a broken page."""
    if re.search(rf"</{tag}|<!--", text, re.IGNORECASE):
        raise AssertionError(f"the viewer's files must not contain </{tag} or <!--")
    return text
