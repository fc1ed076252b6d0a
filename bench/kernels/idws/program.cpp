// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "graph/input_error.hpp"

namespace idws {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

void print_limits(const std::vector<limit>& limits, long threads) {
  std::vector<double> whole;
  std::vector<double> divisible;
  for (const limit& one : limits) {
    whole.push_back(one.seconds);
    divisible.push_back(one.divisible);
  }
  std::printf("limit: median %.6f s on %ld members, %.6f s of it work/members\n", median(whole), threads,
              median(divisible));
}

int wrong(const char* what, std::uint64_t found, std::uint64_t expected) {
  std::fflush(stdout);
  std::fprintf(stderr, "WRONG: checksum %016" PRIx64 ", %s %016" PRIx64 "\n", found, what, expected);
  return EXIT_FAILURE;
}

}  // namespace

void settings::parse(int argc, char** argv, const char* summary, const std::vector<argument>& own) {
  std::vector<argument> table{
      argument_text("--schedule", "NAME", "how iterations are handed out; --schedules lists the names", &schedule),
      argument_flag("--schedules", "list the schedules and end", &list),
      argument_number("--threads", "size of the team", 1, 4096, &threads),
      argument_number("--repeat", "timed runs of the kernel", 1, 1000, &repeat),
      argument_flag("--no-verify", "skip the serial run that the result is checked with", &no_verify)};
  table.insert(table.end(), own.begin(), own.end());
  arguments_parse(argc, argv, summary, table.data(), table.size());
}

void refuse_schedule(const settings& chosen, const char* schedules) {
  bad_input("--schedule %s: no such schedule: there are %s", chosen.schedule, schedules);
}

void accept_only(const settings& chosen, const char* schedule) {
  if (chosen.schedule != nullptr && std::strcmp(chosen.schedule, schedule) != 0) refuse_schedule(chosen, schedule);
}

int report(const settings& chosen, const measured& taken, const std::uint64_t* expected) {
  const auto& all = taken.seconds;
  for (std::size_t i = 0; i < all.size(); ++i) std::printf("run %zu: %.6f s\n", i + 1, all[i]);
  std::printf("kernel: median %.6f s, best %.6f s of %zu %s, %ld threads\n", median(all),
              *std::min_element(all.begin(), all.end()), all.size(), all.size() == 1 ? "run" : "runs", chosen.threads);
  if (!taken.limits.empty()) print_limits(taken.limits, chosen.threads);
  std::printf("checksum: %016" PRIx64 "\n", taken.checksum);
  if (!taken.same) {
    std::fputs("WRONG: the runs differ in their checksums\n", stderr);
    return EXIT_FAILURE;
  }
  if (expected != nullptr && *expected != taken.checksum) return wrong("the serial one is", taken.checksum, *expected);
  std::puts(expected != nullptr ? "verified" : "not verified (--no-verify)");
  return EXIT_SUCCESS;
}

int report_flaw(const char* flaw) {
  std::fflush(stdout);
  std::fprintf(stderr, "WRONG: %s\n", flaw);
  return EXIT_FAILURE;
}

int guarded(int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const graph::input_error& error) {
    bad_input("%s", error.what());
  } catch (const std::bad_alloc&) {
    bad_input("not enough memory: give a smaller input");
  }
}

}  // namespace idws
