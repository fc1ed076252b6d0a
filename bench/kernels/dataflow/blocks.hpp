// SPDX-License-Identifier: Apache-2.0
// What the tasks of sparse LU and of Smith-Waterman do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <steelyard/access.hpp>

namespace dataflow_kernels {

// A block of a sparse matrix, row by row.
struct small_block {
  static constexpr std::size_t side = 40;
  std::array<double, side * side> values{};
  double& operator()(std::size_t row, std::size_t column) { return values[row * side + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values[row * side + column]; }
};

void factor(small_block& a);                                                // A = L U
void solve_lower(const small_block& l, small_block& a);                     // A := L^-1 A, ones on L's diagonal
void solve_upper(const small_block& u, small_block& a);                     // A := A U^-1
void multiply(const small_block& a, const small_block& b, small_block& c);  // C := C - A B

using scores = steelyard::range<std::int32_t>;

// A block of the matrix of local alignments' scores. `row`: above the block, to be below; `column`: left of it, to be its last,
// behind what stands above that; at the end the best of all so far.
void align(const char* down, const char* across, scores row, scores column);
inline constexpr std::size_t more_than_column = 2;

// The best score, row by row.
std::int32_t align_plainly(const char* down, const char* across, std::size_t length);

}  // namespace dataflow_kernels
