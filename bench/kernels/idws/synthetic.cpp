// SPDX-License-Identifier: Apache-2.0
// The paper's synthetic loop over `int states[n]`: bound by the processor, with little memory traffic.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "main.hpp"
#include "states.hpp"

namespace {

constexpr int sinh_values = 6;  // so that state 3 costs about 5 times as much as state 1

// Sines of i and powers of i; from state 2 on also cosines, and in state 3 hyperbolic sines. i is scaled into [1, 2), or
// the library would reduce large arguments by a slower way than small ones, and Regular would not be regular.
double value(int state, std::int64_t i, double scale) {
  const double x = 1 + static_cast<double>(i) * scale;
  const double square = x * x;
  double sum = std::sin(x) + std::sin(square);
  if (state >= 2) sum += std::cos(x) + std::cos(square);
  if (state >= 3) {
    double power = 1;
    for (int k = 0; k < sinh_values; ++k) sum += std::sinh(power *= x);
  }
  return sum;
}

constexpr int state_bits = 2;
constexpr unsigned state_mask = (1U << state_bits) - 1;

class synthetic {
 public:
  explicit synthetic(std::vector<int> states) : states_(std::move(states)) {}

  void reset() {
    for (int& state : states_) state = static_cast<int>(static_cast<unsigned>(state) & state_mask);
  }

  // The result goes into the upper bits of the state it was computed from, by addition: an iteration that runs twice
  // shows.
  template <class Loop>
  void run(Loop& loop) {
    const double scale = 1 / static_cast<double>(states_.size());
    loop(static_cast<std::int64_t>(states_.size()), [states = states_.data(), scale](std::int64_t i) {
      const auto before = static_cast<unsigned>(states[i]);
      const unsigned state = before & state_mask;
      if (state == 0) return;
      const auto bits = std::bit_cast<std::uint64_t>(value(static_cast<int>(state), i, scale));
      states[i] = static_cast<int>(before + ((static_cast<unsigned>(bits >> 20) | 1U) << state_bits));
    });
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const int state : states_) sum.add(static_cast<unsigned>(state));
    return sum.value();
  }

 private:
  std::vector<int> states_;
};

int run(int argc, char** argv) {
  idws::settings chosen;
  long n = 16L << 20;
  long period = 0;
  const char* distribution = "regular";
  idws::parse(chosen, argc, argv, "sines, cosines and hyperbolic sines by state",
              {argument_number("--states", "iterations", 1, 1L << 30, &n),
               argument_text("--distribution", "NAME", idws::distributions, &distribution),
               argument_number("--period", "of periodic; 0: the size of the team", 0, 1L << 30, &period)});
  auto states = idws::states_of(distribution, static_cast<std::size_t>(n),
                                static_cast<std::size_t>(period > 0 ? period : chosen.threads));
  if (states.empty()) {
    bad_input("--distribution %s: no such distribution: there are %s", distribution, idws::distributions);
  }
  synthetic kernel(std::move(states));
  std::printf("synthetic %s: %ld states\n", distribution, n);
  return idws::measure(chosen, kernel);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
