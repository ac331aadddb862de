// SPDX-License-Identifier: MIT
// Dual values of the set partitioning problem: one price per unit such that no column costs less than its units'
// prices together. Their sum is a lower bound on the cost of every alignment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Duals {
  public:
    std::vector<double> dual;  // one per unit
    std::vector<double> rc;    // reduced cost of each column under `dual`
    double lowest = -1e300;    // no dual may be lower: 0 where units may be covered more than once

    // A first guess: each column's cost shared evenly among its units, the least share taken. `step` is how boldly
    // `subgradient` begins: small where the guess is made better before.
    void start(Id m, const Columns &columns, double step) {
        lambda_ = step;
        dual.assign(m, infinity_);
        for (Id c = 0; c < columns.size(); ++c) {
            const double share = columns.cost[c] / columns.length(c);
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) dual[*u] = std::min(dual[*u], share);
        }
        refresh(columns);
    }

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

    // Makes every reduced cost at least zero: first the units of violated columns give way, then each unit takes what
    // its best column leaves. The sum ends no lower than L of `subgradient`.
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

    // Deflected Polyak subgradient steps on L(dual) = sum of duals + sum of negative reduced costs.
    // `target`: cost of the best alignment known. Returns the best L seen; `dual` is set to where it was seen.
    double subgradient(const Columns &columns, double target, int steps, Watch &watch) {
        const Id m = static_cast<Id>(dual.size());
        direction_.assign(m, 0);
        cover_.assign(m, 0);
        best_dual_ = dual;
        double best = -infinity_;
        Id longest = 1;
        for (Id c = 0; c < columns.size(); ++c) longest = std::max(longest, columns.length(c));
        double window = 0.25, moved = infinity_;  // how far any reduced cost may have moved since the last look
        int idle = 0;
        for (int step = 0; step < steps; ++step) {
            if (moved > window) {
                look(columns, window, longest);
                moved = 0;
            }
            double value = 0;
            for (double d : dual) value += d;
            std::fill(cover_.begin(), cover_.end(), 1.0);
            value += negative(longest);
            if (value > best + 1e-7 * std::abs(best)) {
                best = value;
                best_dual_ = dual;
                idle = 0;
            } else if (++idle >= 8) {
                idle = 0;
                lambda_ *= 0.8;
            }
            double norm = 0, most = 0;
            for (Id i = 0; i < m; ++i) {
                direction_[i] = 0.3 * cover_[i] + 0.7 * direction_[i];
                norm += direction_[i] * direction_[i];
                most = std::max(most, std::abs(direction_[i]));
            }
            const double goal = std::min(target, best + 0.1 * std::abs(best) + 0.5);
            if (norm < 1e-18 || goal - value < 1e-12 * std::abs(goal) || lambda_ < 1e-4) break;
            const double length = lambda_ * (goal - value) / norm;
            for (Id i = 0; i < m; ++i) dual[i] = std::max(lowest, dual[i] + length * direction_[i]);
            const double change = length * most * longest;
            moved += change;
            if (moved > window) window = std::min(4.0, std::max(0.02, 12 * change));  // the next look in about 12 steps
            if (watch.expired(watched_member_.size() + m)) break;
        }
        lambda_ = std::min(0.25, std::max(0.05, 3 * lambda_));
        dual = best_dual_;
        refresh(columns);
        return best;
    }

  private:
    void move(Id u, double by, const Incidence &incidence) {
        by = std::max(by, lowest - dual[u]);
        if (by == 0) return;
        dual[u] += by;
        for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k) rc[incidence.column[k]] -= by;
    }

    // A compact copy of the columns that may turn negative before the next look, by length: loops over columns of one
    // length run much faster than over mixed ones.
    void look(const Columns &columns, double window, Id longest) {
        passing_.clear();
        count_.assign(longest + 2, 0);
        for (Id c = 0; c < columns.size(); ++c)
            if (columns.reduced_cost(c, dual) < window) {
                passing_.push_back(c);
                ++count_[columns.length(c) + 1];
            }
        for (Id k = 1; k <= longest + 1; ++k) count_[k] += count_[k - 1];
        classes_ = count_;  // columns of length k are at classes_[k] .. classes_[k + 1]
        sorted_.resize(passing_.size());
        for (Id c : passing_) sorted_[count_[columns.length(c)]++] = c;
        watched_cost_.clear();
        watched_member_.clear();
        for (Id c : sorted_) {
            watched_cost_.push_back(columns.cost[c]);
            watched_member_.insert(watched_member_.end(), columns.begin(c), columns.end(c));
        }
    }

    // Adds up the negative reduced costs of the watched columns of length k, and takes their units off `cover_`.
    template <Id Fixed> double negative(Id k, const Id *u) {
        const Id length = Fixed > 0 ? Fixed : k;
        double value = 0;
        for (Id i = classes_[k]; i < classes_[k + 1]; ++i, u += length) {
            double r = watched_cost_[i];
            for (Id x = 0; x < length; ++x) r -= dual[u[x]];
            if (r < 0) {
                value += r;
                for (Id x = 0; x < length; ++x) cover_[u[x]] -= 1;
            }
        }
        return value;
    }

    double negative(Id longest) {
        double value = 0;
        const Id *u = watched_member_.data();
        for (Id k = 1; k <= longest; ++k) {
            switch (k) {
            case 1: value += negative<1>(k, u); break;
            case 2: value += negative<2>(k, u); break;
            case 3: value += negative<3>(k, u); break;
            case 4: value += negative<4>(k, u); break;
            case 5: value += negative<5>(k, u); break;
            case 6: value += negative<6>(k, u); break;
            default: value += negative<0>(k, u);
            }
            u += static_cast<std::ptrdiff_t>(k) * (classes_[k + 1] - classes_[k]);
        }
        return value;
    }

    static constexpr double infinity_ = 1e300;
    double lambda_ = 0.5;  // step factor: later rounds begin where the last one ended
    std::vector<double> direction_, best_dual_, cover_, watched_cost_;
    std::vector<Id> watched_member_, passing_, sorted_, count_, classes_;
};

}  // namespace unisono
