// SPDX-License-Identifier: MIT
// The optimal sequence alignment of least disorder of two versions of a text (Barteld et al. 2016, sections 4 and 5).
//
// One dynamic program over (position pair, which open units were opened together) that minimises lexicographically the
// cost of the sequence alignment and then the disorder. It only visits positions that lie on an optimal sequence
// alignment: TextWaves knows them. Levels are costs from the beginning; within a level, moves are matches along a
// diagonal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "text_dissimilarity.hpp"
#include "text_version.hpp"
#include "text_waves.hpp"
#include "watch.hpp"

namespace unisono {

struct Gaps {
    Id character = 1, boundary = 1;  // costs, as whole numbers without a common factor
};

class TextPath {
  public:
    Id cost = 0;
    // For each unit of the first version, the unit of the second whose opening (closing) boundary is aligned with its
    // own, or -1. Both the same: the two units are aligned.
    std::vector<Id> opened_with, closed_with;

    // False when a limit was reached. The result does not depend on the order of the two versions: they are aligned in
    // the order of their contents. Among alignments of equal cost and disorder the tie rule reads from the end: a match
    // rather than a symbol of the first alone, that rather than a symbol of the second alone, and within each, units
    // opened together rather than not.
    bool run(const TextVersion &first, const TextVersion &second, const TextKernel &kernel, const Gaps &gaps,
             Watch &watch) {
        const bool swapped = second.contents() < first.contents();
        if (!align(swapped ? second : first, swapped ? first : second, kernel, gaps, watch)) return false;
        if (swapped) {
            opened_with = inverse(opened_with, first.size());
            closed_with = inverse(closed_with, first.size());
        }
        return true;
    }

    template <class Take> void aligned(Take take) const {
        for (std::size_t u = 0; u < opened_with.size(); ++u)
            if (opened_with[u] >= 0 && opened_with[u] == closed_with[u]) take(static_cast<Id>(u), opened_with[u]);
    }

  private:
    // What a pair gains over two empty units, (2 delta_empty - d) / delta_empty, as a whole number: sums are exact and
    // ties are ties. The scale holds every denominator up to 16, such as come from means over features.
    using Gain = std::int64_t;
    static constexpr double scale = 720720.0 * 1048576;
    static constexpr Gain none = INT64_MIN / 2;

    // The last step to a state, best first: move * 2 + (0 if the closed units were opened together, else 1).
    enum Move : std::uint8_t { match = 0, gap_in_b = 2, gap_in_a = 4 };
    static constexpr std::uint8_t nowhere = 255;

    // Values of the states of one position, and how each was reached; a state is a set of types opened together.
    struct Entries {
        std::vector<Id> i, j;
        std::vector<Gain> value;
        std::vector<std::uint8_t> back;
        void clear() {
            i.clear();
            j.clear();
            value.clear();
            back.clear();
        }
    };

    bool align(const TextVersion &first, const TextVersion &second, const TextKernel &kernel, const Gaps &gaps,
               Watch &watch) {
        first_ = &first;
        second_ = &second;
        kernel_ = &kernel;
        watch.restart();
        const TextSequence a(first), b(second);
        if (!waves_.run(a, b, gaps.character, gaps.boundary, watch)) return false;
        cost = waves_.cost;
        Id types = 0;
        for (const auto *version : {&first, &second})
            for (const Id type : version->type) types = std::max(types, type + 1);
        states_ = std::size_t{1} << types;
        return forward(a, b, gaps, watch) && backward(a, b, gaps);
    }

    Id weight(Symbol s, const Gaps &gaps) const { return is_boundary(s) ? gaps.boundary : gaps.character; }

