// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "measure/comparison.hpp"
#include "measure/random.hpp"

/// Measurements that were never taken.
namespace steelyard::tool::made_up {

inline const site_key loop_site{"app", 0x11a4};

constexpr double microsecond = 1000;

/// A draw of the normal distribution (Box and Muller).
inline double normal(random_stream& draw) {
  constexpr double most = 18446744073709551616.0;
  const double radius = (static_cast<double>(draw.next()) + 1) / most;
  const double angle = static_cast<double>(draw.next()) / most;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

/// Rows: as written, `steal`, limit; `rounds` rounds. The program's time is the loop's plus `rest`. Microseconds.
struct measurement {
  double written = 100, steal = 50, limit_low = 45, limit_high = 49, rest = 10, noise = 0.5;
  unsigned rounds = 5;
  std::string passed;  ///< why `steal` did not take the loop

  [[nodiscard]] static std::vector<row> rows() {
    return {{row::kind::as_written, ""}, {row::kind::schedule, "steal"}, {row::kind::limit, ""}};
  }

  [[nodiscard]] experiment_result result() const {
    experiment_result made;
    made.threads = 2;
    auto& facts = made.sites[loop_site];
    facts.module_path = "/nonexistent/app";
    facts.abi = "gomp";
    facts.clause = "dynamic";
    facts.clause_chunk = 4;
    facts.taken = passed.empty();
    facts.reason = passed;
    facts.asks_for_block = passed == "static";
    for (unsigned round = 0; round < rounds; ++round) add(made, 0, round, written);
    for (unsigned round = 0; round < rounds; ++round) add(made, 1, round, steal);
    for (unsigned round = 0; round < 2; ++round) add(made, 2, round, written);
    made.rounds = rounds;
    return made;
  }

  /// Rounds differ, and the rows of a round too.
  void add(experiment_result& made, std::size_t row, unsigned round, double time) const {
    const double wobble = noise * (round % 2 == 0 ? 1 : -1) * (row == 0 ? 1 : 0.5) + static_cast<double>(round);
    sample run;
    run.row = row;
    run.round = round;
    run.processes = 1;
    auto& loop = run.sites[loop_site];
    loop.processes = 1;
    loop.members = 2;
    loop.wall = (time + wobble) * microsecond;
    loop.own = loop.wall;
    loop.span = 2 * loop.wall;
    loop.busy = row == 0 ? loop.wall * 1.5 : loop.wall * 2;
    loop.steals = row == 1 ? 6 : 0;
    loop.limit_low = row == 2 ? limit_low * microsecond : 0;
    loop.limit_high = row == 2 ? limit_high * microsecond : 0;
    if (row == 1) loop.passed = passed;
    run.wall = run.process_time = loop.wall + rest * microsecond;
    made.samples.push_back(run);
  }
};

/// Adds a region to every run: times per run, in microseconds.
inline void add_region(experiment_result& to, const site_key& key, const region_facts& facts, double own,
                       std::uint64_t loops = 0, double avoidable = 0) {
  to.regions[key] = facts;
  for (auto& run : to.samples) {
    auto& times = run.regions[key];
    times.instances = 1;
    times.loops = loops;
    times.wall = times.own = own * microsecond;
    times.avoidable = avoidable * microsecond;
    times.span = 2 * times.own;
    times.busy = times.span - 2 * times.avoidable;
  }
}

inline comparison compared(const measurement& with) { return analyse(measurement::rows(), with.result()); }

/// Five rounds that agree.
inline std::vector<double> steady(double time) {
  return {time, time * 1.001, time * 0.999, time * 1.002, time * 0.998};
}

/// Rows: as written and the schedules. The program's time is that of its loops, each given as [row][round], in
/// microseconds.
struct program {
  std::vector<std::string> schedules;
  std::vector<std::vector<std::vector<double>>> loops;
  std::vector<std::vector<double>> rest = {};  ///< outside of them, as [row][round]; else nothing

  [[nodiscard]] static site_key site(std::size_t loop) { return {"app", 0x1000 + loop}; }

  [[nodiscard]] std::vector<row> rows() const {
    std::vector<row> made = {{row::kind::as_written, ""}};
    for (const auto& name : schedules) made.push_back({row::kind::schedule, name});
    return made;
  }

  [[nodiscard]] experiment_result result() const {
    experiment_result made;
    made.threads = 2;
    made.rounds = static_cast<unsigned>(loops.front().front().size());
    for (std::size_t i = 0; i < loops.size(); ++i) {
      auto& facts = made.sites[site(i)];
      facts.module_path = "/nonexistent/app";
      facts.clause = "dynamic";
      facts.taken = true;
    }
    for (std::size_t row = 0; row <= schedules.size(); ++row) {
      for (unsigned round = 0; round < loops.front().front().size(); ++round) made.samples.push_back(run(row, round));
    }
    return made;
  }

  [[nodiscard]] sample run(std::size_t row, unsigned round) const {
    sample made;
    made.row = row;
    made.round = round;
    made.processes = 1;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      auto& loop = made.sites[site(i)];
      loop.wall = loop.own = loops[i][row][round] * microsecond;
      made.wall += loops[i][row][round] * microsecond;
    }
    if (!rest.empty()) made.wall += rest[row][round] * microsecond;
    made.process_time = made.wall;
    return made;
  }
};

inline comparison compared(const program& with) { return analyse(with.rows(), with.result()); }

/// `steal` is the faster one round by round, `dynamic` has the lesser median.
inline program ranked_apart() {
  return {{"dynamic", "steal"}, {{{100, 200, 300, 100, 250}, {83, 150, 252, 83, 205}, {76, 152, 228, 76, 190}}}};
}

/// One schedule is best for the program, another for one of its two loops, which have 60 % and 40 % of the time.
inline program loops_apart() {
  return {{"wsri", "steal"}, {{steady(600), steady(400), steady(300)}, {steady(400), steady(300), steady(500)}}};
}

}  // namespace steelyard::tool::made_up
