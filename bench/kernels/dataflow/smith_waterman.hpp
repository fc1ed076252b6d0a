// SPDX-License-Identifier: Apache-2.0
// The score of the best local alignment of two random sequences (Smith & Waterman 1981; a gap costs by its length), block by
// block. Blocks hand on what lies between them: those of one column share a row, those of one row a column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accesses.hpp"
#include "blocks.hpp"
#include "numbers.hpp"
#include "program.hpp"

namespace dataflow_kernels {

template <class Flow>
class smith_waterman {
 public:
  static constexpr double most_error = 0;

  explicit smith_waterman(const request& wanted)
      : side_(static_cast<std::size_t>(wanted.tile)), count_(static_cast<std::size_t>(wanted.size) / side_),
        down_(count_ * side_, ' '), across_(down_), rows_(down_.size()), columns_(count_ * height()) {
    std::uint64_t i = 0;
    for (auto& each : down_) each = letter(i++);
    for (auto& each : across_) each = letter(i++);
  }
  void prepare() {
    std::fill(rows_.begin(), rows_.end(), 0);
    std::fill(columns_.begin(), columns_.end(), 0);
  }
  double run(Flow& flow) {
    return seconds_of([&] { flow.run([&] { fork_all(flow); }); });
  }
  [[nodiscard]] std::uint64_t tasks() const { return count_ * count_; }
  [[nodiscard]] std::uint64_t result() const {
    std::int32_t best = 0;
    for (std::size_t i = 1; i <= count_; ++i) best = std::max(best, columns_[i * height() - 1]);
    return static_cast<std::uint64_t>(best);
  }
  [[nodiscard]] double error() const {
    const auto plain = align_plainly(down_.data(), across_.data(), down_.size());
    return static_cast<std::uint64_t>(plain) == result() ? 0 : 1;
  }

 private:
  [[nodiscard]] std::size_t height() const { return side_ + more_than_column; }
  void fork_all(Flow& flow) {
    const scores rows(rows_.data(), rows_.size()), columns(columns_.data(), columns_.size());
    const char* const down = down_.data();
    const char* const across = across_.data();
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = 0; j < count_; ++j) {
        flow.fork([](const char* a, const char* b, scores row, scores column) { align(a, b, row, column); },
                  down + i * side_, across + j * side_, change(rows.part(j * side_, side_)),
                  change(columns.part(i * height(), height())));
      }
    }
  }

  std::size_t side_, count_;
  std::string down_, across_;
  std::vector<std::int32_t> rows_, columns_;
};

}  // namespace dataflow_kernels
