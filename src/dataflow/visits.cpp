// SPDX-License-Identifier: Apache-2.0
// Frames that are handed over: who finds out what may run, and who runs it.
#include <array>
#include <cstring>
#include <new>

#include "dataflow/frame_state.hpp"
#include "dataflow/recording.hpp"
#include "support/ticks.hpp"

namespace steelyard::dataflow {
namespace {

using runtime::tasks;

/// What a frame's visitors do before they go on to what they have found.
constexpr std::uint32_t ready_at_once = 32;
constexpr std::uint32_t seen_at_once = 256;
/// And how far they look while nothing may run.
constexpr std::uint32_t most_seen = 1024;
/// Tasks that take less than so many looks at one are not worth it: their owner is as fast alone.
constexpr std::uint64_t looks_worth = 4;
constexpr std::uint64_t ran_to_tell = 16;

record* at_distance(record* from, std::ptrdiff_t bytes) noexcept {
  return reinterpret_cast<record*>(reinterpret_cast<std::byte*>(from) + bytes);
}

struct found {
  std::array<record*, ready_at_once> ready;
  std::uint32_t count = 0;
  std::uint32_t seen = 0;
};

struct what {
  frame* all;
  record* task;
};

what what_of(const steelyard_task* slot) noexcept {
  what it{};
  std::memcpy(&it, slot->payload + sizeof(steelyard_group*), sizeof it);
  return it;
}

graph::verdict add(frame& all, record& task) noexcept {
  if (all.notes != nullptr) return all.notes->add(all, task);
  if (all.dependencies == nullptr) all.dependencies.reset(new (std::nothrow) graph);
  if (all.dependencies == nullptr) return graph::verdict::no_memory;
  std::array<steelyard_access, STEELYARD_MOST_ACCESSES> its;
  task.kind->accesses(&task, its.data());
  return all.dependencies->add(task.node(), {its.data(), task.kind->count});
}

/// Under the lock: looks at records from `part` on until it has found some that may run, or has seen many.
found look_at(frame& all, words::part part) noexcept {
  found result;
  if (part.first == part.end) return result;
  if (record* const begun = all.begun(); begun != nullptr && !all.knows_begun) {
    if (add(all, *begun) == graph::verdict::no_memory) return result;
    all.knows_begun = true;
  }
  record* at = part.first;
  std::uint32_t& seen = result.seen;
  for (; at != part.end && seen < (result.count == 0 ? most_seen : seen_at_once); at = at->next()) {
    const auto verdict = add(all, *at);
    if (verdict == graph::verdict::no_memory) break;
    ++seen;
    if (verdict != graph::verdict::ready) continue;
    result.ready[result.count++] = at;
    if (result.count < ready_at_once) continue;
    at = at->next();
    break;
  }
  all.seen_to(at);
  if (all.notes == nullptr) tasks::count_analysed(seen);
  return result;
}

/// So that the first in the order of the program is the youngest here, and thieves take the last.
void spawn_all(frame& all, const found& of) noexcept {
  for (std::uint32_t i = of.count; i-- > 0;) spawn(all, *of.ready[i]);
}

/// Whether this visitor had better stay away; what it has run since its first visits tells whether they were worth it.
bool is_in_vain(frame& all) noexcept {
  auto& its = mine();
  auto& of = its.visits;
  const auto ran = its.ran - of.ran;
  const auto now = support::ticks();
  const bool can_tell = of.of == &all && ran >= ran_to_tell;
  const bool in_vain = can_tell && (now - of.began) * of.seen < looks_worth * of.looked * ran;
  if (can_tell && !in_vain) all.in_vain = 0;
  if (can_tell || of.of != &all) of = {&all, 0, 0, now, its.ran};
  return in_vain;
}

/// By who was invited and comes.
int visit(steelyard_task* slot) noexcept {
  frame& all = *what_of(slot).all;
  if (all.group.owner == steelyard_spawned) {
    // Nobody came.
    all.lock();
    all.invited = false;
    all.allow(nullptr);
    all.unlock();
    return 0;
  }
  all.lock();
  const bool is_first = !all.is_handed_over();
  const auto part = all.unseen();
  if (record* const begun = all.begun(); begun != nullptr && is_first) begun->node().begin();
  const bool stays_away = is_in_vain(all);
  const auto began = support::ticks();
  const auto result = stays_away ? found{} : look_at(all, part);
  mine().visits.looked += support::ticks() - began;
  mine().visits.seen += result.seen;
  const bool go_on = result.count != 0;
  if (go_on) {
    all.found_some = true;
  } else {
    all.invited = false;
    if (part.first != part.end) {
      // Another visit when many more have been forked.
      const auto far = std::ptrdiff_t{fewest_bytes} << std::min(all.in_vain++, most_doublings);
      all.allow(std::min(all.last, at_distance(part.end, far)));
      if (stays_away) all.found_some = false;
    }
  }
  all.unlock();
  if (go_on) invite(all);
  spawn_all(all, result);
  return 0;
}

int run_ready(steelyard_task* slot) noexcept {
  const auto [all, first] = what_of(slot);
  child its;
  for (record* task = first; task != nullptr; task = next_after(*all, *task)) {
    its.be_here();
    ++mine().ran;
    if (void* const thrown = its.finish(call(*all, *task))) all->fail(thrown);
  }
  return 0;
}

}  // namespace

void spawn(frame& all, record& task) noexcept {
  const what it{&all, &task};
  tasks::spawn(all.group, run_ready, &it, sizeof it);
}

void invite(frame& all) noexcept {
  const what it{&all, nullptr};
  tasks::spawn(all.group, visit, &it, sizeof it);
}

record* next_after(frame& all, record& ended) noexcept {
  record* next = nullptr;
  ended.node().end([&](task_node& ready) {
    // The list begins with the last in the order of the program.
    if (next != nullptr) spawn(all, *next);
    next = &record::of(ready);
  });
  return next;
}

bool find_more(frame& all) noexcept {
  all.lock();
  const auto result = all.in_vain == 0 ? look_at(all, all.rest()) : found{};
  all.unlock();
  spawn_all(all, result);
  return result.count != 0;
}

}  // namespace steelyard::dataflow
