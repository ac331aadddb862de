// SPDX-License-Identifier: MIT
// The mean over random continua by control variates with known expectation: how often each real annotator was drawn as
// a source. See docs/fewer-samples.md; the slow twin is tests/reference/control_variates.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shift.hpp"

namespace unisono {

// The numbers of times that each kind of source was drawn in a row of samples, each distinct vector of counts once.
struct SourceCounts {
    SourceKinds kinds;
    std::vector<std::uint32_t> counts;  // of each group, kind by kind
    std::vector<double> size;           // samples of each group
    std::vector<Id> group;              // of each sample

    // `sources(i, chosen)` gives those of sample i.
    template <class Sources>
    SourceCounts(SourceKinds of, std::size_t samples, Sources sources)
        : kinds(std::move(of)), group(samples), drawn_(kinds.size()) {
        // Vectors of counts are numbers in base n + 1; where these do not fit, no vector is likely to occur twice.
        double possible = 1;
        for (std::size_t k = 0; k < kinds.size(); ++k) possible *= kinds.draws + 1;
        std::vector<Id> table(possible <= small_table ? static_cast<std::size_t>(possible) : 0, -1);
        std::unordered_map<std::uint64_t, Id> map;
        std::vector<Id> chosen;
        for (std::size_t i = 0; i < samples; ++i) {
            sources(i, chosen);
            std::fill(drawn_.begin(), drawn_.end(), 0);
            for (Id source : chosen) ++drawn_[static_cast<std::size_t>(kinds.kind[source])];
            if (possible > 0x1p63) {
                group[i] = add();
                continue;
            }
            std::uint64_t key = 0;
            for (std::uint32_t count : drawn_) key = key * static_cast<std::uint64_t>(kinds.draws + 1) + count;
            Id &place = table.empty() ? map.try_emplace(key, -1).first->second : table[key];
            if (place < 0) place = add();
            else ++size[place];
            group[i] = place;
        }
    }

    std::size_t groups() const { return size.size(); }
    const std::uint32_t *of(std::size_t g) const { return counts.data() + g * kinds.size(); }

  private:
    static constexpr double small_table = 4096;
    std::vector<std::uint32_t> drawn_;

    Id add() {
        counts.insert(counts.end(), drawn_.begin(), drawn_.end());
        size.push_back(1);
        return static_cast<Id>(size.size() - 1);
    }
};

// A step of the ladder of variates. Few: the number of units, the differences of the numbers of units between pairs of
// random annotators, and the pairs that have one source. Shares: those of all groups of `degree` random annotators
// whose sources are the same, which are all polynomials of that degree; of all annotators at once: a variate for each
// stratum.
struct Step {
    Id degree;  // 0: the few
    std::size_t coefficients;
};

class Variates {
  public:
    explicit Variates(const SourceKinds &kinds, Step step) : kinds_(kinds), step_(step) {
        if (step.degree > 0) list_shares(0, step.degree);
    }

    std::size_t size() const { return step_.coefficients; }

    // The variates of a vector of counts.
    template <class Count> void row(const Count *counts, double *out) const {
        const std::size_t m = kinds_.size();
        if (step_.degree > 0) {
            for (std::size_t j = 0; j < shares_.size(); ++j) {
                double share = scale_;
                for (const auto &[kind, times] : shares_[j]) share *= choose(counts[kind], times);
                out[j] = share;
            }
            return;
        }
        double units = 0, apart = 0, same = 0;
        for (std::size_t k = 0; k < m; ++k) {
            const double count = counts[k];
            units += count * kinds_.units[k];
            same += count * (count - 1) / 2;
            if (count > 0)
                for (std::size_t other = 0; other < k; ++other)
                    apart += count * counts[other] * std::abs(kinds_.units[k] - kinds_.units[other]);
        }
        const double few[] = {1, units, apart, same};
        std::copy(few, few + step_.coefficients, out);
    }

    // Their expectations: those of the multinomial law, given that not every source is without units.
    std::vector<double> expected() const {
        std::vector<double> all = step_.degree > 0 ? expected_shares() : expected_few();
        if (kinds_.empty < 0) return all;
        const double nothing = power(kinds_.share[kinds_.empty], kinds_.draws);
        std::vector<double> counts(kinds_.size(), 0.0), of_nothing(all.size());
        counts[kinds_.empty] = kinds_.draws;
        row(counts.data(), of_nothing.data());
        for (std::size_t j = 0; j < all.size(); ++j) all[j] = (all[j] - nothing * of_nothing[j]) / (1 - nothing);
        return all;
    }

