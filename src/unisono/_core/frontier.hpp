// SPDX-License-Identifier: MIT
// The search that finds the best partition of a range of units among given columns, and proves it.
//
// Always cover the first unit that is not covered yet. A state is the position of that unit and the set of later units
// already covered; an edge is a column with that seed and no overlap, as long as its reduced cost (>= 0). Every
// partition is one path from the start to the end, its length is its cost less the sum of the duals, so the first path
// that the cheapest-first search completes is a best one. With good duals the search is nearly a straight line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "duals.hpp"
#include "watch.hpp"

namespace unisono {

enum class Found { yes, no, unknown };  // unknown: a limit stopped the search

class Frontier {
  public:
    virtual ~Frontier() = default;

    std::vector<Id> chosen;  // columns of the best partition
    double length = 0;       // its summed reduced costs
    std::size_t states_opened = 0;

    // Columns of reduced cost <= most are made ready: by seed, cheapest first.
    void prepare(const Part &part, const Columns &columns, const std::vector<double> &rc, double most) {
        part_ = &part;
        columns_ = &columns;
        rc_ = &rc;
        collect(most);
    }

    // The shortest path from unit `from` to unit `to` whose length is <= most, by columns that lie between them.
    Found run(Id from, Id to, double most, std::size_t most_states, Watch &watch) {
        clear(from, to);
        insert(from, 0.0, most);
        Id goal = -1;
        bool stopped = false;
        double optimum = most;
        while (!heap_.empty() && !stopped) {
            std::pop_heap(heap_.begin(), heap_.end());
            const Item item = heap_.back();
            heap_.pop_back();
            if (item.length > optimum + tolerance) break;
            const Id s = item.state, k = next_[s], c = by_seed_[k];
            advance(s, k + 1, most);
            // The child: cover the column's units, move to the first unit left.
            const Id p = cover(s, k);
            const Id known = find(p);
            if (known >= 0) {
                if (item.length <= cost_[known] + tolerance) edges_.push_back({s, known, c});
            } else {
                const Id t = insert(p, item.length, most);
                edges_.push_back({s, t, c});
                if (p == to_) {
                    goal = t;
                    optimum = item.length;
                    if (!part_->ties_matter) break;
                }
            }
            stopped = must_stop(goal, most_states, bytes(), watch);
        }
        return ended(goal, optimum, stopped);
    }

    std::size_t bytes() const {
        return position_.size() * 32 + (covered_.size() + masks_.size()) * 8 + heap_.size() * 16 + edges_.size() * 12 +
               table_.size() * 4;
    }

  protected:
    struct Item {
        double length;
        Id state;
        bool operator<(const Item &o) const { return length > o.length || (length == o.length && state < o.state); }
    };
    struct Edge {
        Id from, to, column;
    };

    void clear(Id from, Id to) {
        to_ = to;
        position_.clear();
        cost_.clear();
        next_.clear();
        covered_.clear();
        heap_.clear();
        edges_.clear();
        std::size_t slots = 64;
        while (slots < 4 * static_cast<std::size_t>(to - from)) slots *= 2;
        table_.assign(slots, -1);
        scratch_.assign(words_, 0);
    }

    // Once the end is reached only the ties are left to look at: they are allowed more.
    bool must_stop(Id goal, std::size_t most_states, std::size_t memory, Watch &watch) const {
        return position_.size() > (goal < 0 ? most_states : 20 * most_states) || watch.expired(8) ||
               watch.too_big(memory);
    }

    Found ended(Id goal, double optimum, bool stopped) {
        states_opened = position_.size();
        if (goal < 0) return stopped ? Found::unknown : Found::no;
        length = optimum;  // stopped or not: only a look at ties may have been cut short
        choose(goal);
        return Found::yes;
    }

    // Columns of reduced cost <= most, by seed, cheapest first, each with the set of its later units as a bit mask.
    virtual void collect(double most) {
        const Columns &columns = *columns_;
        const Id m = part_->size();
        first_.assign(m + 1, 0);
        Id span = 0;
        for (Id c = 0; c < columns.size(); ++c)
            if ((*rc_)[c] <= most) {
                ++first_[columns.seed(c) + 1];
                span = std::max(span, columns.end(c)[-1] - columns.seed(c));
            }
        for (Id u = 0; u < m; ++u) first_[u + 1] += first_[u];
        words_ = static_cast<std::size_t>(span) / 64 + 1;
        by_seed_.resize(first_[m]);
        fill_.assign(first_.begin(), first_.end() - 1);
        for (Id c = 0; c < columns.size(); ++c)
            if ((*rc_)[c] <= most) by_seed_[fill_[columns.seed(c)]++] = c;
        for (Id u = 0; u < m; ++u)
            std::sort(by_seed_.begin() + first_[u], by_seed_.begin() + first_[u + 1],
                      [&](Id a, Id b) { return (*rc_)[a] < (*rc_)[b] || ((*rc_)[a] == (*rc_)[b] && a < b); });
        masks_.assign(by_seed_.size() * words_, 0);
        last_.resize(by_seed_.size());
        for (std::size_t i = 0; i < by_seed_.size(); ++i) {
            const Id c = by_seed_[i], seed = columns.seed(c);
            last_[i] = columns.end(c)[-1];
            for (const Id *u = columns.begin(c) + 1; u < columns.end(c); ++u) {
                const std::size_t bit = static_cast<std::size_t>(*u - seed - 1);
                masks_[i * words_ + bit / 64] |= std::uint64_t(1) << (bit % 64);
            }
        }
    }

