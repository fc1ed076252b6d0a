// SPDX-License-Identifier: Apache-2.0
#include "schedules/adaptive.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::adaptive<sync::model>;

/// The protocol is that of the open range, which open_range_test explores; here it meets the schedule.
constexpr options some{.how = strategy::interleavings, .random = 3000};

/// Nobody leaves while another member has enough for two, though it may just be on its way to that one.
class stays : public world {
 public:
  explicit stays(bool takes_back) : takes_back_(takes_back) {}

  void run(unsigned thread) override {
    if (thread == 0) {
      auto* const all = ::new (static_cast<void*>(memory_)) schedule({.iterations = 24, .members = 3, .chunk = 1});
      if (takes_back_) {
        static_cast<void>(all->next(0));
        static_cast<void>(all->next(1));
        while (all->remaining(0) != 0) static_cast<void>(all->next(0));
      }
      known_.store(all, sync::release, sync::site{"H1"});
      check(!all->next(takes_back_ ? 0 : 1).done(), "there was all that another had left");
    } else {
      auto* const all = known_.await(sync::acquire, sync::site{"H2"}, [](schedule* s) { return s != nullptr; });
      check(!all->next(2).done(), "a member has left though another had enough for both");
    }
  }

 private:
  bool takes_back_;
  alignas(support::line_size) std::byte memory_[4096];
  door::atomic<schedule*> known_{};
};

protocol tested() {
  return {"adaptive",
          {hand_out_test<schedule>("adaptive/two", 2, {.iterations = 4, .members = 2, .chunk = 1}, some),
           hand_out_test<schedule>("adaptive/one_never_comes", 2, {.iterations = 3, .members = 3}, some),
           hand_out_test<schedule>("adaptive/three", 3, {.iterations = 9, .members = 3, .chunk = 1}, some),
           hand_out_test<schedule>("adaptive/one_try", 2,
                                   {.iterations = 4, .members = 2, .experiment = {.one_try = true}}, some),
           hand_out_test<schedule>("adaptive/alone", 1, {.iterations = 9, .members = 3, .chunk = 1}, some),
           {{"adaptive/stays", 2, [] { return std::make_unique<stays>(false); }}, some},
           {{"adaptive/stays_while_one_takes_back", 2, [] { return std::make_unique<stays>(true); }}, some},
           // Member 0 takes back the three that member 1 has left, not half of them.
           calls_test<schedule>("adaptive/takes_back", {.iterations = 12, .members = 2, .chunk = 2}, {0, 1, 0, 0, 0, 0},
                                {9, 2, 1}, some)},
          "R"};  // its words are the open range's
}

TEST(adaptive, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(adaptive, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
