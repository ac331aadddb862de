# SPDX-License-Identifier: MIT
"""`unisono measures` and `unisono formats`: what there is to choose from."""

from __future__ import annotations

from dataclasses import asdict

from unisono.cli.options import Json
from unisono.cli.run import FINE, command, emit, page


@command
def measures(json: Json = False) -> int:
    """List the measures: what they need, what their values mean, whom to cite."""
    import unisono

    if json:
        from unisono.report import json_text

        emit(json_text([asdict(measure) for measure in unisono.MEASURES.values()]))
        return FINE
    sheet = page()
    for measure in unisono.MEASURES.values():
        sheet.line(f"{measure.name}  {measure.symbol}", "bold")
        sheet.paragraph(measure.explanation)
        sheet.paragraph(f"Needs: {measure.needs}.")
        sheet.paragraph(f"Cite: {measure.citation}")
    emit(str(sheet))
    return FINE


#: What each format is: endings (each may be followed by .gz) and a description.
FORMATS = {
    "csv": ([".csv"], "a table as text, columns parted by commas, semicolons or |, with or without a header"),
    "tsv": ([".tsv", ".tab"], "a table as text, columns parted by tabs, with or without a header"),
    "jsonl": ([".jsonl", ".ndjson"], "one JSON object for each unit, one per line; or a list of such objects"),
    "parquet": ([".parquet", ".pq"], "a table in binary form; needs pip install 'unisono[tables]'"),
}


@command
def formats(json: Json = False) -> int:
    """List the formats that can be read."""
    rows = [{"name": name, "suffixes": suffixes, "description": text} for name, (suffixes, text) in FORMATS.items()]
    if json:
        from unisono.report import json_text

        emit(json_text(rows))
        return FINE
    from unisono.report.terminal import add_rows

    sheet = page()
    add_rows(sheet, ["name", "endings", "what it is"], [(n, " ".join(s), t) for n, (s, t) in FORMATS.items()])
    emit(str(sheet))
    return FINE
