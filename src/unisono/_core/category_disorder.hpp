// SPDX-License-Identifier: MIT
// The disorder of the categories of aligned units, over all of them and for each category: Algorithm 1 of Mathet 2017.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace unisono {

// How pairs are weighted and counted. once: Algorithm 1 as printed; twice: a pair of two units of one category counts
// twice for that category, which is what the figures published in 2017 rest on; pygamma: as pygamma-agreement does,
// with alpha in the confidence, a full disagreement for each pair with an empty unit, and 0 or 1 for the undefined.
enum class PairRule { once, twice, pygamma };

class CategoryDisorder {
  public:
    // Of all pairs, and of the pairs that contain a unit of a category: summed weights, weighted dissimilarities.
    double weight = 0, disorder = 0;
    std::vector<double> weight_of, disorder_of;

    void start(Id n_labels, PairRule rule, double alpha = 1) {
        rule_ = rule;
        alpha_ = rule == PairRule::pygamma ? alpha : 1;
        weight = disorder = 0;
        met_ = false;
        weight_of.assign(n_labels, 0.0);
        disorder_of.assign(n_labels, 0.0);
        met_label_.assign(n_labels, 0);
    }

    // A pair of real units of a unitary alignment with `real` of them; d_pos and d_cat without alpha, beta, delta.
    void add(Id real, double d_pos, double d_cat, std::int32_t label_u, std::int32_t label_v) {
        met_ = true;
        met_label_[label_u] = met_label_[label_v] = 1;
        // The confidence that the two units mark the same thing, divided by the number of partners each unit has.
        const double w = std::max(0.0, 1 - alpha_ * d_pos) / (real - 1);
        if (!(w > 0)) return;
        weight += w;
        disorder += w * d_cat;
        if (label_u == label_v) return add(label_u, rule_ == PairRule::twice ? 2 * w : w, d_cat);
        add(label_u, w, d_cat);
        add(label_v, w, d_cat);
    }

    // pygamma only: a unit whose unitary alignment has `empty` empty units.
    void add_empty(Id empty, std::int32_t label) {
        weight += empty;
        disorder += empty;
        add(label, empty, 1);
    }

    // pygamma only: its values where there is nothing to compare, as quotients.
    void finish() {
        settle(met_, weight, disorder);
        for (std::size_t k = 0; k < weight_of.size(); ++k) settle(met_label_[k], weight_of[k], disorder_of[k]);
    }

  private:
    void add(std::int32_t label, double w, double d_cat) {
        weight_of[label] += w;
        disorder_of[label] += w * d_cat;
    }

    static void settle(bool met, double &weight, double &disorder) {
        if (!met) {
            disorder = weight > 0 ? 0 : 1;
            weight = 1;
        } else if (!(weight > 0)) weight = 1;
    }

    PairRule rule_ = PairRule::once;
    double alpha_ = 1;
    bool met_ = false;
    std::vector<char> met_label_;
};

}  // namespace unisono
