// SPDX-License-Identifier: MIT
// The chance model of a single continuum (Mathet et al. 2015, section 5.2.1): each random annotator is a real one,
// drawn with replacement, whose units are shifted round the continuum; shifts keep a minimum distance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "documents.hpp"
#include "random_continuum.hpp"

namespace unisono {

// Extent and minimum distance of one document's shifts.
struct ShiftRange {
    double origin, length;
    bool integers;    // shifts are whole numbers
    double distance;  // minimum distance between shifts

    double needed() const { return integers ? std::ceil(distance) : distance; }
    // Room for all shifts; without it they are drawn unconstrained.
    bool constrained(Id n) const { return (n - 1) * needed() < length; }
};

// The annotators of a document as sources of random ones; those whose units are equal are of one kind.
struct SourceKinds {
    Id draws = 0;               // random annotators of a sample
    std::vector<Id> kind;       // of each annotator
    std::vector<double> share;  // probability of each kind in one draw
    std::vector<double> units;  // number of units of each kind
    Id empty = -1;              // the kind without any unit; -1: there is none

    std::size_t size() const { return share.size(); }
};

class ShiftModel final : public ChanceModel {
  public:
    // `rows`: how many random annotators each document has; as many as real ones where it is empty.
    ShiftModel(const Documents &documents, std::vector<ShiftRange> ranges, Keys keys, std::vector<Id> rows = {})
        : documents_(documents), units_of_(documents), ranges_(std::move(ranges)), keys_(std::move(keys)),
          rows_(std::move(rows)) {}

    std::size_t cases() const override { return documents_.size(); }
    Id n_labels(std::size_t d) const override { return documents_.n_labels[d]; }
    double mean_size(std::size_t d) const override { return documents_.n_units(d); }

    void draw(std::size_t d, std::uint64_t sample, RandomContinuum &out) const override {
        const Id n = rows(d);
        const ShiftRange &range = ranges_[d];
        Philox random = keys_.at(d, sample);
        out.n_annotators = n;
        out.n_labels = documents_.n_labels[d];
        const Id count = draw_sources(d, random, out.chosen, out.redraws);
        draw_shifts(range, n, random, out);
        out.resize(static_cast<std::size_t>(count));
        std::size_t next = 0;
        for (Id i = 0; i < n; ++i) {
            const auto [from, to] = units_of_(d, out.chosen[i]);
            for (std::int64_t u = from; u < to; ++u) {
                // The start decides the side of the split; the unit stays whole and may overhang the end.
                const double start = documents_.start[u];
                double at = start - range.origin - out.shift[i];
                if (at < 0) at += range.length;
                else if (at >= range.length && range.length > 0) at -= range.length;  // a point at the very end
                at += range.origin;
                out.set(next++, at, at + (documents_.end[u] - start), i, documents_, u);
            }
        }
    }

    // The annotators that the random ones of a sample are made of, without the rest of the sample.
    void sources(std::size_t d, std::uint64_t sample, std::vector<Id> &chosen) const {
        Philox random = keys_.at(d, sample);
        std::int64_t redraws;
        draw_sources(d, random, chosen, redraws);
    }

    Id rows(std::size_t d) const { return rows_.empty() ? documents_.n_annotators[d] : rows_[d]; }

    SourceKinds kinds(std::size_t d) const {
        const Id n = documents_.n_annotators[d];
        SourceKinds found;
        found.draws = rows(d);
        std::vector<Id> first;  // an annotator of each kind
        for (Id a = 0; a < n; ++a) {
            const auto [from, to] = units_of_(d, a);
            std::size_t k = 0;
            while (k < first.size() && !equal_units(units_of_(d, first[k]), {from, to})) ++k;
            if (k == first.size()) {
                first.push_back(a);
                found.share.push_back(0);
                found.units.push_back(static_cast<double>(to - from));
                if (from == to) found.empty = static_cast<Id>(k);
            }
            found.kind.push_back(static_cast<Id>(k));
            found.share[k] += 1;
        }
        for (double &share : found.share) share /= n;
        return found;
    }

  private:
    // A draw without any unit is repeated. Returns the number of units.
    Id draw_sources(std::size_t d, Philox &random, std::vector<Id> &chosen, std::int64_t &redraws) const {
        const Id n = documents_.n_annotators[d];
        if (documents_.n_units(d) == 0) throw std::invalid_argument("a document without units cannot be shifted");
        chosen.resize(rows(d));
        redraws = -1;
        Id count = 0;
        for (; count == 0; ++redraws)
            for (Id &source : chosen) {
                source = static_cast<Id>(random.bounded(static_cast<std::uint64_t>(n)));
                count += units_of_(d, source).size();
            }
        return count;
    }

    bool equal_units(UnitsOfAnnotators::Range a, UnitsOfAnnotators::Range b) const {
        if (a.size() != b.size()) return false;
        const auto equal = [&](const auto &column) {
            return std::equal(column.begin() + a.from, column.begin() + a.to, column.begin() + b.from);
        };
        return equal(documents_.start) && equal(documents_.end) && equal(documents_.category) &&
               equal(documents_.content) && equal(documents_.label);
    }

    // The distribution of drawing all shifts again until their distances suffice, without rejections: points are drawn
    // in the length that is left over, then moved apart by their rank. Whole numbers are drawn without repetition.
    static void draw_shifts(const ShiftRange &range, Id n, Philox &random, RandomContinuum &out) {
        auto &shift = out.shift;
        shift.assign(n, 0.0);
        if (!(range.length > 0)) return;
        const double gap = range.constrained(n) ? range.needed() : 0;
        if (range.integers) {
            const double apart = std::max(0.0, gap - 1);
            const auto room = static_cast<std::uint64_t>(range.length - (n - 1) * apart);
            for (Id i = 0; i < n; ++i) do
                    shift[i] = static_cast<double>(random.bounded(room));
                while (gap > 0 && std::find(shift.begin(), shift.begin() + i, shift[i]) != shift.begin() + i);
            spread(apart, out);
        } else {
            for (Id i = 0; i < n; ++i) shift[i] = random.uniform() * (range.length - (n - 1) * gap);
            spread(gap, out);
        }
    }

    static void spread(double apart, RandomContinuum &out) {
        auto &shift = out.shift;
        const Id n = static_cast<Id>(shift.size());
        out.rank.resize(n);
        for (Id i = 0; i < n; ++i) out.rank[i] = i;
        std::sort(out.rank.begin(), out.rank.end(),
                  [&](Id a, Id b) { return shift[a] < shift[b] || (shift[a] == shift[b] && a < b); });
        for (Id i = 0; i < n; ++i) shift[out.rank[i]] += i * apart;
    }

    const Documents &documents_;
    const UnitsOfAnnotators units_of_;
    std::vector<ShiftRange> ranges_;
    Keys keys_;
    std::vector<Id> rows_;
};

}  // namespace unisono
