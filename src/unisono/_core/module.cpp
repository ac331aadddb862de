// SPDX-License-Identifier: MIT
// Python bindings of the core: arrays in, arrays out; the GIL is released while computing.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "affine_plane.hpp"
#include "align.hpp"
#include "binding.hpp"
#include "category_disorder.hpp"
#include "dissimilarity.hpp"
#include "mosaic.hpp"
#include "philox.hpp"
#include "positions_kept.hpp"
#include "resampling.hpp"
#include "sampling.hpp"
#include "shift.hpp"
#include "statistical.hpp"

using namespace unisono;

static Positional positional_kind(const std::string &name) {
    if (name == "sporadic") return Positional::sporadic;
    if (name == "absolute") return Positional::absolute;
    if (name == "boundary") return Positional::boundary;
    throw nb::value_error("positional: sporadic, absolute or boundary");
}

static Categorial categorial_kind(const std::string &name) {
    if (name == "nominal") return Categorial::nominal;
    if (name == "values") return Categorial::values;
    if (name == "matrix") return Categorial::matrix;
    throw nb::value_error("categorial: nominal, values or matrix");
}

static nb::tuple outcome(Aligner &aligner) {
    return nb::make_tuple(to_numpy(std::move(aligner.group)), to_numpy(std::move(aligner.disorders)), aligner.total,
                          aligner.bound, to_numpy(std::move(aligner.dual)), name_of(aligner.limit));
}

static Keys keys_of(const Words &words, std::size_t cases) {
    if (words.size() != 2 * cases) throw nb::value_error("a key of two words for each case");
    return {std::vector<std::uint64_t>(words.data(), words.data() + words.size())};
}

static PairRule pair_rule(const std::string &name) {
    if (name == "once") return PairRule::once;
    if (name == "twice") return PairRule::twice;
    if (name == "pygamma") return PairRule::pygamma;
    throw nb::value_error("pairs: once, twice or pygamma");
}

static void check_two_annotators(const Documents &documents) {
    for (std::size_t d = 0; d < documents.size(); ++d)
        if (documents.n_annotators[d] < 2) throw nb::value_error("at least two annotators");
}

// The first alignments that are known, one for each document; none at all where the columns are empty.
static std::vector<Start> starts_of(const Documents &documents, const Ints &groups, const Doubles &duals) {
    if (groups.size() != duals.size()) throw nb::value_error("columns of units must have one length");
    if (groups.size() == 0) return {};
    if (groups.size() != documents.start.size()) throw nb::value_error("a first alignment must hold every unit");
    std::vector<Start> starts(documents.size());
    for (std::size_t d = 0; d < documents.size(); ++d) {
        const Id m = documents.n_units(d);
        if (m == 0 || groups.data()[documents.first[d]] < 0) continue;
        for (auto u = documents.first[d]; u < documents.first[d + 1]; ++u) {
            const Id group = groups.data()[u];
            if (group < 0 || group >= m) throw nb::value_error("group out of range");
            starts[d].label.push_back(group);
            starts[d].dual.push_back(duals.data()[u]);
        }
    }
    return starts;
}

void bind_numbering(nb::module_ &m);
void bind_control_variates(nb::module_ &m);
void bind_ties(nb::module_ &m);
void bind_text(nb::module_ &m);
void bind_delimited(nb::module_ &m);
void bind_random_corpora(nb::module_ &m);

