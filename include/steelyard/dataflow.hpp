// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <memory>
#include <type_traits>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/access.hpp>
#include <steelyard/detail/fork_arguments.hpp>
#include <steelyard/detail/task_fault.hpp>
#include <steelyard/recording.hpp>
#include <steelyard/shared.hpp>
#include <steelyard/sync_tasks.hpp>

/// @file
/// Tasks that are ordered by what they access.
namespace steelyard {
inline namespace v1 {

/// @addtogroup dataflow
/// @{

/// Calls task(args…) some time before the next sync_tasks() of the running task returns, or before the running task has ended,
/// on any thread of the pool. The result is that of a call here. A task that reads something sees what the last one
/// before it, in the order of the program, has written there. What tasks access their parameter types tell:
///
/// | parameter | the task |
/// |---|---|
/// | r<T>, w<T>, rw<T>, cw<T, Op> | reads, writes, does both, or adds in any order; the argument is a shared<T>; where T is a range or a block, one of these |
/// | rp<T>, wp<T>, rwp<T>, cwp<T, Op> | does not, only tasks that it forks do |
/// | anything else | has a value of its own |
///
/// A task may pass on what it gets: r to r, cw to cw, w to w, rw to any, and each to those that only pass it on. It may use that
/// before it does, and after sync_tasks(), but not between.
/// Nobody else may touch what a pending task accesses: until sync_tasks(). Where NDEBUG is not defined, a task that uses what it
/// has passed on, or a shared object that a task may still write, ends the process with a line on standard error.
///
/// O(1): some 20 instructions beside the copies, no memory is allocated; who runs its own tasks in order looks at no dependency.
/// A join, a task that is spawned into a group, and a loop that is shared come after what the running task has forked before.
/// They wait for it, so let no task want a lock that is held there. To run a loop beside tasks, fork the loop. What a half of a
/// join, a task of a group or a loop's body forks on another thread has ended when that has; what it forks on the caller's, at
/// the next sync_tasks(). Where the pool has no room the task is called at once, and what it throws is thrown there: there is no memory, or 64
/// threads that are not the pool's have tasks already.
///
/// The copies may use tasks themselves, and what they throw is thrown. What tasks throw comes with sync_tasks(), or with the
/// join, the group's wait or the loop whose function has forked them; a loop may also throw what came of tasks that were forked
/// before.
///
/// Stack: a task that forks takes some 110 bytes beside its own for each level of tasks of tasks; a chain in which each task forks
/// the next as its last takes none. Dependencies are for thieves, as in Kaapi: src/dataflow/program_order.md.
///
/// @param task a function, or an object with one operator() that is no template; it returns nothing.
/// @param args are copied or moved into its parameters, which are values.
template <class F, class... A>
void fork_task(F&& task, A&&... args) {
  using detail::task_fault;
  constexpr auto fault = detail::task_fault_of<F, A...>();
  static_assert(fault != task_fault::no_task,
                "a task is a function, or an object with one operator() that is no template: a lambda without auto");
  static_assert(fault != task_fault::object, "a task gets r<T>, w<T> or the like, not the object itself");
  static_assert(fault != task_fault::result, "a task returns nothing: let it write to a parameter of type w<T>");
  static_assert(fault != task_fault::reference, "a task's parameters are values: w<T> or rw<T> is what it changes");
  static_assert(fault != task_fault::accesses, "a task has at most 32 parameters r<T>, w<T> and the like");
  static_assert(fault != task_fault::task_copy, "the task cannot be copied: write std::move(task), and fork it once");
  static_assert(fault != task_fault::count, "a task gets as many arguments as it has parameters");
  static_assert(fault != task_fault::argument_copy, "an argument cannot be copied: write std::move(argument)");
  static_assert(
      fault != task_fault::argument,
      "a parameter of the task is not made of its argument: r, w, rw, cw and rp, wp, rwp, cwp take a shared<T> that is "
      "not const and no temporary, or a right of this task that includes theirs: r for r, w for w, cw for cw, rw for "
      "any");
  if constexpr (fault == task_fault::none) {
    using values = typename detail::parameters_of<F>::values;
    using record = detail::forked<std::decay_t<F>, values>;
    using what = typename record::what;
    if constexpr (record::is_near) {
      what it{std::forward<F>(task), values(std::forward<A>(args)...)};
      detail::fork_or_call<record>(it, std::move(it), args...);
    } else {
      std::unique_ptr<what> it(new what{std::forward<F>(task), values(std::forward<A>(args)...)});
      detail::fork_or_call<record>(*it, std::move(it), args...);
    }
  }
}

/// While it exists, fork_task calls on this thread: the sequential program.
class sequential {
 public:
  /// Waits first, and throws, as sync_tasks() does.
  sequential() : before_((sync_tasks(), steelyard_frame_call())) {}
  /// Tasks are forked again.
  ~sequential() { steelyard_frame_here = before_; }
  sequential(const sequential&) = delete;
  sequential& operator=(const sequential&) = delete;

 private:
  steelyard_frame* before_;
};

/// @}

}  // namespace v1
}  // namespace steelyard
