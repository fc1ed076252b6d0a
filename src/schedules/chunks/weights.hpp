// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/shared_sum.hpp"
#include "schedules/contract.hpp"
#include "schedules/given_shares.hpp"
#include "schedules/loop_record.hpp"
#include "schedules/roots.hpp"

/// The weights of members that are not equally fast: how much of a chunk of mean size each of them gets. Their mean is 1.
namespace steelyard::schedules {

/// A member that is slower than the 16th part of the others' mean was disturbed rather than slow.
inline constexpr double least_measured_weight = 1.0 / 16;

/// Of a member of `members`, that many of which are known, whose speeds (iterations per tick) have that sum; 1 where it is not among
/// them.
[[nodiscard]] inline double measured_weight(double speed, double known, double sum, std::uint32_t members) noexcept {
  if (!(speed > 0) || !(sum > 0)) return 1;
  return std::clamp(speed * known / sum, least_measured_weight, members - (members - 1) * least_measured_weight);
}

/// Before a size is rounded up: what rounding errors of measured numbers amount to does not count.
inline constexpr double nearly_one = 1 - 0x1.0p-40;

/// A chunk's size times a weight, rounded up.
[[nodiscard]] inline std::uint64_t weighted_size(std::uint64_t size, double weight, std::uint64_t rest) noexcept {
  return whole_up(static_cast<double>(size) * weight * nearly_one, rest);
}

/// The speed that a record tells of a member; 0: it tells of none, or of another team.
[[nodiscard]] inline double recorded_speed(const loop_record* known, std::uint32_t members, member m) noexcept {
  if (known == nullptr || known->members != members || members > loop_record::most_members) return 0;
  const auto& its = known->of[m];
  return its.ticks > 0 ? its.iterations / its.ticks : 0;
}

/// The weights of the members in turn: as given, else as earlier instances have shown, else 1 each.
class weights_before {
 public:
  explicit weights_before(const shape& loop) noexcept
      : loop_(loop), given_(loop.known.weights != nullptr ? *loop.known.weights : given_shares()) {
    if (given_.shares.members() == loop.members) return;
    for (member m = 0; m < loop.members; ++m) {
      const auto speed = recorded_speed(loop.known.record, loop.members, m);
      sum_ += speed;
      known_ += speed > 0 ? 1 : 0;
    }
  }

  /// Of member m; called for each once, in order. O(1).
  double next(member m) noexcept {
    if (given_.shares.members() == loop_.members)
      return static_cast<double>(given_.next()) * loop_.members / static_cast<double>(given_.shares.sum());
    return measured_weight(recorded_speed(loop_.known.record, loop_.members, m), known_, sum_, loop_.members);
  }

 private:
  const shape& loop_;
  given_shares::reader given_;
  double sum_ = 0;
  double known_ = 0;
};

/// What a member has run in an instance, and how a record is told of all of them.
struct run_by_member {
  double ticks = 0;
  double iterations = 0;

  void add(std::uint64_t n, double took, double counts = 1) noexcept {
    ticks += counts * took;
    iterations += counts * static_cast<double>(n);
  }

  /// `counts` times this is added to `keeps` times what the record tells of member m.
  void tell(loop_record& into, member m, double keeps, double counts) const noexcept {
    auto& its = into.of[m];
    its.ticks = keeps * its.ticks + counts * ticks;
    its.iterations = keeps * its.iterations + counts * iterations;
  }
};

/// Makes a record tell of a team of that size, of which it knows nothing yet where it told of another. False: it is too large.
inline bool tell_of_team(loop_record& into, std::uint32_t members) noexcept {
  if (members > loop_record::most_members) return false;
  if (into.members == members) return true;
  into.members = members;
  into.of.fill({});
  return true;
}

/// Of seats whose members keep the times of their chunks (`took`) and what they have run (`ran`): a record is told of both, half of
/// which is what it told before.
template <class Seats>
void learn_of_chunks(loop_record& into, const Seats& seats, std::uint32_t members) noexcept {
  chunk_times all;
  for (member m = 0; m < members; ++m) all.add(seats[m].took);
  all.learn(into);
  if (!tell_of_team(into, members)) return;
  for (member m = 0; m < members; ++m) seats[m].ran.tell(into, m, 0.5, 1);
}

}  // namespace steelyard::schedules
