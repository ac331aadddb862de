// SPDX-License-Identifier: MIT
// Soft alignments of random continua, on one thread or several: the same draws as for hard ones (sampling.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "sampling.hpp"
#include "soft.hpp"

namespace unisono {

inline Samples soft_sample(const ChanceModel &model, const std::vector<Request> &requests, const Kernel &kernel,
                           unsigned threads, Limits &limits) {
    struct Item {
        std::size_t request;
        std::uint64_t sample;
    };
    std::vector<Item> items;
    double work = 0;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        const Request &request = requests[r];
        for (std::size_t i = 0; i < request.count; ++i) items.push_back({r, request.first + i});
        work += std::max(1.0, model.mean_size(request.model_case)) * static_cast<double>(request.count);
    }
    Samples samples;
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    samples.disorder.assign(items.size(), undefined);
    samples.bound.assign(items.size(), undefined);
    samples.redraws.resize(items.size());
    // A thread is worth starting for a few thousand units to align, not for less.
    threads = static_cast<unsigned>(std::min<double>(threads, 1 + work / 4000));
    share(items.size(), threads, limits, [&](bool asks) {
        return [&, watch = Watch(limits, asks), drawn = RandomContinuum(),
                aligner = SoftAligner()](std::size_t i) mutable {
            if (watch.reached() == Limit::time) return;
            const auto [r, sample] = items[i];
            model.draw(requests[r].model_case, sample, drawn);
            const Id m = drawn.size();
            aligner.run(drawn.units(), drawn.annotator.data(), m, drawn.n_annotators, kernel, watch, false);
            watch.expired(static_cast<std::size_t>(m));
            if (watch.reached() == Limit::time) return;  // samples that are left out stay undefined
            const double mean_units = static_cast<double>(m) / drawn.n_annotators;
            samples.disorder[i] = aligner.total / mean_units;
            samples.bound[i] = aligner.bound / mean_units;
            samples.redraws[i] = drawn.redraws;
        };
    });
    return samples;
}

}  // namespace unisono
