# SPDX-License-Identifier: MIT
"""Print the first requests of the page without a server with their answers: a JSON object by path."""

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
