// SPDX-License-Identifier: MIT
// The units of a few dissolved clusters, placed anew: the step of the large neighbourhood search in clusters.hpp.
//
// The units that are placed are "free"; the clusters of the others stay as they are. So the neighbours of a free unit
// are looked at once, when the clusters are dissolved; from then on only free units meet each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "dice.hpp"
#include "matching.hpp"
#include "watch.hpp"

namespace unisono {

class Neighbourhood {
  public:
    // Free units at once, at most: memory grows with their square.
    static constexpr std::size_t most_free = 2000;

    // A place for free units: a cluster of the others, which they join, or a new cluster.
    struct Place {
        Id cluster;               // -1: a new one
        std::vector<Id> members;  // the free units in it
    };

    // Costs with the free units as they were and as they are placed. Both leave out what does not change: their
    // difference is that of the costs of the whole alignments.
    double before = 0, after = 0;

    // Forgets what a search that was interrupted left behind.
    void restart() { number_.clear(); }

    // Dissolves clusters and places their units again: annotator by annotator, in random order or the annotators with
    // most units first; then each annotator's units anew, until no placement lowers the cost.
    void rebuild(const Part &part, const std::vector<Id> &label, const std::vector<std::vector<Id>> &members,
                 const std::vector<Id> &dissolved, Dice &dice, Watch &watch) {
        part_ = &part;
        free_units(members, dissolved);
        meet_others(label, members, watch);
        before = cost_of(members, dissolved);
        by_annotator(dice);
        for (const auto &units : groups_) place(units, watch);
        const std::size_t n = groups_.size();
        for (std::size_t idle = 0, at = 0; idle < n && watch.reached() == Limit::none; at = (at + 1) % n)
            idle = place(groups_[at], watch) ? 0 : idle + 1;
        after = cost();
        for (Id u : units_) number_[u] = -1;
    }

    // Calls visit(cluster, units) for each place with free units; `cluster` is -1 for a new cluster.
    template <class Visit> void each(Visit visit) {
        for (Id p = 0; p < n_places_; ++p) {
            if (places_[p].members.empty()) continue;
            placed_.clear();
            for (Id i : places_[p].members) placed_.push_back(units_[i]);
            visit(places_[p].cluster, placed_);
        }
    }

  private:
    // What a free unit finds in a cluster of others that it is near to: the sum of its weights there.
    struct Offer {
        Id place;
        double sum;
    };

    static constexpr double never_ = -1e300;  // the weight of two units that cannot be together

    void free_units(const std::vector<std::vector<Id>> &members, const std::vector<Id> &dissolved) {
        units_.clear();
        for (Id k : dissolved) units_.insert(units_.end(), members[k].begin(), members[k].end());
        const std::size_t m = static_cast<std::size_t>(part_->size());
        if (number_.size() != m) {
            number_.assign(m, -1);
            met_.assign(m, 0);
            sum_.assign(m, 0);
            place_of_cluster_.assign(m, -1);
        }
        for (std::size_t i = 0; i < units_.size(); ++i) number_[units_[i]] = static_cast<Id>(i);
    }

    // The weights among the free units, and what each finds in the clusters of the others.
    void meet_others(const std::vector<Id> &label, const std::vector<std::vector<Id>> &members, Watch &watch) {
        const Graph &graph = part_->graph;
        const std::size_t f = units_.size();
        weight_.assign(f * f, never_);
        offers_.clear();
        first_offer_.assign(1, 0);
        n_places_ = 0;
        for (std::size_t i = 0; i < f; ++i) {
            const Id u = units_[i];
            watch.expired(static_cast<std::size_t>(graph.degree(u)));
            double *row = weight_.data() + i * f;
            touched_.clear();
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                const Id v = graph.other[e], k = label[v];
                if (number_[v] >= 0) {
                    row[number_[v]] = graph.w[e];
                    continue;
                }
                if (met_[k]++ == 0) {
                    sum_[k] = 0;
                    touched_.push_back(k);
                }
                sum_[k] += graph.w[e];
            }
            for (Id k : touched_) {
                if (met_[k] == static_cast<Id>(members[k].size())) {
                    if (place_of_cluster_[k] < 0) place_of_cluster_[k] = add_place(k);
                    offers_.push_back({place_of_cluster_[k], sum_[k]});
                }
                met_[k] = 0;
            }
            first_offer_.push_back(offers_.size());
        }
        n_others_ = n_places_;
        for (Id p = 0; p < n_others_; ++p) place_of_cluster_[places_[p].cluster] = -1;
        place_of_.assign(f, -1);
        found_.assign(f, 0.0);
    }

    Id add_place(Id cluster) {
        if (static_cast<std::size_t>(n_places_) == places_.size()) places_.emplace_back();
        places_[n_places_].cluster = cluster;
        places_[n_places_].members.clear();
        return n_places_++;
    }

    // The cost of the dissolved clusters.
    double cost_of(const std::vector<std::vector<Id>> &members, const std::vector<Id> &dissolved) const {
        double sum = 0;
        std::size_t from = 0;
        for (Id k : dissolved) {
            const std::size_t to = from + members[k].size();
            sum += 1;
            for (std::size_t i = from; i < to; ++i)
                for (std::size_t j = from; j < i; ++j) sum -= weight(i, j);
            from = to;
        }
        return sum;
    }

