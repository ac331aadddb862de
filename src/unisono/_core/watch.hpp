// SPDX-License-Identifier: MIT
// The limits of a computation: counted work, memory, time, and the user's Ctrl-C.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>

#include "sizes.hpp"

namespace unisono {

// What the user allowed, shared by all threads of one call.
struct Limits {
    using Clock = std::chrono::steady_clock;

    std::uint64_t effort = 0;  // elementary steps of each alignment; 0: no limit
    Wide bytes = 0;            // of columns and search states, per thread; 0: no limit
    Wide guard = 0;            // the same, but beyond it there is no result at all; 0: no limit
    double seconds = 0;        // of the whole call, all its alignments together; 0: no limit
    double near_enough = 0;    // a relative gap that may be left open after a while; 0: none
    Clock::time_point begin = Clock::now();
    std::atomic<bool> interrupted{false};
    // Asks Python whether Ctrl-C was pressed; called at intervals, by the calling thread only.
    bool (*signalled)() = nullptr;

    double elapsed(Clock::time_point now) const { return std::chrono::duration<double>(now - begin).count(); }
};

struct Interrupted {};

enum class Limit { none, time, memory, effort, near_enough };

// One per thread. The effort of an alignment is a count of steps, so the place where it stops a search depends on
// neither the machine, nor its load, nor the number of threads. The clock is read only to notice Ctrl-C and, where
// time was given, its end and how many steps are likely to fit in what is left.
class Watch {
  public:
    Watch(Limits &limits, bool asks)
        : limits_(limits), asks_(asks && limits.signalled != nullptr), allowed_(limits.effort),
          search_{0, limits.effort, limits.effort / 20, limits.near_enough, false} {}

    // A new alignment begins with the whole effort.
    void restart() {
        reached_ = Limit::none;
        has_run_out_ = false;
        kept_seconds_ = 0;
        began_ = -1;
        since_look_ += steps_ - counted_;
        steps_ = counted_ = 0;
        search_ = {0, limits_.effort, limits_.effort / 20, limits_.near_enough, false};
        allowed_ = limits_.effort;
        plan_look();
    }

    // To be called in every loop that may run for long: `work` is the number of elementary steps since the last call,
    // roughly. True when a limit was reached; throws Interrupted after Ctrl-C.
    bool expired(Wide work = 1) {
        steps_ += work;
        if (steps_ < look_at_) return reached_ != Limit::none;
        look();
        return reached_ != Limit::none;
    }

    // True when `bytes` are too many; then the alignment ends with the best result so far. Throws std::bad_alloc where
    // they are more than the machine should give.
    bool too_big(Wide bytes) {
        if (limits_.guard > 0 && bytes > limits_.guard) throw std::bad_alloc();
        if (limits_.bytes > 0 && bytes > limits_.bytes) reached_ = Limit::memory;
        return reached_ != Limit::none;
    }

    // Whether `bytes` more are within the limit that was given, for what a search can do without. Throws as `too_big`.
    bool has_room(Wide bytes) const {
        if (limits_.guard > 0 && bytes > limits_.guard) throw std::bad_alloc();
        return limits_.bytes == 0 || bytes <= limits_.bytes;
    }

    Limit reached() const { return reached_; }

    // Whether the gap is one that may be left open.
    bool is_near_enough(double cost, double bound) const {
        return search_.near_enough > 0 && cost - bound <= search_.near_enough * cost;
    }

    // Whether the search may end here: it had a twentieth of its effort, and the gap is one that may be left open.
    bool settles(double cost, double bound) const {
        return steps_ >= search_.settles_from && is_near_enough(cost, bound);
    }

    // How many columns, or states, one search keeps at most beyond those that the size of its part calls for: a count
    // that belongs to the effort, so that memory changes no result.
    Wide most_kept(Wide by_size) const { return search_.effort == 0 ? ~Wide(0) : by_size + search_.effort / 5000; }

    // A search of one part kept as much as the effort allows and would only repeat itself: it ends as if its steps were
    // over. Other parts are searched all the same.
    void run_out() { has_run_out_ = true; }

    // Why some part was left open.
    Limit why_open() const {
        if (reached_ != Limit::none) return reached_;
        return has_run_out_ ? Limit::effort : Limit::near_enough;
    }

    // Keeps one part in `parts` of the effort and of the time, at most five seconds of it, for `last_words`. A search
    // inside another one leaves the time to that.
    void keep_some(std::uint64_t parts) {
        allowed_ = search_.effort > 0 ? search_.end() - search_.effort / parts : 0;
        if (!search_.wants_bound) kept_seconds_ = std::min(limits_.seconds / static_cast<double>(parts), 5.0);
        plan_look();
    }

