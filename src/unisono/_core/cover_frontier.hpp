// SPDX-License-Identifier: MIT
// The steps of a cover, for soft alignments: units may be covered more than once.
//
// Take any cover and go along it: for the first unit p that is not covered yet, choose one of its columns. The column's
// other units may be covered already; each of them costs its dual, because the column's reduced cost has subtracted the
// duals of all its units. Duals are not negative, so no step is. Every cover without a redundant column is such a path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "frontier.hpp"

namespace unisono {

class CoverFrontier : public Frontier<CoverFrontier> {
  public:
    CoverFrontier() { fewest_ = true; }

    const std::vector<double> *dual = nullptr;  // of each unit, none below 0

  private:
    friend class Frontier<CoverFrontier>;

    // Steps of length <= most, by the unit p that they are taken for, shortest first: one for each unit of each column,
    // with the column's units after p as a bit mask; those before p are covered whenever p is the first that is not.
    void collect(double most) {
        const Columns &columns = *columns_;
        const Id m = part_->size();
        entries_.clear();
        Id span = 0;
        for (Id c = 0; c < columns.size(); ++c) {
            double length = std::max(0.0, (*rc_)[c]);
            const Id last = columns.end(c)[-1];
            for (const Id *u = columns.begin(c); u != columns.end(c) && length <= most; length += (*dual)[*u++]) {
                entries_.push_back({*u, c, length});
                span = std::max(span, last - *u);
            }
        }
        words_ = static_cast<std::size_t>(span) / 64 + 1;
        std::sort(entries_.begin(), entries_.end(), [](const Entry &a, const Entry &b) {
            if (a.unit != b.unit) return a.unit < b.unit;
            return a.length < b.length || (a.length == b.length && a.column < b.column);
        });
        first_.assign(m + 1, 0);
        column_.resize(entries_.size());
        last_.resize(entries_.size());
        masks_.assign(cells(entries_.size(), words_), 0);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Id p = entries_[i].unit, c = entries_[i].column;
            ++first_[p + 1];
            column_[i] = c;
            last_[i] = columns.end(c)[-1];
            mark(i, p, std::upper_bound(columns.begin(c), columns.end(c), p), columns.end(c));
        }
        for (Id u = 0; u < m; ++u) first_[u + 1] += first_[u];
    }

    // The next step from entry k on goes into the queue.
    void advance(Id s, Id k, double most) {
        for (; k < first_[position_[s] + 1]; ++k) {
            const double length = cost_[s] + entries_[k].length;
            if (length > most + tolerance) return;
            if (columns_->seed(column_[k]) < from_ || last_[k] >= to_) continue;
            push({length, s, k, false});
            return;
        }
    }

    // The duals of the units after the position that the entry's column covers once more.
    double surcharge(Id s, Id k) const {
        double sum = 0;
        for (std::size_t i = 0; i < words_; ++i)
            for (std::uint64_t both = covered(s)[i] & mask(k)[i]; both; both &= both - 1)
                sum += (*dual)[position_[s] + 1 + static_cast<Id>(64 * i) + trailing_zeros(both)];
        return sum;
    }

    struct Entry {
        Id unit, column;
        double length;
    };
    std::vector<Entry> entries_;
};

}  // namespace unisono
