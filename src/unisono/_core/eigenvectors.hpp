// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction to a tridiagonal one, then implicit QL
// steps (Golub and Van Loan 2013, sections 8.3.1 and 8.3.3).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace unisono {

class Eigenvectors {
  public:
    std::vector<double> value;

    const double *vector(std::size_t k) const { return vectors_.data() + k * n_; }

    // `matrix`: n * n entries, which are overwritten.
    void run(std::size_t n, std::vector<double> &matrix) {
        n_ = n;
        vectors_.assign(n * n, 0);
        for (std::size_t i = 0; i < n; ++i) vectors_[i * n + i] = 1;
        reduce(matrix);
        value.resize(n);
        beside_.assign(n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            value[i] = matrix[i * n + i];
            if (i + 1 < n) beside_[i] = matrix[(i + 1) * n + i];
        }
        for (std::size_t from = 0; from < n; ++from) iterate(from);
    }

  private:
    // Reflections I - 2 v v' make the matrix tridiagonal; their product is collected in `vectors_`.
    void reduce(std::vector<double> &matrix) {
        const std::size_t n = n_;
        mirror_.resize(n);
        image_.resize(n);
        double whole = 0;
        for (double x : matrix) whole += x * x;
        const double epsilon = std::numeric_limits<double>::epsilon(), least = epsilon * epsilon * whole;
        for (std::size_t k = 0; k + 2 < n; ++k) {
            double square = 0;
            for (std::size_t i = k + 1; i < n; ++i) square += matrix[i * n + k] * matrix[i * n + k];
            double &head = matrix[(k + 1) * n + k];
            if (square <= least) {  // rounding, which would give no direction
                head = 0;
                continue;
            }
            const double length = head > 0 ? -std::sqrt(square) : std::sqrt(square);
            const double norm = std::sqrt(std::max(0.0, 2 * (square - length * head)));
            for (std::size_t i = k + 1; i < n; ++i) mirror_[i] = matrix[i * n + k] / norm;
            mirror_[k + 1] -= length / norm;
            std::fill(image_.begin(), image_.end(), 0.0);
            for (std::size_t i = k + 1; i < n; ++i)
                for (std::size_t j = k + 1; j < n; ++j) image_[j] += mirror_[i] * matrix[i * n + j];
            double along = 0;
            for (std::size_t i = k + 1; i < n; ++i) along += image_[i] * mirror_[i];
            for (std::size_t i = k + 1; i < n; ++i) image_[i] -= along * mirror_[i];
            for (std::size_t i = k + 1; i < n; ++i)
                for (std::size_t j = k + 1; j < n; ++j)
                    matrix[i * n + j] -= 2 * (mirror_[i] * image_[j] + image_[i] * mirror_[j]);
            head = length;
            std::fill(image_.begin(), image_.end(), 0.0);
            for (std::size_t i = k + 1; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) image_[j] += mirror_[i] * vectors_[i * n + j];
            for (std::size_t i = k + 1; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) vectors_[i * n + j] -= 2 * mirror_[i] * image_[j];
        }
    }

    // QL steps until the entry beside the diagonal at `from` vanishes.
    void iterate(std::size_t from) {
        const std::size_t n = n_;
        for (int step = 0; step < 60; ++step) {
            std::size_t to = from;
            while (to + 1 < n && std::abs(beside_[to]) > std::numeric_limits<double>::epsilon() *
                                                             (std::abs(value[to]) + std::abs(value[to + 1])))
                ++to;
            if (to == from) return;
            double g = (value[from + 1] - value[from]) / (2 * beside_[from]);
            const double root = std::sqrt(g * g + 1);
            g = value[to] - value[from] + beside_[from] / (g + (g < 0 ? -root : root));
            double sine = 1, cosine = 1, p = 0;
            for (std::size_t i = to; i-- > from;) {
                const double f = sine * beside_[i], b = cosine * beside_[i], r = std::sqrt(f * f + g * g);
                beside_[i + 1] = r;
                if (r == 0) {  // the matrix falls into two parts
                    value[i + 1] -= p;
                    break;
                }
                sine = f / r;
                cosine = g / r;
                g = value[i + 1] - p;
                const double h = (value[i] - g) * sine + 2 * cosine * b;
                p = sine * h;
                value[i + 1] = g + p;
                g = cosine * h - b;
                double *x = &vectors_[i * n], *y = &vectors_[(i + 1) * n];
                for (std::size_t k = 0; k < n; ++k) {
                    const double old = y[k];
                    y[k] = sine * x[k] + cosine * old;
                    x[k] = cosine * x[k] - sine * old;
                }
                if (i == from) {
                    value[from] -= p;
                    beside_[from] = g;
                }
            }
            beside_[to] = 0;
        }
    }

    std::size_t n_ = 0;
    std::vector<double> vectors_, beside_, mirror_, image_;
};

}  // namespace unisono
