// SPDX-License-Identifier: Apache-2.0
// cows-replay: recorded costs under the schedules, in virtual time. A line for each schedule:
//   wsri makespan 123.4 limit 120.1 steals 17 attempts 20 chunks 300
// in microseconds, summed over the loops of the file.
#include "../schedule_list.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "cost/limit.hpp"
#include "graph/program.hpp"
#include "recording.hpp"
#include "schedules/work_sums.hpp"
#include "simulator/replay.hpp"

namespace {

namespace simulator = steelyard::simulator;

struct setting {
  std::uint32_t members;
  simulator::charges charges;
};

struct totals {
  double makespan = 0, limit = 0;
  std::uint64_t steals = 0, attempts = 0, chunks = 0;
};

// What a schedule is told of the costs, in memory that has to last as long as the loop: what the kernel knows of them,
// and, where it is the degree, what was recorded.
steelyard::schedules::shape tell_costs(const steelyard::schedules::shape& loop, const cows::recorded_loop& of,
                                       const std::vector<double>& costs, std::vector<double>& memory) {
  steelyard::schedules::known_costs known;
  known.equal = of.known == cows::cost::kind::equal;
  known.guarded = of.known == cows::cost::kind::guarded;
  known.each = steelyard::cost::source::of(costs.data());
  memory.resize(steelyard::schedules::work_sums::size_for(loop));
  return steelyard::schedules::work_sums(memory).apply(loop, known);
}

simulator::outcome replay(const steelyard::schedules::operations& schedule, const cows::recorded_loop& loop,
                          const std::vector<double>& costs, const setting& with) {
  const auto sums = steelyard::cost::prefix_sums(costs);
  simulator::setup given;
  given.loop.iterations = costs.size();
  given.loop.members = with.members;
  given.loop.seed = 1;
  given.loop.front_end.contiguous = given.loop.front_end.expensive_first = !schedule.about.as_published;
  std::vector<double> memory;
  if (schedule.remaining_work != nullptr) given.loop = tell_costs(given.loop, loop, costs, memory);
  given.sums = sums;
  given.cost = with.charges;
  return simulator::replay(schedule, given);
}

totals replay_all(const steelyard::schedules::operations& schedule, const std::vector<cows::recorded_loop>& loops,
                  const setting& with) {
  totals sum;
  for (const auto& loop : loops) {
    const std::vector<double> costs(loop.costs.begin(), loop.costs.end());
    const auto found = replay(schedule, loop, costs, with);
    sum.makespan += found.makespan;
    sum.limit += steelyard::cost::limit(costs, with.members);
    sum.steals += found.steals;
    sum.attempts += found.attempts;
    sum.chunks += found.chunks;
  }
  return sum;
}

void print(const char* name, const totals& sum) {
  std::printf("%s makespan %.3f limit %.3f steals %llu attempts %llu chunks %llu\n", name, sum.makespan / 1000,
              sum.limit / 1000, static_cast<unsigned long long>(sum.steals),
              static_cast<unsigned long long>(sum.attempts), static_cast<unsigned long long>(sum.chunks));
}

int run(int argc, char** argv) {
  const char* file = nullptr;
  const char* schedules = "cyclic,wsr,wsri,static,dynamic,guided,steal,idws";
  long members = 32, call = 20, transfer = 50;
  const argument table[] = {
      argument_text("--costs", "FILE", "what cows-serial --record wrote", &file),
      argument_text("--schedules", "NAMES", "separated by commas", &schedules),
      argument_number("--members", "of the team (default 32)", 1, steelyard::schedules::max_members, &members),
      argument_number("--call", "ns that a call of the schedule costs (default 20)", 0, 1000000, &call),
      argument_number("--transfer", "ns that it costs to get what another member wrote (default 50)", 0, 1000000,
                      &transfer)};
  arguments_parse(argc, argv, "Recorded costs of a COWS kernel, replayed in virtual time", table, std::size(table));
  if (file == nullptr) bad_input("no costs: give --costs FILE, written by cows-serial --record");
  const auto loops = cows::read_costs(file);
  const setting with{static_cast<std::uint32_t>(members), {static_cast<double>(call), static_cast<double>(transfer)}};
  for (const auto* schedule : schedules_named(schedules)) {
    print(schedule->about.name, replay_all(*schedule, loops, with));
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