  private:
    static double choose(double n, Id k) {
        double ways = 1;
        for (Id i = 0; i < k; ++i) ways *= (n - i) / (i + 1);
        return ways;
    }

    // By products, because std::pow differs between machines.
    static double power(double x, Id k) {
        double product = 1;
        for (Id i = 0; i < k; ++i) product *= x;
        return product;
    }

    // All ways to give `left` random annotators sources among the kinds from `kind` on.
    void list_shares(std::size_t kind, Id left) {
        if (left == 0) {
            shares_.push_back(path_);
            scale_ = 1 / choose(kinds_.draws, step_.degree);
            return;
        }
        if (kind == kinds_.size()) return;
        for (Id times = left; times > 0; --times) {
            path_.emplace_back(kind, times);
            list_shares(kind + 1, left - times);
            path_.pop_back();
        }
        list_shares(kind + 1, left);
    }

    std::vector<double> expected_shares() const {
        std::vector<double> all;
        for (const auto &of_share : shares_) {
            double chance = 1;
            Id left = step_.degree;
            for (const auto &[kind, times] : of_share) {
                chance *= choose(left, times) * power(kinds_.share[kind], times);
                left -= times;
            }
            all.push_back(chance);
        }
        return all;
    }

    std::vector<double> expected_few() const {
        double units = 0, apart = 0, same = 0;
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            units += kinds_.share[k] * kinds_.units[k];
            same += kinds_.share[k] * kinds_.share[k];
            for (std::size_t other = 0; other < k; ++other)
                apart += 2 * kinds_.share[k] * kinds_.share[other] * std::abs(kinds_.units[k] - kinds_.units[other]);
        }
        const double pairs = kinds_.draws * (kinds_.draws - 1.0) / 2;
        std::vector<double> all{1, kinds_.draws * units, pairs * apart, pairs * same};
        all.resize(step_.coefficients);
        return all;
    }

    const SourceKinds &kinds_;
    Step step_;
    std::vector<std::vector<std::pair<std::size_t, Id>>> shares_;  // (kind, number of annotators that have it)
    std::vector<std::pair<std::size_t, Id>> path_;
    double scale_ = 1;
};

// The steps with at most so many coefficients, the smallest first.
inline std::vector<Step> ladder(const SourceKinds &kinds, std::size_t most) {
    std::vector<Step> steps;
    if (kinds.size() < 2) return steps;  // nothing is drawn that could differ
    for (const std::size_t few : {std::size_t{3}, std::size_t{4}})
        if (few <= most) steps.push_back({0, few});
    double coefficients = 1;
    for (Id degree = 1; degree <= kinds.draws; ++degree) {
        coefficients *= (static_cast<double>(kinds.size()) + degree - 1) / degree;
        if (coefficients > static_cast<double>(most)) break;
        steps.push_back({degree, static_cast<std::size_t>(std::llround(coefficients))});
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step &a, const Step &b) { return a.coefficients < b.coefficients; });
    return steps;
}

// Regression on one step: the weight of each group's samples, and what the variance takes.
class Regression {
  public:
    std::size_t coefficients = 0;
    std::vector<double> weight, leverage;  // of each sample of a group
    bool is_usable = false;                // not where samples are missing that only the variates know about

    // No sample may decide its own fitted value by more than this: in a stratum there are two samples at least.
    static constexpr double most_leverage = 0.5 + 1e-9;

