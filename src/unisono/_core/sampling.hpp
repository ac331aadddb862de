// SPDX-License-Identifier: MIT
// Many continua aligned, real ones or random ones, on one thread or several: the same numbers either way.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

#include "align.hpp"
#include "category_disorder.hpp"
#include "documents.hpp"
#include "random_continuum.hpp"
#include "watch.hpp"

namespace unisono {

// Work items 0..count-1, taken one by one by `threads` threads. The calling thread is one of them and checks for
// Ctrl-C.
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
    try {
        for (unsigned t = 1; t < threads && t < count; ++t) helpers.emplace_back(run, false);
    } catch (const std::system_error &) {
        // The system grants no more threads: those that run do the work, and the numbers are the same.
    }
    run(true);
    for (std::thread &helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
    if (limits.interrupted.load()) throw Interrupted{};
}

// How the categories of aligned units are judged; without a kernel they are not.
struct CategoryRule {
    const Kernel *kernel = nullptr;
    PairRule pairs = PairRule::once;
};

// What one thread needs to align continua.
class AlignmentWorker {
  public:
    Aligner aligner;
    CategoryDisorder categories;
    std::int64_t pairs = 0, apart = 0;  // aligned pairs; those among them that do not overlap
    const bool counts_pairs;            // not needed for random continua

    Watch watch;

    AlignmentWorker(Limits &limits, bool asks, bool counts) : counts_pairs(counts), watch(limits, asks) {}

    // Only the categories depend on which of several best alignments is taken.
    void align(const Units &units, const Id *annotator, const std::int32_t *label, Id m, Id n, Id n_labels,
               const Kernel &kernel, const CategoryRule &rule, bool ties_matter, const Start *start = nullptr) {
        aligner.run(units, annotator, m, n, kernel, watch, ties_matter, start);
        pairs = apart = 0;
        if (rule.kernel == nullptr && !counts_pairs) return;
        if (rule.kernel != nullptr) categories.start(n_labels, rule.pairs, rule.kernel->alpha());
        aligner.each_aligned_pair([&](Id u, Id v, Id real) {
            ++pairs;
            const double from = std::max(units.start[u], units.start[v]), to = std::min(units.end[u], units.end[v]);
            if (from > to || (from == to && units.end[u] - units.start[u] + units.end[v] - units.start[v] > 0)) ++apart;
            if (rule.kernel != nullptr)
                categories.add(real, rule.kernel->d_pos(units, u, v),
                               rule.kernel->d_cat(units.category[u], units.category[v]), label[u], label[v]);
        });
        if (rule.kernel != nullptr && rule.pairs == PairRule::pygamma) {
            aligner.each_size([&](Id u, Id real) { categories.add_empty(n - real, label[u]); });
            categories.finish();
        }
    }
};

// The best alignment of each document. Columns of units and unitary alignments follow the order of the documents.
struct Alignments {
    std::vector<Id> group;
    std::vector<double> dual;
    std::vector<double> disorder;                // of each unitary alignment
    std::vector<std::int64_t> first;             // first unitary alignment of each document, and the end
    std::vector<double> total, bound;            // of each document
    std::vector<std::int32_t> limit;             // a `Limit`, as a number
    std::vector<std::int64_t> pairs, apart;      // aligned pairs; those among them that do not overlap
    std::vector<double> weight, category;        // of each document: see CategoryDisorder
    std::vector<double> weight_of, category_of;  // of each label of each document
};

inline std::vector<std::int64_t> offsets(const std::vector<Id> &counts) {
    std::vector<std::int64_t> first(counts.size() + 1, 0);
    for (std::size_t i = 0; i < counts.size(); ++i) first[i + 1] = first[i] + counts[i];
    return first;
}

inline Alignments align_documents(const Documents &documents, const Kernel &kernel, const CategoryRule &rule,
                                  bool ties_matter, unsigned threads, Limits &limits,
                                  const std::vector<Start> &starts) {
    const std::size_t count = documents.size();
    const auto label_at = offsets(documents.n_labels);
    Alignments all;
    all.group.resize(documents.start.size());
    all.dual.resize(documents.start.size());
    for (auto *column : {&all.total, &all.bound, &all.weight, &all.category}) column->assign(count, 0.0);
    for (auto *column : {&all.pairs, &all.apart}) column->assign(count, 0);
    all.limit.assign(count, 0);
    all.weight_of.assign(label_at.back(), 0.0);
    all.category_of.assign(label_at.back(), 0.0);
    std::vector<std::vector<double>> disorders(count);
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, 1 + documents.start.size() / 4000));
    share(count, threads, limits, [&](bool asks) {
        return [&, worker = AlignmentWorker(limits, asks, true)](std::size_t d) mutable {
            const Id m = documents.n_units(d);
            if (m == 0) return;
            worker.align(documents.units(d), documents.annotators(d), documents.labels(d), m, documents.n_annotators[d],
                         documents.n_labels[d], kernel, rule, ties_matter, starts.empty() ? nullptr : &starts[d]);
            Aligner &aligner = worker.aligner;
            std::copy(aligner.group.begin(), aligner.group.end(), all.group.begin() + documents.first[d]);
            std::copy(aligner.dual.begin(), aligner.dual.end(), all.dual.begin() + documents.first[d]);
            disorders[d] = aligner.disorders;
            all.total[d] = aligner.total;
            all.bound[d] = aligner.bound;
            all.limit[d] = static_cast<std::int32_t>(aligner.limit);
            all.pairs[d] = worker.pairs;
            all.apart[d] = worker.apart;
            if (rule.kernel == nullptr) return;
            const CategoryDisorder &found = worker.categories;
            all.weight[d] = found.weight;
            all.category[d] = found.disorder;
            std::copy(found.weight_of.begin(), found.weight_of.end(), all.weight_of.begin() + label_at[d]);
            std::copy(found.disorder_of.begin(), found.disorder_of.end(), all.category_of.begin() + label_at[d]);
        };
    });
    all.first.assign(1, 0);
    for (const auto &of_document : disorders) {
        all.disorder.insert(all.disorder.end(), of_document.begin(), of_document.end());
        all.first.push_back(static_cast<std::int64_t>(all.disorder.size()));
    }
    return all;
}

