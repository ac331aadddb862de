// SPDX-License-Identifier: MIT
// Python bindings of the control variates.
#include <nanobind/stl/vector.h>

#include "binding.hpp"
#include "control_variates.hpp"

using namespace unisono;

void bind_control_variates(nb::module_ &m) {
    nb::class_<ControlVariates>(
        m, "ControlVariates",
        "How often each annotator is a source in samples first .. first + n - 1 of a document, or "
        "in samples with the given sources, to be taken into account when values of the "
        "samples are averaged.")
        .def(
            "__init__",
            [](ControlVariates *self, const ShiftModel &model, std::size_t model_case, std::size_t samples,
               std::uint64_t first) {
                if (model_case >= model.cases()) throw nb::value_error("no such case");
                new (self) ControlVariates(model, model_case, samples, first);
            },
            nb::arg("model"), nb::arg("model_case"), nb::arg("samples"), nb::arg("first") = 0)
        .def(
            "__init__",
            [](ControlVariates *self, const ShiftModel &model, std::size_t model_case, Ints sources) {
                if (model_case >= model.cases()) throw nb::value_error("no such case");
                const auto n = static_cast<std::size_t>(model.rows(model_case));
                const auto n_annotators = static_cast<Id>(model.kinds(model_case).kind.size());
                for (std::size_t i = 0; i < sources.size(); ++i)
                    if (sources.data()[i] < 0 || sources.data()[i] >= n_annotators)
                        throw nb::value_error("no such annotator");
                if (sources.size() % n != 0) throw nb::value_error("one source for each random annotator");
                new (self) ControlVariates(model, model_case, sources.data(), sources.size() / n);
            },
            nb::arg("model"), nb::arg("model_case"), nb::arg("sources"))
        .def_prop_ro(
            "samples_for_steps",
            [](const ControlVariates &self) {
                std::vector<std::size_t> samples;
                for (const Step &step : self.steps())
                    samples.push_back(step.coefficients * ControlVariates::samples_each);
                return samples;
            },
            "For each step, which has more variates than the one before, the number of samples that it needs.")
        .def(
            "means",
            [](const ControlVariates &self, Doubles values) {
                if (values.size() != self.counts().group.size()) throw nb::value_error("one value for each sample");
                nb::list found;
                for (const ByStep &by : self.means(values.data()))
                    found.append(nb::make_tuple(by.step, by.coefficients, by.mean, by.variance));
                return found;
            },
            nb::arg("values"),
            "The mean of the values (NaN: undefined) by each step that can be used: (step, coefficients, mean, "
            "variance of the mean).")
        .def(
            "weights",
            [](const ControlVariates &self, std::size_t step) {
                const Regression &by = self.regression(step);
                std::vector<double> weights;
                for (Id group : self.counts().group) weights.push_back(by.weight.at(static_cast<std::size_t>(group)));
                return to_numpy(std::move(weights));
            },
            nb::arg("step"), "The weight of each sample in the mean by this step; they add up to 1.")
        .def(
            "counts",
            [](const ControlVariates &self) {
                const SourceCounts &counts = self.counts();
                std::vector<std::int32_t> all;
                for (Id group : counts.group) {
                    const std::uint32_t *of = counts.of(static_cast<std::size_t>(group));
                    all.insert(all.end(), of, of + counts.kinds.size());
                }
                return to_numpy(std::move(all));
            },
            "For each sample, one after the other, how often each kind of source was drawn.")
        .def(
            "kinds",
            [](const ControlVariates &self) {
                const SourceKinds &kinds = self.counts().kinds;
                return nb::make_tuple(to_numpy(std::vector<std::int32_t>(kinds.kind)),
                                      to_numpy(std::vector<double>(kinds.share)),
                                      to_numpy(std::vector<double>(kinds.units)));
            },
            "The kind of each annotator, and of each kind the probability and the number of units.");
}
