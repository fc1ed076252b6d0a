// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/compiled/table.hpp"

namespace steelyard::openmp::compiled {

/// Sets the pointers to our table that a note segment tells of; nullptr: there is nothing to do in this process.
void set_pointers(const unsigned char* notes, std::size_t size, const table* to) noexcept;

/// The same in every module that is loaded. Shared objects that come later are bound to the table by the loader.
void hook_modules(const table* to) noexcept;

}  // namespace steelyard::openmp::compiled
