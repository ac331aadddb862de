// SPDX-License-Identifier: MIT
// The best alignment of one part, with its proof: in closed form, by a matching, or as a partition into columns.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "column_solver.hpp"
#include "frontier.hpp"
#include "panels.hpp"
#include "two_annotators.hpp"
#include "vector_bound.hpp"
#include "watch.hpp"

namespace unisono {

class PartSolver : public ColumnSolver<PartSolver, PartitionFrontier> {
  public:
    std::vector<Id> label;  // unitary alignment of each unit, numbered from 0
    Id n_labels = 0;

    void solve(const Part &part, Watch &watch) {
        restart();
        if (part.size() == 1) return one();
        if (part.n_annotators <= 2)
            return part.graph.w.size() == 2 && part.size() == 2 ? two(part) : match(part, watch);
        choose_columns(part, watch);
    }

  private:
    void one() {
        label.assign(1, 0);
        n_labels = 1;
        dual.assign(1, 1.0);
        bound = 1;
    }

    void two(const Part &part) {
        const double w = part.graph.w[0];
        const bool together = w > -1 + tolerance;  // at -1 both ways cost the same: they stay apart
        label.assign(2, 0);
        label[1] = together ? 0 : 1;
        n_labels = together ? 1 : 2;
        bound = std::min(2.0, 1 - w);
        dual.assign(2, bound / 2);
    }

    // Two annotators, among those of a larger number.
    void match(const Part &part, Watch &watch) {
        const Id m = part.size();
        pairs_.clear();
        for (Id u = 0; u < m; ++u)
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u) pairs_.push_back({u, part.graph.other[e], part.graph.w[e]});
        two_annotators_.run(m, part.annotator.data(), part.content.data(), pairs_, part.ties_matter, watch);
        label.resize(m);
        n_labels = 0;
        for (Id u = 0; u < m; ++u) {
            const Id v = two_annotators_.mate[u];
            label[u] = v >= 0 && v < u ? label[v] : n_labels++;
        }
        dual = two_annotators_.dual;
        bound = two_annotators_.bound;
    }

    friend class ColumnSolver<PartSolver, PartitionFrontier>;
    static constexpr double lowest_dual = -1e300;
    static constexpr int sweeps = 6;
    static constexpr bool any_seed = true;  // `repair` and `list` hold for any order of the seeds
    static constexpr double widening = 2;
    static constexpr double most_widening = 4;  // beyond that, improving the duals is faster

    void prepare(const Duals &) {}

    static bool takes_panels(const Part &part, const Watch &watch) {
        return part.n_annotators >= crowd_ && !watch.wants_bound();
    }

    // With very many annotators pricing proves little for a long time, and panels or vectors much. True when what is
    // proven is near enough.
    bool prove_by_panels(const Part &part, Watch &watch) {
        if (!takes_panels(part, watch)) return false;
        if (!panels_) panels_ = std::make_unique<Panels<PartSolver>>();
        panels_->prepare(part);
        order_ = 0;
        expected_.assign(plane_orders[0] + 1, {0, 0});
        takes_vectors_ = part.size() >= least_vectors_;
        panels_until_ = watch.steps() + 4 * much_;
        if (prove_by_panels_up_to(small_panel_, part, watch)) return true;
        larger_from_ = watch.steps() + left_for_panels(watch) / 10;
        return is_enough(proven_bound(), watch);
    }

    // Larger panels wait until pricing has had a tenth of what is left: where units are few or alike, pricing is
    // faster.
    void prove_by_larger_panels(const Part &part, Watch &watch) {
        if (takes_panels(part, watch) && !watch.may_settle() && watch.steps() >= larger_from_)
            prove_by_panels_up_to(part.n_annotators, part, watch);
    }

