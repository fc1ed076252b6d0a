// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "learn/density.hpp"
#include "schedules/contract.hpp"

namespace steelyard::learn {

/// What is known of a loop whose next instance is to be foretold. In ticks.
struct loop_costs {
  const density* spread = nullptr;  ///< of the costs over the iterations
  std::uint64_t work = 0;           ///< of all iterations together
  std::uint64_t deviation = 0;      ///< standard deviation of one iteration, in 1,024ths of what its place says
  std::uint64_t hand_over = 0;      ///< what a call of the schedule costs a member, the last one included
};

/// What chunks of a loop cost: the same for every schedule that is foretold.
class chunk_costs {
 public:
  /// Of so many iterations. O(bins).
  chunk_costs(const loop_costs& known, std::uint64_t iterations) noexcept;
  [[nodiscard]] double of(const schedules::step& chunk) noexcept;
  [[nodiscard]] double hand_over() const noexcept { return hand_over_; }
  /// Deviations are drawn anew, as those of the first forecast.
  void begin(std::uint64_t seed) noexcept { random_ = seed; }

 private:
  [[nodiscard]] double one_by_one(double first, double stride, std::uint64_t count) const noexcept;
  [[nodiscard]] double up_to(double iteration) const noexcept;
  double draw() noexcept;
  double disturbed(double cost, double count) noexcept;

  double bins_in_one_;  ///< iteration
  double deviation_;
  double hand_over_;
  std::uint64_t random_ = 0;
  std::array<double, density::bins + 1> before_{};  ///< in ticks, what costs all that lies before a bin
};

/// A loop that would take longer than this many calls to foretell is not foretold.
inline constexpr std::uint64_t most_calls_to_predict = std::uint64_t{1} << 17;
/// It was not foretold.
inline constexpr std::uint64_t not_predicted = ~std::uint64_t{0};

/// Bytes that `predict` needs for this loop, aligned to support::line_size.
[[nodiscard]] std::size_t room_to_predict(const schedules::operations& schedule, const schedules::shape& loop) noexcept;

/// How long a loop takes under a schedule, from the first call until the last member has left, in ticks: the schedule's own source is
/// driven in virtual time, by one thread. The member with the least clock calls next, as in the simulator, and all come at once. What
/// a chunk costs follows from its place, and from a random number where iterations deviate: the same ones each time.
///
/// `room`: so much memory as `room_to_predict` says. No clock and no heap. O(calls · log members + bins). `not_predicted`: it has
/// more than `most_calls_to_predict` calls, or the schedule waits for a front end.
[[nodiscard]] std::uint64_t predict(const schedules::operations& schedule, const schedules::shape& loop,
                                    chunk_costs& costs, void* room) noexcept;

}  // namespace steelyard::learn
