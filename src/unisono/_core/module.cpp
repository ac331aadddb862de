// SPDX-License-Identifier: MIT
// The door between Python and the core: arrays in, arrays out, the GIL released while computing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "align.hpp"
#include "dissimilarity.hpp"
#include "philox.hpp"
#include "sampling.hpp"
#include "shift.hpp"

namespace nb = nanobind;
using namespace unisono;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T> nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T> values) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

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

static Units units_of(const Doubles &starts, const Doubles &ends, const Ints &categories, const Ints &contents) {
    if (starts.size() != ends.size() || starts.size() != categories.size() || starts.size() != contents.size())
        throw nb::value_error("starts, ends, categories and contents must have one length");
    return {starts.data(), ends.data(), categories.data(), contents.data()};
}

// Runs `work` without the GIL; Ctrl-C inside becomes KeyboardInterrupt here.
template <class Work> static void interruptible(double seconds, std::size_t bytes, Work work) {
    Limits limits;
    limits.seconds = seconds;
    limits.bytes = bytes;
    limits.signalled = [] {
        nb::gil_scoped_acquire acquire;
        return PyErr_CheckSignals() != 0;
    };
    bool interrupted = false;
    {
        nb::gil_scoped_release release;
        try {
            work(limits);
        } catch (const Interrupted &) {
            interrupted = true;
        }
    }
    if (interrupted) throw nb::python_error();
}

static const char *name_of(Limit limit) {
    return limit == Limit::none ? "" : limit == Limit::time ? "time" : "memory";
}

static nb::tuple outcome(Aligner &aligner) {
    return nb::make_tuple(to_numpy(std::move(aligner.group)), to_numpy(std::move(aligner.disorders)), aligner.total,
                          aligner.bound, to_numpy(std::move(aligner.dual)), name_of(aligner.limit));
}

static void check_annotators(const Ints &annotators, std::size_t units, Id n) {
    if (annotators.size() != units) throw nb::value_error("one annotator for each unit");
    if (n < 2) throw nb::value_error("at least two annotators");
    for (std::size_t i = 0; i < units; ++i)
        if (annotators.data()[i] < 0 || annotators.data()[i] >= n) throw nb::value_error("annotator out of range");
}

static ShiftModel shift_model(const Doubles &starts, const Doubles &ends, const Ints &categories, const Ints &contents,
                              const Ints &annotators, Id n, double origin, double length, bool integers,
                              double distance, const Words &key) {
    if (key.size() != 2) throw nb::value_error("a key of two words");
    if (starts.size() == 0) throw nb::value_error("at least one unit");
    check_annotators(annotators, starts.size(), n);
    return {units_of(starts, ends, categories, contents),
            annotators.data(),
            static_cast<Id>(starts.size()),
            n,
            origin,
            length,
            integers,
            distance,
            key.data()[0],
            key.data()[1]};
}

void bind_ties(nb::module_ &m);

NB_MODULE(_core, m) {
    m.doc() = "The hot loops: arrays in, arrays out.";
    bind_ties(m);

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
           double seconds, std::size_t bytes) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            // Buffers are kept from call to call, but not those of a large continuum.
            static thread_local Aligner kept;
            Aligner own;
            Aligner &aligner = starts.size() <= 5000 ? kept : own;
            interruptible(seconds, bytes, [&](Limits &limits) {
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
           Ints u, Ints v, Doubles d, double seconds, std::size_t bytes) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            if (u.size() != v.size() || u.size() != d.size()) throw nb::value_error("u, v and d must have one length");
            Aligner aligner;
            interruptible(seconds, bytes, [&](Limits &limits) {
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

    m.def(
        "shift_draw",
        [](Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n, double origin,
           double length, bool integers, double distance, Words key, std::uint64_t sample) {
            ShiftSample drawn;
            drawn.draw(
                shift_model(starts, ends, categories, contents, annotators, n, origin, length, integers, distance, key),
                sample);
            return nb::make_tuple(to_numpy(std::move(drawn.start)), to_numpy(std::move(drawn.end)),
                                  to_numpy(std::move(drawn.annotator)), to_numpy(std::move(drawn.source)),
                                  drawn.redraws);
        },
        "One random continuum: (starts, ends, annotators, index of the real unit behind each, redraws).");

    m.def(
        "shift_disorders",
        [](const Kernel &kernel, Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n,
           double origin, double length, bool integers, double distance, Words key, std::uint64_t first,
           std::size_t count, unsigned threads, double seconds, std::size_t bytes) {
            const ShiftModel model =
                shift_model(starts, ends, categories, contents, annotators, n, origin, length, integers, distance, key);
            Samples samples;
            interruptible(seconds, bytes, [&](Limits &limits) {
                samples = shift_disorders(model, kernel, first, count, threads, limits);
            });
            return nb::make_tuple(to_numpy(std::move(samples.disorder)), to_numpy(std::move(samples.bound)),
                                  to_numpy(std::move(samples.redraws)));
        },
        "Disorders of random continua first .. first + count - 1: (disorders, lower bounds, redraws).");
}
