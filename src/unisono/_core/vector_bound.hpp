// SPDX-License-Identifier: MIT
// Lower bounds for many annotators, from vectors: f(0), of length 1, and one vector f(u) for each unit.
//
// For a column S, the square of the length of f(0) + sum of f(u) is not negative:
//     0 <= 1 + sum over u in S of [2 f(0)f(u) + f(u)f(u)] + 2 sum over pairs in S of f(u)f(v).
// So its cost, 1 - sum over pairs of w(u,v), is at least
//     sum over u in S of [-2 f(0)f(u) - f(u)f(u)] - sum over pairs in S of [w(u,v) + 2 f(u)f(v)].
// Half of each excess w(u,v) + 2 f(u)f(v), where that is positive, is charged to either unit. A unit shares a column
// with one unit of another annotator at most, so it pays for the largest excess with each annotator. What is left to
// the units are duals that hold for every column, whatever the vectors are.
//
// Good vectors come from a semidefinite program, as in the theta function of Lovasz (1979). For a column let z be 1 at
// 0 and at its units, and Y the sum of z z' over the columns of an alignment. Y is positive semidefinite, its entries
// Y(0,u) and Y(u,u) are 1, Y(u,v) is between 0 and 1, and 0 for units that cannot be together. The alignment costs
// Y(0,0) - sum over pairs of w(u,v) Y(u,v). The least cost of any such matrix is a lower bound, and the products of the
// vectors are its dual variables. Both are approached together by alternating directions (Wen, Goldfarb and Yin 2010):
// one step sees to the range of each entry, the other to the eigenvalues. Only the vectors must be exact, and few of
// the eigenvalues that they stand for are large: they are found in a small subspace, which follows the matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "columns.hpp"
#include "dice.hpp"
#include "eigenvectors.hpp"
#include "matrices.hpp"
#include "watch.hpp"

namespace unisono {

class VectorBound {
  public:
    double bound = 0;          // the sum of the duals
    std::vector<double> dual;  // feasible for every column; empty where the vectors prove nothing

    // More units, or more columns to begin with, would take too long, and their matrices too much memory.
    static bool takes(const Part &part, Id n_columns) {
        return part.size() <= most_units_ && static_cast<std::size_t>(n_columns) <= most_vectors_ / 2;
    }

    static Wide bytes(const Part &part) {
        const Wide n = static_cast<Wide>(part.size()) + 1;
        return sizeof(float) * n * (3 * n + 8 * most_vectors_);
    }

    // The rounds that `effort` steps allow, beginning with an alignment of `n_columns` columns.
    static double rounds(const Part &part, Id n_columns, std::uint64_t effort) {
        const std::uint64_t n = static_cast<std::uint64_t>(part.size()) + 1;
        const std::uint64_t p = first_vectors(n, static_cast<std::uint64_t>(n_columns)), last = last_steps(n, p);
        return static_cast<double>(effort - std::min(effort, last)) / static_cast<double>(steps_of_round(n, p));
    }

    // Begins with an alignment, given by labels below the number of units. Improves the vectors until
    // `is_enough(their bound)`, until that hardly rises, or until about `effort` steps are over.
    template <class Enough>
    void run(const Part &part, const std::vector<Id> &label, std::uint64_t effort, Enough is_enough, Watch &watch) {
        const std::uint64_t begin = watch.steps();
        prepare(part, label, watch);
        double before = -infinity_;
        for (int round = 1; watch.reached() == Limit::none; ++round) {
            const std::uint64_t n = size_, p = basis_.rows;
            const bool is_last = watch.steps() - begin + 2 * steps_of_round(n, p) + last_steps(n, p) > effort;
            restrict_entries(watch);
            find_vectors(watch);
            if (round % rounds_between_looks_ != 0 && !is_last && watch.reached() == Limit::none) continue;
            keep_if_better(watch);
            if (is_last || is_enough(best_)) break;
            if (round % rounds_between_extensions_ != 0) continue;
            if (best_ - before < least_rise_ * std::abs(best_) && !extend_basis(basis_.rows / 2 * 3)) break;
            before = best_;
        }
        if (best_ > 0) finish(watch);
    }

    // The duals of any vectors, the columns of a matrix: f(0), then those of the units.
    void prove(const Part &part, const Matrix &vectors) {
        part_ = &part;
        size_ = static_cast<std::size_t>(part.size()) + 1;
        penalty_ = 1;
        best_vectors_ = vectors;
        best_lengths_.assign(size_, 1);
        compute_duals();
    }

