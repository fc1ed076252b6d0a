// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loop/run.hpp"

namespace steelyard::loop {

/// STEELYARD_SPAN=1: a pool that has just been made measures work and span; or says once that it has too many threads for that.
void measure_if_told(steelyard_pool& pool);

/// What a pool has measured, on standard error; nothing when it has run no task, or does not measure by STEELYARD_SPAN.
void report_work_and_span(const steelyard_pool& pool) noexcept;

}  // namespace steelyard::loop