    bool forward(const TextSequence &a, const TextSequence &b, const Gaps &gaps, Watch &watch) {
        const Id n = static_cast<Id>(a.symbol.size()), m = static_cast<Id>(b.symbol.size());
        const Id ring = std::max(gaps.character, gaps.boundary) + 1;
        buckets_.resize(ring);
        for (Entries &bucket : buckets_) bucket.clear();
        level_.assign(1, 0);
        i_.clear();
        j_.clear();
        back_.clear();
        now_.assign(states_, none);
        now_back_.assign(states_, nowhere);
        next_.resize(states_);
        next_back_.resize(states_);
        now_[0] = 0;
        push(buckets_[0], 0, 0, now_.data(), now_back_.data());
        for (Id done = 0; done <= cost; ++done) {
            Entries &bucket = buckets_[done % ring];
            sort(bucket);
            for (std::size_t at = 0; at < order_.size();) {
                Id i = bucket.i[order_[at]], j = bucket.j[order_[at]];
                std::fill(now_.begin(), now_.end(), none);
                std::fill(now_back_.begin(), now_back_.end(), nowhere);
                while (true) {  // along the diagonal
                    for (; at < order_.size() && bucket.i[order_[at]] == i && bucket.j[order_[at]] == j; ++at)
                        take(bucket, order_[at]);
                    i_.push_back(i);
                    j_.push_back(j);
                    back_.insert(back_.end(), now_back_.begin(), now_back_.end());
                    if (i < n) {
                        const Id w = weight(a.symbol[i], gaps);
                        if (waves_.reaches(i + 1, j, done + w)) {
                            gap(a.symbol[i], gap_in_b);
                            push(buckets_[(done + w) % ring], i + 1, j, next_.data(), next_back_.data());
                        }
                    }
                    if (j < m) {
                        const Id w = weight(b.symbol[j], gaps);
                        if (waves_.reaches(i, j + 1, done + w)) {
                            gap(b.symbol[j], gap_in_a);
                            push(buckets_[(done + w) % ring], i, j + 1, next_.data(), next_back_.data());
                        }
                    }
                    if (i == n || j == m || a.symbol[i] != b.symbol[j] || !waves_.reaches(i + 1, j + 1, done)) break;
                    matched(a.symbol[i], a.unit[i], b.unit[j]);
                    now_.swap(next_);
                    now_back_.swap(next_back_);
                    ++i;
                    ++j;
                    if (i_.size() % 4096 == 0 &&
                        (watch.expired(4096) || watch.too_big(Wide{i_.size()} * (2 * sizeof(Id) + states_))))
                        return false;
                }
            }
            level_.push_back(i_.size());
            if (watch.expired(order_.size()) || watch.too_big(Wide{i_.size()} * (2 * sizeof(Id) + states_)))
                return false;
            bucket.clear();
        }
        return true;
    }

    // Along diagonals, each from its beginning.
    void sort(const Entries &bucket) {
        order_.resize(bucket.i.size());
        for (std::size_t at = 0; at < order_.size(); ++at) order_[at] = at;
        std::sort(order_.begin(), order_.end(), [&](std::size_t x, std::size_t y) {
            const Id kx = bucket.i[x] - bucket.j[x], ky = bucket.i[y] - bucket.j[y];
            return kx != ky ? kx < ky : bucket.i[x] != bucket.i[y] ? bucket.i[x] < bucket.i[y] : x < y;
        });
    }

    void push(Entries &bucket, Id i, Id j, const Gain *value, const std::uint8_t *back) {
        bucket.i.push_back(i);
        bucket.j.push_back(j);
        bucket.value.insert(bucket.value.end(), value, value + states_);
        bucket.back.insert(bucket.back.end(), back, back + states_);
    }

    void take(const Entries &bucket, std::size_t at) {
        for (std::size_t s = 0; s < states_; ++s)
            better(now_[s], now_back_[s], bucket.value[at * states_ + s], bucket.back[at * states_ + s]);
    }

    static void better(Gain &value, std::uint8_t &back, Gain other, std::uint8_t other_back) {
        if (other > value || (other == value && other > none && other_back < back)) {
            value = other;
            back = other_back;
        }
    }

    // A symbol that only one of the two has: a unit that ends so is not aligned.
    void gap(Symbol symbol, Move move) {
        const bool closes = is_boundary(symbol) && !is_opening(symbol);
        const std::size_t bit = closes ? std::size_t{1} << type_of(symbol) : 0;
        for (std::size_t s = 0; s < states_; ++s) {
            next_[s] = s & bit ? none : now_[s];
            next_back_[s] = next_[s] > none ? move + 1 : nowhere;
        }
        if (bit)
            for (std::size_t s = 0; s < states_; ++s)
                if (s & bit) better(next_[s ^ bit], next_back_[s ^ bit], now_[s], move);
    }

