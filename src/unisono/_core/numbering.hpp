// SPDX-License-Identifier: MIT
// Annotators and labels numbered by content: the same numbers whatever they are called and in which order they come.
//
// Colour refinement. The colour of an annotator is the rank of its sorted units (start, end, colours of the labels),
// the colour of a label the rank of its sorted occurrences (start, end, colour of the annotator, colours of the
// labels); both are computed in turn until no class splits any more. Where several documents are numbered together,
// documents have colours too: the rank of the sorted colours of their annotators. Members of a class that are not equal
// in content are then separated one at a time: the one whose separation gives the smallest coloured list of units comes
// first. The slow twin is tests/reference/content.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "graph.hpp"
#include "runs.hpp"
#include "sizes.hpp"

namespace unisono {

// What is numbered: units of annotators of documents.
struct Marked {
    const double *start, *end;         // of each unit, from the beginning of its document
    const Id *annotator;               // of each unit: its place among the annotators of all documents
    const std::int32_t *label;         // feature by feature, one code for each unit; -1: none
    const std::int32_t *label_colour;  // the same: the colour to begin with
    std::size_t n_features, stride;    // stride: the length of a feature's column
    const Id *document;                // of each annotator
    const Id *annotator_colour;        // of each annotator: the colour to begin with
    const double *length;              // of each document
};

// One for many calls: it keeps its buffers.
class ContentNumbering {
  public:
    std::vector<Id> annotator;  // number of each annotator within its document
    std::vector<Id> label;      // feature by feature, number of each unit's label; -1: none
    std::vector<Id> content;    // number of the unit's combination of labels
    std::vector<Id> unit;       // the units sorted by (document, annotator, start, end, content), by numbers
    std::vector<Id> document;   // the documents in the order of their content

    // Units m_from .. m_to, annotators a_from .. a_to, documents d_from .. d_to of all that is marked.
    void run(const Marked &marked, std::size_t m_from, std::size_t m_to, std::size_t a_from, std::size_t a_to,
             std::size_t d_from, std::size_t d_to) {
        take(marked, m_from, m_to, a_from, a_to, d_from, d_to);
        refine(now_, 1);
        if (n_features_ > 1) refine(now_, n_features_);
        if (!is_discrete(now_)) separate();
        hand_out();
    }

  private:
    struct Colours {
        std::vector<Id> document, annotator, label;
        Id n_documents = 0, n_annotators = 0, n_labels = 0;
        Id count() const { return n_documents + n_annotators + n_labels; }
    };

    void take(const Marked &marked, std::size_t m_from, std::size_t m_to, std::size_t a_from, std::size_t a_to,
              std::size_t d_from, std::size_t d_to) {
        m_ = static_cast<Id>(m_to - m_from);
        n_features_ = marked.n_features;
        const double *start = marked.start + m_from, *end = marked.end + m_from;
        annotator_of_.resize(m_);
        for (Id u = 0; u < m_; ++u) annotator_of_[u] = marked.annotator[m_from + u] - static_cast<Id>(a_from);
        // Places: the rank of (start, end).
        sorted_.resize(m_);
        std::iota(sorted_.begin(), sorted_.end(), 0);
        sort_runs_(sorted_, [&](Id u, Id v) { return start[u] != start[v] ? start[u] < start[v] : end[u] < end[v]; });
        by_place_ = sorted_;
        place_.resize(m_);
        for (Id i = 0, rank = 0; i < m_; ++i) {
            const Id u = sorted_[i], v = sorted_[i > 0 ? i - 1 : 0];
            rank += start[u] != start[v] || end[u] != end[v];
            place_[u] = rank;
        }
        // Labels: numbered from 0 over all features, by feature and code.
        label_of_.resize(cells(n_features_, m_));
        now_.label.clear();
        for (std::size_t f = 0; f < n_features_; ++f) {
            const std::int32_t *code = marked.label + f * marked.stride + m_from;
            const std::int32_t *colour = marked.label_colour + f * marked.stride + m_from;
            const Id first = static_cast<Id>(now_.label.size());
            // Colours of different features never meet, those of the first feature come first.
            const Id base = first > 0 ? 1 + *std::max_element(now_.label.begin(), now_.label.end()) : 0;
            now_.label.resize(first + number_codes(code), 0);
            for (Id u = 0; u < m_; ++u) {
                Id &label = label_of_[f * m_ + u];
                label = code[u] < 0 ? -1 : first + number_of(code[u]);
                if (label >= 0) now_.label[label] = base + colour[u];
            }
        }
        document_of_.resize(a_to - a_from);
        for (std::size_t a = a_from; a < a_to; ++a)
            document_of_[a - a_from] = marked.document[a] - static_cast<Id>(d_from);
        now_.annotator.assign(marked.annotator_colour + a_from, marked.annotator_colour + a_to);
        // Documents begin with the rank of their length.
        const std::size_t n = d_to - d_from;
        now_.document.assign(n, 0);
        if (n > 1) {
            objects_.resize(n);
            std::iota(objects_.begin(), objects_.end(), 0);
            const double *length = marked.length + d_from;
            std::sort(objects_.begin(), objects_.end(), [&](Id a, Id b) { return length[a] < length[b]; });
            for (std::size_t i = 1; i < n; ++i)
                now_.document[objects_[i]] =
                    now_.document[objects_[i - 1]] + (length[objects_[i]] != length[objects_[i - 1]]);
        }
        now_.n_documents = now_.n_annotators = now_.n_labels = 0;
    }

