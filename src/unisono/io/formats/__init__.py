# SPDX-License-Identifier: MIT
"""The formats: what they are called, how a file is told to be one, and which module reads it.

Nothing here loads a reader: `Format.load` does, when a file of that format is met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from unisono.errors import MissingDependencyError
from unisono.io.formats import sniff

if TYPE_CHECKING:
    from unisono.io.files import File
    from unisono.io.record import Record
    from unisono.io.settings import Settings


class Reader(Protocol):
    """What the module of a format has to offer."""

    def read(self, file: File, settings: Settings) -> Record:
        """The units in a file; a FormatError where it is not of this format."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of files."""

    name: str
    #: Endings of file names; each may be followed by `.gz`.
    suffixes: tuple[str, ...]
    description: str
    #: The module that reads it.
    home: str
    #: Whether the beginning of a file is of this format.
    sniff: Callable[[sniff.Head], bool]
    #: A command to try.
    example: str
    #: The extra that must be installed, and the module it brings.
    extra: str | None = None
    needs: str | None = None

    def load(self) -> Reader:
        """The reader; a MissingDependencyError names the extra where a library is missing."""
        if self.needs is not None:
            try:
                import_module(self.needs)
            except ImportError:
                raise MissingDependencyError(f"reading {self.name}", self.extra or "formats") from None
        return cast("Reader", import_module(self.home))


#: Files that come along with annotations and hold none: type systems, descriptions of projects.
COMPANION = Format("companion", (), "", "", sniff.companion, "")

#: The reader of tables, which take any text and are therefore asked last.
TABLES = "unisono.io.tables"

#: Every format by name. The order is that of asking: the more telling signs first, tables last.
FORMATS: dict[str, Format] = {}


def register(format: Format) -> Format:
    """Add a format, before the tables, which take any text."""
    tables = {name: FORMATS.pop(name) for name in [*FORMATS] if FORMATS[name].home == TABLES != format.home}
    FORMATS[format.name] = format
    FORMATS.update(tables)
    return format


