// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

/// Four significant digits, trailing zeros kept, never an exponent.
std::string four_digits(double value) {
  const int before_point = value < 1 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1;
  return fmt::format("{:.{}f}", value, before_point >= 4 ? 0 : 4 - before_point);
}

}  // namespace

std::string time_text(double nanoseconds) {
  if (!(nanoseconds >= 0)) return "?";
  if (nanoseconds >= 999.95e6) return four_digits(nanoseconds * 1e-9) + " s";
  if (nanoseconds >= 999.95e3) return four_digits(nanoseconds * 1e-6) + " ms";
  if (nanoseconds >= 999.95) return four_digits(nanoseconds * 1e-3) + " us";
  return four_digits(nanoseconds) + " ns";
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string count_text(double count) {
  auto digits = fmt::format("{:.0f}", count);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace steelyard::tool
