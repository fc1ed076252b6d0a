// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/compiled/table.hpp"
#include "openmp/program/runtime.hpp"

namespace steelyard::openmp::compiled {

/// Of loops that the compile launcher has rewritten. They call our table and no runtime: what is asked of one is asked of that of
/// their region.
extern abi api;

}  // namespace steelyard::openmp::compiled

/// What they call. The number goes up with each change of it.
extern "C" const steelyard::openmp::compiled::table steelyard_table_1;
