// SPDX-License-Identifier: MIT
// Counts and sizes that hold where std::size_t has 32 bits (WebAssembly), too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace unisono {

// Steps, nodes, states, bytes: products and repeated doublings of numbers of units, which pass 2^32.
using Wide = std::uint64_t;

// The number of cells of a table that is about to be made. A product that no memory can hold throws std::bad_alloc; a
// product that wraps around would give a small table, and writes beyond its end.
inline std::size_t cells(Wide rows, Wide columns) {
    constexpr Wide most = ~std::size_t(0) / 16;
    if (columns > 0 && rows > most / columns) throw std::bad_alloc();
    return static_cast<std::size_t>(rows * columns);
}

}  // namespace unisono
