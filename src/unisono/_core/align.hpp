// SPDX-License-Identifier: MIT
// The best alignment of a continuum: near pairs -> thinned graph -> independent parts -> each part solved -> one
// result.
#pragma once

#include <algorithm>
#include <vector>

#include "dissimilarity.hpp"
#include "division.hpp"
#include "graph.hpp"
#include "near_pairs.hpp"
#include "part_solver.hpp"
#include "runs.hpp"
#include "two_annotators.hpp"
#include "watch.hpp"

namespace unisono {

// One per thread: it keeps its buffers, so that small continua cost no allocation.
class Aligner {
  public:
    std::vector<Id> group;          // unitary alignment of each unit, numbered along the continuum
    std::vector<double> disorders;  // of each unitary alignment (Eq. 6)
    double total = 0;               // their sum
    double bound = 0;               // proven lower bound on the sum of every alignment
    std::vector<double> dual;       // of each unit
    Limit limit = Limit::none;

    // Without `ties_matter` any of the best alignments may be returned, which is faster. `start` is in the order of the
    // units, its labels are below their number.
    void run(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, Watch &watch,
             bool ties_matter = true, const Start *start = nullptr) {
        division_.ties_matter = ties_matter;
        watch.restart();
        sort(units, annotator, m);
        sort_start(start, m, kernel.delta_empty());
        const Units sorted{start_.data(), end_.data(), category_.data(), nullptr};
        near_.find(sorted, annotator_.data(), m, n, kernel, watch);
        solve(m, n, watch);
        hand_out(m, kernel.delta_empty());
        for (const Pair &p : pairs_)
            if (label_[p.u] == label_[p.v]) count(label_[p.u], kernel(sorted, p.u, p.v));
        sum_up(n, kernel.delta_empty());
    }

    // Every unit with the number of real units in its unitary alignment: visit(u, real).
    template <class Visit> void each_size(Visit visit) {
        count_sizes();
        for (std::size_t u = 0; u < label_.size(); ++u) visit(order_[u], size_of_[label_[u]]);
    }

    // Every pair of units of one unitary alignment, once: visit(u, v, real).
    template <class Visit> void each_aligned_pair(Visit visit) {
        count_sizes();
        for (const Pair &p : pairs_)
            if (label_[p.u] == label_[p.v]) visit(order_[p.u], order_[p.v], size_of_[label_[p.u]]);
    }

    // The same for dissimilarities computed elsewhere: all pairs of different annotators with d <= (C + n - 1) * delta.
    void run(const Units &units, const Id *annotator, Id m, Id n, double delta, const std::vector<Id> &u,
             const std::vector<Id> &v, const std::vector<double> &d, Watch &watch) {
        division_.ties_matter = true;
        watch.restart();
        sort(units, annotator, m);
        sort_start(nullptr, m, delta);
        rank(m);
        near_.found.clear();
        for (std::size_t i = 0; i < d.size(); ++i) {
            const Id a = rank_[u[i]], b = rank_[v[i]];
            near_.found.push_back({std::min(a, b), std::max(a, b), d[i]});
        }
        // Sorted, so that the order in which the pairs are given changes no sum.
        near_.sort(m, given_);
        near_.found = given_;
        const Weight weight(n, delta);
        for (Pair &p : near_.found) p.w = weight(p.w);
        solve(m, n, watch);
        hand_out(m, delta);
        for (const Pair &p : given_)
            if (label_[p.u] == label_[p.v]) count(label_[p.u], p.w);
        sum_up(n, delta);
    }

  protected:
    void count_sizes() {
        size_of_.assign(disorders.size(), 0);
        for (const Id label : label_) ++size_of_[label];
    }

    // Sorts the units along the continuum by content. Annotators, which are numbered by content, only order equal
    // units.
    void sort(const Units &units, const Id *annotator, Id m) {
        keys_.resize(m);
        for (Id u = 0; u < m; ++u) keys_[u] = {0.5 * (units.start[u] + units.end[u]), u};
        sort_(keys_, [&](const Key &a, const Key &b) {
            if (a.middle != b.middle) return a.middle < b.middle;
            if (units.start[a.unit] != units.start[b.unit]) return units.start[a.unit] < units.start[b.unit];
            if (units.content[a.unit] != units.content[b.unit]) return units.content[a.unit] < units.content[b.unit];
            if (annotator[a.unit] != annotator[b.unit]) return annotator[a.unit] < annotator[b.unit];
            return a.unit < b.unit;
        });
        order_.resize(m);
        start_.resize(m);
        end_.resize(m);
        category_.resize(m);
        annotator_.resize(m);
        content_.resize(m);
        for (Id i = 0; i < m; ++i) {
            const Id u = order_[i] = keys_[i].unit;
            start_[i] = units.start[u];
            end_[i] = units.end[u];
            category_[i] = units.category[u];
            annotator_[i] = annotator[u];
            const bool same = i > 0 && start_[i] == start_[i - 1] && end_[i] == end_[i - 1] &&
                              units.content[u] == units.content[order_[i - 1]];
            content_[i] = i == 0 ? 0 : content_[i - 1] + (same ? 0 : 1);
        }
    }

