// SPDX-License-Identifier: Apache-2.0
#include "schedules/candidates.hpp"

namespace steelyard::schedules {
namespace {

/// Those that choose by themselves cannot be, but for learnt shares.
bool can_be_chosen(const operations* schedule) noexcept {
  return schedule != nullptr && (schedule->about.learns == learning::nothing || schedule == find("nustatic"));
}

}  // namespace

bool candidates::parse(std::string_view text, candidates& found) noexcept {
  text = support::trimmed(text);
  if (text.empty() || text.ends_with('+')) return false;
  std::uint32_t words = 0;
  for (auto list = text; !list.empty(); ++words) {
    if (!can_be_chosen(find(take_first(list)))) return false;
  }
  if (words > most) return false;
  found.text_ = text;
  found.has_shares_ = found.has(*find("nustatic"));
  return true;
}

bool candidates::has(const operations& schedule) const noexcept {
  bool found = false;
  each([&](const operations& named) { found = found || &named == &schedule; });
  return found;
}

}  // namespace steelyard::schedules
