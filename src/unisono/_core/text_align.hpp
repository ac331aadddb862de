// SPDX-License-Identifier: MIT
// The best alignment of any number of versions of a text, and the disorders of random ones.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "align.hpp"
#include "sampling.hpp"
#include "text_edits.hpp"
#include "text_path.hpp"

namespace unisono {

// Units of all versions, one after the other; those that correspond in the path of their two versions, and how unlike
// they are. Two units that do not correspond never share a unitary alignment.
class TextAligner {
  public:
    Aligner aligner;
    bool is_limited = false;  // a sequence alignment was stopped: there is no result

    void run(const std::vector<const TextVersion *> &versions, const TextKernel &kernel, const Gaps &gaps,
             Watch &watch) {
        collect(versions);
        u_.clear();
        v_.clear();
        d_.clear();
        is_limited = false;
        for (std::size_t a = 0; a < versions.size(); ++a)
            for (std::size_t b = a + 1; b < versions.size(); ++b) {
                if (!path_.run(*versions[a], *versions[b], kernel, gaps, watch)) {
                    is_limited = true;
                    return;
                }
                path_.aligned([&](Id u, Id v) {
                    u_.push_back(first_[a] + u);
                    v_.push_back(first_[b] + v);
                    d_.push_back(kernel(*versions[a], u, *versions[b], v));
                });
            }
        aligner.run(Units{start_.data(), end_.data(), content_.data(), content_.data()}, annotator_.data(),
                    static_cast<Id>(start_.size()), static_cast<Id>(versions.size()), kernel.delta_empty, u_, v_, d_,
                    watch);
    }

    double mean_units() const { return static_cast<double>(start_.size()) / static_cast<double>(first_.size()); }

  private:
    void collect(const std::vector<const TextVersion *> &versions) {
        start_.clear();
        end_.clear();
        content_.clear();
        annotator_.clear();
        first_.clear();
        for (std::size_t a = 0; a < versions.size(); ++a) {
            const TextVersion &version = *versions[a];
            first_.push_back(static_cast<Id>(start_.size()));
            for (Id u = 0; u < version.size(); ++u) {
                start_.push_back(version.start[u]);
                end_.push_back(version.end[u]);
                annotator_.push_back(static_cast<Id>(a));
                content_.push_back(digest(version, u));
            }
        }
    }

    // Equal for equal units; only ties look at it.
    static std::int32_t digest(const TextVersion &version, Id u) {
        std::uint32_t hash = 2166136261u;
        const auto add = [&](std::int32_t x) { hash = (hash ^ static_cast<std::uint32_t>(x)) * 16777619u; };
        add(version.type[u]);
        for (Id at = version.start[u]; at < version.end[u]; ++at) add(version.text[at]);
        for (std::size_t f = 0; f < version.n_features; ++f) add(version.labels(u)[f]);
        return static_cast<std::int32_t>(hash >> 1);
    }

    TextPath path_;
    std::vector<double> start_, end_, d_;
    std::vector<std::int32_t> content_;
    std::vector<Id> annotator_, first_, u_, v_;
};

struct TextSamples {
    std::vector<double> disorder, bound;
    bool is_limited = false;
};

inline TextSamples text_disorders(const EditModel &model, const TextKernel &kernel, const Gaps &gaps,
                                  std::size_t n_versions, std::uint64_t first, std::size_t count, unsigned threads,
                                  Limits &limits) {
    TextSamples samples;
    samples.disorder.resize(count);
    samples.bound.resize(count);
    std::atomic<bool> is_limited{false};
    share(count, threads, limits, [&](bool asks) {
        return [&, watch = Watch(limits, asks), edits = RandomEdits(),
                own = std::make_unique<TextAligner>()](std::size_t i) mutable {
            if (is_limited.load(std::memory_order_relaxed)) return;
            std::vector<TextVersion> drawn;
            std::vector<const TextVersion *> versions;
            drawn.reserve(n_versions);
            for (std::size_t a = 0; a < n_versions; ++a) {
                drawn.push_back(edits.draw(model, first + i, a));
                versions.push_back(&drawn.back());
            }
            own->run(versions, kernel, gaps, watch);
            if (own->is_limited) {
                is_limited.store(true);
                return;
            }
            samples.disorder[i] = own->aligner.total / own->mean_units();
            samples.bound[i] = own->aligner.bound / own->mean_units();
        };
    });
    samples.is_limited = is_limited.load();
    return samples;
}

}  // namespace unisono