    // Numbers the codes of the units, those below 0 left out, in ascending order; returns how many there are. Codes are
    // small as a rule, so that a table of all of them is shorter than the list of units, and faster than sorting.
    std::size_t number_codes(const std::int32_t *code) {
        const std::int32_t most = m_ > 0 ? *std::max_element(code, code + m_) : -1;
        codes_.clear();
        number_.clear();
        if (most >= m_) {
            for (Id u = 0; u < m_; ++u)
                if (code[u] >= 0) codes_.push_back(code[u]);
            std::sort(codes_.begin(), codes_.end());
            codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
            return codes_.size();
        }
        number_.assign(static_cast<std::size_t>(most + 1), 0);
        for (Id u = 0; u < m_; ++u)
            if (code[u] >= 0) number_[code[u]] = 1;
        Id count = 0;
        for (Id &number : number_) number = number > 0 ? count++ : -1;
        return static_cast<std::size_t>(count);
    }

    Id number_of(std::int32_t code) const {
        if (!number_.empty()) return number_[code];
        return static_cast<Id>(std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin());
    }

    Id colour_of(const Colours &c, std::size_t f, Id u) const {
        const Id label = label_of_[f * m_ + u];
        return label < 0 ? -1 : c.label[label];
    }

    int compare_labels(const Colours &c, std::size_t features, Id u, Id v) const {
        for (std::size_t f = 0; f < features; ++f)
            if (const Id a = colour_of(c, f, u), b = colour_of(c, f, v); a != b) return a < b ? -1 : 1;
        return 0;
    }

    // Dense ranks of the units by (place, annotator where asked for, labels); `sorted_` has them in that order.
    void rank_units(const Colours &c, std::size_t features, bool by_annotator) {
        const auto compare = [&](Id u, Id v) {
            if (place_[u] != place_[v]) return place_[u] < place_[v] ? -1 : 1;
            if (by_annotator)
                if (const Id a = c.annotator[annotator_of_[u]], b = c.annotator[annotator_of_[v]]; a != b)
                    return a < b ? -1 : 1;
            return compare_labels(c, features, u, v);
        };
        // By place already: only units at one place change their order.
        sorted_ = by_place_;
        sort_nearly_sorted(sorted_, [&](Id u, Id v) { return compare(u, v) < 0; });
        rank_.resize(m_);
        for (Id i = 0, rank = 0; i < m_; ++i) {
            rank += i > 0 && compare(sorted_[i - 1], sorted_[i]) != 0;
            rank_[sorted_[i]] = rank;
        }
    }

    // The sorted values of each object: add every (object, value), by value, after counting every object.
    void begin_lists(std::size_t objects) { first_.assign(objects + 2, 0); }
    void count(Id object) { ++first_[object + 2]; }
    void end_counting() {
        for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
        value_.resize(first_.back());
    }
    void add(Id object, Id value) { value_[first_[object + 1]++] = value; }

