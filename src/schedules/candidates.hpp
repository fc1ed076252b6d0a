// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// The schedules among which `automatic` is to choose, as users write them: `steal+guided+wsri:paper`. None named: its own.
class candidates {
 public:
  /// More would leave no room for the chunks and numbers of threads that are tried with some of them.
  static constexpr std::uint32_t most = 12;

  constexpr candidates() noexcept = default;

  /// False: one of its words is no schedule that can be chosen, or it has none, or more than `most`.
  [[nodiscard]] static bool parse(std::string_view text, candidates& found) noexcept;

  [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }
  /// Learnt shares are among them.
  [[nodiscard]] constexpr bool has_shares() const noexcept { return empty() || has_shares_; }
  [[nodiscard]] bool has(const operations& schedule) const noexcept;

  /// f(const operations&), in the order in which they are written.
  template <class F>
  void each(F f) const noexcept {
    for (std::uint32_t i = 0; i < count_; ++i) f(row(i));
  }

  /// Not by memcmp: ThreadSanitizer sees what libc does in a library that it does not see into.
  friend constexpr bool operator==(const candidates& a, const candidates& b) noexcept {
    bool same = a.count_ == b.count_;
    for (std::uint32_t i = 0; i < most; ++i) same = same && a.rows_[i] == b.rows_[i];
    return same;
  }

 private:
  [[nodiscard]] const operations& row(std::uint32_t i) const noexcept;

  std::array<std::uint8_t, most> rows_{};  ///< numbers of rows: of the table, then those that users have added
  std::uint8_t count_ = 0;
  bool has_shares_ = false;
};

}  // namespace steelyard::schedules