  private:
    static constexpr float apart_ = std::numeric_limits<float>::infinity();  // half the cost of units kept apart
    static constexpr double infinity_ = 1e300;
    static constexpr float overshoot_ = 1.6F;  // of the step that restricts the entries
    static constexpr Id most_units_ = 2500;
    static constexpr int rounds_between_looks_ = 8;
    static constexpr int rounds_between_extensions_ = 24;
    static constexpr double least_rise_ = 0.002;
    static constexpr std::size_t most_vectors_ = 400, strip_rows_ = 64;

    // As measured: with n units and p vectors, products, rows made orthonormal, and eigenvectors.
    static std::uint64_t steps_of_round(std::uint64_t n, std::uint64_t p) {
        return n * n * p / 160 + n * p * p / 80 + p * p * p / 2;
    }

    // Of `finish`.
    static std::uint64_t last_steps(std::uint64_t n, std::uint64_t p) { return n * n * (p / 32 + 16); }

    // The vectors that a search begins with: room for the columns of the alignment, and for others.
    static std::uint64_t first_vectors(std::uint64_t n, std::uint64_t n_columns) {
        const std::uint64_t most = std::min(n / 2, std::uint64_t{most_vectors_});
        return std::max(n_columns + 1, std::min(n / 6 + (n_columns + 1) / 2 * 3, most));
    }

    void prepare(const Part &part, const std::vector<Id> &label, Watch &watch) {
        part_ = &part;
        size_ = static_cast<std::size_t>(part.size()) + 1;
        penalty_ = 8.0F / static_cast<float>(size_);  // as measured: half or twice as much is a little slower
        bound = best_ = -infinity_;
        dual.clear();
        cost_.resize(size_, size_);
        std::fill(cost_.entry.begin(), cost_.entry.end(), apart_);
        for (Id u = 0; u < part.size(); ++u)
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                cost_.row(u + 1)[part.graph.other[e] + 1] = static_cast<float>(-0.5 * part.graph.w[e]);
        begin_with(label);
        dice_.restart();
        extend_basis(static_cast<std::size_t>(first_vectors(size_, basis_.rows - 1)));
        watch.expired(static_cast<Wide>(size_) * size_);
    }

    // `matrix_` is Y less V / penalty, where V are the products of the vectors. `vectors_` are divided by the root of
    // the penalty, too: their products are taken off as they are.
    void begin_with(const std::vector<Id> &label) {
        const Id m = part_->size();
        std::vector<Id> n_members(m, 0), row_of(m, -1);
        for (Id k : label) ++n_members[k];
        basis_.resize(0, size_);
        for (Id u = 0; u < m; ++u) {
            Id &row = row_of[label[u]];
            if (row < 0) {
                row = static_cast<Id>(basis_.rows);
                basis_.set_rows(basis_.rows + 1);
                basis_.row(row)[0] = 1;
            }
            basis_.row(row)[u + 1] = 1;
        }
        product_.run(Factor::columns(basis_), Factor::columns(basis_), matrix_);
        // f(0) = 1, f(u) = -1 / the number of units in the column: f(0) + sum of f(u) is 0.
        vectors_.resize(1, size_);
        const float unit_length = 1 / std::sqrt(penalty_);
        vectors_.row(0)[0] = unit_length;
        for (Id u = 0; u < m; ++u) vectors_.row(0)[u + 1] = -unit_length / static_cast<float>(n_members[label[u]]);
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < size_; ++j) matrix_.row(i)[j] -= vectors_.row(0)[i] * vectors_.row(0)[j];
        basis_.set_rows(basis_.rows + 1);
        std::copy(vectors_.row(0), vectors_.row(0) + size_, basis_.row(basis_.rows - 1));
    }

    // Pseudo-random rows; false where there are enough.
    bool extend_basis(std::size_t n_rows) {
        n_rows = std::min({n_rows, size_ / 2, most_vectors_});
        const std::size_t from = basis_.rows;
        if (n_rows <= from) return false;
        basis_.set_rows(n_rows);
        for (std::size_t i = from; i < n_rows; ++i)
            for (std::size_t j = 0; j < size_; ++j) basis_.row(i)[j] = static_cast<float>(dice_.draw(2001)) / 1000 - 1;
        return true;
    }

