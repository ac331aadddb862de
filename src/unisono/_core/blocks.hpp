// SPDX-License-Identifier: MIT
// A long part solved block by block, exactly.
//
// The part is cut into blocks where no column of small reduced cost crosses, and each block is searched on its own; its
// length is l(b). A partition that uses columns across cuts is no better if each such column
// costs at least as much as the lengths of the blocks it touches: the untouched blocks cost at least their lengths, and
// the crossing columns pay for the touched ones. Where one does not, its blocks become one and are searched again.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "frontier.hpp"
#include "watch.hpp"

namespace unisono {

// `Search` finds the best choice of columns for one block: a kind of Frontier.
template <class Search> class BlocksOf {
  public:
    std::vector<Id> chosen;
    double length = 0;

    Search &search() { return frontier_; }

    // All columns of reduced cost <= `known` are given; `known` is infinite when none is missing. The answer is no
    // when a block's length, or the lengths that a missing column might touch, exceed it.
    Found run(const Part &part, const Columns &columns, const std::vector<double> &rc, double known, Wide most_states,
              Watch &watch) {
        const Id m = part.size();
        std::size_t states = 0;
        double ready = std::min(known, 0.25);
        frontier_.prepare(part, columns, rc, ready);
        cut(m, columns, rc);
        while (true) {
            for (Id b = 0; b < static_cast<Id>(blocks_.size()); ++b) {
                Block &block = blocks_[b];
                if (block.done) continue;
                block.closed = false;
                for (double guess = std::min(known, 0.03);; guess = std::min(known, 2 * guess)) {
                    while (ready < guess) {
                        ready = std::min(known, 2 * ready);
                        frontier_.prepare(part, columns, rc, ready);
                    }
                    const Found found = frontier_.run(block.from, block.to, guess, most_states - states, watch);
                    states += frontier_.states_opened;
                    if (found == Found::unknown || states >= most_states) return Found::unknown;
                    block.closed = found == Found::yes;
                    if (block.closed || guess >= known) break;
                }
                // Not closed: without columns across its ends the block costs more than `known`, so any such column
                // that is given joins it to its neighbours.
                block.length = block.closed ? frontier_.length : known;
                if (block.closed) block.chosen = frontier_.chosen;
                block.done = true;
            }
            if (!merge(columns, rc)) break;
        }
        if (!missing_pay(part, known)) return Found::no;
        chosen.clear();
        length = 0;
        for (const Block &block : blocks_) {
            if (!block.closed) return Found::no;
            chosen.insert(chosen.end(), block.chosen.begin(), block.chosen.end());
            length += block.length;
        }
        return Found::yes;
    }

  private:
    struct Block {
        Id from, to;
        double length = 0;
        bool done = false, closed = false;
        std::vector<Id> chosen;
    };

    // Cuts wherever no cheap column crosses.
    void cut(Id m, const Columns &columns, const std::vector<double> &rc) {
        crossed_.assign(m + 1, 0);
        for (Id c = 0; c < columns.size(); ++c)
            if (rc[c] < 0.05) {
                ++crossed_[columns.seed(c) + 1];
                --crossed_[columns.end(c)[-1] + 1];
            }
        blocks_.clear();
        Id crossing = 0, from = 0;
        for (Id p = 1; p <= m; ++p) {
            crossing += crossed_[p];
            if (crossing == 0 || p == m) {
                blocks_.push_back({from, p, 0, false, false, {}});
                from = p;
            }
        }
    }

    // Joins the blocks under every crossing column that is too cheap. False when there is none.
    bool merge(const Columns &columns, const std::vector<double> &rc) {
        index();
        joined_.assign(blocks_.size(), 0);
        bool any = false;
        for (Id c = 0; c < columns.size(); ++c) {
            const Id a = block_of_[columns.seed(c)], b = block_of_[columns.end(c)[-1]];
            if (a == b || rc[c] > before_[b + 1] - before_[a] + tolerance) continue;
            for (Id x = a; x < b; ++x) joined_[x] = 1;
            any = true;
        }
        if (!any) return false;
        std::size_t kept = 0;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            if (b > 0 && joined_[b - 1]) {
                blocks_[kept - 1].to = blocks_[b].to;
                blocks_[kept - 1].done = false;
            } else {
                if (kept != b) blocks_[kept] = std::move(blocks_[b]);
                ++kept;
            }
        }
        blocks_.resize(kept);
        return true;
    }

    void index() {
        block_of_.resize(blocks_.back().to);
        before_.assign(1, 0);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            before_.push_back(before_.back() + blocks_[b].length);
            for (Id u = blocks_[b].from; u < blocks_[b].to; ++u) block_of_[u] = static_cast<Id>(b);
        }
    }

    // Whether a column that is not given, of reduced cost above `known`, pays for every block it could touch.
    bool missing_pay(const Part &part, double known) const {
        for (Id u = 0; u < part.size(); ++u) {
            if (part.graph.degree(u) == 0) continue;
            const Id last = std::max(u, part.graph.other[part.graph.first[u + 1] - 1]);
            if (before_[block_of_[last] + 1] - before_[block_of_[u]] > known) return false;
        }
        return true;
    }

    Search frontier_;
    std::vector<Block> blocks_;
    std::vector<Id> crossed_, block_of_;
    std::vector<double> before_;
    std::vector<char> joined_;
};

using Blocks = BlocksOf<PartitionFrontier>;

}  // namespace unisono
