// SPDX-License-Identifier: Apache-2.0
// The two sides of the table: what stands in rewritten units, and what the drop-in takes it for.
#include "openmp/compiled/table.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "../../../tools/rewriter/prelude.h"
#include "../../../tools/rewriter/site.hpp"

namespace steelyard::openmp::compiled {
namespace {

#define EXPECT_SAME(theirs, ours, member) EXPECT_EQ(offsetof(theirs, member), offsetof(ours, member))

TEST(CompiledTable, LoopsLieAlike) {
  EXPECT_EQ(sizeof(steelyard_site), sizeof(loop));
  EXPECT_SAME(steelyard_site, loop, file);
  EXPECT_SAME(steelyard_site, loop, line);
  EXPECT_SAME(steelyard_site, loop, kind);
  EXPECT_SAME(steelyard_site, loop, flags);
  EXPECT_SAME(steelyard_site, loop, granule);
  EXPECT_SAME(steelyard_site, loop, sampled);
  EXPECT_SAME(steelyard_site, loop, terms);
  EXPECT_SAME(steelyard_site, loop, seed);
  EXPECT_SAME(steelyard_site, loop, seeds);
}

TEST(CompiledTable, LoopsAreToldByTheSameNumbers) {
  EXPECT_EQ(rewriter::kind_any, any_schedule);
  EXPECT_EQ(rewriter::kind_share, one_share);
  EXPECT_EQ(rewriter::kind_of_runtime, of_runtime);
  EXPECT_EQ(rewriter::flag_reduces, reduces);
  EXPECT_EQ(rewriter::flag_equal, costs_are_equal);
  EXPECT_EQ(rewriter::flag_guarded, costs_are_guarded);
  EXPECT_EQ(rewriter::flag_keys, costs_have_keys);
  EXPECT_EQ(rewriter::flag_asks, asks);
  EXPECT_EQ(rewriter::flag_named, is_named);
  EXPECT_EQ(rewriter::flag_keeps_blocks, keeps_blocks);
}

TEST(CompiledTable, PartsLieAlike) {
  EXPECT_EQ(sizeof(steelyard_part), sizeof(part));
  EXPECT_SAME(steelyard_part, part, begin);
  EXPECT_SAME(steelyard_part, part, end);
  EXPECT_SAME(steelyard_part, part, known);
  EXPECT_SAME(steelyard_part, part, more);
  EXPECT_SAME(steelyard_part, part, last);
}

TEST(CompiledTable, CostsLieAlike) {
  EXPECT_EQ(sizeof(steelyard_costs), sizeof(costs));
  EXPECT_SAME(steelyard_costs, costs, at);
  EXPECT_SAME(steelyard_costs, costs, behind);
  EXPECT_SAME(steelyard_costs, costs, next);
  EXPECT_SAME(steelyard_costs, costs, counted);
  EXPECT_SAME(steelyard_costs, costs, sums);
  EXPECT_SAME(steelyard_costs, costs, known);
  EXPECT_SAME(steelyard_costs, costs, step);
  EXPECT_SAME(steelyard_costs, costs, bin);
  EXPECT_SAME(steelyard_costs, costs, bin_behind);
  EXPECT_SAME(steelyard_costs, costs, member);
}

TEST(CompiledTable, TablesLieAlike) {
  EXPECT_EQ(sizeof(steelyard_table), sizeof(table));
  EXPECT_SAME(steelyard_table, table, member);
  EXPECT_SAME(steelyard_table, table, members);
  EXPECT_SAME(steelyard_table, table, begin);
  EXPECT_SAME(steelyard_table, table, next);
  EXPECT_SAME(steelyard_table, table, costs_begin);
  EXPECT_SAME(steelyard_table, table, costs_next);
  EXPECT_SAME(steelyard_table, table, costs_end);
  EXPECT_SAME(steelyard_table, table, costs_asked);
}

}  // namespace
}  // namespace steelyard::openmp::compiled
