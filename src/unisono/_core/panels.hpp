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
#include <cstdint>
#include <utility>
#include <vector>

#include "affine_plane.hpp"
#include "columns.hpp"
#include "division.hpp"
#include "watch.hpp"

namespace unisono {

// What the panels of one order will probably take and prove.
struct ExpectedOfPanels {
    std::uint64_t steps;
    double bound;
};

// `Solver` aligns one part: a PartSolver.
template <class Solver> class Panels {
  public:
    double bound = 0;          // proven by the last panels
    std::vector<double> dual;  // feasible for every column; their sum is at most `bound`

    // Sorts the annotators of a part by their numbers of units.
    void prepare(const Part &part) {
        part_ = &part;
        dual.clear();
        mean_.assign(part.size(), unknown_);
        const Id n = part.n_annotators;
        n_units_of_.assign(n, 0);
        for (Id a : part.annotator) ++n_units_of_[a];
        by_count_.resize(n);
        for (Id a = 0; a < n; ++a) by_count_[a] = a;
        std::sort(by_count_.begin(), by_count_.end(), [&](Id a, Id b) {
            return n_units_of_[a] > n_units_of_[b] || (n_units_of_[a] == n_units_of_[b] && a < b);
        });
    }

    // The bound from the q * (q + 1) panels of the plane of order q. The steps that `left` says are divided evenly
    // among the panels still to come; where a limit of the whole search is reached, these have the bounds that are
    // known without a search. Panels begin with `best`, the labels of the best alignment known. Calls visit(units,
    // labels) with the alignment of each panel.
    template <class Left, class Visit>
    void run(Id q, Left left, const std::vector<Id> &best, Watch &watch, Visit visit) {
        make_groups(q);
        dual.assign(part_->size(), 0);
        n_seen_.assign(part_->size(), 0);
        bound = 0;
        const Id n_panels = count(q);
        for (Id panel = 0; panel < n_panels; ++panel) {
            align(q, panel, left() / static_cast<std::uint64_t>(n_panels - panel), best, watch);
            for (std::size_t i = 0; i < units_.size(); ++i) {
                const Id u = units_[i];
                dual[u] += panel_dual_[i] / n_panels;
                mean_[u] = dual[u] * n_panels / ++n_seen_[u];
            }
            bound += panel_bound_ / n_panels;
            visit(units_, label_);
        }
    }

    // Aligns a few panels of order q, each in at most twice its share of `left`. Calls visit(units, labels) with them.
    template <class Visit>
    ExpectedOfPanels expect(Id q, std::uint64_t left, const std::vector<Id> &best, Watch &watch, Visit visit) {
        make_groups(q);
        const Id n_panels = count(q), n_tried = std::min(most_tried_, n_panels / 20 + 1);
        const std::uint64_t all = static_cast<std::uint64_t>(n_panels);
        std::uint64_t steps = 0;
        double sum = 0;
        for (Id i = 0; i < n_tried && watch.reached() == Limit::none; ++i) {
            const std::uint64_t before = watch.steps();
            align(q, i * (n_panels / n_tried), 2 * left / all, best, watch);
            steps += watch.steps() - before;
            sum += panel_bound_;
            visit(units_, label_);
        }
        return {steps / static_cast<std::uint64_t>(n_tried) * all + 1, sum / n_tried};
    }

    // The number of annotators of a panel, about.
    Id size(Id q) const { return n_heavy(q) + (part_->n_annotators - n_heavy(q) + q - 1) / q; }

  private:
    static constexpr Id everywhere_ = -1;
    static constexpr double unknown_ = -1e300;
    static constexpr Id most_tried_ = 4;

    static Id count(Id q) { return q * (q + 1); }

    // Those who are in every panel have at least half as many units again as the others, and are a sixth of a panel.
    Id n_heavy(Id q) const {
        const Id n = part_->n_annotators, most = n / (6 * q) + 1;
        Id heavy = 0;
        while (heavy < most && 2.0 * n_units_of_[by_count_[heavy]] * n >= 3.0 * part_->size()) ++heavy;
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

    // Begins the panel with the best alignment known, as far as it is in it, and with the mean duals of the panels
    // before; not if a unit was in none of these.
    void begin_with(const std::vector<Id> &best) {
        start_.clear();
        for (Id u : units_)
            if (mean_[u] == unknown_) return;
        renumber_.assign(part_->size(), -1);
        Id n_labels = 0;
        for (Id u : units_) {
            Id &label = renumber_[best[u]];
            if (label < 0) label = n_labels++;
            start_.label.push_back(label);
            start_.dual.push_back(mean_[u]);
        }
    }

    // Aligns the panel at N * cost_B, so that a column costs 1 - its weights.
    void align(Id q, Id panel, std::uint64_t effort, const std::vector<Id> &best, Watch &watch) {
        choose(q, panel);
        begin_with(best);
        weigh_pairs(q);
        watch.expired(pairs_.size());
        label_.assign(units_.size(), -1);
        panel_dual_.assign(units_.size(), 1);
        panel_bound_ = 0;
        Id n_labels = 0;
        watch.within(effort, near_enough_, [&] {
            division_.ties_matter = false;
            division_.start = start_.is_known() ? &start_ : nullptr;
            division_.run(static_cast<Id>(units_.size()), n_annotators_, annotator_, content_, pairs_, watch);
            division_.each_part(
                [&](Id unit) {
                    label_[unit] = n_labels++;
                    panel_bound_ += 1;
                },
                [&](const Part &part, const Id *units) {
                    solver_.solve(part, watch);
                    for (Id i = 0; i < part.size(); ++i) {
                        label_[units[i]] = n_labels + solver_.label[i];
                        panel_dual_[units[i]] = solver_.dual[i];
                    }
                    n_labels += solver_.n_labels;
                    panel_bound_ += solver_.bound;
                });
        });
    }

    // The pairs of the panel, their weights times N / r.
    void weigh_pairs(Id q) {
        const Graph &graph = part_->graph;
        const Id n_panels = count(q);
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
    }

    static constexpr double near_enough_ = 0.005;  // a gap that a panel may leave open
    const Part *part_ = nullptr;
    std::vector<Id> n_units_of_, by_count_;  // units of each annotator; annotators, those with most units first
    std::vector<Id> group_, local_, number_, units_, annotator_, label_;
    std::vector<std::uint64_t> content_;
    Id n_annotators_ = 0;
    std::vector<Pair> pairs_;
    std::vector<double> mean_;        // of the duals that a unit had in the panels of this run, or of the run before
    std::vector<Id> n_seen_;          // panels of this run with the unit
    std::vector<double> panel_dual_;  // of the last panel, as its bound
    double panel_bound_ = 0;
    Start start_;
    std::vector<Id> renumber_;
    Division division_;
    Solver solver_;
};

}  // namespace unisono
