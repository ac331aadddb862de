# SPDX-License-Identifier: MIT
"""What irrCAC says of the tables of `rating_tables`: it pins old numpy and pandas, so its numbers are kept here.

Made in an environment of its own, with irrCAC 0.4.4:  python tests/oracles/irrcac_numbers.py
"""

from __future__ import annotations

import random

#: Number of annotators, of items, of categories; share of missing values.
SHAPES = [(2, 12, 3, 0.0), (3, 20, 4, 0.0), (3, 15, 2, 0.3), (5, 30, 6, 0.2), (8, 25, 3, 0.5)]

NUMBERS: dict[int, dict[str, float]] = {
    0: {
        "s": 0.125,
        "s observed": 0.416666666666667,
        "fleiss-k": 0.091891891891892,
        "fleiss-k observed": 0.416666666666667,
        "multi-kappa": 0.151515151515152,
        "multi-kappa observed": 0.416666666666667,
        "ac1": 0.140664961636829,
        "ac1 observed": 0.416666666666667,
        "ac2-linear": 0.282689912826899,
        "ac2-linear observed": 0.666666666666667,
        "ac2-quadratic": 0.41747572815534,
        "ac2-quadratic observed": 0.791666666666667,
    },
    1: {
        "s": 0.266666666666667,
        "s observed": 0.45,
        "fleiss-k": 0.228371005455963,
        "fleiss-k observed": 0.45,
        "multi-kappa": 0.233449477351916,
        "multi-kappa observed": 0.45,
        "ac1": 0.278600923002186,
        "ac1 observed": 0.45,
        "ac2-linear": 0.301842360437734,
        "ac2-linear observed": 0.688888888888889,
        "ac2-quadratic": 0.315050518304684,
        "ac2-quadratic observed": 0.785185185185185,
    },
    2: {
        "s": 0.62962962962963,
        "s observed": 0.814814814814815,
        "fleiss-k": 0.62430515622005,
        "fleiss-k observed": 0.814814814814815,
        "multi-kappa": 0.645922746781116,
        "multi-kappa observed": 0.814814814814815,
        "ac1": 0.634805291596795,
        "ac1 observed": 0.814814814814815,
        "ac2-linear": 0.634805291596795,
        "ac2-linear observed": 0.814814814814815,
        "ac2-quadratic": 0.634805291596795,
        "ac2-quadratic observed": 0.814814814814815,
    },
    3: {
        "s": 0.28,
        "s observed": 0.4,
        "fleiss-k": 0.264218300071761,
        "fleiss-k observed": 0.4,
        "multi-kappa": 0.269549177627967,
        "multi-kappa observed": 0.4,
        "ac1": 0.283075447015735,
        "ac1 observed": 0.4,
        "ac2-linear": 0.423986202203078,
        "ac2-linear observed": 0.768444444444444,
        "ac2-quadratic": 0.528825063849424,
        "ac2-quadratic observed": 0.882311111111111,
    },
    4: {
        "s": 0.255428571428571,
        "s observed": 0.503619047619048,
        "fleiss-k": 0.2295587691546,
        "fleiss-k observed": 0.503619047619048,
        "multi-kappa": 0.22082506770688,
        "multi-kappa observed": 0.503619047619048,
        "ac1": 0.267722739485012,
        "ac1 observed": 0.503619047619048,
        "ac2-linear": 0.28596955773437,
        "ac2-linear observed": 0.669333333333333,
        "ac2-quadratic": 0.303355175698002,
        "ac2-quadratic observed": 0.752190476190476,
    },
}


def rating_tables() -> list[list[list[int | None]]]:
    """Tables annotators x items of categories 1 to k, None where missing; from Python's own generator."""
    tables = []
    for seed, (n, m, k, missing) in enumerate(SHAPES):
        rng = random.Random(seed)
        truth = [rng.randint(1, k) for _ in range(m)]
        values = [[t if rng.random() < 0.6 else rng.randint(1, k) for t in truth] for _ in range(n)]
        tables.append([[None if rng.random() < missing else value for value in row] for row in values])
    return tables


def main() -> None:
    import pandas
    from irrCAC.raw import CAC  # type: ignore[import-not-found]

    for number, table in enumerate(rating_tables()):
        frame = pandas.DataFrame(table, dtype=float).T
        found = {}
        for name, method, weights in [
            ("s", "bp", "identity"),
            ("fleiss-k", "fleiss", "identity"),
            ("multi-kappa", "conger", "identity"),
            ("ac1", "gwet", "identity"),
            ("ac2-linear", "gwet", "linear"),
            ("ac2-quadratic", "gwet", "quadratic"),
        ]:
            estimate = getattr(CAC(frame, weights=weights, digits=15), method)()["est"]
            found[name] = float(estimate["coefficient_value"])
            found[f"{name} observed"] = float(estimate["pa"])
        print(f"    {number}: {found!r},")


if __name__ == "__main__":
    main()
