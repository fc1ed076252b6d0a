// SPDX-License-Identifier: Apache-2.0
// Inputs that are always the same, and what tells whether results are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dataflow_kernels {

// Multiplies and mixes, as splitmix64 does (Steele, Lea & Flood 2014).
inline std::uint64_t mixed(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15U;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9U;
  i = (i ^ i >> 27) * 0x94d049bb133111ebU;
  return i ^ i >> 31;
}

// The i-th of a row of numbers from -1 to 1, and of letters.
inline double number(std::uint64_t i) { return static_cast<double>(mixed(i) >> 11) / 4503599627370496.0 - 1; }
inline char letter(std::uint64_t i) { return "ACGT"[mixed(i) >> 62]; }

inline std::uint64_t hash_of(const double* values, std::size_t count, std::uint64_t before = 0) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + i, sizeof bits);
    before = (before ^ bits) * 0x9e3779b97f4a7c15U;
    before ^= before >> 32;
  }
  return before;
}

}  // namespace dataflow_kernels
