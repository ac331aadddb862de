// SPDX-License-Identifier: MIT
// Compiled and run by test_neighbourhood.py: dissolves clusters of random parts and prints what it was given and found.
#include <cstdio>
#include <vector>

#include "clusters.hpp"
#include "neighbourhood.hpp"
#include "philox.hpp"

using namespace unisono;

static void print(const char *name, const std::vector<Id> &values) {
    std::printf("%s", name);
    for (Id value : values) std::printf(" %d", value);
    std::printf("\n");
}

// Searches that are interrupted at one step or another, and what the same clusters find afterwards.
static void interrupt() {
    const Id n = 12, m = 72;
    Philox random(2016, 0, {0, 0, 0, 0});
    Part part;
    for (Id u = 0; u < m; ++u) part.annotator.push_back(u % n);
    part.n_annotators = n;
    std::vector<Pair> pairs;
    for (Id u = 0; u < m; ++u)
        for (Id v = u + 1; v < m; ++v)
            if (part.annotator[u] != part.annotator[v]) pairs.push_back({u, v, (random.uniform() - 0.4) / n});
    part.graph.build(m, pairs);
    const auto search = [&](Clusters &clusters, std::uint64_t effort, bool is_interrupted) {
        Limits none, limits;
        limits.effort = effort;  // where it ends, the interruption is noticed
        limits.interrupted = is_interrupted;
        Watch unlimited(none, false), watch(limits, false);
        clusters.build(part, unlimited);
        watch.restart();  // plans the first look
        clusters.refine(30, ~std::uint64_t(0) / 2, watch);
    };
    Clusters clusters;
    for (std::uint64_t effort = 1; effort < 15000; effort += 97) {
        bool is_interrupted = false;
        try {
            search(clusters, effort, true);
        } catch (const Interrupted &) {
            is_interrupted = true;
        }
        search(clusters, 0, false);
        Clusters fresh;
        search(fresh, 0, false);
        std::printf("again %.17g %.17g %d\n", clusters.cost, fresh.cost, is_interrupted);
    }
}

int main() {
    interrupt();
    Neighbourhood neighbourhood;  // one for all parts: nothing is left from one to the next
    Dice dice;
    dice.restart();
    for (std::uint64_t number = 0; number < 300; ++number) {
        Philox random(2015, number, {0, 0, 0, 0});
        const Id n = 3 + static_cast<Id>(number / 4 % 7), m = n * (1 + static_cast<Id>(number / 4 % 4));
        Part part;
        for (Id u = 0; u < m; ++u)
            part.annotator.push_back(static_cast<Id>(random.bounded(static_cast<std::uint32_t>(n))));
        part.n_annotators = n;
        std::vector<Pair> pairs;
        std::vector<std::vector<char>> near(m, std::vector<char>(m, 0));
        for (Id u = 0; u < m; ++u)
            for (Id v = u + 1; v < m; ++v)
                if (part.annotator[u] != part.annotator[v] && random.uniform() < 0.8) {
                    pairs.push_back({u, v, (random.uniform() - 0.4) / n});
                    near[u][v] = near[v][u] = 1;
                }
        part.graph.build(m, pairs);
        std::vector<Id> label(m);
        std::vector<std::vector<Id>> members(m);
        for (Id u = 0; u < m; ++u) {  // the first cluster that it may join
            Id &k = label[u] = 0;
            const auto fits = [&] {
                for (Id v : members[k])
                    if (!near[u][v]) return false;
                return true;
            };
            while (!fits()) ++k;
            members[k].push_back(u);
        }
        std::vector<Id> dissolved;
        for (Id k = 0; k < m; ++k)
            if (!members[k].empty() && (dissolved.empty() || random.uniform() < 0.5)) dissolved.push_back(k);
        Limits limits;
        limits.effort = number % 5 == 0 ? 30 : 0;
        Watch watch(limits, false);
        neighbourhood.rebuild(part, label, members, dissolved, dice, watch);
        std::printf("part %d %d %.17g %.17g\n", m, watch.reached() == Limit::none, neighbourhood.before,
                    neighbourhood.after);
        print("annotator", part.annotator);
        print("label", label);
        print("dissolved", dissolved);
        for (const Pair &p : pairs) std::printf("pair %d %d %.17g\n", p.u, p.v, p.w);
        neighbourhood.each([&](Id k, const std::vector<Id> &units) {
            std::printf("place %d", k);
            print("", units);
        });
    }
}
