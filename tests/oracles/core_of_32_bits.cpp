// SPDX-License-Identifier: MIT
// Compiled twice by test_core_of_32_bits.py, with a std::size_t of 32 and of 64 bits: both must print the same.
#include <cstdio>
#include <cstring>
#include <vector>

#include "align.hpp"
#include "cover_solver.hpp"
#include "numbering.hpp"
#include "philox.hpp"
#include "sizes.hpp"
#include "ties.hpp"

using namespace unisono;

static void print(const char *name, double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::printf("%s %016llx\n", name, static_cast<unsigned long long>(bits));
}

// Counts that pass 2^32.
static void count() {
    Limits limits;
    limits.effort = 300'000'000'000'000;
    limits.bytes = Wide(5) << 30;
    Watch watch(limits, false);
    std::printf("kept %llu\n", static_cast<unsigned long long>(watch.most_kept(100)));
    const bool fits = !watch.too_big(Wide(4) << 30);
    std::printf("fits %d, too big %d\n", fits, watch.too_big(Wide(6) << 30));

    // Three units, each near the others. The listing may keep 2^30 columns for each unit, hence 2^32 at the first.
    Part part;
    part.graph.build(3, {{0, 1, 0.3}, {0, 2, 0.3}, {1, 2, 0.3}});
    part.annotator = {0, 1, 2};
    part.n_annotators = 3;
    Columns columns;
    Limits none;
    Watch unlimited(none, false);
    const bool is_complete = Listing().run(part, columns, std::size_t(1) << 30, unlimited);
    std::printf("listed %d %d\n", is_complete, columns.size());
}

// A table that no memory holds is refused, not made small.
static void refuse() {
    bool is_refused = false;
    try {
        cells(Wide(1) << 33, Wide(1) << 31);
    } catch (const std::bad_alloc &) {
        is_refused = true;
    }
    std::printf("refused %d\n", is_refused);
}

// Whole alignments of random continua: two annotators to many, sparse to crowded.
static void align(Id annotators, Id units_each, double length, std::uint64_t number) {
    Philox random(2015, number, {0, 0, 0, 0});
    const auto uniform = [&] { return random.uniform(); };
    std::vector<double> start, end;
    std::vector<std::int32_t> category, annotator;
    for (Id a = 0; a < annotators; ++a)
        for (Id i = 0; i < units_each; ++i) {
            start.push_back(std::floor(uniform() * units_each * 10));
            end.push_back(start.back() + 1 + std::floor(uniform() * length));
            category.push_back(static_cast<std::int32_t>(random.bounded(3)));
            annotator.push_back(a);
        }
    const Kernel kernel(Positional::sporadic, 1, Categorial::nominal, {}, false, 1, 1, 1);
    Limits limits;
    limits.effort = 30'000'000;
    Watch watch(limits, false);
    Aligner aligner;
    const Units units{start.data(), end.data(), category.data(), category.data()};
    aligner.run(units, annotator.data(), static_cast<Id>(start.size()), annotators, kernel, watch);
    print("total", aligner.total);
    print("bound", aligner.bound);
    for (const Id group : aligner.group) std::printf("%d ", group);
    std::printf("limit %d steps %llu\n", static_cast<int>(aligner.limit),
                static_cast<unsigned long long>(watch.steps()));
}

int main() {
    count();
    refuse();
    for (std::uint64_t number = 0; number < 3; ++number)
        for (const double length : {5.0, 40.0}) {
            align(2, 60, length, number);
            align(3, 40, length, number);
            align(5, 20, length, number);
            align(9, 8, length, number);
            align(22, 4, length, number);
        }
}