NB_MODULE(_core, m) {
    m.doc() = "The hot loops: arrays in, arrays out.";
    bind_numbering(m);
    bind_ties(m);
    bind_text(m);
    bind_delimited(m);
    bind_random_corpora(m);

    nb::class_<Kernel>(m, "Kernel", "A combined dissimilarity with its parameters and category table.")
        .def(
            "__init__",
            [](Kernel *self, const std::string &positional, double scale, const std::string &categorial, Doubles table,
               bool steep, double alpha, double beta, double delta_empty) {
                new (self) Kernel(positional_kind(positional), scale, categorial_kind(categorial),
                                  std::vector<double>(table.data(), table.data() + table.size()), steep, alpha, beta,
                                  delta_empty);
            },
            nb::kw_only(), nb::arg("positional"), nb::arg("scale"), nb::arg("categorial"), nb::arg("table"),
            nb::arg("steep"), nb::arg("alpha"), nb::arg("beta"), nb::arg("delta_empty"))
        .def(
            "between",
            [](const Kernel &kernel, Doubles starts, Doubles ends, Ints categories, Ints u, Ints v) {
                const Units units = units_of(starts, ends, categories, categories);
                if (u.size() != v.size()) throw nb::value_error("u and v must have one length");
                std::vector<double> d(u.size());
                {
                    nb::gil_scoped_release release;
                    for (std::size_t i = 0; i < d.size(); ++i) d[i] = kernel(units, u.data()[i], v.data()[i]);
                }
                return to_numpy(std::move(d));
            },
            "The dissimilarities of pairs of units, given by their indices.");

    m.def(
        "align",
        [](const Kernel &kernel, Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n,
           const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            // Buffers are kept from call to call, but not those of a large continuum.
            static thread_local Aligner kept;
            Aligner own;
            Aligner &aligner = starts.size() <= 5000 ? kept : own;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                aligner.run(units, annotators.data(), static_cast<Id>(starts.size()), n, kernel, watch);
            });
            return outcome(aligner);
        },
        "The best alignment: (group of each unit, disorder of each group, their sum, lower bound, duals, limit "
        "reached).");

    m.def(
        "align_pairs",
        [](Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n, double delta_empty,
           Ints u, Ints v, Doubles d, const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            if (u.size() != v.size() || u.size() != d.size()) throw nb::value_error("u, v and d must have one length");
            Aligner aligner;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                aligner.run(units, annotators.data(), static_cast<Id>(starts.size()), n, delta_empty,
                            std::vector<Id>(u.data(), u.data() + u.size()),
                            std::vector<Id>(v.data(), v.data() + v.size()),
                            std::vector<double>(d.data(), d.data() + d.size()), watch);
            });
            return outcome(aligner);
        },
        "The same for dissimilarities computed elsewhere: those of all pairs that may be aligned.");

    m.def(
        "philox",
        [](Words key, Words counter, std::size_t count) {
            if (key.size() != 2 || counter.size() != 4) throw nb::value_error("a key of 2 words, a counter of 4");
            Philox random(key.data()[0], key.data()[1],
                          {counter.data()[0], counter.data()[1], counter.data()[2], counter.data()[3]});
            std::vector<std::uint64_t> words(count);
            for (auto &word : words) word = random.word();
            return to_numpy(std::move(words));
        },
        "The generator's words.");

    nb::class_<Documents>(m, "Documents", "The units of many continua, as columns.")
        .def(
            "__init__",
            [](Documents *self, Doubles starts, Doubles ends, Ints categories, Ints contents, Ints labels,
               Ints annotators, Longs firsts, Ints n_annotators, Ints n_labels) {
                units_of(starts, ends, categories, contents);
                if (labels.size() != starts.size() || annotators.size() != starts.size())
                    throw nb::value_error("columns of units must have one length");
                if (firsts.size() != n_annotators.size() + 1 || n_labels.size() != n_annotators.size())
                    throw nb::value_error("columns of documents must have one length");
                new (self) Documents{to_vector(starts),   to_vector(ends),         to_vector(categories),
                                     to_vector(contents), to_vector(labels),       to_vector(annotators),
                                     to_vector(firsts),   to_vector(n_annotators), to_vector(n_labels)};
                if (self->first.front() != 0 || self->first.back() != static_cast<std::int64_t>(starts.size()))
                    throw nb::value_error("the documents must hold every unit");
                for (std::size_t d = 0; d < self->size(); ++d) {
                    if (self->first[d + 1] < self->first[d]) throw nb::value_error("firsts must not decrease");
                    for (auto u = self->first[d]; u < self->first[d + 1]; ++u) {
                        if (self->annotator[u] < 0 || self->annotator[u] >= self->n_annotators[d])
                            throw nb::value_error("annotator out of range");
                        if (u > self->first[d] && self->annotator[u] < self->annotator[u - 1])
                            throw nb::value_error("units must be sorted by annotator");
                        if (self->label[u] < 0 || self->label[u] >= self->n_labels[d])
                            throw nb::value_error("label out of range");
                    }
                }
            },
            nb::arg("starts"), nb::arg("ends"), nb::arg("categories"), nb::arg("contents"), nb::arg("labels"),
            nb::arg("annotators"), nb::arg("firsts"), nb::arg("n_annotators"), nb::arg("n_labels"));

    m.def(
        "align_documents",
        [](const Kernel &kernel, const Documents &documents, const Kernel *categories, const std::string &pairs,
           bool ties_matter, unsigned threads, const LimitsGiven &given, Ints start_groups, Doubles start_duals) {
            check_two_annotators(documents);
            const std::vector<Start> starts = starts_of(documents, start_groups, start_duals);
            Alignments all;
            interruptible(given, [&](Limits &limits) {
                all = align_documents(documents, kernel, CategoryRule{categories, pair_rule(pairs)}, ties_matter,
                                      threads, limits, starts);
            });
            nb::dict found;
            found["groups"] = to_numpy(std::move(all.group));
            found["duals"] = to_numpy(std::move(all.dual));
            found["disorders"] = to_numpy(std::move(all.disorder));
            found["firsts"] = to_numpy(std::move(all.first));
            found["totals"] = to_numpy(std::move(all.total));
            found["bounds"] = to_numpy(std::move(all.bound));
            found["limits"] = to_numpy(std::move(all.limit));
            found["pairs"] = to_numpy(std::move(all.pairs));
            found["apart"] = to_numpy(std::move(all.apart));
            found["weights"] = to_numpy(std::move(all.weight));
            found["categories"] = to_numpy(std::move(all.category));
            found["label_weights"] = to_numpy(std::move(all.weight_of));
            found["label_categories"] = to_numpy(std::move(all.category_of));
            return found;
        },
        nb::arg("kernel"), nb::arg("documents"), nb::arg("categories").none(), nb::arg("pairs"), nb::arg("ties_matter"),
        nb::arg("threads"), nb::arg("limits"), nb::arg("start_groups"), nb::arg("start_duals"),
        "The best alignment of each document, and the disorder of its categories where a kernel for them is given. A "
        "first alignment may be known: the group of each unit, -1 for all units of a document without one, and its "
        "dual; both columns are empty where none is.");

    m.def(
        "category_disorder",
        [](Ints real, Doubles d_pos, Doubles d_cat, Ints label_u, Ints label_v, Id n_labels, const std::string &pairs) {
            CategoryDisorder found;
            found.start(n_labels, pair_rule(pairs));
            for (std::size_t i = 0; i < real.size(); ++i)
                found.add(real.data()[i], d_pos.data()[i], d_cat.data()[i], label_u.data()[i], label_v.data()[i]);
            return nb::make_tuple(found.weight, found.disorder, to_numpy(std::move(found.weight_of)),
                                  to_numpy(std::move(found.disorder_of)));
        },
        "The disorder of the categories of aligned pairs computed elsewhere: (weight, disorder, both of each label).");

    m.def(
        "resample_sums",
        [](Doubles table, std::size_t width, Longs picks, std::size_t drawn) {
            if (width == 0 || drawn == 0 || table.size() % width != 0 || picks.size() % drawn != 0)
                throw nb::value_error("whole rows and whole resamples");
            const auto rows = static_cast<std::int64_t>(table.size() / width);
            for (std::size_t i = 0; i < picks.size(); ++i)
                if (picks.data()[i] < 0 || picks.data()[i] >= rows) throw nb::value_error("row out of range");
            std::vector<double> sums;
            {
                nb::gil_scoped_release release;
                sums = resample_sums(table.data(), width, picks.data(), picks.size() / drawn, drawn);
            }
            return to_numpy(std::move(sums));
        },
        "The summed rows of each resample: `picks` are the numbers of the `drawn` rows of each, one after the other.");

    m.def(
        "plane_points",
        [](int q) {
            if (std::find(std::begin(plane_orders), std::end(plane_orders), q) == std::end(plane_orders))
                throw nb::value_error("no plane of that order");
            std::vector<std::int64_t> points;
            for (int line = 0; line < q * (q + 1); ++line)
                for (int point = 0; point < q * q; ++point)
                    if (is_on_line(q, line, point)) points.push_back(point);
            return to_numpy(std::move(points));
        },
        "The points on each line of the affine plane of order q, one line after the other.");

    nb::class_<ChanceModel>(m, "ChanceModel", "A law of random continua for each of a number of cases.")
        .def(
            "draw",
            [](const ChanceModel &model, std::size_t model_case, std::uint64_t sample) {
                if (model_case >= model.cases()) throw nb::value_error("no such case");
                RandomContinuum drawn;
                model.draw(model_case, sample, drawn);
                return nb::make_tuple(to_numpy(std::move(drawn.start)), to_numpy(std::move(drawn.end)),
                                      to_numpy(std::move(drawn.category)), to_numpy(std::move(drawn.annotator)),
                                      to_numpy(std::move(drawn.source)), drawn.redraws);
            },
            "One random continuum: (starts, ends, categories, annotators, real unit behind each or -1, redraws).")
        .def(
            "sample",
            [](const ChanceModel &model, const Kernel &kernel, Longs cases, Longs firsts, Longs counts,
               const Kernel *categories, const std::string &pairs, unsigned threads, const LimitsGiven &given) {
                if (cases.size() != firsts.size() || cases.size() != counts.size())
                    throw nb::value_error("cases, firsts and counts must have one length");
                std::vector<Request> requests(cases.size());
                for (std::size_t i = 0; i < requests.size(); ++i) {
                    requests[i] = {static_cast<std::size_t>(cases.data()[i]),
                                   static_cast<std::uint64_t>(firsts.data()[i]),
                                   static_cast<std::size_t>(counts.data()[i])};
                    if (requests[i].model_case >= model.cases()) throw nb::value_error("no such case");
                }
                Samples samples;
                interruptible(given, [&](Limits &limits) {
                    samples =
                        sample(model, requests, kernel, CategoryRule{categories, pair_rule(pairs)}, threads, limits);
                });
                return nb::make_tuple(to_numpy(std::move(samples.disorder)), to_numpy(std::move(samples.bound)),
                                      to_numpy(std::move(samples.redraws)), to_numpy(std::move(samples.category)),
                                      to_numpy(std::move(samples.category_of)));
            },
            nb::arg("kernel"), nb::arg("cases"), nb::arg("firsts"), nb::arg("counts"), nb::arg("categories").none(),
            nb::arg("pairs"), nb::arg("threads"), nb::arg("limits"),
            "Random continua drawn and aligned: (disorders, lower bounds, redraws, disorders of the categories, and "
            "those of each label), sample by sample in the order of the requests.");

    nb::class_<ShiftModel, ChanceModel>(m, "ShiftModel", "Real annotators shifted round the continuum.")
        .def(
            "__init__",
            [](ShiftModel *self, const Documents &documents, Doubles origins, Doubles lengths, Ints integers,
               Doubles distances, Words keys, const std::optional<Ints> &rows) {
                check_two_annotators(documents);
                const std::size_t count = documents.size();
                if (origins.size() != count || lengths.size() != count || integers.size() != count ||
                    distances.size() != count)
                    throw nb::value_error("one range for each document");
                std::vector<ShiftRange> ranges(count);
                for (std::size_t d = 0; d < count; ++d)
                    ranges[d] = {origins.data()[d], lengths.data()[d], integers.data()[d] != 0, distances.data()[d]};
                if (rows && rows->size() != count) throw nb::value_error("one number of rows for each document");
                for (std::size_t d = 0; rows && d < count; ++d)
                    if (rows->data()[d] < 2) throw nb::value_error("at least two rows");
                new (self) ShiftModel(documents, std::move(ranges), keys_of(keys, count),
                                      rows ? to_vector(*rows) : std::vector<Id>());
            },
            nb::arg("documents"), nb::arg("origins"), nb::arg("lengths"), nb::arg("integers"), nb::arg("distances"),
            nb::arg("keys"), nb::arg("rows") = nb::none(), nb::keep_alive<1, 2>())
        .def(
            "sources",
            [](const ShiftModel &model, std::size_t model_case, std::uint64_t first, std::size_t count) {
                if (model_case >= model.cases()) throw nb::value_error("no such case");
                std::vector<std::int32_t> all;
                std::vector<Id> chosen;
                for (std::size_t i = 0; i < count; ++i) {
                    model.sources(model_case, first + i, chosen);
                    all.insert(all.end(), chosen.begin(), chosen.end());
                }
                return to_numpy(std::move(all));
            },
            "The annotators that samples first .. first + count - 1 are made of, by number, sample by sample.");

    nb::class_<StatisticalModel, ChanceModel>(m, "StatisticalModel", "Units of normal gaps and lengths.")
        .def(
            "__init__",
            [](StatisticalModel *self, const Documents &documents, Doubles counts, Doubles gaps, Doubles lengths,
               Words keys) {
                check_two_annotators(documents);
                const std::size_t count = documents.size();
                if (counts.size() != 2 * count || gaps.size() != 2 * count || lengths.size() != 2 * count)
                    throw nb::value_error("a mean and a standard deviation for each document");
                std::vector<StatisticalLaw> laws(count);
                for (std::size_t d = 0; d < count; ++d) {
                    if (documents.n_units(d) == 0) throw nb::value_error("documents with units");
                    laws[d] = {{counts.data()[2 * d], counts.data()[2 * d + 1]},
                               {gaps.data()[2 * d], gaps.data()[2 * d + 1]},
                               {lengths.data()[2 * d], lengths.data()[2 * d + 1]}};
                }
                new (self) StatisticalModel(documents, std::move(laws), keys_of(keys, count));
            },
            nb::keep_alive<1, 2>());

    nb::class_<PositionsKeptModel, ChanceModel>(m, "PositionsKeptModel", "Labels shuffled over the units.")
        .def(
            "__init__",
            [](PositionsKeptModel *self, const Documents &documents, Words keys) {
                check_two_annotators(documents);
                new (self) PositionsKeptModel(documents, keys_of(keys, documents.size()));
            },
            nb::keep_alive<1, 2>());

    nb::class_<MosaicModel, ChanceModel>(m, "MosaicModel", "Annotators of different continua put together.")
        .def(
            "__init__",
            [](MosaicModel *self, const Documents &documents, Doubles origins, Doubles lengths, Ints labels, Ints cases,
               Words keys) {
                if (origins.size() != documents.size() || lengths.size() != documents.size())
                    throw nb::value_error("one extent for each document");
                if (labels.size() != documents.start.size()) throw nb::value_error("one label for each unit");
                if (documents.start.empty()) throw nb::value_error("at least one unit");
                for (std::size_t d = 0; d < documents.size(); ++d)
                    if (!(lengths.data()[d] > 0)) throw nb::value_error("extents longer than 0");
                for (std::size_t c = 0; c < cases.size(); ++c)
                    if (cases.data()[c] < 2 || static_cast<std::size_t>(cases.data()[c]) > documents.size())
                        throw nb::value_error("as many documents as annotators");
                new (self) MosaicModel(documents, to_vector(origins), to_vector(lengths), to_vector(labels),
                                       to_vector(cases), keys_of(keys, cases.size()));
            },
            nb::keep_alive<1, 2>());
    bind_control_variates(m);
}
