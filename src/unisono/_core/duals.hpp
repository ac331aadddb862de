// SPDX-License-Identifier: MIT
// Dual values of the set partitioning problem: one price per unit such that no column costs less than its units'
// prices together. Their sum is a lower bound on the cost of every alignment.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Duals {
  public:
    std::vector<double> dual;  // one per unit
    std::vector<double> rc;    // reduced cost of each column under `dual`

    // A first guess: each column's cost shared evenly among its units, the least share taken.
    void start(Id m, const Columns &columns) {
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

    // Each unit takes what its best column leaves: afterwards every reduced cost is at least zero.
    void settle(const Incidence &incidence) {
        const Id m = static_cast<Id>(dual.size());
        for (int t = 0; t < 2; ++t)
            for (Id i = 0; i < m; ++i) {
                const Id u = t % 2 == 0 ? i : m - 1 - i;
                double least = infinity_;
                for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k)
                    least = std::min(least, rc[incidence.column[k]]);
                move(u, least, incidence);
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
        best_dual_ = dual;
        double best = -infinity_, lambda = 0.5;
        int idle = 0;
        for (int step = 0; step < steps; ++step) {
            if (step % 20 == 0) look(columns);
            cover_.assign(m, 1);
            double value = 0;
            for (double d : dual) value += d;
            for (Id i = 0; i < static_cast<Id>(watched_.size()); ++i) {
                const Id c = watched_[i];
                double r = columns.cost[c];
                for (const Id *u = columns.begin(c); u != columns.end(c); ++u) r -= dual[*u];
                if (r < 0) {
                    value += r;
                    for (const Id *u = columns.begin(c); u != columns.end(c); ++u) cover_[*u] -= 1;
                }
            }
            if (value > best + 1e-7 * std::abs(best)) {
                best = value;
                best_dual_ = dual;
                idle = 0;
            } else if (++idle >= 8) {
                idle = 0;
                lambda *= 0.8;
            }
            double norm = 0;
            for (Id u = 0; u < m; ++u) {
                direction_[u] = 0.3 * cover_[u] + 0.7 * direction_[u];
                norm += direction_[u] * direction_[u];
            }
            const double goal = std::min(target, best + 0.1 * std::abs(best) + 0.5);
            if (norm < 1e-18 || goal - value < 1e-12 * std::abs(goal) || lambda < 1e-4) break;
            const double length = lambda * (goal - value) / norm;
            for (Id u = 0; u < m; ++u) dual[u] += length * direction_[u];
            if (watch.expired(watched_.size() + m)) break;
        }
        dual = best_dual_;
        refresh(columns);
        return best;
    }

  private:
    void move(Id u, double by, const Incidence &incidence) {
        if (by == 0) return;
        dual[u] += by;
        for (Id k = incidence.first[u]; k < incidence.first[u + 1]; ++k) rc[incidence.column[k]] -= by;
    }

    // The columns that may turn negative within the next few steps.
    void look(const Columns &columns) {
        watched_.clear();
        for (Id c = 0; c < columns.size(); ++c) {
            double r = columns.cost[c];
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) r -= dual[*u];
            if (r < 0.25) watched_.push_back(c);
        }
    }

    static constexpr double infinity_ = 1e300;
    std::vector<double> direction_, best_dual_;
    std::vector<double> cover_;
    std::vector<Id> watched_;
};

}  // namespace unisono
