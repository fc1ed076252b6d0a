// SPDX-License-Identifier: Apache-2.0
#include "runtime/waiting.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"
#include "waiting_hall.hpp"

namespace steelyard::model {
namespace {

/// Thread 0 pushes tasks and goes on only when others have begun them: one that sleeps beside a task that it may do is a deadlock.
class with_pusher : public with_hall {
 protected:
  using wish = hall_deque::thief;

  explicit with_pusher(unsigned threads, bool shown = true) : with_hall(1, threads, shown) {}

  [[nodiscard]] hall_deque& deque() noexcept { return deques_[0]; }
  auto find() {
    return [this](std::uint32_t number) -> wish& { return wishes_[number]; };
  }

  /// It has had tasks before: its limit is that of its slots.
  void push_and_pop() {
    hall_.begin();
    push(1);
    static_cast<void>(deque().pop(find()));
  }
  void push(unsigned number) {
    deque().young()->task.write(number);
    if (deque().push()) return;
    deque().look_up();
    hall_.wake_for_task();
  }
  void until_begun(unsigned count) {
    static_cast<void>(begun_.await(sync::relaxed, sync::site{"H1"}, [count](unsigned all) { return all == count; }));
  }

  /// By others: takes a task that descends from `root`, and begins it.
  bool steal(unsigned thread, const void* root) {
    auto& self = wishes_[thread];
    if (!deque().has_some(root)) return false;
    self.want(root);
    while (!deque().ask(self, thread)) sync::model::pause();
    deque().take(find());
    auto heard = self.hear();
    for (; heard.what == wish::answer::none; heard = self.hear()) sync::model::pause();
    if (heard.what == wish::answer::refused) return false;
    check(self.copy().task.read() != 0, "no task");
    hall_.wake_next();
    begin_one();
    return true;
  }
  void begin_one() { begun_.fetch_add(1, sync::relaxed, sync::site{"H2"}); }

  /// A worker that runs one task and ends.
  void idle(unsigned thread) {
    while (!steal(thread, nullptr)) static_cast<void>(hall_.park([] { return false; }));
  }

 private:
  std::array<wish, 4> wishes_;
  door::atomic<unsigned> begun_;
};

/// A worker is idle, and the first thread that has tasks in this pool pushes one; or one that has had some.
class push_and_park : public with_pusher {
 public:
  explicit push_and_park(bool first) : with_pusher(2), first_(first) {
    if (!first) push_and_pop();
  }
  void run(unsigned thread) override {
    if (thread != 0) return idle(thread);
    if (first_) hall_.begin();
    push(2);
    until_begun(1);
  }

 private:
  bool first_;
};

/// A guest sits down whose seat has been somebody else's: who sleeps has not rung there, for nobody had it.
class guest : public with_pusher {
 public:
  guest() : with_pusher(2, false) { push_and_pop(); }
  void run(unsigned thread) override {
    if (thread != 0) return idle(thread);
    deques_.show();
    hall_.begin();
    deque().ring_push();
    push(2);
    until_begun(1);
  }
};

/// Two tasks for two workers, but only the first push need look.
class chain : public with_pusher {
 public:
  chain() : with_pusher(3) { push_and_pop(); }
  void run(unsigned thread) override {
    if (thread != 0) return idle(thread);
    push(2);
    push(3);
    until_begun(2);
  }
};

/// A task and a loop for two workers: who was woken for the task may find the loop.
class loop : public with_pusher {
 public:
  loop() : with_pusher(3) { push_and_pop(); }
  void run(unsigned thread) override {
    if (thread != 0) return one_of_both(thread);
    push(2);
    seats_.store(1, sync::seq_cst, sync::site{"H3"});
    hall_.wake_idle(1);
    until_begun(2);
  }
  void finish() override { check(!deque().has_some(), "the loop had two of one seat"); }

