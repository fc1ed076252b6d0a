// SPDX-License-Identifier: Apache-2.0
#include "simulator/selection/loops.hpp"

#include <iterator>
#include <limits>
#include <utility>

#include "cost/limit.hpp"

namespace steelyard::simulator::selection {
namespace {

using costs = std::vector<double>;

/// Regular but for a dear middle, as lattice Boltzmann has it around an obstacle.
costs obstacle(std::size_t n, std::uint64_t seed) {
  auto all = cost::idws::random(n, seed);
  for (auto& each : all) each = 2 + each / 50;
  for (std::size_t i = n * 2 / 5; i < n / 2; ++i) all[i] += 3;
  return all;
}

template <class Costs>
loop changing(const char* name, Costs of) {
  return {name, [of](std::size_t n, std::uint32_t members, std::uint64_t instance) {
            auto all = of(n, members, instance + 1);
            cost::uniform_sequence next(instance + 1);
            for (auto& each : all) each *= 1 + 0.05 * next();
            return cost::prefix_sums(all);
          }};
}

loop in_turn(const loop& a, const loop& b, std::uint64_t phase) {
  return {a.name + " | " + b.name,
          [a = a.sums, b = b.sums, phase](std::size_t n, std::uint32_t members, std::uint64_t instance) {
            return instance / phase % 2 == 0 ? a(n, members, instance) : b(n, members, instance);
          },
          phase};
}

}  // namespace

std::vector<loop> steady_loops() {
  using namespace cost;
  return {changing("regular", [](auto n, auto, auto) { return idws::regular(n); }),
          changing("random", [](auto n, auto, auto seed) { return idws::random(n, seed); }),
          changing("dense end", [](auto n, auto, auto seed) { return idws::dense_end(n, seed); }),
          changing("dense begin", [](auto n, auto, auto seed) { return idws::dense_begin(n, seed); }),
          changing("periodic", [](auto n, auto members, auto) { return idws::periodic(n, members); }),
          changing("adjoint", [](auto n, auto, auto) { return adjoint(n); }),
          changing("power law", [](auto n, auto, auto) { return power_law(n); }),
          changing("hubs first", [](auto n, auto, auto) { return hubs_first(n); }),
          changing("obstacle", [](auto n, auto, auto seed) { return obstacle(n, seed); })};
}

std::vector<loop> loops_with_phases(std::uint64_t phase) {
  const auto all = steady_loops();
  const auto pair = [&](std::size_t a, std::size_t b) { return in_turn(all[a], all[b], phase); };
  return {pair(0, 2), pair(3, 2), pair(5, 0), pair(6, 8), pair(1, 7)};
}

loop levels_of_a_search() {
  return {"levels of a search", [all = steady_loops()](std::size_t n, std::uint32_t members, std::uint64_t instance) {
            struct level {
              std::size_t kind;
              double work;
            };
            constexpr level levels[] = {{0, 0.1}, {6, 0.5}, {2, 2}, {1, 4}, {8, 1}, {3, 0.5}, {5, 0.2}, {0, 0.1}};
            const auto& at = levels[instance % std::size(levels)];
            auto sums = all[at.kind].sums(n, members, instance);
            for (auto& each : sums) each *= at.work;
            return sums;
          }};
}

best_known best_of_catalogue(std::span<const std::vector<double>> instances, std::uint32_t members,
                             const conditions& under) {
  best_known best{std::numeric_limits<double>::max(), {}};
  const auto n = instances.front().size() - 1;
  for (const auto& schedule : all()) {
    if (schedule.about.learns != schedules::learning::nothing) continue;
    for (const std::uint64_t chunk : {0U, 16U}) {
      if (chunk != 0 && (schedule.about.chunk_meaning == nullptr || chunk * members * 2 > n)) continue;
      schedules::loop_record record;
      double time = 0;
      for (const auto& sums : instances) {
        setup given;
        given.loop = {n, members, chunk, 1, {.contiguous = true, .all_arrive = true}};
        given.sums = sums;
        given.cost.call = under.call;
        given.record = &record;
        time += replay(schedule, given).makespan;
      }
      if (time < best.time)
        best = {time, schedule.about.name + std::string(chunk != 0 ? "," + std::to_string(chunk) : "")};
    }
  }
  return best;
}

}  // namespace steelyard::simulator::selection
