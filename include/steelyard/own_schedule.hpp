// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <steelyard/own_schedule.h>

/// @file
/// Schedules of your own, for C++20. Loops name them once they have been added; as a plug-in they can be checked.
namespace steelyard {
inline namespace v1 {

/// @addtogroup schedules
/// @{

/// A loop as a schedule sees it.
using loop_shape = steelyard_shape;
/// What a member runs next.
using loop_step = steelyard_step;

/// The names of a schedule: `name`, and `summary`, one line.
template <class S>
concept named_schedule = requires {
  { S::name } -> std::convertible_to<const char*>;
  { S::summary } -> std::convertible_to<const char*>;
};

/// A rule that says how many of the `rest` > 0 iterations the next chunk has. What is too little or too much is put right, so it may
/// be wrong and no iteration is lost. It is made from the loop, and asked by all members at the same time.
template <class R>
concept chunk_rule = named_schedule<R> && std::is_trivially_destructible_v<R> &&(alignof(R) <= 128) &&
                     std::is_nothrow_constructible_v<R, const loop_shape&>&& requires(const R& rule,
                                                                                      std::uint64_t rest) {
  { rule.size(rest) }
  noexcept->std::convertible_to<std::uint64_t>;
};

/// A whole schedule: made from the loop, at memory of `S::bytes(loop)`, of which what is behind the object is its own.
/// `next(member)` and `remaining(member)` are those of steelyard_schedule.
template <class S>
concept own_schedule = named_schedule<S> && std::is_trivially_destructible_v<S> &&(alignof(S) <= 128) &&
                       std::is_nothrow_constructible_v<S, const loop_shape&>&& requires(S& s, const S& c,
                                                                                        const loop_shape& loop,
                                                                                        std::uint32_t member) {
  { S::bytes(loop) }
  noexcept->std::same_as<std::size_t>;
  { s.next(member) }
  noexcept->std::same_as<loop_step>;
  { c.remaining(member) }
  noexcept->std::same_as<std::uint64_t>;
};

/// The schedule of a chunk rule: one counter, which all members share. A chunk costs one compare-and-swap.
template <chunk_rule Rule>
class by_rule {
 public:
  static constexpr const char* name = Rule::name;        ///< the rule's
  static constexpr const char* summary = Rule::summary;  ///< the rule's
  static constexpr bool ascending = true;                ///< the counter only grows

  /// Nothing behind it.
  /// @return its size.
  static std::size_t bytes(const loop_shape&) noexcept { return sizeof(by_rule); }

  /// Opens a loop.
  /// @param loop which.
  explicit by_rule(const loop_shape& loop) noexcept
      : rule_(loop), iterations_(loop.iterations), least_(std::max<std::uint64_t>(loop.chunk, 1)) {}

  /// The next chunk, of which none but the last is shorter than the chunk parameter.
  /// @return it.
  loop_step next(std::uint32_t) noexcept {
    auto first = taken_.load(std::memory_order_relaxed);  // H14
    while (first < iterations_) {
      const auto rest = iterations_ - first;
      const auto count = std::min(std::max<std::uint64_t>(rule_.size(rest), least_), rest);
      const auto end = first + count;
      if (taken_.compare_exchange_weak(first, end, std::memory_order_relaxed)) return {end - count, count, 1};  // H15
    }
    return {0, 0, 1};
  }

  /// What nobody has taken.
  /// @return so many iterations.
  [[nodiscard]] std::uint64_t remaining(std::uint32_t) const noexcept {
    return iterations_ - taken_.load(std::memory_order_relaxed);  // H16
  }

 private:
  Rule rule_;
  std::uint64_t iterations_;
  std::uint64_t least_;
  alignas(64) std::atomic<std::uint64_t> taken_{0};
};

namespace detail {

template <class S>
struct schedule_of_ {
  using type = S;
};
template <chunk_rule R>
struct schedule_of_<R> {
  using type = by_rule<R>;
};

template <class S>
constexpr const char* chunk_meaning() noexcept {
  if constexpr (requires { S::chunk; }) return S::chunk;
  return nullptr;
}
template <class S>
constexpr bool ascends() noexcept {
  if constexpr (requires { S::ascending; }) return S::ascending;
  return false;
}

}  // namespace detail

/// The table of a schedule, or of a chunk rule's. What it may say besides: `static constexpr const char* chunk`, what the chunk
/// parameter is (none), and `static constexpr bool ascending` (false).
/// @return the table, which lives as long as the code.
template <class S>
requires chunk_rule<S> || own_schedule<S>
[[nodiscard]] const steelyard_schedule& table_of() noexcept {
  using schedule = typename detail::schedule_of_<S>::type;
  static constexpr steelyard_schedule table{
      STEELYARD_SCHEDULE_VERSION,
      detail::ascends<schedule>() ? 1U : 0U,
      S::name,
      S::summary,
      chunk_rule<S> ? "least iterations per chunk (1)" : detail::chunk_meaning<S>(),
      [](const loop_shape* loop) { return schedule::bytes(*loop); },
      [](void* memory, const loop_shape* loop) { ::new (memory) schedule(*loop); },
      [](void* memory, std::uint32_t member) { return static_cast<schedule*>(memory)->next(member); },
      [](const void* memory, std::uint32_t member) { return static_cast<const schedule*>(memory)->remaining(member); },
  };
  return table;
}

#if defined(__cpp_exceptions)
/// Adds a schedule, or that of a chunk rule: from here on loops may name it. Throws std::invalid_argument with what is wrong.
/// As often as wanted; a function of the C interface does the same: steelyard_schedule_add().
template <class S>
requires chunk_rule<S> || own_schedule<S>
void add_schedule() {
  if (const char* const wrong = steelyard_schedule_add(&table_of<S>()))
    throw std::invalid_argument("schedule '" + std::string(S::name) + "' " + wrong);
}
#endif

/// @}

}  // namespace v1
}  // namespace steelyard

/// Makes a shared object of a schedule or a chunk rule, a plug-in: the one function that is looked for.
#define STEELYARD_PLUG_IN(schedule)                                                                    \
  extern "C" __attribute__((visibility("default"))) const steelyard_schedule* steelyard_plug_in_v1() { \
    return &::steelyard::table_of<schedule>();                                                         \
  }
