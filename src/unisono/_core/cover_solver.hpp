// SPDX-License-Identifier: MIT
// The best soft alignment of one part, with its proof: each unit in at least one unitary alignment.
//
// A set covering problem: as in part_solver.hpp, but duals are not negative, a column may cover units that are covered
// already, and two annotators need a matching of another kind.
#pragma once

#include <algorithm>
#include <vector>

#include "column_solver.hpp"
#include "cover_frontier.hpp"
#include "matching.hpp"
#include "maximal.hpp"
#include "tie_key.hpp"
#include "watch.hpp"

namespace unisono {

class CoverSolver : public ColumnSolver<CoverSolver, CoverFrontier> {
  public:
    Columns cover;  // the columns of the best cover; the duals are not negative

    void solve(const Part &part, Watch &watch) {
        restart();
        cover.clear();
        if (part.size() == 1) return one();
        if (part.n_annotators <= 2) return match(part, watch);
        choose_columns(part, watch);
    }

  private:
    void one() {
        const Id u = 0;
        cover.add(&u, &u + 1, 1.0);
        dual.assign(1, 1.0);
        bound = 1;
    }

    // Two annotators: a cheapest edge cover. Each unit takes its cheapest column by itself, at cost c(u); a pair that
    // serves both of its units saves c(u) + c(v) - cost. The pairs that do so are a matching of greatest saving (an
    // old reduction: Schrijver 2003, chapter 19). Prices y give the duals c - y: not negative, because for a matched
    // pair c(v) - y(v) <= c(v) <= cost = (c(u) - y(u)) + (c(v) - y(v)).
    void match(const Part &part, Watch &watch) {
        const Id m = part.size();
        const Graph &graph = part.graph;
        rows_.clear();
        columns_of_.clear();
        index_.resize(m);
        cheapest_.assign(m, 1.0);
        for (Id u = 0; u < m; ++u) {
            std::vector<Id> &side = part.annotator[u] == 0 ? rows_ : columns_of_;
            index_[u] = static_cast<Id>(side.size());
            side.push_back(u);
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e)
                cheapest_[u] = std::min(cheapest_[u], 1 - graph.w[e]);
        }
        edge_first_.assign(1, 0);
        edge_column_.clear();
        edge_gain_.clear();
        for (Id u : rows_) {
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                const Id v = graph.other[e];
                const double gain = cheapest_[u] + cheapest_[v] - (1 - graph.w[e]);
                if (gain < -tolerance) continue;
                edge_column_.push_back(index_[v]);
                edge_gain_.push_back(std::max(0.0, gain));
            }
            edge_first_.push_back(static_cast<Id>(edge_column_.size()));
        }
        const Id n_rows = static_cast<Id>(rows_.size()), n_columns = static_cast<Id>(columns_of_.size());
        matching_.run(n_rows, n_columns, edge_first_, edge_column_, edge_gain_, watch);
        dual.resize(m);
        for (Id r = 0; r < n_rows; ++r) dual[rows_[r]] = cheapest_[rows_[r]] - matching_.price_of_row[r];
        for (Id c = 0; c < n_columns; ++c)
            dual[columns_of_[c]] = cheapest_[columns_of_[c]] - matching_.price_of_column[c];
        for (double &d : dual) d = std::max(0.0, d);  // rounding
        own_key_.resize(m);
        own_.resize(m);
        for (Id u = 0; u < m; ++u) choose_own(part, u);
        if (part.ties_matter) break_ties(part, n_rows, n_columns, watch);
        pair_up(n_rows);
        bound = 0;
        for (double d : dual) bound += d;
    }

    // The cheapest column of a unit by itself: alone (own -1), or with a partner; among equals the smallest key.
    void choose_own(const Part &part, Id u) {
        const Graph &graph = part.graph;
        own_[u] = -1;
        own_key_[u] = ~std::uint64_t(0);
        if (cheapest_[u] >= 1 - tolerance) own_key_[u] = tie_key(&part.content[u], 1);
        for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
            if (1 - graph.w[e] > cheapest_[u] + tolerance) continue;
            const std::uint64_t both[2] = {part.content[u], part.content[graph.other[e]]};
            const std::uint64_t key = tie_key(both, 2);
            if (key < own_key_[u]) {
                own_key_[u] = key;
                own_[u] = graph.other[e];
            }
        }
    }

    // Among the best covers: those with the fewest columns, hence the most shared pairs, then the smallest keys.
    void break_ties(const Part &part, Id n_rows, Id n_columns, Watch &watch) {
        using Big = Int128;
        const Big once = Big(1) << 64, must = Big(1) << 90;
        tie_first_.assign(1, 0);
        tie_column_.clear();
        tie_gain_.clear();
        for (Id r = 0; r < n_rows; ++r) {
            for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e) {
                const double yr = matching_.price_of_row[r], yc = matching_.price_of_column[edge_column_[e]];
                if (yr + yc - edge_gain_[e] > tolerance) continue;
                const Id u = rows_[r], v = columns_of_[edge_column_[e]];
                const std::uint64_t both[2] = {part.content[u], part.content[v]};
                Big gain = once + Big(own_key_[u]) + Big(own_key_[v]) - Big(tie_key(both, 2));
                if (yr > tolerance) gain += must;
                if (yc > tolerance) gain += must;
                tie_column_.push_back(edge_column_[e]);
                tie_gain_.push_back(gain);
            }
            tie_first_.push_back(static_cast<Id>(tie_column_.size()));
        }
        tie_matching_.run(n_rows, n_columns, tie_first_, tie_column_, tie_gain_, watch);
        matching_.mate_of_row = tie_matching_.mate_of_row;
        matching_.mate_of_column = tie_matching_.mate_of_column;
    }

    void pair_up(Id n_rows) {
        done_.assign(dual.size(), 0);
        const auto take = [&](Id u, Id v, double cost) {
            const Id pair[2] = {std::min(u, v), std::max(u, v)};
            cover.add(pair, pair + 2, cost);
        };
        for (Id r = 0; r < n_rows; ++r)
            if (matching_.mate_of_row[r] >= 0) {
                const Id u = rows_[r], v = columns_of_[matching_.mate_of_row[r]];
                take(u, v, dual[u] + dual[v]);
                done_[u] = done_[v] = 1;
            }
        const Id m = static_cast<Id>(dual.size());
        for (Id u = 0; u < m; ++u) {
            if (done_[u]) continue;
            done_[u] = 1;
            if (own_[u] < 0) cover.add(&u, &u + 1, 1.0);
            else {
                take(u, own_[u], cheapest_[u]);
                if (own_[own_[u]] == u) done_[own_[u]] = 1;  // both take the same pair, which is paid once
            }
        }
    }

    friend class ColumnSolver<CoverSolver, CoverFrontier>;
    static constexpr double lowest_dual = 0;
    static constexpr int sweeps = 20;
    static constexpr bool any_seed = false;  // `repair` and `list` go along the continuum
    static constexpr double widening = 1.5;
    static constexpr double most_widening = 1e300;

    // Panels are aligned, not covered.
    static bool takes_panels(const Part &, const Watch &) { return false; }
    bool prove_by_panels(const Part &, Watch &) { return false; }
    void prove_by_larger_panels(const Part &, Watch &) {}

    void prepare(const Duals &duals) { blocks_.search().dual = &duals.dual; }

    void list(const Part &part, Id u, double guess, Wide most, Watch &watch) {
        of_seed_.clear();
        pool_.pricing.list(u, exact_.dual, -guess - tolerance, 20 * most, most, of_seed_, watch);
        maximal_.filter(part, u, of_seed_, listed_);
        watch.expired(of_seed_.member.size());
    }

    // Duals that hold for every column. A seed gives up its violation; where its dual is smaller than that, all its
    // later neighbours give up the rest: each column of the seed then has a member that gave enough, or duals of 0.
    void repair(const Part &part) {
        const Id m = part.size();
        exact_.dual = pool_.duals.dual;
        give_.assign(pool_.violation.begin(), pool_.violation.end());
        for (Id u = 0; u < m; ++u) {
            const double rest = pool_.violation[u] - pool_.duals.dual[u];
            if (rest <= 0) continue;
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u) give_[part.graph.other[e]] = std::max(give_[part.graph.other[e]], rest);
        }
        for (Id u = 0; u < m; ++u) exact_.dual[u] = std::max(0.0, exact_.dual[u] - give_[u]);
        proof_.keep(exact_);
    }

    // A cover from the pool, without looking ahead: for the first unit not covered yet, the column that adds least.
    void improve_from_pool(const Part &part, Watch &) {
        const Id m = part.size();
        done_.assign(m, 0);
        walked_.clear();
        double cost = 0;
        for (Id u = 0; u < m; ++u) {
            if (done_[u]) continue;
            double least = infinity_;
            Id chosen = -1;
            for (Id k = pool_.incidence.first[u]; k < pool_.incidence.first[u + 1]; ++k) {
                const Id c = pool_.incidence.column[k];
                double length = pool_.duals.rc[c];
                for (const Id *v = pool_.columns.begin(c); v != pool_.columns.end(c); ++v)
                    if (done_[*v]) length += pool_.duals.dual[*v];
                if (length < least) {
                    least = length;
                    chosen = c;
                }
            }
            for (const Id *v = pool_.columns.begin(chosen); v != pool_.columns.end(chosen); ++v) done_[*v] = 1;
            walked_.add(pool_.columns.begin(chosen), pool_.columns.end(chosen), pool_.columns.cost[chosen]);
            cost += pool_.columns.cost[chosen];
        }
        keep_best(cost, [&] { best_cover_ = walked_; });
    }

    void improve(const Part &part, double open, Watch &watch) {
        if (open < 10 * pool_.least) improve_from_pool(part, watch);
    }

    // An alignment is a cover, too.
    void keep_clusters() {
        keep_best(clusters_.cost, [&] {
            best_cover_.clear();
            clusters_.each([&](const std::vector<Id> &members, double cost) {
                best_cover_.add(members.data(), members.data() + members.size(), cost);
            });
        });
    }

    void accept(const Part &, const Columns &columns, const std::vector<Id> &chosen) {
        for (Id c : chosen) cover.add(columns.begin(c), columns.end(c), columns.cost[c]);
    }

    void accept_best() { cover = best_cover_; }

    Columns of_seed_, walked_, best_cover_;
    Maximal maximal_;
    Matching<double> matching_;
    Matching<Int128> tie_matching_;
    std::vector<Id> rows_, columns_of_, index_, own_;
    std::vector<Id> edge_first_, edge_column_, tie_first_, tie_column_;
    std::vector<double> cheapest_, edge_gain_, give_;
    std::vector<Int128> tie_gain_;
    std::vector<std::uint64_t> own_key_;
    std::vector<char> done_;
};

}  // namespace unisono
