// SPDX-License-Identifier: Apache-2.0
#include "dataflow/graph.hpp"

#include <algorithm>
#include <new>

namespace steelyard::dataflow {
namespace {

constexpr std::uint64_t most_squares = 64;
constexpr std::size_t links_at_once = 1024;

/// Multiplies and mixes, as splitmix64 does (Steele, Lea & Flood 2014).
std::uint64_t mixed(std::uint64_t value) noexcept {
  value *= 0x9e3779b97f4a7c15U;
  return value ^ value >> 29;
}

bool overlap(std::uint64_t a, std::uint64_t a_length, std::uint64_t b, std::uint64_t b_length) noexcept {
  return a < b ? b - a < a_length : a - b < b_length;
}

}  // namespace

std::size_t graph::hash::operator()(const key& of) const noexcept {
  std::uint64_t all = mixed(reinterpret_cast<std::uintptr_t>(of.of) >> 4);
  if (of.rows == STEELYARD_WHOLE) return all;
  for (const auto each : {of.row, of.column, of.rows, of.columns}) all = mixed(all + each);
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

template <class F>
void graph::nodes::for_each(F f) const {
  for (std::size_t i = 0; i < few_; ++i) f(*first_[i]);
  for (task_node* const each : more_) f(*each);
}

graph::graph() = default;
graph::~graph() = default;

void graph::clear() noexcept {
  places_.clear();
  arrays_.clear();
  if (links_.size() > 1) links_.resize(1);
  if (!links_.empty()) {
    free_ = links_.front().get();
    left_ = links_at_once;
  }
}

void graph::provide_links(std::size_t count) {
  if (count <= left_) return;
  const auto most = std::max(count, links_at_once);
  links_.push_back(std::make_unique_for_overwrite<std::byte[]>(most * sizeof(task_node::edge)));
  free_ = links_.back().get();
  left_ = most;
}

graph::place& graph::find(const steelyard_access& what) {
  const key at{what.of, what.row, what.column, what.rows, what.columns};
  const auto [found, is_new] = places_.try_emplace(at);
  if (is_new && at.rows != STEELYARD_WHOLE) {
    try {
      find_overlapping(*found);
    } catch (...) {
      // Those that know of it already would keep its address.
      for (auto& [other, of] : places_) std::erase(of.overlapping, &found->second);
      for (auto& [of, whole] : arrays_) {
        for (auto& [square, in] : whole.grid) std::erase(in, &*found);
        std::erase(whole.wide, &*found);
        std::erase(whole.all, &*found);
      }
      places_.erase(found);
      throw;
    }
  }
  return found->second;
}

void graph::find_overlapping(located& part) {
  auto& [at, mine] = part;
  auto& in = arrays_.try_emplace(at.of, array{at.rows, at.columns, {}, {}, {}}).first->second;
  mine.seen = ++searches_;
  const auto meet = [&](located* other) {
    auto& [there, its] = *other;
    if (its.seen == searches_) return;
    its.seen = searches_;
    if (!overlap(at.row, at.rows, there.row, there.rows) ||
        !overlap(at.column, at.columns, there.column, there.columns))
      return;
    mine.overlapping.push_back(&its);
    its.overlapping.push_back(&mine);
  };
  const auto first_row = at.row / in.unit_rows, last_row = (at.row + at.rows - 1) / in.unit_rows;
  const auto first_column = at.column / in.unit_columns, last_column = (at.column + at.columns - 1) / in.unit_columns;
  const auto squares_down = last_row - first_row + 1, squares_across = last_column - first_column + 1;
  if (squares_down > most_squares || squares_across > most_squares / squares_down) {
    std::for_each(in.all.begin(), in.all.end(), meet);
    in.wide.push_back(&part);
  } else {
    std::for_each(in.wide.begin(), in.wide.end(), meet);
    for (auto row = first_row; row <= last_row; ++row) {
      for (auto column = first_column; column <= last_column; ++column) {
        auto& square = in.grid[key{nullptr, row, column, 1, 1}];
        std::for_each(square.begin(), square.end(), meet);
        square.push_back(&part);
      }
    }
  }
  in.all.push_back(&part);
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
  for (const place* const other : at.overlapping) all_of(*other, how != STEELYARD_READ);
}

/// So that `note` need not allocate, for an access of a task that has `times` to this place.
void graph::make_room(place& at, std::uintptr_t how, std::size_t times) {
  if (how == STEELYARD_READ) return at.readers.make_room(times);
  at.writers.make_room(times);
  if (how > STEELYARD_WRITE) at.before.make_room(at.writers.size() + at.readers.size() + times);
}

void graph::note(place& at, std::uintptr_t how, task_node& task) noexcept {
  if (how == STEELYARD_READ) return at.readers.add(task);
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
}

/// What a task does with the places of its accesses, with room to note it; those of no element are left out.
std::span<graph::use> graph::find_all(std::span<const steelyard_access> its, uses& into) {
  std::size_t found = 0;
  for (const auto& each : its) {
    if (each.rows == 0 || each.columns == 0) continue;
    place* const at = &find(each);
    into[found++] = {at, each.how};
    const auto times = std::count_if(into, into + found, [at](const use& one) { return one.at == at; });
    make_room(*at, each.how, static_cast<std::size_t>(times));
  }
  return {into, found};
}

/// An upper bound of how many it has to wait for.
std::size_t graph::count_before(std::span<const use> its) {
  std::size_t most = 0;
  for (const auto& [at, how] : its) for_each_before(*at, how, [&most](const task_node&) { ++most; });
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
    for_each_before(*at, how, [&](task_node& before) {
      auto* const link = ::new (static_cast<void*>(free_)) task_node::edge(task);
      if (!before.precede(*link)) return;
      free_ += sizeof *link;
      --left_;
      ++waits_for;
    });
  }
  // Only now, or it would wait for itself where it accesses a place twice.
  for (const auto& [at, how] : found) note(*at, how, task);
  return task.is_ready_after(waits_for) ? verdict::ready : verdict::waits;
}

void graph::list(task_node& task, std::span<const steelyard_access> its, std::vector<task_node*>& into) {
  uses memory;
  const auto found = find_all(its, memory);
  for (const auto& [at, how] : found) {
    for_each_before(*at, how, [&into](task_node& before) { into.push_back(&before); });
  }
  for (const auto& [at, how] : found) note(*at, how, task);
}

}  // namespace steelyard::dataflow
