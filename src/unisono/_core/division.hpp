// SPDX-License-Identifier: MIT
// A graph of near pairs, thinned and divided into its connected parts.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "graph.hpp"
#include "watch.hpp"

namespace unisono {

// It keeps its buffers, so that small graphs cost no allocation.
class Division {
  public:
    bool ties_matter = true;       // see Part
    const Start *start = nullptr;  // of all units, or none

    // Units 0..m-1 in the order of the continuum, annotators 0..n-1, pairs sorted by (u, v). Pairs that no best
    // alignment can hold are removed from `pairs`.
    void run(Id m, Id n, const std::vector<Id> &annotator, const std::vector<std::uint64_t> &content,
             std::vector<Pair> &pairs, Watch &watch) {
        n_units_ = m;
        annotator_ = annotator.data();
        content_ = content.data();
        graph_.n_units = m;
        tests_.run(pairs, graph_, annotator_, n, watch);
        parts_.find(m, pairs);
        local_.resize(m);
        seen_.assign(n, -1);
    }

    // Calls alone(unit) for each unit without a near one, visit(part, its units) for each part of several.
    template <class Alone, class Visit> void each_part(Alone alone, Visit visit) {
        for (Id p = 0; p < parts_.count; ++p) {
            const Id *units = &parts_.unit[parts_.first[p]];
            const Id size = parts_.first[p + 1] - parts_.first[p];
            if (size == 1) alone(units[0]);
            else show(units, size, visit);
        }
    }

    // Calls visit(part, its units) for every part.
    template <class Visit> void each_part(Visit visit) {
        each_part([&](const Id &unit) { show(&unit, 1, visit); }, visit);
    }

  private:
    template <class Visit> void show(const Id *units, Id size, Visit visit) {
        cut(units, size);
        visit(static_cast<const Part &>(part_), units);
        if (size == n_units_) std::swap(graph_, part_.graph);  // moved back: the whole graph was not copied
    }

    // Copies one part out of the graph, with units and annotators renumbered. A part that is the whole graph is swapped
    // in instead of being copied.
    void cut(const Id *units, Id size) {
        part_.ties_matter = ties_matter;
        part_.annotator.resize(size);
        part_.content.resize(size);
        Id n_annotators = 0;
        for (Id i = 0; i < size; ++i) {
            Id &a = seen_[annotator_[units[i]]];
            if (a < 0) a = n_annotators++;
            part_.annotator[i] = a;
            part_.content[i] = content_[units[i]];
            local_[units[i]] = i;
        }
        for (Id i = 0; i < size; ++i) seen_[annotator_[units[i]]] = -1;
        cut_start(units, size);
        part_.n_annotators = n_annotators;
        if (size == n_units_) {
            std::swap(graph_, part_.graph);
            return;
        }
        Graph &graph = part_.graph;
        graph.n_units = size;
        graph.first.assign(1, 0);
        graph.other.clear();
        graph.w.clear();
        for (Id i = 0; i < size; ++i) {
            for (Id e = graph_.first[units[i]]; e < graph_.first[units[i] + 1]; ++e) {
                graph.other.push_back(local_[graph_.other[e]]);
                graph.w.push_back(graph_.w[e]);
            }
            graph.first.push_back(static_cast<Id>(graph.other.size()));
        }
    }

    // The first alignment of the units of a part: the label of a cluster is its first unit.
    void cut_start(const Id *units, Id size) {
        part_.start.clear();
        if (start == nullptr || !start->is_known()) return;
        place_of_.resize(n_units_, -1);
        for (Id i = 0; i < size; ++i) {
            Id &place = place_of_[start->label[units[i]]];
            if (place < 0) place = i;
            part_.start.label.push_back(place);
            part_.start.dual.push_back(start->dual[units[i]]);
        }
        for (Id i = 0; i < size; ++i) place_of_[start->label[units[i]]] = -1;
    }

    Id n_units_ = 0;
    const Id *annotator_ = nullptr;
    const std::uint64_t *content_ = nullptr;
    Graph graph_;
    PairTests tests_;
    Parts parts_;
    Part part_;
    std::vector<Id> local_, seen_, place_of_;
};

}  // namespace unisono
