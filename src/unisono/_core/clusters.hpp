// SPDX-License-Identifier: MIT
// A heuristic alignment: annotators are added one by one to those already aligned, then each in turn is placed again
// while that lowers the cost. It comes without a proof. It gives the exact search a target, and the result when a limit
// is reached.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "matching.hpp"
#include "watch.hpp"

namespace unisono {

class Clusters {
  public:
    std::vector<Id> label;  // cluster of each unit
    double cost = 0;

    // Builds an alignment without a first guess.
    void build(const Part &part, Watch &watch) {
        start(part);
        place_all(watch);
    }

    // Takes columns in the order of their reduced costs where they do not overlap; units in none of them are placed as
    // in `build`.
    void from_columns(const Part &part, const Columns &columns, const std::vector<double> &rc, double most,
                      Watch &watch) {
        start(part);
        order_.clear();
        for (Id c = 0; c < columns.size(); ++c)
            if (rc[c] <= most) order_.push_back(c);
        std::sort(order_.begin(), order_.end(), [&](Id a, Id b) { return rc[a] < rc[b] || (rc[a] == rc[b] && a < b); });
        for (Id c : order_) {
            bool free = true;
            for (const Id *u = columns.begin(c); u != columns.end(c) && free; ++u) free = label[*u] < 0;
            if (free) take(columns.begin(c), columns.end(c));
        }
        watch.expired(order_.size());
        place_all(watch);
    }

    // One column per cluster.
    template <class Visit> void each(Visit visit) const {
        for (const auto &members : members_)
            if (!members.empty()) visit(members, cluster_cost(members));
    }

    double cluster_cost(const std::vector<Id> &members) const {
        double sum = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Graph &graph = part_->graph;
            Id at = graph.first[members[i]];
            for (std::size_t j = i + 1; j < members.size(); ++j) {
                while (graph.other[at] < members[j]) ++at;
                sum += graph.w[at];
            }
        }
        return 1 - sum;
    }

  private:
    // All clusters are empty; there are as many as units.
    void start(const Part &part) {
        const Id m = part.size();
        part_ = &part;
        label.assign(m, -1);
        members_.resize(m);
        for (auto &members : members_) members.clear();
        empty_.resize(m);
        for (Id k = 0; k < m; ++k) empty_[k] = m - 1 - k;
        units_of_.resize(part.n_annotators);
        for (auto &units : units_of_) units.clear();
        for (Id u = 0; u < m; ++u) units_of_[part.annotator[u]].push_back(u);
        sum_.assign(m, 0);
        met_.assign(m, 0);
        column_of_.assign(m, -1);
    }

    void take(const Id *from, const Id *to) {
        const Id cluster = new_cluster();
        for (const Id *u = from; u != to; ++u) label[*u] = cluster;
        members_[cluster].assign(from, to);
    }

    Id new_cluster() {
        const Id cluster = empty_.back();
        empty_.pop_back();
        return cluster;
    }

    // Places each annotator in turn among the others, until no placement lowers the cost.
    void place_all(Watch &watch) {
        const Id n = part_->n_annotators;
        Id idle = 0;
        for (Id a = 0; idle < n && watch.reached() == Limit::none; a = (a + 1) % n)
            idle = place(units_of_[a], watch) ? 0 : idle + 1;
        for (Id u = 0; u < part_->size(); ++u)  // a limit was reached before all units were placed
            if (label[u] < 0) take(&u, &u + 1);
        measure();
    }

    // Removes the units of one annotator from their clusters and assigns them to those of the others by an optimal
    // matching. A unit can join a cluster if it is near all its members; the gain over being alone is 1 + the sum of
    // its weights. False when that is no better than before.
    bool place(const std::vector<Id> &units, Watch &watch) {
        double before = 0;
        bool is_better = false;  // some unit was in no cluster
        for (Id u : units)
            if (label[u] < 0) is_better = true;
            else leave(u);
        clusters_.clear();
        edge_first_.assign(1, 0);
        edge_column_.clear();
        edge_gain_.clear();
        for (Id u : units) {
            watch.expired(static_cast<std::size_t>(part_->graph.degree(u)));
            meet_neighbours(u);
            for (Id k : touched_) {
                const double gain = 1 + sum_[k];
                const bool is_near_all = met_[k] == static_cast<Id>(members_[k].size());
                met_[k] = 0;
                if (k == label[u]) before += gain;
                if (is_near_all && gain > 0) {
                    edge_column_.push_back(column(k));
                    edge_gain_.push_back(gain);
                }
            }
            edge_first_.push_back(static_cast<Id>(edge_column_.size()));
        }
        for (Id k : clusters_) column_of_[k] = -1;
        matching_.run(static_cast<Id>(units.size()), static_cast<Id>(clusters_.size()), edge_first_, edge_column_,
                      edge_gain_, watch);
        is_better |= matched_gain() > before + tolerance;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const Id u = units[i], c = matching_.mate_of_row[i];
            if (is_better) label[u] = c < 0 ? -1 : clusters_[c];
            join(u);
        }
        return is_better;
    }

    // A unit that was alone has no label afterwards.
    void leave(Id u) {
        auto &members = members_[label[u]];
        members.erase(std::find(members.begin(), members.end(), u));
        if (!members.empty()) return;
        empty_.push_back(label[u]);
        label[u] = -1;
    }

    // The cluster of the unit's label, or a new one if it has none.
    void join(Id u) {
        if (label[u] < 0) label[u] = new_cluster();
        members_[label[u]].push_back(u);
    }

    // For each cluster: the number of members that the unit is near, and the sum of its weights to them.
    void meet_neighbours(Id u) {
        const Graph &graph = part_->graph;
        touched_.clear();
        for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
            const Id k = label[graph.other[e]];
            if (k < 0) continue;
            if (met_[k]++ == 0) {
                sum_[k] = 0;
                touched_.push_back(k);
            }
            sum_[k] += graph.w[e];
        }
    }

    Id column(Id cluster) {
        if (column_of_[cluster] < 0) {
            column_of_[cluster] = static_cast<Id>(clusters_.size());
            clusters_.push_back(cluster);
        }
        return column_of_[cluster];
    }

    double matched_gain() const {
        double sum = 0;
        for (std::size_t r = 0; r + 1 < edge_first_.size(); ++r)
            for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e)
                if (edge_column_[e] == matching_.mate_of_row[r]) sum += edge_gain_[e];
        return sum;
    }

    void measure() {
        cost = 0;
        for (auto &members : members_)
            if (!members.empty()) {
                std::sort(members.begin(), members.end());
                cost += cluster_cost(members);
            }
    }

    const Part *part_ = nullptr;
    std::vector<std::vector<Id>> members_, units_of_;  // of each cluster; of each annotator
    std::vector<Id> empty_, order_, met_, touched_;
    std::vector<double> sum_;
    std::vector<Id> clusters_, column_of_, edge_first_, edge_column_;
    std::vector<double> edge_gain_;
    Matching<double> matching_;
};

}  // namespace unisono
