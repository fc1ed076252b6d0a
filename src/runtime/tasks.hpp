// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/board.hpp"
#include "runtime/idle_wait.hpp"
#include "runtime/measuring.hpp"
#include "runtime/parking.hpp"
#include "runtime/seats.hpp"
#include "runtime/theft.hpp"
#include "runtime/waiting.hpp"

namespace steelyard::runtime {

class shared_work;

/// The tasks of a pool: what its parts are, and what they do together. Discipline and bounds: join.md.
struct tasks {
  using open_work = board<sync::real, shared_work>;

  /// `of_parent`: in the child of a fork those of before; groups that began then are still theirs. They go with it.
  tasks(std::uint32_t workers, const open_work& others, parking<sync::real>& sleepers, wake_ups& waking,
        tasks* of_parent);

  /// An idle worker takes a task of somebody's, runs it, and what that has left. False: there is none.
  bool help(std::uint32_t worker) noexcept;
  /// After a worker has taken part in something else than a task: runs what that has left in its deques.
  void clear_up(std::uint32_t worker) noexcept;

  /// By a thread that has some. A hint: whether there is something for an idle thread, but for what the owner of `but`
  /// has spawned.
  [[nodiscard]] static bool is_work_about(const steelyard_group* but) noexcept;

  [[nodiscard]] steelyard_task_counts counts() const noexcept { return seats.counts(0, seats.threads()); }
  /// Of one: 0 stands for all that are no workers, 1 … for workers.
  [[nodiscard]] steelyard_task_counts counts_of(std::uint32_t which) const noexcept;

  runtime::seats seats;
  runtime::measuring measuring{seats};
  runtime::waiting<sync::real, runtime::seats, wake_ups> waiting;
  runtime::theft theft;

 private:
  const open_work& open_work_;
  std::unique_ptr<tasks> of_parent_;
};

/// On a thread that has tasks: returns when ended(), and helps meanwhile with what descends from `root`. See waiting::await.
template <class Ended, class SayAsleep>
void await(task_thread& self, const void* root, Ended ended, SayAsleep say_asleep) noexcept {
  struct helper {
    task_thread& self;
    const void* root;
    Ended ended;
    SayAsleep say_asleep;
    [[nodiscard]] bool help() const noexcept { return self.of->theft.steal(self, root); }
    [[nodiscard]] static bool may_help() noexcept { return theft::may_help(); }
  };
  self.of->waiting.await(root, helper{self, root, ended, say_asleep});
}

}  // namespace steelyard::runtime
