// SPDX-License-Identifier: Apache-2.0
#include "runtime/pending.hpp"

#include <exception>

#include "runtime/task_thread.hpp"

namespace steelyard::runtime {
namespace {

constinit sync::real::atomic<const pending_tasks*> known{};

/// A thread that has a frame has said so itself.
const pending_tasks& how() noexcept { return *known.load(sync::relaxed, sync::site{"A15"}); }

}  // namespace

steelyard_frame calls_only{};
steelyard_frame unopened{};

void know_pending(const pending_tasks& all) noexcept {
  // Frames begin often, and on all threads: most only look.
  if (known.load(sync::relaxed, sync::site{"A15"}) != &all) known.store(&all, sync::relaxed, sync::site{"A14"});
}

bool settle_pending() noexcept {
  if (has_frame_here() && !how().settle()) return false;
  task_thread::show_deques();
  return true;
}

void drop_pending() noexcept {
  if (has_frame_here()) delete static_cast<std::exception_ptr*>(how().sync());
}

}  // namespace steelyard::runtime
