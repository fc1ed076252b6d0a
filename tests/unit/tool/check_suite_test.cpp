// SPDX-License-Identifier: Apache-2.0
// Schedules that are right pass; each that is wrong is named for what it does.
#include "check/suite.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include <steelyard/own_schedule.hpp>

namespace steelyard::tool::check {
namespace {

struct halves {
  static constexpr const char* name = "halves";
  static constexpr const char* summary = "half of the rest at a time";
  explicit halves(const loop_shape&) noexcept {}
  [[nodiscard]] std::uint64_t size(std::uint64_t rest) const noexcept { return rest / 2; }
};

/// One iteration at a time from one counter, and what derived classes do wrong.
class one_by_one {
 public:
  static constexpr const char* name = "one";
  static constexpr const char* summary = "one at a time";
  static std::size_t bytes(const loop_shape&) noexcept { return sizeof(one_by_one); }
  explicit one_by_one(const loop_shape& loop) noexcept : end(loop.iterations) {}
  loop_step next(std::uint32_t) noexcept {
    const auto first =
        taken.load(std::memory_order_relaxed) < end ? taken.fetch_add(1, std::memory_order_relaxed) : end;
    return first < end ? loop_step{first, 1, 1} : loop_step{0, 0, 1};
  }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t) const noexcept { return end - std::min(end, taken.load()); }

  std::uint64_t end;
  std::atomic<std::uint64_t> taken{0};
};

struct loses_the_last : one_by_one {
  explicit loses_the_last(const loop_shape& loop) noexcept : one_by_one(loop) {
    if (end > 1) --end;
  }
};
struct hands_out_twice : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    auto got = one_by_one::next(member);
    if (got.first == 5) --got.first;
    return got;
  }
};
struct goes_beyond : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    auto got = one_by_one::next(member);
    if (got.count != 0 && got.first + 1 == end) ++got.count;
    return got;
  }
};
struct waits_for_member_0 : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    if (member == 0) came = true;
    while (!came) usleep(1000);
    return one_by_one::next(member);
  }
  std::atomic<bool> came{false};
  static std::size_t bytes(const loop_shape&) noexcept { return sizeof(waits_for_member_0); }
};
struct begins_again : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    const auto got = one_by_one::next(member);
    if (got.count == 0) taken = 0;
    return got;
  }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t) const noexcept { return 0; }
};
struct is_not_atomic : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t) noexcept {
    const auto first = taken.load();
    if (first >= end) return {0, 0, 1};
    if (first % 16 == 0) usleep(1);
    taken.store(first + 1);
    return {first, 1, 1};
  }
};
struct writes_beside : one_by_one {
  explicit writes_beside(const loop_shape& loop) noexcept : one_by_one(loop) {
    std::memset(reinterpret_cast<char*>(this) + sizeof(writes_beside), 0, 1);
  }
};
struct crashes : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t) noexcept { __builtin_trap(); }
};
struct forgets : one_by_one {
  explicit forgets(const loop_shape& loop) noexcept : one_by_one(loop) { end = std::min(end, seen); }
  static inline std::uint64_t seen = ~0ULL;  ///< shared by all loops
  loop_step next(std::uint32_t member) noexcept {
    if (end == 1000) seen = 999;
    return one_by_one::next(member);
  }
};
struct descends : one_by_one {
  static constexpr bool ascending = true;
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    auto got = one_by_one::next(member);
    if (got.count != 0) got.first = end - 1 - got.first;
    return got;
  }
};
struct ignores_the_chunk : one_by_one {
  static constexpr bool ascending = true;
  static constexpr const char* chunk = "least iterations per chunk";
  using one_by_one::one_by_one;
};

