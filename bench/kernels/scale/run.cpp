// SPDX-License-Identifier: Apache-2.0
// scale-run: the loops of scale-replay on this machine, as OpenMP loops with schedule(runtime). A line for each:
//   dense-end makespan 123.4 limit 120.1
// in microseconds, medians. The makespan runs from when a member begins, on average, until the last one has ended. The limit is
// what all iterations take a member, when all members run all of them at the same time, divided by their number.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "common/arguments.h"
#include "rows.hpp"
#include "work.hpp"

namespace {

/// When a member came to a loop and left it. On lines of its own.
struct alignas(128) stamps {
  work::clock::time_point began, ended;
};

/// Microseconds from when the members began, on average, to the end of the last.
double makespan_of(const std::vector<stamps>& members) {
  auto last = members.front().ended;
  for (const auto& each : members) last = std::max(last, each.ended);
  double sum = 0;
  for (const auto& each : members) sum += std::chrono::duration<double, std::micro>(last - each.began).count();
  return sum / static_cast<double>(members.size());
}

/// One instance after the other, in a region.
double run_loop(const std::vector<std::uint32_t>& steps, int threads, long instances) {
  std::vector<stamps> members(static_cast<std::size_t>(threads));
  std::vector<double> found;
  const auto n = static_cast<long>(steps.size());
  const std::uint32_t* const of = steps.data();
#pragma omp parallel num_threads(threads)
  for (long instance = 0; instance < instances; ++instance) {
    auto& mine = members[static_cast<std::size_t>(omp_get_thread_num())];
    std::uint64_t x = 1;
#pragma omp barrier
    mine.began = work::clock::now();
#pragma omp for schedule(runtime) nowait
    for (long i = 0; i < n; ++i) x = work::chain(x, of[i]);
    mine.ended = work::clock::now();
    work::keep(x);
#pragma omp barrier
#pragma omp single
    found.push_back(makespan_of(members));
  }
  return work::median_of(found);
}

/// All iterations by each member, at the same time; divided by the members. The least of some batches.
double limit_of(const std::vector<std::uint32_t>& steps, int threads) {
  std::vector<double> took(static_cast<std::size_t>(threads));
  double least = 1e300;
  for (int batch = 0; batch < 5; ++batch) {
#pragma omp parallel num_threads(threads)
    {
      std::uint64_t x = 1;
#pragma omp barrier
      const auto began = work::clock::now();
      for (const auto each : steps) x = work::chain(x, each);
      took[static_cast<std::size_t>(omp_get_thread_num())] = work::ns_since(began) / 1000;
      work::keep(x);
    }
    double sum = 0;
    for (const double each : took) sum += each;
    least = std::min(least, sum / threads / threads);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  long each = 16384, unit = 10, instances = 0;
  const char* set = "judged";
  const argument table[] = {
      argument_text("--rows", "SET", "judged, or training: others to choose constants by (default judged)", &set),
      argument_number("--each", "iterations for each member (default 16384)", 1, 1 << 20, &each),
      argument_number("--unit", "ns of a unit of cost; an iteration costs 0.3 to 5 (default 10)", 1, 1000000, &unit),
      argument_number("--instances", "of each loop (default: as many as take 50 ms, but 15 at least)", 1, 1000000,
                      &instances)};
  arguments_parse(argc, argv, "Loops of known costs on this machine; OMP_SCHEDULE chooses", table, std::size(table));
  const bool trains = std::string_view(set) == "training";
  if (!trains && std::string_view(set) != "judged") bad_input("--rows %s: judged or training", set);
  const int threads = omp_get_max_threads();
  const auto n = static_cast<std::size_t>(threads) * static_cast<std::size_t>(each);
  const double steps_of_unit = static_cast<double>(unit) / work::ns_of_step();
  for (const auto& of : trains ? rows::training(n) : rows::judged(n, static_cast<std::uint32_t>(threads))) {
    std::vector<std::uint32_t> steps(n);
    std::transform(of.costs.begin(), of.costs.end(), steps.begin(),
                   [=](double cost) { return static_cast<std::uint32_t>(std::lround(cost * steps_of_unit)); });
    const double limit = limit_of(steps, threads);
    const long enough = std::max(15L, static_cast<long>(50000 / limit));
    std::printf("%s makespan %.3f limit %.3f\n", of.name, run_loop(steps, threads, instances > 0 ? instances : enough),
                limit);
  }
  return EXIT_SUCCESS;
}
