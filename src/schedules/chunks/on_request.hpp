// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/rest.hpp"

namespace steelyard::schedules {

/// Self-scheduling where a chunk follows from what is left when it is asked for. Deal: not at all. Take: by the rule. Ask: the
/// counter, by compare-and-swap. A schedule is its rule, an object made from the loop:
///
/// - `about`: what users see;
/// - `size(rest)`: how many of the `rest` > 0 iterations the next chunk has; what is too small or too large is put right.
template <class Sync, class Rule>
class alignas(support::line_size) on_request {
 public:
  static constexpr const traits& about = Rule::about;

  static std::size_t bytes(const shape&) noexcept { return sizeof(on_request); }

  explicit on_request(const shape& loop) noexcept : rule_(loop), rest_(loop) {}

  step next(member) noexcept {
    return rest_.take([this](std::uint64_t rest) { return rule_.size(rest); });
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept { return rest_.remaining(); }
  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  Rule rule_;
  rest_of_loop<Sync> rest_;
};

}  // namespace steelyard::schedules
