// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp {

/// Notes when the process began. Called at load.
void begin_report() noexcept;

/// Asks to be told of forks: a child reports what it did itself. Called on first use of OpenMP, when libc is ready.
void expect_forks() noexcept;

/// Writes the report file (STEELYARD_REPORT) and the verbose line of this process, once. A process that never called
/// OpenMP writes no file; neither does a vfork child that is about to exit.
void write_report() noexcept;

}  // namespace steelyard::openmp
