// SPDX-License-Identifier: MIT
// Random versions of a pre-annotated text: edits of the text, of the segmentation, labels (Barteld et al. 2016,
// section 6).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "philox.hpp"
#include "text_version.hpp"

namespace unisono {

// Draws values with the frequencies of what was observed: whole numbers, so that every machine draws alike.
struct Observed {
    std::vector<std::int32_t> value;
    std::vector<std::uint64_t> until;  // running sums of the counts

    bool empty() const { return until.empty(); }
    std::int32_t draw(Philox &random) const {
        const std::uint64_t r = random.bounded(until.back());
        return value[std::upper_bound(until.begin(), until.end(), r) - until.begin()];
    }
};

struct EditModel {
    std::vector<const TextVersion *> bases;  // the pre-annotation, or each annotator's version in turn
    Id n_types = 1;                          // real ones, from the outermost; the last is the one whose text is edited
    bool has_gaps = false;                   // gaps are units of type n_types
    bool is_exact = false;                   // shares of the units, rounded, instead of probabilities
    double p_text = 0, p_seg = 0, p_further = 0;
    std::vector<double> p_label;  // of each feature; below 0: the base has no such labels, all are drawn
    Observed characters;
    std::vector<Observed> labels;  // of each type, each feature
    std::uint64_t key0 = 0, key1 = 0;
};

class RandomEdits {
  public:
    // Version `annotator` of sample `sample`: it depends on nothing else.
    TextVersion draw(const EditModel &model, std::uint64_t sample, std::uint64_t annotator) {
        Philox random(model.key0, model.key1, {0, annotator, sample, 1});
        TextVersion version = *model.bases[sample % model.bases.size()];
        if (model.p_text > 0) edit_text(model, version, random);
        if (model.p_seg > 0) edit_units(model, version, random);
        label(model, version, random);
        if (model.has_gaps) version.add_gaps(model.n_types);
        return version;
    }

  private:
    // Which of `count` things: each with probability p, or exactly the share p of them, all choices equally likely.
    class Chosen {
      public:
        Chosen(double p, std::size_t count, bool exact)
            : p_(p), left_(count), wanted_(static_cast<std::size_t>(std::max(0.0, std::floor(p * count + 0.5)))),
              exact_(exact) {}
        bool next(Philox &random) {
            if (!exact_) return random.uniform() < p_;
            const bool yes = random.bounded(left_--) < wanted_;
            wanted_ -= yes;
            return yes;
        }

      private:
        double p_;
        std::size_t left_, wanted_;
        bool exact_;
    };

    void edit_text(const EditModel &model, TextVersion &version, Philox &random) {
        if (model.has_gaps) version.add_gaps(model.n_types);
        edited_.clear();
        for (Id u = 0; u < version.size(); ++u)
            if (version.type[u] >= model.n_types - 1) edited_.push_back(u);
        std::sort(edited_.begin(), edited_.end(), [&](Id x, Id y) {
            return std::tie(version.start[x], version.end[x], x) < std::tie(version.start[y], version.end[y], y);
        });
        Chosen chosen(model.p_text, edited_.size(), model.is_exact);
        std::vector<Symbol> text;
        text.reserve(version.text.size() + edited_.size());
        changes_.clear();
        Id at = 0;
        for (const Id u : edited_) {
            const Id start = version.start[u], end = version.end[u];
            text.insert(text.end(), version.text.begin() + at, version.text.begin() + start);
            const Id from = static_cast<Id>(text.size());
            word_.assign(version.text.begin() + start, version.text.begin() + end);
            if (chosen.next(random)) {
                do edit_word(model, random);
                while (model.p_further > 0 && random.uniform() < model.p_further);
            }
            text.insert(text.end(), word_.begin(), word_.end());
            version.start[u] = from;
            version.end[u] = static_cast<Id>(text.size());
            changes_.push_back({start, end, from, version.end[u]});
            at = end;
        }
        text.insert(text.end(), version.text.begin() + at, version.text.end());
        for (Id u = 0; u < version.size(); ++u) {
            if (version.type[u] >= model.n_types - 1) continue;
            version.start[u] = moved(version.start[u]);
            version.end[u] = std::max(version.start[u], moved(version.end[u]));
        }
        version.text = std::move(text);
        if (model.has_gaps) version.drop_type(model.n_types);
    }

