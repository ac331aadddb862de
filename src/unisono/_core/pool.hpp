// SPDX-License-Identifier: MIT
// A pool of columns that grows where the duals show that one is missing: the rounds of
// column_solver.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "clusters.hpp"
#include "columns.hpp"
#include "duals.hpp"
#include "near_pairs.hpp"
#include "pricing.hpp"
#include "watch.hpp"

namespace unisono {

class Pool {
  public:
    Columns columns;
    Duals duals;  // of the pool; lower bound = sum of the duals - violations
    Incidence incidence;
    Pricing pricing;
    std::vector<double> violation;  // of each seed, at most: by how much a column falls short of its units' duals
    double least = 0;               // a small gap: the weight of a few pairs

    // The pool begins with every unit alone, close pairs, and the clusters. False when these exceed the memory limit.
    // `many`: see `has_many`. `by_annotator`: see Pricing.
    bool start(const Part &part, Clusters &clusters, bool many, bool by_annotator, Watch &watch) {
        part_ = &part;
        many_ = many;
        pricing.prepare(part, by_annotator);
        if (watch.too_big(pricing.bytes())) return false;
        columns.clear();
        for (Id u = 0; u < part.size(); ++u) {
            columns.add(&u, &u + 1, 1.0);
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u && part.graph.w[e] > 0) {
                    const Id pair[2] = {u, part.graph.other[e]};
                    columns.add(pair, pair + 2, 1 - part.graph.w[e]);
                }
        }
        clusters.each([&](const std::vector<Id> &members, double cost) {
            columns.add(members.data(), members.data() + members.size(), cost);
        });
        duals.by_seed = many;
        if (many) {
            clusters.each_variation([&](const std::vector<Id> &members, double cost) {
                columns.add(members.data(), members.data() + members.size(), cost);
            });
            for (Id c = 0; c < clusters.met.size(); ++c)
                columns.add(clusters.met.begin(c), clusters.met.end(c), clusters.met.cost[c]);
            duals.start(part.start.is_known() ? part.start.dual : clusters.shares(), columns, 0.5);
        } else duals.start(part.size(), columns, 0.5);
        least = std::min(0.02, 20 / pairs_of_annotators(part.n_annotators));
        nodes_ = many ? 100 : 400;
        last_ = 0;
        rounds = 0;
        return true;
    }

    // With many annotators a good first alignment and duals made from it are worth their cost from the start; with
    // fewer in a panel (see panels.hpp), whose units lie further apart in comparison.
    static bool has_many(const Part &part, const Watch &watch) {
        return part.n_annotators >= (watch.wants_bound() ? 12 : 20);
    }

    // Duals fitted to the pool, then a search for columns that they price too high. False when a limit stopped it.
    // `target`: cost of the best alignment known.
    bool round(double target, Watch &watch) {
        const Id m = part_->size();
        // With many annotators, or when no column is missing, small steps converge too slowly to the best bound.
        if (rounds > 0 && (many_ || silent())) duals.embolden(0.3);
        if (rounds == hard_) sharpen();
        // While the pool is still growing, precise duals are not worth their cost. Later, the target is so close that
        // steps towards it would be too small.
        const bool is_filling = rounds < 4 || fresh_.size() > m / 5;
        duals.subgradient(columns, duals.by_seed || is_filling ? target : infinity,
                          std::min(duals.by_seed ? 300 : 600, (rounds < 4 ? 6 : 20) * part_->n_annotators), watch);
        ++rounds;
        target_ = target;
        incidence.build(m, columns);
        duals.settle(incidence);
        watch.expired(6 * columns.member.size());
        look(watch);
        return watch.reached() == Limit::none;
    }

    // The bound stagnates below what duals can prove: from now on they are fitted seed by seed (see `subgradient`).
    void sharpen() { duals.by_seed = true; }

    // A limit was reached. The pool's duals overestimate the bound; lowered to a share of themselves, they are violated
    // less, and smaller shares are checked faster. From a half upwards, `visit` is called for each share that may prove
    // more than `bound`.
    template <class Visit> void lower(double bound, Watch &watch, Visit visit) {
        const std::vector<double> own = duals.dual;
        nodes_ = std::max<Wide>(nodes_, 2000);
        for (double share : {0.5, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.985, 0.995}) {
            for (std::size_t u = 0; u < own.size(); ++u) duals.dual[u] = own[u] > 0 ? share * own[u] : own[u];
            if (duals.sum() <= bound) continue;
            look(watch);
            if (watch.reached() != Limit::none) break;
            visit();
        }
        duals.dual = own;
    }

    // No column is missing: the duals of the pool are feasible for every column.
    bool silent() const { return complete_ && fresh_.size() == 0; }

    // Adds the columns of the last round to the pool. False when it exceeds the memory limit.
    bool grow(Watch &watch) {
        const double sum = duals.sum();
        if (!complete_ && (fresh_.size() < part_->size() / 10 + 1 || std::abs(sum - last_) < 1e-3 * std::abs(last_) ||
                           (duals.by_seed && target_ - sum < 0.02 * target_)))
            nodes_ *= 4;
        last_ = sum;
        for (Id c = 0; c < fresh_.size(); ++c) columns.add(fresh_.begin(c), fresh_.end(c), fresh_.cost[c]);
        duals.refresh(columns);
        return !watch.too_big(columns.bytes() + pricing.bytes());
    }

    int rounds = 0;  // so far

  private:
    // Searches, for each seed, for columns that the duals price too high.
    void look(Watch &watch) {
        const Id m = part_->size();
        fresh_.clear();
        violation.assign(m, 0);
        complete_ = true;
        for (Id u = 0; u < m; ++u) {
            found_.clear();
            violation[u] = pricing.search(u, duals.dual, tolerance, nodes_, found_, watch);
            complete_ &= pricing.complete;
            for (Id c = std::max<Id>(0, found_.size() - 4); c < found_.size(); ++c)
                fresh_.add(found_.begin(c), found_.end(c), found_.cost[c]);
        }
    }

    static constexpr int hard_ = 10;  // rounds after which a part is known to be a hard case
    const Part *part_ = nullptr;
    Columns fresh_, found_;
    Wide nodes_ = 0;  // of one search, at most
    double last_ = 0, target_ = 0;
    bool complete_ = false;
    bool many_ = false;
};

}  // namespace unisono
