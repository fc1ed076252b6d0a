// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "protocol_test.hpp"
#include "schedules/contract.hpp"

namespace steelyard::model {

/// The contract of a schedule under the model: one thread opens the loop, each calls `next` until it is told that
/// nothing is left; every iteration is handed out exactly once, whoever comes and whenever.
template <class Schedule>
class hand_out : public world {
 public:
  static constexpr unsigned most = 64;

  explicit hand_out(const schedules::shape& loop) : loop_(loop) {
    if (Schedule::bytes(loop) > sizeof memory_ || loop.iterations > most) std::abort();
  }

  void run(unsigned thread) override {
    if (thread == 0) open();
    // H1 and H2 stand for whatever front end makes the schedule known to its members.
    Schedule* const schedule = known_.await(sync::acquire, sync::site{"H2"}, [](Schedule* s) { return s != nullptr; });
    while (take(*schedule, thread)) {
    }
    check(schedule->next(thread).done(), "a member that was told that nothing is left is told otherwise");
  }

  void finish() override {
    for (unsigned i = 0; i < loop_.iterations; ++i) {
      if (!taken_[i]) fail("iteration " + std::to_string(i) + " is lost");
    }
    const Schedule* const schedule = known_.load(sync::relaxed, sync::site{"H3"});
    for (schedules::member m = 0; m < loop_.members; ++m) {
      check(schedule->remaining(m) == 0, "after the loop a member still has iterations left");
      if constexpr (requires { schedule->remaining_work(m); }) {
        check(schedule->remaining_work(m) == 0, "after the loop a member still has work left");
      }
    }
    note_steals(*schedule);
  }

 private:
  /// How many ranges each member took from others, e.g. "1 0": whether a test reaches what it is for.
  void note_steals(const Schedule& schedule) const {
    std::string text;
    for (schedules::member m = 0; m < loop_.members; ++m) {
      if (m != 0) text += ' ';
      text += std::to_string(schedule.counts(m).steals);
    }
    outcome(text);
  }

  void open() { known_.store(::new (static_cast<void*>(memory_)) Schedule(loop_), sync::release, sync::site{"H1"}); }

  bool take(Schedule& schedule, unsigned thread) {
    const auto step = schedule.next(thread);
    for (std::uint64_t i = 0; i < step.count; ++i) {
      const auto iteration = step.first + i * step.stride;
      if (iteration >= loop_.iterations) fail("iteration " + std::to_string(iteration) + " is not in the loop");
      if (taken_[iteration]) fail("iteration " + std::to_string(iteration) + " is handed out twice");
      taken_[iteration] = true;
    }
    return !step.done();
  }

  schedules::shape loop_;
  alignas(support::line_size) std::byte memory_[8192];
  std::array<bool, most> taken_{};
  door::atomic<Schedule*> known_{};
};

/// A schedule that goes by hints (schedules/hints.hpp) for teams of two, with two hints to a line. Among nine there are copies, and among three owners
/// say what is empty.
template <class Rules>
struct by_hints : Rules {
  struct ask : Rules::ask {
    static constexpr bool asks_all(const schedules::shape& loop) noexcept { return loop.members == 1; }
    static constexpr std::uint32_t hints_in_line = 2;
    static constexpr std::uint32_t readers_of_copy = 2;
    static constexpr std::uint32_t few = 2;
  };
};

/// The executions of a `hand_out_test` include one with these numbers of steals.
inline void expect_steals(const protocol::test& test, const std::string& steals) {
  EXPECT_EQ(explore(test.what, test.how).outcomes.count(steals), 1U) << test.what.name;
}

/// What a schedule decides, not only that it loses nothing: one thread makes the calls of all members in a given order
/// and the last call must give `expected`. Kills the mutants that only make a hint wrong.
template <class Schedule>
class calls_in_turn : public world {
 public:
  calls_in_turn(const schedules::shape& loop, std::vector<schedules::member> callers, schedules::step expected)
      : loop_(loop), callers_(std::move(callers)), expected_(expected) {}

  void run(unsigned) override {
    auto* const schedule = ::new (static_cast<void*>(memory_)) Schedule(loop_);
    schedules::step last;
    for (const auto m : callers_) last = schedule->next(m);
    if (last != expected_) {
      fail("the last call gave first " + std::to_string(last.first) + ", count " + std::to_string(last.count) +
           ", stride " + std::to_string(last.stride));
    }
  }

 private:
  schedules::shape loop_;
  std::vector<schedules::member> callers_;
  schedules::step expected_;
  alignas(support::line_size) std::byte memory_[8192];
};

template <class Schedule>
protocol::test calls_test(const std::string& name, const schedules::shape& loop,
                          const std::vector<schedules::member>& callers, const schedules::step& expected,
                          const options& how = {}) {
  return {{name, 1, [=] { return std::make_unique<calls_in_turn<Schedule>>(loop, callers, expected); }}, how};
}

/// A test of the protocol: `threads` members of the team come, the others never do.
template <class Schedule>
protocol::test hand_out_test(const std::string& name, unsigned threads, const schedules::shape& loop,
                             const options& how = {}) {
  return {{name, threads, [loop] { return std::make_unique<hand_out<Schedule>>(loop); }}, how};
}

/// The schedule holds in teams of two and in `more` tests; together they kill its mutants.
template <class Schedule>
void expect_each_once(const std::string& name, const std::vector<protocol::test>& more) {
  protocol tested{name,
                  {hand_out_test<Schedule>(name + "/two", 2, {.iterations = 5, .members = 2}),
                   hand_out_test<Schedule>(name + "/chunks", 2, {.iterations = 9, .members = 2, .chunk = 2})}};
  tested.tests.insert(tested.tests.end(), more.begin(), more.end());
  expect_holds(tested);
  expect_mutants_killed(tested);
}

}  // namespace steelyard::model
