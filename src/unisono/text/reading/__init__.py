# SPDX-License-Identifier: MIT
"""Versions of a text from files: one per annotator (CorA-XML, CoNLL-U, token columns, JSON), one JSON file, or units.

Units are those of any format that `unisono.read` knows and that has texts: a folder of brat files, an export.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal, get_args

from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem
from unisono.io.cora import available_texts
from unisono.io.formats import FORMATS as READABLE
from unisono.io.layout import LayoutOptions
from unisono.io.source import SIZE_LIMIT, Source, decode, load
from unisono.text.reading.cora import cora_version
from unisono.text.reading.documents import json_versions
from unisono.text.reading.tokens import column_version, conllu_version
from unisono.text.reading.units import unit_versions
from unisono.text.versions import TextVersions, Version

Format = Literal["cora", "conllu", "tsv", "json", "units"]
FORMATS: tuple[str, ...] = get_args(Format)
_ENDINGS: Mapping[str, Format] = {
    ".xml": "cora",
    ".conllu": "conllu",
    ".conll": "conllu",
    ".conllx": "conllu",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
}
#: The layer of CorA-XML that is read unless another is asked for.
_LAYER = "mod"
AnyPath = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How files are read.

    format: by the file's ending if not given; `units` for whatever else `unisono.read` reads: so are folders, archives
    and files with the endings of such formats read. features: which to keep; all if not given, of units the category.
    sentences: whether sentences (CoNLL-U: blank lines) are units of a type of their own. columns: names of the columns
    of a TSV file without a header. layer, text_from, split_symbol, merge_symbol: for CorA-XML, see `cora_version`.
    document, layout, layer: for units, which document, where names stand (the arguments of `Layout`), which layer.
    """

    format: Format | None = None
    features: Sequence[str] | None = None
    sentences: bool = False
    columns: Sequence[str] | None = None
    document: str | None = None
    layout: LayoutOptions = field(default_factory=lambda: LayoutOptions())
    layer: str | None = None
    text_from: str | None = None
    split_symbol: str = "|"
    merge_symbol: str = "#"
    encoding: str | None = None
    size_limit: int = SIZE_LIMIT

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in FORMATS:
            raise ParameterError.of(
                f"a format among {', '.join(FORMATS)}", repr(self.format), code="unknown-text-format"
            )


def read_versions(
    paths: AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath],
    *,
    base: AnyPath | None = None,
    name: str = "",
    options: ReadingOptions | None = None,
) -> TextVersions:
    """The versions of one text: a file per annotator, or one JSON file with all of them.

    paths: `{annotator: file}`, or files whose names are the annotators' (their folders' where the names are alike).
    base: the file with the pre-annotation. Problems of all files are listed at once.
    """
    how = options or ReadingOptions()
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    if not paths:
        raise CorpusError.of("at least one file", "none", code="no-documents")
    if not isinstance(paths, Mapping) and _has_units(how, paths):
        if base is not None:
            raise ParameterError.of("no base beside files of units", str(base), "measure without it", code="parameter")
        layout: LayoutOptions = {**how.layout, **({"layer": how.layer} if how.layer else {})}
        found_units = unit_versions(
            paths,
            document=how.document,
            features=how.features,
            encoding=how.encoding,
            size_limit=how.size_limit,
            layout=layout,
        )
        return replace(found_units, name=name or found_units.name)
    files = dict(paths) if isinstance(paths, Mapping) else _named(list(paths))
    how = _one_text(how, [*files.values(), *([] if base is None else [base])])
    problems: list[Problem] = []
    found: dict[str, Version | TextVersions] = {}
    given: Version | None = None
    for annotator, path in files.items():
        try:
            found[annotator] = _read(path, how)
        except InputError as error:
            problems += error.problems
    if base is not None:
        try:
            only = _read(base, how)
            if isinstance(only, TextVersions):
                raise FormatError.of(
                    "one version as the base",
                    f"versions of {only.n_annotators} annotators",
                    where=str(base),
                    code="text-json",
                )
            given = only
        except InputError as error:
            problems += error.problems
    if problems:
        raise FormatError(problems)
    whole = [item for item in found.values() if isinstance(item, TextVersions)]
    if whole:
        if len(found) > 1:
            raise FormatError.of(
                "files with one version each, or one file with all versions",
                f"{len(found)} files, at least one of which has all versions",
                code="text-json",
            )
        return TextVersions(whole[0].annotators, whole[0].versions, given or whole[0].base, name or whole[0].name)
    versions = {annotator: item for annotator, item in found.items() if isinstance(item, Version)}
    return TextVersions.of(versions, base=given, name=name)


