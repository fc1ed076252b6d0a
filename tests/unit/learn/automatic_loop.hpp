// SPDX-License-Identifier: Apache-2.0
// A loop that runs again and again under `automatic`, in made-up time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/automatic.hpp"
#include "learn/cost_profile.hpp"
#include "support/cache_line.hpp"

/// Which way is tried, kept and left, by made-up times. How good the choice is: tests/replay/automatic_test.cpp.
namespace steelyard::learn {

inline constexpr std::uint64_t iterations = 10'000;
inline constexpr std::uint32_t members = 4;
inline constexpr std::uint64_t work = 4'000'000;

/// A front end whose loop costs what `cost` says at a place from 0 to 1, on average 1.
class loop {
 public:
  loop() = default;
  loop(std::function<std::uint64_t(const automatic::way&)> by, std::uint64_t a_call)
      : hand_over(a_call), takes(std::move(by)) {}
  std::uint64_t hand_over = 10;
  std::function<double(double)> cost = [](double) { return 1; };
  double factor = 1;
  double observing = 1;  ///< by so much an instance is longer that is observed

  /// What an instance of such a way takes; by default what is foretold where everything is known.
  std::function<std::uint64_t(const automatic::way&)> takes = [](const auto&) { return work / members; };

  /// Part of that for which members had nothing to do.
  std::function<double(const automatic::way&)> idle = [](const auto&) { return 0.01; };

  /// An instance that begins at that time; 0: no clock is read.
  automatic::plan run(std::uint64_t n = iterations, std::uint64_t now = 0) {
    const auto plan = chooser.next(n, members, now);
    if (plan.observed) observe(n);
    auto ticks = factor * static_cast<double>(takes(plan.how)) * static_cast<double>(n) / iterations;
    if (plan.observed) ticks *= observing;
    const auto finished = static_cast<std::uint64_t>(ticks * members * (1 - idle(plan.how)));
    last_ticks = static_cast<std::uint64_t>(ticks);
    const observation seen{plan.observed ? &profile : nullptr, hand_over, finished};
    if (chooser.took(last_ticks, seen) && ++asked >= forecasts_at && !chooser.looks_first()) {
      std::vector<std::byte> memory(chooser.room_to_forecast() + support::line_size);
      const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
      const auto begin = (at + support::line_size - 1) / support::line_size * support::line_size;
      chooser.forecast(reinterpret_cast<void*>(begin));
      ++forecasts;
    }
    return plan;
  }

  automatic chooser;
  cost_profile profile;
  std::uint64_t last_ticks = 0;  ///< what the last instance took
  int forecasts = 0;
  int forecasts_at = 1;  ///< how often it has to ask
  int asked = 0;

 private:
  void observe(std::uint64_t n) {
    profile.begin(n);
    for (std::uint64_t first = 0; first < n; first += 10) {
      const auto place = static_cast<double>(first) / static_cast<double>(n);
      profile.took(first, 10, static_cast<std::uint64_t>(factor * cost(place) * work / iterations * 10));
    }
  }
};

inline std::string words_of(const automatic& chooser) {
  char text[500];
  const auto length = chooser.explain(text, sizeof text);
  return {text, length};
}

inline std::string_view name_of(const automatic::plan& plan) { return plan.how.schedule->about.name; }

/// By steal 1.3 of the limit, by anything else the limit.
inline std::uint64_t steal_is_slow(const automatic::way& how) {
  return std::string_view(how.schedule->about.name) == "steal" ? work / members * 13 / 10 : work / members;
}

/// Where handing out is dear, one block for each member is foretold to be better than stealing, which has many chunks.
inline constexpr std::uint64_t dear_call = 20'000;

}  // namespace steelyard::learn
