// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// How many rounds a comparison has, and when it ends early.
namespace steelyard::tool {

/// `90`, `90s`, `10m`, `1.5h` in seconds; nothing where it is none of them or not above 0.
[[nodiscard]] std::optional<double> parse_duration(const std::string& text);

/// With a budget: rounds while the next one fits, at least one. Rounds differ in length, so one counts as the mean of
/// those so far.
struct round_budget {
  unsigned most = 1;              ///< rounds
  std::optional<double> seconds;  ///< for all of them and the warm-up

  [[nodiscard]] bool another(unsigned done, double spent, double warm_up) const;
};

/// A verdict may be looked for after 5, 10, 20, 40 … rounds. Each look could find noise, so each has half the chance of
/// an error that the one before has.
[[nodiscard]] bool looks_after(unsigned rounds);
/// How many such looks there were after so many rounds.
[[nodiscard]] unsigned looks_within(unsigned rounds);

}  // namespace steelyard::tool
