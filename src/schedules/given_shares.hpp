// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace steelyard::schedules {

enum class shares_error { none, not_a_number, too_few, too_many, wrong_sum };

/// Shares as users write them: the percentage of the iterations that each member gets, in order, `15,20,25,40`. From 2 to
/// max_members numbers, from 0 to 100 with up to nine decimals, which add up to 100 within a tenth (three of 33.3 do).
///
/// The blocks end at exact fractions: that of member m before iteration floor(N · (s_0 + … + s_m) / (s_0 + … + s_P-1)). Equal shares
/// are those of `static`.
class given_shares {
 public:
  constexpr given_shares() noexcept = default;

  /// A view of `text`, which has to stay.
  [[nodiscard]] static shares_error parse(std::string_view text, given_shares& found) noexcept;
  /// The same numbers as weights of the members: any of them may be 0, not all.
  [[nodiscard]] static shares_error parse_weights(std::string_view text, given_shares& found) noexcept;
  /// A view of so many numbers, of which nine decimals count.
  [[nodiscard]] static shares_error read(const double* numbers, std::size_t count, given_shares& found) noexcept;

  /// For how many members; 0: none are given.
  [[nodiscard]] constexpr std::uint32_t members() const noexcept { return members_; }
  /// As it was given; empty: by numbers.
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  /// Of all members, in the unit of `reader`.
  [[nodiscard]] constexpr std::uint64_t sum() const noexcept { return sum_; }

  /// The numbers one after the other, each in billionths of a percent or of a weight.
  class reader;

  /// Writes where the block of each of `members()` members ends in a loop of so many iterations. O(length of the text).
  void cut(std::uint64_t iterations, std::uint64_t* ends) const noexcept;

 private:
  template <class Next>
  static shares_error check(given_shares& all, Next next) noexcept;
  static shares_error read(std::string_view text, given_shares& all) noexcept;
  [[nodiscard]] static shares_error check_percentages(const given_shares& all) noexcept;

  std::string_view text_;
  const double* numbers_ = nullptr;
  std::uint32_t members_ = 0;
  bool equal_ = false;
  std::uint64_t sum_ = 0;  ///< in billionths of a percent
};

class given_shares::reader {
 public:
  explicit reader(const given_shares& of) noexcept : shares(of), left_(of.text_) {}
  /// Of the next member, of which there is one. O(length of its text).
  std::uint64_t next() noexcept;

  const given_shares shares;  // NOLINT: it is the reader's

 private:
  std::string_view left_;
  std::uint32_t read_ = 0;
};

/// The number that a user would have to give member m, in billionths of a percent, so that blocks end where these do. For loops of
/// less than 2^35 iterations exactly there. O(1).
[[nodiscard]] std::uint64_t share_of_block(const std::uint64_t* ends, std::uint32_t members, std::uint64_t iterations,
                                           std::uint32_t m) noexcept;

}  // namespace steelyard::schedules
