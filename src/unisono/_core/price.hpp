// SPDX-License-Identifier: MIT
// Many annotators: columns are generated where the duals show that they are missing.
//
// Units in order; the seed of a column is its first unit. If v(u) is the largest violation among columns with seed u,
// then lowering each dual by max(0, v(u)) makes it feasible for every column: members only lose, the seed loses enough.
#pragma once

#include "near_pairs.hpp"
#include "part_solver.hpp"

namespace unisono {

inline void PartSolver::add_clusters(Columns &columns) {
    clusters_.each([&](const std::vector<Id> &members, double cost) {
        columns.add(members.data(), members.data() + members.size(), cost);
    });
}

inline bool PartSolver::by_price(const Part &part, Watch &watch) {
    const Id m = part.size();
    patience_ = 1;
    pricing_.prepare(part);
    if (watch.too_big(pricing_.bytes())) return false;
    clusters_.greedy(part, watch);
    keep_best();
    // The pool begins with every unit alone, close pairs, and the clusters.
    columns_.clear();
    for (Id u = 0; u < m; ++u) {
        columns_.add(&u, &u + 1, 1.0);
        for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
            if (part.graph.other[e] > u && part.graph.w[e] > 0) {
                const Id pair[2] = {u, part.graph.other[e]};
                columns_.add(pair, pair + 2, 1 - part.graph.w[e]);
            }
    }
    add_clusters(columns_);
    duals_.start(m, columns_, 0.5);
    // While the pool still fills, good duals of it are not worth much.
    const auto steps = [&](int round) { return std::min(600, (round < 4 ? 6 : 20) * part.n_annotators); };
    const bool many = part.n_annotators >= 20;
    std::size_t nodes = many ? 100 : 400;
    const double least = std::min(0.02, 20 / pairs_of_annotators(part.n_annotators));  // a few pairs' worth
    double last = 0;
    bool hard = false;         // most parts never need a better alignment than the first before the one that is proven
    double ready = 5 * least;  // try to finish when the bound is this close to the bound of the pool alone
    for (int round = 0; watch.reached() == Limit::none; ++round) {
        if (many && round > 0) duals_.embolden(0.3);  // with small steps they creep short of the best bound
        duals_.subgradient(columns_, best_, steps(round), watch);
        incidence_.build(m, columns_);
        duals_.settle(incidence_);
        fresh_.clear();
        violation_.assign(m, 0);
        bool complete = true;
        for (Id u = 0; u < m; ++u) {
            listed_.clear();
            violation_[u] = pricing_.search(u, duals_.dual, tolerance, nodes, false, listed_, watch);
            complete &= pricing_.complete;
            for (Id c = std::max<Id>(0, listed_.size() - 4); c < listed_.size(); ++c)
                fresh_.add(listed_.begin(c), listed_.end(c), listed_.cost[c]);
        }
        if (watch.reached() != Limit::none) break;
        // What holds for every column, and the bound that it proves.
        exact_.dual = duals_.dual;
        for (Id u = 0; u < m; ++u) exact_.dual[u] -= violation_[u];
        keep_bound(exact_);
        const double open = duals_.sum() - kept_bound_;
        hard |= round >= 8;
        if (hard) {
            clusters_.from_columns(part, columns_, duals_.rc, 0.3, watch);
            keep_best();
        }
        if (open <= ready || (complete && fresh_.size() == 0)) {
            if (finish(part, std::max(least, 2 * open), best_ - kept_bound_, watch)) return true;
            ready = open / 4;
            hard = true;
            if (complete && fresh_.size() == 0) patience_ *= 2;
        }
        if (!complete && (fresh_.size() < m / 10 + 1 || std::abs(duals_.sum() - last) < 1e-3 * std::abs(last)))
            nodes *= 4;
        last = duals_.sum();
        for (Id c = 0; c < fresh_.size(); ++c) columns_.add(fresh_.begin(c), fresh_.end(c), fresh_.cost[c]);
        duals_.refresh(columns_);
        if (watch.too_big(columns_.bytes() + pricing_.bytes())) break;
    }
    return false;
}

// Lists every column within a guessed gap of the best duals, and searches among them; none found: twice the gap.
inline bool PartSolver::finish(const Part &part, double guess, double gap, Watch &watch) {
    exact_.dual = kept_dual_;
    const double most_guess = 4 * guess * static_cast<double>(patience_);  // beyond, better duals are the shorter way
    const std::size_t most_columns = patience_ * 50 * static_cast<std::size_t>(part.size()) + 20000;
    const std::size_t most_states = patience_ * 20 * static_cast<std::size_t>(part.size()) + 20000;
    for (;; guess *= 2) {
        if (2 * guess > gap) guess = gap + tolerance;  // as far as an alignment is known to exist
        listed_.clear();
        for (Id u = 0; u < part.size(); ++u) {
            pricing_.search(u, exact_.dual, -guess - tolerance, most_columns * 20, true, listed_, watch);
            if (watch.reached() != Limit::none || !pricing_.complete || listed_.cost.size() > most_columns)
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