    Regression(const SourceCounts &counts, Step step)
        : size_(counts.size), n_(static_cast<double>(counts.group.size())) {
        const Variates variates(counts.kinds, step);
        p_ = variates.size();
        rows_.resize(counts.groups() * p_);
        for (std::size_t g = 0; g < counts.groups(); ++g) variates.row(counts.of(g), &rows_[g * p_]);
        const std::vector<double> factor = factorise();
        std::vector<double> expected = variates.expected();
        if (!solve(factor, expected)) return;
        weight.assign(counts.groups(), 0.0);
        leverage.assign(counts.groups(), 0.0);
        std::vector<double> correction(counts.groups());
        is_usable = true;
        for (std::size_t g = 0; g < counts.groups(); ++g) {
            const double *row = &rows_[g * p_];
            for (std::size_t j = 0; j < p_; ++j) {
                weight[g] += expected[j] * row[j];
                leverage[g] += row[j] * row[j];
            }
            is_usable &= leverage[g] <= most_leverage;
            correction[g] = (1 - weight[g]) / (1 - leverage[g]) / n_;
        }
        // Coefficients estimated without the sample that they are applied to: the mean has no bias.
        if (!is_usable) return;
        std::vector<double> sums(counts.groups());
        for (std::size_t g = 0; g < counts.groups(); ++g) sums[g] = size_[g] * correction[g];
        const std::vector<double> fitted = fit(sums);
        for (std::size_t g = 0; g < counts.groups(); ++g) weight[g] += correction[g] - fitted[g];
    }

    // The fitted value of each group, from the sums of the values over the samples of each.
    std::vector<double> fit(const std::vector<double> &sums) const {
        std::vector<double> slopes(p_, 0.0), fitted(sums.size(), 0.0);
        for (std::size_t g = 0; g < sums.size(); ++g)
            for (std::size_t j = 0; j < p_; ++j) slopes[j] += rows_[g * p_ + j] * sums[g];
        for (std::size_t g = 0; g < sums.size(); ++g)
            for (std::size_t j = 0; j < p_; ++j) fitted[g] += rows_[g * p_ + j] * slopes[j];
        return fitted;
    }

  private:
    const std::vector<double> &size_;
    double n_;
    std::size_t p_;
    std::vector<double> rows_;      // the variates of each group; later orthonormal over the samples
    std::vector<bool> is_dropped_;  // variates that follow from those before them

    // Cholesky's factor of the variates' products summed over the samples, and the rows made orthonormal by it.
    std::vector<double> factorise() {
        constexpr double dependent = 1e-9;
        std::vector<double> factor(p_ * p_, 0.0);
        for (std::size_t g = 0; g < size_.size(); ++g) {
            const double *row = &rows_[g * p_];
            for (std::size_t i = 0; i < p_; ++i) {
                const double scaled = size_[g] * row[i];
                if (scaled != 0)
                    for (std::size_t j = 0; j <= i; ++j) factor[i * p_ + j] += scaled * row[j];
            }
        }
        is_dropped_.assign(p_, false);
        for (std::size_t i = 0; i < p_; ++i) {
            const double whole = factor[i * p_ + i];
            coefficients += 1;
            for (std::size_t j = 0; j <= i; ++j) {
                double left = factor[i * p_ + j];
                for (std::size_t k = 0; k < j; ++k) left -= factor[i * p_ + k] * factor[j * p_ + k];
                if (j < i) {
                    factor[i * p_ + j] = is_dropped_[j] ? 0 : left / factor[j * p_ + j];
                } else if (left > dependent * whole) {
                    factor[i * p_ + i] = std::sqrt(left);
                } else {
                    is_dropped_[i] = true;
                    coefficients -= 1;
                }
            }
        }
        for (std::size_t g = 0; g < size_.size(); ++g) {
            double *row = &rows_[g * p_];
            for (std::size_t i = 0; i < p_; ++i) {
                double left = row[i];
                for (std::size_t k = 0; k < i; ++k) left -= factor[i * p_ + k] * row[k];
                row[i] = is_dropped_[i] ? 0 : left / factor[i * p_ + i];
            }
        }
        return factor;
    }

    // The expectations in the same coordinates; false where one of them contradicts the samples, all of which have a
    // variate following from others that it does not follow from by law.
    bool solve(const std::vector<double> &factor, std::vector<double> &expected) const {
        constexpr double tolerance = 1e-6;
        for (std::size_t i = 0; i < p_; ++i) {
            double left = expected[i];
            for (std::size_t k = 0; k < i; ++k) left -= factor[i * p_ + k] * expected[k];
            if (is_dropped_[i] && std::abs(left) > tolerance * std::abs(expected[i])) return false;
            expected[i] = is_dropped_[i] ? 0 : left / factor[i * p_ + i];
        }
        return true;
    }
};

