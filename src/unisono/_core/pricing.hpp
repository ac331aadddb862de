// SPDX-License-Identifier: MIT
// Pricing: given dual values, which unitary alignments cost less than their units' duals together?
//
// Depth first from each seed, annotator by annotator. The bound on what a branch can still gain takes for each free
// annotator its best candidate v, credited with its dual, its weights to the units chosen, and half of the best weight
// to each other free annotator: w(v,x) <= (best of v with x's annotator + best of x with v's annotator) / 2.
//
// The seed of a column is its first unit, in the order of the continuum or in one by the annotators' numbers of units:
// any order that stays the same gives each column one seed.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Pricing {
  public:
    // `by_annotator`: seeds are ordered by the numbers of units of their annotators.
    void prepare(const Part &part, bool by_annotator) {
        part_ = &part;
        const Id m = part.size();
        rank_.resize(m);
        for (Id u = 0; u < m; ++u) rank_[u] = u;
        if (by_annotator) rank_by_annotator();
        const std::size_t n = static_cast<std::size_t>(part.n_annotators);
        const Graph &graph = part.graph;
        best_.assign(cells(m, n), 0);
        hope_.assign(m, 0);
        low_.resize(m);
        row_.assign(m + 1, 0);
        Wide row_end = 0;
        for (Id u = 0; u < m; ++u) {
            const Id from = graph.first[u], to = graph.first[u + 1];
            low_[u] = from < to ? graph.other[from] : 0;
            row_end += from < to ? static_cast<Wide>(graph.other[to - 1] - low_[u] + 1) : 0;
            row_[u + 1] = cells(row_end, 1);
            for (Id e = from; e < to; ++e) {
                double &best = best_[part.annotator[graph.other[e]] * static_cast<std::size_t>(m) + u];
                if (graph.w[e] > best) {
                    hope_[u] += graph.w[e] - best;
                    best = graph.w[e];
                }
            }
        }
        weight_.assign(row_[m], never);
        for (Id u = 0; u < m; ++u)
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e)
                weight_[row_[u] + static_cast<std::size_t>(graph.other[e] - low_[u])] = graph.w[e];
        if (levels_.size() < n + 1) levels_.resize(n + 1);
        for (Level &level : levels_) level.term.resize(n);
        halve();
    }

    Wide bytes() const { return Wide{8} * (weight_.size() + best_.size() + half_.size()); }

    // Searches the columns with seed u for violations (sum of duals less cost) above `threshold`. Returns an upper
    // bound on the largest violation with this seed: exact, or `threshold`, unless `most_nodes` cut the search short.
    // Each column that is better than those before is kept in `found`.
    template <class Dual>
    double search(Id u, const Dual &dual, double threshold, Wide most_nodes, Columns &found, Watch &watch) {
        return search(u, dual, threshold, most_nodes, 0, found, watch);
    }

    // Keeps every column with seed u above the threshold. Cut short when `found` has more than `most`.
    template <class Dual>
    void list(Id u, const Dual &dual, double threshold, Wide most_nodes, Wide most, Columns &found, Watch &watch) {
        search(u, dual, threshold, most_nodes, most, found, watch);
    }

    bool complete = true;  // the last search was not cut short

  private:
    // `most_found`: 0 where only better columns are kept.
    template <class Dual>
    double search(Id u, const Dual &dual, double threshold, Wide most_nodes, Wide most_found, Columns &found,
                  Watch &watch) {
        const Graph &graph = part_->graph;
        dual_ = dual.data();
        threshold_ = threshold;
        most_found_ = most_found;
        found_ = &found;
        watch_ = &watch;
        nodes_ = 0;
        most_nodes_ = most_nodes;
        complete = true;
        chosen_.assign(1, u);
        Level &level = levels_[0];
        level.start(static_cast<std::size_t>(graph.degree(u)));
        std::size_t count = 0;
        for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
            const Id v = graph.other[e];
            if (rank_[v] > rank_[u]) level.set(count++, v, part_->annotator[v], dual_[v] + graph.w[e], half_[e]);
        }
        level.size = count;
        const double value = dual_[u] - 1, ceiling = level.ceiling();
        const bool promising = value + ceiling > threshold_;
        record(value);
        if (promising && complete) extend(0, value, value + ceiling);
        if (!complete) return std::max(threshold_, value + ceiling);
        return threshold_;
    }

    static constexpr double never = -1e300;

    // The candidates of one depth, and for each annotator the most that one of its candidates may add.
    struct Level {
        std::vector<Id> unit, annotator;
        std::vector<double> gain, half, term;
        std::vector<std::pair<double, std::size_t>> tries;
        std::size_t size = 0;  // of the first three, which only grow

        void start(std::size_t count) {
            size = count;
            if (unit.size() < count) {
                unit.resize(count);
                annotator.resize(count);
                gain.resize(count);
                half.resize(count);
            }
            std::fill(term.begin(), term.end(), 0.0);
        }
        void set(std::size_t i, Id v, Id whom, double its_gain, double its_half) {
            unit[i] = v;
            annotator[i] = whom;
            gain[i] = its_gain;
            half[i] = its_half;
            term[whom] = std::max(term[whom], its_gain + its_half);
        }
        void move(std::size_t from, std::size_t to) {
            unit[to] = unit[from];
            annotator[to] = annotator[from];
            gain[to] = gain[from];
            half[to] = half[from];
        }
        double ceiling() const {
            double sum = 0;
            for (double t : term) sum += t;
            return sum;
        }
    };

    // What does not depend on the duals: for each seed u the neighbours after it, each with half of the best weights to
    // the annotators that have a candidate there. The others can add nothing to anyone.
    void halve() {
        const Graph &graph = part_->graph;
        const Id *annotator = part_->annotator.data();
        const std::size_t n = static_cast<std::size_t>(part_->n_annotators);
        const std::size_t m = static_cast<std::size_t>(part_->size());
        half_.resize(graph.w.size());
        for (Id u = 0; u < part_->size(); ++u) {
            present_.assign(n, 0);
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e)
                if (rank_[graph.other[e]] > rank_[u]) present_[annotator[graph.other[e]]] = 1;
            silent_.clear();
            for (std::size_t a = 0; a < n; ++a)
                if (!present_[a]) silent_.push_back(a);
            for (Id e = graph.first[u]; e < graph.first[u + 1]; ++e) {
                if (rank_[graph.other[e]] < rank_[u]) continue;
                const std::size_t v = static_cast<std::size_t>(graph.other[e]);
                double half = hope_[v];
                for (std::size_t a : silent_) half -= best_[a * m + v];
                half_[e] = 0.5 * half;
            }
        }
    }

    // Annotators with many units first; the units of one annotator along the continuum.
    void rank_by_annotator() {
        count_.assign(part_->n_annotators, 0);
        for (Id a : part_->annotator) ++count_[a];
        std::vector<Id> &order = sorted_;
        order = rank_;
        std::sort(order.begin(), order.end(), [&](Id u, Id v) {
            const Id a = part_->annotator[u], b = part_->annotator[v];
            if (count_[a] != count_[b]) return count_[a] > count_[b];
            return a < b || (a == b && u < v);
        });
        for (std::size_t i = 0; i < order.size(); ++i) rank_[order[i]] = static_cast<Id>(i);
    }

    void record(double value) {
        if (value <= threshold_) return;
        sorted_ = chosen_;
        std::sort(sorted_.begin(), sorted_.end());
        double cost = -value;
        for (Id u : sorted_) cost += dual_[u];
        found_->add(sorted_.data(), sorted_.data() + sorted_.size(), cost);
        if (most_found_ == 0) threshold_ = value;
        else if (found_->cost.size() > most_found_) complete = false;
    }

    // `upper`: value + the best that each free annotator may add.
    void extend(std::size_t depth, double value, double upper) {
        Level &level = levels_[depth];
        const std::size_t n = static_cast<std::size_t>(part_->n_annotators);
        const std::size_t m = static_cast<std::size_t>(part_->size());
        while (upper > threshold_) {
            if (++nodes_ > most_nodes_ || watch_->expired(level.size + n)) {
                complete = false;
                return;
            }
            // Candidates that cannot lift the bound above the threshold are dropped; the search branches on the
            // annotator that may add most.
            std::size_t kept = 0;
            for (std::size_t i = 0; i < level.size; ++i) {
                const double own = level.gain[i] + level.half[i];
                // Written in any case, which avoids a branch.
                level.move(i, kept);
                kept += !(upper - level.term[level.annotator[kept]] + own <= threshold_);
            }
            level.size = kept;
            if (kept == 0) return;
            Id branch = level.annotator[0];
            for (std::size_t a = 0; a < n; ++a)
                if (level.term[a] > level.term[branch]) branch = static_cast<Id>(a);
            const double others = upper - level.term[branch];
            auto &tries = level.tries;
            tries.clear();
            for (std::size_t i = 0; i < level.size; ++i)
                if (level.annotator[i] == branch) tries.push_back({-(level.gain[i] + level.half[i]), i});
            std::sort(tries.begin(), tries.end());
            const double *best = &best_[static_cast<std::size_t>(branch) * m];
            for (const auto &[minus, i] : tries) {
                if (others - minus <= threshold_) break;  // the threshold may have risen
                const Id v = level.unit[i];
                Level &next = levels_[depth + 1];
                next.start(level.size);
                std::size_t count = 0;
                const Id low = low_[v];
                const std::size_t span = row_[v + 1] - row_[v];
                const double *row = weight_.data() + row_[v];
                for (std::size_t j = 0; j < level.size; ++j) {
                    const Id x = level.unit[j], a = level.annotator[j];
                    if (a == branch) continue;
                    const std::size_t at = static_cast<std::size_t>(x - low);  // huge where x is below
                    if (at >= span || row[at] == never) continue;
                    next.set(count++, x, a, level.gain[j] + row[at], level.half[j] - 0.5 * best[x]);
                }
                next.size = count;
                chosen_.push_back(v);
                const double deeper = value + level.gain[i];
                record(deeper);
                if (count > 0 && complete) extend(depth + 1, deeper, deeper + next.ceiling());
                chosen_.pop_back();
                if (!complete) return;
            }
            // The branch without this annotator.
            kept = 0;
            const std::size_t size = level.size;
            level.start(size);
            for (std::size_t j = 0; j < size; ++j) {
                const Id x = level.unit[j], a = level.annotator[j];
                if (a != branch) level.set(kept++, x, a, level.gain[j], level.half[j] - 0.5 * best[x]);
            }
            level.size = kept;
            upper = value + level.ceiling();
        }
    }

    const Part *part_ = nullptr;
    const double *dual_ = nullptr;
    Columns *found_ = nullptr;
    Watch *watch_ = nullptr;
    double threshold_ = 0;
    Wide nodes_ = 0, most_nodes_ = 0, most_found_ = 0;
    std::vector<double> best_, hope_, weight_;
    std::vector<double> half_;      // of each edge from a seed to a unit after it
    std::vector<Id> rank_, count_;  // the place of each unit in the order of seeds; units of each annotator
    std::vector<std::size_t> row_, silent_;
    std::vector<char> present_;
    std::vector<Id> low_, chosen_, sorted_;
    std::vector<Level> levels_;
};

}  // namespace unisono
