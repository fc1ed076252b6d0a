// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// What the environment says; what it cannot mean is one line on standard error, and as if it were not set.
namespace steelyard::runtime {

/// The whole number in a variable; nothing when there is none, or one below 1 or above `most`, which is said.
[[nodiscard]] std::optional<std::uint32_t> number_in(const char* variable, std::uint32_t most);

/// Whether a variable is 1; what is neither that nor 0 is said.
[[nodiscard]] bool is_on(const char* variable);

/// STEELYARD_NUM_THREADS, else the cores that the process may use. Read once.
[[nodiscard]] std::uint32_t threads_of_process();

/// STEELYARD_SPAN=1: pools of one thread measure work and span. Read once.
[[nodiscard]] bool measures_spans() noexcept;

}  // namespace steelyard::runtime
