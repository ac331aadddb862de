// SPDX-License-Identifier: MIT
// The best alignment of one part, with its proof: closed form, matching, listed columns or priced columns.
#pragma once

#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "clusters.hpp"
#include "columns.hpp"
#include "duals.hpp"
#include "pool.hpp"
#include "two_annotators.hpp"
#include "watch.hpp"

namespace unisono {

class PartSolver {
  public:
    std::vector<Id> label;  // unitary alignment of each unit, numbered from 0
    Id n_labels = 0;
    double bound = 0;          // proven: no alignment of the part costs less
    std::vector<double> dual;  // feasible for every unitary alignment; their sum is at most `bound`
    bool proven = true;

    void solve(const Part &part, Watch &watch) {
        proven = true;
        proof_.clear();
        best_ = infinity_;
        has_pool_ = false;
        if (part.size() == 1) return one();
        if (part.n_annotators <= 2)
            return part.graph.w.size() == 2 && part.size() == 2 ? two(part) : match(part, watch);
        if (watch.expired(0)) return give_up(part, watch);
        // Up to some fifteen columns per unit it is faster to know them all than to look for the right ones.
        if (listing_.run(part, columns_, 15, watch)) {
            if (by_list(part, watch)) return;
        } else if (watch.reached() == Limit::none && by_price(part, watch)) return;
        give_up(part, watch);
    }

  private:
    void one() {
        label.assign(1, 0);
        n_labels = 1;
        dual.assign(1, 1.0);
        bound = 1;
    }

    void two(const Part &part) {
        const double w = part.graph.w[0];
        const bool together = w > -1 + tolerance;  // at -1 both ways cost the same: they stay apart
        label.assign(2, 0);
        label[1] = together ? 0 : 1;
        n_labels = together ? 1 : 2;
        bound = std::min(2.0, 1 - w);
        dual.assign(2, bound / 2);
    }

    // Two annotators, among those of a larger number.
    void match(const Part &part, Watch &watch) {
        const Id m = part.size();
        pairs_.clear();
        for (Id u = 0; u < m; ++u)
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u) pairs_.push_back({u, part.graph.other[e], part.graph.w[e]});
        two_annotators_.run(m, part.annotator.data(), part.content.data(), pairs_, part.ties_matter, watch);
        label.resize(m);
        n_labels = 0;
        for (Id u = 0; u < m; ++u) {
            const Id v = two_annotators_.mate[u];
            label[u] = v >= 0 && v < u ? label[v] : n_labels++;
        }
        dual = two_annotators_.dual;
        bound = two_annotators_.bound;
    }

    // All columns are known.
    bool by_list(const Part &part, Watch &watch) {
        if (watch.too_big(columns_.bytes() * 2)) return false;
        duals_.start(part.size(), columns_, 0.1);
        incidence_.build(part.size(), columns_);
        duals_.sweep(incidence_, 6);
        duals_.settle(incidence_);
        for (std::size_t round = 0; watch.reached() == Limit::none; ++round) {
            const std::size_t most_states = (static_cast<std::size_t>(part.size()) + 100)
                                            << std::min<std::size_t>(2 * round, 30);
            const Found found = blocks_.run(part, columns_, duals_.rc, infinity_, most_states, watch);
            if (found == Found::yes) {
                accept(part, columns_, duals_);
                return true;
            }
            // The sweeps are rarely more than a few per cent short: that is as good a target as an alignment's cost.
            duals_.subgradient(columns_, 1.05 * duals_.sum(), 30 << std::min<std::size_t>(round, 8), watch);
            duals_.settle(incidence_);
        }
        proof_.keep(duals_);
        return false;
    }

    void accept(const Part &part, const Columns &columns, const Duals &duals) {
        label.assign(part.size(), -1);
        n_labels = 0;
        for (Id c : blocks_.chosen) {
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) label[*u] = n_labels;
            ++n_labels;
        }
        dual = duals.dual;
        bound = duals.sum() + blocks_.length;
    }

    bool by_price(const Part &part, Watch &watch);
    void repair();
    bool finish(const Part &part, double guess, double gap, Watch &watch);

    // The cheapest alignment seen so far: the target of the duals, and the answer when a limit is reached.
    void keep_best() {
        if (clusters_.cost >= best_) return;
        best_ = clusters_.cost;
        best_label_ = clusters_.label;
    }

    // A limit was reached: the best alignment known, with the best bound known.
    void give_up(const Part &part, Watch &watch) {
        proven = false;
        watch.last_words([&] {
            if (has_pool_) clusters_.from_columns(part, pool_.columns, pool_.duals.rc, 0.3, watch);
            else if (best_ == infinity_) clusters_.build(part, watch);
            keep_best();
            if (has_pool_) pool_.lower(watch, [&] { repair(); });
        });
        label = best_label_;
        compact();
        exact_.fair_share(part);
        proof_.keep(exact_);
        dual = proof_.dual;
        bound = proof_.bound;
    }

    void compact() {
        renumber_.assign(label.size(), -1);
        n_labels = 0;
        for (Id &a : label) {
            if (renumber_[a] < 0) renumber_[a] = n_labels++;
            a = renumber_[a];
        }
    }

    static constexpr double infinity_ = 1e300;
    Listing listing_;
    Columns columns_, listed_;
    Incidence incidence_;
    Duals duals_, exact_;
    Proof proof_;
    Blocks blocks_;
    Clusters clusters_;
    Pool pool_;
    TwoAnnotators two_annotators_;
    std::vector<Pair> pairs_;
    std::vector<Id> renumber_, best_label_;
    double best_ = 0;
    bool has_pool_ = false;  // of the part being solved
    std::size_t patience_ = 1;
};

}  // namespace unisono

#include "price.hpp"
