# SPDX-License-Identifier: MIT
"""`make fuzz`: for a given time, files broken along their structure, random settings, and the core under sanitizers.

    python tests/robustness/fuzz.py --seconds 600 --seed 1

What is found is kept as a fixture in tests/formats/findings/ (files) or printed with its seed (settings, core), so that
tests/formats/test_findings.py repeats it ever after. Prints inputs, findings and CPU time; exit code 1 with findings.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from structured_mutations import broken_along_structure  # noqa: E402

FIXTURES = ROOT / "tests" / "formats" / "fixtures"
FINDINGS = ROOT / "tests" / "formats" / "findings"

#: Seconds that a small broken file or a small measurement may take of a processor.
PATIENCE = 20.0


def fuzz_files(seconds: float, seed: int, share: Path | None) -> tuple[int, list[str]]:
    """Break a file of a set, read the set; anything but an answer in words is a finding."""
    from unisono.errors import MissingDependencyError
    from unisono.io import FORMATS, inspect

    sets = {folder.name: folder for folder in sorted(FIXTURES.iterdir()) if folder.is_dir()}
    others = {} if share is None else {each.name: each for each in sorted(share.iterdir()) if each.is_dir()}
    findings: list[str] = []
    n, end = 0, time.process_time() + seconds
    with tempfile.TemporaryDirectory() as place:
        copies: dict[str, Path] = {}
        while time.process_time() < end:
            number = seed * 10_000_000 + n
            draw = random.Random(number)
            pool = others if others and draw.random() < 0.3 else sets
            name = draw.choice(sorted(pool))
            key = f"{'shared' if pool is others else 'own'}-{name}"
            if key not in copies:
                copies[key] = Path(place) / key / name
                shutil.copytree(pool[name], copies[key], ignore=_large, copy_function=_copy)
            files = sorted(each for each in copies[key].rglob("*") if each.is_file())
            if not files:
                del pool[name]
                continue
            path = draw.choice(files)
            whole = path.read_bytes()
            path.write_bytes(broken_along_structure(whole, number))
            began = time.process_time()
            format = name if name in FORMATS and draw.random() < 0.6 else None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = inspect(copies[key], format=format, skip_invalid=draw.random() < 0.3)
                problem = ""
                if (found.corpus is None) != any(each.severity == "error" for each in found.problems):
                    problem = "a corpus with errors, or none without"
            except MissingDependencyError:
                problem = ""
            except Exception:
                problem = traceback.format_exc(limit=-4)
            if time.process_time() - began > PATIENCE:
                problem = f"took {time.process_time() - began:.0f} s"
            if problem:
                findings.append(f"{key} {path.name} with seed {number}: {problem}")
                if pool is sets:  # other people's data are not kept
                    _keep(copies[key], name, format, problem)
            path.write_bytes(whole)
            n += 1
    return n, findings


def _large(folder: str, names: list[str]) -> set[str]:
    return {
        name for name in names if (Path(folder) / name).is_file() and (Path(folder) / name).stat().st_size > 100_000
    }


def _copy(source: str, target: str) -> None:
    shutil.copyfile(source, target)


def _keep(folder: Path, name: str, format: str | None, problem: str) -> None:
    """Keep a set that was not answered, with what happened, unless one like it is kept."""
    mark = hashlib.sha256(problem.strip().rpartition("\n")[2].encode()).hexdigest()[:10]
    target = FINDINGS / f"{name}-{mark}"
    if not target.exists():
        shutil.copytree(folder, target / name)
        (target / "problem.txt").write_text(f"format: {format}\n{problem}", encoding="utf-8")


# -- settings --------------------------------------------------------------------------------------------------------


def fuzz_settings(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Measure random small corpora with random settings: a result of finite numbers, or one of our own refusals."""
    import math

    import unisono
    from unisono.errors import UnisonoError

    choices: dict[str, list[Any]] = {
        "preset": [*unisono.PRESETS, "nonsense"],
        "alpha": [0, 1, 3, 1e-9, 1e9, -1],
        "beta": [0, 1, 0.5, 1e9],
        "delta_empty": [1, 0.5, 1e-6, 1e6, 0],
        "samples": [2, 5, 30, 1],
        "seed": [0, 1, 2**32 - 1, -1],
        "chance": ["document", "corpus", "nonsense"],
        "positional": ["sporadic", "absolute", "boundary", "nonsense"],
        "time_limit": [0.001, 1, 0],
        "level": [0.5, 0.95, 1, 0],
        "precision": [0.5, 0.1, 0],
        "threads": [1, 2, 0],
    }
    measures = [*unisono.MEASURES, "all", "gamma-k,gamma", "nonsense"]
    findings: list[str] = []
    n, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        number = seed * 10_000_000 + n
        draw = random.Random(number)
        settings = {name: draw.choice(values) for name, values in choices.items() if draw.random() < 0.25}
        name = draw.choice(measures)
        settings.setdefault("time_limit", PATIENCE)
        began = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = unisono.measure(random_corpus(draw), str(name).split(","), **settings)
            numbers = [value.value for value in result.measures.values()]
            numbers += [value.value for each in result.documents for value in each.measures.values()]
            if not all(value is None or math.isfinite(value) for value in numbers):
                findings.append(f"settings with seed {number}: {name} {settings} gives {numbers}")
        except UnisonoError:
            pass
        except Exception:
            findings.append(f"settings with seed {number}: {name} {settings}: {traceback.format_exc(limit=-3)}")
        if time.process_time() - began > PATIENCE:
            findings.append(f"settings with seed {number}: {name} {settings} took {time.process_time() - began:.0f} s")
        n += 1
    return n, findings


