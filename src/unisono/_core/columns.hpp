// SPDX-License-Identifier: MIT
// Unitary alignments of one part as columns of a set partitioning problem, and the listing of all that can matter.
#pragma once

#include <algorithm>
#include <vector>

#include "graph.hpp"
#include "watch.hpp"

namespace unisono {

// One part of the graph with everything needed to align it: units 0..m-1 in order, annotators renumbered 0..n-1.
struct Part {
    Graph graph;
    std::vector<Id> annotator;
    Id n_annotators = 0;
    std::vector<std::uint64_t> content;  // equal for units of equal content; breaks ties
    bool ties_matter = true;             // false when only the cost is wanted: any best alignment will do

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
    std::size_t bytes() const { return member.capacity() * sizeof(Id) + cost.capacity() * 12; }

    double reduced_cost(Id c, const std::vector<double> &dual) const {
        double rc = cost[c];
        for (const Id *u = begin(c); u != end(c); ++u) rc -= dual[*u];
        return rc;
    }
};

// Lists every unitary alignment of a part that no split improves, grouped by seed; gives up where there are more than
// `most` per unit.
class Listing {
  public:
    bool run(const Part &part, Columns &columns, std::size_t most, Watch &watch) {
        part_ = &part;
        columns_ = &columns;
        watch_ = &watch;
        columns.clear();
        const Id m = part.size(), n = part.n_annotators;
        least_ = -1 - tolerance;
        // For each unit, the best that each annotator can add to its sum of weights: only positive ones count.
        hope_.assign(m, 0);
        best_.assign(static_cast<std::size_t>(m) * n, 0);
        for (Id u = 0; u < m; ++u) {
            double *best = &best_[static_cast<std::size_t>(u) * n];
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e) {
                double &b = best[part.annotator[part.graph.other[e]]];
                b = std::max(b, part.graph.w[e]);
            }
            for (Id a = 0; a < n; ++a) hope_[u] += best[a];
        }
        if (candidates_.size() < static_cast<std::size_t>(n) + 1) candidates_.resize(n + 1);
        for (Id u = 0; u < m; ++u) {
            if (u == 0) nodes_ = 0;
            chosen_.assign(1, u);
            sum_.assign(1, 0.0);
            hopes_.assign(1, hope_[u]);
            auto &first = candidates_[0];
            first.clear();
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u) first.push_back({part.graph.other[e]});
            total_ = 0;
            most_ = most * (static_cast<std::size_t>(u) + 4);
            if (!extend(0)) return false;
        }
        return true;
    }

  private:
    struct Candidate {
        Id unit;
    };

    // Records the chosen set if no unit is better off alone, then tries each candidate after the last member.
    bool extend(std::size_t depth) {
        const Graph &graph = part_->graph;
        bool whole = true;
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            if (sum_[i] + hopes_[i] < least_) return true;  // nobody left can save it
            whole &= sum_[i] >= least_ || chosen_.size() == 1;
        }
        if (whole && undominated()) {
            if (columns_->cost.size() >= most_) return false;
            columns_->add(chosen_.data(), chosen_.data() + chosen_.size(), 1 - total_);
        }
        if (++nodes_ > 10 * most_ || watch_->expired(4)) return false;
        const Id n = part_->n_annotators;
        for (std::size_t k = 0; k < candidates_[depth].size(); ++k) {
            const Id v = candidates_[depth][k].unit, a = part_->annotator[v];
            // Candidates of the child: those after v that are near v and of another annotator.
            auto &next = candidates_[depth + 1];
            next.clear();
            const Id *other = graph.other.data();
            Id e = graph.first[v];
            const Id end = graph.first[v + 1];
            while (e < end && other[e] < v) ++e;
            for (std::size_t j = k + 1; j < candidates_[depth].size() && e < end; ++j) {
                const Id x = candidates_[depth][j].unit;
                while (e < end && other[e] < x) ++e;
                if (e < end && other[e] == x) next.push_back({x});
            }
            const std::size_t size = chosen_.size();
            double own = 0;
            Id at = graph.first[v];
            for (std::size_t i = 0; i < size; ++i) {
                while (other[at] < chosen_[i]) ++at;
                const double w = graph.w[at];
                own += w;
                sum_[i] += w;
                hopes_[i] -= best_[static_cast<std::size_t>(chosen_[i]) * n + a];
            }
            double hope = hope_[v];
            for (Id x : chosen_) hope -= best_[static_cast<std::size_t>(v) * n + part_->annotator[x]];
            chosen_.push_back(v);
            sum_.push_back(own);
            hopes_.push_back(hope);
            total_ += own;
            const bool fine = extend(depth + 1);
            total_ -= own;
            chosen_.pop_back();
            sum_.pop_back();
            hopes_.pop_back();
            at = graph.first[v];
            for (std::size_t i = 0; i < size; ++i) {
                while (other[at] < chosen_[i]) ++at;
                sum_[i] -= graph.w[at];
                hopes_[i] += best_[static_cast<std::size_t>(chosen_[i]) * n + a];
            }
            if (!fine) return false;
        }
        return true;
    }

    // Splits into a pair and the rest, once there are four or more; smaller ones were tested unit by unit.
    bool undominated() const {
        const std::size_t k = chosen_.size();
        if (k < 4) return true;
        const Graph &graph = part_->graph;
        for (std::size_t i = 0; i + 1 < k; ++i) {
            Id at = graph.first[chosen_[i]];
            for (std::size_t j = i + 1; j < k; ++j) {
                while (graph.other[at] < chosen_[j]) ++at;
                if (sum_[i] + sum_[j] - 2 * graph.w[at] < least_) return false;
            }
        }
        return true;
    }

    const Part *part_ = nullptr;
    Columns *columns_ = nullptr;
    Watch *watch_ = nullptr;
    std::size_t most_ = 0, nodes_ = 0;
    double least_ = 0, total_ = 0;
    std::vector<double> hope_, best_, sum_, hopes_;
    std::vector<Id> chosen_;
    std::vector<std::vector<Candidate>> candidates_;
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
