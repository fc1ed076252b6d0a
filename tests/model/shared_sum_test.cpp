// SPDX-License-Identifier: Apache-2.0
// What members of a team add to while they run: no addition is lost (schedules/chunks/chunks.md).
#include "schedules/chunks/shared_sum.hpp"

#include "hand_out.hpp"
#include "schedules/chunks/awf_c.hpp"

namespace steelyard::model {
namespace {

class adding : public world {
 public:
  void run(unsigned thread) override {
    sum_.add(thread + 1.0);
    if (thread == 0) sum_.add(-0.25);
    check(sum_.get() >= 0.75, "a member does not see what it has added");
  }
  void finish() override { check(sum_.get() == 0.5 + 1 - 0.25 + 2, "an addition is lost"); }

 private:
  schedules::shared_sum<sync::model> sum_{0.5};
};

/// awf-c hands out each iteration once, whatever its members are told of what chunks take.
class timed_hand_out : public world {
 public:
  void run(unsigned thread) override {
    if (thread == 0) known_.store(::new (static_cast<void*>(memory_)) schedule(loop_), sync::release, sync::site{"H1"});
    schedule* const of = known_.await(sync::acquire, sync::site{"H2"}, [](schedule* s) { return s != nullptr; });
    for (auto step = of->next(thread); !step.done(); step = of->next(thread)) {
      for (std::uint64_t i = step.first; i < step.first + step.count; ++i) {
        if (taken_.at(i)) fail("an iteration is handed out twice");
        taken_.at(i) = true;
      }
      of->completed(thread, step, {thread == 0 ? 1U : 100U, 0});
    }
  }
  void finish() override {
    for (const bool each : taken_) check(each, "an iteration is lost");
  }

 private:
  using schedule = schedules::awf_c<sync::model>;
  schedules::shape loop_{.iterations = 3, .members = 2};
  alignas(support::line_size) std::byte memory_[4096];
  std::array<bool, 3> taken_{};
  door::atomic<schedule*> known_{};
};

protocol tested() {
  return {"shared_sum", {{{"adding", 2, [] { return std::make_unique<adding>(); }}, {}}}};
}

TEST(shared_sum, loses_no_addition) {
  expect_holds(tested());
  expect_mutants_killed(tested());
}

TEST(shared_sum, steers_and_decides_nothing) {
  expect_holds({"awf-c", {{{"timed", 2, [] { return std::make_unique<timed_hand_out>(); }}, {}}}});
}

}  // namespace
}  // namespace steelyard::model
