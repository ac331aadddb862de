// SPDX-License-Identifier: MIT
// Which alignments are tied with a best one.
//
// A column (unitary alignment) can be in a best alignment only if its reduced cost is at most the gap, the cost of the
// best less the sum of the duals. Duals fitted to the columns left narrow the gap, and with it the columns; columns
// that share no unit form separate pieces, whose gaps are narrower still. Each piece is searched for all its best
// alignments.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "columns.hpp"
#include "duals.hpp"
#include "frontier.hpp"
#include "pricing.hpp"
#include "stage.hpp"
#include "tied_graph.hpp"

namespace unisono {

// The search that keeps every shortest path.
class TiedFrontier : public PartitionSteps<TiedFrontier> {
  public:
    // After a run that found one: each edge of a shortest path, sorted by position; states are numbered along the way.
    template <class Visit> Id each_edge(Visit visit) {
        number_.assign(position_.size(), -1);
        kept_.clear();
        for (std::size_t s = 0; s < position_.size(); ++s)
            if (on_path_[s]) kept_.push_back(static_cast<Id>(s));
        std::sort(kept_.begin(), kept_.end(),
                  [&](Id a, Id b) { return position_[a] < position_[b] || (position_[a] == position_[b] && a < b); });
        for (std::size_t i = 0; i < kept_.size(); ++i) number_[kept_[i]] = static_cast<Id>(i);
        for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
            const Edge &e = edges_[*i];
            if (on_path_[e.to]) visit(number_[e.from], number_[e.to], e.column);
        }
        return static_cast<Id>(kept_.size());
    }

  private:
    std::vector<Id> number_, kept_;
};

class Ties : private Stage {
  public:
    TiedGraph tied;
    bool is_best = true;  // false if the given alignment cannot be a best one
    bool capped = false;  // more columns or states than allowed
    Limit limit = Limit::none;

    // `group` and `dual`: a best alignment with its proof, as Aligner gives them.
    void run(const Units &units, const Id *annotator, Id m, Id n, const Kernel &kernel, const Id *group,
             const double *dual, std::size_t most, Watch &watch) {
        prepare(units, annotator, m, n, kernel, watch);
        find(m, kernel.delta_empty(), group, dual, most, watch);
    }

    void run(const Units &units, const Id *annotator, Id m, Id n, double delta, const std::vector<Id> &u,
             const std::vector<Id> &v, const std::vector<double> &d, const Id *group, const double *dual,
             std::size_t most, Watch &watch) {
        prepare(units, annotator, m, n, delta, u, v, d, watch);
        find(m, delta, group, dual, most, watch);
    }

  private:
    // Some units with the columns that can be in a best alignment of them, in numbers of their own.
    struct Piece {
        std::vector<Id> unit;  // in the part, ascending
        Columns columns;
        std::vector<double> dual;
        double best = 0;  // cost of a best alignment
    };

    void find(Id m, double delta, const Id *group, const double *dual, std::size_t most, Watch &watch) {
        most_ = most;
        states_ = 0;
        size_of_group_.assign(m, 0);
        for (Id u = 0; u < m; ++u) ++size_of_group_[group[u]];
        division_.each_part([&](const Part &part, const Id *units) {
            if (!is_best || capped || watch.reached() != Limit::none) return;
            part_of_ = &part;
            units_ = units;
            Piece piece;
            piece.unit.resize(part.size());
            std::iota(piece.unit.begin(), piece.unit.end(), 0);
            if (!measure(part, units, group)) {
                is_best = false;
                return;
            }
            for (Id u = 0; u < part.size(); ++u) {
                piece.best += share_[u];
                piece.dual.push_back(dual[order_[units[u]]] / delta);
            }
            list(part, piece, watch);
            narrow(piece, watch);
        });
        limit = watch.reached();
    }

    // The cost of each group, shared among its units: half of each pair, and an even part of the cost of a group.
    // False when a group holds units that are not near.
    bool measure(const Part &part, const Id *units, const Id *group) {
        const Id m = part.size();
        share_.resize(m);
        for (Id u = 0; u < m; ++u) {
            const Id own = group[order_[units[u]]];
            double sum = 0;
            Id size = 1;
            for (Id e = part.graph.first[u]; e < part.graph.first[u + 1]; ++e)
                if (group[order_[units[part.graph.other[e]]]] == own) {
                    sum += part.graph.w[e];
                    ++size;
                }
            if (size != size_of_group_[own]) return false;
            share_[u] = 1.0 / size - 0.5 * sum;
        }
        return true;
    }

    void list(const Part &part, Piece &piece, Watch &watch) {
        const double gap = gap_of(piece);
        pricing_.prepare(part, false);
        for (Id u = 0; u < part.size(); ++u) {
            pricing_.list(u, piece.dual, -gap - 2 * tolerance, Wide{100} * most_, most_, piece.columns, watch);
            if (!pricing_.complete || piece.columns.cost.size() > most_) {
                capped = true;
                return;
            }
        }
        // Duals of another dissimilarity prove nothing: some column costs less than its units' duals together.
        for (Id c = 0; c < piece.columns.size(); ++c) is_best &= piece.columns.reduced_cost(c, piece.dual) > -1e-7;
    }

    double gap_of(const Piece &piece) const {
        return std::max(0.0, piece.best - std::accumulate(piece.dual.begin(), piece.dual.end(), 0.0));
    }

