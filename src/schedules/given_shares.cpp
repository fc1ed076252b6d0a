// SPDX-License-Identifier: Apache-2.0
#include "schedules/given_shares.hpp"

#include <algorithm>
#include <optional>

#include "schedules/contract.hpp"
#include "schedules/deal.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

constexpr unsigned decimals = 9;
constexpr std::uint64_t one = 1'000'000'000;
constexpr std::uint64_t hundred = 100 * one;
constexpr std::uint64_t tolerance = one / 10;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// In billionths, from 0 to 100.
std::optional<std::uint64_t> number_of(std::string_view text) noexcept {
  std::uint64_t whole = 0;
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at)
    whole = std::min<std::uint64_t>(whole * 10 + (text[at] - '0'), 1000);
  if (at == 0) return std::nullopt;
  std::uint64_t value = whole * one;
  if (at < text.size() && text[at] == '.') {
    std::uint64_t unit = one / 10;
    const std::size_t first = ++at;
    for (; at < text.size() && is_digit(text[at]); ++at, unit /= 10) value += (text[at] - '0') * unit;
    if (at == first || at - first > decimals) return std::nullopt;
  }
  if (at != text.size() || value > hundred) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_of(double value) noexcept {
  const bool is_share = value >= 0 && value <= 100;  // not so for NaN
  if (!is_share) return std::nullopt;
  const double scaled = value * static_cast<double>(one);
  const auto whole = static_cast<std::uint64_t>(scaled);
  return scaled - static_cast<double>(whole) >= 0.5 ? whole + 1 : whole;
}

}  // namespace

/// `next(share)` reads the next number: false: there is none. One that is none gives an empty `share`.
template <class Next>
shares_error given_shares::check(given_shares& all, Next next) noexcept {
  all.equal_ = true;
  std::optional<std::uint64_t> first;
  for (std::optional<std::uint64_t> share; next(share);) {
    if (!share) return shares_error::not_a_number;
    if (++all.members_ > max_members) return shares_error::too_many;
    if (!first) first = share;
    all.equal_ = all.equal_ && share == first;
    all.sum_ += *share;
  }
  return all.members_ < 2 ? shares_error::too_few : shares_error::none;
}

/// Their sum is for the caller to judge.
shares_error given_shares::read(std::string_view text, given_shares& all) noexcept {
  all.text_ = support::trimmed(text);
  if (all.text_.empty() || all.text_.ends_with(',')) return shares_error::not_a_number;
  auto list = all.text_;
  return check(all, [&list](auto& share) {
    if (list.empty()) return false;
    share = number_of(support::trimmed(support::take_first(list, ',')));
    return true;
  });
}

shares_error given_shares::check_percentages(const given_shares& all) noexcept {
  return all.sum_ + tolerance < hundred || all.sum_ > hundred + tolerance ? shares_error::wrong_sum
                                                                          : shares_error::none;
}

shares_error given_shares::parse(std::string_view text, given_shares& found) noexcept {
  given_shares all;
  auto error = read(text, all);
  if (error == shares_error::none) error = check_percentages(all);
  if (error == shares_error::none) found = all;
  return error;
}

shares_error given_shares::parse_weights(std::string_view text, given_shares& found) noexcept {
  given_shares all;
  auto error = read(text, all);
  if (error == shares_error::none && all.sum_ == 0) error = shares_error::wrong_sum;
  if (error == shares_error::none) found = all;
  return error;
}

shares_error given_shares::read(const double* numbers, std::size_t count, given_shares& found) noexcept {
  given_shares all;
  all.numbers_ = numbers;
  std::size_t at = 0;
  auto error = check(all, [&](auto& share) {
    if (at == count) return false;
    share = number_of(numbers[at++]);
    return true;
  });
  if (error == shares_error::none) error = check_percentages(all);
  if (error == shares_error::none) found = all;
  return error;
}

std::uint64_t given_shares::reader::next() noexcept {
  const auto m = read_++;
  return (shares.numbers_ != nullptr ? number_of(shares.numbers_[m])
                                     : number_of(support::trimmed(support::take_first(left_, ','))))
      .value_or(0);
}

void given_shares::cut(std::uint64_t iterations, std::uint64_t* ends) const noexcept {
  if (equal_) return deal::equal_ends(iterations, members_, ends);
  std::uint64_t before = 0;
  reader each(*this);
  for (member m = 0; m < members_; ++m) {
    before += each.next();
    ends[m] = static_cast<std::uint64_t>(static_cast<unsigned __int128>(iterations) * before / sum_);
  }
}

std::uint64_t share_of_block(const std::uint64_t* ends, std::uint32_t members, std::uint64_t iterations,
                             std::uint32_t m) noexcept {
  // A quarter of an iteration behind each border, where rounding changes nothing and shares are never the equal ones.
  const auto border = [&](std::uint32_t behind) -> std::uint64_t {
    if (behind == 0) return 0;
    if (behind == members || ends[behind - 1] >= iterations) return hundred;
    const auto quarters = static_cast<unsigned __int128>(ends[behind - 1]) * 4 + 1;
    return static_cast<std::uint64_t>(quarters * hundred / (static_cast<unsigned __int128>(iterations) * 4));
  };
  return border(m + 1) - border(m);
}

}  // namespace steelyard::schedules
