# SPDX-License-Identifier: MIT
"""`unisono measures` and `unisono formats`: what there is to choose from."""

from __future__ import annotations

from unisono.cli.options import Json
from unisono.cli.run import FINE, command, emit, page


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
    from unisono.report.terminal import add_rows

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
