// SPDX-License-Identifier: MIT
// A heuristic alignment: annotators are added one by one to those already aligned, then each in turn is placed again
// while that lowers the cost. Where that is worth it, a large neighbourhood search goes on from there: a few clusters
// are dissolved and their units placed anew, again and again. It comes without a proof. It gives the exact search a
// target, and the result when a limit is reached.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "matching.hpp"
#include "neighbourhood.hpp"
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

    // Begins with clusters of some of the units, given by labels from 0; the others are placed as in `build`.
    void from_labels(const Part &part, const std::vector<Id> &units, const std::vector<Id> &labels, Watch &watch) {
        start(part);
        for (std::size_t i = 0; i < units.size(); ++i) given_[labels[i]].push_back(units[i]);
        take_given();
        place_all(watch);
    }

    // Begins with a first alignment that is known, as far as its units are near each other in this part.
    void from_start(const Part &part, Watch &watch) {
        start(part);
        for (Id u = 0; u < part.size(); ++u) {
            auto &members = given_[part.start.label[u]];
            if (is_near_all(u, members)) members.push_back(u);
        }
        take_given();
        place_all(watch);
    }

    // A large neighbourhood search: the cluster of some unit and those that this unit likes best are dissolved; their
    // units are placed again (neighbourhood.hpp); what is no worse is kept. The choices are pseudo-random, and the same
    // on every machine.
    // `met` keeps the clusters on the way that were not much worse, most of them once. It ends after `most_steps`.
    void refine(std::size_t iterations, std::uint64_t most_steps, Watch &watch) {
        const Id m = part_->size();
        const std::uint64_t end = watch.steps() + most_steps;
        dice_.restart();
        neighbourhood_.restart();
        met.clear();
        seen_.assign(std::size_t(1) << 14, 0);
        double saved = 0, earlier = 0;  // by all iterations, and by those before the last m
        for (std::size_t i = 0; i < iterations && watch.reached() == Limit::none && watch.steps() < end; ++i) {
            if (i > 0 && i % static_cast<std::size_t>(m) == 0) {
                if (saved - earlier < 1e-4 * cost) break;
                earlier = saved;
            }
            const Id u = static_cast<Id>(dice_.draw(static_cast<std::uint64_t>(m)));
            choose_clusters(u, 1 + dice_.draw(3), watch);
            saved += rebuild(watch);
        }
        measure();
    }

    Columns met;

    // One column per cluster.
    template <class Visit> void each(Visit visit) const {
        for (const auto &members : members_)
            if (!members.empty()) visit(members, cluster_cost(members));
    }

    // Columns that differ from a cluster by one unit: without it, with one more, with one exchanged for another of the
    // same annotator. Of those with a unit that is not in the cluster, the six cheapest of each unit.
    template <class Visit> void each_variation(Visit visit) {
        sum_inside();
        cost_of_.resize(members_.size());
        for (std::size_t k = 0; k < members_.size(); ++k) {
            const std::vector<Id> &members = members_[k];
            if (members.empty()) continue;
            cost_of_[k] = cluster_cost(members);
            for (std::size_t skip = 0; skip < members.size() && members.size() > 1; ++skip) {
                variation_.clear();
                for (std::size_t i = 0; i < members.size(); ++i)
                    if (i != skip) variation_.push_back(members[i]);
                visit(variation_, cost_of_[k] + inside_[members[skip]]);
            }
        }
        for (Id u = 0; u < part_->size(); ++u) {
            meet_neighbours(u);
            offers_.clear();
            for (Id k : touched_) {
                const Id strangers = static_cast<Id>(members_[k].size()) - met_[k];
                met_[k] = 0;
                if (k == label[u] || strangers > 1) continue;
                double cost = cost_of_[k] - sum_[k];
                Id size = static_cast<Id>(members_[k].size()) + 1;
                if (strangers == 1) {
                    const Id exchanged = unit_in(k, part_->annotator[u]);
                    if (exchanged < 0) continue;
                    cost += inside_[exchanged];
                    --size;
                }
                offers_.push_back({cost / size, cost, k});
            }
            std::sort(offers_.begin(), offers_.end());
            for (std::size_t i = 0; i < offers_.size() && i < 6; ++i) {
                variation_.clear();
                for (Id v : members_[offers_[i].cluster])
                    if (part_->annotator[v] != part_->annotator[u]) variation_.push_back(v);
                variation_.insert(std::lower_bound(variation_.begin(), variation_.end(), u), u);
                visit(variation_, offers_[i].cost);
            }
        }
    }

    // Duals whose sum is the cost: each unit bears an even share of its cluster and half of its weights.
    const std::vector<double> &shares() {
        sum_inside();
        share_.resize(label.size());
        for (std::size_t u = 0; u < label.size(); ++u)
            share_[u] = 1.0 / static_cast<double>(members_[label[u]].size()) - 0.5 * inside_[u];
        return share_;
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
    // The cluster of u and up to `more` others, those that it likes best, go to dissolved_, as long as all their units
    // are at most `most_free`; the unit's own cluster comes last.
    void choose_clusters(Id u, std::uint64_t more, Watch &watch) {
        watch.expired(static_cast<std::size_t>(part_->graph.degree(u)));
        meet_neighbours(u);
        for (Id k : touched_) met_[k] = 0;
        const auto likes_more = [&](Id a, Id b) { return sum_[a] > sum_[b] || (sum_[a] == sum_[b] && a < b); };
        touched_.erase(std::remove(touched_.begin(), touched_.end(), label[u]), touched_.end());
        const std::size_t count = std::min<std::size_t>(more, touched_.size());
        std::partial_sort(touched_.begin(), touched_.begin() + static_cast<std::ptrdiff_t>(count), touched_.end(),
                          likes_more);
        dissolved_.clear();
        std::size_t free = members_[label[u]].size();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t size = members_[touched_[i]].size();
            if (free + size > Neighbourhood::most_free) continue;
            free += size;
            dissolved_.push_back(touched_[i]);
        }
        dissolved_.push_back(label[u]);
    }

    // Places the units of the dissolved clusters again, unless that is worse. Returns what it saved.
    double rebuild(Watch &watch) {
        const std::size_t own = members_[dissolved_.back()].size();
        if (dissolved_.size() == 1 && (own == 1 || own > Neighbourhood::most_free)) return 0;
        neighbourhood_.rebuild(*part_, label, members_, dissolved_, dice_, watch);
        const double before = neighbourhood_.before, after = neighbourhood_.after;
        if (after <= before + 0.2) neighbourhood_.each([&](Id k, const std::vector<Id> &units) { remember(k, units); });
        if (after > before + tolerance) return 0;
        for (Id k : dissolved_) {
            members_[k].clear();
            empty_.push_back(k);
        }
        neighbourhood_.each([&](Id k, const std::vector<Id> &units) {
            if (k < 0) return take(units.data(), units.data() + units.size());
            for (Id u : units) label[u] = k;
            members_[k].insert(members_[k].end(), units.begin(), units.end());
        });
        return before - after;
    }

    // Keeps the cluster of these units, and of those in cluster k unless that is -1, in `met`; not if the hash of its
    // units is that of one before.
    void remember(Id k, const std::vector<Id> &units) {
        variation_.assign(units.begin(), units.end());
        if (k >= 0) variation_.insert(variation_.end(), members_[k].begin(), members_[k].end());
        std::sort(variation_.begin(), variation_.end());
        std::uint64_t hash = 0;
        for (Id v : variation_) hash = (hash ^ static_cast<std::uint64_t>(v + 1)) * 0xBF58476D1CE4E5B9ull;
        std::uint64_t &slot = seen_[hash >> 50];
        if (slot == hash) return;
        slot = hash;
        met.add(variation_.data(), variation_.data() + variation_.size(), cluster_cost(variation_));
    }

    // All clusters are empty; there are as many as units.
    void start(const Part &part) {
        const Id m = part.size();
        part_ = &part;
        label.assign(m, -1);
        members_.resize(m);
        given_.resize(m);
        for (auto &members : given_) members.clear();
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

    void take_given() {
        for (const auto &members : given_)
            if (!members.empty()) take(members.data(), members.data() + members.size());
    }

    bool is_near_all(Id u, const std::vector<Id> &members) const {
        const Graph &graph = part_->graph;
        const auto from = graph.other.begin() + graph.first[u], to = graph.other.begin() + graph.first[u + 1];
        return std::all_of(members.begin(), members.end(), [&](Id v) { return std::binary_search(from, to, v); });
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

    // The weights of each unit to the others of its cluster.
    void sum_inside() {
        const Graph &graph = part_->graph;
        inside_.assign(label.size(), 0);
        for (std::size_t u = 0; u < label.size(); ++u)
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e)
                if (label[graph.other[e]] == label[u]) inside_[u] += graph.w[e];
    }

    // The annotator's unit in the cluster; -1: none.
    Id unit_in(Id cluster, Id annotator) const {
        for (Id v : members_[cluster])
            if (part_->annotator[v] == annotator) return v;
        return -1;
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
    std::vector<std::vector<Id>> members_, units_of_, given_;  // of each cluster; of each annotator; `from_labels`
    std::vector<Id> empty_, order_, met_, touched_;
    std::vector<double> sum_;
    std::vector<Id> clusters_, column_of_, edge_first_, edge_column_;
    std::vector<double> edge_gain_;
    Matching<double> matching_;
    std::vector<Id> dissolved_;  // clusters
    Neighbourhood neighbourhood_;
    Dice dice_;
    std::vector<Id> variation_;
    // A cluster that differs by one unit.
    struct Offer {
        double cost_of_unit, cost;  // cost_of_unit: an even share of the cost
        Id cluster;
        bool operator<(const Offer &other) const {
            return cost_of_unit < other.cost_of_unit || (cost_of_unit == other.cost_of_unit && cluster < other.cluster);
        }
    };
    std::vector<Offer> offers_;
    std::vector<double> share_, inside_, cost_of_;
    std::vector<std::uint64_t> seen_;  // hashes of the clusters in `met`
};

}  // namespace unisono
