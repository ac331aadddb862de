// SPDX-License-Identifier: MIT
// The chance model of a single continuum (Mathet et al. 2015, section 5.2.1): each random annotator is a real one,
// drawn with replacement, whose units are shifted round the continuum; shifts keep a minimum distance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dissimilarity.hpp"
#include "graph.hpp"
#include "philox.hpp"

namespace unisono {

struct ShiftModel {
    Units units;  // sorted by annotator
    const Id *annotator;
    Id n_units, n_annotators;
    double origin, length;  // of the extent
    bool integers;          // shifts are whole numbers
    double distance;        // minimum distance between shifts
    std::uint64_t key0, key1;

    // Room for all shifts; without it they are drawn unconstrained.
    bool constrained() const { return (n_annotators - 1) * needed() < length; }
    double needed() const { return integers ? std::ceil(distance) : distance; }
};

// A random continuum; keeps its buffers.
class ShiftSample {
  public:
    std::vector<double> start, end;
    std::vector<std::int32_t> category, content;
    std::vector<Id> annotator;
    std::vector<Id> source;    // index of the real unit behind each unit
    std::int64_t redraws = 0;  // draws without any unit, repeated

    void draw(const ShiftModel &model, std::uint64_t sample) {
        const Id n = model.n_annotators;
        Philox random(model.key0, model.key1, {0, 0, sample, 0});
        first_.assign(n + 1, 0);
        for (Id u = 0; u < model.n_units; ++u) ++first_[model.annotator[u] + 1];
        for (Id a = 0; a < n; ++a) first_[a + 1] += first_[a];
        from_.resize(n);
        redraws = -1;
        for (Id count = 0; count == 0; ++redraws) {
            for (Id i = 0; i < n; ++i) {
                from_[i] = static_cast<Id>(random.bounded(static_cast<std::uint64_t>(n)));
                count += first_[from_[i] + 1] - first_[from_[i]];
            }
        }
        draw_shifts(model, random);
        start.clear();
        end.clear();
        category.clear();
        content.clear();
        annotator.clear();
        source.clear();
        for (Id i = 0; i < n; ++i)
            for (Id u = first_[from_[i]]; u < first_[from_[i] + 1]; ++u) {
                // The start decides the side of the split; the unit stays whole and may overhang the end.
                double at = model.units.start[u] - model.origin - shift_[i];
                if (at < 0) at += model.length;
                else if (at >= model.length && model.length > 0) at -= model.length;  // a point at the very end
                at += model.origin;
                start.push_back(at);
                end.push_back(at + (model.units.end[u] - model.units.start[u]));
                category.push_back(model.units.category[u]);
                content.push_back(model.units.content[u]);
                annotator.push_back(i);
                source.push_back(u);
            }
    }

  private:
    // The law of drawing all shifts again until their distances suffice, without the rejections: points thrown into
    // the room left over, then moved apart by their rank. Whole numbers are thrown without repetition.
    void draw_shifts(const ShiftModel &model, Philox &random) {
        const Id n = model.n_annotators;
        shift_.assign(n, 0.0);
        if (!(model.length > 0)) return;
        const bool constrained = model.constrained();
        const double gap = constrained ? model.needed() : 0;
        if (model.integers) {
            const double apart = std::max(0.0, gap - 1);
            const auto room = static_cast<std::uint64_t>(model.length - (n - 1) * apart);
            for (Id i = 0; i < n; ++i) do
                    shift_[i] = static_cast<double>(random.bounded(room));
                while (gap > 0 && std::find(shift_.begin(), shift_.begin() + i, shift_[i]) != shift_.begin() + i);
            spread(apart);
        } else {
            for (Id i = 0; i < n; ++i) shift_[i] = random.uniform() * (model.length - (n - 1) * gap);
            spread(gap);
        }
    }

    void spread(double apart) {
        const Id n = static_cast<Id>(shift_.size());
        rank_.resize(n);
        for (Id i = 0; i < n; ++i) rank_[i] = i;
        std::sort(rank_.begin(), rank_.end(),
                  [&](Id a, Id b) { return shift_[a] < shift_[b] || (shift_[a] == shift_[b] && a < b); });
        for (Id i = 0; i < n; ++i) shift_[rank_[i]] += i * apart;
    }

    std::vector<Id> first_, from_, rank_;
    std::vector<double> shift_;
};

}  // namespace unisono
