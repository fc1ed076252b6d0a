// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"

/// Measurements that were never taken.
namespace steelyard::tool::made_up {

inline const site_key loop_site{"app", 0x11a4};

/// Rows: as written, `steal`, limit; `rounds` rounds. The program's time is the loop's plus `rest`.
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
    for (unsigned round = 0; round < rounds; ++round) add(made, 0, round, written);
    for (unsigned round = 0; round < rounds; ++round) add(made, 1, round, steal);
    add(made, 2, 0, written);
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
    loop.wall = time + wobble;
    loop.span = 2 * loop.wall;
    loop.busy = row == 0 ? loop.wall * 1.5 : loop.wall * 2;
    loop.steals = row == 1 ? 6 : 0;
    loop.limit_low = row == 2 ? limit_low : 0;
    loop.limit_high = row == 2 ? limit_high : 0;
    if (row == 1) loop.passed = passed;
    run.wall = run.process_time = loop.wall + rest;
    made.samples.push_back(run);
  }
};

inline comparison compared(const measurement& with) { return analyse(measurement::rows(), with.result()); }

}  // namespace steelyard::tool::made_up
