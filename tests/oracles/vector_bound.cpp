// SPDX-License-Identifier: MIT
// Compiled and run by test_vector_bound.py: prints small matrices with what is computed from them, and parts with the
// bounds that vectors prove for them.
#include <cstdio>
#include <vector>

#include "philox.hpp"
#include "vector_bound.hpp"

using namespace unisono;

static void print(const char *name, const float *from, std::size_t count) {
    std::printf("%s", name);
    for (std::size_t k = 0; k < count; ++k) std::printf(" %.9g", from[k]);
    std::printf("\n");
}

static void print(const char *name, const std::vector<double> &values) {
    std::printf("%s", name);
    for (double value : values) std::printf(" %.17g", value);
    std::printf("\n");
}

static void print(const char *name, const Matrix &matrix) {
    for (std::size_t i = 0; i < matrix.rows; ++i) print(name, matrix.row(i), matrix.columns);
}

static Matrix random_matrix(std::size_t rows, std::size_t columns, Philox &random) {
    Matrix matrix;
    matrix.resize(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) matrix.row(i)[j] = static_cast<float>(random.uniform() - 0.5);
    return matrix;
}

static void decompose(std::size_t n, const std::vector<double> &symmetric);

static void algebra(std::size_t number) {
    Philox random(2015, number, {0, 0, 0, 0});
    const std::size_t depth = 1 + number * 37, n = 1 + number * 5, m = 3 + number * 7;
    std::printf("algebra\n");
    const Matrix a = random_matrix(depth, n, random), b = random_matrix(depth, m, random);
    const Matrix c = random_matrix(m, depth, random);
    Product product;
    Matrix out;
    print("a", a);
    print("b", b);
    print("c", c);
    product.run(Factor::columns(a), Factor::columns(b), out);
    print("ab", out);
    product.run(Factor::columns(a), Factor::rows(c), out);
    print("ac", out);
    product.run(Factor::columns(a, n / 2, n), Factor::rows(c, 1, 3), out);
    print("some", out);
    Matrix rows = c;  // the last row depends on the first two
    if (rows.rows > 2)
        for (std::size_t j = 0; j < depth; ++j) rows.row(rows.rows - 1)[j] = rows.row(0)[j] - 2 * rows.row(1)[j];
    Orthonormal().run(rows);
    print("orthonormal", rows);
    std::vector<double> symmetric(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) symmetric[i * n + j] = symmetric[j * n + i] = random.uniform() - 0.5;
    decompose(n, symmetric);
}

static void decompose(std::size_t n, const std::vector<double> &symmetric) {
    std::vector<double> copy = symmetric;
    Eigenvectors eigenvectors;
    eigenvectors.run(n, copy);
    print("symmetric", symmetric);
    print("values", eigenvectors.value);
    for (std::size_t k = 0; k < n; ++k)
        print("vector", std::vector<double>(eigenvectors.vector(k), eigenvectors.vector(k) + n));
}

// Matrices in which something vanishes: zeros, diagonals, low rank, two blocks, and the last row alone.
static void special(std::size_t kind, std::size_t n) {
    Philox random(2017, kind * 100 + n, {0, 0, 0, 0});
    std::vector<double> symmetric(n * n, 0);
    std::vector<double> one(n), other(n);
    for (std::size_t i = 0; i < n; ++i) {
        one[i] = random.uniform() - 0.5;
        other[i] = random.uniform() - 0.5;
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double &x = symmetric[i * n + j];
            if (kind == 1) x = i == j ? one[i] : 0;
            if (kind == 2) x = one[i] * one[j];
            if (kind == 3) x = one[i] * one[j] - 1e-9 * other[i] * other[j];
            if (kind == 4) x = (i < n / 2) == (j < n / 2) ? one[i] * one[j] + (i == j) : 0;
            if (kind == 5) x = i == n - 1 || j == n - 1 ? 1 : 0;
            if (kind == 6) x = i + 1 == j || j + 1 == i ? 1 : 0;
        }
    std::printf("special\n");
    decompose(n, symmetric);
}

// Annotators mark some of a few places; units of different places can seldom be together.
static void part(std::uint64_t number, Id n, Id n_places, double share, VectorBound &vectors) {
    Philox random(2016, number, {0, 0, 0, 0});
    Part part;
    std::vector<Id> place;
    for (Id k = 0; k < n_places; ++k)
        for (Id a = 0; a < n; ++a)
            if (random.uniform() < share) {
                part.annotator.push_back(a);
                place.push_back(k);
            }
    const Id m = static_cast<Id>(part.annotator.size());
    part.n_annotators = n;
    std::vector<Pair> pairs;
    const double c = 0.5 * n * (n - 1);
    for (Id u = 0; u < m; ++u)
        for (Id v = u + 1; v < m; ++v) {
            const double d = place[u] == place[v] ? 2 * random.uniform() : 2 + 0.5 * c * random.uniform();
            if (part.annotator[u] != part.annotator[v] && d < c + n - 1) pairs.push_back({u, v, (1 - d) / c});
        }
    part.graph.build(m, pairs);
    std::vector<Id> label(m);  // of the alignment to begin with: each unit alone, or the places
    for (Id u = 0; u < m; ++u) label[u] = number % 2 == 0 ? u : place[u];
    if (m == 0) return;
    bool is_stopped = false;
    const auto search = [&](VectorBound &by) {
        Limits limits;
        limits.effort = number % 5 == 4 ? std::uint64_t{20} << number / 5 : 0;
        Watch watch(limits, false);
        by.run(
            part, label, number % 6 == 1 ? 3000 * number : ~std::uint64_t(0) / 2, [](double) { return false; }, watch);
        is_stopped = watch.reached() == Limit::effort;
    };
    search(vectors);
    std::printf("part %d %d\n", n, is_stopped);
    for (Id u = 0; u < m; ++u) std::printf("unit %d %d\n", part.annotator[u], place[u]);
    for (const Pair &p : pairs) std::printf("pair %d %d %.17g\n", p.u, p.v, p.w);
    print("duals", vectors.dual);
    std::printf("bound %.17g\n", vectors.bound);
    VectorBound fresh;
    search(fresh);
    print("fresh", fresh.dual);
    // Any vectors, f(0) of any length.
    const Matrix any = random_matrix(5, static_cast<std::size_t>(m) + 1, random);
    print("any", any);
    fresh.prove(part, any);
    print("proven", fresh.dual);
}

int main() {
    for (std::size_t number = 0; number < 9; ++number) algebra(number);
    for (std::size_t kind = 0; kind < 7; ++kind)
        for (std::size_t n : {1, 2, 3, 24}) special(kind, n);
    VectorBound vectors;  // one for all parts: nothing is left from one to the next
    for (std::uint64_t number = 0; number < 60; ++number)
        part(number, 3 + static_cast<Id>(number % 4), 2 + static_cast<Id>(number % 3), 0.6, vectors);
    part(60, 50, 4, 0.9, vectors);
}
