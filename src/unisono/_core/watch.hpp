// SPDX-License-Identifier: MIT
// Keeps an eye on the limits of a computation: time, memory, and the user's Ctrl-C.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace unisono {

// What the user allowed, shared by all threads of one call.
struct Limits {
    double seconds = 0;     // of each alignment; 0: none
    std::size_t bytes = 0;  // of columns and search states, per thread; 0: none
    std::atomic<bool> interrupted{false};
    // Asks Python whether Ctrl-C was pressed; called now and then, by the calling thread only.
    bool (*signalled)() = nullptr;
};

struct Interrupted {};

enum class Limit { none, time, memory };

class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    Watch(Limits &limits, bool asks)
        : limits_(limits), asks_(asks && limits.signalled != nullptr), seconds_(limits.seconds) {}

    // A new alignment begins: its clock starts when first looked at, because tiny ones end before that.
    void restart() {
        reached_ = Limit::none;
        started_ = false;
        calls_ = 0;
        kept_ = 0;
    }

    // To be called in every loop that may run for long: `work` is a rough count of elementary steps since last time.
    // True when the time is up; throws Interrupted after Ctrl-C.
    bool expired(std::size_t work = 1) {
        calls_ += work;
        if (calls_ < 20000) return reached_ != Limit::none;
        calls_ = 0;
        if (limits_.interrupted.load(std::memory_order_relaxed)) throw Interrupted{};
        const auto now = Clock::now();
        if (!started_) {
            started_ = true;
            begin_ = now;
        }
        if (asks_ && now - asked_ > std::chrono::milliseconds(50)) {
            asked_ = now;
            if (limits_.signalled()) {
                limits_.interrupted.store(true);
                throw Interrupted{};
            }
        }
        if (seconds_ > 0 && std::chrono::duration<double>(now - begin_).count() > seconds_ - kept_)
            reached_ = Limit::time;
        return reached_ != Limit::none;
    }

    // True when `bytes` are too many; then the alignment ends with what it has.
    bool too_big(std::size_t bytes) {
        if (limits_.bytes > 0 && bytes > limits_.bytes) reached_ = Limit::memory;
        return reached_ != Limit::none;
    }

    Limit reached() const { return reached_; }

    // A search that can say more of its result after it was stopped keeps a fifth of the time for that, of much time
    // less.
    void keep_some() { kept_ = std::min(0.2 * seconds_, 5.0); }

    // A limit was reached: what was kept is there for `work`.
    template <class Work> void last_words(Work work) {
        const Limit why = reached_;
        reached_ = Limit::none;
        kept_ = 0;
        work();
        reached_ = why;
    }

  private:
    friend class Purse;

    // Seconds since the clock was first looked at; none for an alignment that ended before.
    double spent() const { return started_ ? std::chrono::duration<double>(Clock::now() - begin_).count() : 0; }

    Limits &limits_;
    bool asks_;
    double seconds_;  // of each alignment; 0: none
    double kept_ = 0;
    bool started_ = false;
    std::size_t calls_ = 0;
    Clock::time_point begin_{}, asked_{};
    Limit reached_ = Limit::none;
};

// The time of all random alignments of one document: each has its share, and what those before it left over.
class Purse {
  public:
    template <class Align> void pay(double share, Watch &watch, Align align) {
        const double allowed = share > 0 ? share + saved_.exchange(0) : 0;
        watch.seconds_ = allowed;
        align();
        const double left = allowed - watch.spent();
        // Added up by exchanges: atomic doubles cannot add before C++20.
        if (left > 0)
            for (double saved = saved_.load(); !saved_.compare_exchange_weak(saved, saved + left);) continue;
    }

  private:
    std::atomic<double> saved_{0};
};

}  // namespace unisono
