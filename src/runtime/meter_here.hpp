// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/task_thread.hpp"

namespace steelyard::runtime {

/// Of the calling thread; nullptr: it does not measure.
[[nodiscard]] inline meter* meter_here() noexcept { return own != nullptr ? own->measured : nullptr; }

}  // namespace steelyard::runtime
