// SPDX-License-Identifier: Apache-2.0
// LU of a matrix of blocks, most of them empty, as the Barcelona OpenMP Tasks Suite has one (Duran et al. 2009): blocks that
// fill in are made when the first task that changes them is forked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "accesses.hpp"
#include "blocks.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace dataflow_kernels {

template <class Flow>
class sparse_lu {
 public:
  static constexpr double most_error = 1e-12;

  explicit sparse_lu(const request& wanted) : side_(static_cast<std::size_t>(wanted.size)), blocks_(side_ * side_) {}

  void prepare() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      blocks_[i].reset();
      if (is_there(i / side_, i % side_)) input(i, *blocks_[i].emplace());
    }
  }
  double run(Flow& flow) {
    tasks_ = 0;
    return seconds_of([&] { flow.run([&] { fork_all(flow); }); });
  }
  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
  [[nodiscard]] std::uint64_t result() const {
    std::uint64_t hash = 0;
    for (const auto& each : blocks_) {
      if (each) hash = hash_of((**each).values.data(), (**each).values.size(), hash);
    }
    return hash;
  }
  // A - L U by A, the largest elements.
  [[nodiscard]] double error() const {
    double difference = 0, whole = 0;
    for (std::size_t i = 0; i < side_; ++i) {
      for (std::size_t j = 0; j < side_; ++j) {
        small_block rest;
        if (is_there(i, j)) input(i * side_ + j, rest);
        whole = std::max(whole, largest(rest));
        for (std::size_t k = 0; k <= std::min(i, j); ++k) {
          if (at(i, k) && at(k, j)) multiply(lower(**at(i, k), i == k), upper(**at(k, j), k == j), rest);
        }
        difference = std::max(difference, largest(rest));
      }
    }
    return difference / whole;
  }

 private:
  using entry = std::optional<typename Flow::template shared<small_block>>;
  static constexpr std::size_t width = small_block::side;

  entry& at(std::size_t i, std::size_t j) { return blocks_[i * side_ + j]; }
  const entry& at(std::size_t i, std::size_t j) const { return blocks_[i * side_ + j]; }

  // A band of three blocks, and one block in eight elsewhere.
  static bool is_there(std::size_t i, std::size_t j) {
    const std::size_t apart = i < j ? j - i : i - j;
    return apart <= 1 || mixed(i << 32 | j) % 8 == 0;
  }
  void input(std::size_t block, small_block& into) const {
    for (std::size_t i = 0; i < width * width; ++i) into.values[i] = number(block * width * width + i);
    if (block / side_ != block % side_) return;
    for (std::size_t i = 0; i < width; ++i) into(i, i) += static_cast<double>(side_ * width);
  }

  void fork_all(Flow& flow) {
    for (std::size_t k = 0; k < side_; ++k) {
      fork(
          flow, [](small_block& a) { factor(a); }, change(*at(k, k)));
      for (std::size_t i = k + 1; i < side_; ++i) {
        if (at(k, i)) {
          fork(
              flow, [](const small_block& l, small_block& a) { solve_lower(l, a); }, read(*at(k, k)),
              change(*at(k, i)));
        }
        if (at(i, k)) {
          fork(
              flow, [](const small_block& u, small_block& a) { solve_upper(u, a); }, read(*at(k, k)),
              change(*at(i, k)));
        }
      }
      for (std::size_t i = k + 1; i < side_; ++i) {
        if (!at(i, k)) continue;
        for (std::size_t j = k + 1; j < side_; ++j) {
          if (!at(k, j)) continue;
          if (!at(i, j)) at(i, j).emplace();
          fork(
              flow, [](const small_block& a, const small_block& b, small_block& c) { multiply(a, b, c); },
              read(*at(i, k)), read(*at(k, j)), change(*at(i, j)));
        }
      }
    }
  }
  template <class... A>
  void fork(Flow& flow, A... what) {
    ++tasks_;
    flow.fork(what...);
  }

  static small_block lower(small_block of, bool on_diagonal) {
    if (!on_diagonal) return of;
    for (std::size_t i = 0; i < width; ++i) {
      of(i, i) = 1;
      for (std::size_t j = i + 1; j < width; ++j) of(i, j) = 0;
    }
    return of;
  }
  static small_block upper(small_block of, bool on_diagonal) {
    if (!on_diagonal) return of;
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < i; ++j) of(i, j) = 0;
    }
    return of;
  }
  static double largest(const small_block& of) {
    double most = 0;
    for (const double each : of.values) most = std::max(most, std::abs(each));
    return most;
  }

  std::size_t side_;
  std::vector<entry> blocks_;
  std::uint64_t tasks_ = 0;
};

}  // namespace dataflow_kernels
