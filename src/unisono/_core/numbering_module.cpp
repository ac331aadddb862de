// SPDX-License-Identifier: MIT
// Python bindings of the numbering by content.
#include "binding.hpp"
#include "numbering.hpp"

using namespace unisono;

void bind_numbering(nb::module_ &m) {
    m.def(
        "number_by_content",
        [](Doubles starts, Doubles ends, Ints labels, Ints label_colours, Ints annotators, Ints annotator_colours,
           Longs firsts, Ints n_annotators, Doubles lengths, bool together) {
            const std::size_t count = n_annotators.size(), units = starts.size();
            if (firsts.size() != count + 1 || lengths.size() != count || firsts.data()[0] != 0 ||
                firsts.data()[count] != static_cast<std::int64_t>(units))
                throw nb::value_error("columns of documents must have one length and hold every unit");
            if (ends.size() != units || annotators.size() != units || label_colours.size() != labels.size() ||
                (units > 0 && (labels.size() == 0 || labels.size() % units != 0)))
                throw nb::value_error("columns of units must have one length");
            std::vector<Id> first_annotator(1, 0), document_of, annotator_of(units);
            for (std::size_t d = 0; d < count; ++d) {
                const Id n = n_annotators.data()[d];
                if (n < 0 || firsts.data()[d + 1] < firsts.data()[d]) throw nb::value_error("firsts must not decrease");
                for (auto u = firsts.data()[d]; u < firsts.data()[d + 1]; ++u) {
                    if (annotators.data()[u] < 0 || annotators.data()[u] >= n)
                        throw nb::value_error("annotator out of range");
                    annotator_of[u] = first_annotator.back() + annotators.data()[u];
                }
                document_of.resize(document_of.size() + n, static_cast<Id>(d));
                first_annotator.push_back(first_annotator.back() + n);
            }
            if (annotator_colours.size() != document_of.size()) throw nb::value_error("one colour for each annotator");
            const Marked marked{starts.data(), ends.data(),          annotator_of.data(),
                                labels.data(), label_colours.data(), units > 0 ? labels.size() / units : 1,
                                units,         document_of.data(),   annotator_colours.data(),
                                lengths.data()};
            std::vector<std::int64_t> order, documents;
            std::vector<Id> numbers, contents, label_numbers(labels.size());
            {
                nb::gil_scoped_release release;
                ContentNumbering numbering;
                const auto number = [&](std::size_t from, std::size_t to) {
                    const auto first = static_cast<std::size_t>(firsts.data()[from]);
                    numbering.run(marked, first, static_cast<std::size_t>(firsts.data()[to]), first_annotator[from],
                                  first_annotator[to], from, to);
                    for (const Id u : numbering.unit) order.push_back(static_cast<std::int64_t>(first) + u);
                    for (const Id d : numbering.document) documents.push_back(static_cast<std::int64_t>(from) + d);
                    numbers.insert(numbers.end(), numbering.annotator.begin(), numbering.annotator.end());
                    const std::size_t size = numbering.unit.size();
                    for (std::size_t f = 0; f < marked.n_features; ++f)
                        std::copy_n(numbering.label.begin() + f * size, size,
                                    label_numbers.begin() + f * units + first);
                    contents.insert(contents.end(), numbering.content.begin(), numbering.content.end());
                };
                if (together) number(0, count);
                else
                    for (std::size_t d = 0; d < count; ++d) number(d, d + 1);
            }
            return nb::make_tuple(to_numpy(std::move(order)), to_numpy(std::move(documents)),
                                  to_numpy(std::move(numbers)), to_numpy(std::move(label_numbers)),
                                  to_numpy(std::move(contents)));
        },
        nb::arg("starts"), nb::arg("ends"), nb::arg("labels"), nb::arg("label_colours"), nb::arg("annotators"),
        nb::arg("annotator_colours"), nb::arg("firsts"), nb::arg("n_annotators"), nb::arg("lengths"),
        nb::arg("together"),
        "Numbers by content, of each document alone or of all together: (units in their order, documents in theirs, "
        "number of each annotator, number of each unit's label feature by feature, number of its combination of "
        "labels).");
}
