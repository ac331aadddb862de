# SPDX-License-Identifier: MIT
"""The slow twin of text-γ (Barteld et al. 2016, sections 4 and 5): every optimal sequence alignment, one by one.

A version is (text, [(start, end, type, labels), ...]), types numbered from the outermost, labels a tuple. Nothing here
is fast, and nothing is clever: it is to be read beside the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

MarkedUnit = tuple[int, int, int, tuple[str | None, ...]]
Version = tuple[str, list[MarkedUnit]]
Symbol = tuple[str, int | str, int]
Dissimilarity = Callable[[Version, int, Version, int], float]
#: (move, opened together): see `moves`; smaller is preferred, read from the end.
Step = tuple[int, int]
MATCH, GAP_IN_B, GAP_IN_A = 0, 1, 2


def sequence(version: Version) -> list[Symbol]:
    """Text with boundaries: what ends at a position innermost first, units without length, what begins there."""
    text, units = version
    symbols: list[Symbol] = []
    for position in range(len(text) + 1):
        ending = [i for i, (s, e, _, _) in enumerate(units) if e == position and s < e]
        symbols += [("}", units[i][2], i) for i in sorted(ending, key=lambda i: -units[i][2])]
        empty = [i for i, (s, e, _, _) in enumerate(units) if s == e == position]
        for i in sorted(empty, key=lambda i: (units[i][2], i)):
            symbols += [("{", units[i][2], i), ("}", units[i][2], i)]
        beginning = [i for i, (s, e, _, _) in enumerate(units) if s == position and s < e]
        symbols += [("{", units[i][2], i) for i in sorted(beginning, key=lambda i: units[i][2])]
        if position < len(text):
            symbols.append(("char", text[position], -1))
    return symbols


def nominal(a: Version, u: int, b: Version, v: int) -> float:
    """Section 5: the mean of what differs, text and features, with delta_empty = 1."""
    (text_a, units_a), (text_b, units_b) = a, b
    s, e, _, labels = units_a[u]
    t, f, _, others = units_b[v]
    parts = [text_a[s:e] != text_b[t:f], *(x != y for x, y in zip(labels, others, strict=True))]
    return sum(parts) / len(parts)


def optimal_paths(a: Sequence[Symbol], b: Sequence[Symbol], gap_t: int = 1, gap_b: int = 1) -> Iterator[list[int]]:
    """Every sequence alignment of least cost, as a list of moves. Only matches and gaps, no mismatches."""

    def price(symbol: Symbol) -> int:
        return gap_t if symbol[0] == "char" else gap_b

    @cache
    def cost(i: int, j: int) -> int:
        options = []
        if i < len(a) and j < len(b) and a[i][:2] == b[j][:2]:
            options.append(cost(i + 1, j + 1))
        if i < len(a):
            options.append(price(a[i]) + cost(i + 1, j))
        if j < len(b):
            options.append(price(b[j]) + cost(i, j + 1))
        return min(options, default=0)

    def paths(i: int, j: int) -> Iterator[list[int]]:
        if i == len(a) and j == len(b):
            yield []
        if i < len(a) and j < len(b) and a[i][:2] == b[j][:2] and cost(i, j) == cost(i + 1, j + 1):
            yield from ([MATCH, *rest] for rest in paths(i + 1, j + 1))
        if i < len(a) and cost(i, j) == price(a[i]) + cost(i + 1, j):
            yield from ([GAP_IN_B, *rest] for rest in paths(i + 1, j))
        if j < len(b) and cost(i, j) == price(b[j]) + cost(i, j + 1):
            yield from ([GAP_IN_A, *rest] for rest in paths(i, j + 1))

    return paths(0, 0)


def read_off(
    a: Sequence[Symbol], b: Sequence[Symbol], moves: Sequence[int]
) -> tuple[list[tuple[int, int]], list[Step]]:
    """The units aligned by a path (both boundaries are), and its steps with what was opened together."""
    i = j = 0
    together: dict[int | str, tuple[int, int]] = {}
    aligned: list[tuple[int, int]] = []
    steps: list[Step] = []
    for move in moves:
        symbol = b[j] if move == GAP_IN_A else a[i]
        both = symbol[0] == "}" and symbol[1] in together
        steps.append((move, 0 if both else 1))
        if move == MATCH and symbol[0] == "{":
            together[symbol[1]] = (a[i][2], b[j][2])
        if both:
            pair = together.pop(symbol[1])
            if move == MATCH:
                aligned.append(pair)
        i += move != GAP_IN_A
        j += move != GAP_IN_B
    return aligned, steps


def summed(a: Version, b: Version, aligned: Sequence[tuple[int, int]], d: Dissimilarity) -> float:
    """Unitary disorders of an alignment of two versions, summed, delta_empty = 1."""
    return sum(d(a, u, b, v) for u, v in aligned) + len(a[1]) + len(b[1]) - 2 * len(aligned)


def observed_disorder(a: Version, b: Version, d: Dissimilarity = nominal, *, gap_t: int = 1, gap_b: int = 1) -> float:
    """The least disorder over all optimal sequence alignments (section 5)."""
    first, second = sequence(a), sequence(b)
    least = min(
        summed(a, b, read_off(first, second, moves)[0], d) for moves in optimal_paths(first, second, gap_t, gap_b)
    )
    return least / ((len(a[1]) + len(b[1])) / 2)


def correspondences(
    a: Version,
    b: Version,
    order: Callable[[Version], object],
    d: Dissimilarity = nominal,
    *,
    gap_t: int = 1,
    gap_b: int = 1,
) -> list[tuple[int, int]]:
    """Which units correspond: those of the path of least disorder, ties as the tie rule says."""
    if order(b) < order(a):  # type: ignore[operator]
        return [(v, u) for u, v in correspondences(b, a, order, d, gap_t=gap_t, gap_b=gap_b)]
    first, second = sequence(a), sequence(b)
    best: tuple[float, list[Step]] | None = None
    found: list[tuple[int, int]] = []
    for moves in optimal_paths(first, second, gap_t, gap_b):
        aligned, steps = read_off(first, second, moves)
        rank = round(summed(a, b, aligned, d), 9), steps[::-1]
        if best is None or rank < best:
            best, found = rank, aligned
    return found


def observed_of_many(
    versions: Sequence[Version],
    order: Callable[[Version], object],
    d: Dissimilarity = nominal,
    *,
    gap_t: int = 1,
    gap_b: int = 1,
) -> float:
    """Any number of annotators: the best partition into sets of units that correspond pairwise."""
    n = len(versions)
    pairs = n * (n - 1) / 2
    known: dict[tuple[int, int, int, int], float] = {}
    for x, y in combinations(range(n), 2):
        for u, v in correspondences(versions[x], versions[y], order, d, gap_t=gap_t, gap_b=gap_b):
            known[x, u, y, v] = d(versions[x], u, versions[y], v)
    units = [(x, u) for x in range(n) for u in range(len(versions[x][1]))]

    def cost(group: Sequence[tuple[int, int]]) -> float | None:
        total = 0.0
        for (x, u), (y, v) in combinations(group, 2):
            if (x, u, y, v) not in known:
                return None
            total += known[x, u, y, v]
        return (total + pairs - len(group) * (len(group) - 1) / 2) / pairs

    def best(left: tuple[tuple[int, int], ...]) -> float:
        if not left:
            return 0.0
        first, rest = left[0], left[1:]
        least = float("inf")
        for size in range(min(n, len(left))):
            for others in combinations(rest, size):
                price = cost((first, *others))
                if price is not None:
                    least = min(least, price + best(tuple(unit for unit in rest if unit not in others)))
        return least

    return best(tuple(units)) / (len(units) / n)


def observed_by_table(a: Version, b: Version, d: Dissimilarity = nominal) -> float:
    """The same as `observed_disorder` for longer texts with one type of units: a table of (cost, disorder) by states.

    Still obvious: every pair of positions, whether or not it can matter; state 1: the open units were opened together.
    """
    first, second = sequence(a), sequence(b)
    far = (10**9, 0.0)
    table: dict[tuple[int, int], list[tuple[int, float]]] = {(0, 0): [(0, 0.0), far]}

    def offer(i: int, j: int, state: int, cost: int, gain: float) -> None:
        states = table.setdefault((i, j), [far, far])
        states[state] = min(states[state], (cost, gain))

    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            for state, (cost, gain) in enumerate(table.pop((i, j), [far, far])):
                if cost == far[0]:
                    continue
                if i == len(first) and j == len(second) and state == 0:
                    return (len(a[1]) + len(b[1]) + gain) / ((len(a[1]) + len(b[1])) / 2)
                if i < len(first):
                    offer(i + 1, j, 0 if first[i][0] == "}" else state, cost + 1, gain)
                if j < len(second):
                    offer(i, j + 1, 0 if second[j][0] == "}" else state, cost + 1, gain)
                if i < len(first) and j < len(second) and first[i][:2] == second[j][:2]:
                    kind = first[i][0]
                    closes = kind == "}" and state == 1
                    more = d(a, first[i][2], b, second[j][2]) - 2 if closes else 0.0
                    offer(i + 1, j + 1, 1 if kind == "{" else 0 if kind == "}" else state, cost, gain + more)
    raise AssertionError("every two texts have an alignment")
