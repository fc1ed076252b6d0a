// SPDX-License-Identifier: Apache-2.0
// Frames that are handed over: who finds out what may run, and who runs it.
#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

#include "dataflow/frame_state.hpp"
#include "dataflow/recording.hpp"
#include "runtime/groups.hpp"
#include "runtime/tasks.hpp"
#include "support/assert.hpp"
#include "support/ticks.hpp"
#include "sync/patience.hpp"

namespace steelyard::dataflow {
namespace {

using runtime::task_thread;
using runtime::tasks;
namespace groups = runtime::groups;

/// What a frame's visitors do before they go on to what they have found.
constexpr std::uint32_t ready_at_once = 32;
constexpr std::uint32_t seen_at_once = 256;
/// And how far they look while nothing may run.
constexpr std::uint32_t most_seen = 1024;
/// Tasks that take less than so many looks at one are not worth it: their owner is as fast alone.
constexpr std::uint64_t looks_worth = 4;
constexpr std::uint64_t ran_to_tell = 16;
/// Who watches a frame does so for as long as it takes to hand it over (sync::patience), then for twice as long.
constexpr std::uint32_t most_doublings = 6;
constexpr std::uint32_t handed_over_longer = 8;
constexpr std::uint32_t turns_between_looks = 32;
constexpr auto nap = std::chrono::microseconds(50);

/// What a thread knows of its visits.
struct visiting {
  std::uint64_t ran = 0;   ///< tasks of frames that were handed over
  std::uint64_t took = 0;  ///< what those have taken, in ticks
  std::uint64_t look = 0;  ///< what a look at a record takes
  /// To one frame, the last ones: what had been run when they began.
  struct {
    const frame* of = nullptr;
    std::uint64_t ran = 0, took = 0;
    record* tail = nullptr;
  } last;
};
constinit thread_local visiting mine;

struct found {
  std::array<record*, ready_at_once> ready;
  std::uint32_t count = 0;
  std::uint32_t seen = 0;
};

struct what {
  frame* in;
  record* task;
};

what what_of(const steelyard_task* slot) noexcept {
  what it{};
  std::memcpy(&it, slot->payload + sizeof(steelyard_group*), sizeof it);
  return it;
}

graph::verdict add(frame& in, record& task) noexcept {
  if (in.notes != nullptr) return in.notes->add(in, task);
  if (in.dependencies == nullptr) in.dependencies.reset(new (std::nothrow) graph);
  if (in.dependencies == nullptr) return graph::verdict::no_memory;
  std::array<steelyard_access, STEELYARD_MOST_ACCESSES> its;
  task.kind->accesses(&task, its.data());
  return in.dependencies->add(task.node(), {its.data(), task.kind->count});
}

/// Under the lock: looks at records from `part` on until it has found some that may run, or has seen many.
found look_at(frame& in, words::part part) noexcept {
  found result;
  if (part.first == part.end) return result;
  sync::receive(in.group.owner);  // also what it has forked since the lock was taken
  if (record* const begun = in.begun(); begun != nullptr && !in.knows_begun) {
    if (add(in, *begun) == graph::verdict::no_memory) return result;
    in.knows_begun = true;
  }
  STEELYARD_ASSERT(in.is_handed_over(), "frames.md: only what is handed over is looked at");
  record* at = part.first;
  std::uint32_t& seen = result.seen;
  for (; at != part.end && seen < (result.count == 0 ? most_seen : seen_at_once); at = at->next()) {
    const auto verdict = add(in, *at);
    if (verdict == graph::verdict::no_memory) break;
    ++seen;
    if (verdict != graph::verdict::ready) continue;
    result.ready[result.count++] = at;
    if (result.count < ready_at_once) continue;
    at = at->next();
    break;
  }
  in.seen_to(at);
  if (in.notes == nullptr) task_thread::count_analysed(seen);
  return result;
}

/// So that the first in the order of the program is the youngest here, and thieves take the last.
void spawn_all(frame& in, const found& of) noexcept {
  for (std::uint32_t i = of.count; i-- > 0;) spawn(in, *of.ready[i]);
}

/// Whether visits to the frame are not worth their while, as what this visitor has run since its first ones tells. They are,
/// while the owner's task does neither fork nor return.
bool is_in_vain(frame& in) noexcept {
  auto& last = mine.last;
  const auto ran = mine.ran - last.ran;
  if (last.of == &in && ran < ran_to_tell) return false;
  record* const tail = in.seen_from_afar().tail;
  const bool can_tell = last.of == &in && mine.look != 0;
  const bool owner_moves = tail != last.tail || in.drains.load(sync::relaxed, sync::site{"A8"});
  const bool in_vain = can_tell && owner_moves && mine.took - last.took < looks_worth * mine.look * ran;
  last = {&in, mine.ran, mine.took, tail};
  return in_vain;
}

/// What a look at a record takes at best, of those that saw many.
void learn_look(std::uint64_t took, std::uint32_t seen) noexcept {
  if (seen < ran_to_tell) return;
  auto& look = mine.look;
  const auto one = took / seen + 1;
  look = look == 0 ? one : std::min(look, one);
}

/// How many records, about, the owner has gone past since `before`; many when it has begun anew.
std::uint64_t records_since(words::progress before, words::progress now) noexcept {
  constexpr std::uint64_t usual = 64;  // bytes
  const auto from = [](const record* at) { return reinterpret_cast<std::uintptr_t>(at); };
  if (now.head < before.head || now.tail < before.tail) return ~std::uint32_t{0};
  return std::max(from(now.head) - from(before.head), from(now.tail) - from(before.tail)) / usual;
}

/// Under the lock.
void set_watched(frame& in, std::uint32_t to) noexcept { in.watched.store(to, sync::relaxed, sync::site{"A7"}); }

/// By who was invited, to a frame whose tasks seem to be not worth it: until one takes longer, or the owner is done, or there is
/// something else to do. Whether to come in.
bool watch(frame& in) noexcept {
  in.lock();
  set_watched(in, groups::held_here(in.group));
  in.unlock();
  groups::nudge(in.group);
  auto began = support::ticks();
  auto before = in.seen_from_afar();
  bool come_in = false;
  for (std::uint32_t turn = 0;; ++turn) {
    if (in.closing.load(sync::relaxed, sync::site{"A6"})) break;
    // It may not go while there are records that nobody has seen: `unseen` makes sure of that.
    come_in = turn % turns_between_looks == 0 && tasks::is_work_about(in.is_handed_over() ? &in.group : nullptr);
    if (come_in) break;
    const auto length = sync::patience() << std::min(in.in_vain, most_doublings);
    // Its owner may still have to run what was handed over.
    if (support::ticks() - began >= (in.is_handed_over() ? handed_over_longer * length : length)) {
      const auto now = in.seen_from_afar();
      come_in = now.head != now.tail && records_since(before, now) * looks_worth * mine.look <= length;
      if (come_in) break;
      began = support::ticks();
      before = now;
      ++in.in_vain;
    }
    if (in.in_vain < most_doublings) {
      sync::real::pause();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
  in.lock();
  set_watched(in, 0);
  if (!come_in) {
    in.invited = false;
    in.ring();
  }
  in.unlock();
  return come_in;
}

/// By who was invited and comes.
int visit(steelyard_task* slot) noexcept {
  frame& in = *what_of(slot).in;
  if (in.group.owner == steelyard_spawned) {
    // Nobody came.
    in.lock();
    STEELYARD_ASSERT(in.invited, "frames.md, Invitations: who comes was invited");
    in.invited = false;
    in.ring();
    in.unlock();
    return 0;
  }
  if (is_in_vain(in)) ++in.in_vain;
  if (in.in_vain != 0 && !watch(in)) return 0;
  in.lock();
  STEELYARD_ASSERT(in.invited, "frames.md, Invitations: who comes was invited");
  const bool is_first = !in.is_handed_over();
  const auto part = in.unseen();
  if (record* const begun = in.begun(); begun != nullptr && is_first) begun->node().begin();
  const auto began = support::ticks();
  const auto result = look_at(in, part);
  learn_look(support::ticks() - began, result.seen);
  const bool goes = part.first == part.end;
  if (goes) in.invited = false;
  // To have seen to everything is no failure.
  if (result.count != 0) {
    in.in_vain = 0;
  } else if (!goes || is_first) {
    ++in.in_vain;
  }
  in.unlock();
  if (!goes) invite(in);
  spawn_all(in, result);
  return 0;
}

int run_ready(steelyard_task* slot) noexcept {
  const auto [in, first] = what_of(slot);
  for (record* task = first; task != nullptr; task = next_after(*in, *task)) {
    const auto began = support::ticks();
    other_tasks::begin_one();
    if (void* const thrown = other_tasks::end_one(call(*in, *task))) in->fail(thrown);
    mine.took += support::ticks() - began;
    ++mine.ran;
  }
  return 0;
}

}  // namespace

void spawn(frame& in, record& task) noexcept {
  const what it{&in, &task};
  groups::spawn(in.group, run_ready, &it, sizeof it);
}

void invite(frame& in) noexcept {
  const what it{&in, nullptr};
  groups::spawn(in.group, visit, &it, sizeof it);
}

record* next_after(frame& in, record& ended) noexcept {
  record* next = nullptr;
  ended.node().end([&](task_node& ready) {
    // The list begins with the last in the order of the program.
    if (next != nullptr) spawn(in, *next);
    next = &record::of(ready);
  });
  return next;
}

bool find_more(frame& in) noexcept {
  in.lock();
  const auto result = in.watched.load(sync::relaxed, sync::site{"A7"}) != 0 ? found{} : look_at(in, in.rest());
  in.unlock();
  spawn_all(in, result);
  return result.count != 0;
}

}  // namespace steelyard::dataflow
