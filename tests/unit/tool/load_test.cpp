// SPDX-License-Identifier: Apache-2.0
#include "measure/load.hpp"

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace steelyard::tool {
namespace {

/// Two cores of a machine with `cores`.
machine_times times(double user_ticks, double stolen_ticks, unsigned cores = 2, const std::string& pressure = "") {
  std::string stat = "cpu  1 1 1 1 1 1 1 1 0 0\n";
  for (unsigned core = 0; core < cores; ++core) {
    stat += "cpu" + std::to_string(core) + " " + std::to_string(user_ticks / 2) + " 0 0 5000 0 0 0 " +
            std::to_string(stolen_ticks / 2) + " 0 0\n";
  }
  cpu_set_t two;
  CPU_ZERO(&two);
  CPU_SET(0, &two);
  CPU_SET(1, &two);
  return parse_times(stat + "intr 12 0\n", pressure, two);
}

const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));

TEST(load, the_cores_of_the_set_are_summed) {
  const auto found = times(100, 30, 8);
  EXPECT_EQ(found.cores, 2U);
  EXPECT_NEAR(found.busy.value(), 100 * tick, 1e-9);
  EXPECT_NEAR(found.stolen.value(), 30 * tick, 1e-9);
}

TEST(load, pressure_counts_where_all_the_machine_is_ours) {
  const std::string pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0 total=9\n";
  EXPECT_EQ(times(0, 0, 2, pressure).stalled, 2.5);
  EXPECT_FALSE(times(0, 0, 8, pressure).stalled);
  EXPECT_FALSE(times(0, 0, 2, "nonsense").stalled);
}

TEST(load, nothing_to_read_is_nothing_lost) {
  cpu_set_t none;
  CPU_ZERO(&none);
  const auto found = parse_times("", "", none);
  EXPECT_FALSE(found.busy);
  EXPECT_FALSE(found.stolen);
  EXPECT_EQ(lost_in({found, found, 1, 2, std::nullopt}, 2), lost_time{});
}

TEST(load, a_program_alone_loses_nothing) {
  EXPECT_EQ(lost_in({times(0, 0), times(2 / tick, 0), 1, 2, 0.01}, 2).most(), 0.01);
}

TEST(load, what_others_and_the_hypervisor_take) {
  // In one second on two cores: the program has 1.5, others 0.5.
  EXPECT_NEAR(lost_in({times(0, 0), times(2 / tick, 0), 1, 1.5, {}}, 2).others, 0.25, 0.02);
  EXPECT_NEAR(lost_in({times(0, 0), times(1 / tick, 0.4 / tick), 1, 1, {}}, 2).stolen, 0.2, 0.02);
  EXPECT_EQ(lost_in({times(0, 0), times(1.3 / tick, 0), 1, 1, 0.3}, 2).waited, 0.3);
}

TEST(load, threads_of_the_program_that_wait_for_each_other_are_no_load) {
  EXPECT_NEAR(lost_in({times(0, 0), times(1 / tick, 0), 1, 1, 0.3}, 2).waited, 3 * tick, 1e-9);
}

TEST(load, others_may_have_the_cores_that_the_program_leaves) {
  EXPECT_EQ(lost_in({times(0, 0), times(2 / tick, 0), 1, 1, {}}, 1).others, 0);
}

TEST(load, a_few_ticks_are_no_load) { EXPECT_EQ(lost_in({times(0, 0), times(6, 2), 0.03, 3 * tick, {}}, 2).most(), 0); }

TEST(load, waiting_tells_nothing_of_more_threads_than_cores) {
  EXPECT_EQ(lost_in({times(0, 0), times(2 / tick, 0), 1, 2, 0.5}, 4).waited, 0);
}

TEST(load, this_machine_can_be_read) {
  const auto first = read_times();
  const auto second = read_times();
  if (!first.busy) GTEST_SKIP() << "no /proc/stat";
  EXPECT_GT(first.cores, 0U);
  EXPECT_GE(second.busy.value(), first.busy.value());
}

TEST(load, a_process_that_is_gone_tells_nothing) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(waited_by(child));
}

}  // namespace
}  // namespace steelyard::tool
