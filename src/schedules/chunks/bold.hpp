// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/chunks/chunk_times.hpp"
#include "schedules/chunks/rest.hpp"
#include "schedules/chunks/shared_sum.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// What the bold strategy (Hagerup 1997) makes of a loop's times, as LB4OMP codes it. In units of μ:
/// a = 2 (σ/μ)², b = 8a ln 8a, c₁ = h / ln 2, c₂ = √2π c₁, c₃ = ln c₂.
class bold_rule {
 public:
  static constexpr traits about{"bold", "a shared counter, chunks as large as the spread of the times allows",
                                "least iterations per chunk (1)", true, false};

  explicit bold_rule(const shape& loop) noexcept : bold_rule(loop.members, spread_of_times(loop)) {}

  [[nodiscard]] double hand_over() const noexcept { return hand_over_; }

  /// How many iterations the next chunk has. R iterations have been taken by nobody, M are not completed, and about `estimate` are left to
  /// run.
  /// - r = max(R, estimate), t = r/P, Q = R/P, v = Q / (b + Q), d = R / (1 + 1/ln Q - v).
  /// - Where Q ≤ 1 it is one, and where d ≤ c₂ it is t.
  /// - Else it is t + s/2 - √(s (t + s/4)) + max(0, c₁ w), but at most t. Here s = a (ln d - c₃)(1 + M/rP).
  /// - w is ln(v ln Q) + ln b, or ln ln Q where b ≤ 0.
  [[nodiscard]] std::uint64_t size(std::uint64_t rest, double unfinished, double estimate) const noexcept {
    const auto left = static_cast<double>(rest);
    const double q = left / members_;
    if (q <= 1) return 1;
    const double r = std::max(left, estimate);
    const double t = r / members_;
    const double ln_q = logarithm(q);
    const double v = q / (b_ + q);
    const double d = left / (1 + 1 / ln_q - v);
    if (!(d > c2_)) return whole_up(t, rest);
    const double s = a_ * (logarithm(d) - c3_) * (1 + unfinished / (r * members_));
    const double w = b_ > 0 ? logarithm(v * ln_q) + logarithm(b_) : logarithm(ln_q);
    return whole_up(std::min(t, t + s / 2 - square_root(s * (t + s / 4)) + std::max(0.0, c1_ * w)), rest);
  }

 private:
  bold_rule(std::uint32_t members, spread_of_times known) noexcept
      : members_(members), hand_over_(known.hand_over), a_(2 * known.variation * known.variation),
        b_(a_ > 0 ? 8 * a_ * logarithm(8 * a_) : 0), c1_(known.hand_over / logarithm(2)),
        c2_(square_root(2 * 3.14159265358979323846) * c1_), c3_(logarithm(c2_)) {}

  double members_;
  double hand_over_;  ///< h
  double a_;
  double b_;
  double c1_;
  double c2_;
  double c3_;
};

/// The bold strategy. The paper estimates from the clock how many iterations are left to run: a member with a chunk of K gets through
/// K / (Kμ + h) of them per unit of time. Here each member has a clock, the sum of what its chunks took, or were expected to take. Of the members' sum of speeds
/// S, and of speed times beginning, less what is completed, A, the estimate at time t is A - S t. So no member has to know when another
/// has looked.
template <class Sync>
class alignas(support::line_size) bold {
  struct alignas(support::line_size) seat {
    std::uint64_t chunk = 0;  ///< iterations of the one that it runs
    double speed = 0;         ///< of these
    double clock = 0;         ///< in units of μ
    double took = 0;          ///< its chunk, where that was told
    chunk_times all;
  };
  using lines = seats<seat>;

 public:
  static constexpr const traits& about = bold_rule::about;
  static constexpr bool adapts = true;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<bold>(loop); }

  explicit bold(const shape& loop) noexcept
      : rule_(loop), mean_(loop.known.record != nullptr ? loop.known.record->mean : 0), members_(loop.members),
        seats_(this + 1, loop.members, [](void* place, member) { ::new (place) seat; }), rest_(loop),
        unfinished_(static_cast<double>(loop.iterations)), begun_(static_cast<double>(loop.iterations)) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    if (own.chunk != 0) finish(own);
    const double unfinished = unfinished_.get();
    const double estimate = begun_.get() - speeds_.get() * own.clock;
    const auto chunk = rest_.take([&](std::uint64_t rest) { return rule_.size(rest, unfinished, estimate); });
    if (chunk.count != 0) begin(own, chunk.count);
    return chunk;
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

  void completed(member m, const step& chunk, chunk_time took) noexcept {
    auto& own = seats_[m];
    own.all.add(chunk.count, took);
    if (mean_ > 0) own.took = (static_cast<double>(took.work) + static_cast<double>(took.fetch)) / mean_;
  }

  void learnt(loop_record& into) const noexcept {
    chunk_times all;
    for (member m = 0; m < members_; ++m) all.add(seats_[m].all);
    all.learn(into);
  }

 private:
  [[nodiscard]] double expected(const seat& own) const noexcept {
    return static_cast<double>(own.chunk) + rule_.hand_over();
  }

  void begin(seat& own, std::uint64_t chunk) noexcept {
    own.chunk = chunk;
    own.took = 0;
    own.speed = static_cast<double>(chunk) / expected(own);
    begun_.add(own.speed * own.clock);
    speeds_.add(own.speed);
  }

  /// Its member asks again, so the chunk has been run.
  void finish(seat& own) noexcept {
    const auto ran = static_cast<double>(own.chunk);
    unfinished_.add(-ran);
    begun_.add(-own.speed * own.clock - ran);
    speeds_.add(-own.speed);
    own.clock += own.took > 0 ? own.took : expected(own);
    own.chunk = 0;
  }

  bold_rule rule_;
  double mean_;  ///< μ in ticks; 0: not known
  std::uint32_t members_;
  lines seats_;
  rest_of_loop<Sync> rest_;
  alignas(support::line_size) shared_sum<Sync> unfinished_;  ///< M
  shared_sum<Sync> begun_;                                   ///< A
  shared_sum<Sync> speeds_;                                  ///< S
};

}  // namespace steelyard::schedules
