// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/halves.hpp"
#include "schedules/chunks/rest.hpp"
#include "schedules/chunks/weights.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// Weighted factoring whose weights follow what chunks take while the loop runs (Cariño & Banicescu 2008). All weights are 1 at first.
/// Then member i, whose chunks k = 1, 2, … of n_k iterations took t_k, has π_i = Σ k t_k / Σ k n_k, and w_i is 1/π_i over the mean of
/// those that are known. A schedule is its rule:
///
/// - `about`: what users see;
/// - `each_chunk`: a chunk is ⌈w ⌈R/2P⌉⌉ of the R iterations left when it is asked for, by the weight of that moment. Else it is that
///   of `weighted`, by the weight that its member has when it comes to the batch;
/// - `with_fetch`: the times are with what it took to be handed the chunk.
template <class Sync, class Rule>
class alignas(support::line_size) reweighted {
  struct alignas(support::line_size) seat {
    double weight = 1;
    double speed = 0;         ///< as the others know it; 0: not at all
    std::uint32_t batch = 0;  ///< where it was last
    std::uint32_t asked = 0;  ///< batches that it has come to
    double chunks = 0;
    run_by_member took;  ///< of its chunks, the k-th of which counts k times
  };
  using lines = seats<seat>;

 public:
  static constexpr const traits& about = Rule::about;
  static constexpr bool adapts = true;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<reweighted>(loop); }

  explicit reweighted(const shape& loop) noexcept
      : iterations_(loop.iterations), members_(loop.members), batches_(loop),
        seats_(this + 1, loop.members, [](void* place, member) { ::new (place) seat; }), rest_(loop) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    if constexpr (Rule::each_chunk) own.weight = weight_of(own);
    return rest_.take([&](std::uint64_t rest) { return size(own, rest); });
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

  void completed(member m, const step& chunk, chunk_time took) noexcept {
    auto& own = seats_[m];
    own.chunks += 1;
    own.took.add(chunk.count, static_cast<double>(took.work) + (Rule::with_fetch ? static_cast<double>(took.fetch) : 0),
                 own.chunks);
    if (!(own.took.ticks > 0)) return;  // as long as the clock has not moved
    const double speed = own.took.iterations / own.took.ticks;
    if (own.speed == 0) known_.add(1);
    speeds_.add(speed - own.speed);
    own.speed = speed;
  }

  void learnt(loop_record&) const noexcept {}  // it goes by this instance alone

 private:
  [[nodiscard]] double weight_of(const seat& own) const noexcept {
    return measured_weight(own.speed, known_.get(), speeds_.get(), members_);
  }

  std::uint64_t size(seat& own, std::uint64_t rest) noexcept {
    if constexpr (Rule::each_chunk) {
      return weighted_size(ceil_div(rest, std::uint64_t{2} * members_), own.weight, rest);
    } else {
      batches_.go_to(iterations_ - rest, own.batch);
      if (own.asked != own.batch + 1) {
        own.asked = own.batch + 1;
        own.weight = weight_of(own);
      }
      return weighted_size(batches_[own.batch].chunk, own.weight, rest);
    }
  }

  std::uint64_t iterations_;
  std::uint32_t members_;
  halves batches_;
  lines seats_;
  rest_of_loop<Sync> rest_;
  alignas(support::line_size) shared_sum<Sync> speeds_;  ///< of those that are known
  shared_sum<Sync> known_;                               ///< how many these are
};

}  // namespace steelyard::schedules
