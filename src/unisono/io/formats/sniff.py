# SPDX-License-Identifier: MIT
"""How formats are recognised: one function for each, which looks at the beginning of a file.

None of them may fail, whatever the bytes, and none may import a reader.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from unisono.io.files.encoding import MARKS
from unisono.io.files.lines import split_lines

_ROOT = re.compile(r"<(?![?!])([A-Za-z_][\w.\-]*:)?([A-Za-z_][\w.\-]*)([^>]*)")


@dataclass(frozen=True)
class Head:
    """The name of a file and its first bytes."""

    name: str
    suffix: str
    data: bytes

    @cached_property
    def text(self) -> str:
        """The beginning as text, wrong bytes replaced; "" for a file that is not text."""
        for mark, name in MARKS:
            if self.data.startswith(mark):
                return self.data[len(mark) :].decode(name, errors="replace")
        return "" if b"\0" in self.data else self.data.decode("utf-8", errors="replace")

    @cached_property
    def lines(self) -> list[str]:
        """Those of the first 50 lines that are not blank."""
        return [line for line in split_lines(self.text)[:50] if line.strip()]

    @cached_property
    def root(self) -> str:
        """The name of an XML file's root element, without prefix; "" where the file is not XML."""
        start = self.text.lstrip()
        if not start.startswith("<"):
            return ""
        match = _ROOT.search(start)
        return match[2] if match else ""

    @cached_property
    def is_json(self) -> bool:
        return self.text.lstrip()[:1] in ("{", "[") and bool(self.text)

    def has_keys(self, *names: str) -> bool:
        """Whether all of these keys of JSON objects are in the beginning."""
        return all(re.search(rf'"{re.escape(name)}"\s*:', self.text) for name in names)


_ANN = re.compile(r"(?:T\d+\t\S+ \d+ \d+|[REMAN]\d+\t\S|#\d+\t\S|\*\t\S)")


def brat(head: Head) -> bool:
    """Lines that begin with an identifier and a tab; an empty .ann file too."""
    if head.suffix == ".ann" and not head.lines:
        return not head.data.strip()
    return bool(head.lines) and all(_ANN.match(line) for line in head.lines[:3])


def label_studio(head: Head) -> bool:
    """A list of tasks with annotations (in old versions completions) that have results; or the minimal export."""
    if not head.is_json:
        return False
    if head.has_keys("annotation_id", "annotator", "lead_time"):
        return True
    # The data come after the annotations, which may be longer than the beginning that is looked at.
    is_task = head.has_keys("data") or head.has_keys("from_name", "to_name")
    return is_task and (head.has_keys("annotations", "result") or head.has_keys("completions", "result"))


_CATMA_TEXT = re.compile(r"D_[0-9A-F]{8}-[0-9A-F\-]{27}\.txt")


def companion(head: Head) -> bool:
    """Files that describe annotations and have none: a type system of UIMA, the description of a project of
    INCEpTION or CATMA or of a campaign of factgenie, the regions to be scored (UEM)."""
    return (
        head.root == "typeSystemDescription"
        or uem(head)
        or (head.name.startswith("exportedproject") and head.suffix == ".json" and head.is_json)
        or (head.name in ("header.json", "propertydefs.json") and head.is_json)
        or bool(_CATMA_TEXT.fullmatch(head.name))
        or (head.name in ("config.yaml", "metadata.json") and "annotation_span_categories" in head.text)
    )


def unisono_json(head: Head) -> bool:
    """The first key of unisono's own JSON."""
    return head.is_json and head.has_keys("unisono-corpus")


def text_versions(head: Head) -> bool:
    """An object with a text and a list of units, or with such objects by annotator."""
    return head.is_json and (
        bool(re.match(r'\s*\{\s*"text"\s*:', head.text) and re.search(r'"units"\s*:\s*\[', head.text))
        or (bool(re.search(r'"annotators"\s*:\s*\{', head.text)) and head.has_keys("text", "units"))
    )


def uima_xmi(head: Head) -> bool:
    """The root element of XMI with UIMA's namespace."""
    return head.root == "XMI" and "uima" in head.text[:20_000]


