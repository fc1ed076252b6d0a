// SPDX-License-Identifier: Apache-2.0
#include "learn/automatic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "learn/cost_profile.hpp"
#include "simulator/replay.hpp"
#include "support/cache_line.hpp"

/// What `automatic` loses against the best schedule of the whole catalogue, known behind the loop: it sees chunk times of the instances
/// that it has observed, with noise and in whole ticks, and is judged on instances whose costs are others each time.
namespace steelyard::simulator {
namespace {

constexpr double ticks_of_unit = 75;  ///< 25 ns at 3 GHz
constexpr double call = 0.8;          ///< 20 ns
constexpr double noise = 0.02;        ///< of the time of each chunk
constexpr int settled = 6;            ///< instances that are not judged

using costs = std::vector<double>;

struct row {
  const char* name;
  std::function<costs(std::size_t, std::uint32_t, std::uint64_t seed)> of;
};

/// Regular but for a dear middle, as lattice Boltzmann has it around an obstacle.
costs obstacle(std::size_t n, std::uint64_t seed) {
  auto all = cost::idws::random(n, seed);
  for (auto& each : all) each = 2 + each / 50;
  for (std::size_t i = n * 2 / 5; i < n / 2; ++i) all[i] += 3;
  return all;
}

/// Every iteration by up to 5 % more, each time otherwise.
costs changing(costs all, std::uint64_t seed) {
  cost::uniform_sequence next(seed);
  for (auto& each : all) each *= 1 + 0.05 * next();
  return all;
}

std::vector<row> rows() {
  using namespace cost;
  return {{"regular", [](auto n, auto, auto) { return idws::regular(n); }},
          {"random", [](auto n, auto, auto seed) { return idws::random(n, seed); }},
          {"dense end", [](auto n, auto, auto seed) { return idws::dense_end(n, seed); }},
          {"dense begin", [](auto n, auto, auto seed) { return idws::dense_begin(n, seed); }},
          {"periodic", [](auto n, auto members, auto) { return idws::periodic(n, members); }},
          {"adjoint", [](auto n, auto, auto) { return adjoint(n); }},
          {"power law", [](auto n, auto, auto) { return power_law(n); }},
          {"hubs first", [](auto n, auto, auto) { return hubs_first(n); }},
          {"obstacle", [](auto n, auto, auto seed) { return obstacle(n, seed); }}};
}

struct aligned {
  void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{support::line_size}); }
};

setup setup_of(const std::vector<double>& sums, std::uint32_t members, std::uint64_t seed) {
  setup given;
  given.loop = {sums.size() - 1, members, 0, seed, {.contiguous = true, .all_arrive = true}};
  given.sums = sums;
  given.cost.call = call;
  return given;
}

/// A front end in virtual time.
class front_end {
 public:
  double run(const std::vector<double>& sums, std::uint32_t members, std::uint64_t seed) {
    const auto n = sums.size() - 1;
    const auto plan = chooser_.next(n, members);
    auto given = setup_of(sums, members, seed);
    given.loop.members = plan.how.members;
    given.loop.chunk = plan.how.chunk;
    std::vector<std::uint64_t> ends(members);
    if (plan.how.by_shares) {
      chooser_.cut(n, plan.how.members, ends.data());
      given.loop.known.ends = ends.data();
    }
    given.keep_events = plan.observed;
    const auto found = replay(*find(plan.how.schedule->about.name), given);
    if (plan.observed) observe(found, sums);
    const learn::observation seen{plan.observed ? &profile_ : nullptr,
                                  static_cast<std::uint64_t>(call * ticks_of_unit)};
    if (chooser_.took(quantised(found.makespan), seen)) {
      const std::unique_ptr<void, aligned> room(
          ::operator new (chooser_.room_to_forecast(), std::align_val_t{support::line_size}));
      chooser_.forecast(room.get());
    }
    return found.makespan;
  }
  [[nodiscard]] const learn::automatic& chooser() const { return chooser_; }

 private:
  std::uint64_t quantised(double time) {
    return static_cast<std::uint64_t>(time * ticks_of_unit * (1 + noise * (2 * random_() - 1)));
  }
  void observe(const outcome& found, const std::vector<double>& sums) {
    profile_.begin(sums.size() - 1);
    for (const auto& each : found.events) {
      if (each.what.count == 0) continue;
      profile_.took(each.what.first, each.what.count,
                    quantised(sums[each.what.first + each.what.count] - sums[each.what.first]));
    }
  }

  learn::automatic chooser_;
  learn::cost_profile profile_;
  cost::uniform_sequence random_{5};
};

/// The least of the whole catalogue, with each one's default, and chunks of several sizes. Those that learn get all instances.
struct best_known {
  double time = std::numeric_limits<double>::max();
  std::string name;
};

best_known best_of_catalogue(const std::vector<std::vector<double>>& judged, std::uint32_t members) {
  best_known best;
  const auto n = judged.front().size() - 1;
  for (const auto& schedule : all()) {
    if (schedule.about.learns != schedules::learning::nothing) continue;
    for (const std::uint64_t chunk : {0U, 16U}) {
      if (chunk != 0 && (schedule.about.chunk_meaning == nullptr || chunk * members * 2 > n)) continue;
      schedules::loop_record record;
      double time = 0;
      for (const auto& sums : judged) {
        auto given = setup_of(sums, members, 1);
        given.loop.chunk = chunk;
        given.record = &record;
        time += replay(schedule, given).makespan;
      }
      if (time < best.time)
        best = {time, schedule.about.name + std::string(chunk != 0 ? "," + std::to_string(chunk) : "")};
    }
  }
  return best;
}

class automatic_regret : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(automatic_regret, is_small_against_the_best_of_the_catalogue) {
  const auto members = GetParam();
  const std::size_t n = members <= 128 ? 1 << 18 : 1 << 19;
  const int instances = members <= 128 ? 8 : 7;  // these take the longest
  std::vector<double> regrets;
  for (const auto& each : rows()) {
    front_end automatic;
    std::vector<std::vector<double>> judged;
    double time = 0;
    for (int i = 0; i < instances; ++i) {
      const auto seed = static_cast<std::uint64_t>(i + 1);
      const auto sums = cost::prefix_sums(changing(each.of(n, members, seed), seed));
      const auto took = automatic.run(sums, members, seed);
      if (i < settled) continue;
      time += took;
      judged.push_back(sums);
    }
    const auto best = best_of_catalogue(judged, members);
    regrets.push_back(time / best.time - 1);
    char why[400];
    automatic.chooser().explain(why, sizeof why);
    std::printf("%5u %-12s %+.4f  best %-14s  %s\n", members, each.name, regrets.back(), best.name.c_str(), why);
    EXPECT_TRUE(automatic.chooser().is_settled()) << each.name;
    EXPECT_LE(automatic.chooser().settled_after(), 5U) << each.name;
    EXPECT_LE(regrets.back(), 0.10) << each.name;
  }
  std::sort(regrets.begin(), regrets.end());
  EXPECT_LE(regrets[regrets.size() / 2], 0.03);
}

INSTANTIATE_TEST_SUITE_P(members, automatic_regret, ::testing::Values(8, 32, 128, 1024));

}  // namespace
}  // namespace steelyard::simulator
