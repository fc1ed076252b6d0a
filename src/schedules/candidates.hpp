// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "schedules/registry.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {

/// The schedules among which `automatic` is to choose, as users write them: `steal+guided+wsri:paper`. None named: its own.
class candidates {
 public:
  /// More would leave no room for the chunks and numbers of threads that are tried with some of them.
  static constexpr std::uint32_t most = 12;

  constexpr candidates() noexcept = default;

  /// A view of `text`, which has to stay. False: one of its words is no schedule that can be chosen, or it has none, or more than `most`.
  [[nodiscard]] static bool parse(std::string_view text, candidates& found) noexcept;

  [[nodiscard]] constexpr bool empty() const noexcept { return text_.empty(); }
  /// Learnt shares are among them.
  [[nodiscard]] constexpr bool has_shares() const noexcept { return empty() || has_shares_; }
  [[nodiscard]] bool has(const operations& schedule) const noexcept;

  /// f(const operations&), in the order in which they are written.
  template <class F>
  void each(F f) const noexcept {
    for (auto list = text_; !list.empty();) {
      if (const operations* const row = find(take_first(list)); row != nullptr) f(*row);
    }
  }

  friend bool operator==(const candidates&, const candidates&) = default;

 private:
  /// The first word of a list, which loses it.
  static std::string_view take_first(std::string_view& list) noexcept {
    const auto end = std::min(list.find('+'), list.size());
    const std::string_view first(list.data(), end);
    list.remove_prefix(std::min(end + 1, list.size()));
    return support::trimmed(first);
  }

  std::string_view text_;
  bool has_shares_ = false;
};

}  // namespace steelyard::schedules
