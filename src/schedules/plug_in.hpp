// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <steelyard/own_schedule.h>

#include "schedules/choice.hpp"

/// Schedules of users that lie in a shared object of their own (docs/own-schedules.md).
namespace steelyard::schedules {

/// What a file holds.
struct plug_in {
  const steelyard_schedule* table = nullptr;  ///< nullptr: nothing that can be used
  char wrong[152] = {};                       ///< why not, in words that continue "FILE …"
};

/// Loads a shared object, which stays loaded. Runs its constructors, and no other code than the function that STEELYARD_PLUG_IN makes.
[[nodiscard]] plug_in open_plug_in(const char* file) noexcept;

/// Whether a text names a plug-in, and no schedule by its name: it has a slash before any colon, as in `./mine.so` and `./mine.so,4`.
[[nodiscard]] inline bool names_plug_in(std::string_view text) noexcept {
  return text.find('/') != std::string_view::npos && text.find('/') < text.find(':');
}

/// A text as `names_plug_in` says.
struct plug_in_text {
  std::string_view file;
  std::string_view
      chunk;  ///< with its comma: what is behind the last one, and has neither slash nor dot; empty: there is none
};
[[nodiscard]] plug_in_text split_plug_in(std::string_view text) noexcept;

/// What stands for such a text, which has to stay, until it is loaded: its `file`, and `steal`.
[[nodiscard]] choice not_yet_loaded(std::string_view text) noexcept;

/// The same as a choice, once it is loaded and added to the schedules (own.hpp). Never for a program that has more rights than its
/// user.
struct plugged_choice {
  choice value;          ///< value.schedule is nullptr: it is none
  char wrong[152] = {};  ///< why not, in words that continue "TEXT …"
};
[[nodiscard]] plugged_choice load_choice(std::string_view text) noexcept;

}  // namespace steelyard::schedules
