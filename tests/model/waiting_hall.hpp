// SPDX-License-Identifier: Apache-2.0
// What threads have that wait as those of the runtime do, in so far as the tests of join and waiting share it.
#pragma once

#include <array>

#include "engine/door.hpp"
#include "runtime/deque.hpp"
#include "runtime/join.hpp"
#include "runtime/parking.hpp"
#include "runtime/waiting.hpp"

namespace steelyard::model {

/// A task is its number; 0: none.
struct hall_slot {
  data<unsigned> task;

  void mark_stolen(std::uint32_t) {}
  void assign(const hall_slot& from) { task.write(from.task.read()); }
};

using hall_deque = runtime::deque<sync::model, hall_slot>;

/// The deques of a few threads that push.
class hall_deques {
 public:
  hall_deques(unsigned count, unsigned threads, bool shown) : count_(count), threads_(threads), shown_(shown) {
    for (unsigned i = 0; i < count; ++i) all_[i].use(slots_[i].data(), slots_[i].data() + slots_[i].size());
  }
  [[nodiscard]] hall_deque& operator[](unsigned i) noexcept { return all_[i]; }
  [[nodiscard]] std::uint32_t threads() const noexcept { return threads_; }
  /// Others see the deques from now on.
  void show() noexcept { shown_.store(true, sync::relaxed, sync::site{"H10"}); }
  template <class F>
  bool any_deque(F f) const {
    if (!shown_.load(sync::relaxed, sync::site{"H11"})) return false;
    for (unsigned i = 0; i < count_; ++i) {
      if (f(all_[i])) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned most = 1;
  unsigned count_;
  unsigned threads_;
  door::atomic<bool> shown_;
  std::array<std::array<hall_slot, 4>, most> slots_;
  mutable std::array<hall_deque, most> all_;
};

/// Who finds nothing sleeps at once.
struct no_time {
  struct wait {
    explicit wait(const no_time&) noexcept {}
    [[nodiscard]] static bool lasts() noexcept { return false; }
    [[nodiscard]] static bool is_time_to_steal() noexcept { return true; }
  };
  static void begin() noexcept {}
};

using hall = runtime::waiting<sync::model, hall_deques, no_time>;

/// A world whose threads wait in one place.
class with_hall : public world {
 protected:
  explicit with_hall(unsigned deques, unsigned threads, bool shown = true) : deques_(deques, threads, shown) {}

  /// Until `of` has ended, as joins and groups wait; `help` may do something meanwhile.
  template <class Of, class Ended, class Help>
  void await(Of& of, const void* root, Ended ended, Help help, bool may_help = true) {
    struct waiter {
      Of& of;
      Ended ended;
      Help help;
      bool may;
      void say_asleep() { of.say_asleep(); }
      [[nodiscard]] bool may_help() const { return may; }
    };
    hall_.await(root, waiter{of, ended, help, may_help});
  }
  template <class Of, class Ended>
  void await(Of& of, Ended ended) {
    await(of, &of, ended, [] { return false; });
  }

  hall_deques deques_;
  runtime::parking<sync::model> parking_;
  no_time timing_;
  hall hall_{deques_, parking_, timing_};
};

}  // namespace steelyard::model
