// SPDX-License-Identifier: Apache-2.0
// selection-replay: loops that run again and again, their schedules chosen by a method, in virtual time. A line for each loop and method:
//   dense end; exhaustive; first 0.4210; then 0.0312; best factoring,16
// how much longer the first instances took than by the best schedule of the catalogue, known behind them, and how much the others did, as
// parts of what that takes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "simulator/selection/loops.hpp"

namespace {

namespace selection = steelyard::simulator::selection;

/// What the command line asks for.
struct request {
  std::size_t iterations;
  std::uint32_t members;
  std::uint64_t first;
  std::uint64_t instances;
  selection::conditions under;
};

/// What a loop costs in so many instances, which come again, and the least that each can take.
class costs {
 public:
  costs(const selection::loop& of, const request& asked) {
    // Drawn anew each time, costs would take longer to make than to run through.
    const auto different = of.phase != 0 ? 2 * of.phase : 20;
    for (std::uint64_t i = 0; i < different; ++i) sums_.push_back(of.sums(asked.iterations, asked.members, i));
    const std::uint64_t kinds = of.phase != 0 ? 2 : 1;
    const auto each = different / kinds;
    for (std::uint64_t kind = 0; kind < kinds; ++kind) {
      const std::span all(sums_);
      const auto some = all.subspan(kind * each, std::min(each, judged));
      const auto best = selection::best_of_catalogue(some, asked.members, asked.under);
      least_.insert(least_.end(), each, best.time / static_cast<double>(some.size()));
      names_ += (names_.empty() ? "" : " | ") + best.name;
    }
  }

  [[nodiscard]] const std::vector<double>& sums(std::uint64_t instance) const { return sums_[instance % sums_.size()]; }
  [[nodiscard]] double least(std::uint64_t instance) const { return least_[instance % least_.size()]; }
  [[nodiscard]] const std::string& best() const { return names_; }

 private:
  static constexpr std::uint64_t judged = 5;

  std::vector<std::vector<double>> sums_;
  std::vector<double> least_;
  std::string names_;
};

/// What instances have lost.
struct regret {
  double lost = 0;
  double least = 0;
  void add(double took, double at_least) {
    lost += took - at_least;
    least += at_least;
  }
  [[nodiscard]] double part() const { return least > 0 ? lost / least : 0; }
};

void replay(const selection::loop& of, const request& asked) {
  const costs known(of, asked);
  for (const auto name : selection::names()) {
    const auto method = selection::make(name, asked.under);
    selection::repeated_loop loop(*method, asked.under);
    regret first;
    regret others;
    for (std::uint64_t i = 0; i < asked.instances; ++i) {
      const auto took = loop.run(known.sums(i), asked.members, i + 1);
      (i < asked.first ? first : others).add(took, known.least(i));
    }
    std::printf("%s; %s; first %.4f; then %.4f; best %s\n", of.name.c_str(), std::string(name).c_str(), first.part(),
                others.part(), known.best().c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  long members = 8, each = 8192, instances = 200, first = 20, phase = 0, unit = 25;
  const argument table[] = {
      argument_number("--members", "of the team (default 8)", 2, 4096, &members),
      argument_number("--each", "iterations for each member (default 8192)", 64, 1 << 20, &each),
      argument_number("--instances", "of each loop (default 200)", 1, 100000, &instances),
      argument_number("--first", "of these that count by themselves (default 20)", 1, 100000, &first),
      argument_number("--phase", "instances after which costs change, 0: never (default 0)", 0, 10, &phase),
      argument_number("--unit", "ns of a unit of cost; an iteration costs 0.3 to 5 (default 25)", 1, 1000000, &unit)};
  arguments_parse(argc, argv, "Who chooses schedules well, in virtual time", table, std::size(table));
  request asked{static_cast<std::size_t>(members * each),
                static_cast<std::uint32_t>(members),
                static_cast<std::uint64_t>(first),
                static_cast<std::uint64_t>(instances),
                {}};
  // A call takes as long as ever, 20 ns, and the clock has 3 ticks in one.
  const auto ns = static_cast<double>(unit);
  asked.under = {20 / ns, 3 * ns, ns * 1e-9, 0.02, true};
  const auto loops =
      phase == 0 ? selection::steady_loops() : selection::loops_with_phases(static_cast<std::uint64_t>(phase));
  for (const auto& of : loops) replay(of, asked);
  return EXIT_SUCCESS;
}
