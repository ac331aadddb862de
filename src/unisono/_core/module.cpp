// SPDX-License-Identifier: MIT
// The door between Python and the core: arrays in, arrays out, the GIL released while computing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "dissimilarity.hpp"

namespace nb = nanobind;
using namespace unisono;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

static Units units_of(const Doubles &starts, const Doubles &ends, const Ints &categories) {
    if (starts.size() != ends.size() || starts.size() != categories.size())
        throw nb::value_error("starts, ends and categories must have one length");
    return {starts.data(), ends.data(), categories.data()};
}

NB_MODULE(_core, m) {
    m.doc() = "The hot loops: arrays in, arrays out.";

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
                const Units units = units_of(starts, ends, categories);
                if (u.size() != v.size()) throw nb::value_error("u and v must have one length");
                std::vector<double> d(u.size());
                {
                    nb::gil_scoped_release release;
                    for (std::size_t i = 0; i < d.size(); ++i) d[i] = kernel(units, u.data()[i], v.data()[i]);
                }
                return to_numpy(std::move(d));
            },
            "The dissimilarities of pairs of units, given by their indices.");
}
