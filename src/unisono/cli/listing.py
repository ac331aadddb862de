# SPDX-License-Identifier: MIT
"""`unisono measures`, `unisono formats` and `unisono messages`: what there is, and what messages mean."""

from __future__ import annotations

from typing import Annotated

import typer

from unisono.cli.command_options import Json
from unisono.cli.run import FINE, command, emit, page, usage


@command
def measures(json: Json = False) -> int:
    """List the measures: what they need, what their values mean, whom to cite."""
    import unisono

    if json:
        from unisono.report import json_text

        shown = ("name", "symbol", "needs", "explanation", "citation")
        emit(json_text([{key: getattr(info, key) for key in shown} for info in unisono.MEASURES.values()]))
        return FINE
    sheet = page()
    for info in unisono.MEASURES.values():
        sheet.line(f"{info.name}  {info.symbol}", "bold")
        sheet.paragraph(info.explanation)
        sheet.paragraph(f"Needs: {info.needs}.")
        sheet.paragraph(f"Cite: {info.citation}")
    emit(str(sheet))
    return FINE


@command
def formats(json: Json = False) -> int:
    """List the formats that can be read, and those that can be written."""
    from unisono.io import FORMATS, WRITERS

    if json:
        from unisono.report import json_text

        shown = ("name", "suffixes", "description", "extra", "example")
        emit(
            json_text(
                [
                    {key: getattr(format, key) for key in shown} | {"is_written": format.name in WRITERS}
                    for format in FORMATS.values()
                ]
            )
        )
        return FINE
    from unisono.report.text_page import add_rows

    sheet = page()
    rows = [
        (format.name, " ".join(format.suffixes), "yes" if format.name in WRITERS else "", format.description)
        for format in FORMATS.values()
    ]
    add_rows(sheet, ["name", "endings", "written", "what it is"], rows)
    for format in FORMATS.values():
        needs = f"   # pip install 'unisono[{format.extra}]'" if format.extra else ""
        sheet.line(f"{format.name}: {format.example}{needs}")
    emit(str(sheet))
    return FINE


@command
def messages(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="CODE", help="Codes of problems; all are listed if none is given.")
    ] = None,
    json: Json = False,
) -> int:
    """Explain the codes of problems: what is wrong, and what can be done about it."""
    from difflib import get_close_matches

    from unisono.messages import message_entries

    entries = message_entries()
    for code in codes or []:
        if code not in entries:
            close = get_close_matches(code, entries, 1)
            hint = f" Did you mean {close[0]!r}?" if close else " unisono messages lists them."
            usage(f"there is no message {code!r}.{hint}")
    chosen = [entries[code] for code in dict.fromkeys(codes or entries)]
    if json:
        from unisono.report import json_text

        emit(json_text([{"code": entry.code, "chapter": entry.chapter, "text": entry.text} for entry in chosen]))
        return FINE
    sheet = page()
    if not codes:
        for chapter in dict.fromkeys(entry.chapter for entry in chosen):
            sheet.line(chapter, "bold")
            sheet.paragraph(", ".join(entry.code for entry in chosen if entry.chapter == chapter))
    for entry in chosen if codes else ():
        sheet.line(entry.code, "bold")
        for paragraph in entry.text.split("\n\n"):
            sheet.paragraph(" ".join(paragraph.split()))
    emit(str(sheet))
    return FINE
