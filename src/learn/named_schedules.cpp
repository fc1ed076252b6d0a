// SPDX-License-Identifier: Apache-2.0
#include "learn/named_schedules.hpp"

#include <algorithm>

namespace steelyard::learn {
namespace {

/// FNV-1a.
std::size_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return static_cast<std::size_t>(hash);
}

}  // namespace

constinit named_schedules schedules_of_loops(schedules::parse_choice);

schedules::choice named_schedules::look_up(last_name& last, const char* text) noexcept {
  const std::string_view all = text;
  const auto place = hash_of(all);
  const named_schedule* known = find(place, text);
  if (known == nullptr) {
    const auto parsed = parse_(all);
    if (parsed.error != schedules::choice_error::none) return {};
    known = keep(place, all, parsed.value);
    if (known == nullptr) return parsed.value;
  }
  last.store(known, sync::release, sync::site{"N2"});
  return known->means;
}

const named_schedule* named_schedules::find(std::size_t place, const char* text) const noexcept {
  for (;; ++place) {
    const named_schedule* const found = places_[place % places_.size()].load(sync::acquire, sync::site{"N3"});
    if (found == nullptr || found->is(text)) return found;
  }
}

const named_schedule* named_schedules::keep(std::size_t place, std::string_view text,
                                            const schedules::choice& means) noexcept {
  if (text.size() >= texts_[0].text.size() || used_.load(sync::relaxed, sync::site{"N5"}) >= most) return nullptr;
  const auto number = used_.fetch_add(1, sync::relaxed, sync::site{"N5"});
  if (number >= most) return nullptr;
  named_schedule& fresh = texts_[number];
  std::copy(text.begin(), text.end(), fresh.text.begin());
  fresh.means = means.form.empty() ? means : parse_(fresh.text.data()).value;  // a form is a view of its text
  for (;; ++place) {
    const named_schedule* found = nullptr;
    auto& its = places_[place % places_.size()];
    if (its.compare_exchange(found, &fresh, sync::release, sync::acquire, sync::site{"N4"})) return &fresh;
    if (found->is(fresh.text.data())) return found;
  }
}

}  // namespace steelyard::learn
