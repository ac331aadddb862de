# SPDX-License-Identifier: MIT
"""UIMA CAS as XMI or JSON (0.4), as INCEpTION, WebAnno and DKPro write it.

Every indexed annotation is a unit. Its layer is its type, by the last part of its name (`NamedEntity`); with a type
system in the file or beside it, subtypes belong to the layer of the topmost type below `uima.tcas.Annotation`. The
category is the feature named value, PosValue, ... or the most used one; the others are features. Tokens, sentences,
relations and annotations that describe the document are read only if asked for by name. Positions count UTF-16 units
and are converted to characters.

The file is read with lxml and json, not with dkpro-cassis: that needs the type system, fails on the first unknown type,
is five times slower, and accepts positions beyond the text silently. The tests compare this reader with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unisono.io.files import jsontree, xmltree
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, word
from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element
from unisono.io.formats.json_spans import note_left_out
from unisono.io.formats.offsets import code_points
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.tables.numbers import is_whole_number

_XMI = "UIMA CAS XMI"
_JSON = "UIMA CAS JSON"
_XMI_ID = "{http://www.omg.org/XMI}id"

#: Types that structure the text or describe the document.
_FRAME = {"Token", "Sentence", "DocumentAnnotation", "DocumentMetaData", "TagsetDescription", "TagDescription",
          "CASMetadata", "Paragraph", "Div", "Heading", "XmlElement", "XmlDocument", "XmlTextNode"}  # fmt: skip
#: Features that make an annotation a relation.
_RELATION = {"Governor", "Dependent"}
#: Names of features that are the category, the most specific first.
_CATEGORIES = ("value", "PosValue", "label", "category", "chunkValue", "posValue", "type", "tag", "name", "NeType")
_BARE = {"id", "sofa", "begin", "end"}


@dataclass(slots=True)
class _Annotation:
    type: str
    sofa: str
    begin: Any
    end: Any
    features: dict[str, str | None]
    where: str


@dataclass(slots=True)
class _Cas:
    """The parts of a CAS that are needed for units."""

    #: Texts and names of the views, by the identifier of their sofa (subject of analysis).
    texts: dict[str, str | None] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    annotations: list[_Annotation] = field(default_factory=list)
    supertypes: dict[str, str] = field(default_factory=dict)


def read(file: File, settings: Settings) -> Record:
    """The units of all layers in a CAS."""
    data = file.data()
    if data.lstrip()[:1] in (b"{", b"["):
        kind, cas = "UIMA JSON", _from_json(decode(data, file.where, settings.encoding), file.where)
    else:
        kind, cas = "UIMA XMI", _from_xmi(data, file)
    builder = RecordBuilder(file, kind)
    sofas = [sofa for sofa, text in cas.texts.items() if text is not None]
    main = next((sofa for sofa in sofas if cas.names.get(sofa) == "_InitialView"), sofas[0] if sofas else None)
    text = None if main is None else cas.texts[main]
    metadata = _metadata(cas)
    layers = _layers(cas)
    sheets: dict[str, int] = {}
    left_out: Counter[str] = Counter()
    kept = []
    for annotation in cas.annotations:
        if main is not None and annotation.sofa != main:
            left_out[f"annotation(s) of the view {cas.names.get(annotation.sofa, annotation.sofa)}"] += 1
        else:
            kept.append(annotation)
    for annotation, begin, end in zip(kept, *_positions(text, kept), strict=True):
        layer = layers[annotation.type]
        if layer.name not in sheets:
            sheets[layer.name] = builder.sheet(
                layer=layer.name, text=text, fields=metadata, category=layer.category, is_dependent=layer.is_frame
            )
        builder.unit(sheets[layer.name], begin, end, annotation.features, annotation.where)
    # A sheet without a layer: the annotator has seen the document, whichever layer is read.
    builder.sheet(text=text, fields=metadata)
    note_left_out(builder, left_out, "annotations of one view")
    if text is None:
        builder.note(
            "no-text",
            "there is no text in this file, so positions cannot be checked",
            "Give it with [[documents]].",
        )
    return builder.record()


# -- layers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layer:
    name: str
    category: str | None
    is_frame: bool


def _layers(cas: _Cas) -> dict[str, _Layer]:
    """The layer of each type; it is named by the last part of the type's name if no other type has the same."""
    types = dict.fromkeys(annotation.type for annotation in cas.annotations)
    top = {name: _topmost_type(name, cas.supertypes) for name in types}
    last = {name: name.rpartition(".")[2] for name in set(top.values())}
    shared = Counter(last.values())
    features: dict[str, Counter[str]] = {}
    for annotation in cas.annotations:
        filled = (name for name, value in annotation.features.items() if value)
        features.setdefault(top[annotation.type], Counter()).update(filled)
    layers = {}
    for name, base in top.items():
        names = features[base]
        title = last[base] if shared[last[base]] == 1 else base
        is_frame = last[base] in _FRAME or bool(_RELATION & names.keys()) or base == "uima.tcas.DocumentAnnotation"
        layers[name] = _Layer(title, category_of([name for name, _ in names.most_common()]), is_frame)
    return layers


