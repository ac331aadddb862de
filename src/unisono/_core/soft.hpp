// SPDX-License-Identifier: MIT
// The best soft alignment of a continuum: each unit in at least one unitary alignment, at least cost.
#pragma once

#include <algorithm>
#include <vector>

#include "cover_solver.hpp"
#include "stage.hpp"

namespace unisono {

// One per thread: it keeps its buffers.
class SoftAligner : private Stage {
  public:
    // Unitary alignment c has the units member[first[c] .. first[c + 1]); they are numbered along the continuum.
    std::vector<std::int64_t> first;
    std::vector<Id> member;
    std::vector<double> disorders;  // of each unitary alignment (Eq. 6)
    double total = 0;               // their sum
    double bound = 0;               // proven lower bound on the sum of every soft alignment
    std::vector<double> dual;       // of each unit, none below 0
    Limit limit = Limit::none;

    void run(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, Watch &watch,
             bool ties_matter = true) {
        division_.ties_matter = ties_matter;
        prepare(units, annotator, m, n, kernel, watch);
        const Units sorted = sorted_units();
        solve(m, n, kernel.delta_empty(), [&](Id u, Id v) { return kernel(sorted, u, v); }, watch);
    }

    // The same for dissimilarities computed elsewhere: all pairs of different annotators with d <= (C + n - 1) * delta.
    void run(const Units &units, const Id *annotator, Id m, Id n, double delta, const std::vector<Id> &u,
             const std::vector<Id> &v, const std::vector<double> &d, Watch &watch) {
        division_.ties_matter = true;
        prepare(units, annotator, m, n, delta, u, v, d, watch);
        solve(m, n, delta, [&](Id a, Id b) { return given(a, b); }, watch);
    }

  private:
    template <class Between> void solve(Id m, Id n, double delta, Between between, Watch &watch) {
        dual.assign(m, 0);
        found_.clear();
        bool proven = true;
        double low = 0;
        division_.each_part([&](const Part &part, const Id *units) {
            solver_.solve(part, watch);
            proven &= solver_.proven;
            low += solver_.bound;
            for (Id i = 0; i < part.size(); ++i) dual[order_[units[i]]] = solver_.dual[i] * delta;
            for (Id c = 0; c < solver_.cover.size(); ++c) {
                members_.clear();
                for (const Id *u = solver_.cover.begin(c); u != solver_.cover.end(c); ++u)
                    members_.push_back(units[*u]);
                found_.add(members_.data(), members_.data() + members_.size(), solver_.cover.cost[c]);
            }
        });
        limit = proven ? Limit::none : watch.why_open();
        write(n, delta, between);
        bound = proven ? total : std::min(low * delta, total);
    }

    // Along the continuum; Eq. 6: the mean over all pairs, those with an empty unit at delta each.
    template <class Between> void write(Id n, double delta, Between between) {
        along_.resize(found_.size());
        for (Id c = 0; c < found_.size(); ++c) along_[c] = c;
        std::sort(along_.begin(), along_.end(), [&](Id a, Id b) {
            return std::lexicographical_compare(found_.begin(a), found_.end(a), found_.begin(b), found_.end(b));
        });
        const double pairs = pairs_of_annotators(n);
        first.assign(1, 0);
        member.clear();
        disorders.clear();
        Compensated sum;
        for (Id c : along_) {
            double d = 0, real = 0;
            for (const Id *u = found_.begin(c); u != found_.end(c); ++u) {
                for (const Id *v = u + 1; v != found_.end(c); ++v, ++real) d += between(*u, *v);
                member.push_back(order_[*u]);
            }
            first.push_back(static_cast<std::int64_t>(member.size()));
            disorders.push_back((d + (pairs - real) * delta) / pairs);
            sum.add(disorders.back());
        }
        total = sum.value();
    }

    CoverSolver solver_;
    Columns found_;
    std::vector<Id> members_, along_;
};

}  // namespace unisono
