// SPDX-License-Identifier: Apache-2.0
#include "check/suite.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "check/loop_under_check.hpp"
#include "check/virtual_time.hpp"
#include "schedules/own.hpp"

namespace steelyard::tool::check {
namespace {

using fault = std::optional<std::string>;

constexpr std::uint32_t most_members = 65'536;

std::vector<std::uint32_t> everybody(std::uint32_t members) {
  std::vector<std::uint32_t> all(members);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// The small loops of most trials.
template <class Try>
fault each_small_loop(const Try& attempt) {
  std::mt19937_64 draw(1);
  for (const std::uint64_t n : {0U, 1U, 2U, 3U, 7U, 64U, 1000U}) {
    for (const std::uint32_t members : {1U, 2U, 3U, 4U, 7U, 17U}) {
      for (const std::uint64_t chunk : {0U, 1U, 3U, 64U, 2000U}) {
        if (auto wrong = attempt(steelyard_shape{n, chunk, draw(), members}, draw)) return wrong;
      }
    }
  }
  return std::nullopt;
}

fault covers(const steelyard_schedule& schedule) {
  return each_small_loop([&](const steelyard_shape& shape, auto& draw) {
    loop_under_check loop(schedule, shape);
    return loop.fault_in(loop.run(everybody(shape.members), [&](std::size_t left) { return draw() % left; }));
  });
}

fault needs_not_everybody(const steelyard_schedule& schedule) {
  return each_small_loop([&](const steelyard_shape& shape, auto& draw) {
    auto callers = everybody(shape.members);
    std::shuffle(callers.begin(), callers.end(), draw);
    callers.resize(1 + draw() % shape.members);
    loop_under_check loop(schedule, shape);
    auto wrong = loop.fault_in(loop.run(callers, [&](std::size_t left) { return draw() % left; }));
    if (wrong) *wrong += fmt::format("; {} of {} members came", callers.size(), shape.members);
    return wrong;
  });
}

/// One after the other, the last one first, and all in turn.
fault takes_any_order(const steelyard_schedule& schedule) {
  return each_small_loop([&](const steelyard_shape& shape, auto&) -> fault {
    std::size_t turn = 0;
    const auto first = [](std::size_t) { return std::size_t{0}; };
    const auto last = [](std::size_t left) { return left - 1; };
    const auto in_turn = [&turn](std::size_t left) { return turn++ % left; };
    loop_under_check one(schedule, shape);
    if (auto wrong = one.fault_in(one.run(everybody(shape.members), first))) return *wrong + "; one after the other";
    loop_under_check two(schedule, shape);
    if (auto wrong = two.fault_in(two.run(everybody(shape.members), last))) return *wrong + "; the last one first";
    loop_under_check three(schedule, shape);
    if (auto wrong = three.fault_in(three.run(everybody(shape.members), in_turn))) return *wrong + "; in turn";
    return std::nullopt;
  });
}

fault stays_ended(const steelyard_schedule& schedule) {
  return each_small_loop([&](const steelyard_shape& shape, auto& draw) -> fault {
    loop_under_check loop(schedule, shape);
    static_cast<void>(loop.run(everybody(shape.members), [&](std::size_t left) { return draw() % left; }));
    for (std::uint32_t m = 0; m < shape.members; ++m) {
      if (loop.remaining(m) != 0) return loop.told(fmt::format("member {} has iterations left when all are done", m));
      for (int again = 0; again < 1000; ++again) {
        if (loop.next(m).count != 0) return loop.told(fmt::format("member {} gets more after it was told the end", m));
      }
    }
    return std::nullopt;
  });
}

/// Of one that takes a chunk, and ascends: each member may be left with one shorter chunk.
fault keeps_the_chunk(const steelyard_schedule& schedule) {
  if (schedule.chunk == nullptr || schedule.ascending == 0) return std::nullopt;
  return each_small_loop([&](const steelyard_shape& shape, auto& draw) -> fault {
    loop_under_check loop(schedule, shape);
    const auto all = loop.run(everybody(shape.members), [&](std::size_t left) { return draw() % left; });
    const auto is_short = [&](const auto& each) { return each.what.count < shape.chunk; };
    const auto found = std::count_if(all.begin(), all.end(), is_short);
    if (found <= shape.members) return std::nullopt;
    return loop.told(fmt::format("{} chunks are shorter than that", found));
  });
}

fault ascends(const steelyard_schedule& schedule) {
  if (schedule.ascending == 0) return std::nullopt;
  return each_small_loop([&](const steelyard_shape& shape, auto& draw) -> fault {
    loop_under_check loop(schedule, shape);
    std::vector<std::uint64_t> behind(shape.members);
    for (const auto& [who, what] :
         loop.run(everybody(shape.members), [&](std::size_t left) { return draw() % left; })) {
      if (what.first < behind[who])
        return loop.told(fmt::format("member {} goes back to iteration {}", who, what.first));
      behind[who] = what.first + what.count;
    }
    return std::nullopt;
  });
}

/// Near 2^31, 2^32, 2^63 and 2^64, as far as it hands out few chunks there; of others the first ones.
fault holds_long_loops(const steelyard_schedule& schedule) {
  constexpr std::size_t most = 20'000;
  for (const std::uint64_t n : {(1ULL << 31) - 1, 1ULL << 31, (1ULL << 32) + 1, (1ULL << 63) + 1, ~0ULL}) {
    for (const std::uint32_t members : {1U, 3U, 17U}) {
      loop_under_check loop(schedule, {n, n / 1000, 1, members});
      std::size_t turn = 0;
      auto all = std::vector<handed_out>();
      std::vector<bool> done(members);
      for (std::uint32_t left = members; left != 0 && all.size() < most; ++turn) {
        const auto m = static_cast<std::uint32_t>(turn % members);
        if (done[m]) continue;
        const auto what = loop.next(m);
        done[m] = what.count == 0;
        if (done[m]) --left;
        if (!done[m]) all.push_back({m, what});
      }
      auto wrong = loop.fault_in(all);
      const bool is_whole = all.size() < most;
      if (wrong && (is_whole || wrong->find("is lost") == std::string::npos)) return wrong;
    }
  }
  return std::nullopt;
}

/// The same loop twice, in memory that held other things before.
fault initialises(const steelyard_schedule& schedule) {
  return each_small_loop([&](const steelyard_shape& shape, auto&) -> fault {
    loop_under_check one(schedule, shape, 0x00);
    loop_under_check other(schedule, shape, 0xff);
    const auto first = [](std::size_t) { return std::size_t{0}; };
    const auto ran = one.run(everybody(shape.members), first);
    const auto again = other.run(everybody(shape.members), first);
    const auto same = [](const auto& a, const auto& b) {
      return a.who == b.who && a.what.first == b.what.first && a.what.count == b.what.count &&
             a.what.stride == b.what.stride;
    };
    if (std::equal(ran.begin(), ran.end(), again.begin(), again.end(), same)) return std::nullopt;
    return one.told("it does other things where its memory held something else before, or another loop ran");
  });
}

fault runs_on_threads(const steelyard_schedule& schedule) {
  constexpr std::uint64_t n = 20'000;
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    for (std::uint64_t round = 0; round < 20; ++round) {
      loop_under_check loop(schedule, {n, 1 + round % 3, round, members});
      std::vector<std::vector<handed_out>> ran(members);
      std::atomic<std::uint32_t> waiting{members};
      std::vector<std::thread> threads;
      for (std::uint32_t m = 0; m < members; ++m) {
        threads.emplace_back([&, m] {
          --waiting;
          while (waiting != 0) std::this_thread::yield();
          for (auto what = loop.next(m); what.count != 0 && ran[m].size() <= n; what = loop.next(m)) {
            ran[m].push_back({m, what});
            static_cast<void>(loop.remaining((m + 1) % members));
          }
        });
      }
      for (auto& each : threads) each.join();
      for (std::uint32_t m = 1; m < members; ++m) ran[0].insert(ran[0].end(), ran[m].begin(), ran[m].end());
      if (auto wrong = loop.fault_in(ran[0])) return *wrong + "; on threads";
    }
  }
  return std::nullopt;
}

/// All of some hundreds or thousands, a few of the most that there may be; and the simulator's figures, for nothing but that they can be had.
fault holds_large_teams(const steelyard_schedule& schedule) {
  std::mt19937_64 draw(1);
  for (const std::uint32_t members : {255U, 1024U, 4096U, most_members}) {
    for (const std::uint64_t n : {std::uint64_t{100}, std::uint64_t{members}, 3 * std::uint64_t{members} + 1}) {
      auto callers = everybody(members);
      std::shuffle(callers.begin(), callers.end(), draw);
      callers.resize(std::min<std::size_t>(callers.size(), members == most_members ? 64 : members));
      loop_under_check loop(schedule, {n, n / 1000, 1, members});
      if (auto wrong = loop.fault_in(loop.run(callers, [&](std::size_t left) { return draw() % left; }))) return wrong;
    }
  }
  if (const char* const wrong = schedules::add_own(&schedule)) return std::string("it ") + wrong;
  static_cast<void>(in_virtual_time(schedules::own().back()));
  return std::nullopt;
}

constexpr trial all_trials[] = {
    {"cover", "each iteration is handed out once", covers},
    {"order", "members may call in any order", takes_any_order},
    {"absent", "members may never come", needs_not_everybody},
    {"end", "what has ended stays ended, and nothing is left", stays_ended},
    {"chunk", "chunks are as long as the chunk parameter says", keeps_the_chunk},
    {"ascending", "each member's iterations grow, if it says so", ascends},
    {"long", "loops of up to 2^64 - 1 iterations", holds_long_loops},
    {"memory", "a loop depends on nothing that was before it", initialises},
    {"threads", "members may call at the same time", runs_on_threads},
    {"teams", "teams of up to 65,536 members, and in virtual time", holds_large_teams},
};

}  // namespace

std::span<const trial> trials() noexcept { return all_trials; }

}  // namespace steelyard::tool::check
