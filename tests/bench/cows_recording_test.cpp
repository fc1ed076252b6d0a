// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

#include "datasets.hpp"
#include "kernels.hpp"
#include "recording.hpp"
#include "serial.hpp"
#include "told.hpp"

namespace cows {
namespace {

TEST(cows_recorder, counts_in_the_first_run_and_keeps_some_of_the_others) {
  recorder to(4, 2);
  for (int run = 0; run < 3; ++run) {
    to.begin_run();
    for (int loop = 0; loop < 10; ++loop) {
      std::vector<double> costs(8, run == 1 ? 1000 : 2000);
      to.add(0, cost::kind::degree, costs);
    }
  }
  ASSERT_EQ(to.loops().size(), 2u);
  EXPECT_EQ(to.loops()[0].instance, 0u);
  EXPECT_EQ(to.loops()[1].instance, 5u);
  for (const float cost : to.loops()[0].costs) EXPECT_EQ(cost, to.loops()[1].costs[0]);
  EXPECT_EQ(to.loops()[1].ordinal, 5u);
  EXPECT_NEAR(to.work(), 4 * to.limit(), 1e-12) << "equal costs can be shared evenly";
}

TEST(cows_recorder, takes_the_kernel_as_it_is) {
  const csr graph = graph::build(generate(find_dataset("youtube"), 1024), graph::direction::both);
  serial_loops serial(graph);
  const auto expected = find_kernel<serial_loops>("bf").run(graph, serial);
  recorder to(4, 3);
  for (int run = 0; run < 2; ++run) {
    recording_loops loops(graph, to);
    EXPECT_EQ(find_kernel<recording_loops>("bf").run(graph, loops).values, expected.values);
    EXPECT_EQ(loops.count, serial.count);
  }
  EXPECT_GT(to.limit(), 0);
  EXPECT_LE(to.limit(), to.work() * 1.000001);
  EXPECT_EQ(to.loops().size(), 7u) << "one of the first loop, three of the others";
}

TEST(cows_costs_file, gives_back_what_was_written) {
  const std::string path = ::testing::TempDir() + "cows_costs_file.costs";
  write_costs(path, {{1, 2, cost::kind::guarded, {3, 4.5}, 7}, {5, 6, cost::kind::equal, {}}});
  const auto found = read_costs(path);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].site, 1u);
  EXPECT_EQ(found[0].instance, 2u);
  EXPECT_EQ(found[0].known, cost::kind::guarded);
  EXPECT_EQ(found[0].costs, (std::vector<float>{3, 4.5}));
  EXPECT_EQ(found[0].ordinal, 7u);
  EXPECT_EQ(found[1].site, 5u);
  EXPECT_TRUE(found[1].costs.empty());
  std::remove(path.c_str());
}

TEST(cows_told_file, gives_back_what_was_written) {
  const std::string path = ::testing::TempDir() + "cows_told_file.told";
  told_loop loop{3, 8, false, true, 1, 100, {2, 5}, {}};
  loop.numbers[0][17] = 4.5;
  write_told(path, {loop, {4, 9, true, false, 0, 50, {}, {}}});
  const auto found = read_told(path);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].site, 3u);
  EXPECT_TRUE(found[0].guarded && !found[0].equal);
  EXPECT_EQ(found[0].ordinal, 8u);
  EXPECT_EQ(found[0].terms, 1u);
  EXPECT_EQ(found[0].iterations, 100u);
  EXPECT_EQ(found[0].constants, loop.constants);
  EXPECT_EQ(found[0].numbers, loop.numbers);
  EXPECT_TRUE(found[1].equal);
  EXPECT_EQ(found[1].iterations, 50u);
  std::remove(path.c_str());
}

TEST(cows_told_file, one_of_another_kind_is_refused) {
  const std::string path = ::testing::TempDir() + "cows_told_file.costs";
  write_costs(path, {});
  EXPECT_THROW(read_told(path), graph::input_error);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace cows
