// SPDX-License-Identifier: MIT
// Compiled and run by test_neighbourhood.py: dissolves clusters of random parts and prints what it was given and found.
#include <cstdio>
#include <vector>

#include "neighbourhood.hpp"
#include "philox.hpp"

using namespace unisono;

static void print(const char *name, const std::vector<Id> &values) {
    std::printf("%s", name);
    for (Id value : values) std::printf(" %d", value);
    std::printf("\n");
}

int main() {
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
