// SPDX-License-Identifier: Apache-2.0
// scale-replay: loops of known costs under the schedules, in the virtual time of a machine. A line for each loop and schedule:
//   dense-end steal makespan 123.4 limit 120.1 chunks 300 steals 17 attempts 20 lines 900 most 130
// in microseconds; lines of memory that came from another core, and the most that one call needed. With --account also
//   own 1.2 thefts 0.4 last 0.3 waiting 0.9
// microseconds of a member on average: in calls that gave it its own, that asked others, in its last one, and after that.
#include "../schedule_list.hpp"
#include "rows.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/arguments.h"
#include "cost/limit.hpp"
#include "learn/chunk_bounds.hpp"
#include "learn/cost_profile.hpp"
#include "simulator/machine.hpp"
#include "simulator/replay.hpp"

namespace {

namespace cost = steelyard::cost;
namespace simulator = steelyard::simulator;

/// What the command line asks for.
struct request {
  std::uint32_t members;
  bool learnt;
  bool dealt;
  bool account;
};

simulator::machine read_machine(const char* file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) bad_input("--machine %s: cannot be read", file);
  try {
    return simulator::parse_machine(text.str());
  } catch (const simulator::machine_error& error) {
    bad_input("--machine %s: %s", file, error.what());
  }
}

constexpr double ticks_of_ns = 2.5;  ///< of a processor

/// What a front end knows of a loop that it has run before.
void know(steelyard::schedules::shape& loop, double work) {
  const auto rate = steelyard::learn::rate_of(static_cast<std::uint64_t>(work * ticks_of_ns), loop.iterations);
  steelyard::learn::know_rate(loop, rate);
}

/// Where blocks of equal cost end, as one observed instance tells: it ran by `steal`, and its iterations cost up to a twentieth more or
/// less each. It ran in the other direction, so that what costs at random was elsewhere.
std::vector<std::uint64_t> ends_learnt(const rows::loop& of, const simulator::setup& as) {
  std::vector<double> costs = of.costs;
  if (of.is_random) std::reverse(costs.begin(), costs.end());
  cost::uniform_sequence next(5);
  for (double& one : costs) one *= 0.95 + 0.1 * next();
  const auto sums = cost::prefix_sums(costs);
  auto observed = as;
  observed.sums = sums;
  observed.keep_events = true;
  const auto found = simulator::replay(*simulator::find("steal"), observed);
  const auto profile = std::make_unique<steelyard::learn::cost_profile>();
  profile->begin(costs.size());
  for (const auto& each : found.events) {
    const auto [first, count] = std::pair(each.what.first, each.what.count);
    if (count != 0)
      profile->took(first, count, static_cast<std::uint64_t>((sums[first + count] - sums[first]) * ticks_of_ns));
  }
  steelyard::learn::density spread;
  std::vector<std::uint64_t> ends(as.loop.members);
  if (ends.size() > steelyard::learn::density::most_blocks || profile->sum_up(spread).work == 0) return {};
  spread.cut(as.loop.members, costs.size(), ends.data());
  return ends;
}

/// A line's second half: of a member on average.
void print_account(const simulator::outcome& found, std::uint32_t members) {
  const auto each = [members](double time) { return time / members / 1000; };
  const double busy = each(std::accumulate(found.busy.begin(), found.busy.end(), 0.0));
  const auto& calls = found.calls;
  const double in_calls = each(calls.handing_out + calls.stealing + calls.leaving);
  std::printf(" own %.3f thefts %.3f last %.3f waiting %.3f", each(calls.handing_out), each(calls.stealing),
              each(calls.leaving), found.makespan / 1000 - busy - in_calls);
}

/// For any of the schedules.
simulator::setup setup_of(const std::vector<double>& sums, const simulator::machine& on, const request& asked) {
  simulator::setup given;
  given.loop.iterations = sums.size() - 1;
  given.loop.members = asked.members;
  given.loop.seed = 1;
  given.loop.front_end.contiguous = true;
  if (asked.learnt) know(given.loop, sums.back());
  given.sums = sums;
  given.on = &on;
  return given;
}

void replay(const rows::loop& of, const steelyard::schedules::operations& schedule, simulator::setup given,
            bool account) {
  const auto members = given.loop.members;
  given.loop.front_end.contiguous = !schedule.about.as_published;
  const auto found = simulator::replay(schedule, given);
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf("%s %s makespan %.3f limit %.3f chunks %llu steals %llu attempts %llu lines %llu most %llu", of.name,
              schedule.about.name, found.makespan / 1000, cost::limit(of.costs, members) / 1000, number(found.chunks),
              number(found.steals), number(found.attempts), number(found.lines), number(found.most_lines));
  if (account) print_account(found, members);
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = nullptr;
  const char* names = "static,dynamic,guided,factoring,steal,wsri,idws,adaptive,random";
  long members = 128, each = 16384, unit = 10;
  const char* set = "judged";
  int learnt = 0, dealt = 0, account = 0;
  const argument table[] = {
      argument_flag("--learnt", "how long iterations take on average is known, as from the second instance on",
                    &learnt),
      argument_flag("--dealt", "how costs lie is known, too, from one instance before; blocks are dealt by that",
                    &dealt),
      argument_flag("--account", "where the time goes that is not iterations", &account),
      argument_text("--rows", "SET", "judged, or training: others to choose constants by (default judged)", &set),
      argument_text("--machine", "FILE", "the description of a machine, as in bench/machines", &file),
      argument_text("--schedules", "NAMES", "separated by commas", &names),
      argument_number("--members", "of the team (default 128)", 1, 4096, &members),
      argument_number("--each", "iterations for each member (default 16384)", 1, 1 << 20, &each),
      argument_number("--unit", "ns of a unit of cost; an iteration costs 0.3 to 5 (default 10)", 1, 1000000, &unit)};
  arguments_parse(argc, argv, "Loops of known costs in the virtual time of a machine", table, std::size(table));
  if (file == nullptr) bad_input("no machine: give --machine FILE, such as bench/machines/2x64.txt");
  const auto on = read_machine(file);
  if (members > static_cast<long>(on.threads())) {
    bad_input("--members %ld: %s has %u threads", members, file, on.threads());
  }
  const bool trains = std::string_view(set) == "training";
  if (!trains && std::string_view(set) != "judged") bad_input("--rows %s: judged or training", set);
  const request asked{static_cast<std::uint32_t>(members), learnt != 0, dealt != 0, account != 0};
  const auto n = static_cast<std::size_t>(members * each);
  const auto schedules = schedules_named(names);
  auto loops = trains ? rows::training(n) : rows::judged(n, asked.members);
  for (auto& of : loops) {
    for (double& one : of.costs) one *= static_cast<double>(unit);
    const auto sums = cost::prefix_sums(of.costs);
    auto given = setup_of(sums, on, asked);
    std::vector<std::uint64_t> ends;
    if (asked.dealt) ends = ends_learnt(of, given);
    if (!ends.empty()) given.loop.known.ends = ends.data();
    for (const auto* schedule : schedules) replay(of, *schedule, given, asked.account);
  }
  return EXIT_SUCCESS;
}
