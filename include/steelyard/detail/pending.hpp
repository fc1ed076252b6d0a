// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <steelyard/detail/dataflow_core.h>

/// Where NDEBUG is not defined: whether a task uses what it has given to tasks that may be pending. Costs nothing else, and
/// changes no type, so that both may be linked together; tasks that are forked where it is defined are not checked.
namespace steelyard {
inline namespace v1 {
namespace detail {

#ifdef NDEBUG

inline namespace unchecked {
struct running_task {};
inline void note_pending(const steelyard_access&) noexcept {}
inline void forget_pending(const void*) noexcept {}
inline void expect_not_pending(const steelyard_access&, const char*) noexcept {}
}  // namespace unchecked

#else

inline namespace checked {

/// What the tasks that a thread runs have given away last, one for each hash: others are forgotten.
struct pending_uses {
  struct use {
    steelyard_access what;
    const steelyard_frame* frame;
    std::uint64_t task;
    std::uint64_t waits;
  };
  static constexpr std::size_t most = 64;
  use all[most];

  use& of(const void* object) noexcept {
    return all[(reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15U) >> 58];
  }
};

/// Of the calling thread. Small: a plug-in that holds the library has little room for thread-local words.
struct pending_words {
  std::uint64_t task;  ///< the running one
  std::uint64_t last_task;
  pending_uses* uses;  ///< nullptr: none is noted
  bool is_ending;      ///< the thread, and none is noted any more
};
inline constinit thread_local pending_words pending_here{};

/// nullptr: there is no memory, or the thread ends.
inline pending_uses* make_pending_uses() noexcept {
  struct keeper {
    ~keeper() {
      delete pending_here.uses;
      pending_here.uses = nullptr;
      pending_here.is_ending = true;
    }
  };
  static thread_local keeper of_this_thread;
  if (!pending_here.is_ending) pending_here.uses = new (std::nothrow) pending_uses{};
  return pending_here.uses;
}

/// In the function that runs a task.
class running_task {
 public:
  running_task() noexcept : before_(pending_here.task) { pending_here.task = ++pending_here.last_task; }
  ~running_task() { pending_here.task = before_; }
  running_task(const running_task&) = delete;
  running_task& operator=(const running_task&) = delete;

 private:
  std::uint64_t before_;
};

/// The running task has just forked one that may write that.
inline void note_pending(const steelyard_access& what) noexcept {
  auto* const uses = pending_here.uses != nullptr ? pending_here.uses : make_pending_uses();
  if (uses != nullptr) uses->of(what.of) = {what, steelyard_frame_here, pending_here.task, steelyard_frame_waits};
}

/// The object has gone.
inline void forget_pending(const void* object) noexcept {
  if (pending_here.uses == nullptr) return;
  auto& found = pending_here.uses->of(object);
  if (found.what.of == object) found.what.of = nullptr;
}

inline void expect_not_pending(const steelyard_access& what, const char* message) noexcept {
  if (pending_here.uses == nullptr) return;
  const auto& [noted, frame, task, waits] = pending_here.uses->of(what.of);
  if (noted.of != what.of || frame != steelyard_frame_here || task != pending_here.task ||
      waits != steelyard_frame_waits)
    return;
  if (noted.row != what.row || noted.column != what.column || noted.rows != what.rows || noted.columns != what.columns)
    return;
  std::fprintf(stderr, "steelyard: %s\n", message);
  std::abort();
}

}  // namespace checked

#endif

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
