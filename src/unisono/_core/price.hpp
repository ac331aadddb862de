// SPDX-License-Identifier: MIT
// Many annotators: columns are generated where the duals show that they are missing.
//
// Units in order; the seed of a column is its first unit. If v(u) is the largest violation among columns with seed u,
// then lowering each dual by max(0, v(u)) makes it feasible for every column: members only lose, the seed loses enough.
#pragma once

#include "part_solver.hpp"

namespace unisono {

inline bool PartSolver::by_price(const Part &part, Watch &watch) {
    watch.keep_some();
    clusters_.build(part, watch);
    keep_best();
    if (!pool_.start(part, clusters_, watch)) return false;
    has_pool_ = true;
    patience_ = 1;
    bool hard = false;               // most parts never need a better alignment than the first before the proven one
    double ready = 5 * pool_.least;  // try to finish when the bound is this close to the bound of the pool alone
    while (pool_.round(best_, watch)) {
        repair();
        const double open = pool_.duals.sum() - proof_.bound;
        hard |= pool_.rounds > 8;
        if (hard) {
            clusters_.from_columns(part, pool_.columns, pool_.duals.rc, 0.3, watch);
            keep_best();
        }
        if (open <= ready || pool_.silent()) {
            if (finish(part, std::max(pool_.least, 2 * open), best_ - proof_.bound, watch)) return true;
            ready = open / 4;
            hard = true;
            if (pool_.silent()) patience_ *= 2;
        }
        if (!pool_.grow(watch)) break;
    }
    return false;
}

// What holds for every column, and the bound that it proves.
inline void PartSolver::repair() {
    exact_.dual = pool_.duals.dual;
    for (std::size_t u = 0; u < exact_.dual.size(); ++u) exact_.dual[u] -= pool_.violation[u];
    proof_.keep(exact_);
}

// Lists every column within a guessed gap of the best duals, and searches among them; none found: twice the gap.
inline bool PartSolver::finish(const Part &part, double guess, double gap, Watch &watch) {
    exact_.dual = proof_.dual;
    const double most_guess = 4 * guess * static_cast<double>(patience_);  // beyond, better duals are the shorter way
    const std::size_t most_columns = patience_ * 50 * static_cast<std::size_t>(part.size()) + 20000;
    const std::size_t most_states = patience_ * 20 * static_cast<std::size_t>(part.size()) + 20000;
    for (;; guess *= 2) {
        if (2 * guess > gap) guess = gap + tolerance;  // as far as an alignment is known to exist
        listed_.clear();
        for (Id u = 0; u < part.size(); ++u) {
            pool_.pricing.search(u, exact_.dual, -guess - tolerance, most_columns * 20, true, listed_, watch);
            if (watch.reached() != Limit::none || !pool_.pricing.complete || listed_.cost.size() > most_columns)
                return false;
        }
        exact_.refresh(listed_);
        const Found found = blocks_.run(part, listed_, exact_.rc, guess, most_states, watch);
        if (found == Found::yes) {
            accept(part, listed_, exact_);
            return true;
        }
        if (found == Found::unknown || guess > gap || guess > most_guess) return false;
    }
}

}  // namespace unisono
