// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "schedules/contract.hpp"
#include "schedules/registry.hpp"

namespace steelyard::schedules::testing {

/// One loop under one schedule. The memory is filled with rubbish first: construction must initialise all of it.
class loop_run {
 public:
  loop_run(const operations& schedule, const shape& loop);
  loop_run(std::string_view name, const shape& loop) : loop_run(*find(name), loop) {}
  /// With the costs of all iterations.
  loop_run(const operations& schedule, const shape& loop, std::span<const double> costs);
  loop_run(std::string_view name, const shape& loop, std::span<const double> costs)
      : loop_run(*find(name), loop, costs) {}

  step next(member m) { return schedule_.next(memory_.get(), m); }
  [[nodiscard]] std::uint64_t remaining(member m) const { return schedule_.remaining(memory_.get(), m); }
  [[nodiscard]] double remaining_work(member m) const {
    if (schedule_.remaining_work == nullptr) return static_cast<double>(remaining(m));
    return schedule_.remaining_work(memory_.get(), m);
  }
  /// Of a schedule that wants to know.
  void completed(member m, const step& chunk, chunk_time took) {
    schedule_.feedback->completed(memory_.get(), m, chunk, took);
  }
  void learnt(loop_record& into) const { schedule_.feedback->learnt(memory_.get(), into); }
  [[nodiscard]] tally counts(member m) const { return schedule_.counts(memory_.get(), m); }

 private:
  static constexpr std::align_val_t line{support::line_size};
  struct release {
    void operator()(std::byte* memory) const { ::operator delete(memory, line); }
  };
  const operations& schedule_;
  std::vector<double> sums_;
  std::unique_ptr<std::byte, release> memory_;
};

struct handed_out {
  member who;
  step what;
  friend bool operator==(const handed_out&, const handed_out&) = default;
};
void PrintTo(const handed_out& chunk, std::ostream* out);

/// The callers call in turn until all are done.
std::vector<handed_out> in_turn(loop_run& run, std::vector<member> callers);

/// The callers call in an order drawn at random until all are done.
std::vector<handed_out> in_random_order(loop_run& run, std::vector<member> callers, std::mt19937_64& draw);

std::vector<member> everybody(std::uint32_t members);

/// Whether the chunks hold 0 … iterations-1, each once; found on intervals, so the loop may be of any length.
::testing::AssertionResult covers(std::span<const handed_out> chunks, std::uint64_t iterations);

}  // namespace steelyard::schedules::testing
