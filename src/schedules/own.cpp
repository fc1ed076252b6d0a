// SPDX-License-Identifier: Apache-2.0
#include "schedules/own.hpp"

#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include "schedules/registry.hpp"
#include "support/words.hpp"
#include "sync/forks.hpp"

namespace steelyard::schedules {
namespace {

constinit std::array<const steelyard_schedule*, most_own> tables{};  // before the row that calls them is published
constinit std::array<operations, most_own> rows{};
constinit sync::real::atomic<std::uint32_t> used{};

constinit sync::fork_safe_lock<sync::real> adding;

/// One thread adds at a time. A child of fork has another number, and so never waits for a thread of its parent.
class lock {
 public:
  lock() noexcept { adding.lock(static_cast<std::uint32_t>(getpid())); }
  ~lock() { adding.unlock(); }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;
};

constexpr steelyard_shape shape_of(const shape& loop) noexcept {
  return {loop.iterations, loop.chunk, loop.seed, loop.members};
}

/// A step as it is, and what would run nothing for ever as the end.
constexpr step step_of(const steelyard_step& from) noexcept {
  return from.count == 0 ? step{} : step{from.first, from.count, from.stride};
}

template <std::size_t Number>
constexpr operations row_of(const traits& about) noexcept {
  return {about,
          [](const shape& loop) {
            const auto its = shape_of(loop);
            return tables[Number]->bytes(&its);
          },
          [](void* memory, const shape& loop) {
            const auto its = shape_of(loop);
            tables[Number]->open(memory, &its);
          },
          [](void* state, member m) { return step_of(tables[Number]->next(state, m)); },
          [](const void* state, member m) { return tables[Number]->remaining(state, m); },
          [](const void*, member) { return tally{}; }};
}

template <std::size_t... Numbers>
operations row_at(std::size_t number, const traits& about, std::index_sequence<Numbers...>) noexcept {
  operations row{};
  static_cast<void>(((number == Numbers && (row = row_of<Numbers>(about), true)) || ...));
  return row;
}

constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_name(const char* name) noexcept {
  std::size_t length = 0;
  for (; name[length] != '\0'; ++length) {
    if (length == 31 || !is_letter(name[length])) return false;
  }
  return length != 0;
}

}  // namespace

const char* fault_of(const steelyard_schedule* table) noexcept {
  if (table == nullptr) return "has no table; return the address of one";
  if (table->version != STEELYARD_SCHEDULE_VERSION)
    return "is of another version of steelyard; compile it with the headers of this one";
  if (table->name == nullptr || !is_name(table->name))
    return "has a name that is none; write up to 31 letters, digits, `_` and `-`";
  if (table->summary == nullptr) return "has no summary; say in one line what it does";
  if (table->bytes == nullptr || table->open == nullptr || table->next == nullptr || table->remaining == nullptr)
    return "lacks a function; give it bytes, open, next and remaining";
  return nullptr;
}

const char* add_own(const steelyard_schedule* table) noexcept {
  if (const char* const wrong = fault_of(table)) return wrong;
  const lock here;
  const auto count = used.load(sync::relaxed, sync::site{"O1"});
  for (std::size_t each = 0; each < count; ++each) {
    if (tables[each] == table) return nullptr;
  }
  if (find(table->name) != nullptr) return "has the name of another one; choose another";
  if (count == most_own) return "is one too many; at most 16 are added";
  tables[count] = table;
  const traits about{table->name, table->summary, table->chunk, table->ascending != 0, false};
  rows[count] = row_at(count, about, std::make_index_sequence<most_own>());
  used.store(count + 1, sync::release, sync::site{"O2"});
  return nullptr;
}

std::span<const operations> own() noexcept { return {rows.data(), used.load(sync::acquire, sync::site{"O3"})}; }

}  // namespace steelyard::schedules
