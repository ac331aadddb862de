// SPDX-License-Identifier: MIT
// The chance model of pygamma-agreement: numbers of units, gaps and lengths are normal with the moments of the real
// ones, categories are drawn by their frequency. Units follow one another from 0 and may overlap.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "documents.hpp"
#include "random_continuum.hpp"

namespace unisono {

struct Moments {
    double mean, sd;
};

struct StatisticalLaw {
    Moments count, gap, length;
};

class StatisticalModel final : public ChanceModel {
  public:
    StatisticalModel(const Documents &documents, std::vector<StatisticalLaw> laws, Keys keys)
        : documents_(documents), laws_(std::move(laws)), keys_(std::move(keys)) {}

    std::size_t cases() const override { return documents_.size(); }
    Id n_labels(std::size_t d) const override { return documents_.n_labels[d]; }
    double mean_size(std::size_t d) const override { return documents_.n_units(d); }

    void draw(std::size_t d, std::uint64_t sample, RandomContinuum &out) const override {
        const StatisticalLaw &law = laws_[d];
        const auto m = static_cast<std::uint64_t>(documents_.n_units(d));
        Philox random = keys_.at(d, sample);
        out.clear();
        out.redraws = 0;
        out.n_annotators = documents_.n_annotators[d];
        out.n_labels = documents_.n_labels[d];
        for (Id a = 0; a < out.n_annotators; ++a) {
            auto count = static_cast<std::int64_t>(std::abs(std::trunc(normal(law.count, random))));
            if (out.size() == 0) count = std::max<std::int64_t>(count, 1);
            double last = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                const double start = last + normal(law.gap, random);
                double length = 0;
                do length = std::abs(normal(law.length, random));
                while (length < shortest && law.length.mean + law.length.sd > shortest);
                const auto like = static_cast<std::int64_t>(random.bounded(m));
                last = start + length;
                out.add(start, last, a, documents_, documents_.first[d] + like);
            }
        }
    }

  private:
    static constexpr double shortest = 1e-6;

    // Box and Muller 1958.
    static double normal(const Moments &of, Philox &random) {
        const double u = 1 - random.uniform(), v = random.uniform();
        return of.mean + of.sd * std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

    const Documents &documents_;
    std::vector<StatisticalLaw> laws_;
    Keys keys_;
};

}  // namespace unisono
