# SPDX-License-Identifier: MIT
"""Files kept under other names than their own. Oracle: the same files in a folder where they have those names."""

from __future__ import annotations

from pathlib import Path

import pytest

import unisono
from unisono.data_summary import fingerprint
from unisono.io import NamedFiles

FILES = {
    "ann/letter.ann": "T1\tPerson 0 4\tAnna\n",
    "ann/letter.txt": "Anna sings",
    "bob/letter.ann": "T1\tPerson 0 4\tAnna\nT2\tAct 5 10\tsings\n",
    "bob/letter.txt": "Anna sings",
    ".hidden/letter.ann": "broken",
}


def kept(folder: Path, files: dict[str, str]) -> NamedFiles:
    paths = {}
    for number, (name, text) in enumerate(files.items()):
        paths[name] = folder / str(number)
        paths[name].write_text(text, encoding="utf-8")
    return NamedFiles(paths)


def test_as_in_a_folder(tmp_path: Path) -> None:
    """Texts are found beside their annotations, folders name the annotators, what is hidden stays so."""
    root = tmp_path / "root"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    named = unisono.inspect(kept(tmp_path, FILES))
    plain = unisono.inspect(root)
    assert named.corpus is not None
    assert plain.corpus is not None
    assert named.understood == plain.understood
    assert named.contents == plain.contents
    assert fingerprint(named.corpus) == fingerprint(plain.corpus)


def test_one_file_stands_for_itself(tmp_path: Path) -> None:
    corpus = unisono.read(kept(tmp_path, {"units.data": "annotator,start,end\nann,0,5\nbob,0,6\n"}))
    assert [continuum.name for continuum in corpus] == ["units"]
    with pytest.raises(unisono.InputError, match=r"^bad\.csv:2: "):
        unisono.read(kept(tmp_path, {"bad.csv": "annotator,start,end\nann,x,5\n"}))


def test_names_open_nothing(tmp_path: Path) -> None:
    """A name that looks like a path elsewhere is only a name; a text beside it is looked for among the names."""
    (tmp_path / "letter.txt").write_text("Anna sings", encoding="utf-8")
    files = {"../letter.ann": FILES["ann/letter.ann"], "x.ann": FILES["ann/letter.ann"]}
    inspection = unisono.inspect(kept(tmp_path, files))
    assert inspection.corpus is None or all(continuum.text is None for continuum in inspection.corpus)
