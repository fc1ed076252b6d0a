// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/steelyard.h>

namespace steelyard::loop {

/// See steelyard_loop_run.
steelyard_result run(const steelyard_loop& asked);

}  // namespace steelyard::loop
