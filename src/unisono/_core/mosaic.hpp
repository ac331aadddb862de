// SPDX-License-Identifier: MIT
// The chance model of a corpus (Mathet et al. 2015, section 5.2.2): n different continua, one random annotator of each,
// the shorter continua laid out again and again, like a mosaic, until they are as long as the longest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "documents.hpp"
#include "random_continuum.hpp"

namespace unisono {

class MosaicModel final : public ChanceModel {
  public:
    // The documents to draw from, with the extent of each; a case is a number of annotators.
    MosaicModel(const Documents &documents, std::vector<double> origins, std::vector<double> lengths,
                std::vector<std::int32_t> label_codes, std::vector<Id> cases, Keys keys)
        : documents_(documents), units_of_(documents), origins_(std::move(origins)), lengths_(std::move(lengths)),
          labels_(std::move(label_codes)), cases_(std::move(cases)), keys_(std::move(keys)) {
        for (const std::int32_t label : labels_) n_labels_ = std::max(n_labels_, label + 1);
        for (std::size_t d = 0; d < documents.size(); ++d)
            mean_size_ += static_cast<double>(documents.n_units(d)) / documents.n_annotators[d];
        mean_size_ /= static_cast<double>(std::max<std::size_t>(1, documents.size()));
    }

    std::size_t cases() const override { return cases_.size(); }
    Id n_labels(std::size_t) const override { return n_labels_; }
    double mean_size(std::size_t c) const override { return 2 * mean_size_ * cases_[c]; }

    void draw(std::size_t c, std::uint64_t sample, RandomContinuum &out) const override {
        const Id n = cases_[c];
        Philox random = keys_.at(c, sample);
        out.n_annotators = n;
        out.n_labels = n_labels_;
        out.redraws = -1;
        do {
            out.clear();
            ++out.redraws;
            out.chosen.clear();
            while (out.chosen.size() < static_cast<std::size_t>(n)) {
                const Id d = static_cast<Id>(random.bounded(documents_.size()));
                if (std::find(out.chosen.begin(), out.chosen.end(), d) == out.chosen.end()) out.chosen.push_back(d);
            }
            double longest = 0;
            for (const Id d : out.chosen) longest = std::max(longest, lengths_[d]);
            for (Id i = 0; i < n; ++i) lay(out.chosen[i], i, longest, random, out);
        } while (out.size() == 0);
    }

  private:
    // A unit belongs to the copy that its start lies in and stays whole: the last copy may overhang.
    void lay(Id d, Id as, double longest, Philox &random, RandomContinuum &out) const {
        const auto [from, to] = units_of_(d, static_cast<Id>(random.bounded(documents_.n_annotators[d])));
        if (from == to) return;
        // Rounding must not change how often a decimal length fits: 0.1 fits eight times into 0.8.
        const double last = longest * (1 - 1e-14);
        double copy = 0;
        for (double k = 0; (copy = k * lengths_[d]) < last; ++k)
            for (std::int64_t u = from; u < to; ++u) {
                const double at = documents_.start[u] - origins_[d] + copy;
                if (at > longest || (at == longest && documents_.end[u] > documents_.start[u])) continue;
                out.add(at, at + (documents_.end[u] - documents_.start[u]), as, documents_, u);
                out.label.back() = labels_[u];  // numbered over all documents, not within its own
            }
    }

    const Documents &documents_;
    const UnitsOfAnnotators units_of_;
    std::vector<double> origins_, lengths_;
    std::vector<std::int32_t> labels_;  // of each unit, numbered over the whole corpus
    std::vector<Id> cases_;
    Keys keys_;
    Id n_labels_ = 0;
    double mean_size_ = 0;
};

}  // namespace unisono
