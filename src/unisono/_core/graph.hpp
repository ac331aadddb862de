// SPDX-License-Identifier: MIT
// Which units can share a unitary alignment: near pairs as a graph, thinned by exact tests, cut into parts.
//
// Costs are in multiples of delta_empty throughout the solver. With C = n(n-1)/2 and w(u,v) = (1 - d(u,v)) / C the cost
// of a unitary alignment S (Eq. 6, empty units included) is
//     cost(S) = 1 - sum of w over the pairs in S,
// and splitting S in two saves -1 - (sum of w across): in a best alignment no sum across a split is below -1.
#pragma once

#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "watch.hpp"

namespace unisono {

using Id = std::int32_t;

// One of the two, without a branch, which would be mispredicted half of the time on unordered units.
inline Id either(bool is_first, Id first, Id second) {
    return second ^ ((first ^ second) & -static_cast<Id>(is_first));
}

struct Pair {
    Id u, v;  // u < v
    double w;
};

// The tolerance of sums and comparisons of costs; a smaller difference is a tie.
constexpr double tolerance = 1e-9;

// Units 0..m-1 in the order of the continuum, their neighbours sorted.
struct Graph {
    Id n_units = 0;
    std::vector<Id> first;  // neighbours of u: other[first[u] .. first[u+1])
    std::vector<Id> other;
    std::vector<double> w;

    void build(Id m, const std::vector<Pair> &pairs) {
        n_units = m;
        if (pairs.size() > static_cast<std::size_t>(std::numeric_limits<Id>::max() / 2)) throw std::bad_alloc();
        first.assign(m + 1, 0);
        for (const Pair &p : pairs) {
            ++first[p.u + 1];
            ++first[p.v + 1];
        }
        std::partial_sum(first.begin(), first.end(), first.begin());
        other.resize(2 * pairs.size());
        w.resize(2 * pairs.size());
        fill_.assign(first.begin(), first.end() - 1);
        // Pairs come sorted by (u, v); writing v's lists first and u's after keeps each list sorted.
        for (const Pair &p : pairs) place(p.v, p.u, p.w);
        for (const Pair &p : pairs) place(p.u, p.v, p.w);
    }

    Id degree(Id u) const { return first[u + 1] - first[u]; }

  private:
    void place(Id u, Id v, double weight) {
        const Id at = fill_[u]++;
        other[at] = v;
        w[at] = weight;
    }
    std::vector<Id> fill_;
};

// Drops pairs that no best alignment can hold, by two tests on sums across a split:
// {u} against the rest, and the two splits {u}, {v} added up. Ties (a sum of exactly -1) stay.
class PairTests {
  public:
    // When a limit is reached, the remaining pairs are kept untested.
    void run(std::vector<Pair> &pairs, Graph &graph, const Id *annotator, Id n_annotators, Watch &watch) {
        best_.assign(n_annotators, 0);
        graph.build(graph.n_units, pairs);
        for (int round = 0; round < 3 && !watch.expired(pairs.size()); ++round) {
            const std::size_t before = pairs.size();
            alone(pairs, graph, annotator);
            if (pairs.size() == before) break;
            graph.build(graph.n_units, pairs);
        }
        if (n_annotators > 2 && !watch.expired(pairs.size())) {
            const std::size_t before = pairs.size();
            joint(pairs, graph, annotator, watch);
            if (pairs.size() != before) graph.build(graph.n_units, pairs);
        }
    }

  private:
    // w(u,v) plus the best that the other annotators can add for u must reach -1; the same for v.
    void alone(std::vector<Pair> &pairs, const Graph &graph, const Id *annotator) {
        const Id m = graph.n_units;
        const double least = -1 - tolerance;
        dead_.assign(graph.other.size(), 0);
        bool any = false;
        for (Id u = 0; u < m; ++u) {
            double sum = 0;
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                double &best = best_[annotator[graph.other[e]]];
                if (graph.w[e] > best) {
                    sum += graph.w[e] - best;
                    best = graph.w[e];
                }
            }
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e)
                if (graph.w[e] + sum - best_[annotator[graph.other[e]]] < least) dead_[e] = 1, any = true;
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) best_[annotator[graph.other[e]]] = 0;
        }
        if (!any) return;
        // The k-th pair with u as its smaller unit is the k-th neighbour of u above u; likewise for v below v.
        low_.assign(graph.first.begin(), graph.first.end() - 1);
        high_.resize(m);
        for (Id u = 0; u < m; ++u) {
            Id e = graph.first[u];
            while (e < graph.first[u + 1] && graph.other[e] < u) ++e;
            high_[u] = e;
        }
        std::size_t kept = 0;
        for (const Pair p : pairs)
            if (!(dead_[high_[p.u]++] | dead_[low_[p.v]++])) pairs[kept++] = p;
        pairs.resize(kept);
    }

    // 2 w(u,v) + the best that common neighbours can add for both must reach -2.
    void joint(std::vector<Pair> &pairs, const Graph &graph, const Id *annotator, Watch &watch) {
        const double least = -2 - 2 * tolerance;
        std::size_t kept = 0;
        for (const Pair p : pairs) {
            if (p.w < -1 && !watch.expired(static_cast<std::size_t>(graph.degree(p.u)) + graph.degree(p.v))) {
                double sum = 2 * p.w;
                touched_.clear();
                Id i = graph.first[p.u], j = graph.first[p.v];
                const Id i_end = graph.first[p.u + 1], j_end = graph.first[p.v + 1];
                while (i < i_end && j < j_end) {
                    const Id x = graph.other[i], y = graph.other[j];
                    if (x < y) ++i;
                    else if (y < x) ++j;
                    else {
                        double &best = best_[annotator[x]];
                        const double both = graph.w[i++] + graph.w[j++];
                        if (both > best) {
                            sum += both - best;
                            best = both;
                            touched_.push_back(annotator[x]);
                        }
                    }
                }
                for (Id a : touched_) best_[a] = 0;
                if (sum < least) continue;
            }
            pairs[kept++] = p;
        }
        pairs.resize(kept);
    }

    std::vector<double> best_;
    std::vector<char> dead_;
    std::vector<Id> low_, high_, touched_;
};

// The connected parts of the graph; units of a part keep their order.
class Parts {
  public:
    Id count = 0;
    std::vector<Id> first;  // units of part p: unit[first[p] .. first[p+1])
    std::vector<Id> unit;

    void find(Id m, const std::vector<Pair> &pairs) {
        root_.resize(m);
        std::iota(root_.begin(), root_.end(), 0);
        for (const Pair &p : pairs) {
            const Id a = top(p.u), b = top(p.v);
            if (a != b) root_[a > b ? a : b] = a > b ? b : a;
        }
        part_.resize(m);
        count = 0;
        first.assign(1, 0);
        for (Id u = 0; u < m; ++u) {  // roots are the smallest of their part, so seen first
            const Id r = top(u);
            if (r == u) {
                part_[u] = count++;
                first.push_back(0);
            } else part_[u] = part_[r];
            ++first[part_[u] + 1];
        }
        std::partial_sum(first.begin(), first.end(), first.begin());
        fill_.assign(first.begin(), first.end() - 1);
        unit.resize(m);
        for (Id u = 0; u < m; ++u) unit[fill_[part_[u]]++] = u;
    }

  private:
    Id top(Id u) {
        while (root_[u] != u) u = root_[u] = root_[root_[u]];
        return u;
    }
    std::vector<Id> root_, part_, fill_;
};

}  // namespace unisono
