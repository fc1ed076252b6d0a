// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::schedules {

/// What the iterations of a loop cost, in at most 1,024 bins of equally many: what is known of a loop without one number
/// for each iteration. Within a bin all are taken to cost the same. Not for loops of one length only: bin b stands for
/// the b-th 1,024th of any.
///
/// May be changed while loops read it. A reader that sees a part of the change sees wrong costs, which cost time and
/// never an iteration (weigh.hpp).
class profile {
 public:
  static constexpr std::uint32_t bins = 1024;
  using weights = std::array<std::uint64_t, bins>;

  /// In any unit; their sum is below 2^63.
  void set(const weights& of_bins) noexcept;

  /// From the work of each bin, at least 0 or no number. False: all are 0, or one is infinite; nothing has changed then.
  bool set(const std::array<double, bins>& of_bins) noexcept;

  /// From a function of the iteration: n > 0 of them, cost(context, first + i · stride) each, evaluated once. What is
  /// negative or no number counts as 0. False: all are 0, or one is infinite; nothing has changed then.
  bool set(double (*cost)(void* context, std::int64_t index), void* context, std::int64_t first, std::int64_t stride,
           std::uint64_t n);

  [[nodiscard]] double total() const noexcept { return sum(bins); }
  [[nodiscard]] double of_bin(std::uint32_t bin) const noexcept { return sum(bin + 1) - sum(bin); }
  /// The most that one bin has.
  [[nodiscard]] double most() const noexcept {
    return static_cast<double>(most_.load(sync::relaxed, sync::site{"W1"}));
  }

  /// Moves work to that of a bin; for callers that compute with whole numbers only.
  static void move(double* work, double* bin) noexcept;

  /// Work before unit u of n, u ≤ n. O(1). Where there are fewer units than bins, each has one that holds all of it.
  [[nodiscard]] double before(std::uint32_t u, std::uint32_t n) const noexcept {
    const std::uint64_t at = std::uint64_t{u} * bins;
    const auto bin = static_cast<std::uint32_t>(at / n);
    if (bin >= bins) return total();
    if (n <= bins) return sum(bin);
    const double within = static_cast<double>(at % n) / n;
    const double begin = sum(bin);
    return begin + within * (sum(bin + 1) - begin);
  }

  /// The first unit of n with about that much work before it, n at most. O(log bins).
  [[nodiscard]] std::uint32_t reaching(double work, std::uint32_t n) const noexcept;

  /// The bin of iteration i of n, i < n.
  [[nodiscard]] static std::uint32_t bin_of(std::uint64_t i, std::uint64_t n) noexcept {
    return static_cast<std::uint32_t>(static_cast<unsigned __int128>(i) * bins / n);
  }
  /// The first iteration of n in bin b or behind it.
  [[nodiscard]] static std::uint64_t first_of(std::uint32_t b, std::uint64_t n) noexcept {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(n) * b + bins - 1) / bins);
  }

 private:
  [[nodiscard]] double sum(std::uint32_t bin) const noexcept {
    return static_cast<double>(sums_[bin].load(sync::relaxed, sync::site{"W1"}));
  }

  std::array<sync::real::atomic<std::uint64_t>, std::size_t{bins} + 1> sums_{};  ///< of the bins before
  sync::real::atomic<std::uint64_t> most_{};
};

}  // namespace steelyard::schedules
