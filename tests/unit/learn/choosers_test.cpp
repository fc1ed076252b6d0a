// SPDX-License-Identifier: Apache-2.0
#include "learn/choosers.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace steelyard::learn {
namespace {

struct one {
  std::uint64_t iterations = 0;
  std::uint32_t members = 0;
  bool is_free = true;
  bool pays = false;
  void pay_first() { pays = true; }
  [[nodiscard]] bool is_for(std::uint64_t n, std::uint32_t m) const { return n == iterations && m == members; }
};

/// As who uses it does: one that is for others begins anew.
class place {
 public:
  one* of(std::uint64_t n, std::uint32_t members = 2) {
    const auto make = [this] { return has_memory ? std::make_unique<one>() : nullptr; };
    auto* const its = all_.of(n, members, make, [](const one& each) { return each.is_free; });
    if (its != nullptr) *its = {n, members, its->is_free, its->pays};
    return its;
  }
  [[nodiscard]] const one* last() const { return all_.last(); }
  bool has_memory = true;

 private:
  choosers<std::unique_ptr<one>> all_;
};

constexpr auto most = choosers<std::unique_ptr<one>>::most;

TEST(choosers, there_is_one_for_each_trip_count_and_number_of_members) {
  place at;
  EXPECT_EQ(at.last(), nullptr);
  one* const ten = at.of(10);
  one* const twenty = at.of(20);
  one* const ten_by_three = at.of(10, 3);
  EXPECT_NE(ten, twenty);
  EXPECT_NE(ten, ten_by_three);
  EXPECT_EQ(at.last(), ten_by_three);
  EXPECT_EQ(at.of(10), ten);
  EXPECT_EQ(at.of(20), twenty);
  EXPECT_EQ(at.last(), twenty);
}

TEST(choosers, all_but_the_first_pay_before_they_observe) {
  place at;
  EXPECT_FALSE(at.of(1)->pays);
  EXPECT_TRUE(at.of(2)->pays);
  EXPECT_TRUE(at.of(3)->pays);
  EXPECT_FALSE(at.of(1)->pays);
}

TEST(choosers, too_many_replace_the_one_used_the_longest_ago) {
  place at;
  one* const first = at.of(1);
  one* const second = at.of(2);
  for (std::uint64_t n = 3; n <= most; ++n) at.of(n);
  at.of(1);
  EXPECT_EQ(at.of(most + 1), second);
  EXPECT_EQ(at.of(1), first);
}

TEST(choosers, who_is_in_use_is_not_replaced) {
  place at;
  for (std::uint64_t n = 1; n <= most; ++n) at.of(n)->is_free = n % 2 == 0;
  for (std::uint64_t n = 2; n <= most; n += 2) EXPECT_NE(at.of(100 + n), nullptr);
  for (std::uint64_t n = 1; n <= most; n += 2) EXPECT_FALSE(at.of(n)->is_free);
  for (std::uint64_t n = 2; n <= most; n += 2) at.of(100 + n)->is_free = false;
  EXPECT_EQ(at.of(1000), nullptr);
}

TEST(choosers, without_memory_another_one_is_used_again) {
  place at;
  at.has_memory = false;
  EXPECT_EQ(at.of(1), nullptr);
  at.has_memory = true;
  one* const first = at.of(1);
  at.has_memory = false;
  EXPECT_EQ(at.of(2), first);
}

}  // namespace
}  // namespace steelyard::learn
