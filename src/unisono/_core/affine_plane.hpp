// SPDX-License-Identifier: MIT
// Affine planes: q * q points and q * (q + 1) lines of q points each; any two points share one line.
#pragma once

#include "sizes.hpp"

namespace unisono {

// The orders q for which there is arithmetic here: a prime, or 4, 8, 16.
inline constexpr int plane_orders[] = {19, 16, 13, 11, 8, 7, 5, 4, 3, 2};

// The product in the field of q = 2^k elements: polynomials over {0, 1}, their coefficients being bits, modulo one that
// is irreducible.
inline int field_product(int q, int a, int b) {
    const int modulus = q == 2 ? 0b10 : q == 4 ? 0b111 : q == 8 ? 0b1011 : 0b10011;
    int product = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1) product ^= a;
        a <<= 1;
        if (a & q) a ^= modulus;
    }
    return product;
}

// Point x * q + y is on the lines y = a * x + b, numbered a * q + b, and x = c, numbered q * q + c.
inline bool is_on_line(int q, int line, int point) {
    const int x = point / q, y = point % q;
    if (line >= q * q) return x == line - q * q;
    const int a = line / q, b = line % q;
    return y == (q % 2 == 0 ? field_product(q, a, x) ^ b : (a * x + b) % q);
}

}  // namespace unisono
