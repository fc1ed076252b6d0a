// SPDX-License-Identifier: Apache-2.0
#include "schedules/hints.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

#include "loop_run.hpp"
#include "schedules/table.hpp"
#include "sync/real.hpp"

namespace steelyard::schedules::testing {
namespace {

using told = hints<sync::real, 4, true, 32, 128>;

TEST(hints, are_rough_logarithms) {
  EXPECT_EQ(told::of(0), 0);
  for (std::uint64_t left = 1; left < std::uint64_t{1} << 62; left *= 2) {
    EXPECT_EQ(told::of(left), told::of(2 * left - 1)) << left;
    EXPECT_EQ(told::of(left) + 1, told::of(2 * left)) << left;
  }
}

/// The hints of so many members, and thieves that look at them.
template <bool Most>
class of_members {
 public:
  using values = hints<sync::real, 4, Most, 32, 128>;
  of_members(std::uint32_t members, std::map<member, std::uint8_t> initial)
      : memory_(static_cast<std::byte*>(::operator new(values::bytes(members), line))),
        hints_(memory_.get(), members, [&](member m) { return initial[m]; }) {}
  member find(member thief) {
    return hints_.find(thief, [this] { return draw_(); });
  }
  values* operator->() { return &hints_; }

 private:
  static constexpr std::align_val_t line{support::line_size};
  struct release {
    void operator()(std::byte* memory) const { ::operator delete(memory, line); }
  };
  std::unique_ptr<std::byte, release> memory_;
  values hints_;
  std::mt19937_64 draw_{1};
};

TEST(hints, lead_every_thief_to_the_only_one_that_has_something) {
  for (const std::uint32_t members : {17U, 64U, 65U, 513U, 4096U, max_members}) {
    for (const member rich : {0U, 9U, members - 1}) {
      of_members<true> all(members, {{rich, 1}});
      for (const member thief : {1U, members / 2, members - 2}) EXPECT_EQ(all.find(thief), rich) << members;
      all->deny(rich);
      EXPECT_EQ(all.find(1), 1U) << "nobody has anything";
      all->say(rich, 7, true);
      EXPECT_EQ(all.find(1), rich) << "it has come by something";
    }
  }
}

TEST(hints, lead_past_the_thief_itself) {
  of_members<true> all(20, {{3, 5}});
  EXPECT_EQ(all.find(3), 3U);
}

TEST(hints, lead_to_who_has_most_among_those_looked_at) {
  of_members<true> all(24, {{1, 2}, {2, 6}, {12, 4}, {20, 3}});
  for (int again = 0; again < 20; ++again) EXPECT_EQ(all.find(0), 2U) << "in its line";
  for (int again = 0; again < 20; ++again) EXPECT_NE(all.find(13), 20U) << "more in its line";
}

TEST(hints, lead_to_anybody_where_most_is_not_wanted) {
  of_members<false> all(24, {{1, 2}, {2, 6}, {12, 4}, {20, 3}});
  std::map<member, int> found;
  for (int again = 0; again < 400; ++again) ++found[all.find(0)];
  EXPECT_EQ(found.size(), 4U);
  for (const auto& [who, times] : found) EXPECT_GT(times, 30) << who;
}

constexpr std::string_view by_hints[] = {"steal", "steal:even", "wsr", "wsri", "wsrw", "random"};

TEST(hints, leave_nobody_out_of_a_large_team) {
  std::mt19937_64 draw(1);
  for (const auto name : by_hints) {
    for (const std::uint32_t members : {33U, 40U, 100U, 300U}) {
      for (const std::uint64_t n : {0U, 1U, 7U, 99U, 1000U, 30'000U}) {
        for (const std::uint32_t come : {1U, 3U, members}) {
          auto callers = everybody(members);
          std::shuffle(callers.begin(), callers.end(), draw);
          callers.resize(come);
          loop_run run(name, {n, members, draw() % 3, draw(), {.contiguous = (draw() & 1) != 0}});
          ASSERT_TRUE(covers(in_random_order(run, callers, draw), n)) << name << " " << n << " on " << members;
          for (member m = 0; m < members; ++m) EXPECT_EQ(run.remaining(m), 0U);
        }
      }
    }
  }
}

/// A door to hints that lie: what they say is drawn at random. Those that nobody ever writes do not.
struct lying : sync::real {
  template <class T>
  class atomic : public sync::real::atomic<T> {
   public:
    using sync::real::atomic<T>::atomic;
    T load(sync::order how, sync::site where) const noexcept {
      const auto is = sync::real::atomic<T>::load(how, where);
      if (where.name[0] != 'V' || !written_) return is;
      if (only_too_much && is != T{0}) return is;
      return static_cast<T>(draws() % 4 == 0 ? draws() % 40 : 0);
    }
    void store(T value, sync::order how, sync::site where) noexcept {
      written_ = true;
      sync::real::atomic<T>::store(value, how, where);
    }

   private:
    bool written_ = false;
  };
  static inline bool only_too_much = false;
  static inline std::mt19937_64 draws{5};
};

constexpr operations liars[] = {operations_of<steal<lying>>, operations_of<steal_even<lying>>,
                                operations_of<wsr<lying>>,   operations_of<wsri<lying>>,
                                operations_of<wsrw<lying>>,  operations_of<random<lying>>};

TEST(hints, lose_nothing_when_they_lie) {
  std::mt19937_64 draw(2);
  for (const auto& schedule : liars) {
    for (int round = 0; round < 60; ++round) {
      const auto members = 33 + static_cast<std::uint32_t>(draw() % 100);
      const auto n = draw() % (round % 2 == 0 ? 200 : 20'000);
      lying::only_too_much = false;
      loop_run all_come(schedule, {n, members, draw() % 3, draw()});
      ASSERT_TRUE(covers(in_random_order(all_come, everybody(members), draw), n)) << schedule.about.name;
      lying::only_too_much = true;  // else they could hide the share of one that never comes
      loop_run few_come(schedule, {n, members, draw() % 3, draw()});
      ASSERT_TRUE(covers(in_random_order(few_come, {1, members - 1}, draw), n)) << schedule.about.name;
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
