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
