// SPDX-License-Identifier: MIT
// The best alignment of one part, with its proof: closed form, matching, listed columns or priced columns.
#pragma once

#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "clusters.hpp"
#include "columns.hpp"
#include "duals.hpp"
#include "matching.hpp"
#include "pool.hpp"
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

    // Two annotators (or one, the other having no units). Prices y give the duals 1 - y; ties are broken on the edges
    // that the prices leave tight.
    void match(const Part &part, Watch &watch) {
        const Id m = part.size();
        rows_.clear();
        index_.resize(m);
        Id n_columns = 0;
        for (Id u = 0; u < m; ++u)
            if (part.annotator[u] == 0) {
                index_[u] = static_cast<Id>(rows_.size());
                rows_.push_back(u);
            } else index_[u] = n_columns++;
        const Id n_rows = static_cast<Id>(rows_.size());
        const std::size_t n_edges = part.graph.w.size() / 2;
        edge_first_.resize(n_rows + 1);
        edge_column_.resize(n_edges);
        edge_gain_.resize(n_edges);
        edge_other_.resize(n_edges);
        Id at = 0;
        for (Id r = 0; r < n_rows; ++r) {
            edge_first_[r] = at;
            for (Id e = part.graph.first[rows_[r]]; e < part.graph.first[rows_[r] + 1]; ++e, ++at) {
                edge_other_[at] = part.graph.other[e];
                edge_column_[at] = index_[edge_other_[at]];
                edge_gain_[at] = std::max(0.0, 1 + part.graph.w[e]);
            }
        }
        edge_first_[n_rows] = at;
        matching_.run(n_rows, n_columns, edge_first_, edge_column_, edge_gain_, watch);
        dual.resize(m);
        for (Id u = 0; u < m; ++u)
            dual[u] = 1 - (part.annotator[u] == 0 ? matching_.price_of_row : matching_.price_of_column)[index_[u]];
        if (part.ties_matter) break_ties(part, n_rows, n_columns, watch);
        const std::vector<Id> &mate = matching_.mate_of_row;
        label.assign(m, -1);
        n_labels = 0;
        other_.resize(n_columns);
        for (Id u = 0; u < m; ++u)
            if (part.annotator[u] != 0) other_[index_[u]] = u;
        for (Id r = 0; r < n_rows; ++r) {
            label[rows_[r]] = n_labels;
            if (mate[r] >= 0) label[other_[mate[r]]] = n_labels;
            ++n_labels;
        }
        for (Id u = 0; u < m; ++u)
            if (label[u] < 0) label[u] = n_labels++;
        bound = 0;
        for (double d : dual) bound += d;
    }

    // Among the best matchings: those with the fewest pairs, then the smallest sum of content keys. The best ones go
    // along tight edges and leave nobody of a price above 0 alone.
    void break_ties(const Part &part, Id n_rows, Id n_columns, Watch &watch) {
        const auto &row_price = matching_.price_of_row, &column_price = matching_.price_of_column;
        tight_.clear();
        row_ties_.assign(n_rows, 0);
        column_ties_.assign(n_columns, 0);
        for (Id r = 0; r < n_rows; ++r)
            for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e)
                if (row_price[r] + column_price[edge_column_[e]] - edge_gain_[e] <= tolerance) {
                    tight_.push_back({r, edge_column_[e], edge_other_[e]});
                    ++row_ties_[r];
                    ++column_ties_[edge_column_[e]];
                }
        force(n_rows);
        if (tight_.empty()) return;
        tie_first_.assign(n_rows + 1, 0);
        tie_column_.clear();
        tie_gain_.clear();
        using Big = __int128;
        const Big once = Big(1) << 64, must = Big(1) << 90;
        for (const Tight &t : tight_) {
            const std::uint64_t cu = part.content[rows_[t.row]], cv = part.content[t.other];
            const std::uint64_t both[2] = {cu, cv};
            Big gain = -once + Big(Frontier::tie_key(&cu, 1)) + Big(Frontier::tie_key(&cv, 1)) -
                       Big(Frontier::tie_key(both, 2));
            if (row_price[t.row] > tolerance) gain += must;
            if (column_price[t.column] > tolerance) gain += must;
            if (gain < 0) continue;  // neither of the two needs a partner
            tie_column_.push_back(t.column);
            tie_gain_.push_back(gain);
            ++tie_first_[t.row + 1];
        }
        for (Id r = 0; r < n_rows; ++r) tie_first_[r + 1] += tie_first_[r];
        tie_matching_.run(n_rows, n_columns, tie_first_, tie_column_, tie_gain_, watch);
        for (Id r = 0; r < n_rows; ++r)
            if (tie_matching_.mate_of_row[r] >= 0) matching_.mate_of_row[r] = tie_matching_.mate_of_row[r];
    }

    // Who needs a partner and has one tight edge left takes it: there is no choice. What a few passes leave undecided
    // stays in `tight_`, everybody else alone.
    void force(Id n_rows) {
        std::vector<Id> &mate = matching_.mate_of_row, &mate_of_column = matching_.mate_of_column;
        mate.assign(n_rows, -1);
        std::fill(mate_of_column.begin(), mate_of_column.end(), -1);
        bool moved = true;
        for (int pass = 0; pass < 8 && moved; ++pass) {
            moved = false;
            std::size_t kept = 0;
            for (const Tight &t : tight_) {
                Id &rows = row_ties_[t.row], &columns = column_ties_[t.column];
                if (mate[t.row] >= 0 || mate_of_column[t.column] >= 0) {
                    --rows;
                    --columns;
                } else if ((rows == 1 && matching_.price_of_row[t.row] > tolerance) ||
                           (columns == 1 && matching_.price_of_column[t.column] > tolerance)) {
                    mate[t.row] = t.column;
                    mate_of_column[t.column] = t.row;
                    moved = true;
                } else tight_[kept++] = t;
            }
            tight_.resize(kept);
        }
        // The last pass may have taken partners from edges that it had kept.
        tight_.erase(std::remove_if(tight_.begin(), tight_.end(),
                                    [&](const Tight &t) { return mate[t.row] >= 0 || mate_of_column[t.column] >= 0; }),
                     tight_.end());
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
        if (best_ == infinity_) {
            clusters_.greedy(part, watch);
            keep_best();
        }
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
    Matching<double> matching_;
    Matching<__int128> tie_matching_;
    std::vector<Id> rows_, index_, other_, renumber_, best_label_;
    std::vector<Id> edge_first_, edge_column_, edge_other_, tie_first_, tie_column_, row_ties_, column_ties_;
    std::vector<double> edge_gain_;
    struct Tight {
        Id row, column, other;  // other: the column's unit
    };
    std::vector<Tight> tight_;
    std::vector<__int128> tie_gain_;
    double best_ = 0;
    std::size_t patience_ = 1;
};

}  // namespace unisono

#include "price.hpp"
