// SPDX-License-Identifier: Apache-2.0
#include "loop/delivery.hpp"

#include <cstdio>
#include <cstdlib>

#include "loop/history.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {
namespace {

constexpr std::string_view names[] = {"membarrier", "signal", "hybrid", "poll"};

/// Requests by which each of the two is tried before one is preferred, and how often the other is tried again.
constexpr std::uint32_t trials = 8;
constexpr std::uint32_t again_every = 256;

constinit average taken[4];
constinit sync::real::atomic<std::uint32_t> requests{};

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

const average& of(delivery how) noexcept { return taken[static_cast<std::size_t>(how)]; }

}  // namespace

std::optional<delivery> delivery_of(std::string_view name) noexcept {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<delivery>(i);
  }
  return std::nullopt;
}

delivery next_delivery() noexcept {
  if (const auto told = of_process()) return *told;
  const auto number = requests.fetch_add(1, sync::relaxed, sync::site{"A5"});
  const bool barrier_is_cheaper = of(delivery::membarrier).get() <= of(delivery::hybrid).get();
  const bool other = number < 2 * trials ? number % 2 != 0 : number % again_every == 0;
  return barrier_is_cheaper != other ? delivery::membarrier : delivery::hybrid;
}

bool may_interrupt() noexcept {
  const auto told = of_process();
  return !told || *told == delivery::signal || *told == delivery::hybrid;
}

void note_delivery(delivery how, std::uint64_t ticks) noexcept { taken[static_cast<std::size_t>(how)].add(ticks); }

std::uint64_t patience() noexcept {
  const auto known = of(delivery::signal).get();
  return known != 0 ? known : of(delivery::membarrier).get();
}

}  // namespace steelyard::loop