    // A limit was reached: `work` has what was kept, and a few steps where nothing is left.
    template <class Work> void last_words(Work work) {
        const Limit why = reached_;
        reached_ = Limit::none;
        if (!search_.wants_bound) kept_seconds_ = 0;
        allowed_ = search_.effort > 0 ? std::max(search_.end(), steps_ + interval_) : 0;
        plan_look();
        work();
        reached_ = why;
    }

    // Whether the search may leave a gap open at all.
    bool may_settle() const { return search_.near_enough > 0; }

    // Whether only what the search proves is wanted, not the alignment.
    bool wants_bound() const { return search_.wants_bound; }

    std::uint64_t steps() const { return steps_; }

    // The steps that are left of this search's effort. Where it has none, at most `without_limit`, and what the time is
    // likely to allow: a plan that takes longer than that would end without a result.
    std::uint64_t left(std::uint64_t without_limit) const {
        if (allowed_ > 0) return allowed_ - std::min(allowed_, steps_);
        if (limits_.seconds <= 0) return without_limit;
        const double now = limits_.elapsed(Limits::Clock::now()), own = began_ < 0 ? 0 : now - began_;
        const double rate = own > 0.5 ? static_cast<double>(steps_) / own : usual_rate_;
        // Harder searches make fewer steps in a second.
        const double steps = 0.7 * rate * std::max(0.0, limits_.seconds - kept_seconds_ - now);
        return steps < static_cast<double>(without_limit) ? static_cast<std::uint64_t>(steps) : without_limit;
    }

    // A search for a bound inside this one: `work` has `effort` steps, and may leave the relative gap `near_enough`.
    // The end of its own effort does not end the search around it; other limits do, and it has no more steps than are
    // left of that.
    template <class Work> void within(std::uint64_t effort, double near_enough, Work work) {
        const Search around = search_;
        const std::uint64_t allowed = allowed_;
        if (allowed > 0) effort = std::min(effort, allowed - std::min(allowed, steps_));
        const double kept_seconds = kept_seconds_;
        search_ = {steps_, std::max(effort, interval_), 0, near_enough, true};
        allowed_ = search_.end();
        plan_look();
        work();
        search_ = around;
        allowed_ = allowed;
        kept_seconds_ = kept_seconds;
        if (reached_ == Limit::effort && (allowed_ == 0 || steps_ < allowed_)) reached_ = Limit::none;
        plan_look();
    }

  private:
    // A search with an effort of its own: a whole alignment, or a search inside it.
    struct Search {
        std::uint64_t begin, effort;  // the steps before it; its own, 0: no limit
        std::uint64_t settles_from;   // the number of steps before which it leaves no gap open
        double near_enough;
        bool wants_bound;
        std::uint64_t end() const { return begin + effort; }
    };

    static constexpr std::uint64_t interval_ = 20000;  // steps between two looks at the clock
    static constexpr double usual_rate_ = 2.5e8;       // steps in a second, before they can be timed

    void look() {
        counted_ = steps_;
        since_look_ = 0;
        if (limits_.interrupted.load(std::memory_order_relaxed)) throw Interrupted{};
        const auto now = Limits::Clock::now();
        if (asks_ && now - asked_ > std::chrono::milliseconds(50)) {
            asked_ = now;
            if (limits_.signalled()) {
                limits_.interrupted.store(true);
                throw Interrupted{};
            }
        }
        if (allowed_ > 0 && steps_ >= allowed_ && reached_ == Limit::none) reached_ = Limit::effort;
        const double elapsed = limits_.elapsed(now);
        if (began_ < 0) began_ = elapsed;
        if (limits_.seconds > 0 && elapsed > limits_.seconds - kept_seconds_) reached_ = Limit::time;
        plan_look();
    }

    // The next look is after `interval_` steps, whatever number of alignments they belong to, and exactly where the
    // effort ends.
    void plan_look() {
        look_at_ = counted_ + (since_look_ < interval_ ? interval_ - since_look_ : 0);
        if (allowed_ > 0 && reached_ == Limit::none) look_at_ = std::min(look_at_, allowed_);
    }

    Limits &limits_;
    bool asks_;
    std::uint64_t allowed_;  // steps of this alignment, those kept for last words left out; 0: no limit
    Search search_;
    std::uint64_t steps_ = 0;       // of this alignment
    std::uint64_t counted_ = 0;     // of these, those before the last look
    std::uint64_t since_look_ = 0;  // steps of earlier alignments since the last look
    std::uint64_t look_at_ = 0;     // the number of steps at which the next look is due
    double kept_seconds_ = 0;
    double began_ = -1;  // when this alignment was looked at first; -1: not yet
    Limits::Clock::time_point asked_{};
    Limit reached_ = Limit::none;
    bool has_run_out_ = false;
};

}  // namespace unisono
