// SPDX-License-Identifier: Apache-2.0
#include "schedules/loop_record.hpp"

namespace steelyard::schedules {

loop_record::loop_record() noexcept = default;

}  // namespace steelyard::schedules
