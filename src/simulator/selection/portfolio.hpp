// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "simulator/selection/method.hpp"

namespace steelyard::simulator::selection {

/// Among which LB4OMP chooses (Mohammed, Korndörfer, Eleliemy & Ciorba, "Automated scheduling algorithm selection and chunk parameter
/// calculation in OpenMP", IEEE TPDS 2022): twelve techniques, the more adaptive the later. Its GSS by a formula is our guided of libomp's
/// kind. Every chunk is the least that a technique allows.
inline constexpr std::array portfolio{"static",       "dynamic", "trapezoid", "guided:libomp", "guided", "factoring",
                                      "static_steal", "awf-b",   "awf-c",     "awf-d",         "awf-e",  "maf"};

inline constexpr auto techniques = static_cast<std::uint32_t>(portfolio.size());

inline way of_portfolio(std::uint32_t which, std::uint32_t members) {
  way how;
  how.schedule = find(portfolio[which]);
  how.members = members;
  return how;
}

}  // namespace steelyard::simulator::selection
