// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/tasks.hpp"

namespace steelyard::runtime {

/// The calling thread, if it has tasks.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local task_thread* own;

inline meter* tasks::meter_here() noexcept { return own != nullptr ? own->measured : nullptr; }

}  // namespace steelyard::runtime
