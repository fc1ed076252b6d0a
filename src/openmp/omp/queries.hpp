// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp {

/// Finds the functions that are asked which thread this is. Called at load: a member of a team must not need the loader's lock.
void find_queries() noexcept;

}  // namespace steelyard::openmp