    // Panels of growing size, of `most` annotators at most: larger ones prove more and cost more. Or vectors, where
    // they will probably prove more. True when what is proven is near enough.
    bool prove_by_panels_up_to(Id most, const Part &part, Watch &watch) {
        while (watch.reached() == Limit::none) {
            const auto [q, expected] = next_panels(most, part, watch);
            if (watch.reached() != Limit::none) break;
            const double gap = best_ - std::max(proven_bound(), expected.bound);
            if (takes_vectors_ && prefers_vectors(part, gap, watch)) prove_by_vectors(part, watch);
            else if (q > 0 && expected.bound > proven_bound()) prove_by_panels_of_order(q, expected.steps, part, watch);
            else break;
            if (is_enough(proven_bound(), watch)) return true;
        }
        return false;
    }

    // Where a gap may be left open, that of panels or vectors may be larger: pricing takes as long again and hardly
    // ever proves more than they did.
    bool is_enough(double proven, const Watch &watch) const {
        return watch.settles(best_, proven) || (watch.may_settle() && best_ - proven <= crowd_gap_ * best_);
    }

    // In twice the expected steps at most: some panels are much harder than those that were tried, and pricing may be
    // faster.
    void prove_by_panels_of_order(Id q, std::uint64_t expected, const Part &part, Watch &watch) {
        const Id every = std::max<Id>(1, q * (q + 1) / 5);
        Id panel = 0;
        const std::uint64_t end = watch.steps() + 2 * expected;
        const auto left = [&] { return std::min(left_for_panels(watch), end - std::min(end, watch.steps())); };
        panels_->run(q, left, best_label_, watch, [&](const auto &units, const auto &labels) {
            if (panel++ % every == 0) extend_panel(part, units, labels, watch);
        });
        exact_.dual = panels_->dual;
        proof_.keep(exact_);
        floor_ = std::max(floor_, panels_->bound);
        order_ = q;
    }

    // Whether vectors will probably leave a smaller gap than `gap`.
    bool prefers_vectors(const Part &part, double gap, const Watch &watch) {
        if (gap < (watch.may_settle() ? crowd_gap_ : least_gap_of_vectors_) * best_) return false;
        const Id n_columns = count_columns();
        if (!VectorBound::takes(part, n_columns)) return false;
        const double n_rounds = VectorBound::rounds(part, n_columns, left_for_panels(watch));
        return gap * n_rounds > gap_of_a_round_ * best_ && watch.has_room(VectorBound::bytes(part));
    }

    // Of the best alignment known.
    Id count_columns() {
        renumber_.assign(best_label_.size(), 0);
        for (Id k : best_label_) renumber_[k] = 1;
        return static_cast<Id>(std::count(renumber_.begin(), renumber_.end(), 1));
    }

    void prove_by_vectors(const Part &part, Watch &watch) {
        takes_vectors_ = false;
        VectorBound vectors;  // its matrices are large
        vectors.run(
            part, best_label_, left_for_panels(watch), [&](double proven) { return is_enough(proven, watch); }, watch);
        if (vectors.dual.empty()) return;
        exact_.dual = vectors.dual;
        proof_.keep(exact_);
    }

    // The order of the plane of the next panels, 0 for none, and what they are expected to prove. They are the largest
    // ones that take half of what is left, because panels that are cut off prove little, and some take longer than
    // those that are tried; if there are none, the next larger ones that take hardly more than all. Where a gap may be
    // left open, the first ones are quick, if there are such: they may be enough.
    std::pair<Id, ExpectedOfPanels> next_panels(Id most, const Part &part, Watch &watch) {
        std::pair<Id, ExpectedOfPanels> chosen{0, {0, 0}};
        const auto extend = [&](const auto &units, const auto &labels) { extend_panel(part, units, labels, watch); };
        for (Id q : plane_orders) {
            if (panels_->size(q) < least_panel_ || (order_ > 0 && q >= order_)) continue;
            const bool is_next = chosen.first == 0, is_first = is_next && order_ == 0;
            if (panels_->size(q) > most && !is_first) break;
            const std::uint64_t left = left_for_panels(watch);
            ExpectedOfPanels &expected = expected_[q];
            if (expected.steps == 0) expected = panels_->expect(q, left, best_label_, watch, extend);
            const bool is_quick = watch.may_settle() && order_ == 0;
            const bool fits = expected.steps <= left / (is_quick ? 8 : 2) || expected.steps <= chosen.second.steps;
            if (!fits && !is_first && !(is_next && expected.steps <= left / 4 * 5)) break;
            chosen = {q, expected};
        }
        return chosen;
    }

