// SPDX-License-Identifier: MIT
// The search for the best choice of columns (unitary alignments) for one part, with its proof.
//
// If there are few columns, all are listed. If there are many, those that violate the duals are generated. Units are in
// order; the seed of a column is its first unit. If v(u) is the largest violation among columns with seed u, the duals
// become feasible for every column when those of its members are lowered enough (`Kind::repair`).
//
// `Kind` says what a choice is: a partition (part_solver.hpp) or a cover, for soft alignments (cover_solver.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "clusters.hpp"
#include "columns.hpp"
#include "duals.hpp"
#include "pool.hpp"
#include "watch.hpp"

namespace unisono {

template <class Kind, class Search> class ColumnSolver {
  public:
    double bound = 0;          // proven: no choice of columns for the part costs less
    std::vector<double> dual;  // feasible for every unitary alignment; their sum is at most `bound`
    bool proven = true;

  protected:
    void restart() {
        proven = true;
        proof_.clear();
        best_ = infinity_;
        floor_ = -infinity_;
        has_pool_ = false;
        duals_.lowest = pool_.duals.lowest = Kind::lowest_dual;
    }

    void choose_columns(const Part &part, Watch &watch) {
        if (!watch.expired(0)) {
            // Up to some fifteen columns per unit it is faster to list them all than to look for the right ones.
            if (listing_.run(part, columns_, 15, watch)) {
                if (by_list(part, watch)) return;
            } else if (watch.reached() == Limit::none && by_price(part, watch)) return;
        }
        give_up(part, watch);
    }

    // Keeps a choice if it is the cheapest so far: the target of the duals, and the answer when a limit is reached.
    template <class Copy> void keep_best(double cost, Copy copy) {
        if (cost >= best_) return;
        best_ = cost;
        copy();
    }

    // No choice costs less.
    double proven_bound() const { return std::max(proof_.bound, floor_); }

    static constexpr double infinity_ = 1e300;
    static constexpr std::uint64_t much_ = 2'000'000'000;  // steps to divide where the effort has no limit
    static constexpr std::size_t hard_list_ = 3;  // rounds after which listed columns are known to be a hard case
    Columns columns_, listed_;
    Duals exact_;  // feasible for every column
    Proof proof_;
    BlocksOf<Search> blocks_;
    Clusters clusters_;
    Pool pool_;
    int failures_ = 0;  // unsuccessful attempts to finish the part
    double best_ = 0;   // cost of the cheapest choice so far
    double floor_ = 0;  // lower bound that does not rest on `proof_`: of searches that found nothing, of panels

  private:
    Kind &kind() { return static_cast<Kind &>(*this); }

    void first_clusters(const Part &part, Watch &watch) {
        if (part.start.is_known()) clusters_.from_start(part, watch);
        else clusters_.build(part, watch);
    }

    // All columns are known.
    bool by_list(const Part &part, Watch &watch) {
        if (watch.too_big(columns_.bytes() * 2)) return false;
        duals_.start(part.size(), columns_, 0.1);
        incidence_.build(part.size(), columns_);
        duals_.sweep(incidence_, Kind::sweeps);
        duals_.settle(incidence_);
        duals_.by_seed = false;
        for (std::size_t round = 0; watch.reached() == Limit::none; ++round) {
            const Wide by_size = static_cast<Wide>(part.size()) + 100;
            const Wide most_states =
                std::min(by_size << std::min<std::size_t>(2 * round, 30), watch.most_kept(by_size));
            if (search(part, columns_, duals_, infinity_, most_states, watch) == Found::yes) return true;
            if (round == hard_list_) {  // a better target, and a bound that does not stagnate
                duals_.by_seed = true;
                first_clusters(part, watch);
                clusters_.refine(static_cast<std::size_t>(part.size()), watch.left(much_) / 4, watch);
                kind().keep_clusters();
            }
            if (round > hard_list_) {
                proof_.keep(duals_);
                if (watch.settles(best_, proof_.bound)) return settle();
            }
            // The sweeps end a few per cent below the optimum at most, nearly always: a good enough target.
            const double target = round < hard_list_ ? 1.05 * duals_.sum() : best_;
            duals_.embolden(round < hard_list_ ? 0 : 0.3);
            duals_.subgradient(columns_, target, 30 << std::min<std::size_t>(round, 8), watch);
            duals_.settle(incidence_);
        }
        proof_.keep(duals_);
        return false;
    }

    // Not all columns are known; missing ones are generated.
    bool by_price(const Part &part, Watch &watch) {
        // What panels and vectors prove needs no last words.
        watch.keep_some(Kind::takes_panels(part, watch) ? 20 : 5);
        first_clusters(part, watch);
        const bool many = Pool::has_many(part, watch);
        const std::size_t iterations = (watch.wants_bound() ? 2 : 8) * static_cast<std::size_t>(part.size());
        // Panels bring other first alignments.
        const std::uint64_t share = Kind::takes_panels(part, watch) ? 16 : 4;
        if (many) clusters_.refine(iterations, watch.left(much_) / share, watch);
        kind().keep_clusters();
        if (kind().prove_by_panels(part, watch)) return settle();
        if (!pool_.start(part, clusters_, many, Kind::any_seed && many, watch)) return false;
        has_pool_ = true;
        failures_ = 0;
        Wide patience = 1;
        double before = -infinity_;      // the bound when the pool was silent the last time
        double ready = 5 * pool_.least;  // try to finish when the bound is this close to the bound of the pool alone
        while (pool_.round(best_, watch)) {
            kind().repair(part);
            const double open = pool_.duals.sum() - proof_.bound;
            kind().improve(part, open, watch);
            // No duals prove more than those of the pool alone.
            const double most = watch.wants_bound() ? std::min(best_, pool_.duals.sum()) : best_;
            if (watch.settles(most, proven_bound())) return settle();
            // Where better duals will do, a search is not worth its cost.
            const bool is_waiting = !pool_.silent() && watch.is_near_enough(most, pool_.duals.sum());
            if ((open <= ready && !is_waiting) || pool_.silent()) {
                if (finish(part, std::max(pool_.least, 2 * open), patience, watch)) return true;
                ready = open / 4;
                ++failures_;
                pool_.sharpen();
                if (pool_.silent()) {
                    const double rise = proven_bound() - before;
                    if (is_capped_ && rise < 0.01 * (best_ - before)) {  // the next search would be the same
                        watch.run_out();
                        return false;
                    }
                    before = proven_bound();
                    patience *= 2;
                }
            }
            kind().prove_by_larger_panels(part, watch);
            if (!pool_.grow(watch)) break;
        }
        return false;
    }

    // Lists every column within a guessed gap of the best duals and searches among them; a wider gap where none is
    // found.
    bool finish(const Part &part, double guess, Wide patience, Watch &watch) {
        exact_.dual = proof_.dual;
        const double gap = best_ - proof_.bound;
        const double most_guess = Kind::most_widening * guess * static_cast<double>(patience);
        // What is kept grows with `patience` up to the cap of the effort, which is the same for columns and states. A
        // unit has fewer states than columns, so theirs is the last to be reached: the second call says whether a
        // search with more patience could still be another one.
        const auto by_size = [&](Wide of_a_unit) {
            const Wide m = static_cast<Wide>(part.size());
            const Wide wanted = patience * of_a_unit * m + 20000, most = watch.most_kept(of_a_unit * m + 20000);
            is_capped_ = wanted >= most;
            return std::min(wanted, most);
        };
        const Wide most_columns = by_size(50);
        Wide most_states = by_size(20);
        // Most parts need few states. Where they do not, better duals come before a long search.
        if (!pool_.duals.by_seed) most_states = std::min(most_states, 2 * static_cast<Wide>(part.size()) + 1000);
        // What an earlier search ruled out need not be searched again.
        for (guess = std::max(guess, Kind::widening * (floor_ - proof_.bound));; guess *= Kind::widening) {
            if (Kind::widening * guess > gap) guess = gap + tolerance;  // a choice within this gap is known
            listed_.clear();
            for (Id u = 0; u < part.size(); ++u) {
                kind().list(part, u, guess, most_columns, watch);
                if (watch.reached() != Limit::none || !pool_.pricing.complete || listed_.cost.size() > most_columns)
                    return false;
            }
            exact_.refresh(listed_);
            const Found found = search(part, listed_, exact_, guess, most_states, watch);
            if (found == Found::yes) return true;
            if (found == Found::no) floor_ = std::max(floor_, proof_.bound + guess);  // no choice is that cheap
            if (found == Found::unknown || guess > gap || guess > most_guess) return false;
        }
    }

    Found search(const Part &part, const Columns &columns, const Duals &duals, double known, Wide most_states,
                 Watch &watch) {
        kind().prepare(duals);
        const Found found = blocks_.run(part, columns, duals.rc, known, most_states, watch);
        if (found != Found::yes) return found;
        kind().accept(part, columns, blocks_.chosen);
        dual = duals.dual;
        bound = duals.sum() + blocks_.length;
        return found;
    }

    // The best choice known is near enough to the bound.
    bool settle() {
        proven = false;
        kind().accept_best();
        dual = proof_.dual;
        bound = proven_bound();
        return true;
    }

    // A limit was reached: the best choice known, with the best bound known.
    void give_up(const Part &part, Watch &watch) {
        proven = false;
        watch.last_words([&] {
            if (has_pool_) kind().improve_from_pool(part, watch);
            else if (best_ == infinity_) first_clusters(part, watch);
            kind().keep_clusters();
            if (has_pool_) pool_.lower(proven_bound(), watch, [&] { kind().repair(part); });
        });
        kind().accept_best();
        exact_.lowest = Kind::lowest_dual;
        exact_.fair_share(part);
        proof_.keep(exact_);
        if (Kind::lowest_dual < 0) {
            exact_.packing(part);
            proof_.keep(exact_);
        }
        dual = proof_.dual;
        bound = proven_bound();
    }

    Listing listing_;
    Incidence incidence_;
    Duals duals_;
    bool has_pool_ = false;
    bool is_capped_ = false;  // the last search kept as much as its effort allows
};

}  // namespace unisono
