# SPDX-License-Identifier: MIT
"""CorA-XML, the files of the annotation tool CorA: tokens in a modern (`mod`) and a diplomatic (`dipl`) division.

Each `<mod>` is a unit of the layer `mod`; its children with a `tag` are its features (`pos`, `lemma`, `morph`, ...),
except comments, and `pos` is the category. Each `<dipl>` is a unit of the layer `dipl`, read only if asked for. The
tags `--` and `<none>` count as empty.

Positions are characters of a text made of the units, with a blank after each `<token>` and nothing between its parts.
The words are taken from the attribute that `text_from` names, or from the first of `utf`, `trans`, `simple` and `ascii`
that all units of the layer have. In versions of a text whose words are from `trans`, the split symbol, with which
annotators cut a token in two, is left out, and the merge symbol, with which they join two, is a blank: annotators who
only divide the text differently then have the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from unisono.errors import FormatError, InputError, Problem
from unisono.io.files.jsontree import malformed
from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, local, parse_xml
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

LAYERS = ("mod", "dipl")
TEXTS = ("utf", "trans", "simple", "ascii")
_WHAT = "CorA-XML"
#: Children with a tag that are remarks, not features.
REMARKS = {"comment"}
#: Tags that mean: no tag.
NO_LABEL = {"", "<none>", "--"}


def read(file: File, settings: Settings) -> Record:
    """The units of both divisions."""
    root = parse_xml(file.data(), file.where, _WHAT)
    tokens = [] if local(root) != "text" else list(root.iterfind("token"))
    if not tokens:
        raise malformed(file.where, _WHAT, f"its root element <{local(root)}> is not a <text> with <token> elements")
    header = root.find("cora-header")
    fields = {name: header.get(name) for name in ("name", "sigle") if header is not None and header.get(name)}
    builder = RecordBuilder(file, _WHAT)
    texts: tuple[str, ...] = ()
    for layer in LAYERS:
        groups = [list(token.iterfind(layer)) for token in tokens]
        elements = [element for group in groups for element in group]
        if not elements:
            continue
        complete = tuple(name for name in TEXTS if all(element.get(name) for element in elements))
        texts = texts or complete
        name = settings.text_from or next(iter(complete), "trans")
        if name not in complete:
            if layer == "dipl" and texts:
                continue  # a layer that is read only if asked for does not prevent reading the other
            raise _missing_words(elements, layer, settings.text_from, file.where)
        words = partial(_word, name, settings)
        _add_units(builder, layer, groups, words, fields)
    return builder.record(category="pos", called={"category": "pos"}, is_version=True, texts=texts)


def _missing_words(elements: Sequence[Element], layer: str, name: str | None, where: str) -> InputError:
    """The error where no attribute has all words, or the one asked for lacks some; then it lists all of them."""
    if name is None:
        element = next(element for element in elements if not element.get("trans"))
        fault = f"<{layer} id={short(element.get('id', ''))!r}> has no trans, and no other attribute has all words"
        return malformed(line(element, where), _WHAT, fault)
    return FormatError(
        [
            Problem(
                "cora",
                "error",
                line(element, where),
                f"<{layer} id={short(element.get('id', ''))!r}> has no text in its attribute {name!r}",
                f"Choose another of the attributes {', '.join(TEXTS)} with [[text_from]].",
            )
            for element in elements
            if not element.get(name)
        ]
    )


def _word(name: str, settings: Settings, element: Element) -> str:
    """The text of a unit."""
    word = str(element.get(name))
    if name == "trans" and settings.versions:
        if settings.split_symbol:
            word = word.replace(settings.split_symbol, "")
        if settings.merge_symbol:
            word = word.replace(settings.merge_symbol, " ").strip() or word
    return word


def _add_units(
    builder: RecordBuilder,
    layer: str,
    groups: Sequence[Sequence[Element]],
    word_of: Callable[[Element], str],
    fields: dict[str, str],
) -> None:
    text = " ".join("".join(map(word_of, group)) for group in groups if group)
    sheet = builder.sheet(layer=layer, text=text, fields=fields, is_dependent=layer != "mod")
    at = 0
    for group in filter(None, groups):
        for element in group:
            word = word_of(element)
            features = _features(element)
            builder.unit(sheet, at, at + len(word), features, line(element, builder.file.where))
            at += len(word)
        at += 1


def _features(element: Element) -> dict[str, str]:
    """The features that the children of a unit give."""
    return {
        child.tag: label
        for child in element
        if isinstance(child.tag, str) and child.tag not in REMARKS and (label := child.get("tag", "")) not in NO_LABEL
    }
