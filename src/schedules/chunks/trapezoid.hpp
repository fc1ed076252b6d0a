// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// The chunks of trapezoid self-scheduling: from f = ⌊N / 2P⌋ down to l = c, in S = ⌈2N / (f + l)⌉ chunks, each by d less than the one
/// before, as a whole number.
struct trapezium {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
  std::uint64_t decrement = 0;
  std::uint64_t chunks = 1;

  static constexpr std::uint64_t largest = ~std::uint64_t{0} / 2;  ///< no chunk is larger, so twice a chunk fits

  explicit trapezium(const shape& loop) noexcept {
    const auto n = std::max<std::uint64_t>(loop.iterations, 1);
    last = std::clamp<std::uint64_t>(loop.chunk, 1, std::min(n, largest));
    first = std::max(n / (std::uint64_t{2} * loop.members), last);
    if (first == last) {
      chunks = ceil_div(n, last);
      return;
    }
    // ⌈2n / (first + last)⌉; here first ≤ n/2, so neither the sum nor twice the remainder overflows.
    const auto pair = first + last;
    chunks = 2 * (n / pair) + ceil_div(2 * (n % pair), pair);
    decrement = (first - last) / (chunks - 1);
  }
};

/// Trapezoid self-scheduling, TSS (Tzen & Ni 1993, with the whole decrement of libomp).
/// Deal: not at all. Take: chunks that shrink linearly, the k-th f - k·d. Ask: the counter. A chunk's place follows from its ticket alone,
/// so a chunk costs one fetch_add.
template <class Sync>
class trapezoid {
 public:
  static constexpr traits about{"trapezoid", "a shared counter, chunks that shrink linearly",
                                "iterations in the last chunk (1)", true, false};

  static std::size_t bytes(const shape&) noexcept { return sizeof(trapezoid); }

  explicit trapezoid(const shape& loop) noexcept : iterations_(loop.iterations), of_(loop) {}

  /// The counter runs at most one past the last chunk per call, so it does not wrap around.
  step next(member) noexcept {
    const auto ticket = taken_.fetch_add(1, sync::relaxed, sync::site{"Z1"});
    const auto first = start(ticket);
    if (first == iterations_) return {};
    const auto last = start(ticket + 1);
    STEELYARD_ASSERT(first < last && last <= iterations_, "contract.hpp: a chunk is some of the loop");
    return {first, last - first, 1};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    return iterations_ - start(taken_.load(sync::relaxed, sync::site{"Z2"}));
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  /// Σ (first - i·d) over i < k, at most N. As the decrement is rounded down the chunks reach N no later than `chunks`
  /// tickets, some before that.
  [[nodiscard]] std::uint64_t start(std::uint64_t k) const noexcept {
    if (k >= of_.chunks) return iterations_;
    if (k == 0) return 0;
    // k · (2 first - (k-1) d) / 2, the factor that is even halved first.
    const auto ends = 2 * of_.first - (k - 1) * of_.decrement;
    std::uint64_t sum = 0;
    const bool beyond =
        k % 2 == 0 ? __builtin_mul_overflow(k / 2, ends, &sum) : __builtin_mul_overflow(k, ends / 2, &sum);
    return beyond ? iterations_ : std::min(sum, iterations_);
  }

  std::uint64_t iterations_;
  trapezium of_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
