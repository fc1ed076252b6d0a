// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/halves.hpp"
#include "schedules/chunks/rest.hpp"
#include "schedules/chunks/weights.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// Weighted factoring: the batches of FAC2, of which a member's chunk is as many times the mean one as its weight says, rounded up. A
/// batch is half of what is left, whoever takes it. So a chunk follows from where it begins and from who asks. The weights stay while
/// the loop runs. A schedule is its rule:
///
/// - `about`: what users see;
/// - `always`: it is told what chunks take in each instance, not only now and then;
/// - `tell(into, m, took)`: what member m has run goes into the record.
template <class Sync, class Rule>
class alignas(support::line_size) weighted {
  struct alignas(support::line_size) seat {
    explicit seat(double its) noexcept : weight(its) {}
    double weight;
    std::uint32_t batch = 0;  ///< where it was last
    run_by_member took;
  };
  using lines = seats<seat>;

 public:
  static constexpr const traits& about = Rule::about;
  static constexpr bool adapts = Rule::always;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<weighted>(loop); }

  explicit weighted(const shape& loop) noexcept : weighted(loop, weights_before(loop)) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    return rest_.take([&](std::uint64_t rest) {
      batches_.go_to(iterations_ - rest, own.batch);
      return weighted_size(batches_[own.batch].chunk, own.weight, rest);
    });
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

  void completed(member m, const step& chunk, chunk_time took) noexcept {
    seats_[m].took.add(chunk.count, static_cast<double>(took.work));
  }

  void learnt(loop_record& into) const noexcept {
    if (!tell_of_team(into, members_)) return;
    for (member m = 0; m < members_; ++m) Rule::tell(into, m, seats_[m].took);
  }

 private:
  weighted(const shape& loop, weights_before weights) noexcept
      : iterations_(loop.iterations), members_(loop.members), batches_(loop),
        seats_(this + 1, loop.members, [&](void* place, member m) { ::new (place) seat(weights.next(m)); }),
        rest_(loop) {}

  std::uint64_t iterations_;
  std::uint32_t members_;
  halves batches_;
  lines seats_;
  rest_of_loop<Sync> rest_;
};

}  // namespace steelyard::schedules
