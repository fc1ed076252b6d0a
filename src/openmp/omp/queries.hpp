// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/program/runtime.hpp"

namespace steelyard::openmp {

/// Finds the functions that are asked which thread this is. Called at load: a member of a team must not need the loader's lock.
void find_queries() noexcept;

/// Whether threads of that runtime get the same answers in a region whose start was not seen.
[[nodiscard]] bool answers_for_all(const runtime& native) noexcept;

/// What answers for the region that the calling thread is in, or the process, without taking note that anybody asks. `caller`: an
/// address in the object that wants to know.
[[nodiscard]] const runtime::queries& native_queries(const void* caller) noexcept;

}  // namespace steelyard::openmp
