// SPDX-License-Identifier: MIT
// Many random continua drawn and aligned, on one thread or several: the same numbers either way.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "align.hpp"
#include "shift.hpp"
#include "watch.hpp"

namespace unisono {

struct Samples {
    std::vector<double> disorder, bound;  // of each sample, per mean number of units (Eq. 7)
    std::vector<std::int64_t> redraws;
};

// Work items 0..count-1, taken one by one by `threads` threads; the calling thread is one of them and asks for Ctrl-C.
template <class Work> void share(std::size_t count, unsigned threads, Limits &limits, Work work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    auto run = [&](bool asks) {
        try {
            auto worker = work(asks);
            for (std::size_t i; (i = next.fetch_add(1)) < count && !failed.load(std::memory_order_relaxed);) worker(i);
        } catch (const Interrupted &) {
            limits.interrupted.store(true);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    std::vector<std::thread> helpers;
    for (unsigned t = 1; t < threads && t < count; ++t) helpers.emplace_back(run, false);
    run(true);
    for (std::thread &helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
    if (limits.interrupted.load()) throw Interrupted{};
}

inline Samples shift_disorders(const ShiftModel &model, const Kernel &kernel, std::uint64_t first, std::size_t count,
                               unsigned threads, Limits &limits) {
    Samples samples;
    samples.disorder.resize(count);
    samples.bound.resize(count);
    samples.redraws.resize(count);
    // A thread is worth starting for a few thousand units to align, not for less.
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, 1 + count * model.n_units / 4000));
    share(count, threads, limits, [&](bool asks) {
        return [&, watch = Watch(limits, asks), sample = ShiftSample(), aligner = Aligner()](std::size_t i) mutable {
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
