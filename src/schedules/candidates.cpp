// SPDX-License-Identifier: Apache-2.0
#include "schedules/candidates.hpp"

#include <cstddef>

#include "schedules/own.hpp"
#include "schedules/registry.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

/// Those that choose by themselves cannot be, but for learnt shares.
bool can_be_chosen(const operations* schedule) noexcept {
  return schedule != nullptr && (schedule->about.learns == learning::nothing || schedule == find("nustatic"));
}

std::uint8_t number_of(const operations& row) noexcept {
  const auto table = all();
  const bool is_of_table = &row >= table.data() && &row < table.data() + table.size();
  return static_cast<std::uint8_t>(is_of_table ? &row - table.data()
                                               : static_cast<std::ptrdiff_t>(table.size()) + (&row - own().data()));
}

}  // namespace

bool candidates::parse(std::string_view text, candidates& found) noexcept {
  text = support::trimmed(text);
  if (text.empty() || text.ends_with('+')) return false;
  candidates named;
  while (!text.empty()) {
    const operations* const schedule = find(support::trimmed(support::take_first(text, '+')));
    if (!can_be_chosen(schedule) || named.count_ == most) return false;
    named.rows_[named.count_++] = number_of(*schedule);
    named.has_shares_ = named.has_shares_ || schedule == find("nustatic");
  }
  found = named;
  return true;
}

const operations& candidates::row(std::uint32_t i) const noexcept {
  const std::size_t number = rows_[i];
  return number < all().size() ? all()[number] : own()[number - all().size()];
}

bool candidates::has(const operations& schedule) const noexcept {
  bool found = false;
  each([&](const operations& named) { found = found || &named == &schedule; });
  return found;
}

}  // namespace steelyard::schedules
