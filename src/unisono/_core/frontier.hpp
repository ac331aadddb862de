// SPDX-License-Identifier: MIT
// The search that finds the best choice of columns for a range of units among given columns, and proves it.
//
// Always cover the first unit that is not covered yet. A state is the position of that unit and the set of later units
// already covered; a step covers it with one of its columns. Every choice is one path from the start to the end whose
// length is its cost less the sum of the duals; no step is negative, so the first path that the cheapest-first search
// completes is a best one. With good duals the search opens few states beside that path.
//
// The two kinds of steps are in their own classes: those of a partition (PartitionFrontier, below), where columns may
// not overlap, and those of a cover (cover_frontier.hpp), where they may.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "duals.hpp"
#include "portable.hpp"
#include "tie_key.hpp"
#include "watch.hpp"

namespace unisono {

enum class Found { yes, no, unknown };  // unknown: a limit stopped the search

// `Kind` lists the steps from each unit (`collect`), offers the next one (`advance`) and says what a step costs on top
// of its column's reduced cost (`surcharge`).
template <class Kind> class Frontier {
  public:
    std::vector<Id> chosen;  // columns of the best choice
    double length = 0;       // its summed reduced costs
    std::size_t states_opened = 0;

    // Makes the columns of reduced cost <= most ready: by the unit they cover first, cheapest first.
    void prepare(const Part &part, const Columns &columns, const std::vector<double> &rc, double most) {
        part_ = &part;
        columns_ = &columns;
        rc_ = &rc;
        kind().collect(most);
    }

    // The shortest path from unit `from` to unit `to` whose length is <= most, by columns that lie between them.
    Found run(Id from, Id to, double most, Wide most_states, Watch &watch) {
        clear(from, to);
        kind().advance(keep(from, 0.0), first_[from], most);
        Id goal = -1;
        bool stopped = false;
        double optimum = most;
        while (!steps_.empty() && !stopped) {
            std::pop_heap(steps_.begin(), steps_.end());
            const Step step = steps_.back();
            steps_.pop_back();
            if (step.length > optimum + tolerance) break;
            if (!step.is_complete) {
                kind().advance(step.state, step.entry + 1, most);
                const double more = kind().surcharge(step.state, step.entry);
                if (more > 0) {  // longer than its estimate: back into the queue
                    if (step.length + more <= most + tolerance)
                        push({step.length + more, step.state, step.entry, true});
                    continue;
                }
            }
            // The next state: cover the column's units, move to the first unit left.
            const Id p = cover(step.state, step.entry);
            const Id known = find(p), c = column_[step.entry];
            if (known >= 0) {
                if (step.length <= cost_[known] + tolerance) edges_.push_back({step.state, known, c});
            } else {
                const Id t = keep(p, step.length);
                edges_.push_back({step.state, t, c});
                if (p == to_) {
                    goal = t;
                    optimum = step.length;
                    if (!part_->ties_matter) break;
                } else kind().advance(t, first_[p], most);
            }
            stopped = must_stop(goal, most_states, watch);
        }
        states_opened = position_.size();
        if (goal < 0) return stopped ? Found::unknown : Found::no;
        length = optimum;  // also when stopped: then only the comparison of ties was cut short
        choose(goal);
        return Found::yes;
    }

  protected:
    struct Step {
        double length;  // of the path with it; without the surcharge unless `is_complete`
        Id state, entry;
        bool is_complete;
        bool operator<(const Step &o) const {
            if (length != o.length) return length > o.length;
            return state != o.state ? state < o.state : entry > o.entry;
        }
    };
    struct Edge {
        Id from, to, column;
    };

    Kind &kind() { return static_cast<Kind &>(*this); }

    void push(const Step &step) {
        steps_.push_back(step);
        std::push_heap(steps_.begin(), steps_.end());
    }

    // Marks the later units of an entry's column in its mask: bit 0 is the unit after p.
    void mark(std::size_t entry, Id p, const Id *unit, const Id *end) {
        for (; unit != end; ++unit) {
            const std::size_t bit = static_cast<std::size_t>(*unit - p - 1);
            masks_[entry * words_ + bit / 64] |= std::uint64_t(1) << (bit % 64);
        }
    }

    const std::uint64_t *covered(Id s) const { return &covered_[static_cast<std::size_t>(s) * words_]; }
    const std::uint64_t *mask(Id k) const { return &masks_[static_cast<std::size_t>(k) * words_]; }

    const Part *part_ = nullptr;
    Id from_ = 0, to_ = 0;
    std::size_t words_ = 1;
    const Columns *columns_ = nullptr;
    const std::vector<double> *rc_ = nullptr;
    // The entries: steps from each unit, first_[p] to first_[p + 1]; the column of each, its last unit, its later
    // units.
    std::vector<Id> first_, column_, last_;
    std::vector<std::uint64_t> masks_;
    std::vector<Id> position_;
    std::vector<double> cost_;
    std::vector<std::uint64_t> covered_;
    std::vector<Edge> edges_;
    std::vector<Id> order_;
    std::vector<char> on_path_;
    std::size_t looked_at_ = 0;  // entries, since the watch was told
    bool fewest_ = false;        // among best choices the one with the fewest columns wins, not the one with the most

  private:
    void clear(Id from, Id to) {
        from_ = from;
        to_ = to;
        position_.clear();
        cost_.clear();
        covered_.clear();
        steps_.clear();
        edges_.clear();
        std::size_t slots = 64;
        while (slots < 4 * static_cast<std::size_t>(to - from)) slots *= 2;
        table_.assign(slots, -1);
        scratch_.assign(words_, 0);
    }

    Wide bytes() const {
        return Wide{32} * position_.size() + Wide{8} * (covered_.size() + masks_.size()) +
               Wide{sizeof(Step)} * steps_.size() + edges_.size() * 12 + table_.size() * 4;
    }

    // After the end was reached only ties are left to compare: they are allowed more states.
    bool must_stop(Id goal, Wide most_states, Watch &watch) {
        const std::size_t work = 8 + looked_at_;
        looked_at_ = 0;
        return position_.size() > (goal < 0 ? most_states : 20 * most_states) || watch.expired(work) ||
               watch.too_big(bytes());
    }

    // Writes the covered set of the next state to scratch_ and returns its position.
    Id cover(Id s, Id k) {
        const std::uint64_t *before = covered(s), *added = mask(k);
        Id p = position_[s] + 1;
        for (std::size_t i = 0; i < words_; ++i) scratch_[i] = before[i] | added[i];
        while (scratch_[0] == ~std::uint64_t(0)) {
            for (std::size_t i = 0; i + 1 < words_; ++i) scratch_[i] = scratch_[i + 1];
            scratch_[words_ - 1] = 0;
            p += 64;
        }
        const int ones = trailing_zeros(~scratch_[0]);
        p += ones;
        if (p >= to_) {
            std::fill(scratch_.begin(), scratch_.end(), 0);
            return to_;
        }
        const int by = ones + 1;  // the bit of the new position itself goes too
        if (by == 64) {
            for (std::size_t i = 0; i + 1 < words_; ++i) scratch_[i] = scratch_[i + 1];
            scratch_[words_ - 1] = 0;
        } else
            for (std::size_t i = 0; i < words_; ++i)
                scratch_[i] = (scratch_[i] >> by) | (i + 1 < words_ ? scratch_[i + 1] << (64 - by) : 0);
        return p;
    }

    std::size_t slot(Id p) const {
        std::uint64_t h = static_cast<std::uint64_t>(p) * 0x9E3779B97F4A7C15ull;
        for (std::uint64_t word : scratch_) {
            h ^= word;
            h *= 0xBF58476D1CE4E5B9ull;
            h ^= h >> 29;
        }
        return h & (table_.size() - 1);
    }

    bool same(Id s, Id p) const {
        return position_[s] == p && std::equal(scratch_.begin(), scratch_.end(), covered(s));
    }

    Id find(Id p) const {
        for (std::size_t at = slot(p);; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at] < 0) return -1;
            if (same(table_[at], p)) return table_[at];
        }
    }

    // A new state: position p, covered as in scratch_.
    Id keep(Id p, double length) {
        const Id s = static_cast<Id>(position_.size());
        position_.push_back(p);
        cost_.push_back(length);
        covered_.insert(covered_.end(), scratch_.begin(), scratch_.end());
        if (2 * position_.size() > table_.size()) grow();
        else enter(s, p);
        return s;
    }

    void enter(Id s, Id p) {
        std::size_t at = slot(p);
        while (table_[at] >= 0) at = (at + 1) & (table_.size() - 1);
        table_[at] = s;
    }

    void grow() {
        table_.assign(2 * table_.size(), -1);
        const std::vector<std::uint64_t> kept = scratch_;
        for (std::size_t s = 0; s < position_.size(); ++s) {
            std::copy_n(&covered_[s * words_], words_, scratch_.begin());
            enter(static_cast<Id>(s), position_[s]);
        }
        scratch_ = kept;
    }

    // Among the shortest paths: the most columns (units that gain nothing by being together stay apart), then the
    // smallest sum of content keys (see tie_key.hpp).
    void choose(Id goal) {
        chosen.clear();
        best_edge_.assign(position_.size(), -1);
        key_.assign(position_.size(), {0, 0});
        on_path_.assign(position_.size(), 0);
        on_path_[goal] = 1;
        // Backwards along tight edges; every edge goes to a later position.
        order_.resize(edges_.size());
        for (std::size_t i = 0; i < edges_.size(); ++i) order_[i] = static_cast<Id>(i);
        std::sort(order_.begin(), order_.end(), [&](Id a, Id b) {
            const Id pa = position_[edges_[a].from], pb = position_[edges_[b].from];
            return pa > pb || (pa == pb && a < b);
        });
        for (Id i : order_) {
            const Edge &e = edges_[i];
            if (!on_path_[e.to]) continue;
            const Key key{key_[e.to].columns + 1, key_[e.to].content + key_of(e.column)};
            if (!on_path_[e.from] || before(key, key_[e.from])) {
                on_path_[e.from] = 1;
                key_[e.from] = key;
                best_edge_[e.from] = i;
            }
        }
        for (Id s = 0; s != goal;) {
            const Edge &e = edges_[best_edge_[s]];
            chosen.push_back(e.column);
            s = e.to;
        }
    }

    std::uint64_t key_of(Id c) {
        contents_.clear();
        for (const Id *u = columns_->begin(c); u != columns_->end(c); ++u) contents_.push_back(part_->content[*u]);
        return tie_key(contents_.data(), contents_.size());
    }

    struct Key {
        std::uint64_t columns, content;
    };
    bool before(const Key &a, const Key &b) const {
        if (a.columns != b.columns) return (a.columns < b.columns) == fewest_;
        return a.content < b.content;
    }

    std::vector<std::uint64_t> scratch_, contents_;
    std::vector<Id> table_, best_edge_;
    std::vector<Step> steps_;
    std::vector<Key> key_;
};

