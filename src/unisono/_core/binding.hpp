// SPDX-License-Identifier: MIT
// What the files that bind the core to Python share: arrays, limits, the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "dissimilarity.hpp"
#include "graph.hpp"
#include "watch.hpp"

namespace unisono {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Words = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T> nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T> values) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

inline std::vector<std::int64_t> to_vector(const Longs &values) {
    return {values.data(), values.data() + values.size()};
}
inline std::vector<std::int32_t> to_vector(const Ints &values) {
    return {values.data(), values.data() + values.size()};
}
inline std::vector<double> to_vector(const Doubles &values) {
    return {values.data(), values.data() + values.size()};
}

inline Units units_of(const Doubles &starts, const Doubles &ends, const Ints &categories, const Ints &contents) {
    if (starts.size() != ends.size() || starts.size() != categories.size() || starts.size() != contents.size())
        throw nb::value_error("starts, ends, categories and contents must have one length");
    return {starts.data(), ends.data(), categories.data(), contents.data()};
}

inline void check_annotators(const Ints &annotators, std::size_t units, Id n) {
    if (annotators.size() != units) throw nb::value_error("one annotator for each unit");
    if (n < 2) throw nb::value_error("at least two annotators");
    for (std::size_t i = 0; i < units; ++i)
        if (annotators.data()[i] < 0 || annotators.data()[i] >= n) throw nb::value_error("annotator out of range");
}

// Limits as Python gives them, 0 for none: elementary steps of each alignment, bytes per thread, seconds of the call,
// the relative gap that may be left open, and the bytes per thread beyond which MemoryError is raised.
using LimitsGiven = std::tuple<Wide, Wide, double, double, Wide>;

// Runs `work` without the GIL; Ctrl-C inside becomes KeyboardInterrupt here.
template <class Work> void interruptible(const LimitsGiven &given, Work work) {
    Limits limits;
    limits.effort = std::get<0>(given);
    limits.bytes = std::get<1>(given);
    limits.seconds = std::get<2>(given);
    limits.near_enough = std::get<3>(given);
    limits.guard = std::get<4>(given);
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

inline const char *name_of(Limit limit) {
    switch (limit) {
    case Limit::time: return "time";
    case Limit::memory: return "memory";
    case Limit::effort: return "effort";
    case Limit::near_enough: return "near-enough";
    default: return "";
    }
}

}  // namespace unisono
