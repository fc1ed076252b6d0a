// SPDX-License-Identifier: Apache-2.0
// cows-replay: recorded costs under the schedules, in virtual time. A line for each schedule:
//   wsri makespan 123.4 limit 120.1 steals 17 attempts 20 chunks 300
// in microseconds, summed over the loops of the file. Schedules that ask for costs are told those that were recorded, or with --told
// those that a compiled program tells.
#include "../schedule_list.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "cost/limit.hpp"
#include "graph/input_error.hpp"
#include "graph/program.hpp"
#include "recording.hpp"
#include "schedules/expensive_first.hpp"
#include "schedules/work_sums.hpp"
#include "simulator/replay.hpp"
#include "told.hpp"

namespace {

namespace simulator = steelyard::simulator;

struct setting {
  std::uint32_t members;
  simulator::charges charges;
  const std::vector<cows::told_loop>* told;  // or nullptr
  bool refined;
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

// What a compiled program has told, as the drop-in takes it. Its constants are seeds; where they are refined, they follow from
// what the site's loops took before.
class told_costs {
 public:
  told_costs(const std::vector<cows::told_loop>& loops, bool refined) : loops_(&loops), refined_(refined) {}

  // Good until the next call.
  steelyard::schedules::shape apply(steelyard::schedules::shape loop, const cows::recorded_loop& of) {
    const auto* told = told_of(of);
    if (told == nullptr || told->guarded) return loop;
    loop.known.equal = told->equal;
    if (told->equal || told->terms == 0) return loop;
    if (told->iterations != of.costs.size())
      throw graph::input_error("--told: not of the run that --costs was recorded of");
    auto& terms = sites_[told->site];
    if (!terms.has_begun()) terms.begin(told->terms, told->constants.data(), told->constants.data() + 1);
    terms.set(told->numbers, told->iterations);
    if (terms.weigh(profile_)) loop.known.roughly = &profile_;
    starts_.resize(loop.members);
    if (steelyard::schedules::begin_with_expensive(loop, starts_.data())) loop.known.starts = starts_.data();
    return loop;
  }

  // Behind `apply` and the loop.
  void learn(const cows::recorded_loop& of) {
    const auto* told = told_of(of);
    const auto site = told != nullptr ? sites_.find(told->site) : sites_.end();
    if (!refined_ || site == sites_.end()) return;
    std::vector<double> took(steelyard::schedules::profile::bins);
    for (std::size_t i = 0; i < of.costs.size(); ++i)
      took[steelyard::schedules::profile::bin_of(i, of.costs.size())] += of.costs[i];
    constexpr double finer = 1024;  // than nanoseconds: in whole numbers
    std::vector<std::uint64_t> ticks(took.size());
    for (std::size_t bin = 0; bin < took.size(); ++bin) ticks[bin] = static_cast<std::uint64_t>(took[bin] * finer);
    site->second.refine(ticks.data());
  }

 private:
  // nullptr: the program tells nothing of it.
  const cows::told_loop* told_of(const cows::recorded_loop& of) const {
    const auto at =
        std::find_if(loops_->begin(), loops_->end(), [&](const auto& each) { return each.ordinal == of.ordinal; });
    return at != loops_->end() ? &*at : nullptr;
  }

  const std::vector<cows::told_loop>* loops_;
  bool refined_;
  std::map<std::uint32_t, steelyard::learn::cost_terms> sites_;
  steelyard::schedules::profile profile_;
  std::vector<std::uint32_t> starts_;
};

simulator::outcome replay(const steelyard::schedules::operations& schedule, const cows::recorded_loop& loop,
                          const std::vector<double>& costs, const setting& with, told_costs* told) {
  const auto sums = steelyard::cost::prefix_sums(costs);
  simulator::setup given;
  given.loop.iterations = costs.size();
  given.loop.members = with.members;
  given.loop.seed = 1;
  given.loop.front_end.contiguous = given.loop.front_end.expensive_first = !schedule.about.as_published;
  std::vector<double> memory;
  if (schedule.remaining_work != nullptr)
    given.loop = told != nullptr ? told->apply(given.loop, loop) : tell_costs(given.loop, loop, costs, memory);
  given.sums = sums;
  given.cost = with.charges;
  const auto found = simulator::replay(schedule, given);
  if (told != nullptr) told->learn(loop);
  return found;
}

totals replay_all(const steelyard::schedules::operations& schedule, const std::vector<cows::recorded_loop>& loops,
                  const setting& with) {
  std::optional<told_costs> told;
  if (with.told != nullptr) told.emplace(*with.told, with.refined);
  totals sum;
  for (const auto& loop : loops) {
    const std::vector<double> costs(loop.costs.begin(), loop.costs.end());
    const auto found = replay(schedule, loop, costs, with, told ? &*told : nullptr);
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
  const char* told_file = nullptr;
  int refined = 0;
  const char* schedules = "cyclic,wsr,wsri,static,dynamic,guided,steal,idws";
  long members = 32, call = 20, transfer = 50;
  const argument table[] = {
      argument_text("--costs", "FILE", "what cows-serial --record wrote", &file),
      argument_text("--told", "FILE", "what cows-launched --told wrote of the same kernel and graph", &told_file),
      argument_flag("--refined", "its constants follow from the loops before", &refined),
      argument_text("--schedules", "NAMES", "separated by commas", &schedules),
      argument_number("--members", "of the team (default 32)", 1, steelyard::schedules::max_members, &members),
      argument_number("--call", "ns that a call of the schedule costs (default 20)", 0, 1000000, &call),
      argument_number("--transfer", "ns that it costs to get what another member wrote (default 50)", 0, 1000000,
                      &transfer)};
  arguments_parse(argc, argv, "Recorded costs of a COWS kernel, replayed in virtual time", table, std::size(table));
  if (file == nullptr) bad_input("no costs: give --costs FILE, written by cows-serial --record");
  const auto loops = cows::read_costs(file);
  std::vector<cows::told_loop> told;
  if (told_file != nullptr) told = cows::read_told(told_file);
  if (told_file != nullptr && told.empty())
    bad_input("--told: the program tells nothing: was it compiled by `steelyard cc`?");
  const setting with{static_cast<std::uint32_t>(members),
                     {static_cast<double>(call), static_cast<double>(transfer)},
                     told_file != nullptr ? &told : nullptr,
                     refined != 0};
  for (const auto* schedule : schedules_named(schedules)) {
    print(schedule->about.name, replay_all(*schedule, loops, with));
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
