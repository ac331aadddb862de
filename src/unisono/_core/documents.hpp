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
    std::vector<Id> annotator;               // number of the annotator within the document
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

}  // namespace unisono
