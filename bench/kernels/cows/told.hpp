// SPDX-License-Identifier: Apache-2.0
// What the loops of a program that `steelyard cc` has compiled tell of their costs before they run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "learn/cost_terms.hpp"

namespace cows {

// One run of a loop.
struct told_loop {
  std::uint32_t site = 0;     // of the program's loops that tell something, in the order in which they first did
  std::uint32_t ordinal = 0;  // which of all loops of the kernel's run
  bool equal = false;         // all iterations cost the same
  bool guarded = false;       // most of an iteration stands under a condition that nobody knows before
  std::uint32_t terms = 0;
  std::uint64_t iterations = 0;
  std::array<double, steelyard::learn::cost_terms::most>
      constants{};  // seeds: of an iteration, and of one of each number
  steelyard::learn::cost_terms::numbers numbers{};
};

// Loops of a run, in its order, in a file. Both throw graph::input_error.
void write_told(const std::string& path, const std::vector<told_loop>& loops);
std::vector<told_loop> read_told(const std::string& path);

// Stands in for the drop-in from its construction to its end: asks all loops of this program, run by one thread, for their costs. One
// listens at a time.
class listener {
 public:
  // `loops`: how many the program has begun.
  explicit listener(const std::uint64_t& loops);
  ~listener();
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  const std::vector<told_loop>& heard() const;
};

}  // namespace cows
