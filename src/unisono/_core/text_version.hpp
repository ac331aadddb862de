// SPDX-License-Identifier: MIT
// An annotator's text with the units on it, and the sequence that is aligned: characters with boundaries between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "graph.hpp"

namespace unisono {

using Symbol = std::int32_t;

// Units are sorted by (type, start, end); those of one type do not overlap. Types are numbered from the outermost.
struct TextVersion {
    std::vector<Symbol> text;  // code points
    std::vector<Id> start, end, type;
    std::vector<std::int32_t> label;  // n_features of each unit; -1: none
    std::size_t n_features = 0;

    Id size() const { return static_cast<Id>(start.size()); }
    const std::int32_t *labels(Id unit) const { return label.data() + static_cast<std::size_t>(unit) * n_features; }
    auto contents() const { return std::tie(text, start, end, type, label); }

    void add(Id from, Id to, Id of_type, const std::int32_t *labels_of) {
        start.push_back(from);
        end.push_back(to);
        type.push_back(of_type);
        if (labels_of) label.insert(label.end(), labels_of, labels_of + n_features);
        else label.insert(label.end(), n_features, -1);
    }

    // Adds what no unit covers as units of a type of its own, the innermost (section 8).
    void add_gaps(Id gap_type) {
        std::vector<std::pair<Id, Id>> covered(start.size());
        for (Id u = 0; u < size(); ++u) covered[u] = {start[u], end[u]};
        std::sort(covered.begin(), covered.end());
        Id at = 0;
        for (const auto &[from, to] : covered) {
            if (from > at) add(at, from, gap_type, nullptr);
            at = std::max(at, to);
        }
        if (at < static_cast<Id>(text.size())) add(at, static_cast<Id>(text.size()), gap_type, nullptr);
    }

    void drop_type(Id dropped) {
        Id kept = 0;
        for (Id u = 0; u < size(); ++u) {
            if (type[u] == dropped) continue;
            start[kept] = start[u];
            end[kept] = end[u];
            type[kept] = type[u];
            std::copy_n(label.begin() + u * n_features, n_features, label.begin() + kept * n_features);
            ++kept;
        }
        start.resize(kept);
        end.resize(kept);
        type.resize(kept);
        label.resize(kept * n_features);
    }
};

// Boundaries are negative symbols, one opening and one closing for each type.
constexpr Symbol opening(Id type) {
    return -1 - 2 * type;
}
constexpr Symbol closing(Id type) {
    return -2 - 2 * type;
}
constexpr bool is_boundary(Symbol s) {
    return s < 0;
}
constexpr bool is_opening(Symbol s) {
    return s < 0 && (-s) % 2 == 1;
}
constexpr Id type_of(Symbol s) {
    return (-s - 1) / 2;
}

// The text with its boundaries in it (section 4). At one position the order is: what ends there, innermost first;
// units without length; what begins there, outermost first.
struct TextSequence {
    std::vector<Symbol> symbol;
    std::vector<Id> unit;  // whose boundary; -1 for a character

    explicit TextSequence(const TextVersion &version) {
        struct Event {
            Id at, phase, rank, unit, part;
            bool operator<(const Event &o) const {
                return std::tie(at, phase, rank, unit, part) < std::tie(o.at, o.phase, o.rank, o.unit, o.part);
            }
        };
        std::vector<Event> events;
        events.reserve(2 * version.start.size());
        for (Id u = 0; u < version.size(); ++u) {
            const Id type = version.type[u];
            if (version.start[u] == version.end[u]) {
                events.push_back({version.start[u], 1, type, u, 0});
                events.push_back({version.start[u], 1, type, u, 1});
            } else {
                events.push_back({version.start[u], 2, type, u, 0});
                events.push_back({version.end[u], 0, -type, u, 1});
            }
        }
        std::sort(events.begin(), events.end());
        symbol.reserve(version.text.size() + events.size());
        unit.reserve(symbol.capacity());
        std::size_t next = 0;
        for (Id at = 0; at <= static_cast<Id>(version.text.size()); ++at) {
            for (; next < events.size() && events[next].at == at; ++next) {
                const Id type = version.type[events[next].unit];
                symbol.push_back(events[next].part == 0 ? opening(type) : closing(type));
                unit.push_back(events[next].unit);
            }
            if (at == static_cast<Id>(version.text.size())) break;
            symbol.push_back(version.text[at]);
            unit.push_back(-1);
        }
    }
};

}  // namespace unisono
