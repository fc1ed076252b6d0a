// SPDX-License-Identifier: Apache-2.0
// What hundreds of members take at one gate, in lines of memory and in virtual time.
#include "runtime/gate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "machines.hpp"
#include "simulator/coherence.hpp"
#include "sync/virtual.hpp"

namespace steelyard {
namespace {

using sync::virtual_time;

/// A gate and its groups.
template <std::uint32_t InGroup>
struct entrance {
  static constexpr std::uint32_t most_groups = 1024;
  using its_gate = runtime::gate<virtual_time, InGroup>;
  using look = its_gate::look;

  entrance() { gate.use(groups.data()); }

  alignas(64) its_gate gate;
  std::array<typename its_gate::group, most_groups> groups;
};

/// Counts what changes each line.
class writes final : public sync::access_listener {
 public:
  writes() { virtual_time::now().listener = this; }
  ~writes() { virtual_time::now().listener = nullptr; }
  writes(const writes&) = delete;
  writes& operator=(const writes&) = delete;

  void read(const void*) noexcept override {}
  void write(const void* location) noexcept override { ++of_line_[reinterpret_cast<std::uintptr_t>(location) / 64]; }
  void update(const void* location) noexcept override { write(location); }
  void will_write(const void*) noexcept override {}
  void settle() noexcept override {}

  [[nodiscard]] std::size_t lines() const { return of_line_.size(); }
  [[nodiscard]] int most() const {
    return std::ranges::max_element(of_line_, {}, [](const auto& each) { return each.second; })->second;
  }

 private:
  std::map<std::uintptr_t, int> of_line_;
};

TEST(gate, among_1024_few_write_one_line) {
  const auto at = std::make_unique<entrance<16>>();
  for (int turn = 0; turn < 3; ++turn) {
    {
      const writes by_the_caller;
      at->gate.open(1023);
      EXPECT_EQ(by_the_caller.lines(), 1U);
    }
    const writes by_members;
    std::vector<decltype(at->gate)::seat> seats;
    std::vector<bool> taken(1024);
    for (std::uint32_t i = 0; i < 1023; ++i) {
      const auto seat = at->gate.sit_down(i * 389 % 1023, entrance<16>::look::again);
      ASSERT_TRUE(seat.number >= 1 && seat.number <= 1023 && !taken[seat.number]) << seat.number;
      taken[seat.number] = true;
      seats.push_back(seat);
    }
    EXPECT_EQ(at->gate.sit_down(7, entrance<16>::look::last).number, 0U);
    EXPECT_FALSE(at->gate.has_seats());
    at->gate.close();
    for (const auto& seat : seats) at->gate.stand_up(seat);
    auto never = [] { return false; };
    at->gate.await_empty(never);
    EXPECT_EQ(by_members.lines(), 65U) << "the word's and 64 groups'";
    EXPECT_LE(by_members.most(), 2 * 64 + 1);
  }
}

TEST(gate, groups_of_the_last_turn_are_as_if_new) {
  const auto at = std::make_unique<entrance<16>>();
  auto never = [] { return false; };
  for (const std::uint32_t seats : {40U, 17U, 16U, 40U, 33U}) {
    at->gate.open(seats);
    EXPECT_TRUE(at->gate.has_seats());
    std::vector<decltype(at->gate)::seat> mine;
    for (auto seat = at->gate.sit_down(90, entrance<16>::look::again); seat.number != 0;
         seat = at->gate.sit_down(90, entrance<16>::look::again)) {
      mine.push_back(seat);
    }
    EXPECT_EQ(mine.size(), seats);
    at->gate.close();
    for (const auto& seat : mine) at->gate.stand_up(seat);
    at->gate.await_empty(never);
  }
}

/// When the last of so many who come at once is inside, and how long after the end of the work the last has left, in nanoseconds.
struct times {
  double in = 0, out = 0;
};

template <std::uint32_t InGroup>
times pass(const simulator::machine& on, std::uint32_t members) {
  const auto at = std::make_unique<entrance<InGroup>>();
  simulator::coherence lines(on, at.get(), sizeof *at);
  const auto time_of = [&](std::uint32_t member, double clock, const std::function<void()>& does) {
    lines.begin(member, clock);
    virtual_time::now().listener = &lines;
    does();
    virtual_time::now().listener = nullptr;
    return lines.end();
  };
  time_of(0, 0, [&] { at->gate.open(members - 1); });
  std::vector<typename entrance<InGroup>::its_gate::seat> seats(members);
  times found;
  for (std::uint32_t m = 1; m < members; ++m) {
    found.in =
        std::max(found.in, time_of(m, 0, [&] { seats[m] = at->gate.sit_down(m - 1, entrance<InGroup>::look::again); }));
    EXPECT_NE(seats[m].number, 0U);
  }
  const double end = found.in + 1e6;
  for (std::uint32_t m = 1; m < members; ++m) {
    found.out = std::max(found.out, time_of(m, end, [&] { at->gate.stand_up(seats[m]); }) - end);
  }
  return found;
}

TEST(gate, groups_of_128_are_through_sooner) {
  const auto on = simulator::preset("2x64");
  const auto together = pass<255>(on, 128);
  const auto in_groups = pass<16>(on, 128);
  RecordProperty("ns", std::to_string(together.in) + " " + std::to_string(together.out) + " " +
                           std::to_string(in_groups.in) + " " + std::to_string(in_groups.out));
  EXPECT_LT(in_groups.in, together.in / 3);
  EXPECT_LT(in_groups.out, together.out / 3);
}

}  // namespace
}  // namespace steelyard
