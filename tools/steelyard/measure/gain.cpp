// SPDX-License-Identifier: Apache-2.0
#include "measure/gain.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "measure/statistics.hpp"
#include "text/units.hpp"

namespace steelyard::tool {
namespace {

std::vector<double> met(const ratio_series& series) {
  auto found = series;
  std::erase_if(found, [](double one) { return !(one > 0); });
  return found;
}

}  // namespace

double correction::of_program() const {
  return static_cast<double>(schedules) * (loops == 0 ? 1 : 2) * std::exp2(looks);
}

double correction::of_loop() const { return of_program() * static_cast<double>(std::max<std::size_t>(loops, 1)); }

std::string correction::text() const {
  auto text = fmt::format("corrected for choosing among {}", counted(schedules, "schedule"));
  if (loops > 0) text += fmt::format(", in the program and {}", counted(loops, "loop"));
  text += " (Bonferroni)";
  if (looks > 0)
    text += fmt::format(", and for looking {} (alpha spending)", looks == 1 ? "early" : counted(looks, "time"));
  return text;
}

double corrected_chance(const ratio_series& believed, double looked_at) {
  return std::min(1.0, chance_of_gain(met(believed)) * looked_at);
}

double promised_gain(const ratio_series& believed, double looked_at) {
  return 1 - upper_bound(met(believed), largest_chance / looked_at);
}

}  // namespace steelyard::tool