def uima_json(head: Head) -> bool:
    """The reserved keys of a JSON CAS."""
    return head.is_json and '"%' in head.text and any(map(head.has_keys, ("%TYPES", "%FEATURE_STRUCTURES", "%VIEWS")))


def webanno(head: Head) -> bool:
    """The line that names the format; also versions before 3, which the reader refuses with a message about them."""
    if not head.lines:
        return False
    return head.lines[0].startswith("#FORMAT=WebAnno TSV 3") or (
        head.lines[0].startswith(" # ") and any(line.startswith("#id=") for line in head.lines[:5])
    )


def elan(head: Head) -> bool:
    """The root element of ELAN."""
    return head.root == "ANNOTATION_DOCUMENT"


_LISTED = re.compile(r'"labels?"\s*:\s*\[\s*[\[\]]')
_OFFSETS = re.compile(r'"(?:entities|annotations)"\s*:\s*\[\s*\{[^{}]*"start_offset"\s*:')
_UNIT_LIST = re.compile(
    r'"\w+"\s*:\s*\[\s*\{[^{}\[\]]*"(?:start|start_offset|start_char|char_start|begin)"\s*:\s*[0-9]'
)
_TAG_LIST = re.compile(r'"\w+"\s*:\s*\[\s*(?:"O"\s*,\s*)*"[BIESLU]-')
_TEXT_KEYS = ("text", "sentence", "content")


def doccano(head: Head) -> bool:
    """Texts with lists of `[start, end, label]`, or with entities by their offsets."""
    if not head.is_json or head.has_keys("_input_hash"):
        return False
    return bool(_OFFSETS.search(head.text)) or (head.has_keys("text") and bool(_LISTED.search(head.text)))


def prodigy(head: Head) -> bool:
    """The hashes of Prodigy, or an answer beside spans."""
    if not head.is_json:
        return False
    return any(map(head.has_keys, ("_input_hash", "_task_hash"))) or head.has_keys("text", "spans", "answer")


def argilla(head: Head) -> bool:
    """Fields and responses of records, the columns of flattened ones, or the keys of version 1."""
    return head.is_json and (
        head.has_keys("fields", "responses")
        or head.has_keys("text", "annotation", "annotation_agent")
        or bool(re.search(r'"[^"\n]+\.responses\.users"\s*:', head.text))
        or (head.has_keys("user_id", "value", "status") and "-suggestion" in head.text)
    )


def factgenie(head: Head) -> bool:
    """The keys that name an example."""
    return head.is_json and head.has_keys("annotations", "dataset", "split", "setup_id", "example_idx")


def potato(head: Head) -> bool:
    """The state of a user, or lines of instances."""
    if not head.is_json:
        return False
    return (
        any(map(head.has_keys, ("instance_id_to_span_to_value", "instance_id_to_label_to_value")))
        or head.has_keys("user_id", "instance_id_ordering")
        or any(head.has_keys(name, "span_annotations") for name in ("instance_id", "displayed_text"))
        or head.has_keys("instance_id", "user_id", "spans")
    )


def catma(head: Head) -> bool:
    """Web annotations whose bodies are CATMA's tags."""
    return head.is_json and "catma" in head.text.lower() and head.has_keys("body", "target", "tag", "tagset")


def web_annotation(head: Head) -> bool:
    """The context of W3C's web annotations."""
    return head.is_json and (
        "www.w3.org/ns/anno" in head.text or (head.has_keys("target") and "TextPositionSelector" in head.text)
    )


def gate_xml(head: Head) -> bool:
    """The root element of GATE."""
    return head.root == "GateDocument"


def bdoc(head: Head) -> bool:
    """The keys of a GATE document as JSON."""
    return head.is_json and head.has_keys("annotation_sets", "text")


def glozz(head: Head) -> bool:
    """The root element of Glozz and a mark that only Glozz writes."""
    return head.root == "annotations" and any(
        mark in head.text for mark in ("corpusHashcode", "<characterisation", "<positioning")
    )