for _format in (
    Format(
        "brat",
        (".ann",),
        "brat stand-off files (.ann beside .txt)",
        "unisono.io.formats.brat",
        sniff.brat,
        "unisono measure project/   # a folder for each annotator",
    ),
    Format(
        "label-studio",
        (".json",),
        "Label Studio's JSON export",
        "unisono.io.formats.label_studio",
        sniff.label_studio,
        "unisono measure project-1.json",
    ),
    Format(
        "json",
        (".json",),
        "unisono's own JSON: everything a corpus holds",
        "unisono.io.formats.unisono_json",
        sniff.unisono_json,
        "unisono convert project/ corpus.json",
    ),
    Format(
        "uima-xmi",
        (".xmi",),
        "UIMA CAS as XMI, also inside an INCEpTION project export",
        "unisono.io.formats.uima",
        sniff.uima_xmi,
        "unisono measure export.zip --layer NamedEntity",
    ),
    Format(
        "uima-json",
        (".json",),
        "UIMA CAS as JSON (0.4)",
        "unisono.io.formats.uima",
        sniff.uima_json,
        "unisono measure annotation/ --layer NamedEntity",
    ),
    Format(
        "webanno-tsv",
        (".tsv",),
        "WebAnno TSV 3",
        "unisono.io.formats.webanno",
        sniff.webanno,
        "unisono measure annotation/ --layer NamedEntity",
    ),
    Format(
        "elan",
        (".eaf",),
        "ELAN annotation documents; a tier for each annotator unless said otherwise",
        "unisono.io.formats.elan",
        sniff.elan,
        "unisono measure video.eaf --tier-pattern '(?P<annotator>[^_]+)_(?P<layer>.+)' --layer gesture",
    ),
    Format(
        "doccano",
        (".jsonl", ".json"),
        "doccano's JSON lines; a file for each user",
        "unisono.io.formats.doccano",
        sniff.doccano,
        "unisono measure export.zip   # ann.jsonl, bob.jsonl",
    ),
    Format(
        "prodigy",
        (".jsonl", ".json"),
        "Prodigy's JSON lines, as db-out writes them",
        "unisono.io.formats.prodigy",
        sniff.prodigy,
        "unisono measure annotations.jsonl",
    ),
    Format(
        "argilla",
        (".json", ".jsonl"),
        "Argilla's records with the responses of all users",
        "unisono.io.formats.argilla",
        sniff.argilla,
        "unisono measure records.json --layer spans",
    ),
    Format(
        "factgenie",
        (".jsonl",),
        "factgenie's JSON lines",
        "unisono.io.formats.factgenie",
        sniff.factgenie,
        "unisono measure campaign/ --annotator-from field:campaign_group",
    ),
    Format(
        "potato",
        (".json", ".jsonl"),
        "Potato's annotations; a folder for each annotator",
        "unisono.io.formats.potato",
        sniff.potato,
        "unisono measure annotation_output/",
    ),
    Format(
        "catma",
        (".json",),
        "CATMA projects, as kept by its Git access",
        "unisono.io.formats.catma",
        sniff.catma,
        "unisono measure CATMA_project/",
    ),
    Format(
        "web-annotation",
        (".jsonld", ".json"),
        "W3C web annotations (JSON-LD)",
        "unisono.io.formats.web_annotation",
        sniff.web_annotation,
        "unisono measure annotations.jsonld",
    ),
    Format(
        "gate-xml",
        (".xml",),
        "GATE documents as XML; an annotation set for each annotator",
        "unisono.io.formats.gate",
        sniff.gate_xml,
        "unisono measure document.xml",
    ),
    Format(
        "bdoc",
        (".bdocjs", ".json"),
        "GATE documents as JSON (bdoc)",
        "unisono.io.formats.gate",
        sniff.bdoc,
        "unisono measure document.bdocjs",
    ),
    Format(
        "glozz",
        (".aa",),
        "Glozz annotations (.aa beside .ac)",
        "unisono.io.formats.glozz",
        sniff.glozz,
        "unisono measure units/   # a folder for each annotator",
    ),
    Format(
        "docbin",
        (".spacy",),
        "spaCy's DocBin; a file or folder for each annotator; needs pip install 'unisono[spacy]'",
        "unisono.io.formats.docbin",
        sniff.docbin,
        "unisono measure project/ --layer ents",
        "spacy",
        "spacy",
    ),
    Format(
        "hugging-face",
        (".json", ".jsonl", ".parquet"),
        "data sets in the manner of Hugging Face: texts with lists of units",
        "unisono.io.formats.hugging_face",
        sniff.hugging_face,
        "unisono measure train.parquet",
    ),
    Format(
        "parquet",
        (".parquet", ".pq"),
        "a table in binary form; needs pip install 'unisono[tables]'",
        TABLES,
        sniff.parquet,
        "unisono measure units.parquet",
        "tables",
    ),
    Format(
        "jsonl",
        (".jsonl", ".ndjson"),
        "one JSON object for each unit, one per line",
        TABLES,
        sniff.jsonl,
        "unisono measure units.jsonl",
    ),
    Format(
        "tsv",
        (".tsv", ".tab"),
        "a table as text, columns parted by tabs, with or without a header",
        TABLES,
        sniff.tsv,
        "unisono measure units.tsv",
    ),
    Format(
        "csv",
        (".csv",),
        "a table as text, columns parted by commas, semicolons or |, with or without a header",
        TABLES,
        sniff.csv,
        "unisono measure units.csv",
    ),
):
    register(_format)


def format_of(suffix: str) -> str | None:
    """The table format whose files end so, if there is one: what a table is written as.

    >>> format_of(".TAB"), format_of(".xlsx")
    ('tsv', None)
    """
    suffix = suffix.lower()
    return next((f.name for f in FORMATS.values() if f.home == TABLES and suffix in f.suffixes), None)


def sniffed(head: sniff.Head) -> Format | None:
    """The format of a file by its beginning, and for tables by its name."""
    return next((format for format in FORMATS.values() if format.sniff(head)), None)
