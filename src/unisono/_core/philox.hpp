// SPDX-License-Identifier: MIT
// Philox4x64-10 (Salmon et al. 2011), the counter-based generator: the same words as numpy.random.Philox.
#pragma once

#include <array>
#include <cstdint>

#include "portable.hpp"

namespace unisono {

class Philox {
  public:
    Philox(std::uint64_t key0, std::uint64_t key1, std::array<std::uint64_t, 4> counter)
        : key_{key0, key1}, counter_(counter) {}

    std::uint64_t word() {
        if (used_ == 4) {
            for (auto &c : counter_)
                if (++c != 0) break;
            block();
            used_ = 0;
        }
        return words_[used_++];
    }

    // In [0, 1), 53 bits.
    double uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

    // Uniform in 0..n-1, without bias (Lemire 2019).
    std::uint64_t bounded(std::uint64_t n) {
        const std::uint64_t reject = (0 - n) % n;
        while (true) {
            const WordPair drawn = product(word(), n);
            if (drawn.low >= reject) return drawn.high;
        }
    }

  private:
    void block() {
        std::uint64_t k0 = key_[0], k1 = key_[1];
        std::array<std::uint64_t, 4> c = counter_;
        for (int round = 0; round < 10; ++round) {
            const WordPair a = product(0xD2E7470EE14C6C93ull, c[0]), b = product(0xCA5A826395121157ull, c[2]);
            c = {b.high ^ c[1] ^ k0, b.low, a.high ^ c[3] ^ k1, a.low};
            k0 += 0x9E3779B97F4A7C15ull;
            k1 += 0xBB67AE8584CAA73Bull;
        }
        words_ = c;
    }

    std::uint64_t key_[2];
    std::array<std::uint64_t, 4> counter_, words_{};
    int used_ = 4;
};

}  // namespace unisono
