// SPDX-License-Identifier: Apache-2.0
// Matrices, row by row, and what tiled factorisations do to tiles of them, by OpenBLAS in one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accesses.hpp"
#include "numbers.hpp"

namespace dataflow_kernels {

void use_one_blas_thread();

class matrix {
 public:
  explicit matrix(std::size_t n) : n_(n), values_(n * n) {}
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] tile all() { return {values_.data(), n_, n_}; }
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] const double* data() const { return values_.data(); }
  double& operator()(std::size_t row, std::size_t column) { return values_[row * n_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * n_ + column]; }
  [[nodiscard]] std::uint64_t hash() const { return hash_of(values_.data(), values_.size()); }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

// Symmetric and positive definite, or not symmetric, where diagonals dominate.
matrix symmetric_matrix(std::size_t n);
matrix dominant_matrix(std::size_t n);

// A - L L^T by A; L is what Cholesky leaves below the diagonal.
double residual_of_cholesky(const matrix& a, const matrix& factors);
// A - L U by A; L with ones on the diagonal lies below U.
double residual_of_lu(const matrix& a, const matrix& factors);

void potrf(tile a);                                    // A = L L^T, L below the diagonal
void trsm_cholesky(tile_read l, tile a);               // A := A L^-T
void syrk(tile_read a, tile c);                        // C := C - A A^T, on and below the diagonal
void gemm_cholesky(tile_read a, tile_read b, tile c);  // C := C - A B^T
void getrf(tile a);                                    // A = L U
void trsm_lower(tile_read l, tile a);                  // A := L^-1 A
void trsm_upper(tile_read u, tile a);                  // A := A U^-1
void gemm_lu(tile_read a, tile_read b, tile c);        // C := C - A B

}  // namespace dataflow_kernels