// What one step says about the mean of some values.
struct ByStep {
    std::size_t step, coefficients;
    double mean, variance;  // of the mean
};

// The samples' sources with every step that their number allows: ten samples for each coefficient, and a table of the
// variates that is not too large.
class ControlVariates {
  public:
    static constexpr std::size_t samples_each = 10, most_coefficients = 300, most_numbers = 10'000'000;

    // Of samples first .. first + samples - 1.
    ControlVariates(const ShiftModel &model, std::size_t d, std::size_t samples, std::uint64_t first = 0)
        : ControlVariates(SourceCounts(model.kinds(d), samples, [&](std::size_t i, std::vector<Id> &chosen) {
              model.sources(d, first + i, chosen);
          })) {}

    // Of samples whose sources are given one after the other; all of them have the same law as those of the model.
    ControlVariates(const ShiftModel &model, std::size_t d, const Id *sources, std::size_t samples)
        : ControlVariates(
              SourceCounts(model.kinds(d), samples, [&, n = model.rows(d)](auto i, std::vector<Id> &chosen) {
                  chosen.assign(sources + i * n, sources + (i + 1) * n);
              })) {}

    // The regressions refer to the counts.
    ControlVariates(const ControlVariates &) = delete;
    ControlVariates &operator=(const ControlVariates &) = delete;

    const SourceCounts &counts() const { return counts_; }
    const std::vector<Step> &steps() const { return steps_; }
    const Regression &regression(std::size_t step) const { return regressions_[step]; }

    // The mean of the values, undefined ones (NaN) left out, by each step that can be used: the ratio of two weighted
    // means, that of the values and that of being defined, with the variance of its linear part.
    std::vector<ByStep> means(const double *values) const {
        const std::size_t groups = counts_.groups(), n = counts_.group.size();
        std::vector<double> defined(groups, 0.0), sum(groups, 0.0), squares(groups, 0.0), sums(groups);
        double centre = 0, all = 0;
        for (std::size_t i = 0; i < n; ++i)
            if (!std::isnan(values[i])) centre += values[i], all += 1;
        centre /= std::max(all, 1.0);
        for (std::size_t i = 0; i < n; ++i) {
            if (std::isnan(values[i])) continue;
            const double value = values[i] - centre;
            const auto g = static_cast<std::size_t>(counts_.group[i]);
            defined[g] += 1;
            sum[g] += value;
            squares[g] += value * value;
        }
        std::vector<ByStep> found;
        for (std::size_t s = 0; s < regressions_.size(); ++s) {
            const Regression &by = regressions_[s];
            if (!by.is_usable || steps_[s].coefficients * samples_each > all) continue;
            double share = 0, total = 0;
            for (std::size_t g = 0; g < groups; ++g) {
                share += by.weight[g] * defined[g];
                total += by.weight[g] * sum[g];
            }
            if (!(share > 0)) continue;
            const double mean = total / share;
            for (std::size_t g = 0; g < groups; ++g) sums[g] = sum[g] - mean * defined[g];
            const std::vector<double> fitted = by.fit(sums);
            double variance = 0;
            for (std::size_t g = 0; g < groups; ++g) {
                const double of_values = squares[g] - 2 * mean * sum[g] + mean * mean * defined[g];
                const double left = of_values - 2 * fitted[g] * sums[g] + counts_.size[g] * fitted[g] * fitted[g];
                // Residuals from what is fitted without the sample itself.
                const double scale = by.weight[g] / (1 - by.leverage[g]);
                variance += scale * scale * std::max(0.0, left);
            }
            found.push_back({s, by.coefficients, centre + mean, variance / (share * share)});
        }
        return found;
    }

  private:
    explicit ControlVariates(SourceCounts counts)
        : counts_(std::move(counts)), steps_(ladder(counts_.kinds, most_coefficients)) {
        const std::size_t samples = counts_.group.size();
        for (const Step &step : steps_)
            if (step.coefficients * samples_each <= samples && step.coefficients * counts_.groups() <= most_numbers)
                regressions_.emplace_back(counts_, step);
    }

    SourceCounts counts_;
    std::vector<Step> steps_;
    std::vector<Regression> regressions_;
};

}  // namespace unisono
