// SPDX-License-Identifier: Apache-2.0
#include "loop/delivery.hpp"

#include <cstdio>
#include <cstdlib>

#include "sync/forks.hpp"

namespace steelyard::loop {
namespace {

constexpr std::string_view names[] = {"hybrid", "membarrier", "signal", "poll"};

std::optional<delivery> from_environment() noexcept {
  const char* const text = std::getenv("STEELYARD_DELIVERY");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const auto found = delivery_of(text);
  if (!found) {
    std::fprintf(
        stderr, "steelyard: STEELYARD_DELIVERY='%s' is ignored; hybrid, membarrier, signal and poll are known\n", text);
  }
  return found;
}

}  // namespace

std::optional<delivery> delivery_of(std::string_view name) noexcept {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<delivery>(i);
  }
  return std::nullopt;
}

delivery delivery_of_process() noexcept {
  static constinit sync::made_once<delivery> told;
  return told.get([] { return from_environment().value_or(delivery::hybrid); });
}

}  // namespace steelyard::loop
