// SPDX-License-Identifier: Apache-2.0
// scale-replay: loops of known costs under the schedules, in the virtual time of a machine. A line for each loop and schedule:
//   dense-end steal makespan 123.4 limit 120.1 chunks 300 steals 17 attempts 20 lines 900 most 130
// in microseconds; lines of memory that came from another core, and the most that one call needed.
#include "../schedule_list.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "common/arguments.h"
#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "learn/chunk_bounds.hpp"
#include "simulator/machine.hpp"
#include "simulator/replay.hpp"

namespace {

namespace cost = steelyard::cost;
namespace simulator = steelyard::simulator;

struct loop {
  const char* name;
  std::vector<double> costs;
};

std::vector<loop> loops_of(std::size_t n, std::uint32_t members, double unit) {
  std::vector<loop> all = {{"regular", cost::idws::regular(n)},
                           {"random", cost::idws::random(n)},
                           {"dense-end", cost::idws::dense_end(n)},
                           {"dense-begin", cost::idws::dense_begin(n)},
                           {"periodic", cost::idws::periodic(n, members)},
                           {"adjoint", cost::adjoint(n)},
                           {"power-law", cost::power_law(n)}};
  for (auto& each : all) {
    for (double& one : each.costs) one *= unit;
  }
  return all;
}

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

/// What a front end knows of a loop that it has run before; of a processor of so many ticks in a nanosecond.
void know(steelyard::schedules::shape& loop, double work) {
  constexpr double ticks_of_ns = 2.5;
  const auto rate = steelyard::learn::rate_of(static_cast<std::uint64_t>(work * ticks_of_ns), loop.iterations);
  const auto bounds = steelyard::learn::chunk_bounds::of(loop.iterations, loop.members, rate);
  loop.known.grain = bounds.grain;
  loop.known.most_at_once = bounds.most_at_once;
}

void replay(const loop& of, const steelyard::schedules::operations& schedule, const simulator::machine& on,
            std::uint32_t members, bool learnt) {
  const auto sums = cost::prefix_sums(of.costs);
  simulator::setup given;
  given.loop.iterations = of.costs.size();
  given.loop.members = members;
  given.loop.seed = 1;
  given.loop.front_end.contiguous = !schedule.about.as_published;
  if (learnt) know(given.loop, sums.back());
  given.sums = sums;
  given.on = &on;
  const auto found = simulator::replay(schedule, given);
  const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf("%s %s makespan %.3f limit %.3f chunks %llu steals %llu attempts %llu lines %llu most %llu\n", of.name,
              schedule.about.name, found.makespan / 1000, cost::limit(of.costs, members) / 1000, number(found.chunks),
              number(found.steals), number(found.attempts), number(found.lines), number(found.most_lines));
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = nullptr;
  const char* names = "static,dynamic,guided,factoring,steal,wsri,idws,adaptive,random";
  long members = 128, each = 16384, unit = 10;
  int learnt = 0;
  const argument table[] = {
      argument_flag("--learnt", "how long iterations take on average is known, as from the second instance on",
                    &learnt),
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
  const auto team = static_cast<std::uint32_t>(members);
  const auto schedules = schedules_named(names);
  for (const auto& of : loops_of(static_cast<std::size_t>(members * each), team, static_cast<double>(unit))) {
    for (const auto* schedule : schedules) replay(of, *schedule, on, team, learnt != 0);
  }
  return EXIT_SUCCESS;
}
