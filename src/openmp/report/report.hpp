// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp {

/// Notes when the process began. Called at load.
void begin_report() noexcept;

/// Writes the report file (STEELYARD_REPORT) and the verbose lines of this process, once. A process that never called
/// OpenMP writes no file; neither does a vfork child that is about to exit, nor a child of fork without a loop or region
/// of its own.
void write_report() noexcept;

}  // namespace steelyard::openmp