    // The first alignment in that order, with duals as multiples of delta.
    void sort_start(const Start *start, Id m, double delta) {
        start_of_.clear();
        division_.start = &start_of_;
        for (Id i = 0; start != nullptr && start->is_known() && i < m; ++i) {
            start_of_.label.push_back(start->label[order_[i]]);
            start_of_.dual.push_back(start->dual[order_[i]] / delta);
        }
    }

    // The place of each unit in that order.
    void rank(Id m) {
        rank_.resize(m);
        for (Id i = 0; i < m; ++i) rank_[order_[i]] = i;
    }

    void solve(Id m, Id n, Watch &watch) {
        if (n == 2) return match(m, watch);
        near_.sort(m, pairs_);
        division_.run(m, n, annotator_, content_, pairs_, watch);
        label_.assign(m, -1);
        sorted_dual_.assign(m, 0);
        n_labels_ = 0;
        bool proven = true;
        Compensated low;
        division_.each_part(
            [&](Id unit) {
                label_[unit] = n_labels_++;
                sorted_dual_[unit] = 1;
                low.add(1);
            },
            [&](const Part &part, const Id *units) {
                solver_.solve(part, watch);
                proven &= solver_.proven;
                for (Id i = 0; i < part.size(); ++i) {
                    label_[units[i]] = n_labels_ + solver_.label[i];
                    sorted_dual_[units[i]] = solver_.dual[i];
                }
                n_labels_ += solver_.n_labels;
                low.add(solver_.bound);
            });
        number();
        limit = proven ? Limit::none : watch.why_open();
        low_ = low.value();
    }

    // Two annotators: their matching needs no division into parts, and only the aligned pairs are used afterwards.
    void match(Id m, Watch &watch) {
        two_annotators_.run(m, annotator_.data(), content_.data(), near_.found, division_.ties_matter, watch);
        label_.resize(m);
        pairs_.resize(m);
        n_labels_ = 0;
        std::size_t n_pairs = 0;
        for (Id u = 0; u < m; ++u) {
            const Id v = two_annotators_.mate[u];
            const bool is_second = (v >= 0) & (v < u);
            label_[u] = n_labels_;
            label_[u] = label_[either(is_second, v, u)];
            n_labels_ += !is_second;
            pairs_[n_pairs] = {v, u, 0};
            n_pairs += is_second;
        }
        pairs_.resize(n_pairs);
        sorted_dual_.swap(two_annotators_.dual);
        limit = Limit::none;
        low_ = two_annotators_.bound;
    }

    // Numbers the groups along the continuum.
    void number() {
        renumber_.assign(n_labels_, -1);
        Id next = 0;
        for (Id &label : label_) {
            Id &number = renumber_[label];
            if (number < 0) number = next++;
            label = number;
        }
    }

    // Groups and duals, in the order in which the units were given.
    void hand_out(Id m, double delta) {
        group.resize(m);
        dual.resize(m);
        for (Id u = 0; u < m; ++u) {
            group[order_[u]] = label_[u];
            dual[order_[u]] = sorted_dual_[u] * delta;
        }
        disorders.assign(n_labels_, 0.0);
        real_pairs_.assign(n_labels_, 0);
    }

    void count(Id group, double d) {
        disorders[group] += d;
        ++real_pairs_[group];
    }

    // Eq. 6: the mean over all pairs, those with an empty unit at delta each.
    void sum_up(Id n, double delta) {
        const double c = pairs_of_annotators(n);
        Compensated sum;
        for (std::size_t i = 0; i < disorders.size(); ++i) {
            disorders[i] = (disorders[i] + (c - static_cast<double>(real_pairs_[i])) * delta) / c;
            sum.add(disorders[i]);
        }
        total = sum.value();
        bound = limit == Limit::none ? total : std::min(low_ * delta, total);
    }

    struct Compensated {
        double sum = 0, lost = 0;
        void add(double x) {
            const double y = x - lost, t = sum + y;
            lost = (t - sum) - y;
            sum = t;
        }
        double value() const { return sum; }
    };

    struct Key {
        double middle;
        Id unit;
    };
    std::vector<Key> keys_;
    RunSort<Key> sort_;
    std::vector<Id> order_, rank_, annotator_, label_, renumber_;
    std::vector<double> start_, end_, sorted_dual_;
    std::vector<std::int32_t> category_;
    std::vector<std::uint64_t> content_;
    std::vector<Pair> pairs_, given_;
    NearPairs near_;
    Division division_;
    Start start_of_;
    PartSolver solver_;
    TwoAnnotators two_annotators_;
    Id n_labels_ = 0;
    double low_ = 0;
    std::vector<std::int64_t> real_pairs_;
    std::vector<Id> size_of_;
};

}  // namespace unisono
