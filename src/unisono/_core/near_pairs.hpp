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
    std::vector<Pair> found;  // in no order

    // The m units in the order of the continuum.
    void find(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, Watch &watch) {
        const double delta = kernel.delta_empty(), c = pairs_of_annotators(n);
        const double limit = (c + n - 1) * delta * (1 + tolerance);
        const Weight weight(n, delta);
        const Kernel::Reach reach = kernel.reach(limit);
        // Two annotators have a list each, so that no pair is of one annotator; more annotators share one list.
        const bool are_two = n == 2;
        std::size_t count[2] = {0, 0}, n_found = 0;
        for (int i = 0; i <= are_two; ++i) by_low_[i].resize(m);
        for (Id u = 0; u < m; ++u) {
            const double middle = 0.5 * (units.start[u] + units.end[u]);
            const double far = reach(units.start[u], units.end[u]) * (1 + 1e-12) + 4e-16 * std::abs(middle);
            const Id own = are_two ? annotator[u] : 0;
            by_low_[own][count[own]++] = {middle - far, middle + far, u};
        }
        for (int i = 0; i <= are_two; ++i) {
            by_low_[i].resize(count[i]);
            sort_nearly_sorted(by_low_[i], before);
        }
        const auto meet = [&](Id u, Id v) {
            const double d = kernel(units, u, v);
            if (n_found == found.size()) found.resize(2 * n_found + 64);
            // A pair of one annotator, or too far apart, is overwritten by the next one, which avoids a branch.
            const Id first = either(u < v, u, v);
            found[n_found] = {first, u ^ v ^ first, weight(d)};
            n_found += (annotator[u] != annotator[v]) & (d <= limit);
        };
        each_meeting(by_low_[0], by_low_[are_two], meet, watch);
        if (are_two) each_meeting(by_low_[1], by_low_[0], meet, watch);
        found.resize(n_found);
    }

    // By (u, v): two counting sorts.
    void sort(Id m, std::vector<Pair> &pairs) {
        half_.resize(found.size());
        pairs.resize(found.size());
        counting(m, found, half_, [](const Pair &p) { return p.v; });
        counting(m, half_, pairs, [](const Pair &p) { return p.u; });
    }

  private:
    struct Interval {
        double low, high;
        Id unit;
    };

    static bool before(const Interval &a, const Interval &b) {
        return a.low < b.low || (a.low == b.low && a.unit < b.unit);
    }

    // Every interval of `list` with those of `others` that begin after it, while it lasts.
    template <class Meet>
    static void each_meeting(const std::vector<Interval> &list, const std::vector<Interval> &others, Meet meet,
                             Watch &watch) {
        const Interval *from = others.data(), *end = from + others.size();
        for (const Interval &a : list) {
            while (from != end && !before(a, *from)) ++from;
            const Interval *b = from;
            for (; b != end && b->low <= a.high; ++b) meet(a.unit, b->unit);
            watch.expired(1 + static_cast<std::size_t>(b - from));
        }
    }

    template <class Key> void counting(Id m, const std::vector<Pair> &from, std::vector<Pair> &to, Key key) {
        fill_.assign(m + 1, 0);
        for (const Pair &p : from) ++fill_[key(p) + 1];
        for (Id u = 0; u < m; ++u) fill_[u + 1] += fill_[u];
        for (const Pair &p : from) to[fill_[key(p)]++] = p;
    }

    std::vector<Interval> by_low_[2];
    std::vector<Pair> half_;
    std::vector<Id> fill_;
};

}  // namespace unisono