    // Insertion, deletion or substitution. A deletion never empties a unit, a substitution always changes it.
    void edit_word(const EditModel &model, Philox &random) {
        const std::size_t length = word_.size();
        std::uint64_t kind = random.bounded(3);
        if (kind == 1 && length < 2) kind = 2 * random.bounded(2);
        std::size_t place = 0;
        if (kind == 2) {
            if (length > 0) place = random.bounded(length);
            if (length == 0 || (model.characters.value.size() == 1 && model.characters.value[0] == word_[place]))
                kind = 0;
        }
        if (kind == 0) {
            place = random.bounded(length + 1);
            word_.insert(word_.begin() + place, model.characters.draw(random));
        } else if (kind == 1) {
            word_.erase(word_.begin() + random.bounded(length));
        } else {
            Symbol other;
            do other = model.characters.draw(random);
            while (other == word_[place]);
            word_[place] = other;
        }
    }

    // Where a boundary of an outer unit is after the edits.
    Id moved(Id position) const {
        const auto after = std::upper_bound(changes_.begin(), changes_.end(), position,
                                            [](Id p, const Change &change) { return p < change.start; });
        if (after == changes_.begin()) return position;
        const Change &change = *(after - 1);
        if (position >= change.end) return change.new_end + (position - change.end);
        return std::min(change.new_start + (position - change.start), change.new_end);
    }

    struct Piece {
        Id start, end, source, previous, next, place;
    };

    // Splits and merges of the units of each type, the innermost first. Units in a list, so that each change is cheap.
    void edit_units(const EditModel &model, TextVersion &version, Philox &random) {
        TextVersion changed;
        changed.n_features = version.n_features;
        std::vector<std::vector<Piece>> of_type(model.n_types);
        inner_.clear();
        for (Id type = model.n_types - 1; type >= 0; --type) {
            pieces_.clear();
            alive_.clear();
            for (Id u = 0; u < version.size(); ++u) {
                if (version.type[u] != type) continue;
                const Id p = static_cast<Id>(pieces_.size());
                pieces_.push_back({version.start[u], version.end[u], u, p - 1, p + 1, p});
                alive_.push_back(p);
            }
            is_innermost_ = type == model.n_types - 1;
            if (!pieces_.empty()) {
                pieces_.back().next = -1;
                change_units(model, random);
            }
            if (is_innermost_) inner_ = in_order();
            of_type[type] = in_order();
        }
        for (Id type = 0; type < model.n_types; ++type)
            for (const Piece &piece : of_type[type])
                changed.add(piece.start, piece.end, type, version.labels(piece.source));
        changed.text = std::move(version.text);
        version = std::move(changed);
    }

    void change_units(const EditModel &model, Philox &random) {
        Chosen chosen(model.p_seg, alive_.size(), model.is_exact);
        std::size_t changes = 0, splittable = 0;
        for (std::size_t i = 0; i < alive_.size(); ++i) changes += chosen.next(random);
        for (const Id p : alive_) splittable += can_split(p);
        while (changes-- > 0) {
            const bool can_merge = alive_.size() > 1;
            if (!can_merge && splittable == 0) return;
            std::uint64_t kind;
            do kind = random.bounded(3);
            while (kind == 0 ? splittable == 0 : !can_merge);
            Id p;
            do p = alive_[random.bounded(alive_.size())];
            while (kind == 0 ? !can_split(p) : (kind == 1 ? pieces_[p].previous : pieces_[p].next) < 0);
            if (kind == 0) {
                splittable -= 1;
                split(p, random);
                splittable += can_split(p) + can_split(pieces_[p].next);
            } else {
                const Id other = kind == 1 ? pieces_[p].previous : pieces_[p].next;
                splittable -= can_split(p) + can_split(other);
                merge(p, other);
                splittable += can_split(p);
            }
        }
    }