    // New colours by (old colour, colour of what it belongs to, sorted values); returns how many there are.
    template <class Belongs> Id rank_objects(std::vector<Id> &colour, Belongs belongs) {
        const auto compare = [&](Id a, Id b) {
            if (colour[a] != colour[b]) return colour[a] < colour[b] ? -1 : 1;
            if (const Id x = belongs(a), y = belongs(b); x != y) return x < y ? -1 : 1;
            const Id *p = value_.data() + first_[a], *p_end = value_.data() + first_[a + 1];
            const Id *q = value_.data() + first_[b], *q_end = value_.data() + first_[b + 1];
            for (; p != p_end && q != q_end; ++p, ++q)
                if (*p != *q) return *p < *q ? -1 : 1;
            return p != p_end ? 1 : q != q_end ? -1 : 0;
        };
        objects_.resize(colour.size());
        std::iota(objects_.begin(), objects_.end(), 0);
        std::sort(objects_.begin(), objects_.end(), [&](Id a, Id b) { return compare(a, b) < 0; });
        fresh_.resize(colour.size());
        Id rank = 0;
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            rank += i > 0 && compare(objects_[i - 1], objects_[i]) != 0;
            fresh_[objects_[i]] = rank;
        }
        colour.swap(fresh_);
        return objects_.empty() ? 0 : rank + 1;
    }

    void refine(Colours &c, std::size_t features) {
        for (Id before = -1; c.count() != before && !is_discrete(c);) {
            before = c.count();
            rank_units(c, features, false);
            begin_lists(c.annotator.size());
            for (Id u = 0; u < m_; ++u) count(annotator_of_[u]);
            end_counting();
            for (const Id u : sorted_) add(annotator_of_[u], rank_[u]);
            c.n_annotators = rank_objects(c.annotator, [&](Id a) { return c.document[document_of_[a]]; });

            rank_units(c, features, true);
            begin_lists(c.label.size());
            for (std::size_t f = 0; f < features; ++f)
                for (Id u = 0; u < m_; ++u)
                    if (const Id label = label_of_[f * m_ + u]; label >= 0) count(label);
            end_counting();
            for (std::size_t f = 0; f < features; ++f)
                for (const Id u : sorted_)
                    if (const Id label = label_of_[f * m_ + u]; label >= 0) add(label, rank_[u]);
            c.n_labels = rank_objects(c.label, [](Id) { return 0; });

            if (c.document.size() > 1) {
                objects_.resize(c.annotator.size());
                std::iota(objects_.begin(), objects_.end(), 0);
                std::sort(objects_.begin(), objects_.end(),
                          [&](Id a, Id b) { return c.annotator[a] < c.annotator[b]; });
                begin_lists(c.document.size());
                for (const Id d : document_of_) count(d);
                end_counting();
                for (const Id a : objects_) add(document_of_[a], c.annotator[a]);
                c.n_documents = rank_objects(c.document, [](Id) { return 0; });
            }
        }
    }

    static bool is_discrete(const Colours &c) {
        return static_cast<std::size_t>(c.n_annotators) == c.annotator.size() &&
               static_cast<std::size_t>(c.n_labels) == c.label.size() &&
               (c.document.size() < 2 || static_cast<std::size_t>(c.n_documents) == c.document.size());
    }

    // Annotators who are equal in content, under the labels that they really have, can change places: whatever their
    // order, the numbers describe the same document. Once only such are left in each class, so can the labels of a
    // class, where there is only one feature.
    void separate() {
        Colours exact = now_;
        std::iota(exact.label.begin(), exact.label.end(), 0);
        exact.n_labels = exact.n_annotators = 0;
        refine(exact, n_features_);
        Wide work = 0;
        while (work <= most_work) {
            const bool of_annotators = find_class(now_.annotator, &exact.annotator);
            if (!of_annotators && !(n_features_ > 1 && find_class(now_.label, nullptr))) break;
            // The search is bounded. Beyond the bound the first is taken, which makes no difference if all are
            // symmetric.
            const bool looks_ahead = work + Wide{candidates_.size()} * (m_ + 1) <= most_lookahead;
            bool has_best = false;
            for (const Id candidate : candidates_) {
                Colours next = now_;
                auto &colours = of_annotators ? next.annotator : next.label;
                for (Id &colour : colours) colour = 2 * colour + 1;
                --colours[candidate];
                next.n_annotators = next.n_labels = 0;
                refine(next, n_features_);
                work += static_cast<std::size_t>(m_) + 1;
                if (looks_ahead) describe(next);
                if (!has_best || (looks_ahead && form_ < best_form_)) {
                    best_ = std::move(next);
                    best_form_.swap(form_);
                    has_best = true;
                }
                if (!looks_ahead) break;
            }
            std::swap(now_, best_);
        }
    }