    void narrow(Piece &piece, Watch &watch) {
        std::vector<Piece> waiting;
        waiting.push_back(std::move(piece));
        while (!waiting.empty() && is_best && !capped && watch.reached() == Limit::none) {
            Piece next = std::move(waiting.back());
            waiting.pop_back();
            if (next.unit.size() == 1) {
                tied.fixed.push_back(add(next.unit.data(), next.unit.data() + 1));
                continue;
            }
            const double before = gap_of(next);
            drop(next, before);
            if (split(next, waiting)) continue;
            if (before > 10 * tolerance) {
                fit(next, watch);
                if (gap_of(next) < 0.7 * before) {
                    waiting.push_back(std::move(next));
                    continue;
                }
            }
            search(next, watch);
        }
    }

    // Keeps the columns that the gap allows.
    void drop(Piece &piece, double gap) {
        Columns kept;
        for (Id c = 0; c < piece.columns.size(); ++c)
            if (piece.columns.reduced_cost(c, piece.dual) <= gap + 2 * tolerance)
                kept.add(piece.columns.begin(c), piece.columns.end(c), piece.columns.cost[c]);
        piece.columns = std::move(kept);
    }

    // Duals closer to the best of the columns left; never a wider gap.
    void fit(Piece &piece, Watch &watch) {
        const Id m = static_cast<Id>(piece.unit.size());
        const double gap = gap_of(piece);
        duals_.start(m, piece.columns, 0.5);
        duals_.dual = piece.dual;
        duals_.refresh(piece.columns);
        duals_.subgradient(piece.columns, piece.best, 300, watch);
        incidence_.build(m, piece.columns);
        duals_.settle(incidence_);
        std::swap(piece.dual, duals_.dual);
        if (gap_of(piece) > gap) std::swap(piece.dual, duals_.dual);
    }

    // Splits into pieces that no column joins; false where there is only one.
    bool split(Piece &piece, std::vector<Piece> &waiting) {
        const Id m = static_cast<Id>(piece.unit.size());
        pairs_of_columns_.clear();
        const Columns &columns = piece.columns;
        for (Id c = 0; c < columns.size(); ++c)
            for (const Id *u = columns.begin(c) + 1; u != columns.end(c); ++u)
                pairs_of_columns_.push_back({columns.seed(c), *u, 0});
        pieces_.find(m, pairs_of_columns_);
        if (pieces_.count == 1) return false;
        const std::size_t from = waiting.size();
        waiting.resize(from + pieces_.count);
        home_.resize(m);
        index_.resize(m);
        for (Id p = 0; p < pieces_.count; ++p)
            for (Id i = pieces_.first[p]; i < pieces_.first[p + 1]; ++i) {
                const Id u = pieces_.unit[i];
                Piece &to = waiting[from + p];
                home_[u] = p;
                index_[u] = static_cast<Id>(to.unit.size());
                to.unit.push_back(piece.unit[u]);
                to.dual.push_back(piece.dual[u]);
                to.best += share_[piece.unit[u]];
            }
        for (Id c = 0; c < columns.size(); ++c) {
            members_.clear();
            for (const Id *u = columns.begin(c); u != columns.end(c); ++u) members_.push_back(index_[*u]);
            waiting[from + home_[columns.seed(c)]].columns.add(members_.data(), members_.data() + members_.size(),
                                                               columns.cost[c]);
        }
        return true;
    }

    // Every way to align the units of a piece at least cost.
    void search(Piece &piece, Watch &watch) {
        const Id m = static_cast<Id>(piece.unit.size());
        const double gap = gap_of(piece);
        own_.graph.n_units = m;
        own_.content.resize(m);
        for (Id u = 0; u < m; ++u) own_.content[u] = part_of_->content[piece.unit[u]];
        own_.ties_matter = true;
        duals_.dual = piece.dual;
        duals_.refresh(piece.columns);
        frontier_.prepare(own_, piece.columns, duals_.rc, gap + 2 * tolerance);
        // Once it has reached the end, the search allows itself twenty times the states.
        const Found found = frontier_.run(0, m, gap + 2 * tolerance, most_ / 20 + 1, watch);
        states_ += frontier_.states_opened;
        if (found == Found::unknown || states_ > most_) {
            capped = true;
            return;
        }
        if (found == Found::no || frontier_.length < gap - 1e-7) {  // the given one is not among them, or not best
            is_best = false;
            return;
        }
        column_.assign(piece.columns.size(), -1);
        const std::size_t first = tied.edges.size();
        const Id states = frontier_.each_edge([&](Id from, Id to, Id c) {
            if (column_[c] < 0) {
                members_.clear();
                for (const Id *u = piece.columns.begin(c); u != piece.columns.end(c); ++u)
                    members_.push_back(piece.unit[*u]);
                column_[c] = add(members_.data(), members_.data() + members_.size());
            }
            tied.edges.push_back({from, to, column_[c]});
        });
        if (tied.edges.size() - first == static_cast<std::size_t>(states) - 1) {  // a single path
            for (std::size_t e = first; e < tied.edges.size(); ++e) tied.fixed.push_back(tied.edges[e].column);
            tied.edges.resize(first);
        } else tied.choices.push_back({first, tied.edges.size(), states});
    }

    Id add(const Id *from, const Id *to) {
        const std::size_t at = tied.member.size();
        for (const Id *u = from; u != to; ++u) tied.member.push_back(order_[units_[*u]]);
        std::sort(tied.member.begin() + at, tied.member.end());
        tied.first.push_back(static_cast<std::int64_t>(tied.member.size()));
        return tied.n_columns() - 1;
    }

    std::size_t most_ = 0, states_ = 0;
    const Part *part_of_ = nullptr;
    const Id *units_ = nullptr;
    Pricing pricing_;
    Duals duals_;
    Incidence incidence_;
    TiedFrontier frontier_;
    Parts pieces_;
    Part own_;
    std::vector<Pair> pairs_of_columns_;
    std::vector<double> share_;
    std::vector<Id> size_of_group_, home_, index_, members_, column_;
};

}  // namespace unisono
