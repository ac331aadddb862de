// SPDX-License-Identifier: MIT
// Dual values of the set partitioning problem: one price per unit such that no column costs less than its units'
// prices together. Their sum is a lower bound on the cost of every alignment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Duals {
  public:
    std::vector<double> dual;  // one per unit
    std::vector<double> rc;    // reduced cost of each column under `dual`
    double lowest = -1e300;    // no dual may be lower: 0 where units may be covered more than once
    bool by_seed = false;      // see `subgradient`

    // A first guess: each column's cost shared evenly among its units, the least share taken. `step` is the
    // first step factor of `subgradient`: small if the guess is improved before.
    void start(Id m, const Columns &columns, double step) {
        lambda_ = step;
        dual.assign(m, infinity_);
        for (Id c = 0; c < columns.size(); ++c) {
            const double share = columns.cost[c] / columns.length(c);
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) dual[*u] = std::min(dual[*u], share);
        }
        refresh(columns);
    }

    // Given ones as a first guess.
    void start(const std::vector<double> &given, const Columns &columns, double step) {
        lambda_ = step;
        dual = given;
        refresh(columns);
    }

    // Duals that are feasible without any search: an even share of the cost of an alignment of empty units, less half
    // of the best weights: the weights of a column are no more than half of those of its units.
    void fair_share(const Part &part) {
        half_best(part);
        for (Id u = 0; u < part.size(); ++u) dual[u] = std::max(lowest, 1.0 / part.n_annotators + dual[u]);
    }

    // The same for a set of units of which no two can share a column: 1 for each of them, less half of the best weights
    // of every unit. The set is that of the annotator with most units and of others, as far as they fit.
    void packing(const Part &part) {
        const Graph &graph = part.graph;
        const Id m = part.size();
        count_.assign(part.n_annotators, 0);
        for (Id a : part.annotator) ++count_[a];
        const Id whose = static_cast<Id>(std::max_element(count_.begin(), count_.end()) - count_.begin());
        place_.resize(m);
        for (Id u = 0; u < m; ++u) place_[u] = u;
        std::sort(place_.begin(), place_.end(), [&](Id u, Id v) {
            const bool own_u = part.annotator[u] == whose, own_v = part.annotator[v] == whose;
            if (own_u != own_v) return own_u;
            return graph.degree(u) != graph.degree(v) ? graph.degree(u) < graph.degree(v) : u < v;
        });
        half_best(part);
        is_near_.assign(m, 0);
        for (Id u : place_) {
            if (is_near_[u]) continue;
            dual[u] += 1;
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) is_near_[graph.other[e]] = 1;
        }
    }

    // Raises the step factor to at least `step`.
    void embolden(double step) { lambda_ = std::max(lambda_, step); }

    void refresh(const Columns &columns) {
        rc.resize(columns.size());
        for (Id c = 0; c < columns.size(); ++c) rc[c] = columns.reduced_cost(c, dual);
    }

    // Midpoint sweeps (Wedelin): each unit's price moves halfway between its best and its second best column.
    void sweep(const Incidence &incidence, int times) {
        const Id m = static_cast<Id>(dual.size());
        for (int t = 0; t < times; ++t)
            for (Id i = 0; i < m; ++i) {
                const Id u = t % 2 == 0 ? i : m - 1 - i;
                double least = infinity_, second = infinity_;
                for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k) {
                    const double r = rc[incidence.column[k]];
                    if (r < least) {
                        second = least;
                        least = r;
                    } else if (r < second) second = r;
                }
                move(u, second == infinity_ ? least : 0.5 * (least + second), incidence);
            }
    }

    // Makes every reduced cost at least zero: first the duals of units in violated columns are lowered, then each
    // unit's dual is raised by the least reduced cost of its columns. The sum ends no lower than L of `subgradient`.
    void settle(const Incidence &incidence) {
        const Id m = static_cast<Id>(dual.size());
        for (int t = 0; t < 3; ++t)
            for (Id i = 0; i < m; ++i) {
                const Id u = t % 2 == 0 ? i : m - 1 - i;
                double least = infinity_;
                for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k)
                    least = std::min(least, rc[incidence.column[k]]);
                if (t > 0 || least < 0) move(u, least, incidence);
            }
    }

    double sum() const {
        double s = 0, lost = 0;
        for (double d : dual) {
            const double y = d - lost, t = s + y;
            lost = (t - s) - y;
            s = t;
        }
        return s;
    }

    // Deflected Polyak subgradient steps on L(dual) = sum of duals + sum of negative reduced costs, of all columns or,
    // `by_seed`, of the least one of each seed: no two columns of one seed can be chosen together. The first is quick
    // while duals are rough; its bound can stay below what duals can prove, where that of the second rises.
    // `target`: cost of the best alignment known. Returns the best L seen; `dual` is set to where it was seen.
    double subgradient(const Columns &columns, double target, int steps, Watch &watch) {
        const Id m = static_cast<Id>(dual.size());
        least_.assign(m, 0);
        column_of_.resize(m);
        direction_.assign(m, 0);
        cover_.assign(m, 0);
        best_dual_ = dual;
        double best = -infinity_;
        Id longest = 1;
        for (Id c = 0; c < columns.size(); ++c) longest = std::max(longest, columns.length(c));
        by_length(columns, longest);
        double window = 0.25, moved = infinity_;  // bound on the change of any reduced cost since the last look
        int idle = 0;
        for (int step = 0; step < steps; ++step) {
            if (moved > window) {
                look(window);
                watch.expired(all_.member.size());
                moved = 0;
            }
            std::fill(cover_.begin(), cover_.end(), 1.0);
            const double value = quick_sum(dual) + (by_seed ? least_negative() : negative());
            if (value > best + 1e-7 * std::abs(best)) {
                best = value;
                best_dual_ = dual;
                idle = 0;
            } else if (++idle >= (by_seed ? 16 : 8)) {
                idle = 0;
                lambda_ *= 0.8;
            }
            turn(m);
            const double goal = std::min(target, best + 0.15 * std::abs(best) + 0.5);
            if (norm_ < 1e-18 || goal - value < 1e-12 * std::abs(goal) || lambda_ < 1e-4) break;
            const double length = lambda_ * (goal - value) / norm_;
            for (Id i = 0; i < m; ++i) dual[i] = std::max(lowest, dual[i] + length * direction_[i]);
            const double change = length * most_ * longest;
            moved += change;
            if (moved > window) {
                window = std::min(4.0, std::max(0.02, 12 * change));  // the next look but one in about 12 steps
                moved = infinity_;
            }
            if (watch.expired(n_watched_ + m)) break;
        }
        lambda_ = std::min(0.25, std::max(0.05, 3 * lambda_));
        dual = best_dual_;
        refresh(columns);
        return best;
    }

  private:
    // Half of the best weights of each unit, one for each annotator, below 0.
    void half_best(const Part &part) {
        const Graph &graph = part.graph;
        dual.resize(part.size());
        best_.assign(part.n_annotators, 0);
        for (Id u = 0; u < part.size(); ++u) {
            double sum = 0;
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                double &best = best_[part.annotator[graph.other[e]]];
                if (graph.w[e] > best) sum += graph.w[e] - best, best = graph.w[e];
            }
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) best_[part.annotator[graph.other[e]]] = 0;
            dual[u] = -sum / 2;
        }
    }

    // Sums and maxima use four accumulators, so that an addition need not wait for the one before.
    static constexpr Id lanes_ = 4;

    static double quick_sum(const std::vector<double> &values) {
        double sum[lanes_] = {};
        const std::size_t m = values.size();
        std::size_t i = 0;
        for (; i + lanes_ <= m; i += lanes_)
            for (Id k = 0; k < lanes_; ++k) sum[k] += values[i + k];
        for (; i < m; ++i) sum[0] += values[i];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    // The new direction: a part of the subgradient, the rest of the old direction; with its norm and largest entry.
    void turn(Id m) {
        double norm[lanes_] = {}, most[lanes_] = {};
        const auto one = [&](Id i, Id k) {
            const double x = direction_[i] = 0.3 * cover_[i] + 0.7 * direction_[i];
            norm[k] += x * x;
            most[k] = std::max(most[k], std::abs(x));
        };
        Id i = 0;
        for (; i + lanes_ <= m; i += lanes_)
            for (Id k = 0; k < lanes_; ++k) one(i + k, k);
        for (; i < m; ++i) one(i, 0);
        norm_ = (norm[0] + norm[1]) + (norm[2] + norm[3]);
        most_ = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
    }

    void move(Id u, double by, const Incidence &incidence) {
        by = std::max(by, lowest - dual[u]);
        if (by == 0) return;
        dual[u] += by;
        for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k) rc[incidence.column[k]] -= by;
    }

    // The columns by length: loops over columns of one length run much faster than over mixed ones.
    struct ByLength {
        std::vector<double> cost;
        std::vector<Id> member;  // of all columns, one after another
        std::vector<Id> first;   // columns of length k: first[k] .. first[k + 1]
    };
    template <Id k> using Fixed = std::integral_constant<Id, k>;

    // Calls visit(k, members of the columns of length k) for each k; short lengths are known to the compiler.
    template <class Visit> static void each_length(const ByLength &columns, Visit visit) {
        const Id *u = columns.member.data();
        for (Id k = 1; k + 1 < static_cast<Id>(columns.first.size()); ++k) {
            switch (k) {
            case 1: visit(Fixed<1>{}, u); break;
            case 2: visit(Fixed<2>{}, u); break;
            case 3: visit(Fixed<3>{}, u); break;
            case 4: visit(Fixed<4>{}, u); break;
            case 5: visit(Fixed<5>{}, u); break;
            case 6: visit(Fixed<6>{}, u); break;
            default: visit(k, u);
            }
            u += static_cast<std::ptrdiff_t>(k) * (columns.first[k + 1] - columns.first[k]);
        }
    }

    void by_length(const Columns &columns, Id longest) {
        all_.first.assign(longest + 2, 0);
        for (Id c = 0; c < columns.size(); ++c) ++all_.first[columns.length(c) + 1];
        place_.assign(longest + 2, 0);
        for (Id k = 1; k <= longest; ++k) {
            place_[k + 1] = place_[k] + k * all_.first[k + 1];
            all_.first[k + 1] += all_.first[k];
        }
        all_.cost.resize(columns.size());
        all_.member.resize(columns.member.size());
        count_ = all_.first;
        for (Id c = 0; c < columns.size(); ++c) {
            const Id k = columns.length(c);
            all_.cost[count_[k]++] = columns.cost[c];
            std::copy(columns.begin(c), columns.end(c), &all_.member[place_[k]]);
            place_[k] += k;
        }
    }

    // A compact copy of the columns that may turn negative before the next look.
    void look(double window) {
        watched_.cost.resize(all_.cost.size());
        watched_.member.resize(all_.member.size());
        watched_.first.assign(all_.first.size(), 0);
        Id count = 0;
        Id *to = watched_.member.data();
        each_length(all_, [&](auto length, const Id *u) {
            for (Id i = all_.first[length]; i < all_.first[length + 1]; ++i, u += length) {
                double r = all_.cost[i];
                for (Id x = 0; x < length; ++x) r -= dual[u[x]];
                watched_.cost[count] = all_.cost[i];
                for (Id x = 0; x < length; ++x) to[x] = u[x];
                const bool kept = r < window;
                count += kept;
                to += kept ? length : 0;
            }
            watched_.first[length + 1] = count;
        });
        watched_.cost.resize(count);
        n_watched_ = static_cast<std::size_t>(to - watched_.member.data());
    }

    // Adds up the negative reduced costs of the watched columns, and takes their units off `cover_`.
    double negative() {
        double value = 0;
        each_length(watched_, [&](auto length, const Id *u) {
            for (Id i = watched_.first[length]; i < watched_.first[length + 1]; ++i, u += length) {
                double r = watched_.cost[i];
                for (Id x = 0; x < length; ++x) r -= dual[u[x]];
                if (r < 0) {
                    value += r;
                    for (Id x = 0; x < length; ++x) cover_[u[x]] -= 1;
                }
            }
        });
        return value;
    }

    // The same for the least negative reduced cost of each seed alone.
    double least_negative() {
        seeds_.clear();
        each_length(watched_, [&](auto length, const Id *u) {
            for (Id i = watched_.first[length]; i < watched_.first[length + 1]; ++i, u += length) {
                double r = watched_.cost[i];
                for (Id x = 0; x < length; ++x) r -= dual[u[x]];
                if (r < least_[u[0]]) {
                    if (least_[u[0]] == 0) seeds_.push_back(u[0]);
                    least_[u[0]] = r;
                    column_of_[u[0]] = {u, u + length};
                }
            }
        });
        double value = 0;
        for (Id seed : seeds_) {
            value += least_[seed];
            least_[seed] = 0;
            for (const Id *u = column_of_[seed].first; u != column_of_[seed].second; ++u) cover_[*u] -= 1;
        }
        return value;
    }

    static constexpr double infinity_ = 1e300;
    double lambda_ = 0.5;  // step factor: later rounds begin where the last one ended
    std::vector<double> direction_, best_dual_, cover_, best_;
    double norm_ = 0, most_ = 0;
    std::vector<double> least_;  // for each seed, in one step
    std::vector<std::pair<const Id *, const Id *>> column_of_;
    std::vector<Id> seeds_;
    std::vector<Id> count_, place_;
    std::vector<char> is_near_;
    ByLength all_, watched_;
    std::size_t n_watched_ = 0;  // members of the watched columns
};

// The best duals known to hold for every column, and what they prove.
struct Proof {
    double bound = 0;
    std::vector<double> dual;

    void clear() { bound = -1e300; }
    void keep(const Duals &duals) {
        const double sum = duals.sum();
        if (sum <= bound) return;
        bound = sum;
        dual = duals.dual;
    }
};

}  // namespace unisono
