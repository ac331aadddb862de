# SPDX-License-Identifier: MIT
"""The formats: their names, how their files are recognised, and which module reads them.

Nothing here imports a reader; `Format.load` does, for the first file of that format.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from unisono.errors import load_optional
from unisono.io.formats import sniff

if TYPE_CHECKING:
    from unisono.io.files.opening import File
    from unisono.io.options import Settings
    from unisono.io.record import Record


class Reader(Protocol):
    """The function that the module of a format must have."""

    def read(self, file: File, settings: Settings) -> Record:
        """The units in a file; a FormatError if it is not of this format."""


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
        """The reader; a MissingDependencyError names the extra to install if a library is missing."""
        if self.needs is not None:
            load_optional(self.needs, f"reading {self.name}", self.extra or "formats")
        return cast("Reader", import_module(self.home))


#: Files that accompany annotations and contain none: type systems, descriptions of projects.
COMPANION = Format("companion", (), "", "", sniff.companion, "")

#: The package of the readers.
_HOME = "unisono.io.formats."
#: The reader of tables: any text may be a table, so their sniffers are asked last.
TABLES = "unisono.io.tables.unit_table"

#: Every format by name, in the order in which the sniffers are asked: the least ambiguous first, tables last.
FORMATS: dict[str, Format] = {}


def register(format: Format) -> Format:
    """Add a format, before the tables, because any text may be a table."""
    tables = {name: FORMATS.pop(name) for name in [*FORMATS] if FORMATS[name].home == TABLES != format.home}
    FORMATS[format.name] = format
    FORMATS.update(tables)
    return format


# fmt: off
for _format in (
    Format("brat", (".ann",), "brat stand-off files (.ann beside .txt)", _HOME + "brat", sniff.brat,
           "unisono measure project/   # a folder for each annotator"),
    Format("label-studio", (".json",), "Label Studio's JSON export", _HOME + "label_studio", sniff.label_studio,
           "unisono measure project-1.json"),
    Format("json", (".json",), "unisono's own JSON: everything a corpus holds", _HOME + "unisono_json",
           sniff.unisono_json, "unisono convert project/ corpus.json"),
    Format("text-versions", (".json",), "JSON of the annotators' versions of a text, one or all",
           _HOME + "text_versions", sniff.text_versions, "unisono text ann.json bob.json"),
    Format("uima-xmi", (".xmi",), "UIMA CAS as XMI, also inside an INCEpTION project export", _HOME + "uima",
           sniff.uima_xmi, "unisono measure export.zip --layer NamedEntity"),
    Format("uima-json", (".json",), "UIMA CAS as JSON (0.4)", _HOME + "uima", sniff.uima_json,
           "unisono measure annotation/ --layer NamedEntity"),
    Format("webanno-tsv", (".tsv",), "WebAnno TSV 3", _HOME + "webanno", sniff.webanno,
           "unisono measure annotation/ --layer NamedEntity"),
    Format("elan", (".eaf",), "ELAN annotation documents; a tier for each annotator unless told otherwise",
           _HOME + "elan", sniff.elan,
           "unisono measure video.eaf --tier-pattern '(?P<annotator>[^_]+)_(?P<layer>.+)' --layer gesture"),
    Format("doccano", (".jsonl", ".json"), "doccano's JSON lines; a file for each user", _HOME + "doccano",
           sniff.doccano, "unisono measure export.zip   # ann.jsonl, bob.jsonl"),
    Format("prodigy", (".jsonl", ".json"), "Prodigy's JSON lines, as db-out writes them", _HOME + "prodigy",
           sniff.prodigy, "unisono measure annotations.jsonl"),
    Format("argilla", (".json", ".jsonl"), "Argilla's records with the responses of all users", _HOME + "argilla",
           sniff.argilla, "unisono measure records.json --layer spans"),
    Format("factgenie", (".jsonl",), "factgenie's JSON lines", _HOME + "factgenie", sniff.factgenie,
           "unisono measure campaign/ --annotator-from field:campaign_group"),
    Format("potato", (".json", ".jsonl"), "Potato's annotations; a folder for each annotator", _HOME + "potato",
           sniff.potato, "unisono measure annotation_output/"),
    Format("catma", (".json",), "CATMA projects, as kept by its Git access", _HOME + "catma", sniff.catma,
           "unisono measure CATMA_project/"),
    Format("web-annotation", (".jsonld", ".json"), "W3C web annotations (JSON-LD)", _HOME + "web_annotation",
           sniff.web_annotation, "unisono measure annotations.jsonld"),
    Format("gate-xml", (".xml",), "GATE documents as XML; an annotation set for each annotator", _HOME + "gate",
           sniff.gate_xml, "unisono measure document.xml"),
    Format("bdoc", (".bdocjs", ".json"), "GATE documents as JSON (bdoc)", _HOME + "gate", sniff.bdoc,
           "unisono measure document.bdocjs"),
    Format("glozz", (".aa",), "Glozz annotations (.aa beside .ac)", _HOME + "glozz", sniff.glozz,
           "unisono measure units/   # a folder for each annotator"),
    Format("docbin", (".spacy",),
           "spaCy's DocBin; a file or folder for each annotator; needs pip install 'unisono[spacy]'", _HOME + "docbin",
           sniff.docbin, "unisono measure project/ --layer ents", "spacy", "spacy"),
    Format("hugging-face", (".json", ".jsonl", ".parquet"),
           "data sets in the manner of Hugging Face: texts with lists of units", _HOME + "hugging_face",
           sniff.hugging_face, "unisono measure train.parquet"),
    Format("textgrid", (".textgrid",),
           "Praat TextGrids, long and short; a tier for each annotator unless told otherwise", _HOME + "textgrid",
           sniff.textgrid,
           "unisono measure talk.TextGrid --tier-pattern '(?P<annotator>[^_]+)_(?P<layer>.+)' --layer gesture"),
    Format("rttm", (".rttm",), "RTTM of diarization, with the UEM file of the same name", _HOME + "rttm", sniff.rttm,
           "unisono measure ann.rttm bob.rttm"),
    Format("audacity", (".txt",), "Audacity label files", _HOME + "audacity", sniff.audacity,
           "unisono measure labels/   # a folder for each annotator"),
    Format("raven", (".txt",), "Raven selection tables", _HOME + "raven", sniff.raven,
           "unisono measure selections/ --category-from Species"),
    Format("jams", (".jams",), "JAMS, annotations of music", _HOME + "jams", sniff.jams,
           "unisono measure song.jams --layer segment_salami_upper"),
    Format("boris", (".boris",), "BORIS projects and exported events; an observation for each annotator",
           _HOME + "boris", sniff.boris, "unisono measure project.boris --annotator-from field:observer"),
    Format("via", (".json",), "projects of VIA 3 (sound and video)", _HOME + "via", sniff.via,
           "unisono measure projects/   # a folder for each annotator"),
    Format("cvat", (".xml",), "tracks of CVAT for video 1.1", _HOME + "cvat", sniff.cvat,
           "unisono measure ann.xml bob.xml --annotator-from stem"),
    Format("chat", (".cha",), "CHAT transcripts with time bullets", _HOME + "chat", sniff.chat,
           "unisono measure transcripts/ --category-from speaker"),
    Format("conll", (".conll", ".conllu", ".bio", ".iob", ".iob2", ".bioes"),
           "columns of tokens: BIO tags in any dialect, CoNLL-X, CoNLL-U", _HOME + "conll", sniff.conll,
           "unisono measure tagged/   # a folder for each annotator"),
    Format("conllu", (".conllu", ".conll"),
           "CoNLL-U as a version of a text, if asked for by name: surface tokens with all their columns",
           _HOME + "conllu", sniff.never, "unisono text ann.conllu bob.conllu"),
    Format("tokens", (".tsv", ".tab"), "columns of tokens: a header with form, and features such as pos",
           _HOME + "tokens", sniff.tokens, "unisono text ann.tsv bob.tsv"),
    Format("tei", (".tei", ".xml"), "TEI, units in the text or beside it", _HOME + "tei", sniff.tei,
           "unisono measure texts/ --layer seg"),
    Format("cora", (".xml",), "CorA-XML: tokens with their tags", _HOME + "cora", sniff.cora,
           "unisono measure texts/ --category-from pos"),
    Format("childproject", (".csv",), "ChildProject's converted annotations", _HOME + "childproject",
           sniff.childproject, "unisono measure annotations/   # annotations/SET/converted/RECORDING.csv"),
    Format("parquet", (".parquet", ".pq"), "a table in binary form; needs pip install 'unisono[tables]'", TABLES,
           sniff.parquet, "unisono measure units.parquet", "tables"),
    Format("xlsx", (".xlsx", ".xlsm", ".xls", ".ods"), "a sheet of an Excel file; needs pip install 'unisono[tables]'",
           TABLES, sniff.xlsx, "unisono measure units.xlsx --sheet Units", "tables"),
    Format("jsonl", (".jsonl", ".ndjson"), "one JSON object for each unit, one per line", TABLES, sniff.jsonl,
           "unisono measure units.jsonl"),
    Format("tsv", (".tsv", ".tab"), "a table as text, columns separated by tabs, with or without a header", TABLES,
           sniff.tsv, "unisono measure units.tsv"),
    Format("csv", (".csv",), "a table as text, columns separated by commas, semicolons or |, with or without a header",
           TABLES, sniff.csv, "unisono measure units.csv"),
):
    register(_format)
# fmt: on


def format_of(suffix: str) -> str | None:
    """The table format whose files have this ending, if there is one.

    >>> format_of(".TAB"), format_of(".docx")
    ('tsv', None)
    """
    suffix = suffix.lower()
    return next((f.name for f in FORMATS.values() if f.home == TABLES and suffix in f.suffixes), None)


def recognise(head: sniff.Head) -> Format | None:
    """The first format whose sniffer recognises the file, if one does."""
    return next((format for format in FORMATS.values() if format.sniff(head)), None)
