// SPDX-License-Identifier: MIT
// The best alignment of two annotators' units, with its proof: a matching (see matching.hpp), ties broken by contents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "matching.hpp"
#include "tie_key.hpp"
#include "watch.hpp"

namespace unisono {

class TwoAnnotators {
  public:
    std::vector<Id> mate;      // of each unit; -1: alone
    std::vector<double> dual;  // of each unit
    double bound = 0;          // the sum of the duals

    // Units 0..m-1 in the order of the continuum, pairs in any order. Nothing depends on which of the two annotators
    // is which: the rows of the matching are the units of the one who comes first.
    void run(Id m, const Id *annotator, const std::uint64_t *content, const std::vector<Pair> &pairs, bool ties_matter,
             Watch &watch) {
        sides(m, annotator);
        edges(annotator, pairs);
        matching_.run(n_rows(), n_columns(), edge_first_, edge_column_, edge_gain_, watch);
        dual.resize(m);
        bound = 0;
        for (Id r = 0; r < n_rows(); ++r) bound += dual[side_[0][r]] = 1 - matching_.price_of_row[r];
        for (Id c = 0; c < n_columns(); ++c) bound += dual[side_[1][c]] = 1 - matching_.price_of_column[c];
        if (ties_matter) break_ties(content, watch);
        mate.assign(m, -1);
        for (Id r = 0; r < n_rows(); ++r)
            if (const Id c = matching_.mate_of_row[r]; c >= 0) {
                mate[side_[0][r]] = side_[1][c];
                mate[side_[1][c]] = side_[0][r];
            }
    }

  private:
    Id n_rows() const { return count_[0]; }
    Id n_columns() const { return count_[1]; }

    void sides(Id m, const Id *annotator) {
        for (std::vector<Id> &side : side_) side.resize(m);
        index_.resize(m);
        Id columns = 0;
        for (Id u = 0; u < m; ++u) {
            const bool is_column = annotator[u] != annotator[0];
            const Id at = either(is_column, columns, u - columns);
            side_[is_column][at] = u;
            index_[u] = at;
            columns += is_column;
        }
        count_[0] = m - columns;
        count_[1] = columns;
    }

    // The pairs by rows. Prices y give the duals 1 - y, so aligning a pair gains 1 + w over leaving both alone.
    void edges(const Id *annotator, const std::vector<Pair> &pairs) {
        edge_first_.assign(n_rows() + 2, 0);
        edge_column_.resize(pairs.size());
        edge_gain_.resize(pairs.size());
        const auto row = [&](const Pair &p) { return either(annotator[p.u] == annotator[0], p.u, p.v); };
        for (const Pair &p : pairs) ++edge_first_[index_[row(p)] + 2];
        for (Id r = 0; r < n_rows(); ++r) edge_first_[r + 2] += edge_first_[r + 1];
        for (const Pair &p : pairs) {
            const Id u = row(p), at = edge_first_[index_[u] + 1]++;
            edge_column_[at] = index_[p.u ^ p.v ^ u];
            edge_gain_[at] = std::max(0.0, 1 + p.w);
        }
    }

    // Among the best matchings: those with the fewest pairs, then the smallest sum of content keys. The best ones
    // use tight edges only, and match every unit whose price is above 0.
    void break_ties(const std::uint64_t *content, Watch &watch) {
        const auto &row_price = matching_.price_of_row, &column_price = matching_.price_of_column;
        tight_.resize(edge_gain_.size() + 1);
        row_ties_.resize(n_rows());
        column_ties_.assign(n_columns(), 0);
        std::size_t n_tight = 0;
        for (Id r = 0; r < n_rows(); ++r) {
            const std::size_t before = n_tight;
            for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e) {
                const Id c = edge_column_[e];
                const bool is_tight = row_price[r] + column_price[c] - edge_gain_[e] <= tolerance;
                tight_[n_tight] = {r, c};
                n_tight += is_tight;
                column_ties_[c] += is_tight;
            }
            row_ties_[r] = static_cast<Id>(n_tight - before);
        }
        tight_.resize(n_tight);
        force();
        if (tight_.empty()) return;
        tie_first_.assign(n_rows() + 1, 0);
        tie_column_.clear();
        tie_gain_.clear();
        using Big = Int128;
        const Big once = Big(1) << 64, must = Big(1) << 90;
        for (const Tight &t : tight_) {
            const std::uint64_t both[2] = {content[side_[0][t.row]], content[side_[1][t.column]]};
            Big gain = -once + Big(tie_key(both, 1)) + Big(tie_key(both + 1, 1)) - Big(tie_key(both, 2));
            if (row_price[t.row] > tolerance) gain += must;
            if (column_price[t.column] > tolerance) gain += must;
            if (gain < 0) continue;  // both units may stay alone
            tie_column_.push_back(t.column);
            tie_gain_.push_back(gain);
            ++tie_first_[t.row + 1];
        }
        for (Id r = 0; r < n_rows(); ++r) tie_first_[r + 1] += tie_first_[r];
        tie_matching_.run(n_rows(), n_columns(), tie_first_, tie_column_, tie_gain_, watch);
        for (Id r = 0; r < n_rows(); ++r)
            if (tie_matching_.mate_of_row[r] >= 0) matching_.mate_of_row[r] = tie_matching_.mate_of_row[r];
    }

    // A unit that must be matched and has one tight edge left is matched along it. What is undecided after a few passes
    // stays in `tight_`; all other units stay alone.
    void force() {
        std::vector<Id> &mate_of_row = matching_.mate_of_row, &mate_of_column = matching_.mate_of_column;
        std::fill(mate_of_row.begin(), mate_of_row.end(), -1);
        std::fill(mate_of_column.begin(), mate_of_column.end(), -1);
        bool moved = true;
        for (int pass = 0; pass < 8 && moved; ++pass) {
            moved = false;
            std::size_t kept = 0;
            for (const Tight &t : tight_) {
                Id &rows = row_ties_[t.row], &columns = column_ties_[t.column];
                if (mate_of_row[t.row] >= 0 || mate_of_column[t.column] >= 0) {
                    --rows;
                    --columns;
                } else if ((rows == 1 && matching_.price_of_row[t.row] > tolerance) ||
                           (columns == 1 && matching_.price_of_column[t.column] > tolerance)) {
                    mate_of_row[t.row] = t.column;
                    mate_of_column[t.column] = t.row;
                    moved = true;
                } else tight_[kept++] = t;
            }
            tight_.resize(kept);
        }
        // The last pass may have taken partners from edges that it had kept.
        const auto is_taken = [&](const Tight &t) { return mate_of_row[t.row] >= 0 || mate_of_column[t.column] >= 0; };
        tight_.erase(std::remove_if(tight_.begin(), tight_.end(), is_taken), tight_.end());
    }

    struct Tight {
        Id row, column;
    };
    std::vector<Id> side_[2], index_;  // the units of rows and columns; of each unit its row or column
    Id count_[2] = {0, 0};
    std::vector<Id> edge_first_, edge_column_, tie_first_, tie_column_, row_ties_, column_ties_;
    std::vector<double> edge_gain_;
    std::vector<Tight> tight_;
    std::vector<Int128> tie_gain_;
    Matching<double> matching_;
    Matching<Int128> tie_matching_;
};

}  // namespace unisono
