// SPDX-License-Identifier: Apache-2.0
// What tasks do, compiled once, so that it is the same on every runtime.
#pragma once

#include <cstddef>
#include <cstdint>

namespace work {

// A random number for each counter: SplitMix64.
inline std::uint64_t random(std::uint64_t counter) {
  std::uint64_t bits = (counter + 1) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// In (0, 1).
inline double uniform(std::uint64_t counter) { return (static_cast<double>(random(counter) >> 12) + 0.5) * 0x1p-52; }

struct board {
  std::int8_t column[20];  // of the queen in each row
};
// The columns where a queen in that row attacks none of those above, and how many they are.
int safe_places(const board& so_far, int row, int n, std::int8_t* safe);

// Sorts by insertion.
void sort_few(double* first, double* last);
// Of three elements and more: none before what it returns is larger than any from there on; both parts have some.
double* partition(double* first, double* last);
void merge(const double* a, std::size_t of_a, const double* b, std::size_t of_b, double* into);

// Some rows and columns of a matrix.
struct block {
  double* at;
  std::size_t stride;
  [[nodiscard]] double* row(std::size_t i) const { return at + i * stride; }
  [[nodiscard]] block quadrant(int which, std::size_t half) const {
    return {at + (which / 2 != 0 ? half * stride : 0) + (which % 2 != 0 ? half : 0), stride};
  }
};
// c = a b, of n rows and columns, the usual way.
void multiply(block a, block b, block c, std::size_t n);
// A factor of the i-th of Strassen's seven products, a sum of quadrants of `of`: one of them, or in `into`.
block left_factor(int i, block of, double* into, std::size_t half);
block right_factor(int i, block of, double* into, std::size_t half);
// c from the seven products, which lie behind each other.
void combine(const double* products, block c, std::size_t half);

// What a European call option at 100 for a price of 100 pays after a year, on `paths` random paths of the price from number `first`
// on, in units of 2^-20.
std::int64_t payoffs(std::uint64_t first, std::uint64_t paths);
inline constexpr double unit = 0x1p-20;
// The mean of that by Black and Scholes.
double expected_payoff();

}  // namespace work
