// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard::schedules {

/// At which instances of a loop its shares are learnt anew, as users write it: `every:100` at the hundredth, the two hundredth and so
/// on, `at:10,50` at these. The first instance is number 1.
class relearning {
 public:
  constexpr relearning() noexcept = default;

  /// Whether a text begins as one does.
  [[nodiscard]] static bool is_meant(std::string_view text) noexcept;
  /// A view of `text`, which has to stay. False: its numbers are not whole ones from 1 to 2^63-1.
  [[nodiscard]] static bool parse(std::string_view text, relearning& found) noexcept;

  /// Nothing was asked for.
  [[nodiscard]] constexpr bool is_never() const noexcept { return every_ == 0 && at_.empty(); }
  [[nodiscard]] bool is_due(std::uint64_t instance) const noexcept;

 private:
  std::uint64_t every_ = 0;
  std::string_view at_;
};

}  // namespace steelyard::schedules
