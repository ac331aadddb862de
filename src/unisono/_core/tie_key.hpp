// SPDX-License-Identifier: MIT
// Which of several best alignments is taken: a number for each unitary alignment, made of its units' contents.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unisono {

// A number below 2^40 that depends on the contents of the column's units alone, not on annotators or duals. It is
// symmetric in the members, whose order may depend on the annotators' order.
inline std::uint64_t tie_key(const std::uint64_t *content, std::size_t count) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t x = content[i] * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        h += x ^ (x >> 27);
    }
    h = (h ^ (h >> 31)) * 0x94D049BB133111EBull;
    return (h ^ (h >> 29)) >> 24;
}

}  // namespace unisono
