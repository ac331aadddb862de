// SPDX-License-Identifier: MIT
// Random continua, and the interface of chance models.
#pragma once

#include <cstdint>
#include <vector>

#include "dissimilarity.hpp"
#include "documents.hpp"
#include "graph.hpp"
#include "philox.hpp"

namespace unisono {

// A random continuum; keeps its buffers.
struct RandomContinuum {
    std::vector<double> start, end;
    std::vector<std::int32_t> category, content, label;
    std::vector<Id> annotator;
    std::vector<std::int64_t> source;  // the real unit behind each unit, among those of all documents; -1: none
    Id n_annotators = 0, n_labels = 0;
    std::int64_t redraws = 0;  // draws without any unit, repeated

    std::vector<Id> chosen, rank;  // for the models' own use
    std::vector<double> shift;

    Id size() const { return static_cast<Id>(start.size()); }
    Units units() const { return {start.data(), end.data(), category.data(), content.data()}; }
    void clear() { resize(0); }
    void resize(std::size_t m) {
        start.resize(m);
        end.resize(m);
        category.resize(m);
        content.resize(m);
        label.resize(m);
        annotator.resize(m);
        source.resize(m);
    }

    // Unit i: from `from` to `to`, by `whom`, in everything else like unit `like` among those of all documents.
    void set(std::size_t i, double from, double to, Id whom, const Documents &documents, std::int64_t like) {
        start[i] = from;
        end[i] = to;
        category[i] = documents.category[like];
        content[i] = documents.content[like];
        label[i] = documents.label[like];
        annotator[i] = whom;
        source[i] = like;
    }
    void add(double from, double to, Id whom, const Documents &documents, std::int64_t like) {
        resize(start.size() + 1);
        set(start.size() - 1, from, to, whom, documents, like);
    }
};

// A law of random continua for each of a number of cases: a document, or a number of annotators.
class ChanceModel {
  public:
    virtual ~ChanceModel() = default;
    virtual std::size_t cases() const = 0;
    // Labels that a random continuum of the case can have; roughly how many units it will have.
    virtual Id n_labels(std::size_t c) const = 0;
    virtual double mean_size(std::size_t c) const = 0;
    virtual void draw(std::size_t c, std::uint64_t sample, RandomContinuum &out) const = 0;
};

// The generator's key of each case.
struct Keys {
    std::vector<std::uint64_t> word;
    Philox at(std::size_t c, std::uint64_t sample) const {
        return Philox(word[2 * c], word[2 * c + 1], {0, 0, sample, 0});
    }
};

// Uniform order of the values by Fisher and Yates.
template <class T> void permute(std::vector<T> &values, Philox &random) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.bounded(i)]);
}

}  // namespace unisono
