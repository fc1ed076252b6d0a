// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "learn/break_even.hpp"
#include "learn/cost_profile.hpp"
#include "learn/history.hpp"
#include "loop/place_in_use.hpp"
#include "loop/pool_history.hpp"
#include "loop/sums.hpp"
#include "runtime/callers_pool.hpp"
#include "schedules/choice.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::loop {

class shares_in_use;
class team;

/// A loop that begins: who asked for it, and what is known of it.
struct beginning {
  const steelyard_loop& asked;
  steelyard_pool& pool;
  pool_history& of_pool;
  learn::history* known = nullptr;  ///< nullptr: none is kept
  std::uint64_t at = 0;             ///< ticks

  /// What iterations take of one member; 0: not known.
  [[nodiscard]] std::uint64_t rate() const noexcept { return known != nullptr ? known->took.rate() : 0; }

  [[nodiscard]] learn::workers workers() const noexcept { return {pool.threads.some_sleep(), pool.threads.spinning()}; }
};

/// A loop that several members run, or what is left of it.
class sharing {
 public:
  /// What of a loop is shared, and what is asked besides.
  struct part {
    std::uint32_t members = 1;
    std::uint64_t first = 0;                ///< iterations before it have run
    std::span<const std::uint64_t> ends{};  ///< of blocks that are known to cost the same; empty: none
    learn::cost_profile* costs = nullptr;   ///< asks what chunks take
    bool asks_fetches = false;              ///< what it takes to fetch chunks
    bool asks_ends = false;                 ///< until when members ran
  };

  /// What is known when all have left it.
  struct outcome {
    steelyard_result result = STEELYARD_DONE;
    of_member members{};               ///< what they said; nothing where the caller ran alone after all
    std::uint64_t before_opening = 0;  ///< ticks
    std::uint64_t took = 0;            ///< ticks from its beginning until the last had left
    bool cut_anew = false;             ///< the next loop of the place has other shares
  };

  explicit sharing(const beginning& loop) noexcept : loop_(loop) {}

  /// What is known of its place, from now on until this goes; nullptr: see place_in_use.
  [[nodiscard]] place* place_of_loop() noexcept {
    if (!place_) place_.emplace(reinterpret_cast<const void*>(loop_.asked.run));
    return place_->get();
  }

  /// On the caller, where no memory is left or no more than an iteration.
  outcome run(const schedules::choice& how, const part& of) noexcept;

 private:
  /// When it was opened.
  struct workers_then {
    bool sleep = false;         ///< some do
    std::uint64_t even = 0;     ///< the break-even that was expected
    bool are_as_usual = false;  ///< they were awake, or are expected to sleep
  };

  [[nodiscard]] workers_then workers_now() const noexcept;
  [[nodiscard]] schedules::shape shape_under(const schedules::choice& how, const part& of) const noexcept;
  [[nodiscard]] schedules::loop_record* record_for(const schedules::choice& how) noexcept;
  [[nodiscard]] outcome on_caller(std::uint64_t first) noexcept;
  outcome ended(const team& members, bool asleep) noexcept;
  void learn_times(const team& members, const part& of, const outcome& found, const workers_then& then) noexcept;
  [[nodiscard]] bool learn_from(shares_in_use& shares, schedules::learning learns) noexcept;

  const beginning& loop_;
  std::optional<place_in_use> place_;
};

}  // namespace steelyard::loop
