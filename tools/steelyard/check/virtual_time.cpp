// SPDX-License-Identifier: Apache-2.0
#include "check/virtual_time.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "simulator/replay.hpp"
#include "text/table.hpp"

namespace steelyard::tool::check {
namespace {

constexpr std::array<std::string_view, 4> others = {"static", "dynamic", "guided", "steal"};
constexpr std::array<std::uint32_t, 2> teams = {8, 64};
constexpr std::uint64_t share = 2048;  ///< iterations for each member
/// Of each call of the schedule; iterations cost 1 to 2 on average.
constexpr double price_of_call = 2;

struct distribution {
  const char* name;
  std::vector<double> (*costs)(std::size_t n);
};
constexpr distribution distributions[] = {
    {"all the same", cost::idws::regular},
    {"random", [](std::size_t n) { return cost::idws::random(n); }},
    {"dear end", [](std::size_t n) { return cost::idws::dense_end(n); }},
    {"dear begin", [](std::size_t n) { return cost::idws::dense_begin(n); }},
    {"falling", cost::adjoint},
    {"few dear ones", [](std::size_t n) { return cost::power_law(n); }},
};

std::string times_the_limit(const schedules::operations& schedule, const std::vector<double>& sums,
                            std::uint32_t members) {
  simulator::setup given;
  given.loop = {sums.size() - 1, members, 0, 1, {.contiguous = true, .all_arrive = true}};
  given.sums = sums;
  given.cost.call = price_of_call;
  return fmt::format("{:.2f}", simulator::replay(schedule, given).makespan * members / sums.back());
}

}  // namespace

std::string in_virtual_time(const schedules::operations& schedule) {
  std::vector<table::column> columns{{"costs", table::left}, {"members"}, {schedule.about.name}};
  for (const auto other : others) columns.push_back({std::string(other)});
  table found(std::move(columns));
  for (const auto& [name, costs] : distributions) {
    for (const auto members : teams) {
      const auto sums = cost::prefix_sums(costs(share * members));
      std::vector<std::string> cells{name, fmt::format("{}", members), times_the_limit(schedule, sums, members)};
      for (const auto other : others) cells.push_back(times_the_limit(*simulator::find(other), sums, members));
      found.add(std::move(cells));
    }
  }
  return found.text("  ");
}

}  // namespace steelyard::tool::check
