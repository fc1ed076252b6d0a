// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace steelyard::sync {

/// The orders of C++20, spelled short: `word.load(sync::acquire, site{"S2"})`.
using order = std::memory_order;
inline constexpr order relaxed = std::memory_order_relaxed;
inline constexpr order acquire = std::memory_order_acquire;
inline constexpr order release = std::memory_order_release;
inline constexpr order acq_rel = std::memory_order_acq_rel;
inline constexpr order seq_cst = std::memory_order_seq_cst;

/// Names one access of a written protocol, e.g. `site{"S2"}` for rule [S2] of schedules/steal.md. The real
/// implementation ignores it; the model generates its mutants from it: "the access named S2, one step weaker".
struct site {
  const char* name;
  explicit constexpr site(const char* tag) noexcept : name(tag) {}
};

}  // namespace steelyard::sync
