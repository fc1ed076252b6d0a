// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/comparison.hpp"

/// Which rows of a comparison may be believed, and how far.
namespace steelyard::tool {

/// What holds for a row of every table: its faults, and how much others disturbed it.
void add_facts(table_result& table, const experiment_result& result);

/// How sure each gain is, once all tables are there: the correction is for all that is looked at.
void judge_all(comparison& found, const experiment_result& result);

}  // namespace steelyard::tool
