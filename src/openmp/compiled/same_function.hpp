// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp::compiled {

/// Whether two addresses lie in the same compiled function, by what the loader knows of unwinding. False where that is not known.
[[nodiscard]] bool is_same_function(const void* one, const void* other) noexcept;

}  // namespace steelyard::openmp::compiled
