// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/alone_or_shared.hpp"
#include "learn/named_schedules.hpp"
#include "learn/reading_debt.hpp"
#include "learn/times.hpp"
#include "learn/trials.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

enum class course : std::uint8_t { shared, alone, tried_alone };

/// What is known of the loops of one place in the program, from their earlier runs.
struct alignas(support::line_size) history {
  sync::real::atomic<const void*> key{};
  times took;
  trials tried;
  reading_debt debt;
  last_name named{};  ///< the schedule that a loop has brought

  /// How a loop with this outlook runs; for once the other way when it is time for that. Inline, and `judge` too, for the
  /// smallest loops take no longer than some hundred instructions.
  [[nodiscard, gnu::always_inline]] course next(const outlook& of) noexcept {
    const auto found = judge(of);
    const bool other_way = found.may_be_wrong && tried.is_time(found.run);
    if (found.run.alone == other_way) return course::shared;
    return other_way ? course::tried_alone : course::alone;
  }
};

static_assert(sizeof(history) == support::line_size, "a loop that begins reads all of it");

/// The history of the place that this address stands for (of the code that runs its body); nullptr when the table is full.
[[nodiscard]] history* history_of(const void* key) noexcept;

}  // namespace steelyard::learn
