// SPDX-License-Identifier: MIT
// Python bindings of tied best alignments and soft alignments.
#include "binding.hpp"
#include "soft_sampling.hpp"
#include "ties.hpp"

using namespace unisono;

// (members of each unitary alignment, disorder of each, their sum, lower bound, duals, limit reached)
static nb::tuple outcome(SoftAligner &aligner) {
    return nb::make_tuple(to_numpy(std::move(aligner.first)), to_numpy(std::move(aligner.member)),
                          to_numpy(std::move(aligner.disorders)), aligner.total, aligner.bound,
                          to_numpy(std::move(aligner.dual)), name_of(aligner.limit));
}

static nb::tuple outcome(Ties &ties) {
    const char *why = !ties.is_best ? "not best" : ties.capped ? "states" : name_of(ties.limit);
    return nb::make_tuple(std::move(ties.tied), why);
}

static void check_proof(const Ints &groups, const Doubles &duals, std::size_t units) {
    if (groups.size() != units || duals.size() != units) throw nb::value_error("one group and one dual for each unit");
    for (std::size_t i = 0; i < units; ++i)
        if (groups.data()[i] < 0 || static_cast<std::size_t>(groups.data()[i]) >= units)
            throw nb::value_error("group out of range");
}

static void check_pairs(const Ints &u, const Ints &v, const Doubles &d) {
    if (u.size() != v.size() || u.size() != d.size()) throw nb::value_error("u, v and d must have one length");
}

void bind_ties(nb::module_ &m) {
    nb::class_<TiedGraph>(m, "TiedGraph", "All best alignments of a continuum at once.")
        .def_prop_ro(
            "firsts", [](const TiedGraph &graph) { return to_numpy(graph.first); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "members", [](const TiedGraph &graph) { return to_numpy(graph.member); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "fixed", [](const TiedGraph &graph) { return to_numpy(graph.fixed); }, nb::rv_policy::automatic)
        .def(
            "choices",
            [](const TiedGraph &graph) {
                nb::list all;
                for (const TiedGraph::Choice &choice : graph.choices) {
                    std::vector<Id> from, to, column;
                    for (std::size_t e = choice.first; e < choice.last; ++e) {
                        from.push_back(graph.edges[e].from);
                        to.push_back(graph.edges[e].to);
                        column.push_back(graph.edges[e].column);
                    }
                    all.append(nb::make_tuple(choice.states, to_numpy(std::move(from)), to_numpy(std::move(to)),
                                              to_numpy(std::move(column))));
                }
                return all;
            },
            "Each choice as (states, from, to, column of each edge).")
        .def(
            "ways",
            [](const TiedGraph &graph) {
                nb::list all;
                for (const TiedGraph::Choice &choice : graph.choices) {
                    const Count count = graph.ways(choice);
                    nb::int_ value(0);
                    for (auto digit = count.digit.rbegin(); digit != count.digit.rend(); ++digit)
                        value = nb::int_((value << nb::int_(32)) + nb::int_(*digit));
                    all.append(value);
                }
                return all;
            },
            "In how many ways each choice can be made.")
        .def(
            "range",
            [](const TiedGraph &graph, Doubles numerators, Doubles denominators) {
                const auto count = static_cast<std::size_t>(graph.n_columns());
                if (numerators.size() != count || denominators.size() != count)
                    throw nb::value_error("one numerator and one denominator for each column");
                const TiedGraph::Range range = graph.range(numerators.data(), denominators.data());
                return nb::make_tuple(range.defined, range.may_be_undefined, range.low, range.high);
            },
            "The range of a ratio of sums: (defined, may be undefined, low, high).");

    m.def(
        "ties",
        [](const Kernel &kernel, Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n,
           Ints groups, Doubles duals, std::size_t most, const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            check_proof(groups, duals, starts.size());
            Ties ties;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                ties.run(units, annotators.data(), static_cast<Id>(starts.size()), n, kernel, groups.data(),
                         duals.data(), most, watch);
            });
            return outcome(ties);
        },
        "All best alignments, from one of them with its proof: (graph, why it is not complete).");

    m.def(
        "ties_pairs",
        [](Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n, double delta_empty,
           Ints u, Ints v, Doubles d, Ints groups, Doubles duals, std::size_t most, const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            check_proof(groups, duals, starts.size());
            check_pairs(u, v, d);
            Ties ties;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                ties.run(units, annotators.data(), static_cast<Id>(starts.size()), n, delta_empty, to_vector(u),
                         to_vector(v), to_vector(d), groups.data(), duals.data(), most, watch);
            });
            return outcome(ties);
        },
        "The same for dissimilarities computed elsewhere.");

    m.def(
        "soft_align",
        [](const Kernel &kernel, Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n,
           const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            SoftAligner aligner;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                aligner.run(units, annotators.data(), static_cast<Id>(starts.size()), n, kernel, watch);
            });
            return outcome(aligner);
        },
        "The best soft alignment: (firsts, members of each unitary alignment, disorder of each, their sum, lower "
        "bound, duals, limit reached).");

    m.def(
        "soft_align_pairs",
        [](Doubles starts, Doubles ends, Ints categories, Ints contents, Ints annotators, Id n, double delta_empty,
           Ints u, Ints v, Doubles d, const LimitsGiven &given) {
            const Units units = units_of(starts, ends, categories, contents);
            check_annotators(annotators, starts.size(), n);
            check_pairs(u, v, d);
            SoftAligner aligner;
            interruptible(given, [&](Limits &limits) {
                Watch watch(limits, true);
                aligner.run(units, annotators.data(), static_cast<Id>(starts.size()), n, delta_empty, to_vector(u),
                            to_vector(v), to_vector(d), watch);
            });
            return outcome(aligner);
        },
        "The same for dissimilarities computed elsewhere.");

    m.def(
        "soft_sample",
        [](const ChanceModel &model, const Kernel &kernel, Longs cases, Longs firsts, Longs counts, unsigned threads,
           const LimitsGiven &given) {
            if (cases.size() != firsts.size() || cases.size() != counts.size())
                throw nb::value_error("cases, firsts and counts must have one length");
            std::vector<Request> requests;
            for (std::size_t i = 0; i < cases.size(); ++i) {
                requests.push_back({static_cast<std::size_t>(cases.data()[i]),
                                    static_cast<std::uint64_t>(firsts.data()[i]),
                                    static_cast<std::size_t>(counts.data()[i])});
                if (requests[i].model_case >= model.cases()) throw nb::value_error("no such case");
            }
            Samples samples;
            interruptible(given,
                          [&](Limits &limits) { samples = soft_sample(model, requests, kernel, threads, limits); });
            return nb::make_tuple(to_numpy(std::move(samples.disorder)), to_numpy(std::move(samples.bound)),
                                  to_numpy(std::move(samples.redraws)));
        },
        "Random continua drawn and softly aligned: (disorders, lower bounds, redraws), in the order of the requests.");
}
