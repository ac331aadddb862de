# SPDX-License-Identifier: MIT
"""What tells a format: small looks at the beginning of a file. None of them may fail, whatever the bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_ROOT = re.compile(r"<(?![?!])([A-Za-z_][\w.\-]*:)?([A-Za-z_][\w.\-]*)([^>]*)")
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True)
class Head:
    """The name of a file and its first bytes."""

    name: str
    suffix: str
    data: bytes

    @cached_property
    def text(self) -> str:
        """The beginning as text, wrong bytes replaced; "" for what is no text at all."""
        for mark, name in _MARKS:
            if self.data.startswith(mark):
                return self.data[len(mark) :].decode(name, errors="replace")
        return "" if b"\0" in self.data else self.data.decode("utf-8", errors="replace")

    @cached_property
    def lines(self) -> list[str]:
        """The first filled lines."""
        return [line for line in self.text.splitlines()[:50] if line.strip()]

    @cached_property
    def root(self) -> str:
        """The name of an XML file's first element, without prefix; "" where it is none."""
        start = self.text.lstrip()
        if not start.startswith("<"):
            return ""
        found = _ROOT.search(start)
        return found[2] if found else ""

    @cached_property
    def is_json(self) -> bool:
        return self.text.lstrip()[:1] in ("{", "[") and bool(self.text)

    def has_keys(self, *names: str) -> bool:
        """Whether all of these keys of JSON objects come up in the beginning."""
        return all(re.search(rf'"{re.escape(name)}"\s*:', self.text) for name in names)


_ANN = re.compile(r"(?:T\d+\t\S+ \d+ \d+|[REMAN]\d+\t\S|#\d+\t\S|\*\t\S)")


def brat(head: Head) -> bool:
    """Lines that begin with an identifier and a tab; an empty .ann file too."""
    if head.suffix == ".ann" and not head.lines:
        return not head.data.strip()
    return bool(head.lines) and all(_ANN.match(line) for line in head.lines[:3])


def label_studio(head: Head) -> bool:
    """A list of tasks with annotations (once: completions) that have results; or the minimal export."""
    if not head.is_json:
        return False
    if head.has_keys("annotation_id", "annotator", "lead_time"):
        return True
    return (head.has_keys("annotations", "result") or head.has_keys("completions", "result")) and head.has_keys("data")


def companion(head: Head) -> bool:
    """A type system of UIMA, the description of an INCEpTION project."""
    return head.root == "typeSystemDescription" or (
        head.name.startswith("exportedproject") and head.suffix == ".json" and head.is_json
    )


def unisono_json(head: Head) -> bool:
    """Our own first key."""
    return head.is_json and head.has_keys("unisono-corpus")


def uima_xmi(head: Head) -> bool:
    """The root element of XMI with UIMA's namespace."""
    return head.root == "XMI" and "uima" in head.text[:20_000]


def uima_json(head: Head) -> bool:
    """The reserved keys of a JSON CAS."""
    return head.is_json and '"%' in head.text and any(map(head.has_keys, ("%TYPES", "%FEATURE_STRUCTURES", "%VIEWS")))


def webanno(head: Head) -> bool:
    """The line that names the format; versions before 3 too, to be refused by their name."""
    if not head.lines:
        return False
    return head.lines[0].startswith("#FORMAT=WebAnno TSV 3") or (
        head.lines[0].startswith(" # ") and any(line.startswith("#id=") for line in head.lines[:5])
    )


def elan(head: Head) -> bool:
    """The root element of ELAN."""
    return head.root == "ANNOTATION_DOCUMENT"


def parquet(head: Head) -> bool:
    """The mark of Parquet, or its ending."""
    return head.data.startswith(b"PAR1") or head.suffix in (".parquet", ".pq")


def jsonl(head: Head) -> bool:
    """The ending: any JSON may be a table."""
    return head.suffix in (".jsonl", ".ndjson")


def tsv(head: Head) -> bool:
    """The ending."""
    return head.suffix in (".tsv", ".tab")


def csv(head: Head) -> bool:
    """The ending."""
    return head.suffix == ".csv"
