// SPDX-License-Identifier: Apache-2.0
#include "schedules/relearning.hpp"

#include <limits>

#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

constexpr std::string_view every = "every:";
constexpr std::string_view at = "at:";

bool begins(std::string_view text, std::string_view word) noexcept {
  return text.size() >= word.size() && support::same_word({text.data(), word.size()}, word);
}

std::string_view behind(std::string_view text, std::string_view word) noexcept {
  text.remove_prefix(word.size());
  return text;
}

/// 0: it is no number that may be given.
std::uint64_t number_of(std::string_view digits) noexcept {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9' || value > (largest - static_cast<std::uint64_t>(c - '0')) / 10) return 0;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// The first number of a list, which loses it.
std::uint64_t take_first(std::string_view& list) noexcept {
  return number_of(support::trimmed(support::take_first(list, ',')));
}

}  // namespace

bool relearning::is_meant(std::string_view text) noexcept {
  text = support::trimmed(text);
  return begins(text, every) || begins(text, at);
}

bool relearning::parse(std::string_view text, relearning& found) noexcept {
  text = support::trimmed(text);
  relearning all;
  if (begins(text, every)) {
    all.every_ = number_of(support::trimmed(behind(text, every)));
    if (all.every_ == 0) return false;
  } else {
    all.at_ = support::trimmed(behind(text, at));
    auto list = all.at_;
    if (list.empty() || list.ends_with(',')) return false;
    while (!list.empty()) {
      if (take_first(list) == 0) return false;
    }
  }
  found = all;
  return true;
}

bool relearning::is_due(std::uint64_t instance) const noexcept {
  if (every_ != 0) return instance % every_ == 0;
  for (auto list = at_; !list.empty();) {
    if (take_first(list) == instance) return true;
  }
  return false;
}

}  // namespace steelyard::schedules