// Random continua of some cases of a chance model: samples first .. first + count - 1 of each.
struct Request {
    std::size_t model_case;
    std::uint64_t first;
    std::size_t count;
};

// Columns follow the requests, each with its samples in order; undefined disorders are NaN.
struct Samples {
    std::vector<double> disorder, bound;  // per mean number of units (Eq. 7)
    std::vector<std::int64_t> redraws;
    std::vector<double> category;     // disorder of the categories
    std::vector<double> category_of;  // for each sample, that of each label of its case
};

inline Samples sample(const ChanceModel &model, const std::vector<Request> &requests, const Kernel &kernel,
                      const CategoryRule &rule, unsigned threads, Limits &limits) {
    // Small continua are processed in groups, so that threads compete less often for the next one.
    struct Handful {
        std::size_t request, from, to;
    };
    std::vector<Handful> handfuls;
    std::vector<std::size_t> sample_at{0}, label_at{0};
    double work = 0;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        const Request &request = requests[r];
        const double size = std::max(1.0, model.mean_size(request.model_case));
        const auto step = static_cast<std::size_t>(std::max(1.0, 500 / size));
        for (std::size_t i = 0; i < request.count; i += step)
            handfuls.push_back({r, i, std::min(i + step, request.count)});
        sample_at.push_back(sample_at.back() + request.count);
        label_at.push_back(label_at.back() + cells(request.count, model.n_labels(request.model_case)));
        work += size * static_cast<double>(request.count);
    }
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    const bool judged = rule.kernel != nullptr;
    Samples samples;
    samples.disorder.assign(sample_at.back(), undefined);
    samples.bound.assign(sample_at.back(), undefined);
    samples.redraws.resize(sample_at.back());
    if (judged) samples.category.assign(sample_at.back(), undefined);
    if (judged) samples.category_of.assign(label_at.back(), undefined);
    // A thread is worth starting for a few thousand units to align, not for less.
    threads = static_cast<unsigned>(std::min<double>(threads, 1 + work / 4000));
    share(handfuls.size(), threads, limits, [&](bool asks) {
        return [&, worker = AlignmentWorker(limits, asks, false), drawn = RandomContinuum()](std::size_t h) mutable {
            const auto [r, from, to] = handfuls[h];
            const std::size_t c = requests[r].model_case;
            const Id n_labels = model.n_labels(c);
            for (std::size_t i = from; i < to; ++i) {
                if (worker.watch.reached() == Limit::time) return;  // samples that are left out stay undefined
                model.draw(c, requests[r].first + i, drawn);
                const Id m = drawn.size();
                worker.align(drawn.units(), drawn.annotator.data(), drawn.label.data(), m, drawn.n_annotators, n_labels,
                             kernel, rule, judged);
                worker.watch.expired(static_cast<std::size_t>(m));
                if (worker.watch.reached() == Limit::time) return;
                const double mean_units = static_cast<double>(m) / drawn.n_annotators;
                const std::size_t at = sample_at[r] + i;
                samples.disorder[at] = worker.aligner.total / mean_units;
                samples.bound[at] = worker.aligner.bound / mean_units;
                samples.redraws[at] = drawn.redraws;
                if (!judged) continue;
                const CategoryDisorder &found = worker.categories;
                if (found.weight > 0) samples.category[at] = found.disorder / found.weight;
                double *of = samples.category_of.data() + label_at[r] + i * n_labels;
                for (Id k = 0; k < n_labels; ++k)
                    if (found.weight_of[k] > 0) of[k] = found.disorder_of[k] / found.weight_of[k];
            }
        };
    });
    return samples;
}

}  // namespace unisono
