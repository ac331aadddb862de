// SPDX-License-Identifier: MIT
// Bootstrap resamples: sums of rows drawn with replacement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unisono {

// The sums of each resample, which has `drawn` rows of `table`: `picks` are their numbers, resample by resample. The
// rows are added in the order in which they were drawn, so that the sums are the same on every machine.
inline std::vector<double> resample_sums(const double *table, std::size_t width, const std::int64_t *picks,
                                         std::size_t resamples, std::size_t drawn) {
    std::vector<double> sums(resamples * width, 0.0);
    for (std::size_t r = 0; r < resamples; ++r) {
        double *sum = sums.data() + r * width;
        for (std::size_t i = 0; i < drawn; ++i) {
            const double *row = table + static_cast<std::size_t>(*picks++) * width;
            for (std::size_t k = 0; k < width; ++k) sum[k] += row[k];
        }
    }
    return sums;
}

}  // namespace unisono
