// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/parking.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// How threads that find nothing that they may do go to sleep, and who wakes them. Protocol, invariants [I1]-[I6] and rejected
/// designs: waiting.md.
///
/// `Deques` has all the tasks that there are: any_deque(f) says whether f(deque) is true of one of them, and calls it no more after
/// that; threads() is how many can sleep at most. `Timing` knows how long to look before sleep pays: a `Timing::wait`, made of it,
/// says how long one wait `lasts` and whether it `is_time_to_steal`; `begin` tells it of a wake-up.
template <class Sync, class Deques, class Timing>
class waiting {
 public:
  waiting(const Deques& all, parking<Sync>& idle, Timing& timing) noexcept : all_(all), idle_(idle), timing_(timing) {}

  /// There may be tasks from now on. By a thread that has deques since, before its first push.
  void begin() noexcept {
    // A worker that does not see this has not announced its sleep yet when the first push looks.
    used_.store(1, sync::seq_cst, sync::site{"K1"});
  }

  /// A hint: whether any thread has ever had tasks.
  [[nodiscard]] bool is_used() const noexcept { return used_.load(sync::relaxed, sync::site{"K6"}) != 0; }

  /// Until who.ended(): lets it help with what descends from `root`, and sleep when there is nothing. who.help() says whether there was
  /// something, who.may_help() whether it may; who.say_asleep() lets whoever ends it call `wake_waiters`.
  template <class Waiter>
  void await(const void* root, Waiter&& who) noexcept {
    typename Timing::wait looks(timing_);
    while (!who.ended()) {
      if (looks.is_time_to_steal() && who.help()) {
        looks = typename Timing::wait(timing_);
      } else if (looks.lasts()) {
        Sync::pause();
      } else {
        const auto ended = [&who] {
          who.say_asleep();
          return who.ended();
        };
        sleep_unless(ended, waiters_, root, [&who] { return who.may_help(); });
        looks = typename Timing::wait(timing_);  // whatever woke it, it looks at once
      }
    }
  }

  /// A worker that has found nothing to do sleeps, unless found(), its second look at what is no task, or there are tasks. Whether it
  /// has slept.
  template <class Found>
  bool park(Found found) noexcept {
    return sleep_unless(found, idle_, nullptr, [] { return true; });
  }

  /// What has been awaited has ended, and who waits for it has said that it sleeps.
  void wake_waiters() noexcept { waiters_.wake(all_.threads()); }

  /// For a task that has just been pushed, and its push had to look.
  void wake_for_task() noexcept {
    wake_idle(1);
    wake_waiters();  // it may be for any of them
  }

  /// For something that has just been published and that so many idle workers may do.
  void wake_idle(std::uint32_t count) noexcept {
    if (idle_.some_sleep()) timing_.begin();
    idle_.wake(count);
  }

  /// A worker that may have been woken for a task does something else: wakes another, if there are tasks.
  void pass_on() noexcept {
    if (idle_.some_sleep() && is_used() && some(nullptr)) wake_idle(1);
  }

  /// A thief has been woken by a push and has its task: those that sleep still have not heard of the next push.
  void wake_next() noexcept {
    if (idle_.some_sleep() && !may_sleep(nullptr)) wake_idle(1);
  }

 private:
  [[nodiscard]] bool some(const void* root) const noexcept {
    return all_.any_deque([root](const auto& deque) { return deque.has_some(root); });
  }

  template <class Found, class MayHelp>
  bool sleep_unless(Found found, parking<Sync>& where, const void* root, MayHelp may_help) noexcept {
    const auto ticket = where.announce();
    if (found() || (!may_sleep(root) && may_help())) {
      where.cancel();
      return false;
    }
    where.sleep(ticket);
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
  parking<Sync>& idle_;    ///< where workers sleep that may do anything
  parking<Sync> waiters_;  ///< where threads sleep until one task, or group, has ended
  Timing& timing_;
  typename Sync::template atomic<std::uint32_t> used_{};  ///< whether any thread has ever had tasks
};

}  // namespace steelyard::runtime
