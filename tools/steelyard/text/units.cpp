// SPDX-License-Identifier: Apache-2.0
#include "text/units.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace steelyard::tool {
namespace {

constexpr int usual_digits = 4;

/// So many significant digits, trailing zeros kept, never an exponent.
std::string with_digits(double value, int digits) {
  const int before_point = value < 1 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1;
  return fmt::format("{:.{}f}", value, before_point >= digits ? 0 : digits - before_point);
}

}  // namespace

std::string time_text(double nanoseconds) { return time_text(nanoseconds, usual_digits); }

std::string time_text(double nanoseconds, int digits) {
  if (!(nanoseconds >= 0)) return "?";
  if (nanoseconds >= 999.95e6) return with_digits(nanoseconds * 1e-9, digits) + " s";
  if (nanoseconds >= 999.95e3) return with_digits(nanoseconds * 1e-6, digits) + " ms";
  if (nanoseconds >= 999.95) return with_digits(nanoseconds * 1e-3, digits) + " us";
  return with_digits(nanoseconds, digits) + " ns";
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string bound_text(double ratio) {
  if (ratio < 0.1) return "<0.1";
  return ratio > 10 ? ">10" : fmt::format("{:.3f}", ratio);
}

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
