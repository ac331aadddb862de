// SPDX-License-Identifier: MIT
// What not every compiler has: integers of 128 bits (not MSVC, nor targets of 32 bits), the count of trailing zeros,
// vectors of numbers.
#pragma once

#include <cstdint>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace unisono {

// The number of zeros below the lowest one; `word` is not 0.
inline int trailing_zeros(std::uint64_t word) {
#if defined(_MSC_VER)
    unsigned long place;
    _BitScanForward64(&place, word);
    return static_cast<int>(place);
#else
    return __builtin_ctzll(word);
#endif
}

// Four numbers that are added and multiplied together, each by itself.
#if defined(__GNUC__)
using FourFloats = float __attribute__((vector_size(16)));
#if defined(__x86_64__) && !defined(UNISONO_NARROW)
// Functions that use these vectors are compiled for processors that have them, and called on no others. A test compiles
// without them (UNISONO_NARROW).
#define UNISONO_AVX2
using EightFloats = float __attribute__((vector_size(32)));
#endif
#define UNISONO_INLINE inline __attribute__((always_inline))
#else
#define UNISONO_INLINE inline
struct FourFloats {
    float lane[4];

    FourFloats &operator+=(const FourFloats &o) {
        for (int i = 0; i < 4; ++i) lane[i] += o.lane[i];
        return *this;
    }
};
inline FourFloats operator+(FourFloats a, const FourFloats &b) {
    return a += b;
}
inline FourFloats operator*(FourFloats a, const FourFloats &b) {
    for (int i = 0; i < 4; ++i) a.lane[i] *= b.lane[i];
    return a;
}
inline FourFloats operator*(float factor, const FourFloats &a) {
    return FourFloats{{factor, factor, factor, factor}} * a;
}
#endif

struct WordPair {
    std::uint64_t high, low;
};

#if defined(__SIZEOF_INT128__)

using Int128 = __int128;

inline WordPair product(std::uint64_t a, std::uint64_t b) {
    const unsigned __int128 both = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(both >> 64), static_cast<std::uint64_t>(both)};
}

#else

// A sum, difference or comparison; the two's complement of the whole is that of `high`.
class Int128 {
  public:
    Int128() = default;
    Int128(int value) : high_(value < 0 ? ~std::uint64_t(0) : 0), low_(static_cast<std::uint64_t>(value)) {}
    explicit Int128(std::uint64_t value) : low_(value) {}

    Int128 &operator+=(Int128 o) {
        low_ += o.low_;
        high_ += o.high_ + (low_ < o.low_);
        return *this;
    }
    Int128 &operator-=(Int128 o) {
        high_ -= o.high_ + (low_ < o.low_);
        low_ -= o.low_;
        return *this;
    }
    Int128 operator-() const { return Int128() -= *this; }
    Int128 operator<<(unsigned bits) const {
        Int128 shifted;
        if (bits >= 64) shifted.high_ = low_ << (bits - 64);
        else shifted.high_ = bits == 0 ? high_ : high_ << bits | low_ >> (64 - bits), shifted.low_ = low_ << bits;
        return shifted;
    }
    friend Int128 operator+(Int128 a, Int128 b) { return a += b; }
    friend Int128 operator-(Int128 a, Int128 b) { return a -= b; }
    friend bool operator==(Int128 a, Int128 b) { return a.high_ == b.high_ && a.low_ == b.low_; }
    friend bool operator<(Int128 a, Int128 b) {
        const auto high = static_cast<std::int64_t>(a.high_), other = static_cast<std::int64_t>(b.high_);
        return high != other ? high < other : a.low_ < b.low_;
    }
    friend bool operator>(Int128 a, Int128 b) { return b < a; }
    friend bool operator>=(Int128 a, Int128 b) { return !(a < b); }

  private:
    std::uint64_t high_ = 0, low_ = 0;
};

// By halves of 32 bits, as on paper.
inline WordPair product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t half = 0xFFFFFFFFu, low = (a & half) * (b & half);
    const std::uint64_t first = (a >> 32) * (b & half) + (low >> 32), second = (a & half) * (b >> 32) + (first & half);
    return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), second << 32 | (low & half)};
}

#endif

}  // namespace unisono