def _topmost_type(name: str, supertypes: Mapping[str, str]) -> str:
    seen = {name}
    while (above := supertypes.get(name)) is not None and above not in seen:
        if above.startswith(("uima.tcas.", "uima.cas.")):
            return name
        name = above
        seen.add(name)
    # DKPro's parts of speech without a type system: pos.NOUN and pos.POS_NOUN are subtypes of pos.POS.
    package, _, _last = name.rpartition(".")
    return f"{package}.POS" if package.endswith("lexmorph.type.pos") else name


def category_of(names: Sequence[str]) -> str | None:
    """The feature of a layer that is the category: one with a known name, or else the first."""
    known = (name for name in _CATEGORIES if name in names)
    return next(known, names[0] if names else None)


def _metadata(cas: _Cas) -> dict[str, str]:
    """Title and identifier of the document; INCEpTION puts the annotator's name into the identifier."""
    for annotation in cas.annotations:
        if annotation.type.endswith("DocumentMetaData"):
            pairs = (("title", "documentTitle"), ("id", "documentId"))
            return {key: value for key, name in pairs if (value := annotation.features.get(name))}
    return {}


def _positions(text: str | None, annotations: Sequence[_Annotation]) -> tuple[list[Any], list[Any]]:
    """Starts and ends in characters; values that are no numbers stay unchanged, and the record reports them."""
    columns: list[list[Any]] = []
    for raw in ([a.begin for a in annotations], [a.end for a in annotations]):
        whole = [isinstance(v, int) and abs(v) < 2**62 for v in raw]
        if text is None or not raw:
            columns.append(raw)
            continue
        numbers = np.array([v if ok else 0 for v, ok in zip(raw, whole, strict=True)], dtype=np.int64)
        points = code_points(text, numbers).tolist()
        columns.append([p if ok else v for p, v, ok in zip(points, raw, whole, strict=True)])
    return columns[0], columns[1]


# -- XMI -------------------------------------------------------------------------------------------------------------


