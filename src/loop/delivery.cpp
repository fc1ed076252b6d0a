// SPDX-License-Identifier: Apache-2.0
#include "loop/delivery.hpp"

#include <cstdio>
#include <cstdlib>

#include "loop/history.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {
namespace {

constexpr std::string_view names[] = {"membarrier", "signal", "hybrid", "poll"};

constinit average taken[4];

std::optional<delivery> from_environment() noexcept {
  const char* const text = std::getenv("STEELYARD_DELIVERY");
  if (text == nullptr || *text == '\0') return std::nullopt;
  const auto found = delivery_of(text);
  if (!found) {
    std::fprintf(
        stderr, "steelyard: STEELYARD_DELIVERY='%s' is ignored; membarrier, signal, hybrid and poll are known\n", text);
  }
  return found;
}

/// What the environment says, read once.
std::optional<delivery> of_process() noexcept {
  static const std::optional<delivery> told = from_environment();
  return told;
}

}  // namespace

std::optional<delivery> delivery_of(std::string_view name) noexcept {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<delivery>(i);
  }
  return std::nullopt;
}

delivery next_delivery() noexcept {
  if (const auto told = of_process()) return *told;
  return sync::real::fences() ? delivery::hybrid : delivery::membarrier;
}

bool may_interrupt() noexcept {
  const auto how = next_delivery();
  return how == delivery::signal || how == delivery::hybrid;
}

void note_delivery(delivery how, std::uint64_t ticks) noexcept { taken[static_cast<std::size_t>(how)].add(ticks); }

std::uint64_t patience() noexcept {
  const auto known = taken[static_cast<std::size_t>(delivery::signal)].get();
  return known != 0 ? known : taken[static_cast<std::size_t>(delivery::hybrid)].get() / 2;
}

}  // namespace steelyard::loop