    // The next column from k on that fits state s goes on the heap.
    void advance(Id s, Id k, double most) {
        const Id p = position_[s];
        const std::uint64_t *covered = &covered_[static_cast<std::size_t>(s) * words_];
        for (; k < first_[p + 1]; ++k) {
            const std::uint64_t *mask = &masks_[static_cast<std::size_t>(k) * words_];
            std::uint64_t clash = 0;
            for (std::size_t i = 0; i < words_; ++i) clash |= mask[i] & covered[i];
            if (clash || last_[k] >= to_) continue;
            const double length = cost_[s] + std::max(0.0, (*rc_)[by_seed_[k]]);
            if (length > most + tolerance) return;
            next_[s] = k;
            heap_.push_back({length, s});
            std::push_heap(heap_.begin(), heap_.end());
            return;
        }
    }

    // Writes the child's covered set to scratch_ and returns its position.
    Id cover(Id s, Id k) {
        const std::uint64_t *covered = &covered_[static_cast<std::size_t>(s) * words_];
        const std::uint64_t *mask = &masks_[static_cast<std::size_t>(k) * words_];
        Id p = position_[s] + 1;
        for (std::size_t i = 0; i < words_; ++i) scratch_[i] = covered[i] | mask[i];
        while (scratch_[0] == ~std::uint64_t(0)) {
            for (std::size_t i = 0; i + 1 < words_; ++i) scratch_[i] = scratch_[i + 1];
            scratch_[words_ - 1] = 0;
            p += 64;
        }
        const int ones = __builtin_ctzll(~scratch_[0]);
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
        return position_[s] == p &&
               std::equal(scratch_.begin(), scratch_.end(), &covered_[static_cast<std::size_t>(s) * words_]);
    }

    Id find(Id p) const {
        for (std::size_t at = slot(p);; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at] < 0) return -1;
            if (same(table_[at], p)) return table_[at];
        }
    }

    Id insert(Id p, double length, double most) {
        const Id s = keep(p, length);
        if (p < to_) advance(s, first_[p], most);
        return s;
    }

    // A new state: position p, covered as in scratch_.
    Id keep(Id p, double length) {
        const Id s = static_cast<Id>(position_.size());
        position_.push_back(p);
        cost_.push_back(length);
        next_.push_back(-1);
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

    // Among the shortest paths: the most columns (what gains nothing by being together stays apart), then the smallest
    // sum of content keys (see tie_key).
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
            const Key key{key_[e.to].columns + 1, key_[e.to].content + tie_key(e.column)};
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

  public:
    // A number below 2^40 that depends on the contents of the column's units alone, not on annotators or duals.
    static std::uint64_t tie_key(const std::uint64_t *content, std::size_t count) {
        std::uint64_t h = 0;
        for (std::size_t i = 0; i < count; ++i) {  // symmetric in the members: their order may depend on names
            std::uint64_t x = content[i] * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull;
            x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
            h += x ^ (x >> 27);
        }
        h = (h ^ (h >> 31)) * 0x94D049BB133111EBull;
        return (h ^ (h >> 29)) >> 24;
    }

  protected:
    std::uint64_t tie_key(Id c) {
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
    bool fewest_ = false;  // where units may be covered twice, the fewest columns win instead of the most

    const Part *part_ = nullptr;
    Id to_ = 0;
    std::size_t words_ = 1;
    const Columns *columns_ = nullptr;
    const std::vector<double> *rc_ = nullptr;
    std::vector<Id> first_, fill_, by_seed_, last_;
    std::vector<std::uint64_t> masks_, covered_, scratch_, contents_;
    std::vector<Id> position_, next_, table_, best_edge_, order_;
    std::vector<double> cost_;
    std::vector<Item> heap_;
    std::vector<Edge> edges_;
    std::vector<Key> key_;
    std::vector<char> on_path_;
};

}  // namespace unisono