    // The cost of the places with free units, less what the others in them cost by themselves.
    double cost() const {
        double sum = 0;
        for (Id p = 0; p < n_places_; ++p) {
            const std::vector<Id> &members = places_[p].members;
            if (p >= n_others_ && !members.empty()) sum += 1;
            for (std::size_t i = 0; i < members.size(); ++i) {
                sum -= found_[members[i]];
                for (std::size_t j = 0; j < i; ++j) sum -= weight(members[i], members[j]);
            }
        }
        return sum;
    }

    double weight(std::size_t i, std::size_t j) const { return weight_[i * units_.size() + j]; }

    // The free units, those of one annotator together.
    void by_annotator(Dice &dice) {
        keys_.clear();
        for (std::size_t i = 0; i < units_.size(); ++i)
            keys_.push_back({part_->annotator[units_[i]], static_cast<Id>(i)});
        std::sort(keys_.begin(), keys_.end());
        groups_.clear();
        Id last = -1;
        for (const auto &[annotator, i] : keys_) {
            if (annotator != last) groups_.emplace_back();
            last = annotator;
            groups_.back().push_back(i);
        }
        for (std::size_t i = groups_.size(); i > 1; --i) std::swap(groups_[i - 1], groups_[dice.draw(i)]);
        if (dice.draw(2) == 0)
            std::stable_sort(groups_.begin(), groups_.end(),
                             [](const auto &a, const auto &b) { return a.size() > b.size(); });
    }

    // Takes the units of one annotator from their places and assigns them to the best ones by a matching, as
    // `Clusters::place` does. False when that is no better than before.
    bool place(const std::vector<Id> &units, Watch &watch) {
        bool is_better = false;  // some unit had no place
        for (Id i : units)
            if (place_of_[i] < 0) is_better = true;
            else leave(i);
        double were = 0;  // their gains over being alone
        edge_first_.assign(1, 0);
        edge_place_.clear();
        edge_gain_.clear();
        edge_found_.clear();
        for (Id i : units) {
            const double *row = weight_.data() + static_cast<std::size_t>(i) * units_.size();
            std::size_t work = 0;
            const auto offer = [&](Id p, double found) {
                double gain = 1 + found;
                for (Id j : places_[p].members) gain += row[j];
                work += 1 + places_[p].members.size();
                if (p == place_of_[i]) were += gain;
                if (gain <= 0) return;
                edge_place_.push_back(p);
                edge_gain_.push_back(gain);
                edge_found_.push_back(found);
            };
            for (std::size_t o = first_offer_[i]; o < first_offer_[i + 1]; ++o) offer(offers_[o].place, offers_[o].sum);
            for (Id p = n_others_; p < n_places_; ++p)
                if (!places_[p].members.empty()) offer(p, 0.0);
            edge_first_.push_back(static_cast<Id>(edge_place_.size()));
            watch.expired(work);
        }
        matching_.run(static_cast<Id>(units.size()), n_places_, edge_first_, edge_place_, edge_gain_, watch);
        double are = 0;
        for (std::size_t r = 0; r < units.size(); ++r)
            for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e)
                if (edge_place_[e] == matching_.mate_of_row[r]) are += edge_gain_[e];
        is_better |= are > were + tolerance;
        for (std::size_t r = 0; r < units.size(); ++r) {
            const Id i = units[r], mate = matching_.mate_of_row[r];
            if (is_better) {
                place_of_[i] = mate;
                found_[i] = 0;
                for (Id e = edge_first_[r]; e < edge_first_[r + 1]; ++e)
                    if (edge_place_[e] == mate) found_[i] = edge_found_[e];
            }
            if (place_of_[i] < 0) place_of_[i] = empty_place();
            places_[place_of_[i]].members.push_back(i);
        }
        return is_better;
    }

    // A unit that was alone has no place afterwards.
    void leave(Id i) {
        auto &members = places_[place_of_[i]].members;
        members.erase(std::find(members.begin(), members.end(), i));
        if (members.empty() && place_of_[i] >= n_others_) place_of_[i] = -1;
    }

    // A new cluster without members.
    Id empty_place() {
        for (Id p = n_others_; p < n_places_; ++p)
            if (places_[p].members.empty()) return p;
        return add_place(-1);
    }

    const Part *part_ = nullptr;
    std::vector<Id> units_, number_, placed_;  // free units; the number of each unit among them, or -1
    std::vector<double> weight_;               // of each pair of free units
    std::vector<Offer> offers_;
    std::vector<std::size_t> first_offer_;
    std::vector<Place> places_;                    // those of others' clusters first
    Id n_places_ = 0, n_others_ = 0;               // places in use; of these, others' clusters
    std::vector<Id> place_of_cluster_, place_of_;  // of each cluster; of each free unit
    std::vector<double> found_;                    // the sum of each free unit's weights to the others of its place
    std::vector<Id> met_, touched_;
    std::vector<double> sum_;
    std::vector<std::pair<Id, Id>> keys_;
    std::vector<std::vector<Id>> groups_;
    std::vector<Id> edge_first_, edge_place_;
    std::vector<double> edge_gain_, edge_found_;
    Matching<double> matching_;
};

}  // namespace unisono
