// SPDX-License-Identifier: MIT
// Python bindings of the random corpora.
#include "binding.hpp"
#include "random_corpora.hpp"

using namespace unisono;

using Sums = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_random_corpora(nb::module_ &m) {
    m.def(
        "add_to_corpora",
        [](Sums high, Sums low, Doubles samples, Longs firsts, Doubles weights, Words keys, unsigned threads) {
            const std::size_t count = weights.size();
            if (high.size() != low.size()) throw nb::value_error("both parts of the sums must have one length");
            if (firsts.size() != count + 1 || keys.size() != 2 * count)
                throw nb::value_error("columns of documents must have one length");
            std::vector<WeightedSamples> documents;
            documents.reserve(count);
            for (std::size_t d = 0; d < count; ++d) {
                const std::int64_t from = firsts.data()[d], to = firsts.data()[d + 1];
                if (from < 0 || to <= from || to > static_cast<std::int64_t>(samples.size()))
                    throw nb::value_error("every document needs samples of its own");
                documents.push_back({samples.data() + from, static_cast<std::uint64_t>(to - from), weights.data()[d],
                                     keys.data()[2 * d], keys.data()[2 * d + 1]});
            }
            nb::gil_scoped_release release;
            add_to_corpora(documents, ExactSums{high.data(), low.data()}, high.size(), threads);
        },
        nb::arg("high"), nb::arg("low"), nb::arg("samples"), nb::arg("firsts"), nb::arg("weights"), nb::arg("keys"),
        nb::arg("threads"),
        "Add to the sum of each random corpus one sample of each document, times its weight; sums are exact.");
}
