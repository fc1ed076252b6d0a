// SPDX-License-Identifier: Apache-2.0
#include "runtime/task_thread.hpp"

STEELYARD_THREAD steelyard_tasks* steelyard_forks = nullptr;
STEELYARD_THREAD steelyard_tasks* steelyard_spawned = nullptr;
STEELYARD_THREAD steelyard_frame* steelyard_frame_here = nullptr;

namespace steelyard::runtime {

[[gnu::tls_model("initial-exec")]] constinit thread_local task_thread* own = nullptr;

static_assert(std::is_standard_layout_v<task_deque>, "its first words are those of steelyard_tasks");

void task_thread::use(task_thread* thread) noexcept {
  own = thread;
  steelyard_forks = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->forks) : nullptr;
  steelyard_spawned = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->spawned) : nullptr;
}

void task_thread::show_deques() noexcept {
  if (own != nullptr) steelyard_forks = reinterpret_cast<steelyard_tasks*>(&own->forks);
}

void task_thread::count_analysed(std::uint64_t more) noexcept {
  auto& count = own->analysed;
  count.store(count.load(sync::relaxed, sync::site{"K11"}) + more, sync::relaxed, sync::site{"K11"});
}

}  // namespace steelyard::runtime
