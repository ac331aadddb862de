# SPDX-License-Identifier: MIT
"""Layouts: where the names of annotators and documents stand, which layer holds the units, what their category is.

Formats say what is in a file; layouts say what it means. The same brat files may lie in a folder for each annotator or
carry the annotator's name at the end of theirs; the same tiers may be annotators or layers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from unisono.errors import ParameterError

Discontinuous = Literal["hull", "pieces", "skip"]

#: Rules by name; `field:NAME` and `regex:PATTERN` are the others.
RULES = ("parent", "stem", "tier")


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a name stands: a kind and, for fields and patterns, which.

    >>> Rule.parsed("field:completed_by", "annotator_from")
    Rule(kind='field', argument='completed_by')
    >>> Rule.parsed("folder", "annotator_from")
    Traceback (most recent call last):
    unisono.errors.ParameterError: parent, stem, tier, field:NAME or regex:PATTERN for annotator_from; found 'folder'
    """

    kind: str
    argument: str = ""

    @classmethod
    def parsed(cls, text: str, option: str) -> Rule:
        """A rule from its spelling."""
        kind, _, argument = text.partition(":")
        if (text not in RULES and kind not in ("field", "regex")) or (kind in ("field", "regex") and not argument):
            raise ParameterError.of(
                f"parent, stem, tier, field:NAME or regex:PATTERN for {option}", repr(text), code="layout"
            )
        if kind == "regex":
            _compiled(argument, option)
        return cls(kind, argument)


@dataclass(frozen=True, slots=True)
class Layout:
    """How files become continua; what is left out is found out, or as the format has it.

    annotator_from, document_from: `parent` (the folder), `stem` (the file's name without ending), `tier`,
    `field:NAME` (something the file says), `regex:PATTERN` (searched in the path without ending: the group named
    annotator or document, or the first one).
    tier_pattern: takes the names of layers apart by its groups `annotator`, `layer`, `document`.
    layer: names of the layers or tiers to read; * and ? stand for anything.
    category_from: the feature that is the category; `one:other` joins two.
    category_map: new names of categories. ignore: categories whose units are left out.
    discontinuous: units of several pieces become their hull, or a unit for each piece, or are skipped.

    >>> Layout(annotator_from="parent", layer="NamedEntity").layer
    ('NamedEntity',)
    """

    annotator_from: str | None = None
    document_from: str | None = None
    tier_pattern: str | None = None
    layer: str | Sequence[str] = ()
    category_from: str | None = None
    category_map: Mapping[str, str] = field(default_factory=dict)
    ignore: str | Sequence[str] = ()
    discontinuous: Discontinuous = "hull"

    def __post_init__(self) -> None:
        for name in ("layer", "ignore"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        for name in ("annotator_from", "document_from"):
            if (text := getattr(self, name)) is not None:
                Rule.parsed(text, name)
        if self.tier_pattern is not None and not (
            set(_compiled(self.tier_pattern, "tier_pattern").groupindex) & {"annotator", "layer", "document"}
        ):
            raise ParameterError.of(
                "a tier pattern with a group named annotator, layer or document",
                repr(self.tier_pattern),
                "for example (?P<annotator>[^_]+)_(?P<layer>.+)",
                code="layout",
            )
        if self.discontinuous not in ("hull", "pieces", "skip"):
            raise ParameterError.of("hull, pieces or skip for discontinuous", repr(self.discontinuous), code="layout")

    def rule(self, role: Literal["annotator", "document"], default: str | None = None) -> Rule | None:
        """The rule for a role, the format's own where none is given."""
        text = (self.annotator_from if role == "annotator" else self.document_from) or default
        return None if text is None else Rule.parsed(text, f"{role}_from")


class LayoutOptions(TypedDict, total=False):
    """The fields of a Layout as keyword arguments of `read` and `inspect`."""

    annotator_from: str | None
    document_from: str | None
    tier_pattern: str | None
    layer: str | Sequence[str]
    category_from: str | None
    #: Here also the path of a table of old and new names.
    category_map: Mapping[str, str] | str | os.PathLike[str]
    ignore: str | Sequence[str]
    discontinuous: Discontinuous


def _compiled(pattern: str, option: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ParameterError.of(f"a regular expression for {option}", f"{pattern!r} ({error})", code="layout") from None