def docbin(head: Head) -> bool:
    """Compressed by zlib, with the keys of a DocBin inside."""
    if head.data[:1] != b"x":
        return False
    try:
        start = zlib.decompressobj().decompress(head.data, 100)
    except zlib.error:
        return False
    return b"version" in start and b"attrs" in start


def hugging_face(head: Head) -> bool:
    """Texts with lists of objects that have a start, or tokens with tags; Parquet is recognised by its schema."""
    if not head.is_json:
        return False
    if any(map(head.has_keys, ("tokens", "words"))) and _TAG_LIST.search(head.text):
        return True
    return any(map(head.has_keys, _TEXT_KEYS)) and bool(_UNIT_LIST.search(head.text))


def textgrid(head: Head) -> bool:
    """The first line of Praat's files; also of the kinds that the reader refuses with a message about them."""
    start = head.text[:200]
    return (
        head.data.startswith(b"ooBinaryFile\x08TextGrid")
        or ("ooTextFile" in start and '"TextGrid' in start)
        or "chronological TextGrid" in start
    )


RTTM_TYPES = frozenset({
    "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB",
    "A/P", "SPEAKER", "SPKR-INFO",
})  # fmt: skip


def rttm(head: Head) -> bool:
    """Lines with a type of object and 8 to 10 cells; also UEM files, which the reader refuses with a message."""
    lines = [line for line in head.lines[:10] if not line.startswith(";")]
    if not lines:
        return head.suffix == ".rttm" and not head.data.strip()
    cells = [line.split() for line in lines]
    return all(row[0] in RTTM_TYPES and 8 <= len(row) <= 10 for row in cells[:3]) or uem(head)


def uem(head: Head) -> bool:
    """The ending of regions to be scored."""
    return head.suffix == ".uem"


_LABEL = re.compile(r"-?\d+[.,]\d+\t-?\d+[.,]\d+(?:\t[^\t]*)?")


def audacity(head: Head) -> bool:
    """Two times with decimals and a text, separated by tabs, in a text file."""
    lines = [line for line in head.lines[:20] if not line.startswith("\\\t")]
    return head.suffix == ".txt" and bool(lines) and all(_LABEL.fullmatch(line) for line in lines)


def raven(head: Head) -> bool:
    """The columns of a selection table."""
    names = [name.strip() for name in head.lines[0].split("\t")] if head.lines else []
    return "Begin Time (s)" in names and "End Time (s)" in names


def jams(head: Head) -> bool:
    """Annotations with namespaces, or the ending, because the namespaces may come late in the file."""
    return head.is_json and (
        head.suffix == ".jams" or head.has_keys("annotations", "namespace", "annotation_metadata", "data")
    )


_BORIS_AGGREGATED = ("Behavior", "Start (s)", "Stop (s)")
_BORIS_TABULAR = ("Time", "Behavior")
#: Columns of tabular events that say whether an event is a point, a start or a stop.
BORIS_KINDS = ("Behavior type", "Status")


def is_boris_header(names: Iterable[str]) -> bool:
    """Whether these are the columns of an export of events.

    >>> is_boris_header(["Time", "Subject", "Behavior", "Status"]), is_boris_header(["Time", "Behavior"])
    (True, False)
    """
    known = set(names)
    return known >= set(_BORIS_AGGREGATED) or (known >= set(_BORIS_TABULAR) and bool(known & set(BORIS_KINDS)))


def boris(head: Head) -> bool:
    """A project's keys, or the columns of an export of events."""
    if head.is_json:
        return head.has_keys("observations", "project_name") or head.has_keys("observations", "behaviors_conf")
    return any(is_boris_header(cell.strip(' "') for cell in re.split("[\t,]", line)) for line in head.lines)


def via(head: Head) -> bool:
    """The keys of a project of VIA 3."""
    return head.is_json and head.has_keys("project", "config", "attribute", "file", "metadata")


def cvat(head: Head) -> bool:
    """CVAT's root element and an element that only CVAT writes."""
    return head.root == "annotations" and any(sign in head.text for sign in ("<track ", "<dumped>", "<task>", "<job>"))


