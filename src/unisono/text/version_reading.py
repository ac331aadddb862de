# SPDX-License-Identifier: MIT
"""The versions of one text from files, as `unisono.read` reads them: one file per annotator, or files of units."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Literal, cast, get_args

from unisono.errors import CorpusError, FormatError, ParameterError
from unisono.io.files.opening import SIZE_LIMIT
from unisono.io.formats import FORMATS as READABLE
from unisono.io.layout.rules import LayoutOptions
from unisono.io.read import read
from unisono.io.version_files import DOCUMENT, FORMAT_OF_ENDING, are_version_files
from unisono.io.wording import listing
from unisono.model import CATEGORY, Continuum, Corpus
from unisono.model.versions import OwnTexts, TextVersions, make_versions

Format = Literal["cora", "conllu", "tsv", "json", "units"]
FORMATS: tuple[str, ...] = get_args(Format)
#: What `unisono.read` calls these formats.
NAMES = {"tsv": "tokens", "json": "text-versions", "units": None}
AnyPath = str | os.PathLike[str]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How files are read.

    format: by the file's ending if not given; `units` for anything else that `unisono.read` reads, as are folders,
    archives and files with other endings by default. features: which to keep; all if not given, of units the category.
    sentences: whether sentences are units of a type of their own. columns: names of the columns of a TSV file without
    a header. layer, text_from, split_symbol, merge_symbol: for CorA-XML. document, layout, layer: for units, which
    document, where names are (the arguments of `Layout`), which layer.
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
                f"{self.format!r} is not a format of text versions",
                f"Choose one of {', '.join(FORMATS)}.",
                code="unknown-text-format",
            )


def read_versions(
    paths: AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath],
    *,
    base: AnyPath | None = None,
    name: str = "",
    options: ReadingOptions | None = None,
) -> TextVersions:
    """The versions of one text: a file per annotator, or one JSON file with all of them, or files of units.

    paths: `{annotator: file}`, or files whose names are the annotators' (their folders' where the names are alike).
    base: the file with the pre-annotation. Problems of all files are listed at once.
    """
    how = options or ReadingOptions()
    continuum = read_document(paths, base=base, options=how)
    versions = versions_with_features(continuum, how.features)
    return replace(versions, name=name or versions.name)


def read_document(
    paths: AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath], *, base: AnyPath | None, options: ReadingOptions
) -> Continuum:
    """The continuum of the only document in files, or of the one that the options name; its annotators have texts."""
    corpus = read_texts(paths, base=base, options=options)
    names = [continuum.name for continuum in corpus]
    if options.document is None and len(names) > 1:
        raise CorpusError.of(
            f"there are {len(names)} documents ({listing(names, 8)}), and text-γ compares the versions of one text",
            f"Choose one with [[document]], for example {_example_document(corpus)}.",
            code="which-document",
        )
    if options.document is not None and options.document not in names:
        raise CorpusError.of(
            f"there is no document named {options.document!r}",
            f"The documents are {listing(names, 8)}.",
            code="which-document",
        )
    return corpus[options.document or 0]


def read_texts(
    paths: AnyPath | Sequence[AnyPath] | Mapping[str, AnyPath], *, base: AnyPath | None, options: ReadingOptions
) -> Corpus:
    """The corpus in files: one file per annotator unless they are files of units."""
    inputs = [paths] if isinstance(paths, str | os.PathLike | Mapping) else list(paths)
    if not inputs or paths == {}:
        raise CorpusError.of("no files are given", "Give one file for each annotator.", code="no-documents")
    name = None if options.format is None else NAMES.get(options.format, options.format)
    is_units = options.format == "units" or (options.format is None and _are_units(inputs))
    layout = {**options.layout, **({"layer": options.layer} if options.layer else {})}
    return read(
        inputs,
        versions=not is_units,
        base=base,
        format=name,
        encoding=options.encoding,
        size_limit=options.size_limit,
        text_from=options.text_from,
        split_symbol=options.split_symbol,
        merge_symbol=options.merge_symbol,
        sentences=options.sentences,
        token_columns=options.columns,
        **cast(LayoutOptions, {key: value for key, value in layout.items() if value is not None}),
    )


def _are_units(inputs: Sequence[Any]) -> bool:
    """Whether files are read as units: folders, archives, and files with the endings of formats of units."""
    if are_version_files(inputs, None):
        return False
    paths = [item for item in inputs if isinstance(item, str | os.PathLike)]
    endings = {PurePath(os.fspath(path).removesuffix(".gz")).suffix.lower() for path in paths}
    known = {".zip", *(suffix for format in READABLE.values() for suffix in format.suffixes)} - set(FORMAT_OF_ENDING)
    return any(Path(path).is_dir() for path in paths) or bool(endings & known)


def versions_with_features(continuum: Continuum, features: Sequence[str] | None) -> TextVersions:
    """The versions of a document with these features, or with those that are compared by default."""
    own = continuum.own_texts
    if own is None:
        if continuum.text is None:
            raise FormatError.of(
                f"there is no text of {continuum.name} for the units of {continuum.annotators[0]}, and text-γ "
                "compares texts",
                "Give files with their texts.",
                where=continuum.name,
                code="no-text",
            )
        own = OwnTexts((continuum.text,) * continuum.n_annotators, features=(CATEGORY,))
    versions = make_versions(continuum, own, features)
    return replace(versions, name="" if versions.name == DOCUMENT else versions.name)


def _example_document(corpus: Corpus) -> str:
    """The document to name as an example: the one with the most different texts."""
    return max(corpus, key=lambda c: 1 if c.own_texts is None else len(set(c.own_texts.texts))).name
