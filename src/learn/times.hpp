// SPDX-License-Identifier: Apache-2.0
#pragma once

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

  /// What iterations take of one member.
  [[nodiscard]] std::uint64_t rate() const noexcept { return least_known(alone_.get(), together_.get()); }

  void took_alone(std::uint64_t ticks, std::uint64_t iterations) noexcept { alone_.add(rate_of(ticks, iterations)); }
  void took_together(std::uint64_t ticks, std::uint64_t iterations) noexcept {
    together_.add(rate_of(ticks, iterations));
  }

  /// One of the last runs alone took far longer than expected.
  [[nodiscard]] bool is_in_doubt() const noexcept { return doubt_.load(sync::relaxed, sync::site{"A6"}) != 0; }

  /// A part ran alone, and at its rate the whole would take so long that the rest is better shared. Once may be a thread that
  /// lost its core; twice within few runs is believed.
  void took_long_alone(std::uint64_t ticks, std::uint64_t iterations) noexcept {
    if (is_in_doubt()) {
      alone_.restart(rate_of(ticks, iterations));
    } else {
      alone_.add(rate_of(ticks, iterations));
    }
    doubt_.store(runs_of_doubt, sync::relaxed, sync::site{"A6"});
  }

  /// The whole ran alone, as long as expected.
  void ran_as_usual() noexcept {
    const auto doubt = doubt_.load(sync::relaxed, sync::site{"A6"});
    if (doubt != 0) doubt_.store(doubt - 1, sync::relaxed, sync::site{"A6"});
  }

 private:
  static constexpr std::uint32_t runs_of_doubt = 16;

  sync::average alone_;  ///< rates
  sync::average together_;
  sync::real::atomic<std::uint32_t> doubt_{};  ///< for so many runs
};

}  // namespace steelyard::learn
