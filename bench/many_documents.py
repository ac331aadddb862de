# SPDX-License-Identifier: MIT
"""Very many short documents: those of toxic_spans with three annotators, repeated with jitter, measured in a stream.

python -m many_documents write 1000000 documents.parquet
python -m many_documents measure documents.parquet
python -m many_documents toxic all|usual|largest
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import unisono
from measuring import SHARED, Options, Table, child, range_width, verdict

SAMPLES = 30
#: Random continua of the hard document.
HARD_SAMPLES = 120


def columns_of(corpus: unisono.Corpus) -> dict[str, Any]:
    """The rows of a corpus with the number of their document; an annotator without a unit has a row of their own."""
    document, annotator, starts, ends, lengths = [], [], [], [], []
    for number, continuum in enumerate(corpus):
        length = continuum.extent.end if continuum.extent is not None else 0
        for code, name in enumerate(continuum.annotators):
            own = np.flatnonzero(continuum.annotator_codes == code).tolist()
            for unit in own or [-1]:
                document.append(number)
                annotator.append(f"{code} {name[:6]}")
                starts.append(-1 if unit < 0 else int(continuum.starts[unit]))
                ends.append(-1 if unit < 0 else int(continuum.ends[unit]))
                lengths.append(length)
    return {
        "document": np.array(document),
        "annotator": np.array(annotator),
        "start": np.array(starts),
        "end": np.array(ends),
        "length": np.array(lengths),
    }


def write_documents(n_documents: int, path: Path, corpus: unisono.Corpus, seed: int = 1) -> None:
    """A Parquet file of that many documents: those of the corpus again and again, positions shifted by up to 3."""
    import pyarrow
    import pyarrow.parquet

    rows = columns_of(corpus)
    order = np.argsort(rows["document"], kind="stable")
    rows = {name: column[order] for name, column in rows.items()}
    random = np.random.default_rng(seed)
    writer = None
    for first in range(0, n_documents, len(corpus)):
        here = rows["document"] < n_documents - first
        start, end = rows["start"][here], rows["end"][here]
        is_unit = start >= 0
        jitter = random.integers(0, 4, (2, len(start))) if first else np.zeros((2, len(start)), dtype=np.int64)
        start = start + jitter[0]
        end = np.maximum(start + 1, end + jitter[1])
        names = [f"t{first + number:07}" for number in rows["document"][here].tolist()]
        table = pyarrow.table(
            {
                "document": names,
                "annotator": rows["annotator"][here],
                "start": pyarrow.array(start, mask=~is_unit),
                "end": pyarrow.array(end, mask=~is_unit),
            }
        )
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def measure_documents(path: Path, *, threads: int | None = None) -> dict[str, Any]:
    """γ of the documents in a stream: how many, how long it took, how much memory."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = unisono.measure(unisono.stream(path, no_category=True), seed=1, samples=SAMPLES, threads=threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "documents": result.data.documents,
        "gamma": result["gamma"].value,
        "seconds": wall,
        "cpu": cpu,
        "per_cpu_second": result.data.documents / cpu,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure_toxic(which: str) -> dict[str, Any]:
    """γ of toxic_spans at the default precision, as the command line measures it; or of its largest document."""
    from corpora import TOXIC

    corpus = TOXIC.read()
    largest = max(corpus, key=lambda document: document.n_annotators)
    chosen = {
        "all": tuple(corpus),
        "usual": tuple(document for document in corpus if document is not largest),
        "largest": (largest,),
    }
    cpu = time.process_time()
    samples = SAMPLES if which == "largest" else None
    result = unisono.measure(unisono.Corpus(chosen[which]), seed=1, samples=samples, keep_samples=False)
    gamma = result["gamma"]
    return {
        "documents": result.data.documents,
        "gamma": gamma.value,
        "samples": gamma.n_samples,
        "range": range_width(gamma),
        "cpu": time.process_time() - cpu,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure_on_cluster() -> dict[str, Any]:
    """CPU seconds of the busiest worker for one hard document, on a Dask cluster of one worker and of two.

    On a machine that has nothing else to do, that is how long it takes.
    """
    from distributed import LocalCluster

    from kinds import Kind
    from unisono.parallel import cluster

    document = Kind(12, 42, 0.0)[0]
    busiest: dict[int, float] = {}
    values = set()
    for workers in (1, 2):
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local,
            local.get_client() as client,
            cluster(local.scheduler_address) as executor,
        ):
            unisono.measure(document, seed=1, samples=4 * workers, executor=executor, threads=1)  # warm-up
            before = client.run(time.process_time)
            result = unisono.measure(document, seed=1, samples=HARD_SAMPLES, executor=executor, threads=1)
            after = client.run(time.process_time)
            busiest[workers] = max(after[worker] - before[worker] for worker in before)
            values.add(result["gamma"].value)
    return {"one": busiest[1], "two": busiest[2], "times": busiest[1] / busiest[2], "is_equal": len(values) == 1}


