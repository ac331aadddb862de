// SPDX-License-Identifier: MIT
// Many continua as one set of columns, one after the other: what is measured in one call.
#pragma once

#include <cstdint>
#include <vector>

#include "dissimilarity.hpp"
#include "graph.hpp"

namespace unisono {

struct Documents {
    std::vector<double> start, end;          // of each unit; units are sorted by annotator within their document
    std::vector<std::int32_t> category;      // the label that the dissimilarity compares; -1: none
    std::vector<std::int32_t> content;       // equal for units that differ in no label at all
    std::vector<std::int32_t> label;         // number of the unit's category among those of its document
    std::vector<Id> annotator;               // number of the annotator within the document, by content
    std::vector<std::int64_t> first;         // first unit of each document, and the end
    std::vector<Id> n_annotators, n_labels;  // of each document

    std::size_t size() const { return n_annotators.size(); }
    Id n_units(std::size_t d) const { return static_cast<Id>(first[d + 1] - first[d]); }
    Units units(std::size_t d) const {
        const auto at = first[d];
        return {start.data() + at, end.data() + at, category.data() + at, content.data() + at};
    }
    const Id *annotators(std::size_t d) const { return annotator.data() + first[d]; }
    const std::int32_t *labels(std::size_t d) const { return label.data() + first[d]; }
};

// The units of each annotator of each document.
class UnitsOfAnnotators {
  public:
    explicit UnitsOfAnnotators(const Documents &documents) {
        for (std::size_t d = 0; d < documents.size(); ++d) {
            annotator_at_.push_back(unit_at_.size());
            std::int64_t u = documents.first[d];
            for (Id a = 0; a < documents.n_annotators[d]; ++a) {
                unit_at_.push_back(u);
                while (u < documents.first[d + 1] && documents.annotator[u] == a) ++u;
            }
            unit_at_.push_back(u);
        }
    }

    struct Range {
        std::int64_t from, to;
        Id size() const { return static_cast<Id>(to - from); }
    };
    Range operator()(std::size_t d, Id annotator) const {
        const std::int64_t *at = &unit_at_[annotator_at_[d] + static_cast<std::size_t>(annotator)];
        return {at[0], at[1]};
    }

  private:
    std::vector<std::size_t> annotator_at_;
    std::vector<std::int64_t> unit_at_;
};

}  // namespace unisono
