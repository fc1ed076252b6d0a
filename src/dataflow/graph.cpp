// SPDX-License-Identifier: Apache-2.0
#include "dataflow/graph.hpp"

#include <algorithm>
#include <new>

#include "support/assert.hpp"

namespace steelyard::dataflow {
namespace {

constexpr std::size_t links_at_once = 1024;
constexpr std::size_t most_buckets = 4096;  ///< that stay when all have ended

/// Multiplies and mixes, as splitmix64 does (Steele, Lea & Flood 2014).
std::uint64_t mixed(std::uint64_t value) noexcept {
  value *= 0x9e3779b97f4a7c15U;
  return value ^ value >> 29;
}

}  // namespace

std::size_t graph::hash::operator()(const key& of) const noexcept {
  std::uint64_t all = mixed(reinterpret_cast<std::uintptr_t>(of.of) >> 4);
  if (of.rows == STEELYARD_WHOLE) return all;
  for (const auto each : {of.row, of.column, of.rows, of.columns, of.rest}) all = mixed(all + each);
  return all;
}

void graph::nodes::make_room(std::size_t count) {
  if (few_ + count <= fewest) return;
  if (more_.size() + count > more_.capacity()) {
    std::erase_if(more_, [](const task_node* each) { return each->has_ended(); });
    if (more_.size() + count > more_.capacity()) more_.reserve(std::max(2 * more_.size(), more_.size() + count));
  }
}

void graph::nodes::add(task_node& task) noexcept {
  if (few_ < fewest) {
    first_[few_++] = &task;
  } else {
    STEELYARD_ASSERT(more_.size() < more_.capacity(), "graph.hpp: make_room has made room");
    more_.push_back(&task);
  }
}

void graph::nodes::add_all(const nodes& from) noexcept {
  from.for_each([this](task_node& each) { add(each); });
}

void graph::nodes::clear() noexcept {
  few_ = 0;
  more_.clear();
}

bool graph::nodes::have_ended() const noexcept {
  bool all = true;
  for_each([&all](const task_node& each) { all = all && each.has_ended(); });
  return all;
}

template <class F>
void graph::nodes::for_each(F f) const {
  for (std::size_t i = 0; i < few_; ++i) f(*first_[i]);
  for (task_node* const each : more_) f(*each);
}

bool graph::place::has_ended() const noexcept {
  return writers.have_ended() && readers.have_ended() && before.have_ended();
}

graph::graph() = default;
graph::~graph() = default;

void graph::clear() noexcept {
  if (places_.bucket_count() > most_buckets) {
    places_ = decltype(places_)();  // `= {}` is an empty list, and keeps the buckets
  } else {
    places_.clear();
  }
  if (arrays_.bucket_count() > most_buckets) {
    arrays_ = decltype(arrays_)();
  } else {
    arrays_.clear();
  }
  sweep_at_ = fewest_to_sweep;
  if (!links_.empty()) links_.resize(links_.front().room > links_at_once ? 0 : 1);
  for (auto& each : links_) each.used = 0;
  filling_ = 0;
}

graph::extent graph::size() const noexcept {
  extent its{places_.size(), 0};
  for (const auto& each : links_) its.links += each.room;
  return its;
}

task_node::edge* graph::links::at(std::size_t which) const noexcept {
  return reinterpret_cast<task_node::edge*>(memory.get() + which * sizeof(task_node::edge));
}

/// Whether all those that waited have.
bool graph::links::have_ended() const noexcept {
  for (std::size_t i = 0; i < used; ++i) {
    if (!std::launder(at(i))->to().has_ended()) return false;
  }
  return true;
}

/// In links_[filling_]. One of the others serves again if it may, in turn.
void graph::provide_links(std::size_t count) {
  if (count == 0) return;
  if (!links_.empty()) {
    const auto& now = links_[filling_];
    if (count <= now.room - now.used) return;
    const auto next = (filling_ + 1) % links_.size();
    if (count <= links_[next].room && links_[next].have_ended()) {
      links_[next].used = 0;
      filling_ = next;
      return;
    }
  }
  const auto most = std::max(count, links_at_once);
  links fresh{std::make_unique_for_overwrite<std::byte[]>(most * sizeof(task_node::edge)), most};
  const auto at = links_.empty() ? 0 : filling_ + 1;
  links_.insert(links_.begin() + static_cast<std::ptrdiff_t>(at), std::move(fresh));
  filling_ = at;
}

graph::located& graph::find(const steelyard_access& what) {
  const key at{what.of, what.row, what.column, what.rows, what.columns};
  const auto [found, is_new] = places_.try_emplace(at);
  if (is_new && at.rows != STEELYARD_WHOLE) {
    try {
      find_overlapping(*found);
    } catch (...) {
      forget(*found);
      throw;
    }
  }
  return *found;
}

/// Now and then: what only those have accessed that have ended is forgotten.
void graph::sweep() noexcept {
  if (places_.size() < sweep_at_) return;
  for (auto each = places_.begin(); each != places_.end();) {
    auto& it = *each++;
    if (it.second.has_ended()) forget(it);
  }
  sweep_at_ = std::max(fewest_to_sweep, 2 * places_.size());
}

/// f(task) for each that has to end before one that accesses `at` so may begin.
template <class F>
void graph::for_each_before(const place& at, std::uintptr_t how, F f) {
  const auto all_of = [&f](const place& in, bool readers_too) {
    in.writers.for_each(f);
    if (readers_too) in.readers.for_each(f);
  };
  if (how > STEELYARD_WRITE && how == at.operation && at.readers.size() == 0) {
    at.before.for_each(f);
  } else {
    all_of(at, how != STEELYARD_READ);
  }
  for (const located* const other : at.overlapping) all_of(other->second, how != STEELYARD_READ);
}

/// So that `note` need not allocate, for an access of a task that has `times` to this place.
void graph::make_room(place& at, std::uintptr_t how, std::size_t times) {
  if (how == STEELYARD_READ) return at.readers.make_room(times);
  at.writers.make_room(times);
  if (how > STEELYARD_WRITE) at.before.make_room(at.writers.size() + at.readers.size() + times);
}

/// The task does that, and waits for whoever has to end before.
void graph::note(std::span<const use> its, task_node& task) noexcept {
  for (const auto& [to, how] : its) {
    auto& at = to->second;
    if (how == STEELYARD_READ) {
      at.readers.add(task);
      continue;
    }
    const bool joins = how > STEELYARD_WRITE && how == at.operation && at.readers.size() == 0;
    if (!joins) {
      at.before.clear();
      if (how > STEELYARD_WRITE) {
        at.before.add_all(at.writers);
        at.before.add_all(at.readers);
      }
      at.writers.clear();
      at.readers.clear();
      at.operation = how;
    }
    at.writers.add(task);
    if (how == STEELYARD_WRITE) cover(*to);
  }
}

/// What a task does with the places of its accesses, with room to note it; those of no element are left out.
std::span<graph::use> graph::find_all(std::span<const steelyard_access> its, uses& into) {
  sweep();
  ++tasks_;
  std::size_t found = 0;
  for (const auto& each : its) {
    if (each.rows == 0 || each.columns == 0) continue;
    located* const at = &find(each);
    at->second.used = tasks_;
    into[found++] = {at, each.how};
    const auto times = std::count_if(into, into + found, [at](const use& one) { return one.at == at; });
    make_room(at->second, each.how, static_cast<std::size_t>(times));
  }
  return {into, found};
}

/// An upper bound of how many it has to wait for.
std::size_t graph::count_before(std::span<const use> its) {
  std::size_t most = 0;
  for (const auto& [at, how] : its) for_each_before(at->second, how, [&most](const task_node&) { ++most; });
  return most;
}

graph::verdict graph::add(task_node& task, std::span<const steelyard_access> its) noexcept {
  uses memory;
  std::span<const use> found;
  try {
    found = find_all(its, memory);
    provide_links(count_before(found));
  } catch (const std::bad_alloc&) {
    return verdict::no_memory;
  }
  task.begin();
  std::uint32_t waits_for = 0;
  for (const auto& [at, how] : found) {
    for_each_before(at->second, how, [&](task_node& before) {
      auto& free = links_[filling_];
      STEELYARD_ASSERT(free.used < free.room, "graph.hpp: provide_links has provided enough");
      auto* const link = ::new (static_cast<void*>(free.at(free.used))) task_node::edge(task);
      if (!before.precede(*link)) return;
      ++free.used;
      ++waits_for;
    });
  }
  // Only now, or it would wait for itself where it accesses a place twice.
  note(found, task);
  return task.is_ready_after(waits_for) ? verdict::ready : verdict::waits;
}

void graph::list(task_node& task, std::span<const steelyard_access> its, std::vector<task_node*>& into) {
  uses memory;
  const auto found = find_all(its, memory);
  for (const auto& [at, how] : found) {
    for_each_before(at->second, how, [&into](task_node& before) { into.push_back(&before); });
  }
  note(found, task);
}

}  // namespace steelyard::dataflow