 private:
  void one_of_both(unsigned thread) {
    bool joined = join();
    while (!joined && !steal(thread, nullptr)) {
      static_cast<void>(hall_.park([&] { return joined = join(); }));
    }
    if (!joined) return;
    hall_.pass_on();
    begin_one();
  }
  bool join() {
    unsigned left = seats_.load(sync::seq_cst, sync::site{"H4"});
    return left != 0 && seats_.compare_exchange(left, left - 1, sync::relaxed, sync::relaxed, sync::site{"H5"});
  }

  door::atomic<unsigned> seats_;
};

/// What a join waits for: a fork that thread 0 has stolen.
struct fork_of {
  fork_of() {  // in a slot that has been used before
    word.begin();
    static_cast<void>(word.end(false));
    word.begin();
  }
  static void push() noexcept {}
  static void run_here() noexcept {}
  bool end() noexcept { return word.end(false); }
  [[nodiscard]] bool has_ended() const noexcept { return word.has_ended(); }
  void say_asleep() noexcept { word.say_asleep(); }
  runtime::outcome<sync::model> word;
};

/// What a wait for a group waits for: thread 0 has stolen one task of it and pushes another.
struct group_of {
  void push() noexcept { count.push(); }
  void run_here() noexcept { --here; }
  bool end() noexcept { return count.end(); }
  [[nodiscard]] bool has_ended() const noexcept { return count.has_ended(here); }
  void say_asleep() noexcept { count.say_asleep(); }
  std::int64_t here = 1;
  runtime::group_count<sync::model> count;
};

/// One waits for what thread 0 runs, and that has a task for it before it ends.
template <class Awaited>
class descendant : public with_pusher {
 public:
  explicit descendant(bool may_help) : with_pusher(2), may_help_(may_help) {
    hall_.begin();
    static_cast<void>(deque().begin(runtime::lineage::of_fork(&awaited_, {}), find()));
    push(1);
    static_cast<void>(deque().pop(find()));
  }
  void run(unsigned thread) override {
    if (thread == 0) {
      awaited_.push();
      push(2);
      if (may_help_) {
        until_begun(1);
      } else {
        check(deque().pop(find()), "who has no stack left has taken a task");
        if (awaited_.end()) hall_.wake_waiters();
      }
      result_.write(7);
      if (awaited_.end()) hall_.wake_waiters();
      return;
    }
    await(
        awaited_, &awaited_, [this] { return awaited_.has_ended(); },
        [this] {
          if (!may_help_ || !steal(1, &awaited_)) return false;
          awaited_.run_here();
          return true;
        },
        may_help_);
    check(result_.read() == 7, "no result");
  }

 private:
  bool may_help_;
  Awaited awaited_;
  data<unsigned> result_;
};

/// One waits for a fork, and a worker is idle: a push wakes the worker, who alone may take the task.
class stranger : public with_pusher {
 public:
  stranger() : with_pusher(3) { push_and_pop(); }
  void run(unsigned thread) override {
    if (thread == 0) {
      push(2);
      until_begun(1);
      if (fork_.end()) hall_.wake_waiters();
    } else if (thread == 1) {
      await(
          fork_, &fork_, [this] { return fork_.has_ended(); }, [this] { return steal(1, &fork_); });
    } else {
      idle(thread);
    }
  }

 private:
  fork_of fork_;
};

template <class World, class... Plan>
protocol::test test(const std::string& name, unsigned threads, options how, Plan... plan) {
  return {{"waiting/" + name, threads, [plan...] { return std::make_unique<World>(plan...); }}, how};
}

protocol tested() {
  constexpr options all{.how = strategy::interleavings};
  constexpr options once{.how = strategy::interleavings, .bound = 1};
  return {"waiting",
          {test<push_and_park>("first_push", 2, all, true), test<push_and_park>("push", 2, all, false),
           test<guest>("guest", 2, all), test<descendant<fork_of>>("fork", 2, once, true),
           test<descendant<group_of>>("group", 2, once, true), test<descendant<group_of>>("no_stack", 2, once, false),
           test<stranger>("stranger", 3, once), test<chain>("chain", 3, once), test<loop>("loop", 3, once)},
          "D"};
}

TEST(waiting, nobody_sleeps_beside_a_task) { expect_holds(tested()); }
TEST(waiting, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
