// SPDX-License-Identifier: Apache-2.0
// Schedules that a program adds: by the public headers alone.
#include <steelyard/own_schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <steelyard/loop.hpp>

namespace {

struct halves {
  static constexpr const char* name = "Halves";
  static constexpr const char* summary = "half of the rest at a time";
  explicit halves(const steelyard::loop_shape&) noexcept {}
  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept { return rest / 2; }
};

/// Sizes that are none.
struct wrong_sizes {
  static constexpr const char* name = "wrong-sizes";
  static constexpr const char* summary = "nothing, then more than there is";
  explicit wrong_sizes(const steelyard::loop_shape&) noexcept {}
  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept { return rest % 2 == 0 ? 0 : ~0ULL; }
};

/// All to whoever comes first.
class all_to_one {
 public:
  static constexpr const char* name = "all-to-one";
  static constexpr const char* summary = "the whole loop at once";
  static std::size_t bytes(const steelyard::loop_shape&) noexcept { return sizeof(all_to_one); }
  explicit all_to_one(const steelyard::loop_shape& loop) noexcept : left_(loop.iterations) {}
  steelyard::loop_step next(std::uint32_t) noexcept { return {0, left_.exchange(0), 1}; }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t) const noexcept { return left_; }

 private:
  std::atomic<std::uint64_t> left_;
};

void runs(const char* schedule) {
  std::vector<std::atomic<int>> times(10'000);
  const steelyard::pool four(4);
  for (int round = 0; round < 3; ++round) {
    steelyard::parallel_for(std::size_t{0}, times.size(), [&](std::size_t i) { ++times[i]; },
                            {.schedule = schedule, .on = &four, .always_parallel = true});
  }
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& each) { return each == 3; })) << schedule;
}

TEST(own_schedule, runs_once_it_has_been_added) {
  EXPECT_THROW(runs("halves"), std::invalid_argument);
  const auto before = steelyard_schedule_count();
  steelyard::add_schedule<halves>();
  steelyard::add_schedule<halves>();
  EXPECT_EQ(steelyard_schedule_count(), before + 1);
  EXPECT_EQ(steelyard_schedule_find("halves"), before);
  EXPECT_STREQ(steelyard_schedule_name(before), "Halves");
  EXPECT_STREQ(steelyard_schedule_summary(before), "half of the rest at a time");
  EXPECT_EQ(steelyard_schedule_name(before + 1), nullptr);
  steelyard_choice choice{};
  EXPECT_EQ(steelyard_schedule_parse("HALVES,8", &choice), nullptr);
  EXPECT_EQ(choice.schedule, before);
  EXPECT_EQ(choice.chunk, 8U);
  for (const char* const text : {"halves", "halves,64"}) runs(text);
}

TEST(own_schedule, may_be_any_class) {
  steelyard::add_schedule<all_to_one>();
  runs("all-to-one");
}

TEST(own_schedule, of_a_rule_loses_nothing_whatever_the_rule_says) {
  steelyard::add_schedule<wrong_sizes>();
  runs("wrong-sizes");
}

TEST(own_schedule, is_refused_with_a_reason) {
  const auto reason = [](auto change) {
    static steelyard_schedule table;
    table = steelyard::table_of<all_to_one>();
    table.name = "refused";
    change(table);
    const char* const wrong = steelyard_schedule_add(&table);
    return std::string(wrong != nullptr ? wrong : "");
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(reason([](auto& t) { t.version = 2; }), "version"));
  EXPECT_TRUE(has(reason([](auto& t) { t.name = "Steal"; }), "another one"));
  EXPECT_TRUE(has(reason([](auto& t) { t.name = "gss"; }), "another one"));
  EXPECT_TRUE(has(reason([](auto& t) { t.name = "a b"; }), "name"));
  EXPECT_TRUE(has(reason([](auto& t) { t.name = ""; }), "name"));
  EXPECT_TRUE(has(reason([](auto& t) { t.name = "a-name-of-more-than-thirty-one-letters"; }), "name"));
  EXPECT_TRUE(has(reason([](auto& t) { t.next = nullptr; }), "next"));
  EXPECT_TRUE(has(reason([](auto& t) { t.summary = nullptr; }), "summary"));
  EXPECT_TRUE(has(steelyard_schedule_add(nullptr), "table"));
}

}  // namespace
