// SPDX-License-Identifier: MIT
// Lower bounds for many annotators, from panels: sets of annotators that are small enough to be aligned exactly.
//
// The cost of a column is 1 - sum of w(u,v), a sum over pairs of annotators. Let every pair of annotators be in r >= 1
// of N panels. Each panel B gets a share 1/N of the 1, and 1/r of the weights between the annotators of each of its
// pairs. For a column S with members in the panels, those in B being S(B),
//     cost(S) = sum over B of [1/N - sum over pairs in S(B) of w/r] >= sum over B with S(B) not empty of cost_B(S(B)),
// where cost_B(S) = 1/N - sum of w/r. The columns' members in B are an alignment of the panel, so
//     cost of every alignment >= sum over B of the best alignment of B at cost_B.
// Likewise duals that are feasible in each panel add up to duals that are feasible for every column.
//
// The panels are the lines of an affine plane whose points are groups of annotators: any two groups share one line.
// Few columns may miss a panel, because that loses its share of the 1: so annotators with many more units than the
// others, who are in most columns, are in every panel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "affine_plane.hpp"
#include "columns.hpp"
#include "division.hpp"
#include "watch.hpp"

namespace unisono {

// `Solver` aligns one part: a PartSolver.
template <class Solver> class Panels {
  public:
    double bound = 0;          // proven by the last panels
    std::vector<double> dual;  // feasible for every column; their sum is at most `bound`

    // Sorts the annotators of a part by their numbers of units.
    void prepare(const Part &part) {
        part_ = &part;
        dual.clear();
        const Id n = part.n_annotators;
        count_.assign(n, 0);
        for (Id a : part.annotator) ++count_[a];
        by_count_.resize(n);
        for (Id a = 0; a < n; ++a) by_count_[a] = a;
        std::sort(by_count_.begin(), by_count_.end(),
                  [&](Id a, Id b) { return count_[a] > count_[b] || (count_[a] == count_[b] && a < b); });
    }

    // The bound from the q * (q + 1) panels of the plane of order q. Each panel has an even share of `effort`. Panels
    // of 50 annotators and more begin with `best`, the labels of the best alignment known, and with the duals of the
    // run before. Calls visit(units, labels) with the alignment of each panel. False when a limit of the whole search
    // ended it.
    template <class Visit>
    bool run(Id q, std::uint64_t effort, const std::vector<Id> &best, Watch &watch, Visit visit) {
        make_groups(q);
        before_.clear();
        if (size(q) >= large_) std::swap(before_, dual);
        dual.assign(part_->size(), 0);
        bound = 0;
        const Id n_panels = q * (q + 1);
        for (Id panel = 0; panel < n_panels; ++panel) {
            choose(q, panel);
            if (!before_.empty()) begin_with(q, best);
            align(q, n_panels, effort / static_cast<std::uint64_t>(n_panels), watch);
            visit(units_, label_);
            if (watch.reached() != Limit::none) return false;
        }
        return true;
    }

    // The order of the plane to begin with: that of the largest panels which are not hard and can probably be
    // aligned in `effort` steps. 0 where there are too few annotators.
    Id first_order(std::uint64_t effort) const {
        // Few units each lie far apart, and nearly all of them are near one another: that makes panels hard.
        const bool is_sparse = part_->size() < 15 * part_->n_annotators;
        Id first = 0;
        for (Id q : plane_orders) {
            if (size(q) < 8) continue;
            const double units = static_cast<double>(part_->size()) * size(q) / part_->n_annotators;
            const double square = units * units;
            const double steps = (is_sparse ? 0.2 * square : 100.0) * square * (q * (q + 1));  // as measured
            if (first > 0 && (size(q) > (is_sparse ? 26 : 12) || steps > static_cast<double>(effort))) break;
            first = q;
        }
        return first;
    }

    // The order of the next larger panels, where those of order q took `cost` steps; 0 where there are none, or where
    // they would probably take more than `left` steps.
    Id next_order(Id q, std::uint64_t cost, std::uint64_t left) const {
        for (Id next : plane_orders)
            if (next < q) return expected_steps(q, cost, next) <= static_cast<double>(left) ? next : 0;
        return 0;
    }

    // The number of annotators of a panel, about.
    Id size(Id q) const { return n_heavy(q) + (part_->n_annotators - n_heavy(q) + q - 1) / q; }

  private:
    // What the panels of order `next` will take where those of order q took `cost`: a panel's steps grow with the power
    // 4.5 of its size, as measured. By products, because std::pow differs between machines.
    double expected_steps(Id q, std::uint64_t cost, Id next) const {
        const double growth = static_cast<double>(size(next)) / size(q), square = growth * growth;
        const double fewer = static_cast<double>(next * (next + 1)) / (q * (q + 1));
        return static_cast<double>(cost) * fewer * (square * square * std::sqrt(growth));
    }

    static constexpr Id everywhere_ = -1;
    static constexpr Id large_ = 50;  // annotators from which on a panel is aligned faster from duals that are known

    // Those who are in every panel have at least half as many units again as the others, and are a sixth of a panel.
    Id n_heavy(Id q) const {
        const Id n = part_->n_annotators, most = n / (6 * q) + 1;
        Id heavy = 0;
        while (heavy < most && 2.0 * count_[by_count_[heavy]] * n >= 3.0 * part_->size()) ++heavy;
        return heavy;
    }

    // Deals the other annotators out to q * q groups, back and forth, so that all groups have about as many units.
    void make_groups(Id q) {
        const Id n = part_->n_annotators, heavy = n_heavy(q), groups = q * q;
        group_.assign(n, everywhere_);
        for (Id i = heavy; i < n; ++i) {
            const Id turn = (i - heavy) / groups, place = (i - heavy) % groups;
            group_[by_count_[i]] = turn % 2 == 0 ? place : groups - 1 - place;
        }
    }

    // The units of the panel, with annotators renumbered.
    void choose(Id q, Id panel) {
        const Id m = part_->size(), n = part_->n_annotators;
        local_.assign(m, -1);
        number_.assign(n, -1);
        units_.clear();
        annotator_.clear();
        content_.clear();
        n_annotators_ = 0;
        for (Id u = 0; u < m; ++u) {
            const Id a = part_->annotator[u];
            if (group_[a] != everywhere_ && !is_on_line(q, panel, group_[a])) continue;
            if (number_[a] < 0) number_[a] = n_annotators_++;
            local_[u] = static_cast<Id>(units_.size());
            units_.push_back(u);
            annotator_.push_back(number_[a]);
            content_.push_back(part_->content[u]);
        }
    }

    // The best alignment known, as far as it is in the panel. The duals of the run before are sums of shares of 1/N: of
    // the q + 1 panels with the unit, or of all N = q * (q + 1). Their means are for the panel.
    void begin_with(Id q, const std::vector<Id> &best) {
        start_.clear();
        renumber_.assign(part_->size(), -1);
        Id n_labels = 0;
        for (Id u : units_) {
            Id &label = renumber_[best[u]];
            if (label < 0) label = n_labels++;
            start_.label.push_back(label);
            start_.dual.push_back(group_[part_->annotator[u]] == everywhere_ ? before_[u] : q * before_[u]);
        }
    }

    // Aligns the panel at N * cost_B, so that a column costs 1 - its weights, and adds what that proves.
    void align(Id q, Id n_panels, std::uint64_t effort, Watch &watch) {
        const Graph &graph = part_->graph;
        const double share = 1.0 / n_panels;
        pairs_.clear();
        for (Id u : units_)
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                const Id v = graph.other[e];
                if (v < u || local_[v] < 0) continue;
                const Id a = group_[part_->annotator[u]], b = group_[part_->annotator[v]];
                // In how many panels the two annotators are together.
                const Id r = a == everywhere_ && b == everywhere_             ? n_panels
                             : a == everywhere_ || b == everywhere_ || a == b ? q + 1
                                                                              : 1;
                pairs_.push_back({local_[u], local_[v], graph.w[e] * (static_cast<double>(n_panels) / r)});
            }
        watch.expired(pairs_.size());
        label_.assign(units_.size(), -1);
        Id n_labels = 0;
        double low = 0;
        watch.within(effort, near_enough_, [&] {
            division_.ties_matter = false;
            division_.start = before_.empty() ? nullptr : &start_;
            division_.run(static_cast<Id>(units_.size()), n_annotators_, annotator_, content_, pairs_, watch);
            division_.each_part(
                [&](Id unit) {
                    label_[unit] = n_labels++;
                    dual[units_[unit]] += share;
                    low += 1;
                },
                [&](const Part &part, const Id *units) {
                    solver_.solve(part, watch);
                    for (Id i = 0; i < part.size(); ++i) {
                        label_[units[i]] = n_labels + solver_.label[i];
                        dual[units_[units[i]]] += share * solver_.dual[i];
                    }
                    n_labels += solver_.n_labels;
                    low += solver_.bound;
                });
        });
        bound += share * low;
    }

    static constexpr double near_enough_ = 0.005;  // a gap that a panel may leave open
    const Part *part_ = nullptr;
    std::vector<Id> count_, by_count_;  // units of each annotator; annotators, those with most units first
    std::vector<Id> group_, local_, number_, units_, annotator_, label_;
    std::vector<std::uint64_t> content_;
    Id n_annotators_ = 0;
    std::vector<Pair> pairs_;
    std::vector<double> before_;  // duals of the run before
    Start start_;
    std::vector<Id> renumber_;
    Division division_;
    Solver solver_;
};

}  // namespace unisono
