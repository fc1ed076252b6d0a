// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "dataflow/arena.hpp"
#include "dataflow/frames.hpp"
#include "dataflow/graph.hpp"
#include "dataflow/program_order.hpp"
#include "runtime/another_task.hpp"
#include "sync/hand_over.hpp"
#include "sync/real.hpp"

/// What the owner of a frame (frames.cpp) and its visitors (visits.cpp) share.
namespace steelyard::dataflow {

/// A task as frames and graphs see it.
struct record : steelyard_record {
  [[nodiscard]] record* next() noexcept {
    return reinterpret_cast<record*>(reinterpret_cast<std::byte*>(this) + kind->bytes);
  }
  [[nodiscard]] task_node& node() noexcept { return reinterpret_cast<task_node&>(waiting_for); }
  static record& of(task_node& node) noexcept {
    return *reinterpret_cast<record*>(reinterpret_cast<std::byte*>(&node) - offsetof(steelyard_record, waiting_for));
  }
};
static_assert(sizeof(steelyard_record) - offsetof(steelyard_record, waiting_for) == sizeof(task_node));

using words = program_order<sync::real, record>;

/// Beyond it there is room for a record, but no more.
[[nodiscard]] inline record* last_of(const arena& memory) noexcept {
  return reinterpret_cast<record*>(memory.all().data() + memory.all().size() - std::size_t{2} * STEELYARD_MOST_BYTES);
}

class recording;
class frame_times;

struct frame : words {  // whose first two are those of steelyard_frame
  frame* outer = nullptr;
  frame* inner = nullptr;  ///< the next one, or what serves as that once it is begun
  record* start = nullptr;
  record* above = nullptr;     ///< what lies above it begins there; nullptr: behind its youngest record
  recording* notes = nullptr;  ///< whose records it runs, and leaves as they are
  bool has_invited = false;    ///< since it last waited
  bool is_root = false;
  steelyard_group group{};
  sync::real::atomic<void*> thrown{};
  sync::real::atomic<bool> drains{};  ///< its owner is in `drain`
  sync::real::atomic<std::uint32_t>
      watched{};  ///< by who was invited, which does not come in just now: so many tasks of the group; written under the lock
  sync::real::atomic<bool> closing{};  ///< it is empty, and its owner waits for who was invited
  // Under the lock.
  bool invited = false;
  bool knows_begun = false;  ///< `dependencies` does
  std::uint32_t in_vain =
      0;  ///< how long who was invited watches before it comes in: not at all, or twice as long each time
  record* last = nullptr;  ///< in its owner's memory
  std::unique_ptr<graph> dependencies;
  // Of a thread that measures: measured.cpp.
  std::unique_ptr<frame_times> times;

  frame();
  ~frame();
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;

  void lock() noexcept {
    words::lock();
    sync::receive(&dependencies);
    sync::receive(group.owner);  // what its owner has forked and run
  }
  void unlock() noexcept {
    sync::hand_over(&dependencies);  // not this: the sanitizer forgets what it knew by an address that pushes store to
    words::unlock();
  }

  [[nodiscard]] bool has_failed() const noexcept { return thrown.load(sync::relaxed, sync::site{"A1"}) != nullptr; }
  void fail(void* exception) noexcept;
};

inline steelyard_frame* face(frame& of) noexcept {
  return reinterpret_cast<steelyard_frame*>(static_cast<words*>(&of));
}
/// Where the running task has a frame.
inline frame& here() noexcept { return static_cast<frame&>(*reinterpret_cast<words*>(steelyard_frame_here)); }

/// A thread's frames.
struct thread_frames {
  arena memory;
  frame* outermost = nullptr;  ///< all that there ever were
  frame* innermost = nullptr;  ///< of those that have begun
  pid_t process = getpid();

  ~thread_frames();
};

/// Frames that go on and on begin anew from time to time.
constexpr std::ptrdiff_t long_frame = 1 << 16;
[[nodiscard]] inline bool is_long(const frame& in) noexcept {
  return reinterpret_cast<std::byte*>(in.young()) - reinterpret_cast<std::byte*>(in.start) > long_frame;
}
/// When only one is left, which runs.
void begin_anew(frame& in, record& running) noexcept;

// measured.cpp, on a thread that measures work and span: nobody is invited.

/// Records that are there already run now.
void begin_measured(frame& in, runtime::meter& its) noexcept;
/// One more has been pushed.
void note_forked(frame& in, runtime::meter& its) noexcept;
/// In the order of the program, until there are none.
void run_measured(frame& in, runtime::meter& its) noexcept;

/// Runs what there is, or waits where others do.
void drain(frame& in) noexcept;
/// The next one of the calling thread. Where that is in no task it is a root, and takes a seat (`enter`): tasks::leave is due
/// when it has ended. nullptr: tasks are calls here, or there is no room.
frame* begin(bool (*enter)()) noexcept;
/// Of the thread's frames the last to have begun; it is empty.
void end(frame& in) noexcept;

/// While tasks run one after the other, each of which has forked nothing when it begins.
class other_tasks {
 public:
  static void begin_one() noexcept {
    steelyard_frame_here = &runtime::unopened;
    runtime::task_thread::show_deques();
  }
  /// One has ended and thrown that, or nothing: what it has forked runs. Returns what was thrown first.
  [[nodiscard]] static void* end_one(void* thrown) noexcept {
    if (!has_frame_here()) return thrown;
    frame& its = here();
    if (thrown != nullptr) its.fail(thrown);
    drain(its);
    end(its);
    return its.thrown.exchange(nullptr, sync::relaxed, sync::site{"A3"});
  }

 private:
  runtime::another_task all_;
};

/// The task itself, or nothing once the frame has failed.
inline void* call(const frame& in, record& task) noexcept {
  if (in.notes != nullptr) return in.has_failed() ? nullptr : task.kind->run_again(&task);
  if (!in.has_failed()) return task.kind->run(&task);
  task.kind->drop(&task);
  return nullptr;
}

// visits.cpp

/// An idle thread may visit the frame.
void invite(frame& in) noexcept;
/// What has become ready in a frame that is handed over: anybody's.
void spawn(frame& in, record& task) noexcept;

/// A task of a frame that is handed over has ended: the first of those that may run now, for who ended it; the others can be
/// stolen from it.
[[nodiscard]] record* next_after(frame& in, record& ended) noexcept;

/// By the owner of a frame that is handed over: whether there is more that may run now.
[[nodiscard]] bool find_more(frame& in) noexcept;

}  // namespace steelyard::dataflow
