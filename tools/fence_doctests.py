# SPDX-License-Identifier: MIT
"""An extension of griffe, which reads the sources for the API page: examples of docstrings become code blocks."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

#: From a prompt to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


class FenceDoctests(Extension):
    """Put a fence around each example, so that brackets in its output are no links."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", obj.docstring.value)
