// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "schedules/contract.hpp"

namespace steelyard::tool::check {

/// How long a schedule takes for loops of uneven costs beside others, as the simulator finds it (src/simulator): a table, a row for
/// each distribution of costs, in times of the limit, which is the work divided by the members. For schedules that keep the contract.
[[nodiscard]] std::string in_virtual_time(const schedules::operations& schedule);

}  // namespace steelyard::tool::check
