// SPDX-License-Identifier: Apache-2.0
#include "runtime/parking.hpp"

#include <array>
#include <memory>
#include <string>

#include "protocol_test.hpp"

namespace steelyard::model {
namespace {

/// The first threads publish work; the others are workers, each of which is through when it has done its part, and sleeps
/// as long as there is none.
class office : public world {
 public:
  static constexpr unsigned most = 2;  // of each

  struct plan {
    unsigned publishers, at_once, workers, part;
  };

  explicit office(const plan& of) : plan_(of) {}

  void run(unsigned thread) override {
    if (thread < plan_.publishers) return publish();
    for (unsigned i = 0; i < plan_.part; ++i) work();
  }

  void finish() override { check(post_.load(sync::relaxed, sync::site{"H5"}) == 0, "work is done twice"); }

 private:
  void publish() {
    for (unsigned i = 0; i < plan_.at_once; ++i)
      letters_[written_.fetch_add(1, sync::relaxed, sync::site{"H0"})].write(7);
    post_.fetch_add(plan_.at_once, sync::seq_cst, sync::site{"H1"});
    parking_.wake(plan_.at_once);
  }

  void work() {
    while (!look(sync::relaxed, sync::site{"H3"})) {
      const auto ticket = parking_.announce();
      if (look(sync::seq_cst, sync::site{"H4"})) {
        parking_.cancel();
        return;
      }
      parking_.sleep(ticket);
    }
  }

  /// Takes a piece of work.
  bool look(sync::order how, sync::site where) {
    unsigned left = post_.load(how, where);
    while (left != 0) {
      if (post_.compare_exchange(left, left - 1, sync::relaxed, sync::relaxed, sync::site{"H2"})) return true;
    }
    return false;
  }

  plan plan_;
  std::array<data<unsigned>, most> letters_;
  door::atomic<unsigned> written_;
  door::atomic<unsigned> post_;
  runtime::parking<sync::model> parking_;
};

protocol::test office_test(const std::string& name, const office::plan& of) {
  return {{"parking/" + name, of.publishers + of.workers, [of] { return std::make_unique<office>(of); }}, {}};
}

protocol tested() {
  return {"parking",
          {office_test("one", {.publishers = 1, .at_once = 1, .workers = 1, .part = 1}),
           office_test("two_at_once", {.publishers = 1, .at_once = 2, .workers = 2, .part = 1}),
           office_test("one_after_another", {.publishers = 2, .at_once = 1, .workers = 1, .part = 2})}};
}

TEST(parking, nobody_sleeps_beside_work) { expect_holds(tested()); }
TEST(parking, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
