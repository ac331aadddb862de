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

class NearPairs {
  public:
    // Units in the order of the continuum; the pairs come out sorted by (u, v). `given` lists the units in the order in
    // which they were given, which makes the sorting cheap.
    void find(const Units &units, const Id *annotator, const std::vector<Id> &given, Id n, const Kernel &kernel,
              std::vector<Pair> &pairs, Watch &watch) {
        const Id m = static_cast<Id>(given.size());
        const double delta = kernel.delta_empty(), c = pairs_of_annotators(n);
        const double limit = (c + n - 1) * delta * (1 + tolerance);
        by_low_.resize(m);
        for (Id i = 0; i < m; ++i) {
            const Id u = given[i];
            const double middle = 0.5 * (units.start[u] + units.end[u]);
            const double reach =
                kernel.reach(units.start[u], units.end[u], limit) * (1 + 1e-12) + 4e-16 * std::abs(middle);
            by_low_[i] = {middle - reach, middle + reach, u};
        }
        sort_(by_low_, [](const Interval &a, const Interval &b) {
            return a.low < b.low || (a.low == b.low && a.unit < b.unit);
        });
        found_.clear();
        open_.clear();
        for (const Interval &next : by_low_) {
            std::size_t kept = 0;
            const Id v = next.unit, a = annotator[v];
            for (const Interval &earlier : open_) {
                if (earlier.high < next.low) continue;  // closed: leaves the list
                open_[kept++] = earlier;
                const Id u = earlier.unit;
                if (annotator[u] == a) continue;
                const double d = kernel(units, u, v);
                if (d <= limit) found_.push_back({std::min(u, v), std::max(u, v), (1 - d / delta) / c});
            }
            watch.expired(open_.size());
            open_.resize(kept);
            open_.push_back(next);
        }
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
    RunSort<Interval> sort_;
    std::vector<Pair> found_, half_;
    std::vector<Id> fill_;
};

}  // namespace unisono
