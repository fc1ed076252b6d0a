// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "learn/alone_or_shared.hpp"
#include "learn/reading_debt.hpp"
#include "learn/times.hpp"
#include "learn/trials.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// What is known of the loops of one place in the program, from their earlier runs.
struct alignas(support::line_size) history {
  sync::real::atomic<const void*> key{};
  times took;
  trials tried;
  reading_debt debt;

  /// Whether a loop with this outlook runs alone; for once the other way when it is time for that. Inline, and `judge` too, for
  /// the smallest loops take no longer than some hundred instructions.
  [[nodiscard, gnu::always_inline]] bool runs_alone(const outlook& of) noexcept {
    const auto found = judge(of);
    const bool other_way = found.may_be_wrong && tried.is_time(found.expected, found.trial);
    return found.alone != other_way;
  }
};

/// The history of the place that this address stands for (of the code that runs its body); nullptr when the table is full.
[[nodiscard]] history* history_of(const void* key) noexcept;

}  // namespace steelyard::learn
