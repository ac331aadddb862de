# SPDX-License-Identifier: MIT
"""Layouts: where the names of annotators and documents are, which layer has the units, which feature is the category.

A format says what is in a file, a layout what it means. The same brat files may be in a folder for each annotator or
have the annotator's name at the end of their own; the same tiers may be annotators or layers.
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
    """Where a name is: the kind of rule and, for fields and patterns, which one.

    >>> Rule.parse("field:completed_by", "annotator_from")
    Rule(kind='field', argument='completed_by')
    >>> Rule.parse("folder", "annotator_from")
    Traceback (most recent call last):
    unisono.errors.ParameterError: 'folder' is not a rule for names. Give annotator_from= one of parent, stem, tier, \
field:NAME and regex:PATTERN.
    """

    kind: str
    argument: str = ""

    @classmethod
    def parse(cls, text: str, option: str) -> Rule:
        """The rule that a text gives; `option` is the setting that it was given for."""
        kind, _, argument = text.partition(":")
        if (text not in RULES and kind not in ("field", "regex")) or (kind in ("field", "regex") and not argument):
            raise ParameterError.of(
                f"{text!r} is not a rule for names",
                f"Give [[{option}]] one of parent, stem, tier, field:NAME and regex:PATTERN.",
                code="layout",
            )
        if kind == "regex":
            _compile(argument, option)
        return cls(kind, argument)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the content of files is understood; where nothing is given, the files or their formats decide.

    annotator_from, document_from: `parent` (the folder), `stem` (the file's name without ending), `tier`,
    `field:NAME` (a field of the file), `regex:PATTERN` (searched in the path without ending: the group named annotator
    or document, or the first one).
    tier_pattern: splits the names of layers by its groups `annotator`, `layer`, `document`.
    layer: names of the layers or tiers to read; * and ? stand for anything.
    category_from: the feature that is the category; `one:other` joins two.
    category_map: new names of categories. ignore: categories whose units are left out.
    discontinuous: units of several pieces become their hull, or a unit for each piece, or are skipped.
    per_layer: each layer of a document is a document of its own, `talk/words`.

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
    per_layer: bool = False

    def __post_init__(self) -> None:
        for name in ("layer", "ignore"):
            value = getattr(self, name)
            object.__setattr__(self, name, (value,) if isinstance(value, str) else tuple(value))
        for name in ("annotator_from", "document_from"):
            if (text := getattr(self, name)) is not None:
                Rule.parse(text, name)
        if self.tier_pattern is not None and not (
            set(_compile(self.tier_pattern, "tier_pattern").groupindex) & {"annotator", "layer", "document"}
        ):
            raise ParameterError.of(
                f"the tier pattern {self.tier_pattern!r} has no group named annotator, layer or document",
                "Give [[tier_pattern]] such a group, as in (?P<annotator>[^_]+)_(?P<layer>.+).",
                code="layout",
            )
        if self.discontinuous not in ("hull", "pieces", "skip"):
            raise ParameterError.of(
                f"{self.discontinuous!r} is not a way to read discontinuous units",
                "Give [[discontinuous]] one of hull, pieces and skip.",
                code="layout",
            )

    def rule(self, role: Literal["annotator", "document"], default: str | None = None) -> Rule | None:
        """The rule for a role: the one given, or else the format's own."""
        text = (self.annotator_from if role == "annotator" else self.document_from) or default
        return None if text is None else Rule.parse(text, f"{role}_from")


class LayoutOptions(TypedDict, total=False):
    """The fields of a Layout as keyword arguments of `read` and `inspect`."""

    annotator_from: str | None
    document_from: str | None
    tier_pattern: str | None
    layer: str | Sequence[str]
    category_from: str | None
    #: A mapping from old to new names, or the path of a table of them.
    category_map: Mapping[str, str] | str | os.PathLike[str]
    ignore: str | Sequence[str]
    discontinuous: Discontinuous
    per_layer: bool


def _compile(pattern: str, option: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ParameterError.of(
            f"{pattern!r} is not a regular expression ({error})", f"Correct [[{option}]].", code="layout"
        ) from None