def _has_units(how: ReadingOptions, paths: Sequence[AnyPath]) -> bool:
    """Whether files are for the readers of units: as asked, or because a folder or another ending says so."""
    if how.format is not None:
        return how.format == "units"
    endings = {PurePath(os.fspath(path).removesuffix(".gz")).suffix.lower() for path in paths} - _ENDINGS.keys()
    known = {".zip", *(suffix for format in READABLE.values() for suffix in format.suffixes)}
    return any(Path(path).is_dir() for path in paths) or bool(endings & known)


def _one_text(how: ReadingOptions, paths: Sequence[AnyPath]) -> ReadingOptions:
    """CorA-XML has several texts: the same one is read from all files, the first that all of them have throughout."""
    if how.text_from is not None or how.format not in (None, "cora"):
        return how
    common: list[str] | None = None
    for path in paths:
        if how.format is None and not os.fspath(path).removesuffix(".gz").endswith(".xml"):
            continue
        try:
            found = available_texts(path, layer=how.layer or _LAYER, size_limit=how.size_limit)
        except InputError:
            continue  # it will be said when the file is read
        common = [name for name in (found if common is None else common) if name in found]
    return replace(how, text_from=common[0]) if common else how


def _read(path: AnyPath, how: ReadingOptions) -> Version | TextVersions:
    source = load(path, size_limit=how.size_limit)
    kind = how.format or _ENDINGS.get(source.suffix)
    if not source.data.strip():
        raise FormatError.of("a version of the text", "an empty file", where=source.where, code="empty-file")
    if kind is None:
        kind = _guessed(source)
    if kind == "cora":
        return cora_version(
            path,
            layer=how.layer or _LAYER,
            text_from=how.text_from,
            features=how.features,
            split_symbol=how.split_symbol,
            merge_symbol=how.merge_symbol,
            size_limit=how.size_limit,
        )
    text = decode(source, how.encoding)
    if kind == "json":
        return json_versions(text, source.where, features=how.features)
    if kind == "conllu":
        return conllu_version(text, source.where, features=how.features, sentences=how.sentences)
    return column_version(text, source.where, features=how.features, columns=how.columns)


def _guessed(source: Source) -> Format:
    """What a file without a telling name looks like."""
    start = source.data.lstrip()[:1]
    if start == b"<":
        return "cora"
    if start == b"{":
        return "json"
    raise FormatError.of(
        f"a file whose name tells its format ({', '.join(_ENDINGS)})",
        repr(source.suffix or source.where),
        f"name the format: {', '.join(FORMATS)}",
        where=source.where,
        code="unknown-text-format",
    )


def _named(paths: Sequence[AnyPath]) -> dict[str, AnyPath]:
    """Files by annotator: their names without endings, or those of their folders where all the names are alike."""
    places = [Path(os.fspath(path)) for path in paths]
    names = [place.name.split(".")[0] or place.name for place in places]
    if len(set(names)) == 1 and len(names) > 1:
        names = [place.parent.name for place in places]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise CorpusError.of(
            "annotators whose names differ: the names of the files, or of their folders",
            ", ".join(map(repr, twice)) + " more than once",
            "rename a file",
            code="repeated-annotator",
        )
    return dict(zip(names, paths, strict=True))
