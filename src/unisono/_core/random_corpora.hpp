// SPDX-License-Identifier: MIT
// Disorders of random corpora: sums over documents, each of which adds one of its samples to every corpus.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#include "philox.hpp"
#include "sizes.hpp"

namespace unisono {

// The sum of each corpus in two parts, multiples of 2^-20 and the rest in multiples of 2^-50. Sums of such multiples
// are exact up to 2^33 and 2^3, so that the order of the documents, and how they come in blocks, changes no bit.
struct ExactSums {
    double *high, *low;

    void add(std::size_t corpus, double value) {
        constexpr double coarse = 0x1.8p32, fine = 0x1.8p2;  // adding them rounds to these multiples
        const double rounded = (value + coarse) - coarse;
        high[corpus] += rounded;
        low[corpus] += ((value - rounded) + fine) - fine;
    }
};

// The samples of one document, its weight, and the key of its draws.
struct WeightedSamples {
    const double *samples;
    std::uint64_t count;
    double weight;
    std::uint64_t key0, key1;
};

// Adds one sample of each document to each of the corpora first..last-1; first is a multiple of 8.
inline void add_to_corpora(const std::vector<WeightedSamples> &documents, ExactSums sums, std::size_t first,
                           std::size_t last) {
    for (const WeightedSamples &document : documents) {
        Philox random(document.key0, document.key1, {first / 8, 0, 0, 0});  // a block of 4 words is 8 draws
        const auto add = [&](std::size_t corpus, std::uint64_t half) {
            sums.add(corpus, document.weight * document.samples[(half * document.count) >> 32]);
        };
        for (std::size_t corpus = first; corpus < last; corpus += 2) {
            const std::uint64_t word = random.word();
            add(corpus, word & 0xFFFFFFFFu);
            if (corpus + 1 < last) add(corpus + 1, word >> 32);
        }
    }
}

// The same for all corpora, shared out among threads.
inline void add_to_corpora(const std::vector<WeightedSamples> &documents, ExactSums sums, std::size_t corpora,
                           unsigned threads) {
    threads = std::max(1u, Wide{documents.size()} * corpora < 1'000'000 ? 1u : threads);
    const std::size_t each = (corpora / threads + 8) / 8 * 8;
    const auto add = [&](std::size_t first) {
        add_to_corpora(documents, sums, first, std::min(corpora, first + each));
    };
    std::vector<std::thread> helpers;
    std::size_t first = each;
    try {
        for (; first < corpora; first += each) helpers.emplace_back(add, first);
    } catch (const std::system_error &) {
        // The system grants no more threads: what is left is added here, and the numbers are the same.
    }
    for (; first < corpora; first += each) add(first);
    add(0);
    for (std::thread &helper : helpers) helper.join();
}

}  // namespace unisono
