// SPDX-License-Identifier: Apache-2.0
// Tiled factorisations of a dense matrix, right-looking: what is done to the rest of the matrix follows each row of tiles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "matrix.hpp"
#include "program.hpp"

namespace dataflow_kernels {

class factorisation {
 public:
  static constexpr double most_error = 1e-12;

  factorisation(const request& wanted, matrix input)
      : side_(static_cast<std::size_t>(wanted.tile)), input_(std::move(input)), factors_(input_) {
    use_one_blas_thread();
  }
  void prepare() { factors_ = input_; }
  [[nodiscard]] std::uint64_t result() const { return factors_.hash(); }

 protected:
  [[nodiscard]] std::size_t count() const { return input_.size() / side_; }
  [[nodiscard]] auto tiles() {
    return [all = factors_.all(), side = side_](std::size_t i, std::size_t j) {
      return all.part(i * side, j * side, side, side);
    };
  }
  const matrix& input() const { return input_; }
  const matrix& factors() const { return factors_; }

 private:
  std::size_t side_;
  matrix input_, factors_;
};

template <class Flow>
class cholesky : public factorisation {
 public:
  explicit cholesky(const request& wanted)
      : factorisation(wanted, symmetric_matrix(static_cast<std::size_t>(wanted.size))) {}

  double run(Flow& flow) {
    return seconds_of([&] { flow.run([&] { fork_all(flow); }); });
  }
  [[nodiscard]] std::uint64_t tasks() const { return count() * (count() + 1) * (count() + 2) / 6; }
  [[nodiscard]] double error() const { return residual_of_cholesky(input(), factors()); }

 private:
  void fork_all(Flow& flow) {
    const auto a = tiles();
    for (std::size_t k = 0; k < count(); ++k) {
      flow.fork([](tile diagonal) { potrf(diagonal); }, change(a(k, k)));
      for (std::size_t i = k + 1; i < count(); ++i) {
        flow.fork([](tile_read l, tile below) { trsm_cholesky(l, below); }, read(a(k, k)), change(a(i, k)));
      }
      for (std::size_t i = k + 1; i < count(); ++i) {
        for (std::size_t j = k + 1; j < i; ++j) {
          flow.fork([](tile_read left, tile_read up, tile at) { gemm_cholesky(left, up, at); }, read(a(i, k)),
                    read(a(j, k)), change(a(i, j)));
        }
        flow.fork([](tile_read left, tile diagonal) { syrk(left, diagonal); }, read(a(i, k)), change(a(i, i)));
      }
    }
  }
};

template <class Flow>
class lu : public factorisation {
 public:
  explicit lu(const request& wanted) : factorisation(wanted, dominant_matrix(static_cast<std::size_t>(wanted.size))) {}

  double run(Flow& flow) {
    return seconds_of([&] { flow.run([&] { fork_all(flow); }); });
  }
  [[nodiscard]] std::uint64_t tasks() const { return count() * (count() + 1) * (2 * count() + 1) / 6; }
  [[nodiscard]] double error() const { return residual_of_lu(input(), factors()); }

 private:
  void fork_all(Flow& flow) {
    const auto a = tiles();
    for (std::size_t k = 0; k < count(); ++k) {
      flow.fork([](tile diagonal) { getrf(diagonal); }, change(a(k, k)));
      for (std::size_t i = k + 1; i < count(); ++i) {
        flow.fork([](tile_read l, tile right) { trsm_lower(l, right); }, read(a(k, k)), change(a(k, i)));
        flow.fork([](tile_read u, tile below) { trsm_upper(u, below); }, read(a(k, k)), change(a(i, k)));
      }
      for (std::size_t i = k + 1; i < count(); ++i) {
        for (std::size_t j = k + 1; j < count(); ++j) {
          flow.fork([](tile_read left, tile_read up, tile at) { gemm_lu(left, up, at); }, read(a(i, k)), read(a(k, j)),
                    change(a(i, j)));
        }
      }
    }
  }
};

}  // namespace dataflow_kernels
