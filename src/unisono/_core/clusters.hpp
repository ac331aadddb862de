// SPDX-License-Identifier: MIT
// A good alignment quickly: merging along the closest pairs, then moving single units while that helps.
// It proves nothing; it gives the exact search a target, and the user an answer when a limit is reached.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Clusters {
  public:
    std::vector<Id> label;  // cluster of each unit
    double cost = 0;

    // Merges along pairs by decreasing w, letting a merge lose a little as long as later ones may repay it.
    void greedy(const Part &part, Watch &watch) {
        start(part);
        pairs_.clear();
        for (Id u = 0; u < part.size(); ++u)
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (part.graph.other[e] > u && part.graph.w[e] >= -0.95)
                    pairs_.push_back({u, part.graph.other[e], part.graph.w[e]});
        std::sort(pairs_.begin(), pairs_.end(), [](const Pair &a, const Pair &b) {
            return a.w > b.w || (a.w == b.w && (a.u < b.u || (a.u == b.u && a.v < b.v)));
        });
        words_ = (static_cast<std::size_t>(part.n_annotators) + 63) / 64;
        annotators_.assign(words_ * part.size(), 0);
        for (Id u = 0; u < part.size(); ++u) {
            alone(u);
            annotators_[u * words_ + part.annotator[u] / 64] |= std::uint64_t(1) << (part.annotator[u] % 64);
        }
        for (double least : {0.0, -0.2, -0.5, -0.95}) {
            for (const Pair &p : pairs_) {
                const Id a = label[p.u], b = label[p.v];
                if (a == b || clash(a, b)) continue;
                if (crossing(a, b) >= least) merge(a, b);
                watch.expired(members_[a].size() + members_[b].size());
            }
            if (watch.expired(pairs_.size())) break;
        }
        improve(watch);
    }

    // Takes columns cheapest reduced cost first where they do not overlap; what is left stays alone.
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
        finish(watch);
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
    void start(const Part &part) {
        part_ = &part;
        label.assign(part.size(), -1);
        members_.resize(part.size());
        for (auto &members : members_) members.clear();
        used_ = 0;
    }

    void alone(Id u) {
        label[u] = used_;
        members_[used_++].assign(1, u);
    }

    void take(const Id *from, const Id *to) {
        for (const Id *u = from; u != to; ++u) label[*u] = used_;
        members_[used_++].assign(from, to);
    }

    void finish(Watch &watch) {
        for (Id u = 0; u < part_->size(); ++u)
            if (label[u] < 0) alone(u);
        improve(watch);
    }

    // Whether some annotator is in both.
    bool clash(Id a, Id b) const {
        for (std::size_t i = 0; i < words_; ++i)
            if (annotators_[a * words_ + i] & annotators_[b * words_ + i]) return true;
        return false;
    }

    // Sum of w across two clusters, or -infinity where a pair is not near.
    double crossing(Id a, Id b) const {
        double sum = 0;
        const Graph &graph = part_->graph;
        for (Id u : members_[a]) {
            const Id *from = graph.other.data() + graph.first[u], *to = graph.other.data() + graph.first[u + 1];
            for (Id v : members_[b]) {
                const Id *at = std::lower_bound(from, to, v);
                if (at == to || *at != v) return -1e300;
                sum += graph.w[at - graph.other.data()];
            }
        }
        return sum;
    }

    void merge(Id a, Id b) {
        if (members_[a].size() < members_[b].size()) std::swap(a, b);
        for (Id u : members_[b]) {
            label[u] = a;
            members_[a].push_back(u);
        }
        for (std::size_t i = 0; i < words_; ++i) annotators_[a * words_ + i] |= annotators_[b * words_ + i];
        members_[b].clear();
    }

    // Moves a unit to where it costs least: another cluster, in exchange for its annotator's unit there, or alone.
    void improve(Watch &watch) {
        const Graph &graph = part_->graph;
        sum_.assign(part_->size(), 0);
        met_.assign(part_->size(), 0);
        stale_.assign(part_->size(), 1);
        empty_.clear();
        for (Id a = 0; a < part_->size(); ++a)
            if (members_[a].empty()) empty_.push_back(a);
        for (int round = 0; round < 20 && watch.reached() == Limit::none; ++round) {
            bool moved = false;
            for (Id u = 0; u < part_->size(); ++u) {
                if (!stale_[u]) continue;
                stale_[u] = 0;
                const Id home = label[u];
                touched_.clear();
                for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                    const Id a = label[graph.other[e]];
                    if (met_[a]++ == 0) {
                        sum_[a] = 0;
                        touched_.push_back(a);
                    }
                    sum_[a] += graph.w[e];
                }
                const bool single = members_[home].size() == 1;
                const double leaving = single ? -1 : (met_[home] ? sum_[home] : 0);  // change when u leaves home
                double best = -tolerance;
                Id to = -1, rival = -1;
                if (!single && leaving + 1 < best) best = leaving + 1, to = -2;  // alone
                for (Id a : touched_) {
                    if (a == home) continue;
                    const auto &there = members_[a];
                    if (met_[a] == static_cast<Id>(there.size())) {
                        if (leaving - sum_[a] < best) best = leaving - sum_[a], to = a, rival = -1;
                    } else if (met_[a] + 1 == static_cast<Id>(there.size())) {
                        // One member is not near: when it is the same annotator's, it may be put out.
                        Id out = -1;
                        for (Id x : there)
                            if (part_->annotator[x] == part_->annotator[u]) out = x;
                        if (out < 0) continue;
                        double lost = 0;
                        for (Id e = graph.first[out]; e < graph.first[out + 1]; ++e)
                            if (label[graph.other[e]] == a) lost += graph.w[e];
                        const double alone_change = leaving + lost + 1 - sum_[a];
                        if (alone_change < best) best = alone_change, to = a, rival = out;
                    }
                }
                for (Id a : touched_) met_[a] = 0;
                if (to == -1) continue;
                moved = true;
                disturb(home);
                if (to >= 0) disturb(to);
                remove(u);
                if (to == -2) to = empty_.back(), empty_.pop_back();
                if (rival >= 0) {
                    remove(rival);
                    const Id nest = empty_.back();
                    empty_.pop_back();
                    members_[nest].push_back(rival);
                    label[rival] = nest;
                }
                members_[to].push_back(u);
                label[u] = to;
            }
            if (!moved || watch.expired(graph.other.size())) break;
        }
        measure();
    }

    // A cluster changes: whoever is near one of its units has to look again, the others would only repeat themselves.
    void disturb(Id cluster) {
        const Graph &graph = part_->graph;
        for (Id x : members_[cluster]) {
            stale_[x] = 1;
            for (Id e = graph.first[x]; e < graph.first[x + 1]; ++e) stale_[graph.other[e]] = 1;
        }
    }

    void remove(Id u) {
        auto &members = members_[label[u]];
        members.erase(std::find(members.begin(), members.end(), u));
        if (members.empty()) empty_.push_back(label[u]);
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
    Id used_ = 0;
    std::size_t words_ = 1;
    std::vector<std::uint64_t> annotators_;  // of each cluster, while merging
    std::vector<std::vector<Id>> members_;
    std::vector<Pair> pairs_;
    std::vector<double> sum_;
    std::vector<Id> met_, touched_, order_, empty_;
    std::vector<char> stale_;  // units to look at
};

}  // namespace unisono