    std::uint64_t left_for_panels(const Watch &watch) const {
        const std::uint64_t left = panels_until_ - std::min(panels_until_, watch.steps());
        return std::min(left, watch.left(4 * much_) / 10 * 9);
    }

    // The alignment of a panel, with the other annotators placed around it.
    void extend_panel(const Part &part, const std::vector<Id> &units, const std::vector<Id> &labels, Watch &watch) {
        if (watch.reached() != Limit::none) return;
        other_clusters_.from_labels(part, units, labels, watch);
        if (other_clusters_.cost >= best_) return;
        other_clusters_.refine(static_cast<std::size_t>(part.size()), watch.left(much_) / 20, watch);
        std::swap(clusters_, other_clusters_);
        keep_clusters();
    }

    void list(const Part &, Id u, double guess, Wide most, Watch &watch) {
        pool_.pricing.list(u, exact_.dual, -guess - tolerance, 20 * most, most, listed_, watch);
    }

    // The seed gives up its violation: its columns lose that much, other columns only lose.
    void repair(const Part &) {
        exact_.dual = pool_.duals.dual;
        for (std::size_t u = 0; u < exact_.dual.size(); ++u) exact_.dual[u] -= pool_.violation[u];
        proof_.keep(exact_);
    }

    // Most parts never need a better alignment than the first one before the proven one.
    void improve(const Part &part, double, Watch &watch) {
        if (pool_.rounds <= 8 && failures_ == 0) return;
        improve_from_pool(part, watch);
        keep_clusters();
    }

    void improve_from_pool(const Part &part, Watch &watch) {
        clusters_.from_columns(part, pool_.columns, pool_.duals.rc, 0.3, watch);
    }

    void keep_clusters() {
        keep_best(clusters_.cost, [&] { best_label_ = clusters_.label; });
    }

    void accept(const Part &part, const Columns &columns, const std::vector<Id> &chosen) {
        label.assign(part.size(), -1);
        n_labels = 0;
        for (Id c : chosen) {
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) label[*u] = n_labels;
            ++n_labels;
        }
    }

    // The labels of the best alignment known, renumbered without gaps.
    void accept_best() {
        label = best_label_;
        renumber_.assign(label.size(), -1);
        n_labels = 0;
        for (Id &a : label) {
            if (renumber_[a] < 0) renumber_[a] = n_labels++;
            a = renumber_[a];
        }
    }

    static constexpr Id crowd_ = 45;                       // annotators from which on panels come first
    static constexpr Id least_panel_ = 8;                  // annotators of a panel, at least
    static constexpr Id small_panel_ = 40;                 // the same, at most, before pricing has had its turn
    static constexpr double crowd_gap_ = 0.05;             // relative
    static constexpr Id least_vectors_ = 64;               // units from which on vectors are tried
    static constexpr double least_gap_of_vectors_ = 0.02;  // relative: below that, panels are as good
    static constexpr double gap_of_a_round_ = 15;          // relative: after r rounds vectors leave about 15 / r
    std::unique_ptr<Panels<PartSolver>> panels_;
    Id order_ = 0;                            // of the plane of the last panels; 0: none yet
    std::vector<ExpectedOfPanels> expected_;  // by order; no steps where none were tried yet
    std::uint64_t panels_until_ = 0, larger_from_ = 0;
    bool takes_vectors_ = false;  // they were not tried yet
    Clusters other_clusters_;
    TwoAnnotators two_annotators_;
    std::vector<Pair> pairs_;
    std::vector<Id> renumber_, best_label_;
};

}  // namespace unisono
