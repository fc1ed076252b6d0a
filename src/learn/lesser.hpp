// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::learn {

/// Of the last two values, which are at least 1: what took longer once was disturbed.
class lesser {
 public:
  void add(std::uint64_t value) noexcept {
    const auto now = std::max<std::uint64_t>(value, 1);
    twice_ = last_ != 0;
    before_ = last_ != 0 ? last_ : now;
    last_ = now;
  }
  [[nodiscard]] std::uint64_t get() const noexcept { return std::min(last_, before_); }
  [[nodiscard]] bool is_known_twice() const noexcept { return twice_; }

 private:
  std::uint64_t last_ = 0;  ///< 0: none
  std::uint64_t before_ = 0;
  bool twice_ = false;
};

}  // namespace steelyard::learn
