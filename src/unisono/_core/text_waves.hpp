// SPDX-License-Identifier: MIT
// Which positions lie on an optimal sequence alignment: furthest reaching points (Myers 1986) from the end backwards.
//
// Symbols of weight w are w unit symbols in a row; the least cost is the same, because partly matched symbols in a row
// form chains of one and the same symbol, on each of which whole matches are worth as much (a bipartite matching on a
// path). F_e[k] is the furthest point on diagonal k that costs at most e from the end. Along a diagonal the cost never
// falls, so that a position costs at most e exactly if it lies not beyond F_e. Time grows with the square of the cost,
// not with the product of the lengths; every 256th wave is kept, the ones between are computed again when they are
// asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "text_version.hpp"
#include "watch.hpp"

namespace unisono {

class TextWaves {
  public:
    Id cost = 0;  // the least cost of all, in units of the common measure of the weights

    // False when a limit was reached.
    bool run(const TextSequence &a, const TextSequence &b, Id character, Id boundary, Watch &watch) {
        expand(a, character, boundary, a_, from_end_a_);
        expand(b, character, boundary, b_, from_end_b_);
        n_ = static_cast<Id>(a_.size());
        m_ = static_cast<Id>(b_.size());
        kept_.clear();
        cost = -1;  // not known yet
        Wide bytes = 0;
        Wave wave, next;
        for (Id e = 0;; ++e) {
            step(wave, e, next);
            std::swap(wave, next);
            if (e % every == 0) {
                kept_.push_back(wave);
                bytes += wave.x.size() * sizeof(Id);
            }
            if (wave.at(n_ - m_) == n_) {
                cost = e;
                break;
            }
            // Two blocks of waves will be computed again.
            if (watch.expired(wave.x.size()) || watch.too_big(bytes + Wide{2 * sizeof(Id)} * every * wave.x.size()))
                return false;
        }
        for (Block &block : blocks_) block.number = -1;
        return true;
    }

    // Whether positions (i, j) of the two sequences cost at most `cost - done` from there to the end.
    bool reaches(Id i, Id j, Id done) {
        const Id e = cost - done;
        if (e < 0) return false;
        const Id x = from_end_a_[i], k = x - from_end_b_[j];
        return x <= level(e).at(k);
    }

  private:
    static constexpr Id every = 256;

    struct Wave {
        Id low = 0;                 // the lowest diagonal; every other one follows
        std::vector<Id> x{-1, -1};  // the furthest point on each, with an unreachable one at either end
        Id at(Id k) const {
            const Id place = k - low;
            if (place < 0 || place % 2 != 0 || place / 2 + 2 >= static_cast<Id>(x.size())) return -1;
            return x[place / 2 + 1];
        }
    };

    struct Block {
        Id number = -1;
        std::vector<Wave> waves;
    };

    static void expand(const TextSequence &sequence, Id character, Id boundary, std::vector<Symbol> &symbols,
                       std::vector<Id> &from_end) {
        symbols.clear();
        from_end.assign(sequence.symbol.size() + 1, 0);
        for (std::size_t i = sequence.symbol.size(); i-- > 0;) {
            const Symbol s = sequence.symbol[i];
            const Id weight = is_boundary(s) ? boundary : character;
            if (weight == 1) symbols.push_back(s);
            else  // the parts of one symbol differ, and differ from those of every other
                for (Id part = 0; part < weight; ++part) symbols.push_back(s * weight + part);
            from_end[i] = from_end[i + 1] + weight;
        }
    }

    // The wave of cost e from that of cost e - 1; once the cost is known, only where it can still matter.
    void step(const Wave &before, Id e, Wave &after) const {
        Id low = std::max(-e, -m_), high = std::min(e, n_);
        if (cost >= 0) {
            low = std::max(low, n_ - m_ - (cost - e));
            high = std::min(high, n_ - m_ + (cost - e));
        }
        if ((low - e) % 2 != 0) ++low;
        if ((high - e) % 2 != 0) --high;
        after.low = low;
        const Id size = std::max(0, (high - low) / 2 + 1);
        after.x.resize(static_cast<std::size_t>(size) + 2);
        after.x.front() = after.x.back() = -1;
        const Symbol *a = a_.data(), *b = b_.data();
        // Diagonal low - 1 is entry (low - 1 - before.low) / 2 + 1 of the wave before; at the edges, an
        // unreachable one.
        const Id *from = before.x.data() + (low + 1 - before.low) / 2;
        Id *to = after.x.data() + 1;
        Id k = low;
        for (Id i = 0; i < size; ++i, k += 2) {
            const Id last = std::min(n_, m_ + k);
            Id x = e == 0 ? 0 : std::min(std::max(from[i] + 1, from[i + 1]), last);
            while (x < last && a[x] == b[x - k]) ++x;
            to[i] = x;
        }
    }

    const Wave &level(Id e) {
        const Id number = e / every;
        Block &block = blocks_[number % 2];  // at most two neighbouring blocks are needed at a time
        if (block.number != number) {
            block.number = number;
            block.waves.resize(every);
            block.waves[0] = kept_[number];
            const Id last = std::min(cost, number * every + every - 1);
            for (Id at = number * every + 1; at <= last; ++at)
                step(block.waves[at - number * every - 1], at, block.waves[at - number * every]);
        }
        return block.waves[e - number * every];
    }

    std::vector<Symbol> a_, b_;  // unit symbols, from the end
    std::vector<Id> from_end_a_, from_end_b_;
    Id n_ = 0, m_ = 0;
    std::vector<Wave> kept_;
    Block blocks_[2];
};

}  // namespace unisono
