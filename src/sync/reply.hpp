// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "support/assert.hpp"
#include "sync/access.hpp"

namespace steelyard::sync {

/// How a request for iterations ended.
enum class reply : std::uint32_t { none, given, refused };

/// Where a thief finds the reply to its request. Sites and invariants: open_range.md.
template <class Sync>
class reply_slot {
 public:
  /// By the thief: the reply, once.
  reply hear() noexcept {
    const auto found = word_.load(acquire, site{"R26"});
    if (found == asleep || found == static_cast<std::uint32_t>(reply::none)) return reply::none;
    STEELYARD_ASSERT(found <= static_cast<std::uint32_t>(reply::refused), "[I6] a request ends in one of two ways");
    word_.store(static_cast<std::uint32_t>(reply::none), relaxed, site{"R15"});
    return static_cast<reply>(found);
  }

  /// Whether there is one to hear.
  [[nodiscard]] bool is_there() const noexcept {
    const auto found = word_.load(relaxed, site{"R36"});
    return found != asleep && found != static_cast<std::uint32_t>(reply::none);
  }

  /// By the thief: sleeps until there is one; now and then returns for no reason.
  void sleep() noexcept {
    auto found = static_cast<std::uint32_t>(reply::none);
    word_.compare_exchange(found, asleep, relaxed, relaxed, site{"R27"});
    word_.wait(asleep, site{"R28"});
  }

  /// By whoever answers the request: leaves the reply, and wakes the thief if it sleeps.
  void send(reply with) noexcept {
    const auto before = word_.exchange(static_cast<std::uint32_t>(with), release, site{"R34"});
    STEELYARD_ASSERT(before == asleep || before == static_cast<std::uint32_t>(reply::none),
                     "[I6] a request is answered once");
    if (before == asleep) word_.wake(1, site{"R35"});
  }

 private:
  static constexpr std::uint32_t asleep = 3;  ///< none, and the thief sleeps

  typename Sync::futex word_{};
};

}  // namespace steelyard::sync
