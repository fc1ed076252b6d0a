// SPDX-License-Identifier: Apache-2.0
// jit-replay: the costs of the paper's kernels under the schedules, in virtual time. nustatic gets its shares from the costs
// themselves. A line for each time that they are cut, and one for each schedule:
//   shares 29.3 70.7
//   nustatic makespan 123.4 limit 120.1 chunks 2
// in percent and microseconds, summed over the loops of the kernel. With --learn also shares that are learnt from how long blocks
// took, in so many instances; the line of shares has those of the last one:
//   learnt makespan 123.4 limit 120.1 chunks 100
//   learnt shares 29.3 70.7
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "common/arguments.h"
#include "cost/limit.hpp"
#include "costs.hpp"
#include "learnt.hpp"
#include "simulator/replay.hpp"

namespace {

namespace simulator = steelyard::simulator;
namespace schedules = steelyard::schedules;

constexpr std::size_t most_loops = 64;  // of the outer loop, evenly

struct loop {
  std::vector<double> costs;
  std::vector<double> sums;
  std::vector<std::uint64_t> ends;  // of the shares that nustatic has
};

struct setting {
  std::string_view kernel;
  std::size_t n;
  std::uint32_t members;
  std::size_t trainings;
  simulator::charges charges;
};

struct named {
  std::string name;
  const schedules::operations* schedule;
  std::uint64_t chunk;
};

// Boundary s is the last iteration with no more than s/p of the work before it, but for what sums were rounded by.
std::vector<std::uint64_t> cut(const std::vector<double>& sums, std::uint32_t members) {
  std::vector<std::uint64_t> ends;
  for (std::uint32_t s = 1; s < members; ++s) {
    const double wanted = sums.back() * s / members * (1 + 1e-12);
    ends.push_back(static_cast<std::uint64_t>(std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin() - 1));
  }
  ends.push_back(sums.size() - 1);
  return ends;
}

void print_shares(const char* what, const std::vector<std::uint64_t>& ends) {
  std::printf("%s", what);
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    std::printf(" %.1f", 100 * static_cast<double>(end - begin) / static_cast<double>(ends.back()));
    begin = end;
  }
  std::puts("");
}

bool changes(const setting& with) { return with.kernel == "gauss-jordan"; }

std::vector<double> costs_of(const setting& with, double at) {
  auto costs = jit::costs_of(with.kernel, with.n, at);
  if (costs.empty()) bad_input("--kernel %s: not known: there are %s", with.kernel.data(), jit::cost_names);
  return costs;
}

// Gauss-Jordan changes from loop to loop, and shares are cut so many times only; the others are one loop.
std::vector<loop> loops_of(const setting& with) {
  const std::size_t count = changes(with) ? most_loops : 1;
  std::vector<loop> loops(count);
  std::size_t learnt = 0;
  for (std::size_t i = 0; i < count; ++i) {
    loop& each = loops[i];
    each.costs = costs_of(with, static_cast<double>(i) / static_cast<double>(count));
    each.sums = steelyard::cost::prefix_sums(each.costs);
    if (learnt < with.trainings && i * with.trainings >= learnt * count) {
      each.ends = cut(each.sums, with.members);
      print_shares("shares", each.ends);
      ++learnt;
    } else {
      each.ends = loops[i - 1].ends;
    }
  }
  return loops;
}

void replay(const named& by, const std::vector<loop>& loops, const setting& with) {
  double makespan = 0, limit = 0;
  std::uint64_t chunks = 0;
  for (const loop& each : loops) {
    simulator::setup given;
    given.loop = {with.n, with.members, by.chunk, 1, {.contiguous = true, .all_arrive = true}};
    given.loop.known.ends = each.ends.data();
    given.sums = each.sums;
    given.cost = with.charges;
    const auto found = simulator::replay(*by.schedule, given);
    makespan += found.makespan;
    limit += steelyard::cost::limit(each.costs, with.members);
    chunks += found.chunks;
  }
  std::printf("%s makespan %.3f limit %.3f chunks %llu\n", by.name.c_str(), makespan / 1000, limit / 1000,
              static_cast<unsigned long long>(chunks));
}

void replay_learnt(std::size_t instances, const setting& with) {
  jit::learnt_shares shares(with.members);
  double makespan = 0, limit = 0;
  std::vector<double> costs;
  std::vector<double> sums;
  for (std::size_t i = 0; i < instances; ++i) {
    if (i == 0 || changes(with)) {
      costs = costs_of(with, static_cast<double>(i) / static_cast<double>(instances));
      sums = steelyard::cost::prefix_sums(costs);
    }
    makespan += shares.run(sums) + 2 * with.charges.call;
    limit += steelyard::cost::limit(costs, with.members);
  }
  std::printf("learnt makespan %.3f limit %.3f chunks %zu\n", makespan / 1000, limit / 1000, instances * with.members);
  print_shares("learnt shares", shares.ends());
}

// NAME or NAME,CHUNK.
named find(const std::string& text) {
  const std::size_t comma = text.find(',');
  const auto* schedule = simulator::find(text.substr(0, comma));
  if (schedule == nullptr) bad_input("--schedules %s: no such schedule", text.c_str());
  if (comma == std::string::npos) return {text, schedule, 0};
  const std::string chunk = text.substr(comma + 1);
  return {text, schedule, static_cast<std::uint64_t>(arguments_number("--schedules", chunk.c_str(), 1, 1L << 30))};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    words.emplace_back(text.substr(0, text.find(';')));
    text.remove_prefix(std::min(words.back().size() + 1, text.size()));
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  const char* kernel = "adjoint";
  const char* names = "static;nustatic;dynamic;guided;trapezoid;factoring";
  long n = 102400, members = 4, call = 20, transfer = 50, trainings = 1, learn = 0;
  const argument table[] = {
      argument_text("--kernel", "NAME", jit::cost_names, &kernel),
      argument_text("--schedules", "NAMES", "separated by semicolons; NAME,CHUNK", &names),
      argument_number("--size", "iterations of a loop", 1, 1L << 30, &n),
      argument_number("--members", "of the team", 1, schedules::max_members, &members),
      argument_number("--trainings", "how often nustatic's shares are cut", 1, most_loops, &trainings),
      argument_number("--learn", "instances in which shares are learnt", 0, 1000000, &learn),
      argument_number("--call", "ns that a call of the schedule costs", 0, 1000000, &call),
      argument_number("--transfer", "ns that it costs to get what another member wrote", 0, 1000000, &transfer)};
  arguments_parse(argc, argv, "The costs of the kernels of nuStatic's paper, replayed in virtual time", table,
                  std::size(table));
  const setting with{kernel,
                     static_cast<std::size_t>(n),
                     static_cast<std::uint32_t>(members),
                     static_cast<std::size_t>(trainings),
                     {static_cast<double>(call), static_cast<double>(transfer)}};
  std::vector<named> chosen;
  for (const auto& name : words_of(names)) chosen.push_back(find(name));
  const auto loops = loops_of(with);
  for (const auto& each : chosen) replay(each, loops, with);
  if (learn != 0) replay_learnt(static_cast<std::size_t>(learn), with);
  return EXIT_SUCCESS;
}
