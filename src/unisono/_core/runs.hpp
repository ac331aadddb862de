// SPDX-License-Identifier: MIT
// Sorting that uses the existing order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace unisono {

// A merge sort: units come sorted by annotator and start, so that a handful of ascending runs is merged in a few
// passes.
template <class T> class RunSort {
  public:
    template <class Less> void operator()(std::vector<T> &items, Less less) {
        const std::size_t m = items.size();
        ends_.clear();
        for (std::size_t i = 1; i < m; ++i)
            if (less(items[i], items[i - 1])) ends_.push_back(i);
        if (8 * ends_.size() > m + 64) {  // hardly any order to use
            std::sort(items.begin(), items.end(), less);
            return;
        }
        ends_.push_back(m);
        buffer_.resize(m);
        while (ends_.size() > 1) {
            std::size_t from = 0, kept = 0;
            for (std::size_t i = 0; i < ends_.size(); i += 2) {
                const std::size_t middle = ends_[i], to = i + 1 < ends_.size() ? ends_[i + 1] : middle;
                std::merge(items.begin() + from, items.begin() + middle, items.begin() + middle, items.begin() + to,
                           buffer_.begin() + from, less);
                ends_[kept++] = from = to;
            }
            ends_.resize(kept);
            items.swap(buffer_);
        }
    }

  private:
    std::vector<T> buffer_;
    std::vector<std::size_t> ends_;
};

// Insertion sort while all elements are close to their places; otherwise an ordinary sort.
template <class T, class Less> void sort_nearly_sorted(std::vector<T> &items, Less less) {
    std::size_t moves = 0;
    for (std::size_t i = 1; i < items.size(); ++i) {
        const T item = items[i];
        std::size_t at = i;
        for (; at > 0 && less(item, items[at - 1]); --at) items[at] = items[at - 1];
        items[at] = item;
        if ((moves += i - at) > 8 * i + 64) return std::sort(items.begin(), items.end(), less);
    }
}

}  // namespace unisono
