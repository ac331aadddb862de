# SPDX-License-Identifier: MIT
"""Print what the page without a server asks first, with the answers of the service: an object by path."""

from __future__ import annotations

import asyncio
import json

from unisono.web.in_browser import Backend

PATHS = ("/measures", "/presets", "/formats", "/limits", "/samples", "/health")


async def main() -> None:
    """Ask for each path in turn."""
    backend = Backend(lambda message: None)
    await backend.start()
    answers = {}
    for path in PATHS:
        pieces: list[bytes] = []
        await backend.answer("GET", path, "", b"", lambda status, headers: None, pieces.append)
        answers[path] = json.loads(b"".join(pieces))
    await backend.close()
    print(json.dumps(answers, ensure_ascii=False))


if __name__ == "__main__":
    asyncio.run(main())