def run(options: Options) -> Table:
    """The table of `make bench`."""
    columns = ("case", "documents", "γ", "CPU s", "documents / CPU s", "MB", "bar", "verdict")
    table = Table("many_documents", "Very many documents, and one hard one", columns)
    if not (SHARED / "corpora").is_dir():
        table.notes.append("the shared corpora are not here: left out")
        return table
    sizes = (13_200, 130_000) if options.is_quick else (13_200, 130_000, 1_000_000)
    first = None
    with TemporaryDirectory() as folder:
        for size in sizes:
            options.say(f"  {size:,} documents in a stream")
            path = Path(folder, f"{size}.parquet")
            child("many_documents.py", "write", size, path)
            found = child("many_documents.py", "measure", path)
            first = first or found["per_cpu_second"]
            is_met = found["megabytes"] < 1000 and found["per_cpu_second"] >= 0.9 * first
            _add(table, f"{size:,} in a stream, {SAMPLES} samples", found, "1,000 MB, 0.9 of the first", is_met=is_met)
    if not options.is_quick:
        precise = {"usual": ("without its largest document", 40), "all": ("all documents", 60)}
        for which, (case, seconds) in precise.items():
            options.say(f"  toxic_spans, {case}")
            found = child("many_documents.py", "toxic", which)
            is_met = found["cpu"] <= seconds and found["megabytes"] <= 300
            _add(table, f"toxic_spans, default precision, {case}", found, f"{seconds} s, 300 MB", is_met=is_met)
    options.say("  356 annotators")
    found = child("many_documents.py", "toxic", "largest")
    is_met = found["cpu"] <= 20 and found["range"] <= 0.05
    case = f"356 annotators, {SAMPLES} samples, with the note on idle annotators: range {found['range']:.3f}"
    _add(table, case, found, "20 s, range 0.05", is_met=is_met)
    there = child("many_documents.py", "cluster")
    table.add(
        case="12x42 gap 0 on a cluster of two workers",
        documents=1,
        bar="1.6 times as fast as on one",
        **{"CPU s": f"{there['one']:.1f} -> {there['two']:.1f}: {there['times']:.2f} times"},
        verdict=verdict(there["times"] >= 1.6 and there["is_equal"]),
        values=[there["one"], there["two"]],
    )
    return table


def _add(table: Table, case: str, found: dict[str, Any], bar: str, *, is_met: bool) -> None:
    table.add(
        case=case,
        documents=found["documents"],
        **{
            "γ": f"{found['gamma']:.4f}",
            "CPU s": f"{found['cpu']:.1f}",
            "documents / CPU s": f"{found['documents'] / found['cpu']:.0f}",
        },
        MB=f"{found['megabytes']:.0f}",
        bar=bar,
        verdict=verdict(is_met),
        values=[found["cpu"], found["megabytes"]],
    )


def main(arguments: list[str]) -> None:
    what, *rest = arguments
    found: dict[str, Any] = {}
    if what == "write":
        from corpora import TOXIC

        corpus = TOXIC.read()
        three = unisono.Corpus(tuple(document for document in corpus if document.n_annotators == 3))
        write_documents(int(rest[0]), Path(rest[1]), three)
        found = {"documents": len(three)}
    elif what == "measure":
        found = measure_documents(Path(rest[0]), threads=1)
    elif what == "toxic":
        found = measure_toxic(rest[0])
    else:
        found = measure_on_cluster()
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
