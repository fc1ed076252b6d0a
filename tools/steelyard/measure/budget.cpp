// SPDX-License-Identifier: Apache-2.0
#include "measure/budget.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace steelyard::tool {
namespace {

constexpr unsigned first_look = 5;
constexpr double minute = 60;
constexpr double hour = 3600;

}  // namespace

std::optional<double> parse_duration(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0) || !std::isfinite(value)) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty() || unit == "s") return value;
  if (unit == "m") return value * minute;
  if (unit == "h") return value * hour;
  return std::nullopt;
}

bool round_budget::another(unsigned done, double spent, double warm_up) const {
  if (done >= most) return false;
  if (!seconds || done == 0) return true;
  return spent + (spent - warm_up) / done <= *seconds;
}

bool looks_after(unsigned rounds) { return rounds >= first_look && looks_within(rounds) != looks_within(rounds - 1); }

unsigned looks_within(unsigned rounds) {
  unsigned looks = 0;
  for (unsigned next = first_look; next <= rounds; next *= 2) ++looks;
  return looks;
}

}  // namespace steelyard::tool