def random_corpus(draw: random.Random) -> Any:
    """One to three documents of one to four annotators; units of length zero, equal units, far apart, large numbers."""
    import unisono

    scale = draw.choice([1, 1, 10, 1e-6, 1e9])
    documents = {}
    for document in range(draw.choice((1, 1, 2, 3))):
        rows: dict[str, list[Any]] = {}
        for annotator in "abcd"[: draw.randint(1, 4)]:
            units = set()
            for _ in range(draw.choice((0, 1, 3, 8))):
                start = draw.randint(0, 30) * scale
                label = draw.choice(["X", "Y", "Z", None, "1", "2"])
                units.add((start, start + draw.choice((0, 1, 1, 4, 20)) * scale, label))
            rows[annotator] = sorted(units, key=str)
        documents[f"d{document}"] = rows
    return unisono.corpus(documents)


# -- the core --------------------------------------------------------------------------------------------------------


def fuzz_core(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Align and sample random continua, scan random bytes as tables; the sanitizers end the process at a fault."""
    import unisono
    from unisono._core import Delimited
    from unisono.errors import UnisonoError

    findings: list[str] = []
    n, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        number = seed * 10_000_000 + n
        draw = random.Random(number)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if draw.random() < 0.4:
                    data = b"".join(
                        draw.choice((b"a", b",", b'"', b"\n", b"\r", b"\t", b"\xff", b";", b"1")) for _ in range(60)
                    )
                    scan = Delimited(data, draw.choice(",;\t|"), draw.random() < 0.5)
                    lengths = scan.lengths()
                    for row in range(len(lengths)):
                        for column in range(int(lengths[row])):
                            scan.cell(row, column)
                else:
                    corpus = random_corpus(draw)
                    unisono.measure(
                        corpus, draw.choice(["gamma", "gamma-cat", "soft-gamma", "u-alpha", "window-diff"]),
                        samples=draw.choice((2, 9)), seed=number, threads=draw.choice((1, 2)),
                    )  # fmt: skip
        except (UnisonoError, ValueError, IndexError):
            pass
        except Exception:
            findings.append(f"core with seed {number}: {traceback.format_exc(limit=-3)}")
        n += 1
    return n, findings


def main() -> int:
    """Share the time among the three; the core in a process of its own, with sanitizers if they were built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="of a processor, for all parts together")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--samples", type=Path, default=None, help="a folder of sets to break as well")
    parser.add_argument("--only", choices=[*SHARES, "core-here"], default=None, help="one part, which has all the time")
    given = parser.parse_args()
    if given.only == "core-here":
        n, findings = fuzz_core(given.seconds, given.seed)
        print(n)
        print("\n".join(findings), file=sys.stderr)
        return int(bool(findings))
    shares = {given.only: 1.0} if given.only else SHARES
    total = 0
    for part, share in shares.items():
        began, seconds = time.process_time(), given.seconds * share
        how, n_inputs, findings = _fuzz_part(part, seconds, given)
        minutes = (seconds if part == "core" else time.process_time() - began) / 60
        total += len(findings)
        print(
            f"{part}{how}: {n_inputs} inputs, {len(findings)} findings, {minutes:.1f} CPU minutes (seed {given.seed})"
        )
        print("\n".join(findings), end="\n" if findings else "", flush=True)
    return int(total > 0)


#: The parts and their shares of the time.
SHARES = {"files": 0.5, "settings": 0.25, "core": 0.25}


def _fuzz_part(part: str, seconds: float, given: argparse.Namespace) -> tuple[str, str, list[str]]:
    """How a part was run, the number of inputs, and what was found."""
    if part == "files":
        n, findings = fuzz_files(seconds, given.seed, given.samples)
        return "", f"{n:,}", findings
    if part == "settings":
        n, findings = fuzz_settings(seconds, given.seed)
        return "", f"{n:,}", findings
    sys.path.insert(0, str(ROOT / "tests" / "robustness"))
    from sanitize import environment

    how, env = environment()
    command = [sys.executable, __file__, "--only", "core-here", "--seconds", f"{seconds}", "--seed", f"{given.seed}"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    n_inputs = done.stdout.split()[0] if done.stdout.split() else "?"
    return f", {how}", n_inputs, [f"exit code {done.returncode}: {done.stderr[-6000:]}"] if done.returncode else []


if __name__ == "__main__":
    sys.exit(main())
