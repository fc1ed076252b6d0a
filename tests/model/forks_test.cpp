// SPDX-License-Identifier: Apache-2.0
#include "sync/forks.hpp"

#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// Threads of a child of fork, whose lock a thread of the parent may have had. Two that hold it at once are a data race.
class locking : public world {
 public:
  locking(unsigned times, bool was_left) : times_(times) {
    if (was_left) lock_.lock(before);
    left_.write(was_left ? 1 : 0);
  }

  void run(unsigned) override {
    for (unsigned i = 0; i < times_; ++i) {
      const bool whole = lock_.lock(here);
      check(whole == (left_.read() == 0), "who comes first, and nobody else, is told that the lock was left");
      left_.write(0);
      taken_.write(taken_.read() + 1);
      lock_.unlock();
    }
  }

  void finish() override { check(taken_.read() == 2 * times_, "a turn is lost"); }

 private:
  static constexpr std::uint32_t before = 6;
  static constexpr std::uint32_t here = 7;

  unsigned times_;
  sync::fork_safe_lock<sync::model> lock_;
  data<unsigned> taken_;
  data<unsigned> left_;
};

protocol::test locking_test(const std::string& name, unsigned times, bool was_left) {
  return {{"forks/" + name, 2, [=] { return std::make_unique<locking>(times, was_left); }}, {}};
}

protocol tested() {
  return {"forks", {locking_test("free", 1, false), locking_test("twice", 2, false), locking_test("left", 1, true)}};
}

TEST(forks, one_holds_the_lock) { expect_holds(tested()); }
TEST(forks, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
