// SPDX-License-Identifier: MIT
// The first steps of every search on a whole continuum: sorted units, near pairs, the thinned graph and its parts.
#pragma once

#include <algorithm>
#include <vector>

#include "align.hpp"

namespace unisono {

// The tests that thin the graph hold for soft alignments too: whatever holds a unitary alignment S may hold S1 and S2
// instead, S split in two, and still covers every unit; so in a best one no sum of w across a split is below -1.
class Stage : protected Aligner {
  protected:
    void prepare(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, Watch &watch) {
        watch.restart();
        sort(units, annotator, m);
        near_.find(sorted_units(), annotator_.data(), m, n, kernel, watch);
        near_.sort(m, pairs_);
        division_.run(m, n, annotator_, content_, pairs_, watch);
    }

    // The same for dissimilarities computed elsewhere: all pairs of different annotators with d <= (C + n - 1) * delta.
    void prepare(const Units &units, const Id *annotator, Id m, Id n, double delta, const std::vector<Id> &u,
                 const std::vector<Id> &v, const std::vector<double> &d, Watch &watch) {
        watch.restart();
        sort(units, annotator, m);
        rank(m);
        given_.clear();
        auto &found = near_.found;
        for (std::size_t i = 0; i < d.size(); ++i) {
            const Id a = rank_[u[i]], b = rank_[v[i]];
            given_.push_back({std::min(a, b), std::max(a, b), d[i]});
        }
        found = given_;
        near_.sort(m, given_);
        const Weight weight(n, delta);
        for (Pair &p : found) p.w = weight(p.w);
        near_.sort(m, pairs_);
        division_.run(m, n, annotator_, content_, pairs_, watch);
    }

    Units sorted_units() const { return {start_.data(), end_.data(), category_.data(), nullptr}; }

    // The dissimilarity of two units of a graph made from given ones; u < v.
    double given(Id u, Id v) const {
        const auto before = [](const Pair &a, const Pair &b) { return a.u < b.u || (a.u == b.u && a.v < b.v); };
        return std::lower_bound(given_.begin(), given_.end(), Pair{u, v, 0}, before)->w;
    }
};

}  // namespace unisono
