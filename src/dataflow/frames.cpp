// SPDX-License-Identifier: Apache-2.0
#include "dataflow/frames.hpp"

#include <new>

#include "dataflow/frame_state.hpp"
#include "dataflow/recording.hpp"
#include "support/ticks.hpp"
#include "sync/patience.hpp"

namespace steelyard::dataflow {

using runtime::tasks;

[[gnu::tls_model("initial-exec")]] constinit thread_local thread_frames* frames_here = nullptr;

thread_frames& make_frames_here() noexcept {
  static thread_local thread_frames its;
  return *(frames_here = &its);
}

void frame::fail(void* exception) noexcept {
  void* none = nullptr;
  if (!thrown.compare_exchange(none, exception, sync::acq_rel, sync::relaxed, sync::site{"A2"})) drop(exception);
}

namespace {

constexpr std::uint64_t for_ever = ~std::uint64_t{0};
/// While nobody is invited the owner looks at the clock now and then.
constexpr std::uint32_t tasks_between_looks = 8;
/// Frames that go on and on begin anew from time to time.
constexpr std::ptrdiff_t long_frame = 1 << 16;

frame& here() noexcept { return static_cast<frame&>(*reinterpret_cast<words*>(steelyard_frame_here)); }

/// Where the memory begins that none of this thread's frames needs.
record* above(const frame* innermost) noexcept {
  if (innermost == nullptr) return reinterpret_cast<record*>(mine().memory.all().data());
  return innermost->above != nullptr ? innermost->above : innermost->young();
}

// The owner.

/// In the order of the program, until there are none, or the frame is handed over, or the time has come.
void run_in_order(frame& all, std::uint64_t until) noexcept {
  child its;
  for (std::uint32_t count = 1;; ++count) {
    if (until != for_ever && count % tasks_between_looks == 0 && support::ticks() >= until) return;
    const auto [task, is_last] = all.take();
    if (task == nullptr) return;
    if (!is_last || all.notes != nullptr) {
      its.be_here();
      if (void* const thrown = its.finish(call(all, *task))) all.fail(thrown);
      continue;
    }
    // What the last one forks may as well lie here: so a chain of tasks needs neither stack nor memory.
    if (reinterpret_cast<std::byte*>(all.young()) - reinterpret_cast<std::byte*>(all.start) > long_frame) {
      all.lock();
      if (!all.is_handed_over()) all.restart(all.start);
      all.unlock();
    }
    steelyard_frame_here = face(all);
    if (void* const thrown = call(all, *task)) all.fail(thrown);
  }
}

/// Tasks of a frame that is handed over, in the order that they become ready.
void run_handed_over(frame& all) noexcept {
  all.lock();
  record* const begun = all.end_begun();
  all.unlock();
  if (begun != nullptr) {
    if (record* const next = next_after(all, *begun)) spawn(all, *next);
  }
  do {
    tasks::run_spawned_since(all.group.start);
  } while (find_more(all));
}

}  // namespace

bool begin(frame& all) noexcept {
  auto& its = mine();
  if (!its.memory.reserve()) return false;
  auto* const start = above(its.innermost);
  if (start >= last_of(its.memory)) return false;
  all.begin(start);
  all.start = start;
  all.last = last_of(its.memory);
  all.group = {0, 0, steelyard_spawned, steelyard_spawned->tail};
  all.outer = std::exchange(its.innermost, &all);
  return true;
}

void end(frame& all) noexcept {
  mine().innermost = all.outer;
  all.restart(nullptr);
}

void drain(frame& all) noexcept {
  // The last task may call this again.
  const struct draining {
    frame& of;
    bool before;
    ~draining() { of.drains = before; }
  } now{all, std::exchange(all.drains, true)};
  std::uint64_t alone_until = for_ever;
  for (;;) {
    run_in_order(all, alone_until);
    const bool handed_over = all.is_handed_over();
    if (handed_over) {
      run_handed_over(all);
    } else if (!all.is_empty()) {
      all.lock();
      const bool again = !std::exchange(all.invited, true);
      all.unlock();
      all.has_invited = true;
      if (again) invite(all);
      alone_until = for_ever;
      continue;
    } else if (!all.has_invited) {
      if (all.notes == nullptr) mine().memory.give_back(reinterpret_cast<std::byte*>(all.young()));
      return all.restart(all.start);
    }
    tasks::wait(all.group);
    all.has_invited = false;
    if (!handed_over) continue;
    if (all.dependencies != nullptr) all.dependencies->clear();
    alone_until = all.found_some && all.in_vain == 0
                      ? 0
                      : support::ticks() + (sync::patience() << std::min(all.in_vain, most_doublings));
    all.found_some = all.knows_begun = false;
    all.open_again();
  }
}

/// What the thread has forked and never waited for still runs; unless it ends inside a task, or is a fork's child.
thread_frames::~thread_frames() {
  if (innermost == nullptr) return;
  if (process == getpid() && innermost->is_root && steelyard_frame_here == face(*innermost)) {
    drop(dataflow::sync());
  } else {
    memory.keep();
  }
}

steelyard_frame* open(bool (*enter)()) noexcept {
  if (steelyard_frame_here == &tasks::calls_only) return nullptr;
  if (steelyard_frame_here != nullptr) return begin(here()) ? steelyard_frame_here : nullptr;
  if (!enter()) return nullptr;
  auto* const root = new (std::nothrow) frame;
  if (root == nullptr || !begin(*root)) {
    delete root;
    tasks::leave();
    return nullptr;
  }
  root->is_root = true;
  return steelyard_frame_here = face(*root);
}

void look() noexcept {
  frame& all = here();
  if (all.notes != nullptr) return all.notes->refuse_last();
  if (all.young() > all.last) drain(all);
  all.lock();
  const bool is_first = !std::exchange(all.invited, true);
  all.allow(all.last);
  all.unlock();
  if (!is_first) return;
  all.has_invited = true;
  invite(all);
}

void* sync() noexcept {
  if (steelyard_frame_here == nullptr || here().young() == nullptr) return nullptr;
  frame& all = here();
  if (all.notes != nullptr) return nullptr;  // nothing of it runs now
  drain(all);
  void* const thrown = all.thrown.exchange(nullptr, sync::relaxed, sync::site{"A3"});
  if (all.is_root && !all.drains) {
    end(all);
    delete &all;
    steelyard_frame_here = nullptr;
    tasks::leave();
  }
  return thrown;
}

}  // namespace steelyard::dataflow
