# SPDX-License-Identifier: MIT
"""How long Ctrl-C takes: SIGINT to a running hard alignment, or γ on two threads, until the process has ended."""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from measuring import Options, Table, verdict

AT_MOST = 250.0  # milliseconds; people perceive this as immediate
ROUNDS = 5


def run(options: Options) -> Table:
    title = "Ctrl-C: milliseconds from the signal to the end of the process"
    table = Table("interrupt", title, ("case", "median", "largest", "at most", "verdict"))
    cases = {
        "alignment": "best alignment, 16x200 gap 0 shuffled",
        "many": "best alignment, 3x100,000 gap 0",
        "gamma": "γ on two threads, 12x100 gap 0",
    }
    for name, words in cases.items():
        taken = [_latency(name, 0.3 + 0.2 * i) for i in range(1 if options.is_quick else ROUNDS)]
        if any(value is None for value in taken):
            table.add(case=words, median="not stopped by KeyboardInterrupt", verdict=verdict(False), values=taken)
            continue
        worst = max(taken)
        table.add(
            case=words,
            median=f"{statistics.median(taken):.0f}",
            largest=f"{worst:.0f}",
            **{"at most": f"{AT_MOST:.0f}", "verdict": verdict(worst <= AT_MOST)},
            values=taken,
        )
    return table


def _latency(name: str, after: float) -> float | None:
    """Milliseconds, or None where the process did not end by KeyboardInterrupt within twenty seconds."""
    command = [sys.executable, str(Path(__file__)), name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # "ready": imported, drawn, about to align
        time.sleep(after)
        before = time.perf_counter()
        process.send_signal(signal.SIGINT)
        try:
            output, _ = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            return None
        taken = 1e3 * (time.perf_counter() - before)
    return taken if "interrupted" in output else None


def hang(name: str) -> None:
    """The child: begins something that takes long, and says so when it is interrupted."""
    import unisono
    from kinds import Kind
    from unisono.chance import Shift
    from unisono.dissimilarity import CombinedDissimilarity
    from unisono.measures.gamma import gamma
    from unisono.sampling import Sampling

    # Processes started in the background may inherit "ignore".
    signal.signal(signal.SIGINT, signal.default_int_handler)
    dissimilarity = CombinedDissimilarity()
    kinds = {
        "alignment": Kind(16, 200, 0.0, is_shuffled=True),
        "many": Kind(3, 100_000, 0.0),
        "gamma": Kind(12, 100, 0.0),
    }
    continuum = kinds[name][0]
    print("ready", flush=True)
    try:
        while True:  # an alignment that turns out to be easy is simply done again
            if name == "gamma":
                chance = {"chance": Shift(), "sampling": Sampling(samples=1000), "seed": 1, "threads": 2}
                gamma(continuum, dissimilarity=dissimilarity, **chance)
            else:
                unisono.best_alignment(continuum, dissimilarity)
    except KeyboardInterrupt:
        print("interrupted", flush=True)


if __name__ == "__main__":
    hang(sys.argv[1])
