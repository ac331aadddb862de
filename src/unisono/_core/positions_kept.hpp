// SPDX-License-Identifier: MIT
// The chance model for units whose positions are given: they stay where they are, their labels are shuffled over all
// units of all annotators.
#pragma once

#include <cstdint>
#include <vector>

#include "documents.hpp"
#include "random_continuum.hpp"

namespace unisono {

class PositionsKeptModel final : public ChanceModel {
  public:
    PositionsKeptModel(const Documents &documents, Keys keys) : documents_(documents), keys_(std::move(keys)) {}

    std::size_t cases() const override { return documents_.size(); }
    Id n_labels(std::size_t d) const override { return documents_.n_labels[d]; }
    double mean_size(std::size_t d) const override { return documents_.n_units(d); }

    void draw(std::size_t d, std::uint64_t sample, RandomContinuum &out) const override {
        const Id m = documents_.n_units(d);
        const Units units = documents_.units(d);
        Philox random = keys_.at(d, sample);
        out.redraws = 0;
        out.n_annotators = documents_.n_annotators[d];
        out.n_labels = documents_.n_labels[d];
        out.rank.resize(m);
        for (Id u = 0; u < m; ++u) out.rank[u] = u;
        permute(out.rank, random);
        out.resize(static_cast<std::size_t>(m));
        for (Id u = 0; u < m; ++u)
            out.set(u, units.start[u], units.end[u], documents_.annotators(d)[u], documents_,
                    documents_.first[d] + out.rank[u]);
    }

  private:
    const Documents &documents_;
    Keys keys_;
};

}  // namespace unisono