    // Moves each entry towards its range: with V fixed, Y has the entries of least cost and penalty.
    void restrict_entries(Watch &watch) {
        watch.expired(steps_of_round(size_, basis_.rows) / 3);
        const float per_penalty = 1 / penalty_;
        for (std::size_t from = 0; from < size_; from += strip_rows_) {
            const std::size_t to = std::min(size_, from + strip_rows_);
            product_.run(Factor::columns(vectors_, from, to), Factor::columns(vectors_), strip_);
            for (std::size_t i = from; i < to; ++i) {
                float *entry = matrix_.row(i);
                const float *v = strip_.row(i - from), *cost = cost_.row(i);
                const auto move = [&](std::size_t j, float y) { entry[j] += overshoot_ * (y - entry[j] - v[j]); };
                const auto unbounded = [&](std::size_t j, float c) { return entry[j] + 2 * v[j] - per_penalty * c; };
                if (i == 0) {
                    move(0, std::max(unbounded(0, 1), 0.0F));
                    for (std::size_t j = 1; j < size_; ++j) move(j, 1);
                    continue;
                }
                const float diagonal = entry[i];
                move(0, 1);
                for (std::size_t j = 1; j < size_; ++j) move(j, std::min(std::max(unbounded(j, cost[j]), 0.0F), 1.0F));
                entry[i] = diagonal;
                move(i, 1);
            }
        }
    }

