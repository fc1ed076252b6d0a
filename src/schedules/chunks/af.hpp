// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/rest.hpp"
#include "schedules/chunks/weights.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// Adaptive factoring (Banicescu & Liu 2000). Of R iterations left, member i, whose iterations take μ_i with deviation σ_i, gets
/// ⌈(D + 2TR - √(D² + 4DTR)) / 2μ_i⌉, D = Σ σ_i²/μ_i, T = 1 / Σ 1/μ_i. The times are those of the chunks so far, or, of a member that
/// has run fewer than two, of earlier instances. Of one of which nothing is known a chunk is a tenth of a share, at most ⌈R/2P⌉.
/// However fast a member looks, it leaves the others a sixteenth of an equal share each.
/// A schedule is its rule:
///
/// - `about`: what users see;
/// - `with_fetch`: the times are with what it took to be handed the chunk.
template <class Sync, class Rule>
class alignas(support::line_size) adaptive_factoring {
  /// What a member adds to the sums.
  struct terms {
    double speed = 0;   ///< 1/μ; 0: not known
    double spread = 0;  ///< σ²/μ
  };
  struct alignas(support::line_size) seat {
    explicit seat(terms before) noexcept : told(before), from_before(before.speed > 0) {}
    terms told;  ///< what the sums have of it
    bool from_before;
    chunk_times took;
    run_by_member ran;
  };
  using lines = seats<seat>;

 public:
  static constexpr const traits& about = Rule::about;
  static constexpr bool adapts = true;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<adaptive_factoring>(loop); }

  explicit adaptive_factoring(const shape& loop) noexcept
      : first_(ceil_div(ceil_div<std::uint64_t>(loop.iterations, loop.members), std::uint64_t{10})),
        members_(loop.members),
        seats_(this + 1, loop.members, [&](void* place, member m) { ::new (place) seat(before(loop, m)); }),
        rest_(loop) {
    for (member m = 0; m < members_; ++m) tell({}, seats_[m].told);
  }

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    const auto& own = seats_[m].told;
    if (!(own.speed > 0)) {
      return rest_.take(
          [this](std::uint64_t rest) { return std::min(first_, ceil_div(rest, std::uint64_t{2} * members_)); });
    }
    const double all = members_ / known_.get();  // those of whom nothing is known are as the others on average
    const double spread = spreads_.get() * all;
    const double time = 1 / (speeds_.get() * all);
    return rest_.take([&](std::uint64_t rest) {
      const auto to_others = (members_ - 1) * ceil_div(rest, std::uint64_t{16} * members_);
      const auto most = rest > to_others ? rest - to_others : 1;
      return size(static_cast<double>(rest) * time, spread, own.speed, most);
    });
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

  void completed(member m, const step& chunk, chunk_time took) noexcept {
    auto& own = seats_[m];
    if constexpr (Rule::with_fetch) took.work += took.fetch;
    own.took.add(chunk.count, took);
    own.ran.add(chunk.count, static_cast<double>(took.work));
    if (!(own.took.work() > 0) || (own.from_before && own.took.chunks() < 2)) return;
    const auto now = terms_of(own.took.mean(), own.took.deviation());
    tell(own.told, now);
    own.told = now;
  }

  void learnt(loop_record& into) const noexcept { learn_of_chunks(into, seats_, members_); }

 private:
  static terms terms_of(double mean, double deviation) noexcept {
    const auto variation = std::min(deviation / mean, spread_of_times::most);
    return {1 / mean, variation * variation * mean};
  }

  static terms before(const shape& loop, member m) noexcept {
    const auto* const known = loop.known.record;
    if (known == nullptr || !(known->mean > 0)) return {};
    const auto speed = recorded_speed(known, loop.members, m);
    return terms_of(speed > 0 ? 1 / speed : known->mean, known->deviation);
  }

  void tell(terms before, terms now) noexcept {
    if (!(now.speed > 0)) return;
    if (!(before.speed > 0)) known_.add(1);
    speeds_.add(now.speed - before.speed);
    spreads_.add(now.spread - before.spread);
  }

  /// `time`: TR. The same value as above, where no two large numbers are subtracted.
  static std::uint64_t size(double time, double spread, double speed, std::uint64_t most) noexcept {
    const double root = square_root(spread * spread + 4 * spread * time);
    return whole_up(2 * time * time / (spread + 2 * time + root) * speed * nearly_one, most);
  }

  std::uint64_t first_;
  std::uint32_t members_;
  lines seats_;
  rest_of_loop<Sync> rest_;
  alignas(support::line_size) shared_sum<Sync> speeds_;
  shared_sum<Sync> spreads_;
  shared_sum<Sync> known_;  ///< how many of whom something is known
};

struct af_rule {
  static constexpr traits about{"af", "a shared counter, chunks by the mean and spread of each member's times",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool with_fetch = false;
};

template <class Sync>
using af = adaptive_factoring<Sync, af_rule>;

}  // namespace steelyard::schedules
