// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace steelyard::schedules {

/// What earlier instances of a loop have shown, or what somebody knows of it: what the published rules ask for beyond N and P. Durations
/// are in ticks of any length, of one loop the same, and iterations may take less than one.
///
/// A front end keeps one for each place in a program, and lends it to one instance at a time: while it opens (`cost_knowledge::record`),
/// and when it has ended (`feedback_operations::learnt`). Nested and concurrent loops share nothing else.
struct loop_record {
  static constexpr std::uint32_t most_members = 256;

  /// Nothing is known. Not inline: the drop-in makes records, and its own code has no registers for floating-point numbers.
  loop_record() noexcept;

  double mean = 0;       ///< of the times of iterations; 0: nothing is known of these
  double deviation = 0;  ///< their standard deviation
  double hand_over = 0;  ///< what it takes to hand out a chunk; 0: not known
  std::uint64_t instances = 0;

  /// What a member has run: sums over the instances, of which the later ones count more.
  struct work {
    double ticks = 0;
    double iterations = 0;  ///< 0: none
  };
  std::uint32_t members = 0;  ///< of the team that `of` tells of; 0: nothing is known of members
  std::array<work, most_members> of{};

  /// Whether the instance that begins is to be learnt from, where the schedule does not want to know of each: the first, second,
  /// fourth, … and each 64th.
  [[nodiscard]] bool is_due() const noexcept { return is_due(instances); }
  [[nodiscard]] static constexpr bool is_due(std::uint64_t before, std::uint64_t distance = between) noexcept {
    return before % distance == 0 || (before < distance && (before & (before - 1)) == 0);
  }

  static constexpr std::uint64_t between = 64;
};

}  // namespace steelyard::schedules