    // The vectors whose products are the negative part of the matrix, as far as that is in the subspace.
    void find_vectors(Watch &watch) {
        watch.expired(steps_of_round(size_, basis_.rows) / 3);
        orthonormal_.run(basis_);
        product_.run(Factor::rows(basis_), Factor::columns(matrix_), image_);
        std::swap(basis_, image_);
        watch.expired(steps_of_round(size_, basis_.rows) / 3);
        orthonormal_.run(basis_);
        product_.run(Factor::rows(basis_), Factor::columns(matrix_), image_);
        product_.run(Factor::rows(basis_), Factor::rows(image_), other_);
        const std::size_t p = basis_.rows;
        projected_.resize(p * p);
        for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < p; ++j) projected_[i * p + j] = 0.5 * (other_.row(i)[j] + other_.row(j)[i]);
        eigenvectors_.run(p, projected_);
        const auto rotate = [&](const Matrix &from, bool is_part, Matrix &to) {
            std::size_t n = 0;
            for (double value : eigenvectors_.value) n += value < 0 || !is_part;
            rotation_.resize(p, n);
            n = 0;
            for (std::size_t k = 0; k < p; ++k) {
                const double value = eigenvectors_.value[k], length = is_part ? std::sqrt(std::max(0.0, -value)) : 1;
                if (is_part && value >= 0) continue;
                for (std::size_t i = 0; i < p; ++i)
                    rotation_.row(i)[n] = static_cast<float>(length * eigenvectors_.vector(k)[i]);
                ++n;
            }
            product_.run(Factor::columns(rotation_), Factor::columns(from), to);
        };
        rotate(basis_, true, vectors_);
        rotate(image_, false, other_);
        std::swap(basis_, other_);
    }

    void keep_if_better(Watch &watch) {
        watch.expired(static_cast<Wide>(size_) * size_ * (1 + vectors_.rows / 160));
        // f(0) is lengthened to 1, or shortened.
        product_.run(Factor::columns(vectors_, 0, 1), Factor::columns(vectors_), strip_);
        if (strip_.at(0, 0) <= 0) return;
        const double length = std::sqrt(static_cast<double>(penalty_) * strip_.at(0, 0));
        to_first_.resize(size_);
        for (std::size_t i = 0; i < size_; ++i) to_first_[i] = penalty_ * strip_.at(0, i) / length;
        double sum = 0;
        for (std::size_t from = 1; from < size_; from += strip_rows_) {
            const std::size_t to = std::min(size_, from + strip_rows_);
            product_.run(Factor::columns(vectors_, from, to), Factor::columns(vectors_), strip_);
            for (std::size_t i = from; i < to; ++i) {
                const float *v = strip_.row(i - from);
                sum += left_to(static_cast<Id>(i - 1), to_first_[i], [&](Id u) { return penalty_ * v[u + 1]; });
            }
        }
        if (!(sum > best_)) return;
        best_ = sum;
        best_vectors_ = vectors_;
    }

    // What is left to unit u of its share: its dual. `to_first` is f(0)f(u), product(v) is f(u)f(v).
    template <class Products> double left_to(Id u, double to_first, Products product) {
        return -2 * to_first - product(u) - largest_excesses(u, product);
    }

    // The sum over annotators of the largest w(u,v) / 2 + f(u)f(v) above 0.
    template <class Products> double largest_excesses(Id u, Products product) {
        const Graph &graph = part_->graph;
        const Id *annotator = part_->annotator.data();
        largest_.resize(part_->n_annotators, 0);
        double sum = 0;
        for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
            const double excess = 0.5 * graph.w[e] + product(graph.other[e]);
            double &largest = largest_[annotator[graph.other[e]]];
            if (excess <= largest) continue;
            sum += excess - largest;
            largest = excess;
        }
        for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) largest_[annotator[graph.other[e]]] = 0;
        return sum;
    }

    // The duals of the best vectors, each of which is made longer or shorter where that helps.
    void finish(Watch &watch) {
        product_.run(Factor::columns(best_vectors_), Factor::columns(best_vectors_), matrix_);
        const double first = std::sqrt(static_cast<double>(penalty_) * matrix_.at(0, 0));
        for (std::size_t i = 0; i < size_; ++i) to_first_[i] = penalty_ * matrix_.at(0, i) / first;
        length_.assign(size_, 1);
        best_lengths_ = length_;
        double most = sum_with_lengths();
        for (int sweep = 0; sweep < 3; ++sweep) {
            for (Id u = 0; u < part_->size(); ++u) choose_length(u);
            watch.expired(static_cast<Wide>(size_) * size_ * 4);
            const double sum = sum_with_lengths();
            if (sum <= most) break;
            most = sum;
            best_lengths_ = length_;
        }
        compute_duals();
        watch.expired(static_cast<Wide>(size_) * size_ * best_vectors_.rows / 32);
    }

    // The sum of the duals with the lengths as they are, in single precision.
    double sum_with_lengths() {
        double sum = 0;
        for (Id u = 0; u < part_->size(); ++u) {
            const float *v = matrix_.row(u + 1);
            sum += left_to(u, length_[u + 1] * to_first_[u + 1],
                           [&](Id other) { return length_[u + 1] * length_[other + 1] * penalty_ * v[other + 1]; });
        }
        return sum;
    }

    // The best of a few lengths of a vector. An excess is charged to both units: twice its own share is what a change
    // costs, roughly.
    void choose_length(Id u) {
        const float *v = matrix_.row(u + 1);
        const double old = length_[u + 1];
        double most = -infinity_;
        for (double change : {1.0, 0.9, 0.97, 1.03, 1.1}) {
            const double length = old * change;
            const double excesses =
                largest_excesses(u, [&](Id other) { return length * length_[other + 1] * penalty_ * v[other + 1]; });
            const double value = -2 * length * to_first_[u + 1] - length * length * penalty_ * v[u + 1] - 2 * excesses;
            if (value <= most) continue;
            most = value;
            length_[u + 1] = length;
        }
    }

    // In double precision, from the vectors themselves.
    void compute_duals() {
        const std::size_t n_vectors = best_vectors_.rows;
        exact_.resize(size_ * n_vectors);
        double square = 0;
        for (std::size_t k = 0; k < n_vectors; ++k)
            square += static_cast<double>(best_vectors_.at(k, 0)) * best_vectors_.at(k, 0);
        for (std::size_t i = 0; i < size_; ++i) {
            const double length =
                i == 0 ? 1 / std::sqrt(square) : best_lengths_[i] * std::sqrt(static_cast<double>(penalty_));
            for (std::size_t k = 0; k < n_vectors; ++k) exact_[i * n_vectors + k] = length * best_vectors_.at(k, i);
        }
        const auto inner = [&](std::size_t i, std::size_t j) {
            const double *a = &exact_[i * n_vectors], *b = &exact_[j * n_vectors];
            double sum[4] = {};
            std::size_t k = 0;
            for (; k + 4 <= n_vectors; k += 4)
                for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += a[k + lane] * b[k + lane];
            for (; k < n_vectors; ++k) sum[0] += a[k] * b[k];
            return (sum[0] + sum[1]) + (sum[2] + sum[3]);
        };
        dual.resize(part_->size());
        bound = 0;
        for (Id u = 0; u < part_->size(); ++u)
            bound += dual[u] = left_to(u, inner(0, u + 1), [&](Id v) { return inner(u + 1, v + 1); });
    }

    const Part *part_ = nullptr;
    std::size_t size_ = 0;  // units and one
    float penalty_ = 0;     // for differences between Y and a positive semidefinite matrix
    double best_ = 0;
    Matrix cost_, matrix_, vectors_, best_vectors_;
    Matrix basis_, image_, other_, rotation_, strip_;
    std::vector<double> projected_;
    Product product_;
    Eigenvectors eigenvectors_;
    Orthonormal orthonormal_;
    Dice dice_;
    std::vector<double> to_first_, largest_, length_, best_lengths_, exact_;
};

}  // namespace unisono
