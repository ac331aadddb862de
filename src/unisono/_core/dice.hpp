// SPDX-License-Identifier: MIT
// Pseudo-random choices of a search. Random continua have a generator of their own (philox.hpp).
#pragma once

#include <cstdint>

namespace unisono {

// A pseudo-random sequence, the same on every machine: xorshift64*.
class Dice {
  public:
    void restart() { state_ = 0x9E3779B97F4A7C15ull; }

    // A number below `end`.
    std::uint64_t draw(std::uint64_t end) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return ((state_ * 0x2545F4914F6CDD1Dull) >> 32) % end;
    }

  private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15ull;
};

}  // namespace unisono
