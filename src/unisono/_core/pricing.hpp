// SPDX-License-Identifier: MIT
// Pricing: given dual values, which unitary alignments cost less than their units' duals together?
//
// Depth first from each seed, annotator by annotator. The bound on what a branch can still gain takes for each free
// annotator its best candidate v, credited with its dual, its weights to the units chosen, and half of the best weight
// to each other free annotator: w(v,x) <= (best of v with x's annotator + best of x with v's annotator) / 2.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "watch.hpp"

namespace unisono {

class Pricing {
  public:
    void prepare(const Part &part) {
        part_ = &part;
        const Id m = part.size();
        const std::size_t n = static_cast<std::size_t>(part.n_annotators);
        const Graph &graph = part.graph;
        best_.assign(m * n, 0);
        hope_.assign(m, 0);
        low_.resize(m);
        row_.assign(m + 1, 0);
        for (Id u = 0; u < m; ++u) {
            const Id from = graph.first[u], to = graph.first[u + 1];
            low_[u] = from < to ? graph.other[from] : 0;
            row_[u + 1] = row_[u] + (from < to ? static_cast<std::size_t>(graph.other[to - 1] - low_[u] + 1) : 0);
            for (Id e = from; e < to; ++e) {
                double &best = best_[u * n + part.annotator[graph.other[e]]];
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

    std::size_t bytes() const { return (weight_.size() + best_.size() + half_.size()) * 8; }

    // Searches the columns with seed u for violations (sum of duals less cost) above `threshold`. Returns an upper
    // bound on the largest violation with this seed: exact, or `threshold`, unless `most_nodes` cut the search short.
    // With `all` every column above the threshold is kept in `found`, otherwise each better one than those before.
    template <class Dual>
    double search(Id u, const Dual &dual, double threshold, std::size_t most_nodes, bool all, Columns &found,
                  Watch &watch) {
        const Graph &graph = part_->graph;
        dual_ = dual.data();
        threshold_ = threshold;
        all_ = all;
        found_ = &found;
        watch_ = &watch;
        nodes_ = 0;
        most_nodes_ = most_nodes;
        complete = true;
        chosen_.assign(1, u);
        Level &level = levels_[0];
        const Id from = after_[u];
        level.start(static_cast<std::size_t>(graph.first[u + 1] - from));
        for (std::size_t i = 0; i < level.size; ++i) {
            const Id e = from + static_cast<Id>(i), v = graph.other[e];
            level.set(i, v, part_->annotator[v], dual_[v] + graph.w[e], half_[e]);
        }
        const double value = dual_[u] - 1, ceiling = level.ceiling();
        const bool promising = value + ceiling > threshold_;
        record(value);
        if (promising) extend(0, value, value + ceiling);
        if (!complete) return std::max(threshold_, value + ceiling);
        return threshold_;
    }

    bool complete = true;  // the last search was not cut short

  private:
    static constexpr double never = -1e300;

    // The candidates of one depth, and for each annotator the most that one of its candidates may add.
    struct Level {
        std::vector<Id> unit;
        std::vector<double> gain, half, term;
        std::vector<std::pair<double, std::size_t>> tries;
        std::size_t size = 0;  // of the first three, which only grow

        void start(std::size_t count) {
            size = count;
            if (unit.size() < count) {
                unit.resize(count);
                gain.resize(count);
                half.resize(count);
            }
            std::fill(term.begin(), term.end(), 0.0);
        }
        void set(std::size_t i, Id v, Id annotator, double its_gain, double its_half) {
            unit[i] = v;
            gain[i] = its_gain;
            half[i] = its_half;
            term[annotator] = std::max(term[annotator], its_gain + its_half);
        }
        void move(std::size_t from, std::size_t to) {
            unit[to] = unit[from];
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
        after_.resize(part_->size());
        half_.resize(graph.w.size());
        for (Id u = 0; u < part_->size(); ++u) {
            const Id end = graph.first[u + 1];
            Id e = graph.first[u];
            while (e < end && graph.other[e] < u) ++e;
            after_[u] = e;
            present_.assign(n, 0);
            for (Id i = e; i < end; ++i) present_[annotator[graph.other[i]]] = 1;
            silent_.clear();
            for (std::size_t a = 0; a < n; ++a)
                if (!present_[a]) silent_.push_back(a);
            for (; e < end; ++e) {
                const std::size_t v = static_cast<std::size_t>(graph.other[e]);
                double half = hope_[v];
                for (std::size_t a : silent_) half -= best_[v * n + a];
                half_[e] = 0.5 * half;
            }
        }
    }

    double weight(Id v, Id x) const {
        const std::size_t at = static_cast<std::size_t>(x - low_[v]);
        return x >= low_[v] && at < row_[v + 1] - row_[v] ? weight_[row_[v] + at] : never;
    }

    void record(double value) {
        if (value <= threshold_) return;
        sorted_ = chosen_;
        std::sort(sorted_.begin(), sorted_.end());
        double cost = -value;
        for (Id u : sorted_) cost += dual_[u];
        found_->add(sorted_.data(), sorted_.data() + sorted_.size(), cost);
        if (!all_) threshold_ = value;
    }

    // `upper`: value + the best that each free annotator may add.
    void extend(std::size_t depth, double value, double upper) {
        Level &level = levels_[depth];
        const Id *annotator = part_->annotator.data();
        const std::size_t n = static_cast<std::size_t>(part_->n_annotators);
        while (upper > threshold_) {
            if (++nodes_ > most_nodes_ || watch_->expired(level.size)) {
                complete = false;
                return;
            }
            // Candidates that cannot lift the bound above the threshold are dropped; the search branches on the
            // annotator that may add most.
            std::size_t kept = 0;
            for (std::size_t i = 0; i < level.size; ++i) {
                const double own = level.gain[i] + level.half[i];
                if (upper - level.term[annotator[level.unit[i]]] + own <= threshold_) continue;
                level.move(i, kept++);
            }
            level.size = kept;
            if (kept == 0) return;
            Id branch = annotator[level.unit[0]];
            for (std::size_t a = 0; a < n; ++a)
                if (level.term[a] > level.term[branch]) branch = static_cast<Id>(a);
            const double others = upper - level.term[branch];
            auto &tries = level.tries;
            tries.clear();
            for (std::size_t i = 0; i < level.size; ++i)
                if (annotator[level.unit[i]] == branch) tries.push_back({-(level.gain[i] + level.half[i]), i});
            std::sort(tries.begin(), tries.end());
            for (const auto &[minus, i] : tries) {
                if (others - minus <= threshold_) break;  // the threshold may have risen
                const Id v = level.unit[i];
                Level &next = levels_[depth + 1];
                next.start(level.size);
                std::size_t count = 0;
                for (std::size_t j = 0; j < level.size; ++j) {
                    const Id x = level.unit[j], a = annotator[x];
                    if (a == branch) continue;
                    const double w = weight(v, x);
                    if (w == never) continue;
                    next.set(count++, x, a, level.gain[j] + w, level.half[j] - 0.5 * best_[x * n + branch]);
                }
                next.size = count;
                chosen_.push_back(v);
                const double deeper = value + level.gain[i];
                record(deeper);
                if (count > 0) extend(depth + 1, deeper, deeper + next.ceiling());
                chosen_.pop_back();
                if (!complete) return;
            }
            // The branch without this annotator.
            kept = 0;
            const std::size_t size = level.size;
            level.start(size);
            for (std::size_t j = 0; j < size; ++j) {
                const Id x = level.unit[j], a = annotator[x];
                if (a != branch) level.set(kept++, x, a, level.gain[j], level.half[j] - 0.5 * best_[x * n + branch]);
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
    bool all_ = false;
    std::size_t nodes_ = 0, most_nodes_ = 0;
    std::vector<double> best_, hope_, weight_;
    std::vector<double> half_;  // of each edge from a seed to a unit after it
    std::vector<Id> after_;     // the first of them
    std::vector<std::size_t> row_, silent_;
    std::vector<char> present_;
    std::vector<Id> low_, chosen_, sorted_;
    std::vector<Level> levels_;
};

}  // namespace unisono
