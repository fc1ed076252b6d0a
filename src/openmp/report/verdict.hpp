// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::openmp {

/// Says on stderr what became of this process's loops (STEELYARD_VERBOSE): one line for the process, then one for each
/// loop, up to a number that leaves the program's own output readable.
void say_verdict() noexcept;

}  // namespace steelyard::openmp
