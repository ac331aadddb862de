// SPDX-License-Identifier: MIT
// Unitary alignments of one part as columns of a set partitioning problem, and the listing of all that can matter.
#pragma once

#include <algorithm>
#include <vector>

#include "graph.hpp"
#include "watch.hpp"

namespace unisono {

// A first alignment that is known before the search, that of a document with more annotators for example: the label and
// the dual of each unit. Both are empty where none is known.
struct Start {
    std::vector<Id> label;
    std::vector<double> dual;

    bool is_known() const { return !label.empty(); }
    void clear() {
        label.clear();
        dual.clear();
    }
};

// One part of the graph with everything needed to align it: units 0..m-1 in order, annotators renumbered 0..n-1.
struct Part {
    Graph graph;
    std::vector<Id> annotator;
    Id n_annotators = 0;
    std::vector<std::uint64_t> content;  // equal for units of equal content; breaks ties
    bool ties_matter = true;             // false when only the cost is wanted: any best alignment will do
    Start start;                         // of the units of the part; labels below their number

    Id size() const { return graph.n_units; }
};

// Columns with sorted members; the first member is the column's seed.
struct Columns {
    std::vector<Id> first{0};
    std::vector<Id> member;
    std::vector<double> cost;

    Id size() const { return static_cast<Id>(cost.size()); }
    Id seed(Id c) const { return member[first[c]]; }
    Id length(Id c) const { return first[c + 1] - first[c]; }
    const Id *begin(Id c) const { return member.data() + first[c]; }
    const Id *end(Id c) const { return member.data() + first[c + 1]; }

    void clear() {
        first.assign(1, 0);
        member.clear();
        cost.clear();
    }
    void add(const Id *from, const Id *to, double value) {
        member.insert(member.end(), from, to);
        first.push_back(static_cast<Id>(member.size()));
        cost.push_back(value);
    }
    Wide bytes() const { return Wide{sizeof(Id)} * member.size() + Wide{12} * cost.size(); }

    double reduced_cost(Id c, const std::vector<double> &dual) const {
        double rc = cost[c];
        for (const Id *u = begin(c); u != end(c); ++u) rc -= dual[*u];
        return rc;
    }
};

// Lists every unitary alignment of a part that no split improves, grouped by seed. Stops if there are more than `most`
// per unit.
class Listing {
  public:
    bool run(const Part &part, Columns &columns, std::size_t most, Watch &watch) {
        part_ = &part;
        columns_ = &columns;
        watch_ = &watch;
        columns.clear();
        nodes_ = 0;
        const Graph &graph = part.graph;
        const Id m = part.size(), n = part.n_annotators;
        // For each unit, the best that each annotator can add to its sum of weights: only positive ones count.
        hope_.assign(m, 0);
        best_.assign(cells(m, n), 0);
        after_.resize(m);
        for (Id u = 0; u < m; ++u) {
            double *best = &best_[static_cast<std::size_t>(u) * n];
            Id before = 0;
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                double &b = best[part.annotator[graph.other[e]]];
                b = std::max(b, graph.w[e]);
                before += graph.other[e] < u;
            }
            after_[u] = graph.first[u] + before;
            for (Id a = 0; a < n; ++a) hope_[u] += best[a];
        }
        if (levels_.size() < static_cast<std::size_t>(n)) levels_.resize(n);
        for (Level &level : levels_) {
            level.sum.resize(n);
            level.hope.resize(n);
        }
        chosen_.resize(n);
        for (Id u = 0; u < m; ++u) {
            chosen_[0] = u;
            Level &level = levels_[0];
            level.sum[0] = 0;
            level.hope[0] = hope_[u];
            const Id from = after_[u], to = graph.first[u + 1];
            level.unit.assign(graph.other.begin() + from, graph.other.begin() + to);
            level.w.assign(graph.w.begin() + from, graph.w.begin() + to);
            most_ = Wide{most} * (static_cast<Wide>(u) + 4);
            if (!record(1, 0) || !extend(1, 0)) return false;
        }
        return true;
    }

