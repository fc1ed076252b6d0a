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
void give_back(const frame& all, record* end) noexcept {
  if (all.notes != nullptr) return;
  frames_here->memory.give_back(reinterpret_cast<std::byte*>(all.start), reinterpret_cast<std::byte*>(end));
}

/// Where the memory begins that none of this thread's frames needs.
record* above(const frame* innermost) noexcept {
  if (innermost == nullptr) return reinterpret_cast<record*>(frames_here->memory.all().data());
  return innermost->above != nullptr ? innermost->above : innermost->young();
}

// The owner.

/// Lets somebody in, unless somebody is invited.
void invite_again(frame& all) noexcept {
  all.lock();
  const bool is_first = !std::exchange(all.invited, true);
  all.unlock();
  if (!is_first) return;
  all.has_invited = true;
  invite(all);
}

/// nullptr: its thread does not measure.
runtime::meter* meter_of(const frame& all) noexcept { return all.times != nullptr ? meter_here() : nullptr; }

/// In the order of the program, until there are none, or the frame is handed over.
void run_in_order(frame& all) noexcept {
  const other_tasks here;
  for (;;) {
    const auto [task, is_last, is_rung] = all.take();
    if (is_rung) invite_again(all);
    if (task == nullptr) return;
    other_tasks::begin_one();
    if (!is_last || all.notes != nullptr) {
      if (void* const thrown = other_tasks::end_one(call(all, *task))) all.fail(thrown);
      continue;
    }
    // What the last one forks may as well lie here: so a chain of tasks needs neither stack nor memory.
    if (is_long(all)) begin_anew(all, *task);
    steelyard_frame_here = face(all);
    if (void* const thrown = call(all, *task)) all.fail(thrown);
  }
}

/// Tasks of a frame that is handed over, in the order that they become ready.
void run_handed_over(frame& all) noexcept {
  STEELYARD_ASSERT(all.has_invited, "frames.md, Invitations: only who was invited hands a frame over");
  all.lock();
  record* const begun = all.end_begun();
  all.unlock();
  if (begun != nullptr) {
    if (record* const next = next_after(all, *begun)) spawn(all, *next);
  }
  do {
    own_tasks::run_spawned_since(all.group.start);
  } while (find_more(all));
}

/// Unless somebody has come in again. (Where a visitor found nothing, the gate was closed for a moment only, and is open.)
void go_on_in_order(frame& all) noexcept {
  all.lock();
  const auto watching = all.watched.load(sync::relaxed, sync::site{"A7"});
  const bool over = groups::pending(all.group) == watching && all.invited == (watching != 0);
  if (over) {
    if (all.dependencies != nullptr) all.dependencies->clear();
    all.knows_begun = false;
    all.open_again();
  }
  all.unlock();
  if (over && !all.is_empty()) invite_again(all);
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
  frame& all = *place;
  all.begin(start);
  all.start = start;
  all.last = last_of(its.memory);
  all.group = {0, 0, steelyard_spawned, steelyard_spawned->tail};
  all.outer = std::exchange(its.innermost, &all);
  return &all;
}

}  // namespace

frame* begin(bool (*enter)()) noexcept {
  if (steelyard_frame_here == &calls_only) return nullptr;
  const bool in_no_task = steelyard_frame_here == nullptr;
  const bool entered = (in_no_task || steelyard_spawned == nullptr) && enter();
  if (in_no_task && !entered) return nullptr;
  frame* const all = begin_next();
  if (all != nullptr) {
    all->is_root = in_no_task;
  } else if (in_no_task) {
    seats::leave();
  }
  return all;
}

void begin_anew(frame& all, record& running) noexcept {
  all.lock();
  if (!all.is_handed_over()) {
    give_back(all, &running);
    all.restart(all.start);
  }
  all.unlock();
}

void end(frame& all) noexcept {
  STEELYARD_ASSERT(frames_here->innermost == &all, "frames.md: frames lie in their thread's arena as on a stack");
  STEELYARD_ASSERT(all.is_empty() && !all.is_handed_over(), "frames.md, What has a frame: a wait ends it");
  frames_here->innermost = all.outer;
  all.restart(nullptr);
}

void drain(frame& all) noexcept {
  ++steelyard_frame_waits;
  // The last task may call this again.
  const struct draining {
    frame& of;
    bool before;
    ~draining() { of.drains.store(before, sync::relaxed, sync::site{"A8"}); }
  } now{all, all.drains.load(sync::relaxed, sync::site{"A8"})};
  all.drains.store(true, sync::relaxed, sync::site{"A8"});
  for (;;) {
    if (auto* const measured = meter_of(all)) {
      run_measured(all, *measured);
    } else {
      run_in_order(all);
    }
    if (all.is_handed_over()) {
      run_handed_over(all);
      groups::wait(all.group, all.watched);
      go_on_in_order(all);
    } else if (all.has_invited) {
      all.closing.store(true, sync::relaxed, sync::site{"A6"});
      groups::wait(all.group);
      all.closing.store(false, sync::relaxed, sync::site{"A6"});
      all.has_invited = false;
    } else {
      STEELYARD_ASSERT(all.is_empty(), "program_order.md: a frame that begins anew is empty");
      give_back(all, all.young());
      all.restart(all.start);
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
  frame& all = here();
  if (all.notes != nullptr) return false;
  if (!all.is_empty()) drain(all);
  return true;
}

}  // namespace

void be_known() noexcept {
  static constexpr runtime::pending_tasks how{settle, sync};
  runtime::know_pending(how);
}

steelyard_frame* open(bool (*enter)()) noexcept {
  be_known();
  frame* const all = begin(enter);
  return all != nullptr ? steelyard_frame_here = face(*all) : nullptr;
}

void look() noexcept {
  frame& all = here();
  if (all.notes != nullptr) return all.notes->refuse_last();
  auto* const measured = meter_here();
  if (measured != nullptr) note_forked(all, *measured);
  if (all.young() > all.last) drain(all);
  if (measured != nullptr) return;
  all.lock();
  all.allow(all.last);
  all.unlock();
  invite_again(all);
}

void refuse_calls() noexcept {
  if (has_frame_here() && here().notes != nullptr) here().notes->refuse();
}

void* sync() noexcept {
  if (!has_frame_here()) return nullptr;
  frame& all = here();
  if (all.notes != nullptr) {  // nothing of it runs now
    ++steelyard_frame_waits;
    return nullptr;
  }
  drain(all);
  void* const thrown = all.thrown.exchange(nullptr, sync::relaxed, sync::site{"A3"});
  if (all.drains.load(sync::relaxed, sync::site{"A8"})) return thrown;  // its last task waits
  end(all);
  steelyard_frame_here = all.is_root ? nullptr : &runtime::unopened;
  if (all.is_root) seats::leave();
  return thrown;
}

}  // namespace steelyard::dataflow
