// SPDX-License-Identifier: MIT
// Dense matrices in single precision: products, and rows made orthonormal.
//
// Each sum has one fixed order, whatever the processor: the same bits on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "portable.hpp"

namespace unisono {

// Rows are padded with zeros to whole vectors.
struct Matrix {
    std::size_t rows = 0, columns = 0, stride = 0;
    std::vector<float> entry;

    void resize(std::size_t n_rows, std::size_t n_columns) {
        rows = n_rows;
        columns = n_columns;
        stride = (n_columns + 15) / 16 * 16;
        entry.assign(rows * stride, 0.0F);
    }
    // Keeps the rows that are there; new ones are zeros.
    void set_rows(std::size_t n_rows) {
        rows = n_rows;
        entry.resize(rows * stride, 0.0F);
    }
    float *row(std::size_t i) { return entry.data() + i * stride; }
    const float *row(std::size_t i) const { return entry.data() + i * stride; }
    float at(std::size_t i, std::size_t j) const { return entry[i * stride + j]; }
};

// One factor of a product: columns of a matrix, or its rows.
struct Factor {
    const Matrix *matrix;
    bool is_by_rows;
    std::size_t from, width, depth;  // of columns: the number of rows that count

    static Factor columns(const Matrix &matrix) { return columns(matrix, 0, matrix.columns); }
    static Factor columns(const Matrix &matrix, std::size_t from, std::size_t to) {
        return {&matrix, false, from, to - from, matrix.rows};
    }
    static Factor rows(const Matrix &matrix) { return rows(matrix, 0, matrix.rows); }
    static Factor rows(const Matrix &matrix, std::size_t from, std::size_t to) {
        return {&matrix, true, from, to - from, matrix.columns};
    }
    // Columns of the first rows alone.
    Factor first_rows(std::size_t n_rows) const { return {matrix, false, from, width, n_rows}; }
};

class Product {
  public:
    // Entry (i, j) of `out` is the inner product of column (or row) i of the one factor with column (or row) j of the
    // other.
    void run(const Factor &left, const Factor &right, Matrix &out) {
        out.resize(left.width, right.width);
        const std::size_t depth = left.depth;
        for (std::size_t from = 0; from < depth; from += block_) {
            const std::size_t count = std::min(block_, depth - from);
            pack(left, from, count, tall_, left_);
            for (std::size_t j = 0; j < right.width; j += wide_) {
                pack({right.matrix, right.is_by_rows, right.from + j, std::min(wide_, right.width - j), depth}, from,
                     count, wide_, right_);
                add_tiles(out, j, count);
            }
        }
    }

  private:
    static constexpr std::size_t tall_ = 4, wide_ = 16, block_ = 256;

    // Strips of `size` columns, one after another, zeros beyond the last column.
    static void pack(const Factor &factor, std::size_t from, std::size_t count, std::size_t size,
                     std::vector<float> &to) {
        const std::size_t n_strips = (factor.width + size - 1) / size;
        to.assign(n_strips * count * size, 0.0F);
        for (std::size_t strip = 0; strip < n_strips; ++strip) {
            float *packed = to.data() + strip * count * size;
            const std::size_t first = factor.from + strip * size, n = std::min(size, factor.width - strip * size);
            if (factor.is_by_rows) {
                for (std::size_t i = 0; i < n; ++i) {
                    const float *row = factor.matrix->row(first + i) + from;
                    for (std::size_t k = 0; k < count; ++k) packed[k * size + i] = row[k];
                }
            } else {
                for (std::size_t k = 0; k < count; ++k) {
                    const float *row = factor.matrix->row(from + k) + first;
                    for (std::size_t i = 0; i < n; ++i) packed[k * size + i] = row[i];
                }
            }
        }
    }

    // Adds the products of all strips on the left with the one on the right to columns j, j + 1, ... of `out`.
    void add_tiles(Matrix &out, std::size_t j, std::size_t count) const {
#if defined(UNISONO_AVX2)
        static const bool has_avx2 = __builtin_cpu_supports("avx2");
        if (has_avx2) return add_wide_tiles(out, j, count);
#endif
        add_tiles_of<FourFloats>(out, j, count);
    }

#if defined(UNISONO_AVX2)
    __attribute__((target("avx2"))) void add_wide_tiles(Matrix &out, std::size_t j, std::size_t count) const {
        add_tiles_of<EightFloats>(out, j, count);
    }
#endif

