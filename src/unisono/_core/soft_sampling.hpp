// SPDX-License-Identifier: MIT
// Soft alignments of random continua, on one thread or several: the same draws as for hard ones (sampling.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "sampling.hpp"
#include "soft.hpp"

namespace unisono {

inline Samples soft_disorders(const ShiftModel &model, const Kernel &kernel, std::uint64_t first, std::size_t count,
                              unsigned threads, Limits &limits) {
    Samples samples;
    samples.disorder.resize(count);
    samples.bound.resize(count);
    samples.redraws.resize(count);
    // A thread is worth starting for a few thousand units to align, not for less.
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, 1 + count * model.n_units / 4000));
    share(count, threads, limits, [&](bool asks) {
        return [&, watch = Watch(limits, asks), sample = ShiftSample(),
                aligner = SoftAligner()](std::size_t i) mutable {
            sample.draw(model, first + i);
            const Units units{sample.start.data(), sample.end.data(), sample.category.data(), sample.content.data()};
            const Id m = static_cast<Id>(sample.start.size());
            aligner.run(units, sample.annotator.data(), m, model.n_annotators, kernel, watch, false);
            const double mean_units = static_cast<double>(m) / model.n_annotators;
            samples.disorder[i] = aligner.total / mean_units;
            samples.bound[i] = aligner.bound / mean_units;
            samples.redraws[i] = sample.redraws;
        };
    });
    return samples;
}

}  // namespace unisono