def chat(head: Head) -> bool:
    """The lines with which every CHAT file begins."""
    return (
        bool(head.lines)
        and head.lines[0].startswith(("@UTF8", "@Begin", "@Font", "@PID"))
        and (any(line.rstrip() == "@Begin" for line in head.lines))
    )


_TAGGED = re.compile(r"\S+[\t ].*(?<=\s)(?:O|[BIESLUM]-\S+)|-DOCSTART-.*|# .*")
_TOKENS = re.compile(r"1\t[^\t]+\t[^\t]+\t[^\t]*\t[^\t]*\t[^\t]*\t(?:\d+|_)\t[^\t]+(?:\t[^\t]*)*")


def conll(head: Head) -> bool:
    """A tag at the end of each line, at least one of which begins a unit; or the columns of CoNLL-X and CoNLL-U."""
    if head.is_json or head.root:
        return False
    lines = [line.rstrip() for line in head.lines if not line.startswith("#")]
    if not lines:
        return False
    if head.lines[0].split("\t")[0] == "tok" and len(lines) > 1:
        return "\t" in lines[0]
    if _TOKENS.fullmatch(lines[0]):
        return head.suffix not in (".csv",)
    body = lines[1:] if len(lines) > 2 and not _TAGGED.fullmatch(lines[0]) else lines
    beginning = re.search(r"(?:^|\s)[BSIU]-\S+\s*$", head.text, re.MULTILINE)
    return all(map(_TAGGED.fullmatch, body)) and beginning is not None


#: Names of the column with the tokens.
TOKEN_HEADERS = ("form", "token", "tok", "word", "text")


def tokens(head: Head) -> bool:
    """A header with a column of tokens, and none of positions, annotators or documents."""
    names = {name.strip().lower() for name in head.lines[0].split("\t")} if head.lines else set()
    others = {"start", "end", "begin", "onset", "offset", "duration", "annotator", "document"}
    return head.suffix in (".tsv", ".tab") and bool(names & {*TOKEN_HEADERS[:-1]}) and not names & others


def never(head: Head) -> bool:
    """Formats that are read only if asked for by name."""
    return False


def tei(head: Head) -> bool:
    """The root element of TEI."""
    return head.root in ("TEI", "TEI.2", "teiCorpus")


def cora(head: Head) -> bool:
    """The root element of CorA and one of the elements that come first in it."""
    return head.root == "text" and any(sign in head.text for sign in ("<token ", "<layoutinfo", "<cora-header"))


def childproject(head: Head) -> bool:
    """Onsets and offsets of segments, a column about speech, and no column for the set."""
    names = {name.strip(' "') for name in head.lines[0].split(",")} if head.lines else set()
    speech = names & {"speaker_type", "speaker_id", "vcm_type", "lex_type", "mwu_type", "addressee", "transcription"}
    bounds = {"segment_onset", "segment_offset"}
    return head.suffix == ".csv" and bounds <= names and bool(speech) and not names & {"set", "annotator"}


def parquet(head: Head) -> bool:
    """The first bytes of Parquet, or its ending."""
    return head.data.startswith(b"PAR1") or head.suffix in (".parquet", ".pq")


def is_excel(data: bytes) -> bool:
    """Whether a file is a zip archive with the parts of an Excel workbook among its first."""
    return data.startswith(b"PK\x03\x04") and b"xl/" in data[:65_536] and b"[Content_Types].xml" in data


def xlsx(head: Head) -> bool:
    """The parts of a workbook, or the ending of an older one."""
    old = head.data.startswith(b"\xd0\xcf\x11\xe0") and head.suffix == ".xls"
    return is_excel(head.data) or old or (head.data.startswith(b"PK") and head.suffix in (".xlsx", ".xlsm", ".ods"))


def jsonl(head: Head) -> bool:
    """The ending, because any JSON lines may be a table."""
    return head.suffix in (".jsonl", ".ndjson")


def tsv(head: Head) -> bool:
    """The ending."""
    return head.suffix in (".tsv", ".tab")


def csv(head: Head) -> bool:
    """The ending."""
    return head.suffix == ".csv"