/// Every eighth iteration at a time: 2^61 in one step, where there are so many.
struct every_eighth : one_by_one {
  using one_by_one::one_by_one;
  static constexpr std::uint64_t apart = 8;
  loop_step next(std::uint32_t) noexcept {
    const auto first = taken.load() < std::min(end, apart) ? taken.fetch_add(1) : end;
    return first < std::min(end, apart) ? loop_step{first, (end - 1 - first) / apart + 1, apart} : loop_step{0, 0, 1};
  }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t) const noexcept {
    return taken.load() < std::min(end, apart) ? 1 : 0;
  }
};
/// What derived classes do wrong with the step that begins at 3, in long loops.
template <class Wrong>
struct wrong_eighths : every_eighth {
  using every_eighth::every_eighth;
  loop_step next(std::uint32_t member) noexcept {
    auto got = every_eighth::next(member);
    if (end > 1'000'000 && got.first == 3) Wrong::mend(got);
    return got;
  }
};
struct begins_beside {
  static void mend(loop_step& step) noexcept { step.first = 4; }
};
struct ends_the_process : one_by_one {
  using one_by_one::one_by_one;
  loop_step next(std::uint32_t member) noexcept {
    if (taken > 20) _exit(0);
    return one_by_one::next(member);
  }
};
struct loses_one_in_large_teams : one_by_one {
  explicit loses_one_in_large_teams(const loop_shape& loop) noexcept : one_by_one(loop) {
    if (loop.members > 60000) taken = 1;
  }
};
struct one_too_few {
  static void mend(loop_step& step) noexcept { --step.count; }
};
struct one_too_many {
  static void mend(loop_step& step) noexcept { ++step.count; }
};
struct ends_first {
  static void mend(loop_step& step) noexcept { step = {0, 0, 1}; }
};

std::string fault(const char* trial_name, const steelyard_schedule& schedule) {
  for (const auto& each : trials()) {
    if (std::string(each.name) == trial_name) return run_apart(each, schedule, 20).value_or("");
  }
  return "no such trial";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(check_suite, finds_nothing_in_what_is_right) {
  for (const auto& each : trials()) {
    EXPECT_EQ(fault(each.name, table_of<halves>()), "") << each.name;
    EXPECT_EQ(fault(each.name, table_of<one_by_one>()), "") << each.name;
    EXPECT_EQ(fault(each.name, table_of<every_eighth>()), "") << each.name;
  }
}

TEST(check_suite, names_what_is_wrong) {
  EXPECT_TRUE(has(fault("cover", table_of<loses_the_last>()), "iteration 1 is lost"));
  EXPECT_TRUE(has(fault("cover", table_of<hands_out_twice>()), "iteration 4 is handed out twice"));
  EXPECT_TRUE(has(fault("cover", table_of<goes_beyond>()), "beyond the loop"));
  EXPECT_TRUE(has(fault("cover", table_of<writes_beside>()), "beside its memory"));
  EXPECT_TRUE(has(fault("end", table_of<begins_again>()), "after it was told the end"));
  EXPECT_TRUE(has(fault("threads", table_of<is_not_atomic>()), "handed out twice"));
  EXPECT_TRUE(has(fault("ascending", table_of<descends>()), "goes back"));
  EXPECT_TRUE(has(fault("chunk", table_of<ignores_the_chunk>()), "shorter"));
  EXPECT_TRUE(has(fault("cover", table_of<forgets>()), "is lost"));
}

TEST(check_suite, names_what_is_wrong_with_steps_that_are_too_long_to_count) {
  EXPECT_TRUE(has(fault("long", table_of<wrong_eighths<begins_beside>>()), "iteration 4 is handed out twice"));
  EXPECT_TRUE(has(fault("long", table_of<wrong_eighths<one_too_few>>()), "is lost"));
  EXPECT_TRUE(has(fault("long", table_of<wrong_eighths<one_too_many>>()), "beyond the loop"));
  EXPECT_TRUE(has(fault("long", table_of<wrong_eighths<ends_first>>()), "iteration 3 is lost"));
}

TEST(check_suite, finds_what_is_wrong_in_large_teams) {
  EXPECT_EQ(fault("cover", table_of<loses_one_in_large_teams>()), "");
  EXPECT_TRUE(has(fault("teams", table_of<loses_one_in_large_teams>()), "iteration 0 is lost"));
}

TEST(check_suite, survives_what_crashes_or_waits) {
  EXPECT_EQ(fault("cover", table_of<ends_the_process>()), "it ends the process");
  EXPECT_TRUE(has(fault("cover", table_of<crashes>()), "crashes"));
  for (const auto& each : trials()) {
    if (std::string(each.name) != "absent") continue;
    EXPECT_TRUE(has(run_apart(each, table_of<waits_for_member_0>(), 1).value_or(""), "does it wait?"));
  }
}

}  // namespace
}  // namespace steelyard::tool::check