  private:
    // The state after a number of units have been chosen.
    struct Level {
        std::vector<double> sum, hope;  // of each chosen unit: its weights to the others; bound on what can be added
        std::vector<Id> unit;           // candidates: after the last chosen, near all of them
        std::vector<double> w;          // of each candidate, its weights to the chosen ones
    };

    // Tries each candidate after the last member. False when there are too many columns.
    bool extend(Id size, double total) {
        const Graph &graph = part_->graph;
        const Level &level = levels_[size - 1];
        const Id n = part_->n_annotators;
        if (size == n) return true;
        Level &next = levels_[size];
        for (std::size_t k = 0; k < level.unit.size(); ++k) {
            if (++nodes_ > 10 * most_ || watch_->expired(4)) return false;
            const Id v = level.unit[k], a = part_->annotator[v];
            const double *w = &level.w[k * static_cast<std::size_t>(size)];
            double own = 0, hope = hope_[v];
            // lost: no candidate can make up for some unit; whole: no unit is better alone.
            bool lost = false, whole = true;
            for (Id i = 0; i < size; ++i) {
                own += w[i];
                hope -= best_[static_cast<std::size_t>(v) * n + part_->annotator[chosen_[i]]];
                next.sum[i] = level.sum[i] + w[i];
                next.hope[i] = level.hope[i] - best_[static_cast<std::size_t>(chosen_[i]) * n + a];
                lost |= next.sum[i] + next.hope[i] < least_;
                whole &= next.sum[i] >= least_;
            }
            if (lost || own + hope < least_) continue;
            next.sum[size] = own;
            next.hope[size] = hope;
            chosen_[size] = v;
            if (whole && own >= least_ && !record(size + 1, total + own)) return false;
            // Candidates of the child: those after v that are near v, hence of another annotator.
            next.unit.clear();
            next.w.clear();
            Id e = after_[v];
            const Id end = graph.first[v + 1];
            for (std::size_t j = k + 1; j < level.unit.size(); ++j) {
                const Id x = level.unit[j];
                while (e < end && graph.other[e] < x) ++e;
                if (e == end) break;
                if (graph.other[e] != x) continue;
                next.unit.push_back(x);
                const double *its = &level.w[j * static_cast<std::size_t>(size)];
                next.w.insert(next.w.end(), its, its + size);
                next.w.push_back(graph.w[e]);
            }
            if (!next.unit.empty() && !extend(size + 1, total + own)) return false;
        }
        return true;
    }

    // Keeps the chosen set unless a split improves it. False when there are too many.
    bool record(Id size, double total) {
        if (!undominated(size)) return true;
        if (columns_->cost.size() >= most_) return false;
        columns_->add(chosen_.data(), chosen_.data() + size, 1 - total);
        return true;
    }

    // Splits into a pair and the rest, once there are four or more; smaller ones were tested unit by unit.
    bool undominated(Id size) const {
        if (size < 4) return true;
        const Graph &graph = part_->graph;
        const std::vector<double> &sum = levels_[size - 1].sum;
        for (Id i = 0; i + 1 < size; ++i) {
            Id at = after_[chosen_[i]];
            for (Id j = i + 1; j < size; ++j) {
                while (graph.other[at] < chosen_[j]) ++at;
                if (sum[i] + sum[j] - 2 * graph.w[at] < least_) return false;
            }
        }
        return true;
    }

    static constexpr double least_ = -1 - tolerance;  // no sum across a split is lower
    const Part *part_ = nullptr;
    Columns *columns_ = nullptr;
    Watch *watch_ = nullptr;
    Wide most_ = 0, nodes_ = 0;
    std::vector<double> hope_, best_;
    std::vector<Id> after_, chosen_;
    std::vector<Level> levels_;
};

// The columns of each unit.
struct Incidence {
    std::vector<Id> first, column;

    void build(Id m, const Columns &columns) {
        first.assign(m + 1, 0);
        for (Id u : columns.member) ++first[u + 1];
        for (Id u = 0; u < m; ++u) first[u + 1] += first[u];
        fill_.assign(first.begin(), first.end() - 1);
        column.resize(columns.member.size());
        for (Id c = 0; c < columns.size(); ++c)
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) column[fill_[*u]++] = c;
    }

  private:
    std::vector<Id> fill_;
};

}  // namespace unisono