    // Units of the innermost type are split between two characters, outer ones between two inner units.
    bool can_split(Id p) const {
        if (is_innermost_) return pieces_[p].end - pieces_[p].start > 1;
        const auto [first, last] = starts_inside(p);
        return last > first;
    }

    std::pair<std::size_t, std::size_t> starts_inside(Id p) const {
        const auto before = [](const Piece &piece, Id position) { return piece.start < position; };
        const auto first = std::lower_bound(inner_.begin(), inner_.end(), pieces_[p].start + 1, before);
        const auto last = std::lower_bound(first, inner_.end(), pieces_[p].end, before);
        return {first - inner_.begin(), last - inner_.begin()};
    }

    void split(Id p, Philox &random) {
        Id left, right;
        if (is_innermost_) {
            left = right =
                pieces_[p].start + 1 + static_cast<Id>(random.bounded(pieces_[p].end - pieces_[p].start - 1));
        } else {
            const auto [first, last] = starts_inside(p);
            const std::size_t at = first + random.bounded(last - first);
            right = inner_[at].start;
            left = at > 0 ? std::clamp(inner_[at - 1].end, pieces_[p].start, right) : right;
            if (left == pieces_[p].start) left = right;
        }
        const Id q = static_cast<Id>(pieces_.size());
        Piece second{right, pieces_[p].end, pieces_[p].source, p, pieces_[p].next, static_cast<Id>(alive_.size())};
        if (second.next >= 0) pieces_[second.next].previous = q;
        pieces_[p].end = left;
        pieces_[p].next = q;
        pieces_.push_back(second);
        alive_.push_back(q);
    }

    // The chosen unit takes in its neighbour and all that lies between them; it keeps its labels.
    void merge(Id p, Id other) {
        Piece &piece = pieces_[p];
        const Piece gone = pieces_[other];
        if (other == piece.previous) {
            piece.start = gone.start;
            piece.previous = gone.previous;
            if (gone.previous >= 0) pieces_[gone.previous].next = p;
        } else {
            piece.end = gone.end;
            piece.next = gone.next;
            if (gone.next >= 0) pieces_[gone.next].previous = p;
        }
        const Id last = alive_.back();
        alive_[gone.place] = last;
        pieces_[last].place = gone.place;
        alive_.pop_back();
    }

    std::vector<Piece> in_order() const {
        std::vector<Piece> ordered;
        if (alive_.empty()) return ordered;
        Id p = alive_[0];
        while (pieces_[p].previous >= 0) p = pieces_[p].previous;
        for (; p >= 0; p = pieces_[p].next) ordered.push_back(pieces_[p]);
        return ordered;
    }

    void label(const EditModel &model, TextVersion &version, Philox &random) {
        for (std::size_t f = 0; f < version.n_features; ++f) {
            const double p = model.p_label[f];
            Chosen chosen(p, version.start.size(), model.is_exact);
            for (Id u = 0; u < version.size(); ++u) {
                const Observed &observed = model.labels[version.type[u] * version.n_features + f];
                if (p >= 0 && !chosen.next(random)) continue;
                version.label[u * version.n_features + f] = observed.empty() ? -1 : observed.draw(random);
            }
        }
    }

    struct Change {
        Id start, end, new_start, new_end;
    };
    std::vector<Id> edited_, alive_;
    std::vector<Symbol> word_;
    std::vector<Change> changes_;
    std::vector<Piece> pieces_, inner_;
    bool is_innermost_ = true;
};

}  // namespace unisono
