// SPDX-License-Identifier: Apache-2.0
#include "runtime/tasks.hpp"

#include "runtime/own_tasks.hpp"

namespace steelyard::runtime {

tasks::tasks(std::uint32_t workers, const open_work& others, parking<sync::real>& sleepers, wake_ups& waking,
             tasks* of_parent)
    : seats(*this, workers), waiting(seats, sleepers, waking), open_work_(others), of_parent_(of_parent) {
  if (of_parent != nullptr && of_parent->measuring.is_on()) measuring.start();
}

/// Each worker looks at its own neighbours first: the line of whoever is met first and has tasks moves at each look of each.
bool tasks::help(std::uint32_t worker) noexcept {
  const auto has_some = [](const task_thread& thread) { return thread.forks.has_some() || thread.spawned.has_some(); };
  if (!waiting.is_used() || !seats.any_from(worker, has_some)) return false;
  seats.enter_worker(worker);
  return own != nullptr && theft.steal(*own, nullptr);
}

void tasks::clear_up(std::uint32_t worker) noexcept {
  task_thread& self = seats[worker];
  const auto memory = self.memory[1].all();
  if (memory.empty() || self.spawned.young() == memory.data()) return;
  seats.enter_worker(worker);
  own_tasks::run_down_to(self, memory.data());
}

bool tasks::is_work_about(const steelyard_group* but) noexcept {
  const tasks& here = *own->of;
  if (here.open_work_.has_seats()) return true;
  const task_thread* const not_there = but != nullptr ? &thread_of(*but->owner) : nullptr;
  return here.seats.any([not_there](const task_thread& thread) {
    return thread.forks.has_some() || (&thread != not_there && thread.spawned.has_some());
  });
}

steelyard_task_counts tasks::counts_of(std::uint32_t which) const noexcept {
  const auto workers = seats.workers();
  if (which > workers) return {};
  return which == 0 ? seats.counts(workers, seats.threads()) : seats.counts(which - 1, which);
}

}  // namespace steelyard::runtime