// Steps of a partition: the column's seed is the first unit that is not covered, and none of its units is covered yet.
template <class Self> class PartitionSteps : public Frontier<Self> {
  protected:
    friend class Frontier<Self>;
    using Frontier<Self>::columns_, Frontier<Self>::rc_, Frontier<Self>::first_, Frontier<Self>::column_;
    using Frontier<Self>::last_, Frontier<Self>::words_, Frontier<Self>::masks_;

    // Columns of reduced cost <= most, by seed, cheapest first, each with the set of its later units as a bit mask.
    void collect(double most) {
        const Columns &columns = *columns_;
        const Id m = this->part_->size();
        first_.assign(m + 1, 0);
        Id span = 0;
        for (Id c = 0; c < columns.size(); ++c)
            if ((*rc_)[c] <= most) {
                ++first_[columns.seed(c) + 1];
                span = std::max(span, columns.end(c)[-1] - columns.seed(c));
            }
        for (Id u = 0; u < m; ++u) first_[u + 1] += first_[u];
        words_ = static_cast<std::size_t>(span) / 64 + 1;
        column_.resize(first_[m]);
        fill_.assign(first_.begin(), first_.end() - 1);
        for (Id c = 0; c < columns.size(); ++c)
            if ((*rc_)[c] <= most) column_[fill_[columns.seed(c)]++] = c;
        for (Id u = 0; u < m; ++u)
            std::sort(column_.begin() + first_[u], column_.begin() + first_[u + 1],
                      [&](Id a, Id b) { return (*rc_)[a] < (*rc_)[b] || ((*rc_)[a] == (*rc_)[b] && a < b); });
        masks_.assign(cells(column_.size(), words_), 0);
        last_.resize(column_.size());
        length_.resize(column_.size());
        for (std::size_t i = 0; i < column_.size(); ++i) {
            const Id c = column_[i];
            last_[i] = columns.end(c)[-1];
            length_[i] = std::max(0.0, (*rc_)[c]);
            this->mark(i, columns.seed(c), columns.begin(c) + 1, columns.end(c));
        }
    }

    // The next column from entry k on that fits state s goes into the queue.
    void advance(Id s, Id k, double most) {
        const std::uint64_t *covered = this->covered(s);
        const Id begin = k;
        for (const Id end = first_[this->position_[s] + 1]; k < end; ++k) {
            const double length = this->cost_[s] + length_[k];
            if (length > most + tolerance) break;
            const std::uint64_t *mask = this->mask(k);
            std::uint64_t clash = 0;
            for (std::size_t i = 0; i < words_; ++i) clash |= mask[i] & covered[i];
            if (clash || last_[k] >= this->to_) continue;
            this->push({length, s, k, false});
            break;
        }
        this->looked_at_ += static_cast<std::size_t>(k - begin);
    }

    static double surcharge(Id, Id) { return 0; }

  private:
    std::vector<Id> fill_;
    std::vector<double> length_;  // of the step of each entry
};

class PartitionFrontier : public PartitionSteps<PartitionFrontier> {};

}  // namespace unisono
