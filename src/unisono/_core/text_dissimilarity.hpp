// SPDX-License-Identifier: MIT
// d_tγ: the weighted mean of the dissimilarities of the texts and of each feature (Barteld et al. 2016, section 5).
#pragma once

#include <algorithm>
#include <vector>

#include "dissimilarity.hpp"
#include "text_version.hpp"

namespace unisono {

// Insertions, deletions and substitutions between two texts: furthest reaching points, as few rounds as there are
// differences.
inline Id levenshtein(const Symbol *a, Id n, const Symbol *b, Id m) {
    while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) --n, --m;
    const Id end = n - m;
    std::vector<Id> now(2 * static_cast<std::size_t>(std::max(n, m)) + 5, -2), before(now);
    const Id zero = std::max(n, m) + 2;
    for (Id edits = 0;; ++edits) {
        for (Id k = std::max(-edits, -m); k <= std::min(edits, n); ++k) {
            Id x = edits == 0 ? 0 : std::max({before[zero + k] + 1, before[zero + k - 1] + 1, before[zero + k + 1]});
            x = std::min({x, n, m + k});
            while (x < n && x - k < m && a[x] == b[x - k]) ++x;
            now[zero + k] = x;
        }
        if (edits >= std::abs(end) && now[zero + end] >= n) return edits;
        std::swap(now, before);
    }
}

struct TextKernel {
    bool is_levenshtein = false;  // the texts: normalised edit distance, or equal or not
    double delta_empty = 1;
    std::size_t n_features = 0;
    std::vector<Kernel> features;  // one for each feature: the categorial part alone
    std::vector<double> weights;   // of each type: that of the text, then of the features; they sum to 1

    double operator()(const TextVersion &a, Id u, const TextVersion &b, Id v) const {
        const double *weight = weights.data() + static_cast<std::size_t>(a.type[u]) * (n_features + 1);
        double d = 0;
        if (weight[0] > 0) d += weight[0] * text(a, u, b, v);
        for (std::size_t f = 0; f < n_features; ++f) {
            if (!(weight[f + 1] > 0)) continue;
            const std::int32_t codes[2] = {a.labels(u)[f], b.labels(v)[f]};
            d += weight[f + 1] * features[f](Units{nullptr, nullptr, codes, nullptr}, 0, 1);
        }
        return d * delta_empty;
    }

  private:
    double text(const TextVersion &a, Id u, const TextVersion &b, Id v) const {
        const Id n = a.end[u] - a.start[u], m = b.end[v] - b.start[v];
        const Symbol *s = a.text.data() + a.start[u], *t = b.text.data() + b.start[v];
        if (n == m && std::equal(s, s + n, t)) return 0;
        return is_levenshtein ? static_cast<double>(levenshtein(s, n, t, m)) / std::max(n, m) : 1;
    }
};

}  // namespace unisono
