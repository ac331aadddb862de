# SPDX-License-Identifier: MIT
"""spaCy's DocBin. Oracle: our fixture by hand, and spaCy itself reading the same files."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

from marks import covered, marks, seen
from mutations import mutated
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "docbin"
TEXTS = ("Anna 😀 went from New York to Rome.", "Nobody came.")
#: Annotator, number of the text, first token, the one after the last, label.
ENTITIES = (
    ("ann", 0, 0, 1, "PERSON"),
    ("ann", 0, 4, 6, "GPE"),
    ("bob", 0, 0, 2, "PERSON"),
    ("bob", 1, 0, 1, "Nobody's"),
)

spacy = pytest.importorskip("spacy")


def docbin(folder: Path, *, has_groups: bool = False) -> None:
    """The fixture: entities, and where asked for, of ann, a group of spans that overlap."""
    from spacy.tokens import DocBin, Span

    nlp = spacy.blank("en")
    for who in ("ann", "bob"):
        docs = [nlp(text) for text in TEXTS]
        for number, doc in enumerate(docs):
            doc.ents = [Span(doc, i, j, label) for name, n, i, j, label in ENTITIES if (name, n) == (who, number)]
        if has_groups and who == "ann":
            docs[0].spans["trips"] = [Span(docs[0], 2, 8, "Trip"), Span(docs[0], 4, 6, "Stop")]
        (folder / who).mkdir(parents=True, exist_ok=True)
        DocBin(docs=docs).to_disk(folder / who / "letters.spacy")


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "2 files, spaCy DocBin; 2 annotators (ann, bob) from folder names; 2 documents from their order; layer ents; "
        "4 units; category from feature label; integer positions"
    )
    assert found.corpus is not None
    assert covered(found.corpus) == [
        ("1", "ann", "Anna", "PERSON"),
        ("1", "ann", "New York", "GPE"),
        ("1", "bob", "Anna 😀", "PERSON"),
        ("2", "bob", "Nobody", "Nobody's"),
    ]
    assert seen(found.corpus) == {"1": ("ann", "bob"), "2": ("ann", "bob")}


def test_groups_are_layers(tmp_path: Path) -> None:
    docbin(tmp_path, has_groups=True)
    assert inspect(tmp_path).problems[0].code == "which-layer"
    trips = read(tmp_path, layer="trips")
    assert covered(trips) == [("1", "ann", "went from New York to Rome", "Trip"), ("1", "ann", "New York", "Stop")]
    assert seen(trips)["1"] == ("ann", "bob")


@pytest.mark.parametrize("is_written_now", [False, True])
def test_against_spacy(tmp_path: Path, is_written_now: bool) -> None:
    """The kept fixture, and one that the spaCy at hand writes."""
    from spacy.tokens import DocBin

    folder = FIXTURE
    if is_written_now:
        docbin(tmp_path, has_groups=True)
        folder = tmp_path
    vocab = spacy.blank("en").vocab
    for layer in ("ents", "trips") if is_written_now else ("ents",):
        expected = [
            (str(number), path.parent.name, span.start_char, span.end_char, span.label_)
            for path in sorted(folder.rglob("*.spacy"))
            for number, doc in enumerate(DocBin().from_disk(path).get_docs(vocab), start=1)
            for span in (doc.ents if layer == "ents" else doc.spans.get("trips", ()))
        ]
        corpus = read(folder, layer=layer)
        assert sorted(marks(corpus)) == sorted(expected)
        assert [continuum.text for continuum in corpus] == [*TEXTS]


def test_unknown_spaces(tmp_path: Path) -> None:
    from spacy.tokens import Doc, DocBin, Span

    for who in ("ann", "bob"):
        doc = Doc(spacy.blank("en").vocab, words=["a", "b", "c"])
        doc.ents = [Span(doc, 1, 3, "X")]
        (tmp_path / who).mkdir()
        DocBin(docs=[doc]).to_disk(tmp_path / who / "d.spacy")
    corpus = read(tmp_path)
    assert corpus["1"].text == doc.text == "a b c "
    assert covered(corpus) == [("1", "ann", "b c", "X"), ("1", "bob", "b c", "X")]


def packed(value: Any) -> bytes:
    from srsly import msgpack

    return bytes(msgpack.dumps(value, use_bin_type=True))


def message(**changed: Any) -> bytes:
    from srsly import msgpack

    data = (FIXTURE / "ann" / "letters.spacy").read_bytes()
    return zlib.compress(packed(msgpack.loads(zlib.decompress(data), raw=False) | changed))


def test_refused(tmp_path: Path) -> None:
    whole = (FIXTURE / "ann" / "letters.spacy").read_bytes()
    bad_span = packed({"name": "g", "attrs": {}, "spans": [b"x"]})
    wild = packed({"name": "g", "attrs": {}, "spans": [b"\0" * 24 + b"\0\0\0\1\0\xff\0\0" + b"\0" * 8]})
    for content, code, words in (
        (b"hello", "malformed", "it is not compressed by zlib"),
        (whole[:-20], "malformed", "it is truncated"),
        (zlib.compress(b"\xc1"), "malformed", "it is not msgpack"),
        (zlib.compress(b"\x01"), "malformed", "its columns cannot be read (TypeError)"),
        (message(lengths=b"\1\0\0\0"), "malformed", "the number of its tokens differs from that of its documents"),
        (message(strings=["Anna"]), "malformed", "a token or label has no string"),
        (message(attrs=[1]), "malformed", "its columns cannot be read (ValueError)"),
        (message(span_groups=[packed([bad_span])]), "malformed", "its span groups cannot be read (error)"),
        (
            message(span_groups=[packed([wild])]),
            "missing-position",
            "the span goes from token 1 to 16711680, the document has 9",
        ),
    ):
        path = tmp_path / "a.spacy"
        path.write_bytes(content)
        problem = inspect(path, format="docbin", layer="*").problems[0]
        assert problem.code == code
        assert words in str(problem)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.spacy").write_bytes(zlib.compress(b"\0" * 10_000_000))
    assert inspect(tmp_path / "a.spacy", size_limit=1_000_000).problems[0].code == "size-limit"


def test_broken_inside(tmp_path: Path) -> None:
    """What zlib would find first: broken before packing, entities and groups."""
    docbin(tmp_path, has_groups=True)
    path = tmp_path / "ann" / "letters.spacy"
    whole = zlib.decompress(path.read_bytes())
    for seed in range(300):
        path.write_bytes(zlib.compress(mutated(whole, seed)))
        found = inspect(tmp_path, layer="*", skip_invalid=seed % 2 == 0)
        assert (found.corpus is None) == any(problem.severity == "error" for problem in found.problems)
