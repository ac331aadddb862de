// SPDX-License-Identifier: MIT
// Two annotators: the best alignment is a matching of greatest gain, where aligning u and v gains
// delta + w(u,v) over leaving both alone. Shortest augmenting paths on the sparse graph, with prices as the proof:
// price[u] + price[v] >= gain for every pair, with equality on the matched ones, and 0 for units that stay alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "portable.hpp"
#include "watch.hpp"

namespace unisono {

// Gains are doubles for the costs, 128-bit integers when ties are broken.
template <class Gain> class Matching {
  public:
    std::vector<Id> mate_of_row, mate_of_column;  // -1: alone
    std::vector<Gain> price_of_row, price_of_column;

    // Row r has the edges first[r] .. first[r+1), to column[e], with gain[e] > 0.
    void run(Id rows, Id columns, const std::vector<Id> &first, const std::vector<Id> &column,
             const std::vector<Gain> &gain, Watch &watch) {
        mate_of_row.assign(rows, -1);
        mate_of_column.assign(columns, -1);
        price_of_row.assign(rows, Gain(0));
        price_of_column.assign(columns, Gain(0));
        distance_.resize(columns);
        via_.resize(columns);
        seen_.assign(columns, -1);
        settled_.assign(columns, -1);
        row_distance_.resize(rows);
        for (Id r = 0; r < rows; ++r) {
            Gain most = Gain(0);
            Id best = -1;
            for (Id e = first[r]; e < first[r + 1]; ++e)
                if (gain[e] > most) {
                    most = gain[e];
                    best = column[e];
                }
            price_of_row[r] = most;
            if (best >= 0 && mate_of_column[best] < 0) join(r, best);
        }
        for (Id r = 0; r < rows; ++r)
            if (mate_of_row[r] < 0 && price_of_row[r] > Gain(0)) augment(r, first, column, gain, watch);
    }

  private:
    void join(Id r, Id c) {
        mate_of_row[r] = c;
        mate_of_column[c] = r;
    }

    // Dijkstra from row r over slacks. It ends at a free column, or at a row that is better left alone.
    void augment(Id root, const std::vector<Id> &first, const std::vector<Id> &column, const std::vector<Gain> &gain,
                 Watch &watch) {
        heap_.clear();
        path_rows_.clear();
        path_columns_.clear();
        Id row = root, end_row = root, end_column = -1;
        Gain here = Gain(0), best = price_of_row[root];
        while (true) {
            row_distance_[row] = here;
            path_rows_.push_back(row);
            if (here + price_of_row[row] < best) {
                best = here + price_of_row[row];
                end_row = row;
            }
            for (Id e = first[row]; e < first[row + 1]; ++e) {
                const Id c = column[e];
                if (settled_[c] == root) continue;
                Gain slack = price_of_row[row] + price_of_column[c] - gain[e];
                if (slack < Gain(0)) slack = Gain(0);
                const Gain reached = here + slack;
                if (reached >= best || (seen_[c] == root && reached >= distance_[c])) continue;
                seen_[c] = root;
                distance_[c] = reached;
                via_[c] = row;
                heap_.push_back({reached, c});
                std::push_heap(heap_.begin(), heap_.end());
            }
            watch.expired(1 + first[row + 1] - first[row]);
            Id c = -1;
            while (!heap_.empty()) {
                std::pop_heap(heap_.begin(), heap_.end());
                const Item item = heap_.back();
                heap_.pop_back();
                if (settled_[item.column] == root || item.distance > distance_[item.column]) continue;
                c = item.column;
                break;
            }
            if (c < 0 || distance_[c] >= best) break;
            settled_[c] = root;
            here = distance_[c];
            if (mate_of_column[c] < 0) {
                best = here;
                end_column = c;
                break;
            }
            path_columns_.push_back(c);
            row = mate_of_column[c];
        }
        for (Id r : path_rows_)
            if (row_distance_[r] < best) price_of_row[r] -= best - row_distance_[r];
        for (Id c : path_columns_)
            if (distance_[c] < best) price_of_column[c] += best - distance_[c];
        if (end_column < 0) {
            if (end_row == root) {
                price_of_row[root] = Gain(0);
                return;
            }
            price_of_row[end_row] = Gain(0);
            end_column = mate_of_row[end_row];
            mate_of_row[end_row] = -1;
        }
        for (Id c = end_column; c >= 0;) {  // flip the path back to the root
            const Id r = via_[c], previous = mate_of_row[r];
            join(r, c);
            c = r == root ? -1 : previous;
        }
    }

    struct Item {
        Gain distance;
        Id column;
        bool operator<(const Item &o) const {  // smallest distance on top
            return distance > o.distance || (distance == o.distance && column > o.column);
        }
    };
    std::vector<Gain> distance_, row_distance_;
    std::vector<Id> via_, seen_, settled_, path_rows_, path_columns_;
    std::vector<Item> heap_;
};

}  // namespace unisono
