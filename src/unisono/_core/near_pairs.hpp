// SPDX-License-Identifier: MIT
// Pairs of units near enough to share a unitary alignment, found by one sweep along the continuum.
//
// No pair with d > (C + n - 1) * delta can: the other n - 2 annotators cannot make up for it. Each unit gets an
// interval around its midpoint, wide enough to meet the interval of every possible partner; the sweep lists the
// intervals that meet. Time and memory grow with the units and the pairs found, whatever the lengths of the units.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "dissimilarity.hpp"
#include "graph.hpp"
#include "runs.hpp"
#include "watch.hpp"

namespace unisono {

inline double pairs_of_annotators(Id n) {
    return 0.5 * n * (n - 1.0);
}

// w = (1 - d / delta) / C, of which the costs are made (see graph.hpp).
class Weight {
  public:
    Weight(Id n, double delta) : delta_(delta), scale_(1 / (delta * pairs_of_annotators(n))) {}
    double operator()(double d) const { return (delta_ - d) * scale_; }

  private:
    double delta_, scale_;
};

class NearPairs {
  public:
    // The m units in the order of the continuum; the pairs come out sorted by (u, v).
    void find(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, std::vector<Pair> &pairs,
              Watch &watch) {
        const double delta = kernel.delta_empty(), c = pairs_of_annotators(n);
        const double limit = (c + n - 1) * delta * (1 + tolerance);
        const Weight weight(n, delta);
        const Kernel::Reach reach = kernel.reach(limit);
        by_low_.resize(m);
        for (Id u = 0; u < m; ++u) {
            const double middle = 0.5 * (units.start[u] + units.end[u]);
            const double far = reach(units.start[u], units.end[u]) * (1 + 1e-12) + 4e-16 * std::abs(middle);
            by_low_[u] = {middle - far, middle + far, u};
        }
        sort_nearly_sorted(by_low_, [](const Interval &a, const Interval &b) {
            return a.low < b.low || (a.low == b.low && a.unit < b.unit);
        });
        // What is closed, of the same annotator or too far is written over by the next one: no branch to guess.
        open_.resize(m);
        std::size_t n_open = 0, n_found = 0;
        for (const Interval &next : by_low_) {
            if (found_.size() < n_found + n_open) found_.resize(2 * (n_found + n_open));
            Pair *to = found_.data() + n_found;
            std::size_t kept = 0;
            const Id v = next.unit, a = annotator[v];
            for (std::size_t i = 0; i < n_open; ++i) {
                const Interval earlier = open_[i];
                const bool is_open = earlier.high >= next.low;
                open_[kept] = earlier;
                kept += is_open;
                const Id u = earlier.unit;
                const double d = kernel(units, u, v);
                *to = {std::min(u, v), std::max(u, v), weight(d)};
                to += is_open & (annotator[u] != a) & (d <= limit);
            }
            watch.expired(n_open);
            n_found = static_cast<std::size_t>(to - found_.data());
            open_[kept] = next;
            n_open = kept + 1;
        }
        found_.resize(n_found);
        sort(m, pairs);
    }

    // By (u, v): two counting sorts.
    void sort(Id m, std::vector<Pair> &pairs) {
        half_.resize(found_.size());
        pairs.resize(found_.size());
        counting(m, found_, half_, [](const Pair &p) { return p.v; });
        counting(m, half_, pairs, [](const Pair &p) { return p.u; });
    }

    std::vector<Pair> &found() { return found_; }

  private:
    struct Interval {
        double low, high;
        Id unit;
    };

    template <class Key> void counting(Id m, const std::vector<Pair> &from, std::vector<Pair> &to, Key key) {
        fill_.assign(m + 1, 0);
        for (const Pair &p : from) ++fill_[key(p) + 1];
        for (Id u = 0; u < m; ++u) fill_[u + 1] += fill_[u];
        for (const Pair &p : from) to[fill_[key(p)]++] = p;
    }

    std::vector<Interval> by_low_, open_;
    std::vector<Pair> found_, half_;
    std::vector<Id> fill_;
};

}  // namespace unisono
