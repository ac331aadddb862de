# SPDX-License-Identifier: MIT
"""Files that break the rules of their format: the first problem's code and, where it is a reader's, its sentence.

Oracle: written by hand. Problems that every reader leaves to the record (bounds, extent) are named by their codes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from unisono.io import inspect

FIXTURES = Path(__file__).parent / "fixtures"

#: Formats whose edits are made everywhere in the file, as an element has two tags; in others only the first is.
EVERYWHERE = {"cora", "cvat", "elan", "glozz"}

#: A file of a fixture, what is replaced in it, by what, and the problem.
EDITS = [
    ("boris", "zoo.boris", '"observations"', '"visits"', "malformed", "it has no observations or no behaviours"),
    ("boris", "zoo.boris", "[1.5,", '["soon",', "not-a-number", ""),
    ("boris", "zoo.boris", "[4.25,", "[0.25,", "end-before-start", ""),
    ("boris", "zoo.boris", "[2.0, ", "[70.0, ", "outside-extent", ""),
    ("boris", "zoo.boris", '[2.0, "", "call", "loud", ""]', '"call"', "malformed", "the event 'call' is not a list"),
    ("boris", "zoo.boris", '[4.25, "kim"', '[4.25, "kit"', "missing-position", "never stops"),
    ("catma", "project/collections/C_1/annotations/ann_0.json", '"target"', '"aim"', "malformed", "has no body or no"),
    ("catma", "project/collections/C_1/annotations/ann_0.json", '"start": 0', '"start": "x"', "missing-position",
     "[('x', 4)] has a bound that is not a whole number"),
    ("catma", "project/collections/C_1/annotations/ann_0.json", '"end": 4', '"end": 4000', "outside-extent", ""),
    ("chat", "ann/kitchen.cha", "@Begin", "@Start", "malformed", "it does not begin with a line @Begin"),
    ("chat", "ann/kitchen.cha", "*CHI:", "CHI:", "malformed", "does not begin with *, % or @"),
    ("chat", "ann/kitchen.cha", "100_900", "900_100", "end-before-start", ""),
    ("chat", "ann/kitchen.cha", "100_900", "100_" + "9" * 20, "not-a-number", ""),
    ("cora", "ann/tale.xml", "text", "body", "malformed", "its root element <body> is not a <text> with <token>"),
    ("cora", "ann/tale.xml", "token", "word", "malformed", "its root element <text> is not a <text> with <token>"),
    ("cora", "ann/tale.xml", 'trans="gan" utf="gan"', "", "malformed", "<mod id='t2_m1'> has no trans"),
    ("cvat", "apes.xml", "annotations>", "notes>", "malformed", "its root element is <notes>, not <annotations>"),
    ("cvat", "apes.xml", 'task_id="1"', 'task_id="7"', "malformed", "belongs to task 7, which is not in the file"),
    ("cvat", "apes.xml", 'frame="4"', 'frame="four"', "missing-position", "a shape of the track has no frame"),
    ("cvat", "apes.xml", 'frame="28"', 'frame="280"', "outside-extent", ""),
    ("cvat", "apes.xml", "?>\n", '?>\n<!DOCTYPE annotations [<!ENTITY a "b">]>\n', "xml-entities", "declares entities"),
    ("elan", "talk.eaf", "ANNOTATION_DOCUMENT", "OTHER", "malformed", "its root element is <OTHER>"),
    ("elan", "talk.eaf", 'TIME_VALUE="100"', 'TIME_VALUE="soon"', "not-a-number", ""),
    ("elan", "talk.eaf", 'TIME_VALUE="100"', 'TIME_VALUE="950"', "end-before-start", ""),
    ("elan", "talk.eaf", 'TIME_SLOT_REF1="ts7"', 'TIME_SLOT_REF1="ts77"', "missing-position", "has no times"),
    ("elan", "talk.eaf", "?>\n", '?>\n<!DOCTYPE x [<!ENTITY a "b">]>\n', "xml-entities", ""),
    ("glozz", "ann/letter.aa", "annotations", "notes", "malformed", "its root element is <notes>, not <annotations>"),
    ("glozz", "ann/letter.aa", 'index="4"', 'index="4.5"', "missing-position", "the unit has no index for its end"),
    ("glozz", "ann/letter.aa", 'index="0"', 'index="9"', "end-before-start", ""),
    ("glozz", "ann/letter.aa", 'index="26"', 'index="99"', "outside-extent", ""),
    ("glozz", "ann/letter.aa", "</unit>", "", "malformed", "it is not well-formed XML"),
    ("jams", "song.jams", '"annotations":', '"notes":', "malformed", "it has no list of annotations"),
    ("jams", "song.jams", '"namespace": "segment_open"', '"x": "y"', "malformed", "the annotation has no namespace"),
    ("jams", "song.jams", '"time": 0.0', '"time": "soon"', "not-a-number", ""),
    ("jams", "song.jams", '"time": 0.0', '"time": null', "not-a-number", ""),
    ("jams", "song.jams", '"duration": 4.1', '"duration": -4.1', "end-before-start", ""),
    ("jams", "song.jams", '"duration": 4.1', '"duration": [4.1]', "not-a-number", ""),
    ("jams", "song.jams", '{"email": "bob@example.org"}', '{"name": "ann"}', "same-annotator", ""),
    ("jams", "song.jams", '"sandbox"', '"annotations"', "malformed", "the key 'annotations' is there twice"),
    ("raven", "ann/dawn.selections.txt", "Begin Time (s)", "Begin", "malformed", "there is no Begin Time (s)"),
    ("raven", "ann/dawn.selections.txt", "Sex", "Species", "malformed", "two columns are named 'Species'"),
    ("raven", "ann/dawn.selections.txt", "3.0", "", "missing-position", "has no Begin Time (s)"),
    ("raven", "ann/dawn.selections.txt", "3.0", "soon", "not-a-number", ""),
    ("raven", "ann/dawn.selections.txt", "3.0", "5.0", "end-before-start", ""),
    ("raven", "ann/dawn.selections.txt", "thrush\t", "thrush\tf\tmore", "ragged-row", "the line has "),
    ("textgrid", "talk.TextGrid", '"TextGrid"', '"PitchTier"', "malformed", "'PitchTier' where 'TextGrid' should be"),
    ("textgrid", "talk.TextGrid", "<exists>", "<absent>", "malformed", "it has no tiers"),
    ("textgrid", "talk.TextGrid", "size = 4", "size = four", "malformed", "where the number of tiers should be"),
    ("textgrid", "talk.TextGrid", "size = 4", "size = 4.5", "malformed", "'4.5' cannot be the number of tiers"),
    ("textgrid", "talk.TextGrid", "size = 4", "size = 5", "malformed", "the file ends where the class of a tier"),
    ("textgrid", "talk.TextGrid", '"IntervalTier"', '"OtherTier"', "malformed", "the class of a tier is 'OtherTier'"),
    ("textgrid", "talk.TextGrid", "xmax = 0.5", "xmax = later", "malformed", "where a time should be"),
    ("textgrid", "talk.TextGrid", "xmax = 1.25", "xmax = 1.25s", "not-a-number", ""),
    ("textgrid", "talk.TextGrid", "xmax = 1.25", "xmax = 0.25", "end-before-start", ""),
    ("textgrid", "talk.TextGrid", "xmax = 4.5", "xmax = 4", "outside-extent", ""),
    ("uima-xmi", "letter.txt/ann.xmi", 'begin="0" end="4" value', 'begin="5" end="4" value', "end-before-start", ""),
    ("uima-xmi", "letter.txt/ann.xmi", 'begin="0" end="4" value', 'begin="x" end="4" value', "not-a-number", ""),
    ("uima-xmi", "letter.txt/ann.xmi", 'begin="0" end="4" value', 'begin="0" end="400" value', "outside-extent", ""),
    ("uima-xmi", "letter.txt/ann.xmi", "</xmi:XMI>", "", "malformed", "it is not well-formed XML"),
    ("uima-xmi", "letter.txt/ann.xmi", "?>\n", '?>\n<!DOCTYPE x [<!ENTITY a "b">]>\n', "xml-entities", ""),
    ("via", "ann/p.json", '"view"', '"views"', "malformed", "it has no metadata or no views"),
    ("via", "ann/p.json", '"vid": "1"', '"vid": "7"', "malformed", "the entry belongs to no view of the project"),
    ("via", "ann/p.json", "[0.5, 1.25]", "[0.5, 1.25, 2]", "malformed", "the segment has 3 times instead of two"),
    ("via", "ann/p.json", "[0.5, 1.25]", '["soon", 1.25]', "not-a-number", ""),
    ("via", "ann/p.json", "[0.5, 1.25]", "[1.5, 1.25]", "end-before-start", ""),
]  # fmt: skip


@pytest.mark.parametrize(("format", "file", "old", "new", "code", "message"), EDITS)
def test_a_fixture_with_one_fault(
    tmp_path: Path, format: str, file: str, old: str, new: str, code: str, message: str
) -> None:
    shutil.copytree(FIXTURES / format, tmp_path / format)
    path = tmp_path / format / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, -1 if format in EVERYWHERE else 1), encoding="utf-8")
    problem = inspect(path, format=format).problems[0]
    assert (problem.code, message in problem.message) == (code, True), problem


def _record(**members: Any) -> str:
    return json.dumps([{"id": 1, "fields": {"text": "abc"}, **members}])


def _factgenie(annotations: Any) -> str:
    names = {"dataset": "d", "split": "s", "setup_id": "m", "example_idx": 0, "annotator_group": 1}
    return json.dumps({"annotations": annotations, **names})


def _task(**members: Any) -> str:
    return json.dumps({"_task_hash": 1, "_annotator_id": "a", "text": "abc", **members})


def _web(target: Any) -> str:
    context = "http://www.w3.org/ns/anno.jsonld"
    return json.dumps({"@context": context, "creator": "a", "body": "X", "target": target})


NO_OBJECT = "there is 3 instead of an object"
NO_BOUNDS = "has no start and end"
CHILD = "segment_onset,segment_offset,speaker_type\n1,2,CHI\n3,4,CHI\n"
TAGGED = "is not a tag like the other cells"

#: The content of a file, and the problem.
CONTENTS = [
    ("argilla", "a.json", _record(responses={"s": 3}), "malformed", "the responses to s are not a list"),
    ("argilla", "a.json", _record(responses={"s": [3]}), "malformed", NO_OBJECT),
    ("argilla", "a.json", _record(responses=3), "malformed", "the responses are neither an object nor a list"),
    ("argilla", "a.json", _record(responses={}), "no-annotations", "there are no annotations in this file"),
    ("argilla", "a.json", _record(responses={"s": [{"user_id": "a", "value": [], "status": "discarded"}]}),
     "no-annotations", "there are no annotations in this file, only 1 discarded response"),
    ("argilla", "a.json", _record(responses={"s": [{"user_id": "a", "value": [{"start": 0, "end": 5}]}]}),
     "outside-extent", ""),
    ("argilla", "a.json", _record(responses={"s": [{"value": [{"start": 2, "end": 1}]}]}), "end-before-start", ""),
    ("audacity", "dawn.txt", "0.5 1.0 call\n", "malformed", "the line '0.5 1.0 call' has no tab"),
    ("audacity", "dawn.txt", "0.5\tsoon\tcall\n", "not-a-number", ""),
    ("audacity", "dawn.txt", "1.5\t1.0\tcall\n", "end-before-start", ""),
    ("childproject", "kitchen.csv", f"{CHILD}x,900,CHI\n", "not-a-number", ""),
    ("childproject", "kitchen.csv", f"{CHILD}900,100,CHI\n", "end-before-start", ""),
    ("childproject", "kitchen.csv", f"{CHILD}1,2,3,4\n", "ragged-row", ""),
    ("conll", "a.conll", "", "malformed", "it has no tokens"),
    ("conll", "a.conll", "Eva NNP\nleft VBD\n", "malformed", "none of its 2 columns has B-, I- tags"),
    ("conll", "a.conll", "Eva B-PER\nleft O\nRome\n", "malformed", "the line 'Rome' has 1 column instead of 2"),
    ("conll", "a.conll", "Eva per\nLong I-PER\nleft O\n", "malformed", f"'per' in column 2 {TAGGED}"),
    ("doccano", "a.jsonl", '{"text": "abc", "label": [[0, 9, "X"]]}', "outside-extent", ""),
    ("doccano", "a.jsonl", '{"text": "abc", "label": [[2, 1, "X"]]}', "end-before-start", ""),
    ("doccano", "a.jsonl", '{"text": "abc", "label": [["a", "b"]]}', "missing-position", f"['a', 'b'] {NO_BOUNDS}"),
    ("doccano", "a.jsonl", '{"text": "abc", "label": [[null, 1, "X"]]}', "not-a-number", ""),
    ("doccano", "a.jsonl", '{"text": "abc", "label": 3}', "malformed", "the labels are not a list"),
    ("doccano", "a.jsonl", '{"text": "abc", "label": ["good"]}', "no-annotations", "only 1 label of whole texts"),
    ("doccano", "a.jsonl", '{"text": "abc", "annotations": [{"label": 2, "user": 1}]}', "no-annotations",
     "only 1 label of whole texts"),
    ("doccano", "a.jsonl", '{"text": "abc"}', "no-annotations", "only 1 text without a list of labels"),
    ("doccano", "a.jsonl", "[3]", "malformed", NO_OBJECT),
    ("doccano", "a.jsonl", '{"text": "abc", "label": [', "malformed", "it is not valid JSON at character 27"),
    ("factgenie", "a.jsonl", _factgenie(3), "malformed", "the line has no list of annotations"),
    ("factgenie", "a.jsonl", _factgenie([3]), "malformed", NO_OBJECT),
    ("factgenie", "a.jsonl", _factgenie([{"text": "x"}]), "missing-position", "has no start that is a position"),
    ("factgenie", "a.jsonl", _factgenie([{"start": 1}]), "missing-position", "the annotation has no text"),
    ("hugging-face", "a.jsonl", '{"text": "abc", "spans": []}', "malformed", "no column has lists of units"),
    ("hugging-face", "a.jsonl", '{"text": "abc", "spans": [{"start": 0, "end": 7}]}', "outside-extent", ""),
    ("hugging-face", "a.jsonl", '{"text": "abc", "spans": [{"start": "x", "end": 1}]}', "not-a-number", ""),
    ("hugging-face", "a.jsonl", "[3]", "malformed", NO_OBJECT),
    ("label-studio", "a.json", '[{"annotations": [{"result": 3}], "data": {}}]', "malformed",
     "an annotation has no list of results"),
    ("label-studio", "a.json", '[{"annotations": 3, "result": 1, "data": {}}]', "malformed",
     "the annotations are not a list"),
    ("label-studio", "a.json", '[{"annotations": [{"result": []}], "data": {}, "data": {}}]', "malformed",
     "the key 'data' is there twice in one object"),
    ("label-studio", "a.json", '[{"annotations": [{"result": [NaN]}], "data": {}}]', "malformed",
     "NaN is not a value of JSON"),
    ("label-studio", "a.json", '[{"annotations": [{"result": []', "malformed", "it is not valid JSON"),
    ("potato", "user_state.json", '{"instance_id_to_span_to_value": {"r": 3}}', "malformed",
     "the spans are neither a list nor an object"),
    ("potato", "user_state.json", '{"instance_id_to_span_to_value": {"r": {"s": 3}}}', "malformed",
     "the spans of s are not a list"),
    ("potato", "user_state.json", '{"instance_id_to_span_to_value": {"r": [3]}}', "missing-position", f"3 {NO_BOUNDS}"),
    ("potato", "user_state.json", '{"instance_id_to_span_to_value": {}}', "no-annotations",
     "there are no annotations in this file"),
    ("potato", "user_state.json", '{"user_id": "a", "span_annotations": []}', "malformed",
     "the line has no instance_id"),
    ("prodigy", "a.jsonl", _task(spans=[{"start": 0}]), "missing-position", f"{{'start': 0}} {NO_BOUNDS}"),
    ("prodigy", "a.jsonl", _task(spans=[{"start": 0, "end": 4}]), "outside-extent", ""),
    ("prodigy", "a.jsonl", _task(spans="x"), "malformed", "the spans are not a list"),
    ("prodigy", "a.jsonl", _task(answer="ignore"), "no-annotations", "only 1 task with the answer ignore"),
    ("rttm", "a.rttm", "SPEAKER show 1 0 4\n", "malformed", "the line 'SPEAKER show 1 0 4' is not RTTM"),
    ("rttm", "a.rttm", "SPEAKER show 1 soon 4 <NA> <NA> eva <NA> <NA>\n", "not-a-number", ""),
    ("rttm", "a.rttm", "SPEAKER show 1 0 long <NA> <NA> eva <NA> <NA>\n", "not-a-number", ""),
    ("rttm", "a.rttm", "SPEAKER show 1 4 -1 <NA> <NA> eva <NA> <NA>\n", "end-before-start", ""),
    ("rttm", "a.rttm", "SPEAKER show 1 4 1e99999999999 <NA> <NA> eva <NA> <NA>\n", "not-a-number", ""),
    ("rttm", "a.uem", "show 1 0 10\n", "malformed", "a UEM file has regions and no units"),
    ("web-annotation", "a.jsonld", "[3]", "malformed", NO_OBJECT),
    ("web-annotation", "a.jsonld", _web("d"), "no-annotations", "only 1 annotation without a position"),
    ("web-annotation", "a.jsonld", _web("d#char=5,2"), "end-before-start", ""),
    ("web-annotation", "a.jsonld", _web({"source": "d", "selector": {"type": "TextPositionSelector", "start": "x"}}),
     "not-a-number", ""),
    ("web-annotation", "a.jsonld", _web(["d#char=0,1", "d#t=1,2"]), "malformed", "mix characters, times"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "name", "content", "code", "message"), CONTENTS)
def test_a_file_with_one_fault(tmp_path: Path, format: str, name: str, content: str, code: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    problem = inspect(path, format=format).problems[0]
    assert (problem.code, message in problem.message) == (code, True), problem
