// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>

#include <steelyard/steelyard.h>
#include <steelyard/detail/first_exception.hpp>
#include <steelyard/detail/needs_exceptions.hpp>

#if defined(__clang__)
#define STEELYARD_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define STEELYARD_LIFETIMEBOUND
#endif

/// @file
/// What iterations cost.
namespace steelyard {
inline namespace v1 {

namespace detail {

/// The costs of iterations first …; those from one on that throws are 0, and the loop throws it before it begins.
template <class Cost>
void evaluate(Cost& cost, std::uint64_t first, std::uint64_t count, double* out) noexcept {
  std::uint64_t i = catching != nullptr && catching->is_kept() ? count : 0;
  if (i != 0) std::fill_n(out, count, 0.0);
  try {
    for (; i < count; ++i) out[i] = static_cast<double>(cost(first + i));
  } catch (...) {
    if (catching == nullptr) std::terminate();  // a loop of the C interface
    catching->keep();
  }
  for (; i < count; ++i) out[i] = 0;
}

/// Numbers that can be the costs of iterations: the i-th is that of iteration i.
template <class Values>
concept cost_array = std::ranges::random_access_range<Values> && std::ranges::sized_range<Values> &&
    std::is_arithmetic_v<std::ranges::range_value_t<Values>>;

/// The values first …, and 0 where there are none.
template <cost_array Values>
void copy_costs(Values& values, std::uint64_t first, std::uint64_t count, double* out) noexcept {
  using difference = std::ranges::range_difference_t<Values>;
  const auto begin = std::ranges::begin(values);
  const auto size = static_cast<std::uint64_t>(std::ranges::size(values));
  for (std::uint64_t i = 0; i < count; ++i) {
    out[i] = first + i < size ? static_cast<double>(begin[static_cast<difference>(first + i)]) : 0;
  }
}

}  // namespace detail

/// @addtogroup costs
/// @{

/// What the iterations of a loop cost, kept together with what is computed from it for loops that come again; see
/// steelyard_costs. `cost(i)` is the cost of iteration i = 0 … n-1 (the i-th, whatever the loop's own index is), in any unit;
/// several threads call it at the same time. Mishra & Nandivada 2023 (COWS).
class costs {
 public:
  /// Keeps a copy of a function. Throws std::bad_alloc.
  /// @param cost called as cost(std::uint64_t), what it returns becomes a double.
  template <class Cost>
  requires std::is_invocable_r_v<double, Cost&, std::uint64_t>
  explicit costs(Cost cost) : costs(0, std::move(cost)) {}
  /// Keeps a copy of an array. Throws std::bad_alloc.
  /// @param values the i-th is the cost of iteration i, and 0 behind the last.
  template <class Values>
  requires detail::cost_array<Values>
  explicit costs(Values values)
      : costs(with_flags, 0, std::move(values), [](void* kept, std::uint64_t first, std::uint64_t count, double* out) {
          detail::copy_costs(*static_cast<Values*>(kept), first, count, out);
        }) {}
  /// All the same, which is believed: nothing is balanced then (COWS, Opt2). Throws std::bad_alloc.
  /// @return such costs.
  [[nodiscard]] static costs equal() {
    return costs(STEELYARD_EQUAL_COSTS, [](std::uint64_t) { return 1.0; });
  }
  /// As the constructor, for bodies of which most stands under a condition that `cost` does not know: such loops are balanced by
  /// numbers of iterations (COWS, Opt3). Throws std::bad_alloc.
  /// @param cost a function.
  /// @return such costs.
  template <class Cost>
  [[nodiscard]] static costs guarded(Cost cost) {
    return costs(STEELYARD_GUARDED_COSTS, std::move(cost));
  }
  /// No loop with these costs may be running.
  ~costs() { steelyard_costs_destroy(handle_); }
  costs(const costs&) = delete;
  costs& operator=(const costs&) = delete;

  /// What `cost` says may have changed since the last loop. No loop with these costs may be running.
  void changed() noexcept { steelyard_costs_changed(handle_); }

  /// What reading the costs and adding them up has taken so far.
  /// @return a part of the time of the loops that were shared under a schedule that asks about costs, 0 to 1.
  [[nodiscard]] double overhead() const noexcept { return steelyard_costs_overhead(handle_); }

  /// How many of those loops knew the costs.
  /// @return a part of their number, 0 to 1.
  [[nodiscard]] double known() const noexcept { return steelyard_costs_known(handle_); }

  /// @return these costs for the C interface, which they own.
  [[nodiscard]] steelyard_costs* handle() const noexcept { return handle_; }

 private:
  enum with_flags_t { with_flags };

  template <class Kept>
  costs(with_flags_t, std::uint32_t flags, Kept kept, steelyard_cost_function evaluate)
      : kept_(std::make_shared<Kept>(std::move(kept))), handle_(steelyard_costs_create(evaluate, kept_.get(), flags)) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  template <class Cost>
  costs(std::uint32_t flags, Cost cost)
      : costs(with_flags, flags, std::move(cost),
              [](void* kept, std::uint64_t first, std::uint64_t count, double* out) {
                detail::evaluate(*static_cast<Cost*>(kept), first, count, out);
              }) {}

  std::shared_ptr<void> kept_;
  steelyard_costs* handle_ = nullptr;
};

/// The costs of one loop, as loop_options has them: a function, an array of numbers or `costs`, all of which become one. Refers to
/// what it is made of, which must live until the loop has ended: write a lambda into the call of the loop, and keep one that you
/// put into options before.
class cost_ref {
 public:
  /// Unknown costs.
  cost_ref() noexcept = default;
  /// Costs that are kept between loops.
  /// @param kept the costs.
  cost_ref(const costs& kept) noexcept : kept_(kept.handle()) {}  // NOLINT: meant to convert
  /// Costs that a function tells.
  /// @param cost called as cost(std::uint64_t) with the iteration's number, by several threads at the same time.
  template <class Cost>
  requires(!std::same_as<std::remove_cvref_t<Cost>, cost_ref> && !std::same_as<std::remove_cvref_t<Cost>, costs> &&
           std::is_invocable_r_v<double, Cost&, std::uint64_t>) cost_ref(Cost&& cost STEELYARD_LIFETIMEBOUND)
  noexcept {  // NOLINT: meant to convert
    using function = std::remove_reference_t<Cost>;
    evaluate_ = [](void* context, std::uint64_t first, std::uint64_t count, double* out) {
      detail::evaluate(*reinterpret_cast<function*>(context), first, count, out);
    };
    if constexpr (std::is_function_v<function>) {
      context_ = reinterpret_cast<void*>(std::addressof(cost));
    } else {
      context_ = const_cast<void*>(static_cast<const void*>(std::addressof(cost)));
    }
  }

  /// Costs in an array, as a vector or a span.
  /// @param values the i-th is the cost of iteration i; behind the last it is 0.
  template <class Values>
  requires(detail::cost_array<std::remove_reference_t<Values>>) cost_ref(Values&& values STEELYARD_LIFETIMEBOUND)
  noexcept  // NOLINT: meant to convert
      : context_(const_cast<void*>(static_cast<const void*>(std::addressof(values)))) {
    evaluate_ = [](void* context, std::uint64_t first, std::uint64_t count, double* out) {
      detail::copy_costs(*static_cast<std::remove_reference_t<Values>*>(context), first, count, out);
    };
  }

  /// @return the costs that are kept between loops, or nullptr.
  [[nodiscard]] steelyard_costs* kept() const noexcept { return kept_; }
  /// @return what evaluates a function or an array, or nullptr.
  [[nodiscard]] steelyard_cost_function function() const noexcept { return evaluate_; }
  /// @return what that is called with.
  [[nodiscard]] void* context() const noexcept { return context_; }

 private:
  steelyard_costs* kept_ = nullptr;
  steelyard_cost_function evaluate_ = nullptr;
  void* context_ = nullptr;
};

/// @}

}  // namespace v1
}  // namespace steelyard
