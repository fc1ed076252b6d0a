// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/program/site.hpp"
#include "openmp/shares/region_shares.hpp"

namespace steelyard::openmp {

/// What became of a loop. That a static loop has to keep its blocks may have shown after it began for the last time.
struct outcome {
  fate last;
  const char* reason;  ///< why it was passed
};

[[nodiscard]] inline outcome outcome_of(const site& at) noexcept {
  const fate last = at.last.get();
  if (last != fate::taken) return {last, at.reason.get()};
  const char* const kept = why_kept(at);
  return {kept == nullptr ? fate::taken : fate::passed, kept};
}

}  // namespace steelyard::openmp
