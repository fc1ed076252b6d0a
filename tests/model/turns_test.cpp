// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/turns.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// Threads come some times each, read what is known twice, and leave; who leaves alone changes it, in two steps.
class regions : public world {
 public:
  regions(unsigned threads, unsigned times) : threads_(threads), times_(times) {}

  void run(unsigned thread) override {
    for (unsigned i = 0; i < times_; ++i) {
      if (!turns_.enter()) continue;
      const int first = one_.read();
      const int second = two_.read();
      check(first == second, "what is known changed while it was read");
      check(one_.read() == first && two_.read() == second, "it was another a moment later");
      if ((thread + i) % 2 != 0) {
        turns_.leave();
      } else if (turns_.leave_to_change()) {
        one_.write(first + 1);
        two_.write(second + 1);
        ++changes_[thread];
        turns_.changed();
      }
    }
  }

  void finish() override {
    int changes = 0;
    for (unsigned thread = 0; thread < threads_; ++thread) changes += changes_[thread];
    check(one_.read() == changes && two_.read() == changes, "a change was lost");
    check(turns_.enter() && turns_.leave_to_change(), "all have left, and one that comes is not alone");
  }

 private:
  unsigned threads_;
  unsigned times_;
  openmp::turns<sync::model> turns_;
  data<int> one_;
  data<int> two_;
  std::array<int, 3> changes_{};
};

protocol::test regions_test(const std::string& name, unsigned threads, unsigned times) {
  return {{"turns/" + name, threads, [=] { return std::make_unique<regions>(threads, times); }}, {}};
}

protocol tested() {
  return {"turns", {regions_test("two", 2, 2), regions_test("three", 3, 1), regions_test("again", 2, 3)}};
}

TEST(turns, nothing_changes_while_somebody_is_inside) { expect_holds(tested()); }
TEST(turns, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
