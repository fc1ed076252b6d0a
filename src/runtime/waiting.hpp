// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/parking.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// How threads that find nothing that they may do go to sleep, and who wakes them. Protocol, invariants [I1]-[I4] and rejected
/// designs: waiting.md.
///
/// `Deques` has all the tasks that there are: any_deque(f) says whether f(deque) is true of one of them, and calls it no more after
/// that; threads() is how many can sleep at most. `Timing` knows how long to look before sleep pays: a `Timing::wait`, made of it,
/// says how long one wait `lasts` and whether it `is_time_to_steal`; `begin` tells it of a wake-up.
template <class Sync, class Deques, class Timing>
class waiting {
 public:
  waiting(const Deques& all, parking<Sync>& sleepers, Timing& timing) noexcept
      : all_(all), parking_(sleepers), timing_(timing) {}

  /// There may be tasks from now on. By a thread that has deques since, before its first push.
  void begin() noexcept {
    // A worker that does not see this has not announced its sleep yet when the first push looks.
    used_.store(1, sync::seq_cst, sync::site{"K1"});
  }

  /// A hint: whether there are tasks that no thief has.
  [[nodiscard]] bool has_some() const noexcept {
    return used_.load(sync::relaxed, sync::site{"K6"}) != 0 && some(nullptr);
  }

  /// Until who.ended(): lets it help with what descends from `root`, and sleep when there is nothing. who.help() says whether there was
  /// something, who.may_help() whether it may; who.say_asleep() lets whoever ends it call `wake_all`.
  template <class Waiter>
  void await(const void* root, Waiter&& who) noexcept {
    typename Timing::wait looks(timing_);
    while (!who.ended()) {
      if (looks.is_time_to_steal() && who.help()) {
        looks = typename Timing::wait(timing_);
      } else if (looks.lasts()) {
        Sync::pause();
      } else {
        waiting_.fetch_add(1, sync::relaxed, sync::site{"K7"});
        const auto ended = [&who] {
          who.say_asleep();
          return who.ended();
        };
        sleep_unless(ended, root, [&who] { return who.may_help(); });
        waiting_.fetch_add(~std::uint32_t{0}, sync::relaxed, sync::site{"K7"});
        looks = typename Timing::wait(timing_);  // whatever woke it, it looks at once
      }
    }
  }

  /// A worker that has found nothing to do sleeps, unless found(), its second look at what is no task, or there are tasks. Whether it
  /// has slept.
  template <class Found>
  bool park(Found found) noexcept {
    return sleep_unless(found, nullptr, [] { return true; });
  }

  /// For something that has just been published and that so many may do: wakes as many, or all, where some of those that sleep
  /// may do nothing but one task's descendants.
  void wake(std::uint32_t count) noexcept {
    // Who waits for one task may not be allowed to do what there is, and may be woken first.
    if (waiting_.load(sync::relaxed, sync::site{"K10"}) != 0) return wake_all();
    if (parking_.some_sleep()) timing_.begin();
    parking_.wake(count);
  }

  void wake_all() noexcept { parking_.wake(all_.threads()); }

  /// A worker that may have been woken for a task does something else: wakes another, if there are tasks.
  void pass_on() noexcept {
    if (parking_.some_sleep() && has_some()) wake(1);
  }

  /// A thief has been woken by a push and has its task: those that sleep still have not heard of the next push.
  void wake_next() noexcept {
    if (parking_.some_sleep() && !may_sleep(nullptr)) wake(1);
  }

 private:
  [[nodiscard]] bool some(const void* root) const noexcept {
    return all_.any_deque([root](const auto& deque) { return deque.has_some(root); });
  }

  template <class Found, class MayHelp>
  bool sleep_unless(Found found, const void* root, MayHelp may_help) noexcept {
    const auto ticket = parking_.announce();
    if (found() || (!may_sleep(root) && may_help())) {
      parking_.cancel();
      return false;
    }
    parking_.sleep(ticket);
    return true;
  }

  /// Before somebody that has announced its sleep sleeps: from now on whoever pushes a task sees that. False: there are
  /// tasks already that descend from `root`, or any, where that is nullptr.
  bool may_sleep(const void* root) noexcept {
    if (used_.load(sync::seq_cst, sync::site{"K8"}) == 0) return true;
    all_.any_deque([](auto& deque) {
      deque.ring_push();
      return false;
    });
    Sync::membarrier(sync::site{"K9"});
    return !some(root);
  }

  const Deques& all_;
  parking<Sync>& parking_;
  Timing& timing_;
  typename Sync::template atomic<std::uint32_t> used_{};  ///< whether any thread has ever had tasks
  typename Sync::template atomic<std::uint32_t>
      waiting_{};  ///< threads that sleep, or are about to, until one task has ended
};

}  // namespace steelyard::runtime
