// SPDX-License-Identifier: MIT
// Which columns matter for a cover: those that no further unit can join at no cost. If x can join S without raising its
// cost, S with x covers more at the same cost, and a list of all columns up to a reduced cost contains it.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"

namespace unisono {

class Maximal {
  public:
    // Copies the columns of `from`, which all have the seed u, to `to` if no unit can join them at no cost.
    void filter(const Part &part, Id u, const Columns &from, Columns &to) {
        const Graph &graph = part.graph;
        const Id degree = graph.degree(u), *near = graph.other.data() + graph.first[u];
        local_.resize(part.size());
        for (Id i = 0; i < degree; ++i) local_[near[i]] = i;
        // Row i: the weights of neighbour i to every neighbour of the seed; never where the two are not near.
        weight_.assign(cells(degree, degree), never);
        for (Id i = 0; i < degree; ++i) {
            double *row = &weight_[static_cast<std::size_t>(i) * degree];
            Id k = 0;
            for (Id e = graph.first[near[i]]; e < graph.first[near[i] + 1]; ++e) {
                while (k < degree && near[k] < graph.other[e]) ++k;
                if (k < degree && near[k] == graph.other[e]) row[k] = graph.w[e];
            }
        }
        for (Id c = 0; c < from.size(); ++c) {
            sum_.assign(graph.w.begin() + graph.first[u], graph.w.begin() + graph.first[u + 1]);
            for (const Id *v = from.begin(c) + 1; v != from.end(c); ++v) {
                const double *row = &weight_[static_cast<std::size_t>(local_[*v]) * degree];
                for (Id x = 0; x < degree; ++x) sum_[x] += row[x];
            }
            if (std::none_of(sum_.begin(), sum_.end(), [](double s) { return s >= 0; }))
                to.add(from.begin(c), from.end(c), from.cost[c]);
        }
    }

  private:
    static constexpr double never = -1e300;
    std::vector<Id> local_;
    std::vector<double> weight_, sum_;
};

}  // namespace unisono