    void matched(Symbol symbol, Id u, Id v) {
        if (!is_boundary(symbol)) {
            next_ = now_;
            for (std::size_t s = 0; s < states_; ++s) next_back_[s] = now_[s] > none ? match + 1 : nowhere;
            return;
        }
        const std::size_t bit = std::size_t{1} << type_of(symbol);
        if (is_opening(symbol)) {
            for (std::size_t s = 0; s < states_; ++s) {
                next_[s] = s & bit ? now_[s ^ bit] : none;
                next_back_[s] = next_[s] > none ? match + 1 : nowhere;
            }
            return;
        }
        bool any = false;
        for (std::size_t s = 0; s < states_; ++s) any |= (s & bit) && now_[s] > none;
        const Gain gained =
            any ? std::llround((2 - (*kernel_)(*first_, u, *second_, v) / kernel_->delta_empty) * scale) : 0;
        for (std::size_t s = 0; s < states_; ++s) {
            next_[s] = s & bit ? none : now_[s];
            next_back_[s] = next_[s] > none ? match + 1 : nowhere;
            const Gain together = s & bit ? none : now_[s | bit];
            if (together > none) better(next_[s], next_back_[s], together + gained, match);
        }
    }

    bool backward(const TextSequence &a, const TextSequence &b, const Gaps &gaps) {
        opened_with.assign(first_->size(), -1);
        closed_with.assign(first_->size(), -1);
        Id i = static_cast<Id>(a.symbol.size()), j = static_cast<Id>(b.symbol.size()), done = cost;
        std::size_t state = 0, at = find(done, i, j);
        while (i > 0 || j > 0) {
            const std::uint8_t back = back_[at * states_ + state];
            const bool together = back % 2 == 0;
            const std::uint8_t move = back - back % 2;
            const Symbol symbol = move == gap_in_a ? b.symbol[j - 1] : a.symbol[i - 1];
            const bool closes = is_boundary(symbol) && !is_opening(symbol);
            if (closes && together) state |= std::size_t{1} << type_of(symbol);
            if (move == match) {
                --i;
                --j;
                --at;  // the position before it on the diagonal
                if (is_opening(symbol)) state &= ~(std::size_t{1} << type_of(symbol));
                if (is_boundary(symbol)) (closes ? closed_with : opened_with)[a.unit[i]] = b.unit[j];
                continue;
            }
            done -= weight(symbol, gaps);
            move == gap_in_a ? --j : --i;
            at = find(done, i, j);
        }
        return true;
    }

    std::size_t find(Id done, Id i, Id j) const {
        std::size_t low = level_[done], high = level_[done + 1];
        const Id k = i - j;
        while (high - low > 1) {
            const std::size_t middle = low + (high - low) / 2;
            const Id km = i_[middle] - j_[middle];
            if (km < k || (km == k && i_[middle] <= i)) low = middle;
            else high = middle;
        }
        return low;
    }

    static std::vector<Id> inverse(const std::vector<Id> &with, Id size) {
        std::vector<Id> inverted(size, -1);
        for (std::size_t u = 0; u < with.size(); ++u)
            if (with[u] >= 0) inverted[with[u]] = static_cast<Id>(u);
        return inverted;
    }

    const TextVersion *first_ = nullptr, *second_ = nullptr;
    const TextKernel *kernel_ = nullptr;
    TextWaves waves_;
    std::size_t states_ = 1;
    std::vector<Entries> buckets_;
    std::vector<std::size_t> order_, level_;  // level_[c]: the first position of cost c
    std::vector<Id> i_, j_;                   // every position visited, by level, then along diagonals
    std::vector<std::uint8_t> back_;
    std::vector<Gain> now_, next_;
    std::vector<std::uint8_t> now_back_, next_back_;
};

}  // namespace unisono
