// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/rate.hpp"
#include "sync/average.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// How long the loops of one place take, by their earlier runs.
class times {
 public:
  /// What so many iterations took on the caller alone, in ticks, and what they took of all members together. The latter holds
  /// what sharing adds. 0: not known.
  [[nodiscard]] std::uint64_t alone(std::uint64_t iterations) const noexcept {
    return ticks_at(alone_.get(), iterations);
  }
  [[nodiscard]] std::uint64_t together(std::uint64_t iterations) const noexcept {
    return ticks_at(together_.get(), iterations);
  }
  /// What a shared run took by the clock, without what sharing a loop costs on its pool.
  [[nodiscard]] std::uint64_t apart(std::uint64_t iterations) const noexcept {
    return ticks_at(apart_.get(), iterations);
  }

  /// What iterations take of one member.
  [[nodiscard]] std::uint64_t rate() const noexcept { return least_known(alone_.get(), together_.get()); }

  void took_alone(std::uint64_t ticks, std::uint64_t iterations) noexcept { alone_.add(rate_of(ticks, iterations)); }
  void took_together(std::uint64_t ticks, std::uint64_t iterations) noexcept {
    together_.add(rate_of(ticks, iterations));
    if (!was_shared()) last_.store(last() + runs_shared, sync::relaxed, sync::site{"A6"});
  }
  /// Of a run that was disturbed little is believed, for the others are compared with what it takes alone: half as much again as
  /// usual, or a 128th where no worker was `met`, which says nothing of how long it takes with one.
  void took_apart(std::uint64_t ticks, std::uint64_t iterations, bool met) noexcept {
    const auto before = apart_.get();
    if (before == 0 && !met) return;
    const auto now = rate_of(ticks, iterations);
    apart_.add(before == 0 ? now : std::min(now, before + before / (met ? 2 : 128) + 1));
  }

  /// One of the last runs alone took far longer than expected.
  [[nodiscard]] bool is_in_doubt() const noexcept { return last() % runs_shared != 0; }

  /// The last run was shared, not alone.
  [[nodiscard]] bool was_shared() const noexcept { return last() >= runs_shared; }

  /// It began alone, and took so long of all members together that the rest was better shared. That may be a thread that lost
  /// its core, and once it does it may do so again soon; three times within few runs is believed.
  void took_long_alone(std::uint64_t ticks, std::uint64_t iterations) noexcept {
    const auto doubt = last() % runs_shared;
    if (doubt > runs_of_doubt || alone_.get() == 0) {
      alone_.restart(rate_of(ticks, iterations));
      together_.restart(rate_of(ticks, iterations));
      apart_.clear();
    }
    last_.store(std::min(doubt + runs_of_doubt, 3 * runs_of_doubt), sync::relaxed, sync::site{"A6"});
  }

  /// The whole ran alone, as long as expected.
  void ran_as_usual() noexcept {
    const auto before = last();
    if (before == 0) return;
    const auto doubt = before % runs_shared;
    last_.store(doubt - (doubt != 0 ? 1 : 0), sync::relaxed, sync::site{"A6"});
  }

 private:
  static constexpr std::uint32_t runs_of_doubt = 16;
  static constexpr std::uint32_t runs_shared = 64;  ///< more than any doubt

  [[nodiscard]] std::uint32_t last() const noexcept { return last_.load(sync::relaxed, sync::site{"A6"}); }

  sync::average alone_;  ///< rates
  sync::average together_;
  sync::average apart_;
  /// For so many runs what it takes alone is in doubt; and `runs_shared` where the last one was shared.
  sync::real::atomic<std::uint32_t> last_{};
};

}  // namespace steelyard::learn
