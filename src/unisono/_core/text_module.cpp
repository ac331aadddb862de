// SPDX-License-Identifier: MIT
// Python bindings of text-γ.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include "binding.hpp"
#include "text_align.hpp"

namespace nb = nanobind;
using namespace unisono;

static TextVersion version_of(const Ints &text, const Ints &starts, const Ints &ends, const Ints &types,
                              const Ints &labels, std::size_t n_features) {
    const std::size_t n = starts.size();
    if (ends.size() != n || types.size() != n || labels.size() != n * n_features)
        throw nb::value_error("starts, ends, types and labels must fit");
    TextVersion version;
    version.text.assign(text.data(), text.data() + text.size());
    version.start.assign(starts.data(), starts.data() + n);
    version.end.assign(ends.data(), ends.data() + n);
    version.type.assign(types.data(), types.data() + n);
    version.label.assign(labels.data(), labels.data() + labels.size());
    version.n_features = n_features;
    for (std::size_t u = 0; u < n; ++u) {
        const bool inside = 0 <= version.start[u] && version.start[u] <= version.end[u] &&
                            version.end[u] <= static_cast<Id>(text.size()) && version.type[u] >= 0;
        const bool sorted = u == 0 || std::tie(version.type[u - 1], version.start[u - 1], version.end[u - 1]) <=
                                          std::tie(version.type[u], version.start[u], version.end[u]);
        if (!inside || !sorted) throw nb::value_error("units inside the text, sorted by type, start, end");
    }
    return version;
}

static nb::tuple columns_of(const TextVersion &version) {
    return nb::make_tuple(to_numpy(version.text), to_numpy(version.start), to_numpy(version.end),
                          to_numpy(version.type), to_numpy(version.label));
}

static Observed observed_of(const Ints &values, const Words &until) {
    if (values.size() != until.size()) throw nb::value_error("a running sum for each value");
    return {{values.data(), values.data() + values.size()}, {until.data(), until.data() + until.size()}};
}

static std::vector<const TextVersion *> pointers(const nb::list &versions) {
    std::vector<const TextVersion *> found;
    for (nb::handle version : versions) found.push_back(nb::cast<const TextVersion *>(version));
    return found;
}

void bind_text(nb::module_ &m) {
    nb::class_<TextVersion>(m, "TextVersion", "A text with its units, sorted by (type, start, end).")
        .def("__init__",
             [](TextVersion *self, Ints text, Ints starts, Ints ends, Ints types, Ints labels, std::size_t n_features) {
                 new (self) TextVersion(version_of(text, starts, ends, types, labels, n_features));
             })
        .def("columns", &columns_of, "(text, starts, ends, types, labels).")
        .def(
            "with_gaps",
            [](const TextVersion &version, Id type) {
                TextVersion other = version;
                other.add_gaps(type);
                return other;
            },
            "The same with what no unit covers as units of this type.");

    nb::class_<TextKernel>(m, "TextKernel", "The dissimilarity of two units of a text.")
        .def("__init__",
             [](TextKernel *self, bool is_levenshtein, double delta_empty, nb::list features, Doubles weights) {
                 auto *kernel = new (self) TextKernel;
                 kernel->is_levenshtein = is_levenshtein;
                 kernel->delta_empty = delta_empty;
                 for (nb::handle feature : features) kernel->features.push_back(nb::cast<const Kernel &>(feature));
                 kernel->n_features = kernel->features.size();
                 kernel->weights.assign(weights.data(), weights.data() + weights.size());
             })
        .def(
            "between",
            [](const TextKernel &kernel, const TextVersion &a, Ints u, const TextVersion &b, Ints v) {
                if (u.size() != v.size()) throw nb::value_error("u and v must have one length");
                std::vector<double> d(u.size());
                for (std::size_t i = 0; i < d.size(); ++i) d[i] = kernel(a, u.data()[i], b, v.data()[i]);
                return to_numpy(std::move(d));
            },
            "The dissimilarities of units of two versions, given by their indices.");

    nb::class_<EditModel>(m, "EditModel", "The law of random versions.")
        .def(
            "__init__",
            [](EditModel *self, nb::list bases, Id n_types, bool has_gaps, bool is_exact, double p_text, double p_seg,
               double p_further, Doubles p_label, Ints characters, Words until, nb::list labels, Words key) {
                if (key.size() != 2) throw nb::value_error("a key of two words");
                auto *model = new (self) EditModel;
                model->bases = pointers(bases);
                model->n_types = n_types;
                model->has_gaps = has_gaps;
                model->is_exact = is_exact;
                model->p_text = p_text;
                model->p_seg = p_seg;
                model->p_further = p_further;
                model->p_label.assign(p_label.data(), p_label.data() + p_label.size());
                model->characters = observed_of(characters, until);
                for (nb::handle item : labels) {
                    const auto pair = nb::cast<nb::tuple>(item);
                    model->labels.push_back(observed_of(nb::cast<Ints>(pair[0]), nb::cast<Words>(pair[1])));
                }
                model->key0 = key.data()[0];
                model->key1 = key.data()[1];
            },
            nb::keep_alive<1, 2>());

    m.def(
        "text_pair",
        [](const TextVersion &a, const TextVersion &b, const TextKernel &kernel, Id gap_t, Id gap_b,
           const LimitsGiven &given) {
            TextPath path;
            Limit limit = Limit::none;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                if (!path.run(a, b, kernel, {gap_t, gap_b}, watch)) limit = watch.reached();
            });
            return nb::make_tuple(path.cost, to_numpy(std::move(path.opened_with)),
                                  to_numpy(std::move(path.closed_with)), name_of(limit));
        },
        "The optimal sequence alignment of least disorder: (cost, the unit of b whose opening boundary is aligned with "
        "that of each unit of a, the same for closing boundaries, limit reached).");

    m.def(
        "text_align",
        [](nb::list versions, const TextKernel &kernel, Id gap_t, Id gap_b, const LimitsGiven &given) {
            const auto all = pointers(versions);
            if (all.size() < 2) throw nb::value_error("at least two versions");
            TextAligner own;
            Limit limit = Limit::none;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                own.run(all, kernel, {gap_t, gap_b}, watch);
                limit = own.is_limited ? watch.reached() : own.aligner.limit;
            });
            return nb::make_tuple(own.is_limited, to_numpy(std::move(own.aligner.group)),
                                  to_numpy(std::move(own.aligner.disorders)), own.aligner.total, own.aligner.bound,
                                  name_of(limit));
        },
        "The best alignment: (whether there is none, group of each unit, disorder of each group, their sum, lower "
        "bound, limit reached).");

    m.def(
        "text_draw",
        [](const EditModel &model, std::uint64_t sample, std::uint64_t annotator) {
            return RandomEdits().draw(model, sample, annotator);
        },
        "One random version.");

    m.def(
        "text_disorders",
        [](const EditModel &model, const TextKernel &kernel, Id gap_t, Id gap_b, std::size_t n, std::uint64_t first,
           std::size_t count, unsigned threads, const LimitsGiven &given) {
            TextSamples samples;
            interruptible(given, [&](Limits &limits) {
                samples = text_disorders(model, kernel, {gap_t, gap_b}, n, first, count, threads, limits);
            });
            return nb::make_tuple(to_numpy(std::move(samples.disorder)), to_numpy(std::move(samples.bound)),
                                  samples.is_limited);
        },
        "Disorders of n random versions, samples first .. first + count - 1: (disorders, lower bounds, whether a limit "
        "was reached).");
}