def _from_xmi(data: bytes, file: File) -> _Cas:
    root = xmltree.parse_document(data, file.where, _XMI, "XMI")
    cas = _Cas(supertypes=_typesystem(file))
    indexed: set[str] = set()
    elements: list[tuple[str, Element]] = []
    types: dict[str, str] = {}
    for element in root.iterchildren("*"):
        tag = element.tag
        name = types.get(tag)
        if name is None:
            name = types[tag] = _type(tag)
        if name == "uima.cas.Sofa":
            sofa = element.get(_XMI_ID, "")
            cas.texts[sofa] = element.get("sofaString")
            cas.names[sofa] = element.get("sofaID", "")
        elif name == "uima.cas.View":
            indexed.update(element.get("members", "").split())
        elif name != "uima.cas.NULL" and element.get("sofa") is not None and element.get("begin") is not None:
            elements.append((name, element))
    for name, element in elements:
        if indexed and element.get(_XMI_ID) not in indexed:
            continue
        features: dict[str, str | None] = {
            key: value for key, value in element.attrib.items() if key[0] != "{" and key not in _BARE
        }
        several: dict[str, list[str]] = {}
        for child in element.iterchildren("*"):
            if child.text:
                several.setdefault(xmltree.local(child), []).append(child.text)
        for key, values in several.items():
            features[key] = "|".join(filter(None, (features.get(key), *values)))
        cas.annotations.append(
            _Annotation(
                name,
                element.get("sofa"),
                _number(element.get("begin")),
                _number(element.get("end")),
                features,
                xmltree.line(element, file.where),
            )
        )
    return cas


def _type(tag: str) -> str:
    """`{http:///de/example/type.ecore}Name` is the type de.example.type.Name."""
    space, _, name = tag.rpartition("}")
    package = space.removeprefix("{").removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


def _number(value: str | None) -> Any:
    if value is None or not value.isascii():
        return value
    return int(value) if (value.isdigit() and len(value) < 19) or is_whole_number(value) else value


def _typesystem(file: File) -> dict[str, str]:
    """Types and their supertypes from a type system beside the file; empty if there is none."""
    for name in ("TypeSystem.xml", "typesystem.xml", f"{file.stem}-typesystem.xml", f"{file.stem}_typesystem.xml"):
        if (other := file.beside(name)) is not None:
            root = xmltree.parse_xml(other.data(), other.where, "a UIMA type system")
            return dict(_supertypes(root))
    return {}


def _supertypes(root: Element) -> Iterator[tuple[str, str]]:
    for item in root.iter("{*}typeDescription"):
        name, above = item.find("{*}name"), item.find("{*}supertypeName")
        if name is not None and above is not None:
            yield xmltree.text(name).strip(), xmltree.text(above).strip()


# -- JSON ------------------------------------------------------------------------------------------------------------


def _from_json(text: str, where: str) -> _Cas:
    value = jsontree.parse_json(text, where, _JSON)
    if not isinstance(value, dict):
        raise jsontree.malformed(where, _JSON, "it is not an object")
    cas = _Cas()
    for name, description in (get(value, "%TYPES", dict) or {}).items():
        if above := get(description, "%SUPER_TYPE", str):
            cas.supertypes[name] = above
    structures = value.get("%FEATURE_STRUCTURES") or []
    if isinstance(structures, dict):
        structures = [{"%ID": key, **item} for key, item in structures.items() if isinstance(item, dict)]
    if not isinstance(structures, list):
        raise jsontree.malformed(where, _JSON, "the feature structures are not a list")
    views = get(value, "%VIEWS", dict) or {}
    indexed = {word(m) for view in views.values() for m in get(view, "%MEMBERS", list) or []}
    for number, item in enumerate(structures, start=1):
        if not isinstance(item, dict):
            raise jsontree.malformed(where, _JSON, "a feature structure is not an object")
        name, key = word(item.get("%TYPE")) or "", word(item.get("%ID")) or ""
        if name == "uima.cas.Sofa":
            cas.texts[key] = get(item, "sofaString", str)
            cas.names[key] = get(item, "sofaID", str) or ""
        elif "begin" in item and "@sofa" in item and (not indexed or key in indexed):
            features = {
                feature: jsontree.words(value) for feature, value in item.items()
                if feature[:1] not in ("%", "@", "#", "^") and feature not in _BARE
            }  # fmt: skip
            cas.annotations.append(
                _Annotation(
                    name,
                    word(item["@sofa"]) or "",
                    item["begin"],
                    item.get("end"),
                    features,
                    f"{where} structure {key or number}",
                )
            )
    return cas
