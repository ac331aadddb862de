// SPDX-License-Identifier: MIT
// The frontier search for soft alignments: units may be covered more than once.
//
// Take any cover and go along it: for the first unit p that is not covered yet, choose one of its columns. What p's
// column holds besides may be covered already: that costs the dual of each such unit, for the column's reduced cost
// takes off all of them. Duals are not negative, so no step is. Every cover without a needless column is such a path,
// and its length is its cost less the sum of the duals.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "frontier.hpp"

namespace unisono {

class CoverFrontier : public Frontier {
  public:
    CoverFrontier() { fewest_ = true; }

    const std::vector<double> *dual = nullptr;  // of each unit, none below 0

    // The shortest path from unit `from` to unit `to` whose length is <= most, by columns that lie between them.
    Found run(Id from, Id to, double most, std::size_t most_states, Watch &watch) {
        clear(from, to);
        from_ = from;
        steps_.clear();
        open(keep(from, 0.0), most);
        Id goal = -1;
        bool stopped = false;
        double optimum = most;
        while (!steps_.empty() && !stopped) {
            std::pop_heap(steps_.begin(), steps_.end());
            const Step step = steps_.back();
            steps_.pop_back();
            if (step.length > optimum + tolerance) break;
            if (!step.complete) {
                advance(step.state, step.entry + 1, most);
                const double again = covered_again(step.state, step.entry);
                if (again > 0) {  // longer than it looked: back into the queue
                    if (step.length + again <= most + tolerance)
                        push({step.length + again, step.state, step.entry, true});
                    continue;
                }
            }
            const Id p = cover(step.state, step.entry);
            const Id known = find(p), c = by_seed_[step.entry];
            if (known >= 0) {
                if (step.length <= cost_[known] + tolerance) edges_.push_back({step.state, known, c});
            } else {
                const Id t = keep(p, step.length);
                edges_.push_back({step.state, t, c});
                if (p == to_) {
                    goal = t;
                    optimum = step.length;
                    if (!part_->ties_matter) break;
                } else open(t, most);
            }
            stopped = must_stop(goal, most_states, bytes() + steps_.size() * sizeof(Step), watch);
        }
        return ended(goal, optimum, stopped);
    }

  private:
    struct Step {
        double length;  // of the path with it; without what it covers again unless `complete`
        Id state, entry;
        bool complete;
        bool operator<(const Step &o) const {
            if (length != o.length) return length > o.length;
            return state != o.state ? state < o.state : entry > o.entry;
        }
    };

    // Steps of length <= most, by the unit p that they are taken for, shortest first: one for each unit of each column,
    // with the column's units after p as a bit mask; those before p are covered whenever p is the first that is not.
    void collect(double most) override {
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
        by_seed_.resize(entries_.size());
        last_.resize(entries_.size());
        masks_.assign(entries_.size() * words_, 0);
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Id p = entries_[i].unit, c = entries_[i].column;
            ++first_[p + 1];
            by_seed_[i] = c;
            last_[i] = columns.end(c)[-1];
            for (const Id *u = columns.end(c) - 1; *u > p; --u) {
                const std::size_t bit = static_cast<std::size_t>(*u - p - 1);
                masks_[i * words_ + bit / 64] |= std::uint64_t(1) << (bit % 64);
            }
        }
        for (Id u = 0; u < m; ++u) first_[u + 1] += first_[u];
    }

    void open(Id s, double most) { advance(s, first_[position_[s]], most); }

    // The next step from entry k on goes into the queue.
    void advance(Id s, Id k, double most) {
        for (; k < first_[position_[s] + 1]; ++k) {
            const double length = cost_[s] + entries_[k].length;
            if (length > most + tolerance) return;
            if (columns_->seed(by_seed_[k]) < from_ || last_[k] >= to_) continue;
            push({length, s, k, false});
            return;
        }
    }

    void push(const Step &step) {
        steps_.push_back(step);
        std::push_heap(steps_.begin(), steps_.end());
    }

    // The duals of the units after the position that the entry's column covers once more.
    double covered_again(Id s, Id k) const {
        const std::uint64_t *covered = &covered_[static_cast<std::size_t>(s) * words_];
        const std::uint64_t *mask = &masks_[static_cast<std::size_t>(k) * words_];
        double sum = 0;
        for (std::size_t i = 0; i < words_; ++i)
            for (std::uint64_t both = covered[i] & mask[i]; both; both &= both - 1)
                sum += (*dual)[position_[s] + 1 + static_cast<Id>(64 * i) + __builtin_ctzll(both)];
        return sum;
    }

    struct Entry {
        Id unit, column;
        double length;
    };
    Id from_ = 0;
    std::vector<Entry> entries_;
    std::vector<Step> steps_;
};

}  // namespace unisono
