// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/arrivals.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// Members go from barrier to barrier. Between two, each reads how work is dealt, which is not atomic, and notes what it took. The last
/// to come to a barrier reads the notes of all and deals anew.
class region : public world {
 public:
  region(unsigned members, unsigned barriers) : members_(members), barriers_(barriers) {}

  void run(unsigned thread) override {
    for (unsigned number = 0; number < barriers_; ++number) {
      check(dealt_.read() == number, "work is not dealt once at each barrier");
      notes_[thread].write(number + 1);
      if (came_.is_last(number, members_)) {
        for (unsigned each = 0; each < members_; ++each) {
          check(notes_[each].read() == number + 1, "a member is still at work");
        }
        dealt_.write(number + 1);
      }
      wait(number);
    }
    check(dealt_.read() == barriers_, "the last barrier is not counted");
  }

 private:
  /// The runtime's barrier.
  void wait(unsigned number) {
    here_.fetch_add(1, sync::release, sync::site{"H1"});
    while (here_.load(sync::acquire, sync::site{"H2"}) < members_ * (number + 1)) door::pause();
  }

  unsigned members_;
  unsigned barriers_;
  openmp::arrivals<sync::model> came_;
  door::atomic<unsigned> here_{};
  data<unsigned> dealt_{0};
  std::array<data<unsigned>, 3> notes_{};
};

protocol::test region_test(const std::string& name, unsigned members, unsigned barriers) {
  return {{"arrivals/" + name, members, [=] { return std::make_unique<region>(members, barriers); }}, {}};
}

protocol tested() { return {"arrivals", {region_test("two", 2, 2), region_test("three", 3, 1)}}; }

TEST(arrivals, the_last_has_the_others_work_and_deals_before_they_go_on) { expect_holds(tested()); }
TEST(arrivals, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