    // The sums of a tile, four rows and two vectors, stay in the registers of the processor.
    template <class Vector> UNISONO_INLINE void add_tiles_of(Matrix &out, std::size_t j, std::size_t count) const {
        constexpr std::size_t lanes = sizeof(Vector) / sizeof(float);
        for (std::size_t i = 0; i < out.rows; i += tall_)
            for (std::size_t c = 0; c < wide_; c += 2 * lanes) {
                const float *left = left_.data() + i * count, *right = right_.data() + c;
                Vector sum[tall_][2] = {}, x, y;
                for (std::size_t k = 0; k < count; ++k, left += tall_, right += wide_) {
                    std::memcpy(&x, right, sizeof x);
                    std::memcpy(&y, right + lanes, sizeof y);
                    for (std::size_t r = 0; r < tall_; ++r) {
                        sum[r][0] += left[r] * x;
                        sum[r][1] += left[r] * y;
                    }
                }
                for (std::size_t r = 0; r < tall_ && i + r < out.rows; ++r) {
                    float added[2 * lanes], *to = out.row(i + r) + j + c;
                    std::memcpy(added, sum[r], sizeof added);
                    for (std::size_t k = 0; k < 2 * lanes; ++k) to[k] += added[k];
                }
            }
    }

    std::vector<float> left_, right_;
};

inline float inner_product(const float *a, const float *b, std::size_t stride) {
    FourFloats sum[4] = {}, x, y;
    for (std::size_t k = 0; k < stride; k += 16)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            std::memcpy(&x, a + k + 4 * lane, sizeof x);
            std::memcpy(&y, b + k + 4 * lane, sizeof y);
            sum[lane] += x * y;
        }
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    float of_lanes[4];
    std::memcpy(of_lanes, sum, sizeof of_lanes);
    return (of_lanes[0] + of_lanes[1]) + (of_lanes[2] + of_lanes[3]);
}

// Gram and Schmidt's method, block by block: most of the work is products.
class Orthonormal {
  public:
    // Rows that depend on those before them become zeros.
    void run(Matrix &matrix) {
        for (std::size_t i = 0; i < matrix.rows; ++i) normalise(matrix, i, 0);
        for (std::size_t from = 0; from < matrix.rows; from += block_) {
            const std::size_t to = std::min(matrix.rows, from + block_);
            if (from > 0) subtract_projections(matrix, from, to);
            for (std::size_t i = from; i < to; ++i) {
                normalise(matrix, i, 1e-8F);
                for (std::size_t j = i + 1; j < to; ++j) {
                    const float along = inner_product(matrix.row(i), matrix.row(j), matrix.stride);
                    add(matrix, i, -along, matrix.row(j));
                }
            }
        }
    }

  private:
    static constexpr std::size_t block_ = 16;

    static void add(const Matrix &matrix, std::size_t i, float factor, float *to) {
        const float *row = matrix.row(i);
        for (std::size_t k = 0; k < matrix.stride; ++k) to[k] += factor * row[k];
    }

    static void normalise(Matrix &matrix, std::size_t i, float least) {
        float *row = matrix.row(i);
        const float square = inner_product(row, row, matrix.stride);
        const float factor = square > least ? 1 / std::sqrt(square) : 0.0F;
        for (std::size_t k = 0; k < matrix.stride; ++k) row[k] *= factor;
    }

    // Takes off the rows of a block what lies along the rows before it.
    void subtract_projections(Matrix &matrix, std::size_t from, std::size_t to) {
        product_.run(Factor::rows(matrix, 0, from), Factor::rows(matrix, from, to), along_);
        product_.run(Factor::columns(along_), Factor::columns(matrix).first_rows(from), projections_);
        for (std::size_t i = from; i < to; ++i) add(projections_, i - from, -1, matrix.row(i));
    }

    Product product_;
    Matrix along_, projections_;
};

}  // namespace unisono
