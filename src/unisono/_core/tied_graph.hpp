// SPDX-License-Identifier: MIT
// All best alignments of a continuum at once: unitary alignments that are in every one, and for each stretch with a
// choice a graph whose paths are the ways to choose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace unisono {

// A whole number of any size: sums only.
class Count {
  public:
    std::vector<std::uint32_t> digit;  // base 2^32, lowest first
    explicit Count(std::uint32_t value = 0) : digit(value ? 1 : 0, value) {}
    void add(const Count &other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < other.digit.size() || carry; ++i) {
            if (i == digit.size()) digit.push_back(0);
            carry += digit[i];
            if (i < other.digit.size()) carry += other.digit[i];
            digit[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
};

class TiedGraph {
  public:
    struct Edge {
        Id from, to, column;
    };
    // States 0 .. states - 1, from the first to the last; edges first .. last - 1, sorted by the state they leave.
    struct Choice {
        std::size_t first, last;
        Id states;
    };
    struct Range {
        bool defined = false, may_be_undefined = false;
        double low = 0, high = 0;
    };

    std::vector<std::int64_t> first{0};  // members of column c: member[first[c] .. first[c + 1])
    std::vector<Id> member;
    std::vector<Id> fixed;  // columns of every best alignment
    std::vector<Choice> choices;
    std::vector<Edge> edges;

    Id n_columns() const { return static_cast<Id>(first.size()) - 1; }

    // In how many ways the choice can be made: the number of paths.
    Count ways(const Choice &choice) const {
        std::vector<Count> count(choice.states);
        count[0] = Count(1);
        for (std::size_t e = choice.first; e < choice.last; ++e) count[edges[e].to].add(count[edges[e].from]);
        return count[choice.states - 1];
    }

    // The least and the greatest of (sum of num) / (sum of den) over all best alignments with a positive sum of den;
    // num and den are not negative, and num is 0 where den is.
    Range range(const double *num, const double *den) const {
        Range found;
        const Sums most = best([&](Id c) { return -den[c]; }, num, den);
        const Sums least = best([&](Id c) { return den[c]; }, num, den);
        found.may_be_undefined = !(least.den > 0);
        found.defined = most.den > 0;
        if (!found.defined) return found;
        found.low = extreme(1, num, den, most.num / most.den);
        found.high = extreme(-1, num, den, most.num / most.den);
        return found;
    }

  private:
    struct Sums {
        double num = 0, den = 0;
    };

    // Dinkelbach: the alignment that minimises sign * (num - ratio * den) has a better ratio, or the ratio is the best.
    double extreme(double sign, const double *num, const double *den, double ratio) const {
        while (true) {
            const Sums sums = best([&](Id c) { return sign * (num[c] - ratio * den[c]); }, num, den);
            if (!(sums.den > 0)) return ratio;
            const double better = sums.num / sums.den;
            if (!(sign * (ratio - better) > 1e-14 * ratio)) return ratio;
            ratio = better;
        }
    }

    // The sums of the alignment with the least summed cost.
    template <class Cost> Sums best(Cost cost, const double *num, const double *den) const {
        Sums sums;
        const auto add = [&](Id c) {
            sums.num += num[c];
            sums.den += den[c];
        };
        for (Id c : fixed) add(c);
        for (const Choice &choice : choices) {
            value_.assign(choice.states, infinity_);
            by_.assign(choice.states, 0);
            value_[0] = 0;
            for (std::size_t e = choice.first; e < choice.last; ++e) {
                const double value = value_[edges[e].from] + cost(edges[e].column);
                if (value < value_[edges[e].to]) {
                    value_[edges[e].to] = value;
                    by_[edges[e].to] = e;
                }
            }
            for (Id s = choice.states - 1; s != 0; s = edges[by_[s]].from) add(edges[by_[s]].column);
        }
        return sums;
    }

    static constexpr double infinity_ = 1e300;
    mutable std::vector<double> value_;
    mutable std::vector<std::size_t> by_;
};

}  // namespace unisono
