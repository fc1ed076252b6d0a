// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <steelyard/own_schedule.h>

namespace steelyard::tool::check {

struct handed_out {
  std::uint32_t who;
  steelyard_step what;
};

/// A loop under a schedule that may be wrong: in memory filled with rubbish, between walls that it must not touch.
class loop_under_check {
 public:
  loop_under_check(const steelyard_schedule& schedule, const steelyard_shape& loop, unsigned char rubbish = 0xa5);

  steelyard_step next(std::uint32_t member) { return schedule_.next(state(), member); }
  [[nodiscard]] std::uint64_t remaining(std::uint32_t member) const { return schedule_.remaining(state(), member); }
  [[nodiscard]] const steelyard_shape& loop() const noexcept { return loop_; }

  /// The callers call, each time one that `choose(left)` says by its place among those left, until all are done.
  template <class Choose>
  std::vector<handed_out> run(std::vector<std::uint32_t> callers, const Choose& choose) {
    std::vector<handed_out> all;
    while (!callers.empty()) {
      const std::size_t at = choose(callers.size());
      const auto what = next(callers[at]);
      if (what.count == 0) {
        callers.erase(callers.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        all.push_back({callers[at], what});
      }
      if (all.size() > most_chunks) break;
    }
    return all;
  }

  /// What is wrong with these chunks as all that was handed out, or with the memory around the state.
  [[nodiscard]] std::optional<std::string> fault_in(const std::vector<handed_out>& all) const;

  /// "N 7, 3 members, chunk 2: " and that.
  [[nodiscard]] std::string told(const std::string& what) const;

 private:
  static constexpr std::size_t wall = 256;
  static constexpr std::size_t most_chunks = std::size_t{1} << 20;
  static constexpr std::align_val_t line{128};
  static constexpr unsigned char untouched = 0x3c;
  struct release {
    void operator()(unsigned char* memory) const { ::operator delete(memory, line); }
  };

  [[nodiscard]] std::optional<std::string> fault_in_long(const std::vector<handed_out>& all) const;
  [[nodiscard]] void* state() const noexcept { return memory_.get() + wall; }

  const steelyard_schedule& schedule_;
  steelyard_shape loop_;
  std::size_t bytes_;
  std::unique_ptr<unsigned char, release> memory_;
};

}  // namespace steelyard::tool::check
