// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "schedules/choice.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// A text that a loop has brought, and the schedule that it names. Never changed once others can see it.
struct named_schedule {
  std::array<char, 48> text{};  ///< ends with 0
  schedules::choice means;

  [[nodiscard]] bool is(const char* other) const noexcept { return std::strcmp(text.data(), other) == 0; }
};

/// The text that the loops of one place brought last; nullptr: none.
using last_name = sync::real::atomic<const named_schedule*>;

/// The texts by which loops name their schedules, each parsed once (learn.md). Texts are compared, not their addresses, for a
/// program may write another one to the same place. What is too long to be kept, or comes when there is no room, is parsed
/// each time.
class named_schedules {
 public:
  using parser = schedules::parsed_choice (*)(std::string_view) noexcept;

  explicit constexpr named_schedules(parser parse) noexcept : parse_(parse) {}

  /// What a loop's text names; no schedule: nothing. `last` is of the loop's place.
  [[nodiscard]] schedules::choice of(last_name& last, const char* text) noexcept {
    const named_schedule* const known = last.load(sync::acquire, sync::site{"N1"});
    return known != nullptr && known->is(text) ? known->means : look_up(last, text);
  }

  static constexpr std::size_t most = 64;

 private:
  [[nodiscard]] schedules::choice look_up(last_name& last, const char* text) noexcept;
  [[nodiscard]] const named_schedule* find(std::size_t place, const char* text) const noexcept;
  [[nodiscard]] const named_schedule* keep(std::size_t place, std::string_view text,
                                           const schedules::choice& means) noexcept;

  parser parse_;
  /// Twice as many as there are texts at most, so a look for one ends at an empty place.
  std::array<sync::real::atomic<const named_schedule*>, 2 * most> places_{};
  std::array<named_schedule, most> texts_{};
  sync::real::atomic<std::uint32_t> used_{};  ///< of these
};

/// Those of the process, parsed by schedules::parse_choice.
extern constinit named_schedules schedules_of_loops;

}  // namespace steelyard::learn
