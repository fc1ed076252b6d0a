// SPDX-License-Identifier: Apache-2.0
// `int states[n]` in the five distributions of the paper.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace idws {

inline constexpr const char* distributions = "regular, random, dense_end, dense_begin, periodic, or one state, 0 to 3";

/// States 0-3. Empty: no such distribution. `period` is that of `periodic`.
std::vector<int> states_of(std::string_view distribution, std::size_t n, std::size_t period);

}  // namespace idws