    // The first class with different members, into `candidates_`: one of each kind, or all where there are no kinds.
    bool find_class(const std::vector<Id> &colour, const std::vector<Id> *kind) {
        objects_.resize(colour.size());
        std::iota(objects_.begin(), objects_.end(), 0);
        const auto kind_of = [&](Id a) { return kind == nullptr ? a : (*kind)[a]; };
        std::sort(objects_.begin(), objects_.end(), [&](Id a, Id b) {
            if (colour[a] != colour[b]) return colour[a] < colour[b];
            return kind_of(a) != kind_of(b) ? kind_of(a) < kind_of(b) : a < b;
        });
        candidates_.clear();
        for (const Id a : objects_) {
            if (!candidates_.empty() && colour[candidates_.front()] != colour[a]) {
                if (candidates_.size() > 1) break;
                candidates_.clear();
            }
            if (candidates_.empty() || kind_of(candidates_.back()) != kind_of(a)) candidates_.push_back(a);
        }
        std::sort(candidates_.begin(), candidates_.end());
        return candidates_.size() > 1;
    }

    // The sorted list of the units by their colours, into `form_`.
    void describe(const Colours &c) {
        std::sort(sorted_.begin(), sorted_.end(), [&](Id u, Id v) {
            const Id a = c.annotator[annotator_of_[u]], b = c.annotator[annotator_of_[v]];
            if (a != b) return a < b;
            if (place_[u] != place_[v]) return place_[u] < place_[v];
            return compare_labels(c, n_features_, u, v) < 0;
        });
        form_.clear();
        for (const Id u : sorted_) {
            form_.push_back(c.annotator[annotator_of_[u]]);
            form_.push_back(place_[u]);
            for (std::size_t f = 0; f < n_features_; ++f) form_.push_back(colour_of(c, f, u));
        }
    }

    void hand_out() {
        // Ranks without ties: what is left in one class can change places.
        const auto by_colour = [&](const std::vector<Id> &colour, std::vector<Id> &order) {
            order.resize(colour.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) { return colour[a] < colour[b]; });
        };
        by_colour(now_.document, document);
        by_colour(now_.annotator, objects_);
        annotator.resize(now_.annotator.size());
        next_.assign(now_.document.size(), 0);
        for (const Id a : objects_) annotator[a] = next_[document_of_[a]]++;
        by_colour(now_.label, objects_);
        fresh_.resize(now_.label.size());
        for (std::size_t i = 0; i < objects_.size(); ++i) fresh_[objects_[i]] = static_cast<Id>(i);
        now_.label.swap(fresh_);
        label.resize(n_features_ * m_);
        for (std::size_t f = 0; f < n_features_; ++f)
            for (Id u = 0; u < m_; ++u) label[f * m_ + u] = colour_of(now_, f, u);
        content.resize(m_);
        if (n_features_ == 1) {  // a label is the whole content; units without one come first
            const Id first = std::find(label.begin(), label.end(), -1) != label.end();
            for (Id u = 0; u < m_; ++u) content[u] = label[u] + first;
        } else {
            std::sort(sorted_.begin(), sorted_.end(),
                      [&](Id u, Id v) { return compare_labels(now_, n_features_, u, v) < 0; });
            for (Id i = 0, rank = 0; i < m_; ++i) {
                rank += i > 0 && compare_labels(now_, n_features_, sorted_[i - 1], sorted_[i]) != 0;
                content[sorted_[i]] = rank;
            }
        }
        place_in_order_.resize(document.size());
        for (std::size_t i = 0; i < document.size(); ++i) place_in_order_[document[i]] = static_cast<Id>(i);
        unit.resize(m_);
        std::iota(unit.begin(), unit.end(), 0);
        sort_runs_(unit, [&](Id u, Id v) {
            const Id a = annotator_of_[u], b = annotator_of_[v];
            if (document_of_[a] != document_of_[b])
                return place_in_order_[document_of_[a]] < place_in_order_[document_of_[b]];
            if (annotator[a] != annotator[b]) return annotator[a] < annotator[b];
            if (place_[u] != place_[v]) return place_[u] < place_[v];
            return content[u] != content[v] ? content[u] < content[v] : u < v;
        });
    }

    // Units looked at in search of the smallest form, and in separating at all.
    static constexpr std::size_t most_lookahead = 2'000'000, most_work = 200'000'000;

    Id m_ = 0;
    std::size_t n_features_ = 0;
    std::vector<Id> annotator_of_, document_of_, label_of_, place_, by_place_;
    RunSort<Id> sort_runs_;
    std::vector<std::int32_t> codes_;  // in ascending order, where there is no table `number_`
    std::vector<Id> number_;           // of each code
    Colours now_, best_;
    std::vector<Id> sorted_, rank_, objects_, fresh_, value_, candidates_, form_, best_form_, next_, place_in_order_;
    std::vector<std::size_t> first_;
};

}  // namespace unisono
