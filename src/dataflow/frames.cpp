// SPDX-License-Identifier: Apache-2.0
#include "dataflow/frames.hpp"

#include <cstdlib>
#include <new>

#include "dataflow/frame_state.hpp"
#include "dataflow/recording.hpp"
#include "runtime/groups.hpp"
#include "runtime/meter_here.hpp"
#include "runtime/own_tasks.hpp"
#include "runtime/seats.hpp"
#include "support/assert.hpp"

STEELYARD_THREAD std::uint64_t steelyard_frame_waits = 0;

namespace steelyard::dataflow {

using runtime::calls_only;
using runtime::meter_here;
using runtime::seats;
using runtime::task_thread;
namespace groups = runtime::groups;
namespace own_tasks = runtime::own_tasks;

namespace {

/// Of the calling thread; nullptr: it has had none yet.
[[gnu::tls_model("initial-exec")]] constinit thread_local thread_frames* frames_here = nullptr;
constinit thread_local bool frames_gone = false;  ///< the thread ends, and its frames have

constexpr std::size_t least_memory = 1 << 14;  // more than what it keeps of what was freed, which may not serve others

/// The C library ends the process when it has no memory to note what is to be destroyed with a thread.
bool is_some_memory_left() noexcept {
  void* volatile some = std::malloc(least_memory);
  std::free(some);
  return some != nullptr;
}

/// nullptr: there is no memory.
thread_frames* make_frames_here() noexcept {
  if (!is_some_memory_left()) return nullptr;
  static thread_local thread_frames its;
  return frames_here = &its;
}

}  // namespace

void frame::fail(void* exception) noexcept {
  STEELYARD_ASSERT(exception != nullptr, "A2: what was thrown is something");
  void* none = nullptr;
  if (!thrown.compare_exchange(none, exception, sync::acq_rel, sync::relaxed, sync::site{"A2"})) drop(exception);
}

namespace {

/// Below `end` nothing of the frame is needed any more.
void give_back(const frame& in, record* end) noexcept {
  if (in.notes != nullptr) return;
  frames_here->memory.give_back(reinterpret_cast<std::byte*>(in.start), reinterpret_cast<std::byte*>(end));
}

/// Where the memory begins that none of this thread's frames needs.
record* above(const frame* innermost) noexcept {
  if (innermost == nullptr) return reinterpret_cast<record*>(frames_here->memory.all().data());
  return innermost->above != nullptr ? innermost->above : innermost->young();
}

// The owner.

/// Lets somebody in, unless somebody is invited.
void invite_again(frame& in) noexcept {
  in.lock();
  const bool is_first = !std::exchange(in.invited, true);
  in.unlock();
  if (!is_first) return;
  in.has_invited = true;
  invite(in);
}

/// nullptr: its thread does not measure.
runtime::meter* meter_of(const frame& in) noexcept { return in.times != nullptr ? meter_here() : nullptr; }

/// In the order of the program, until there are none, or the frame is handed over.
void run_in_order(frame& in) noexcept {
  const other_tasks here;
  for (;;) {
    const auto [task, is_last, is_rung] = in.take();
    if (is_rung) invite_again(in);
    if (task == nullptr) return;
    other_tasks::begin_one();
    if (!is_last || in.notes != nullptr) {
      if (void* const thrown = other_tasks::end_one(call(in, *task))) in.fail(thrown);
      continue;
    }
    // What the last one forks may as well lie here: so a chain of tasks needs neither stack nor memory.
    if (is_long(in)) begin_anew(in, *task);
    steelyard_frame_here = face(in);
    if (void* const thrown = call(in, *task)) in.fail(thrown);
  }
}

/// Tasks of a frame that is handed over, in the order that they become ready.
void run_handed_over(frame& in) noexcept {
  STEELYARD_ASSERT(in.has_invited, "frames.md, Invitations: only who was invited hands a frame over");
  in.lock();
  record* const begun = in.end_begun();
  in.unlock();
  if (begun != nullptr) {
    if (record* const next = next_after(in, *begun)) spawn(in, *next);
  }
  do {
    own_tasks::run_spawned_since(in.group.start);
  } while (find_more(in));
}

/// Unless somebody has come in again. (Where a visitor found nothing, the gate was closed for a moment only, and is open.)
void go_on_in_order(frame& in) noexcept {
  in.lock();
  const auto watching = in.watched.load(sync::relaxed, sync::site{"A7"});
  const bool over = groups::pending(in.group) == watching && in.invited == (watching != 0);
  if (over) {
    if (in.dependencies != nullptr) in.dependencies->clear();
    in.knows_begun = false;
    in.open_again();
  }
  in.unlock();
  if (over && !in.is_empty()) invite_again(in);
}

/// Of a thread that has tasks: the next one. nullptr: there is no memory.
frame* begin_next() noexcept {
  if (steelyard_spawned == nullptr || frames_gone) return nullptr;
  if (frames_here == nullptr && make_frames_here() == nullptr) return nullptr;
  auto& its = *frames_here;
  if (!its.memory.reserve()) return nullptr;
  auto* const start = above(its.innermost);
  if (start >= last_of(its.memory)) return nullptr;
  frame*& place = its.innermost != nullptr ? its.innermost->inner : its.outermost;
  if (place == nullptr) place = new (std::nothrow) frame;
  if (place == nullptr) return nullptr;
  frame& in = *place;
  in.begin(start);
  in.start = start;
  in.last = last_of(its.memory);
  in.group = {0, 0, steelyard_spawned, steelyard_spawned->tail};
  in.outer = std::exchange(its.innermost, &in);
  return &in;
}

}  // namespace

frame* begin(bool (*enter)()) noexcept {
  if (steelyard_frame_here == &calls_only) return nullptr;
  const bool in_no_task = steelyard_frame_here == nullptr;
  const bool entered = (in_no_task || steelyard_spawned == nullptr) && enter();
  if (in_no_task && !entered) return nullptr;
  frame* const in = begin_next();
  if (in != nullptr) {
    in->is_root = in_no_task;
  } else if (in_no_task) {
    seats::leave();
  }
  return in;
}

void begin_anew(frame& in, record& running) noexcept {
  in.lock();
  if (!in.is_handed_over()) {
    give_back(in, &running);
    in.restart(in.start);
  }
  in.unlock();
}

void end(frame& in) noexcept {
  STEELYARD_ASSERT(frames_here->innermost == &in, "frames.md: frames lie in their thread's arena as on a stack");
  STEELYARD_ASSERT(in.is_empty() && !in.is_handed_over(), "frames.md, What has a frame: a wait ends it");
  frames_here->innermost = in.outer;
  in.restart(nullptr);
}

void drain(frame& in) noexcept {
  ++steelyard_frame_waits;
  // The last task may call this again.
  const struct draining {
    frame& of;
    bool before;
    ~draining() { of.drains.store(before, sync::relaxed, sync::site{"A8"}); }
  } now{in, in.drains.load(sync::relaxed, sync::site{"A8"})};
  in.drains.store(true, sync::relaxed, sync::site{"A8"});
  for (;;) {
    if (auto* const measured = meter_of(in)) {
      run_measured(in, *measured);
    } else {
      run_in_order(in);
    }
    if (in.is_handed_over()) {
      run_handed_over(in);
      groups::wait(in.group, in.watched);
      go_on_in_order(in);
    } else if (in.has_invited) {
      in.closing.store(true, sync::relaxed, sync::site{"A6"});
      groups::wait(in.group);
      in.closing.store(false, sync::relaxed, sync::site{"A6"});
      in.has_invited = false;
    } else {
      STEELYARD_ASSERT(in.is_empty(), "program_order.md: a frame that begins anew is empty");
      give_back(in, in.young());
      in.restart(in.start);
      return task_thread::show_deques();
    }
  }
}

/// What the thread has forked and never waited for still runs; unless it ends inside a task, or is a fork's child.
thread_frames::~thread_frames() {
  frames_gone = true;
  if (innermost != nullptr) {
    if (process != getpid() || !innermost->is_root || steelyard_frame_here != face(*innermost)) {
      memory.keep();
      return;
    }
    drop(dataflow::sync());
  }
  if (process == getpid()) seats::leave_at_last();
  while (outermost != nullptr) delete std::exchange(outermost, outermost->inner);
}

namespace {

/// Of a thread whose frame has begun: see runtime::settle_pending.
bool settle() noexcept {
  frame& in = here();
  if (in.notes != nullptr) return false;
  if (!in.is_empty()) drain(in);
  return true;
}

}  // namespace

void be_known() noexcept {
  static constexpr runtime::pending_tasks how{settle, sync};
  runtime::know_pending(how);
}

steelyard_frame* open(bool (*enter)()) noexcept {
  be_known();
  frame* const in = begin(enter);
  return in != nullptr ? steelyard_frame_here = face(*in) : nullptr;
}

void look() noexcept {
  frame& in = here();
  if (in.notes != nullptr) return in.notes->refuse_last();
  auto* const measured = meter_here();
  if (measured != nullptr) note_forked(in, *measured);
  if (in.young() > in.last) drain(in);
  if (measured != nullptr) return;
  in.lock();
  in.allow(in.last);
  in.unlock();
  invite_again(in);
}

void refuse_calls() noexcept {
  if (has_frame_here() && here().notes != nullptr) here().notes->refuse();
}

void* sync() noexcept {
  if (!has_frame_here()) return nullptr;
  frame& in = here();
  if (in.notes != nullptr) {  // nothing of it runs now
    ++steelyard_frame_waits;
    return nullptr;
  }
  drain(in);
  void* const thrown = in.thrown.exchange(nullptr, sync::relaxed, sync::site{"A3"});
  if (in.drains.load(sync::relaxed, sync::site{"A8"})) return thrown;  // its last task waits
  end(in);
  steelyard_frame_here = in.is_root ? nullptr : &runtime::unopened;
  if (in.is_root) seats::leave();
  return thrown;
}

}  // namespace steelyard::dataflow
