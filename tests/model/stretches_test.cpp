// SPDX-License-Identifier: Apache-2.0
#include "openmp/team/stretches.hpp"

#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// Members go from barrier to barrier, each with its own time. `again`: two stretches of one slot, between which there may
/// have been others; otherwise one member adds its time only behind the barrier, when the other may be a stretch ahead.
class region : public world {
 public:
  region(unsigned members, unsigned count, bool again) : members_(members), count_(count), again_(again) {}

  void run(unsigned thread) override {
    for (unsigned number = 0; number < count_; ++number) {
      const bool after = !again_ && thread == 0;
      if (!after) end(thread, number);
      wait(number);
      if (after) end(thread, number);
    }
  }

  void finish() override {
    stretches_.finish();
    const auto& found = stretches_.found();
    openmp::stretch_sums wanted;
    for (unsigned number = 0; number < count_; ++number) {
      ++wanted.count;
      if (holds_timed_loop(number)) continue;
      std::uint64_t busy = 0;
      for (unsigned thread = 0; thread < members_; ++thread) busy += time(thread, number);
      const std::uint64_t longest = time(members_ - 1, number);
      wanted.busy += busy;
      wanted.span += longest * members_;
      wanted.avoidable += longest - busy / members_;
    }
    check(found.count == wanted.count, "not every stretch is summed up once");
    check(found.busy == wanted.busy, "busy times are lost");
    check(found.span == wanted.span, "not the longest times");
    check(found.avoidable == wanted.avoidable, "not what could be saved");
  }

 private:
  /// Each stretch shorter than the one before: what is left of that would show.
  static std::uint64_t time(unsigned thread, unsigned number) { return (thread + 1) * 16 >> number; }
  static bool holds_timed_loop(unsigned number) { return number == 0; }

  void end(unsigned thread, unsigned number) {
    const bool closed = stretches_.end(again_ ? 2 * number : number, time(thread, number),
                                       holds_timed_loop(number) && thread == 1, members_);
    // What it just did to its own sums, where a race is seen [E2].
    if (closed) sums_.write(number);
  }

  /// The runtime's barrier.
  void wait(unsigned number) {
    here_.fetch_add(1, sync::release, sync::site{"H1"});
    while (here_.load(sync::acquire, sync::site{"H2"}) < members_ * (number + 1)) door::pause();
  }

  unsigned members_;
  unsigned count_;
  bool again_;
  door::atomic<unsigned> here_{};
  data<unsigned> sums_{0};
  openmp::stretches<sync::model> stretches_;
};

protocol::test region_test(const std::string& name, unsigned members, unsigned count, bool again) {
  return {{"stretches/" + name, members, [=] { return std::make_unique<region>(members, count, again); }}, {}};
}

protocol tested() {
  return {"stretches",
          {region_test("again", 2, 2, true), region_test("late", 2, 2, false), region_test("three", 3, 1, true)}};
}

TEST(stretches, each_is_summed_up_once_with_every_members_time) { expect_holds(tested()); }
TEST(stretches, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
