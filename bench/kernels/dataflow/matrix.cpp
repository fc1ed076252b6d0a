// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <cblas.h>

#include "program.hpp"

extern "C" void dpotrf_(const char* part, const int* n, double* a, const int* stride, int* status);

namespace dataflow_kernels {
namespace {

int as_int(std::size_t n) { return static_cast<int>(n); }

double norm(const matrix& of) { return cblas_dnrm2(as_int(of.size() * of.size()), of.data(), 1); }

// |A - L R| / |A|
double residual(matrix a, const matrix& l, const matrix& r) {
  const double whole = norm(a);
  const int n = as_int(a.size());
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, -1, l.data(), n, r.data(), n, 1, a.data(), n);
  return norm(a) / whole;
}

}  // namespace

void use_one_blas_thread() { openblas_set_num_threads(1); }

matrix dominant_matrix(std::size_t n) {
  matrix all(n);
  for (std::size_t i = 0; i < n * n; ++i) all.data()[i] = number(i);
  for (std::size_t i = 0; i < n; ++i) all(i, i) += static_cast<double>(n);
  return all;
}

matrix symmetric_matrix(std::size_t n) {
  matrix all = dominant_matrix(n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < row; ++column) all(row, column) = all(column, row);
  }
  return all;
}

double residual_of_cholesky(const matrix& a, const matrix& factors) {
  matrix lower(a.size()), upper(a.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      lower(row, column) = upper(column, row) = factors(row, column);
    }
  }
  return residual(a, lower, upper);
}

double residual_of_lu(const matrix& a, const matrix& factors) {
  matrix lower(a.size()), upper(a.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    lower(row, row) = 1;
    for (std::size_t column = 0; column < a.size(); ++column) {
      (column < row ? lower : upper)(row, column) = factors(row, column);
    }
  }
  return residual(a, lower, upper);
}

void potrf(tile a) {
  const int n = as_int(a.rows()), stride = as_int(a.stride());
  int status = 0;
  dpotrf_("U", &n, a.data(), &stride, &status);  // LAPACK reads columns where we have rows
  if (status != 0) wrong("a tile is not positive definite");
}

void trsm_cholesky(tile_read l, tile a) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, as_int(a.rows()), as_int(a.columns()), 1,
              l.data(), as_int(l.stride()), a.data(), as_int(a.stride()));
}

void syrk(tile_read a, tile c) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, as_int(c.rows()), as_int(a.columns()), -1, a.data(),
              as_int(a.stride()), 1, c.data(), as_int(c.stride()));
}

void gemm_cholesky(tile_read a, tile_read b, tile c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, as_int(c.rows()), as_int(c.columns()), as_int(a.columns()), -1,
              a.data(), as_int(a.stride()), b.data(), as_int(b.stride()), 1, c.data(), as_int(c.stride()));
}

void getrf(tile a) {
  const std::size_t n = a.rows();
  if (n > 16) {
    const std::size_t half = n / 2;
    const tile upper = a.part(0, half, half, n - half), lower = a.part(half, 0, n - half, half);
    const tile first = a.part(0, 0, half, half), last = a.part(half, half, n - half, n - half);
    getrf(first);
    trsm_lower(first.as_const(), upper);
    trsm_upper(first.as_const(), lower);
    gemm_lu(lower.as_const(), upper.as_const(), last);
    return getrf(last);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a(i, k) /= a(k, k);
      for (std::size_t j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
    }
  }
}

void trsm_lower(tile_read l, tile a) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, as_int(a.rows()), as_int(a.columns()), 1,
              l.data(), as_int(l.stride()), a.data(), as_int(a.stride()));
}

void trsm_upper(tile_read u, tile a) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, as_int(a.rows()), as_int(a.columns()),
              1, u.data(), as_int(u.stride()), a.data(), as_int(a.stride()));
}

void gemm_lu(tile_read a, tile_read b, tile c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(c.rows()), as_int(c.columns()), as_int(a.columns()), -1,
              a.data(), as_int(a.stride()), b.data(), as_int(b.stride()), 1, c.data(), as_int(c.stride()));
}

}  // namespace dataflow_kernels
