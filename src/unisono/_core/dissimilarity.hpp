// SPDX-License-Identifier: MIT
// The formulas of the dissimilarities (Mathet et al. 2015, section 4.4).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace unisono {

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Positional : std::int32_t { sporadic, absolute, boundary };
enum class Categorial : std::int32_t { nominal, values, matrix };

// f_cat of Eq. 4: the identity, or the steep option of footnote 2, which is infinite at 1.
inline double f_cat(double distance, bool steep) {
    if (!steep) return distance;
    if (distance >= 1) return infinity;
    return -std::log1p(-distance) * std::pow(distance, 30) + distance;
}

// Columns of units, borrowed: position i of each array is unit i.
struct Units {
    const double *start;
    const double *end;
    const std::int32_t *category;  // the label that the dissimilarity compares; -1: none
    const std::int32_t *content;   // equal for units that differ in no label at all; only ties look at it
};

// d = alpha * d_pos + beta * d_cat (Eq. 5); both parts in multiples of delta_empty.
class Kernel {
  public:
    Kernel(Positional positional, double scale, Categorial categorial, std::vector<double> table, bool steep,
           double alpha, double beta, double delta_empty)
        : alpha_(alpha), beta_(beta), delta_empty_(delta_empty), scale_(scale), positional_(positional),
          categorial_(categorial), steep_(steep), table_(std::move(table)), different_(f_cat(1, steep)),
          nominal_{0, different_} {
        if (categorial_ == Categorial::matrix) {
            side_ = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(table_.size()))));
            for (double &distance : table_) distance = f_cat(distance, steep_);
        }
    }

    double delta_empty() const { return delta_empty_; }
    double alpha() const { return alpha_; }

    double operator()(const Units &units, std::int32_t u, std::int32_t v) const {
        double d = 0;
        if (alpha_ > 0) d += alpha_ * positional(units.start[u], units.end[u], units.start[v], units.end[v]);
        if (beta_ > 0) d += beta_ * categorial(units.category[u], units.category[v]);
        return d * delta_empty_;
    }

    // The two parts by themselves, without weights, in multiples of delta_empty.
    double d_pos(const Units &units, std::int32_t u, std::int32_t v) const {
        return positional(units.start[u], units.end[u], units.start[v], units.end[v]);
    }
    double d_cat(std::int32_t cu, std::int32_t cv) const { return categorial(cu, cv); }

    // Half the distance over which a unit can still find a partner with d <= limit: such a pair's midpoints lie
    // at most reach(u) + reach(v) apart, because |mid u - mid v| <= (|start difference| + |end difference|) / 2.
    struct Reach {
        double of_length, of_every;
        double operator()(double start, double end) const { return of_length * (end - start) + of_every; }
    };
    Reach reach(double limit) const {
        if (!(alpha_ > 0)) return {0, infinity};
        const double most = limit / (alpha_ * delta_empty_);
        switch (positional_) {
        case Positional::sporadic: return {std::sqrt(most) / 2, 0};
        case Positional::absolute: return {0, most * scale_ / 2};
        default: return {0, std::sqrt(most) * scale_ / 2};
        }
    }

  private:
    double positional(double su, double eu, double sv, double ev) const {
        const double ds = std::abs(su - sv), de = std::abs(eu - ev);
        switch (positional_) {
        case Positional::sporadic: {  // Eq. 3; two points are equal or never aligned
            const double lengths = (eu - su) + (ev - sv);
            if (lengths == 0) return ds == 0 ? 0 : infinity;
            const double ratio = (ds + de) / lengths;
            return ratio * ratio;
        }
        case Positional::absolute: return (ds + de) / (2 * scale_);
        default: {  // boundary: the worse of the two boundaries decides
            const double ratio = std::max(ds, de) / scale_;
            return ratio * ratio;
        }
        }
    }

    double categorial(std::int32_t cu, std::int32_t cv) const {
        if (categorial_ == Categorial::nominal) return nominal_[cu != cv];
        if (cu == cv) return 0;
        if (cu < 0 || cv < 0) return different_;
        switch (categorial_) {
        case Categorial::values: return f_cat(std::abs(table_[cu] - table_[cv]), steep_);
        default: return table_[static_cast<std::size_t>(cu) * side_ + cv];
        }
    }

    double alpha_, beta_, delta_empty_, scale_;
    Positional positional_;
    Categorial categorial_;
    bool steep_;
    std::vector<double> table_;
    double different_;
    double nominal_[2];  // looked up, because a branch on two categories is mispredicted
    std::size_t side_ = 0;
};

}  // namespace unisono
