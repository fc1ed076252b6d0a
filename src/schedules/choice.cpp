// SPDX-License-Identifier: Apache-2.0
#include "schedules/choice.hpp"

#include <algorithm>
#include <limits>

#include "schedules/registry.hpp"
#include "support/words.hpp"

namespace steelyard::schedules {
namespace {

constexpr std::uint64_t largest_chunk = std::numeric_limits<std::int64_t>::max();

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

struct parsed_chunk {
  std::uint64_t value = 0;
  choice_error error = choice_error::none;
};

/// A minus sign makes a number that is out of range, not something else than a number.
parsed_chunk parse_chunk(std::string_view text) noexcept {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty()) return {0, choice_error::chunk_not_a_number};
  std::uint64_t value = 0;
  bool in_range = !negative;
  for (const char c : text) {
    if (!is_digit(c)) return {0, choice_error::chunk_not_a_number};
    const auto digit = static_cast<std::uint64_t>(c - '0');
    in_range = in_range && value <= (largest_chunk - digit) / 10;
    value = in_range ? value * 10 + digit : 0;
  }
  if (!in_range || value == 0) return {0, choice_error::chunk_out_of_range};
  return {value, choice_error::none};
}

/// Whether it is a schedule that there is, and behind a colon something else.
bool has_form(std::string_view name) noexcept {
  const auto colon = name.find(':');
  return colon != std::string_view::npos && find({name.data(), colon}) != nullptr;
}

constexpr std::string_view of_shares = "nustatic:";
constexpr std::string_view of_weights = "wf2:";
constexpr std::string_view of_candidates = "expert:";

/// Why shares, or weights, are none.
choice_error error_of(shares_error error, choice_error of_sum) noexcept {
  switch (error) {
    case shares_error::none:
      return choice_error::none;
    case shares_error::not_a_number:
      return choice_error::share_not_a_number;
    case shares_error::too_few:
      return choice_error::too_few_shares;
    case shares_error::too_many:
      return choice_error::too_many_shares;
    case shares_error::wrong_sum:
      return of_sum;
  }
  return choice_error::share_not_a_number;
}

/// A choice, or why it is none.
parsed_choice unless(choice_error error, const choice& found) noexcept {
  if (error != choice_error::none) return {{}, error};
  return {found, error};
}

/// What stands behind `nustatic:`.
parsed_choice parse_shares(std::string_view text) noexcept {
  choice found{find("nustatic"), 0};
  found.form = support::trimmed(text);
  found.at_barriers = support::same_word(found.form, "barriers");
  if (found.at_barriers) return {found, choice_error::none};
  if (relearning::is_meant(text)) {
    const bool ok = relearning::parse(text, found.again);
    return unless(ok ? choice_error::none : choice_error::wrong_instances, found);
  }
  const auto error = error_of(given_shares::parse(text, found.shares), choice_error::wrong_sum_of_shares);
  return unless(error, found);
}

/// What stands behind `wf2:`.
parsed_choice parse_weights(std::string_view text) noexcept {
  choice found{find("wf2"), 0};
  found.form = support::trimmed(text);
  const auto error = error_of(given_shares::parse_weights(text, found.shares), choice_error::no_weight);
  return unless(error, found);
}

/// What stands behind `expert:`.
parsed_choice parse_candidates(std::string_view text) noexcept {
  choice found{find("automatic"), 0};
  found.form = support::trimmed(text);
  const bool ok = candidates::parse(text, found.among);
  return unless(ok ? choice_error::none : choice_error::wrong_candidates, found);
}

/// Whether a text begins so, in any case of letters; it loses that then.
bool take_off(std::string_view& text, std::string_view begin) noexcept {
  if (text.size() < begin.size() || !support::same_word({text.data(), begin.size()}, begin)) return false;
  text.remove_prefix(begin.size());
  return true;
}

}  // namespace

parsed_choice parse_choice(std::string_view text) noexcept {
  auto name = support::trimmed(text);
  if (name.empty()) return {{}, choice_error::empty};
  const bool is_row = find(support::trimmed({name.data(), std::min(name.find(','), name.size())})) != nullptr;
  if (!is_row && take_off(name, of_shares)) return parse_shares(name);
  if (!is_row && take_off(name, of_weights)) return parse_weights(name);
  if (take_off(name, of_candidates)) return parse_candidates(name);
  std::string_view chunk_text;
  const auto comma = name.find(',');
  const bool has_chunk = comma != std::string_view::npos;
  if (has_chunk) {
    chunk_text = name;
    chunk_text.remove_prefix(comma + 1);
    name.remove_suffix(name.size() - comma);
    name = support::trimmed(name);
  }

  const auto* schedule = find(name);
  if (schedule == nullptr) return {{}, has_form(name) ? choice_error::unknown_form : choice_error::unknown_name};
  if (!has_chunk) return {{schedule, 0}, choice_error::none};
  const auto chunk = parse_chunk(support::trimmed(chunk_text));
  if (chunk.error != choice_error::none) return {{}, chunk.error};
  return {in_chunks({schedule, chunk.value}), choice_error::none};
}

choice in_chunks(choice how) noexcept {
  if (how.schedule->about.name == std::string_view("static")) how.schedule = find("cyclic");
  return how;
}

std::string_view without_modifier(std::string_view text) noexcept {
  constexpr std::string_view modifier = "nonmonotonic:";
  text = support::trimmed(text);
  if (text.size() < modifier.size() || !support::same_word({text.data(), modifier.size()}, modifier)) return text;
  text.remove_prefix(modifier.size());
  return support::trimmed(text);
}

const char* explain(choice_error error) noexcept {
  switch (error) {
    case choice_error::none:
      return "is a schedule";
    case choice_error::empty:
      return "names no schedule; `steelyard schedules` lists them";
    case choice_error::unknown_name:
      return "is not a schedule; `steelyard schedules` lists them";
    case choice_error::unknown_form:
      return "has a form that this schedule does not have; `steelyard schedules` lists them";
    case choice_error::chunk_not_a_number:
      return "has a chunk that is not a whole number; write for example `dynamic,64`";
    case choice_error::chunk_out_of_range:
      return "has a chunk out of range; it is a whole number from 1 to 2^63-1";
    case choice_error::share_not_a_number:
      return "has a share or weight that is no number from 0 to 100; write for example `nustatic:15,20,25,40` or "
             "`wf2:1.5,1`";
    case choice_error::too_few_shares:
      return "has a share or weight for one member only; write one for each, for example `nustatic:30,70` or "
             "`wf2:1.5,1`";
    case choice_error::too_many_shares:
      return "has more than 65,536 shares or weights; write one for each member of the team";
    case choice_error::wrong_sum_of_shares:
      return "has shares that do not add up to 100; write for example `nustatic:15,20,25,40`";
    case choice_error::no_weight:
      return "has no weight above 0; write for example `wf2:1.5,1`";
    case choice_error::wrong_instances:
      return "has an instance that is no whole number of at least 1; write for example `nustatic:every:100` or "
             "`nustatic:at:10,50`";
    case choice_error::wrong_candidates:
      return "has to name one to twelve schedules without chunks, none of which chooses itself; write for example "
             "`expert:steal+guided+nustatic`";
  }
  return "is not a schedule";
}

}  // namespace steelyard::schedules
